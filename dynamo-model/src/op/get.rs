//! Reading one item by its key.

use super::paging::Expiry;
use super::reading::ReadingOne;
use super::{Expires, query, trace};
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, KeyError};
use crate::hot_keys::{Access, Accessed};
use crate::key::{Key, RawKey};
use crate::schema::{EntitySchema, TableSchema};
use crate::transport::{Call, Operation};
use crate::wire::{Decodable, ItemKey, Object, RawItem, Serde};
use futures_core::future::BoxFuture;

/// Reads one item; made by the `get` that `#[derive(DynamoEntity)]` generates.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let user: Option<User> = User::get("u1").consistent().send(&db).await?;
/// assert!(user.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is read until `send`"]
pub struct Get<E: Entity> {
    key: Result<Key<E>, KeyError>,
    consistent: bool,
    unexpired: bool,
}

impl<E: Entity> Get<E> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(key: Result<Key<E>, KeyError>) -> Self {
        Self {
            key,
            consistent: false,
            unexpired: false,
        }
    }

    /// Sees every write that was acknowledged before; costs twice as much.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// An item that has expired and is not deleted yet is not there.
    pub fn unexpired(mut self) -> Self
    where
        E: Expires,
    {
        self.unexpired = true;
        self
    }
}

impl<E: Entity> Get<E> {
    /// Reads it; `None` if the item does not exist.
    pub fn send(self, db: &Dynamo) -> ReadingOne<E>
    where
        E: Decodable<Serde>,
    {
        let schemas = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
        let (key, asks) = (
            self.key.map(Key::into_raw),
            (self.consistent, self.unexpired),
        );
        ReadingOne::new(asked(db, schemas, key, asks), query::decode)
    }
}

/// The request, of any entity.
fn asked(
    db: &Dynamo,
    (schema, entity): (&'static TableSchema, &'static EntitySchema),
    key: Result<RawKey, KeyError>,
    (consistent, unexpired): (bool, bool),
) -> BoxFuture<'static, Result<Option<(ErrorContext, RawItem)>, Error>> {
    let asked = key.map(|key| {
        let key = ItemKey::from(key);
        Asked {
            context: ErrorContext::new(db, "get", (schema, entity), Some((&key).into())),
            schema,
            entity,
            key,
            consistent,
        }
    });
    let expiry = Expiry::new(db, schema, unexpired || entity.hides_expired);
    Box::pin(send(db.clone(), asked, expiry))
}

/// The requested item.
struct Asked {
    context: ErrorContext,
    schema: &'static TableSchema,
    entity: &'static EntitySchema,
    key: ItemKey,
    consistent: bool,
}

impl Asked {
    fn body(&self, capacity: bool) -> Vec<u8> {
        Object::body(512, |request| {
            request.text("TableName", &self.context.table);
            request.key("Key", self.schema, &self.key);
            request.flag("ConsistentRead", self.consistent);
            request.capacity(capacity);
        })
    }
}

async fn send(
    db: Dynamo,
    asked: Result<Asked, KeyError>,
    expiry: Option<Expiry>,
) -> Result<Option<(ErrorContext, RawItem)>, Error> {
    let asked = asked.map_err(|error| Error::key("get", error))?;
    db.accessed(Access::Read, || Accessed {
        table: asked.schema,
        index: None,
        entities: core::slice::from_ref(&asked.entity),
        pk: asked.key.pk(),
    });
    let span = trace::request(&asked.context, None);
    let body = asked.body(db.asks_capacity(&span));
    let call = Call::read(Operation::GetItem, &asked.context.table, body);
    let reply = trace::send(&db, &span, call).await;
    let reply = reply.map_err(|error| error.at(asked.context.clone()))?;
    let found = usize::from(reply.item.is_some());
    trace::answered(&span, found, found, reply.consumed_capacity);
    let item = reply.item;
    let item = item.filter(|item| expiry.is_none_or(|expiry| !expiry.is_over(item)));
    Ok(item.map(|item| (asked.context, item)))
}
