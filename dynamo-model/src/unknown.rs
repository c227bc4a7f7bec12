//! Items of entities that the program does not declare.

use crate::key::ItemKeyAttribute;
use crate::key::KeyValue;
use crate::value::Value;
use core::fmt;
use std::collections::BTreeMap;

/// An item that no entity of an items enum declares, as stored: of a newer release, or of another
/// program.
///
/// It is the content of the variant with `#[items(unknown)]`. Without that variant, such an item is
/// an error of the read. An item of a declared entity that cannot be read is an error in both
/// cases.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Table};
/// use dynamo_model::read::UnknownItem;
/// # use aws_sdk_dynamodb::types::AttributeValue;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App, entity_type = "USER")]
/// #[pk("USER#<user_id>")]
/// #[sk("PROFILE")]
/// struct User {
///     user_id: String,
/// }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     User(User),
///     #[items(unknown)]
///     Unknown(UnknownItem),
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// # db.client().put_item().table_name("App")
/// #     .item("PK", AttributeValue::S("USER#u1".into()))
/// #     .item("SK", AttributeValue::S("BADGE#gold".into()))
/// #     .item("type", AttributeValue::S("BADGE".into()))
/// #     .item("points", AttributeValue::N("5".into()))
/// #     .send().await?;
/// // A newer release stores badges.
/// for item in AppItem::collection(User::partition_key("u1")).all(&db).await? {
///     match item {
///         AppItem::User(user) => println!("{}", user.user_id),
///         AppItem::Unknown(item) => {
///             assert_eq!(item.entity_type(), Some("BADGE"));
///             assert_eq!(item.sort_key().unwrap(), &"BADGE#gold");
///             assert_eq!(item.attributes()["points"].to_string(), "5");
///         }
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct UnknownItem {
    /// Of the table and its indexes, those that the item has.
    pub(crate) keys: Vec<ItemKeyAttribute>,
    pub(crate) pk: KeyValue,
    pub(crate) sk: Option<KeyValue>,
    pub(crate) entity_type: Option<String>,
    pub(crate) attributes: BTreeMap<String, Value>,
}

impl UnknownItem {
    /// Returns its partition key in the table.
    #[must_use]
    pub fn partition_key(&self) -> &KeyValue {
        &self.pk
    }

    /// Returns its sort key, if the table has one.
    #[must_use]
    pub fn sort_key(&self) -> Option<&KeyValue> {
        self.sk.as_ref()
    }

    /// Returns its entity type; `None` if the table declares none, or the item has none.
    #[must_use]
    pub fn entity_type(&self) -> Option<&str> {
        self.entity_type.as_deref()
    }

    /// Returns all of its attributes, with keys and entity type.
    #[must_use]
    pub fn attributes(&self) -> &BTreeMap<String, Value> {
        &self.attributes
    }

    /// Returns all of its attributes, with keys and entity type.
    #[must_use]
    pub fn into_attributes(self) -> BTreeMap<String, Value> {
        self.attributes
    }

    /// Returns its key attributes, in the table and in its indexes.
    #[must_use]
    pub fn key_attributes(&self) -> Vec<ItemKeyAttribute> {
        self.keys.clone()
    }
}

/// Hides the attributes, which may be sensitive.
impl fmt::Debug for UnknownItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnknownItem")
            .field("entity_type", &self.entity_type)
            .finish_non_exhaustive()
    }
}
