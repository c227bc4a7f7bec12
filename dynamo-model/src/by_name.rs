//! Access by names that are known only at run time: for tools that serve any declaration.
//!
//! Applications use the generated methods, which the compiler checks. A tool knows the names of
//! fields, and their values as text. [`Query`] reads an access pattern, [`key`] makes the key of an
//! item, [`item`] decodes an item into its entity, and [`parts`] takes a key apart. All of them use
//! the code behind the generated methods.

pub use crate::op::by_name::{Attributes, Query, item, key};

use crate::error::{KeyError, KeyErrorKind};
use crate::key::parse::RawPart;
use crate::key::{KeyRef, PartValue};
use crate::schema::Template;
use crate::wire;
use std::borrow::Cow;

/// Returns the fields in a stored key, and the text of each; of a time bucket or a shard, the text
/// in the key. Fails if the template could not have written the key.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity, by_name};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// let parts = by_name::parts(Order::SCHEMA.sk.unwrap(), "ORDER#000042".into())?;
/// assert_eq!(parts, [("number", "42".to_owned())]);
/// assert!(by_name::parts(Order::SCHEMA.pk, "PROFILE#u1".into()).is_err());
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
pub fn parts(
    template: &'static Template,
    key: KeyRef<'_>,
) -> Result<Vec<(&'static str, String)>, KeyError> {
    let mut raw = vec![RawPart::Text(""); template.parts.len()];
    template.split_into(key.key_type(), key, &mut raw)?;
    let each = template.parts.iter().zip(raw).map(|(part, raw)| {
        let malformed = || template.error(part, KeyErrorKind::Malformed);
        let mut text = Cow::Borrowed("");
        let value = match (part.is_lossless(), raw) {
            (false, RawPart::Text(text)) => text.to_owned(),
            _ => {
                let value = part.read(raw, &mut text).ok_or_else(malformed)?;
                if !part.writes(value, raw) {
                    return Err(malformed());
                }
                shown(value)
            }
        };
        Ok((part.field, value))
    });
    each.collect()
}

/// Returns the size of an item in bytes, as DynamoDB counts it.
///
/// ```
/// use dynamo_model::{Value, by_name};
///
/// let item = [("PK".to_owned(), Value::S("USER#u1".into()))].into();
/// assert_eq!(by_name::size(&item), 2 + 7);
/// ```
#[must_use]
pub fn size(attributes: &Attributes) -> usize {
    let each = attributes.iter();
    let each = each.map(|(name, value)| name.len() + wire::value_bytes(&value.clone().into()));
    each.sum()
}

fn shown(value: PartValue<'_>) -> String {
    match value {
        PartValue::Absent => String::new(),
        PartValue::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        value => value.to_string(),
    }
}
