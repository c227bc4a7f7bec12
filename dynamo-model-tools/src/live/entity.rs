//! An entity without its type: the typed operations behind names.

use super::{LiveError, argument::Owned};
use core::marker::PhantomData;
use dynamo_model::bounds::{HasFields, IndexedBy};
use dynamo_model::by_name::{self, Attributes};
use dynamo_model::expr::Path;
use dynamo_model::index::Primary;
use dynamo_model::key::{KeyRef, KeyValue};
use dynamo_model::read::Loadable;
use dynamo_model::schema::{AttributeRole, AttributeSchema, EntitySchema, IndexId, TableSchema};
use dynamo_model::write::Storable;
use dynamo_model::{Condition, Dynamo, Entity, Error, Key, Table, Value as Attribute};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::pin::Pin;

/// The future of an operation.
pub(crate) type Running<'a, T> = Pin<Box<dyn Future<Output = Result<T, LiveError>> + Send + 'a>>;

/// The values of key fields, by name.
pub(crate) type Fields = [(&'static str, Owned)];

/// The key of an item: partition key and sort key.
pub(crate) type ItemKey = (KeyValue, Option<KeyValue>);

/// How a document is stored.
///
/// ```
/// use dynamo_model_tools::live::Store;
///
/// assert_ne!(Store::Create, Store::Put);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// The key must be free.
    Create,
    /// Replaces the item that has the key.
    Put,
    /// Stores the declared attributes, and leaves other attributes of the item.
    Merge,
}

/// An entity, by its declaration. The operations are those of its type.
pub(crate) trait LiveEntity: Send + Sync {
    fn schema(&self) -> &'static EntitySchema;
    fn table(&self) -> &'static TableSchema;
    fn key(&self, fields: &Fields) -> Result<ItemKey, LiveError>;
    fn is_key(&self, pk: KeyRef<'_>, sk: Option<KeyRef<'_>>) -> bool;
    fn query(&self, index: Option<IndexId>) -> by_name::Query;
    /// The fields of an item, as serde writes them.
    fn decode(&self, db: &Dynamo, item: &Attributes) -> Result<Map<String, Value>, Error>;
    fn store(&self, db: &Dynamo, how: Store, document: Value) -> Running<'static, ItemKey>;
    fn update<'a>(
        &self,
        db: &'a Dynamo,
        read: &'a Attributes,
        changes: Map<String, Value>,
    ) -> Running<'a, ()>;
    fn delete<'a>(&self, db: &'a Dynamo, read: &'a Attributes) -> Running<'a, ()>;
}

/// The type of an entity.
pub(crate) struct Of<E>(PhantomData<fn() -> E>);

impl<E> Of<E> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

/// What the tools require of an entity: it can be stored and read, and is a document of serde.
///
/// ```
/// use dynamo_model_tools::live::Documented;
///
/// fn is_one<E: Documented>() {}
/// ```
pub trait Documented:
    Storable
    + Loadable
    + Serialize
    + DeserializeOwned
    + HasFields
    + IndexedBy<Primary>
    + Send
    + Sync
    + 'static
{
}

impl<E> Documented for E where
    E: Storable
        + Loadable
        + Serialize
        + DeserializeOwned
        + HasFields
        + IndexedBy<Primary>
        + Send
        + Sync
        + 'static
{
}

