//! Reading up to 100 items as they were at one moment.

use super::each::{Each, ItemResult, keep};
use super::keys::{DistinctKeys, IntoKey};
use super::paging::Expiry;
use super::reading::ReadingTogether;
use super::selection::decoded;
use super::trace;
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, ErrorKind, KeyError, ServiceMessage};
use crate::hot_keys::{Access, Accessed};
use crate::index::Primary;
use crate::key::Key;
use crate::request::{Explain, KeyOf};
use crate::schema::{EntitySchema, TableSchema};
use crate::transport::{Call, CallError, Operation};
use crate::wire::{Decodable, Item, ItemKey, Object, RawItem, Serde};
use core::fmt;
use std::collections::VecDeque;

/// DynamoDB takes at most this many items in one transaction.
const MAX_ITEMS: usize = 100;
const OPERATION: &str = "transact get";

/// Reads items of any entities, all as they were at one moment: no write of another transaction is
/// seen halfway. A tuple of up to 12 keys gives a tuple of items `T`, or with [`each`](Self::each)
/// of results `R`.
///
/// ```
/// use dynamo_model::{
///     Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Table, transaction::TransactGet,
/// };
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("PROFILE")]
/// struct User {
///     user_id: String,
/// }
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     User(User),
///     Order(Order),
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// User { user_id: "u1".into() }.create().send(&db).await?;
/// let keys = (User::key("u1"), Order::key("u1", 7));
/// let (user, order) = TransactGet::new(keys).send(&db).await?;
/// assert_eq!(user.unwrap().user_id, "u1");
/// assert!(order.is_none());
/// # Ok(())
/// # }
/// ```
///
/// It is independent of the keys' types, so that a missing bound is reported once, where they are
/// given.
#[must_use = "nothing is read until `send`"]
pub struct TransactGet<T, R> {
    gets: Result<Gets, Error>,
    items: fn(&mut Answers) -> Result<T, Error>,
    results: fn(&mut Answers) -> R,
}

impl<T, R> TransactGet<T, R> {
    /// Reads the items with these keys.
    pub fn new<K: TransactKeys<Items = T, Results = R>>(keys: K) -> Self {
        let mut gets = Gets::default();
        let added = keys.add_to(&mut gets);
        Self {
            gets: added.map(|()| gets),
            items: K::items,
            results: K::results,
        }
    }
}

