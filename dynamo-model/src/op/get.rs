//! Reading one item by its key.

use super::paging::Expiry;
use super::reading::ReadingOne;
use super::selection::{Decodes, Selected, Selection, decoded};
use super::{Expires, trace};
use crate::db::Dynamo;
use crate::entity::Items;
use crate::error::{Error, ErrorContext, KeyError};
use crate::hot_keys::{Access, Accessed};
use crate::index::Primary;
use crate::key::{Key, RawKey};
use crate::membership::AnyOf;
use crate::request::{Explain, KeyOf};
use crate::transport::{Call, Operation};
use crate::wire::{ItemKey, Object, RawItem};
use futures_core::future::BoxFuture;

/// Reads one item of the entity `S`; made by the `get` of an entity, and of a key.
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
#[must_use = "nothing is read until `send`"]
pub struct Get<S> {
    key: Result<Key<S>, KeyError>,
    consistent: bool,
    unexpired: bool,
}

/// Hides the key, which may contain a sensitive field; `explain` shows the others.
impl<S> core::fmt::Debug for Get<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Get")
            .field("consistent", &self.consistent)
            .field("unexpired", &self.unexpired)
            .finish_non_exhaustive()
    }
}

impl<S> Clone for Get<S> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            ..*self
        }
    }
}

impl<S> Get<S> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(key: Result<Key<S>, KeyError>) -> Self {
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
        S: Expires,
    {
        self.unexpired = true;
        self
    }
}

impl<T: Items> Key<AnyOf<T>> {
    /// Reads the item with this key, of whichever entity it is.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Error, Table};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("PROFILE")]
    /// # struct User {
    /// #     user_id: String,
    /// # }
    /// # #[derive(DynamoItems)]
    /// # #[items(table = App)]
    /// # enum AppItem {
    /// #     User(User),
    /// # }
    /// use dynamo_model::Items;
    ///
    /// async fn again(db: &Dynamo, item: &AppItem) -> Result<Option<AppItem>, Error> {
    ///     item.key()?.get().consistent().send(db).await
    /// }
    /// ```
    pub fn get(self) -> Get<AnyOf<T>> {
        Get::new(Ok(self))
    }
}

impl<S: Selection> Get<S> {
    /// Reads it; `None` if the item does not exist.
    pub fn send(self, db: &Dynamo) -> ReadingOne<S::Item>
    where
        S: Decodes,
    {
        let (key, options) = (
            self.key.map(Key::into_raw),
            (self.consistent, self.unexpired),
        );
        let selected = S::selected::<Primary>();
        ReadingOne::new(asked(db, selected, key, options), decoded::<S, Primary>)
    }
}

impl<S: Selection> Get<S> {
    /// The exact request, without sending it.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User {
    /// #     user_id: String,
    /// # }
    /// let db = Dynamo::embedded()?;
    /// let request = User::get("u1").consistent().explain(&db)?;
    /// assert_eq!(
    ///     request.to_string(),
    ///     "GetItem App\n  key: {PK: \"USER#u1\"}\n  strongly consistent",
    /// );
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let key = self.key.map_err(|error| Error::key(OPERATION, error))?;
        let selected = S::selected::<Primary>();
        Ok(Asked::new(db, selected, key.into_raw(), self.consistent).explain())
    }
}

/// The request, of any selection.
fn asked(
    db: &Dynamo,
    selected: &'static Selected,
    key: Result<RawKey, KeyError>,
    (consistent, unexpired): (bool, bool),
) -> BoxFuture<'static, Result<Option<(ErrorContext, RawItem)>, Error>> {
    let asked = key.map(|key| Asked::new(db, selected, key, consistent));
    let expiry = Expiry::of_read(db, (selected.table, selected.entities), unexpired);
    Box::pin(send(db.clone(), asked, expiry))
}

const OPERATION: &str = "get";

/// The requested item.
struct Asked {
    context: ErrorContext,
    selected: &'static Selected,
    key: ItemKey,
    consistent: bool,
}

impl Asked {
    fn new(db: &Dynamo, selected: &'static Selected, key: RawKey, consistent: bool) -> Self {
        let key = ItemKey::from(key);
        Self {
            context: selected.context(db, OPERATION, Some((&key).into())),
            selected,
            key,
            consistent,
        }
    }

    fn explain(&self) -> Explain {
        let key = KeyOf {
            schema: self.selected.table,
            key: &self.key,
        };
        let hides = self.selected.hides_key();
        Explain {
            consistent: self.consistent,
            ..Explain::of_key("GetItem", &self.context.table, key, hides)
        }
    }

    fn body(&self, capacity: bool) -> Vec<u8> {
        Object::body(512, |request| {
            request.text("TableName", &self.context.table);
            request.key("Key", self.selected.table, &self.key);
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
    let asked = asked.map_err(|error| Error::key(OPERATION, error))?;
    db.accessed(Access::Read, || Accessed {
        table: asked.selected.table,
        index: None,
        entities: asked.selected.entities.as_slice(),
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