impl<E: Documented> LiveEntity for Of<E> {
    fn schema(&self) -> &'static EntitySchema {
        const { &E::SCHEMA }
    }

    fn table(&self) -> &'static TableSchema {
        const { &<E::Table as Table>::SCHEMA }
    }

    fn key(&self, fields: &Fields) -> Result<ItemKey, LiveError> {
        let fields: Vec<_> = fields
            .iter()
            .map(|(name, value)| (*name, value.value()))
            .collect();
        Ok(by_name::key::<E>(&fields)?.into_parts())
    }

    fn is_key(&self, pk: KeyRef<'_>, sk: Option<KeyRef<'_>>) -> bool {
        <E as IndexedBy<Primary>>::parse(pk, sk).is_ok()
    }

    fn query(&self, index: Option<IndexId>) -> by_name::Query {
        by_name::Query::of::<E>(index)
    }

    fn decode(&self, db: &Dynamo, item: &Attributes) -> Result<Map<String, Value>, Error> {
        let entity: E = by_name::item(db, item.clone())?;
        Ok(document(&entity).unwrap_or_default())
    }

    fn store(&self, db: &Dynamo, how: Store, document: Value) -> Running<'static, ItemKey> {
        let db = db.clone();
        Box::pin(async move {
            let entity: E = of_document(document)?;
            match how {
                Store::Create => entity.create().send(&db).await?,
                Store::Put => entity.put().send(&db).await?,
                Store::Merge => entity.merge().send(&db).await?,
            }
            Ok(entity.primary_key()?.into_parts())
        })
    }

    fn update<'a>(
        &self,
        db: &'a Dynamo,
        read: &'a Attributes,
        changes: Map<String, Value>,
    ) -> Running<'a, ()> {
        Box::pin(async move {
            let old: E = by_name::item(db, read.clone())?;
            let mut fields = document(&old)?;
            fields.extend(changes);
            let new: E = of_document(Value::Object(fields))?;
            let key: Key<E> = old.primary_key()?;
            if new.primary_key()? != key {
                let message = format!(
                    "the change gives the item of `{}` another key; create an item with the new \
                     key, and delete the old one",
                    E::SCHEMA.entity
                );
                return Err(LiveError::usage(message));
            }
            let merge = new.merge().must_exist();
            let merge = match unchanged(&E::SCHEMA, read) {
                Some(unchanged) => merge.condition(|_| unchanged),
                None => merge,
            };
            Ok(merge.send(db).await?)
        })
    }

    fn delete<'a>(&self, db: &'a Dynamo, read: &'a Attributes) -> Running<'a, ()> {
        Box::pin(async move {
            let old: E = by_name::item(db, read.clone())?;
            let delete = old.delete().must_exist();
            let delete = match unchanged(&E::SCHEMA, read) {
                Some(unchanged) => delete.condition(|_| unchanged),
                None => delete,
            };
            Ok(delete.send(db).await?)
        })
    }
}

fn document<E: Entity + Serialize>(entity: &E) -> Result<Map<String, Value>, LiveError> {
    let name = E::SCHEMA.entity;
    match serde_json::to_value(entity) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => {
            let message =
                format!("`{name}` is not a JSON object; derive `Serialize` on the struct");
            Err(LiveError::usage(message))
        }
        Err(error) => Err(LiveError::call(
            format!("`{name}` cannot be shown as JSON"),
            error,
        )),
    }
}

fn of_document<E: Entity + DeserializeOwned>(document: Value) -> Result<E, LiveError> {
    serde_json::from_value(document).map_err(|error| {
        let name = E::SCHEMA.entity;
        LiveError::usage(format!(
            "the JSON document is not an item of `{name}`: {error}"
        ))
    })
}

/// The condition that every declared attribute has the value that was read. `None` for an entity
/// with a version, which its writes check.
fn unchanged(entity: &EntitySchema, read: &Attributes) -> Option<Condition> {
    let attributes = entity.attributes;
    if attributes
        .iter()
        .any(|it| it.role == AttributeRole::Version)
    {
        return None;
    }
    let stored = attributes
        .iter()
        .filter(|it| it.role != AttributeRole::KeyOnly);
    let conditions = stored.map(|attribute| has(attribute, read.get(attribute.name)));
    conditions.reduce(|all, one| all & one)
}

fn has(attribute: &AttributeSchema, value: Option<&Attribute>) -> Condition {
    let path = Path::<Attribute>::attribute(attribute.name);
    let path = if attribute.sensitive {
        path.hidden()
    } else {
        path
    };
    match value {
        Some(value) => path.eq(value),
        None => path.not_exists(),
    }
}