impl<E: Decodable<Serde>> TransactGet<Vec<Option<E>>, Vec<Option<ItemResult<E>>>> {
    /// Reads items of one entity: an item, or `None`, for each key, in the order of the keys. Fails
    /// before the request with [`ErrorKind::TooMany`] for more than 100 different keys;
    /// [`BatchGet`](crate::BatchGet) takes any number.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, ErrorKind, Table};
    /// # use dynamo_model::transaction::TransactGet;
    /// #
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// #
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User {
    /// #     user_id: u32,
    /// # }
    /// #
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// let users = TransactGet::all([1, 2, 1].map(User::key)).send(&db).await?;
    /// assert_eq!(users.len(), 3);
    ///
    /// let error = TransactGet::all((0..101).map(User::key)).send(&db).await.unwrap_err();
    /// assert_eq!(error.kind(), &ErrorKind::TooMany { keys: 101, max: 100 });
    /// # Ok(())
    /// # }
    /// ```
    pub fn all<K: IntoKey<Entity = E>>(keys: impl IntoIterator<Item = K>) -> Self {
        Self::new(keys.into_iter().collect::<Vec<K>>())
    }
}

impl<T, R> TransactGet<T, R> {
    /// Returns each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
    /// # use dynamo_model::transaction::TransactGet;
    /// #
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// #
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User {
    /// #     user_id: u32,
    /// # }
    /// #
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// for user in TransactGet::all([1, 2].map(User::key)).each().send(&db).await? {
    ///     match user.transpose() {
    ///         Ok(user) => println!("{user:?}"),
    ///         Err(error) => eprintln!("{error}"),
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn each(self) -> Each<Self> {
        Each(self)
    }
}

impl<T, R> TransactGet<T, R> {
    /// Reads them.
    pub fn send<'f>(self, db: &Dynamo) -> ReadingTogether<'f, T>
    where
        T: 'f,
    {
        let items = self.items;
        let sent = send(db.clone(), self.gets);
        ReadingTogether::new(sent, move |mut answers| items(&mut answers))
    }
}

impl<T, R> Each<TransactGet<T, R>> {
    /// Reads them. A request that fails still fails the whole read.
    pub fn send<'f>(self, db: &Dynamo) -> ReadingTogether<'f, R>
    where
        R: 'f,
    {
        let results = self.0.results;
        let sent = send(db.clone(), self.0.gets);
        ReadingTogether::new(sent, move |mut answers| Ok(results(&mut answers)))
    }
}

impl<T, R> TransactGet<T, R> {
    /// The exact request, without sending it: each key once.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
    /// # use dynamo_model::transaction::TransactGet;
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User {
    /// #     user_id: u32,
    /// # }
    /// let db = Dynamo::embedded()?;
    /// let request = TransactGet::new((User::key(1), User::key(2))).explain(&db)?;
    /// assert_eq!(
    ///     request.to_string(),
    ///     "TransactGetItems App\n  \
    ///      Get App\n    key: {PK: \"USER#1\"}\n  \
    ///      Get App\n    key: {PK: \"USER#2\"}",
    /// );
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        self.gets?.explain(db)
    }
}

async fn send(db: Dynamo, gets: Result<Gets, Error>) -> Result<Answers, Error> {
    gets?.send(db).await
}

impl<T, R> fmt::Debug for TransactGet<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransactGet").finish_non_exhaustive()
    }
}

/// Keys to read together: a `Vec` of keys of one entity, or tuples of up to 12, each a [`Key`] or
/// the result of a key builder.
///
/// ```
/// use dynamo_model::{Dynamo, Error};
/// use dynamo_model::transaction::{TransactGet, TransactKeys};
///
/// async fn read<K: TransactKeys>(db: &Dynamo, keys: K) -> Result<K::Items, Error> {
///     TransactGet::new(keys).send(db).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of primary keys",
    label = "not a tuple of up to 12 keys",
    note = "write `(User::key(…), Order::key(…))`; for many keys of one entity there is `TransactGet::all`"
)]
pub trait TransactKeys {
    /// For each key, the item or `None`.
    type Items;

    /// For each key, the item, or why it could not be read, or `None`.
    type Results;

    #[doc(hidden)]
    fn add_to(self, gets: &mut Gets) -> Result<(), Error>;

    #[doc(hidden)]
    fn items(answers: &mut Answers) -> Result<Self::Items, Error>;

    #[doc(hidden)]
    fn results(answers: &mut Answers) -> Self::Results;
}

impl<K: IntoKey<Entity: Decodable<Serde>>> TransactKeys for Vec<K> {
    type Items = Vec<Option<K::Entity>>;
    type Results = Vec<Option<ItemResult<K::Entity>>>;

    fn add_to(self, gets: &mut Gets) -> Result<(), Error> {
        let distinct = DistinctKeys::new(self);
        let distinct = distinct.map_err(|error| Error::key(OPERATION, error))?;
        for key in distinct.keys() {
            gets.push::<K::Entity>(key.clone());
        }
        distinct.places().clone_into(&mut gets.places);
        Ok(())
    }

    fn items(answers: &mut Answers) -> Result<Self::Items, Error> {
        (0..answers.asked.len()).map(|_| answers.next()).collect()
    }

    fn results(answers: &mut Answers) -> Self::Results {
        let asked = 0..answers.asked.len();
        asked.map(|_| answers.next_result()).collect()
    }
}

macro_rules! tuples {
    () => {};
    ($first:ident $($rest:ident)*) => {
        tuple!($first $($rest)*);
        tuples!($($rest)*);
    };
}

macro_rules! tuple {
    ($($key:ident)*) => {
        impl<$($key),*> TransactKeys for ($($key,)*)
        where
            $($key: IntoKey, $key::Entity: Decodable<Serde>),*
        {
            type Items = ($(Option<$key::Entity>,)*);
            type Results = ($(Option<ItemResult<$key::Entity>>,)*);

            fn add_to(self, gets: &mut Gets) -> Result<(), Error> {
                #[allow(non_snake_case)]
                let ($($key,)*) = self;
                $( gets.add($key.into_key())?; )*
                Ok(())
            }

            fn items(answers: &mut Answers) -> Result<Self::Items, Error> {
                Ok(($( answers.next::<$key::Entity>()?, )*))
            }

            fn results(answers: &mut Answers) -> Self::Results {
                ($( answers.next_result::<$key::Entity>(), )*)
            }
        }
    };
}

tuples!(A B C D E F G H I J K L);

/// The requested items, each once, also for several places.
#[derive(Debug, Default)]
pub struct Gets {
    keys: Vec<(Schemas, ItemKey)>,
    places: Vec<usize>,
}

type Schemas = (&'static TableSchema, &'static EntitySchema);

impl Gets {
    fn add<E: Entity>(&mut self, key: Result<Key<E>, KeyError>) -> Result<(), Error> {
        let key = key.map_err(|error| Error::key(OPERATION, error))?;
        let table = const { <E::Table as Table>::SCHEMA.name };
        let key = ItemKey::from(key);
        let mut keys = self.keys.iter();
        let known = keys.position(|((other, _), known)| other.name == table && *known == key);
        self.places.push(known.unwrap_or(self.keys.len()));
        if known.is_none() {
            self.push::<E>(key);
        }
        Ok(())
    }

    /// Adds a key that differs from the others. The places of all are added at once.
    fn push<E: Entity>(&mut self, key: ItemKey) {
        let schemas = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
        self.keys.push((schemas, key));
    }

    fn explain(&self, db: &Dynamo) -> Result<Explain, Error> {
        let contexts = self.contexts(db)?;
        let gets = self.keys.iter().zip(&contexts);
        let gets = gets.map(|(((schema, entity), key), context)| {
            let hides = entity.hides_key(None);
            Explain::of_key("Get", &context.table, KeyOf { schema, key }, hides)
        });
        Ok(Explain {
            nothing: self.keys.is_empty(),
            ..Explain::together("TransactGetItems", gets.collect())
        })
    }

    /// Returns the context of each key; fails if DynamoDB would refuse them.
    fn contexts(&self, db: &Dynamo) -> Result<Vec<ErrorContext>, Error> {
        let asked = self.keys.len();
        let is_strong = self
            .keys
            .iter()
            .find(|((table, _), _)| table.multi_region_strong);
        if let Some((schemas, key)) = is_strong {
            let context = ErrorContext::new(db, OPERATION, *schemas, Some(key.into()));
            return Err(Error::new(context, ErrorKind::NoTransactions, None));
        }
        let keys = self.keys.iter();
        let contexts: Vec<_> = keys
            .map(|(schemas, key)| ErrorContext::new(db, OPERATION, *schemas, Some(key.into())))
            .collect();
        match contexts.first() {
            Some(first) if asked > MAX_ITEMS => {
                let (keys, max) = (asked, MAX_ITEMS);
                let kind = ErrorKind::TooMany { keys, max };
                Err(Error::new(first.whole(), kind, None))
            }
            _ => Ok(contexts),
        }
    }

    async fn send(self, db: Dynamo) -> Result<Answers, Error> {
        let places = self.contexts(&db)?;
        let Some(first) = places.first() else {
            return Ok(Answers::default());
        };
        let asked = places.len();
        let keys = self.keys.iter().map(|((table, entity), key)| {
            db.accessed(Access::Read, || Accessed {
                table,
                index: None,
                entities: core::slice::from_ref(entity),
                pk: key.pk(),
            });
            key.to_item(table)
        });
        let keys: Vec<Item> = keys.collect();
        let span = trace::request(first, None);
        let body = body(&places, &keys, db.asks_capacity(&span));
        let call = Call::read(Operation::TransactGetItems, &first.table, body);
        let reply = trace::send(&db, &span, call).await;
        let reply = reply.map_err(|error| refused(&places, error))?;
        let mut items = reply.items;
        let read = items.iter().flatten().count();
        trace::answered(&span, read, asked, reply.consumed_capacity);
        items.resize(asked, None);
        Ok(Answers {
            db: Some(db),
            items,
            asked: self
                .places
                .into_iter()
                .map(|at| (at, places[at].clone()))
                .collect(),
        })
    }
}

/// The response.
#[derive(Debug, Default)]
pub struct Answers {
    /// `None` if no item was requested.
    db: Option<Dynamo>,
    items: Vec<Option<RawItem>>,
    /// The requested item of each remaining place.
    asked: VecDeque<(usize, ErrorContext)>,
}

impl Answers {
    fn next<E: Entity + Decodable<Serde>>(&mut self) -> Result<Option<E>, Error> {
        let found = self.next_visible::<E>();
        found.map_or(Ok(None), |(context, item)| {
            decoded::<E, Primary>(&context, item)
        })
    }

    fn next_result<E: Entity + Decodable<Serde>>(&mut self) -> Option<ItemResult<E>> {
        let (context, item) = self.next_visible::<E>()?;
        keep(item, |item| decoded::<E, Primary>(&context, item))
    }

    /// Leaves out expired items if the entity declares `hide_expired`.
    fn next_visible<E: Entity>(&mut self) -> Option<(ErrorContext, RawItem)> {
        let (schema, hides) = const { (&<E::Table as Table>::SCHEMA, E::SCHEMA.hides_expired) };
        let found = self.next_stored()?;
        let expiry = self.db.as_ref();
        let expiry = expiry.and_then(|db| Expiry::new(db, schema, hides));
        Some(found).filter(|(_, item)| expiry.is_none_or(|expiry| !expiry.is_over(item)))
    }

    fn next_stored(&mut self) -> Option<(ErrorContext, RawItem)> {
        let (at, context) = self.asked.pop_front()?;
        // Decoded again for each place, so that an entity need not be `Clone`.
        let again = self.asked.iter().any(|(other, _)| *other == at);
        let item = if again {
            self.items[at].clone()
        } else {
            self.items[at].take()
        };
        item.map(|item| (context, item))
    }
}

fn body(places: &[ErrorContext], keys: &[Item], capacity: bool) -> Vec<u8> {
    Object::body(128 + 192 * keys.len(), |request| {
        let gets = places.iter().zip(keys);
        request.objects("TransactItems", gets, |(context, key), item| {
            item.object("Get", |get| {
                get.text("TableName", &context.table);
                get.item("Key", key);
            });
        });
        request.capacity(capacity);
    })
}

/// If DynamoDB names the item at fault, the error names it with its reason.
#[cold]
fn refused(places: &[ErrorContext], error: CallError) -> Error {
    let mut faults = places
        .iter()
        .zip(&error.reasons)
        .filter_map(|(context, reason)| {
            let code = reason.code.clone()?;
            let service_message = ServiceMessage::new(&code, reason.message.as_deref());
            Some((context.clone(), code, service_message))
        });
    let Some((context, code, service_message)) = faults.next() else {
        return error.at(places.first().map(ErrorContext::whole).unwrap_or_default());
    };
    let kind = match code.as_str() {
        "ProvisionedThroughputExceeded" | "ThrottlingError" => ErrorKind::Throttled,
        _ => ErrorKind::Service { code },
    };
    drop(faults);
    Error::new(context, kind, Some(error.into_source())).with_service_message(Some(service_message))
}
