//! Reading any number of items by their keys.

use super::backoff;
use super::each::{Each, ItemResult, keep};
use super::keys::{DistinctKeys, IntoKey};
use super::paging::Expiry;
use super::reading::ReadingTogether;
use super::trace;
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, ErrorKind, KeyError};
use crate::hot_keys::{Access, Accessed};
use crate::key::Key;
use crate::transport::{Call, Operation};
use crate::wire::{self, Decodable, Item, Object, RawItem, Serde};
use core::fmt;
use futures_util::{StreamExt, stream};
use std::collections::BTreeSet;

/// DynamoDB takes at most this many keys in one request.
const MAX_KEYS: usize = 100;
const CONCURRENCY: usize = 4;
const OPERATION: &str = "batch get";

/// Reads any number of items of one entity by their keys.
///
/// Any number of keys is sent, 100 a request, a few requests at a time. Unprocessed keys are
/// requested again after a growing, jittered wait; keys that are unread after eight attempts fail
/// the whole read with [`ErrorKind::Unprocessed`], and the error's source lists them;
/// [`send_partial`](Self::send_partial) returns the items that were read in spite of that.
///
/// ```
/// use dynamo_model::{BatchGet, Dynamo, DynamoEntity, DynamoTable, Table};
/// # use aws_sdk_dynamodb::types::AttributeValue;
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
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// # db.client().put_item().table_name("App")
/// #     .item("PK", AttributeValue::S("USER#u2".into()))
/// #     .item("user_id", AttributeValue::S("u2".into()))
/// #     .send().await?;
/// // Of these, only u2 is there.
/// let ids = ["u1", "u2", "u3", "u2"];
/// let users = BatchGet::new(ids.map(User::key)).consistent().send(&db).await?;
/// let found: Vec<bool> = users.iter().map(Option::is_some).collect();
/// assert_eq!(found, [false, true, false, true]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is read until `send`"]
pub struct BatchGet<E: Entity> {
    keys: Result<DistinctKeys<E>, KeyError>,
    consistent: bool,
    concurrency: usize,
}

impl<E: Entity> BatchGet<E> {
    /// Reads the items with these keys.
    pub fn new<K: IntoKey<Entity = E>>(keys: impl IntoIterator<Item = K>) -> Self {
        Self {
            keys: DistinctKeys::new(keys),
            consistent: false,
            concurrency: CONCURRENCY,
        }
    }

    /// Sees every write that was acknowledged before; costs twice as much.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Sends at most this many requests concurrently; the default is 4.
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.concurrency = requests.max(1);
        self
    }
}

impl<E: Entity> BatchGet<E> {
    /// Reads them: an item, or `None`, for each key, in the order of the keys. Fails with the first
    /// error if not all can be read.
    pub fn send<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<Option<E>>>
    where
        E: Decodable<Serde> + 'f,
    {
        ReadingTogether::new(self.found(db.clone()), Found::decode)
    }

    /// Returns the found items, not decoded yet.
    pub(super) async fn found(self, db: Dynamo) -> Result<Found<E>, Error> {
        let (keys, request) = self.prepare(db)?;
        let mut read = request.read_all(&keys, Failure::Stops).await;
        read.hide_expired::<E>(&request.db);
        match read.errors.pop() {
            Some(error) => Err(error),
            None => Ok(Found {
                keys,
                context: request.context,
                items: read.found,
            }),
        }
    }

    /// Returns each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    fn prepare(self, db: Dynamo) -> Result<(DistinctKeys<E>, Request), Error> {
        let keys = self.keys.map_err(|error| Error::key(OPERATION, error))?;
        let request = Request {
            context: ErrorContext::of::<E>(&db, OPERATION, None),
            db,
            consistent: self.consistent,
            concurrency: self.concurrency,
        };
        Ok((keys, request))
    }
}

impl<E: Entity> BatchGet<E> {
    /// Reads as many as can be read; see [`BatchRead`]. A key that could not be built still fails
    /// it, before anything is sent.
    ///
    /// ```
    /// # use dynamo_model::{BatchGet, Dynamo, DynamoEntity, DynamoTable, Table};
    /// # use aws_sdk_dynamodb::types::AttributeValue;
    /// #
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// #
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User {
    /// #     user_id: String,
    /// # }
    /// #
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// # db.client().put_item().table_name("App")
    /// #     .item("PK", AttributeValue::S("USER#u2".into()))
    /// #     .item("user_id", AttributeValue::S("u2".into()))
    /// #     .send().await?;
    /// let mut read = BatchGet::new(["u1", "u2"].map(User::key)).send_partial(&db).await?;
    /// if !read.unread.is_empty() {
    ///     // Later, perhaps:
    ///     let more = BatchGet::new(&read.unread).send_partial(&db).await?;
    ///     read.items.extend(more.items);
    /// }
    /// for (key, user) in &read.items {
    ///     println!("{key} is {}", if user.is_some() { "there" } else { "not there" });
    /// }
    /// # assert_eq!(read.items.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn send_partial<'f>(self, db: &Dynamo) -> ReadingTogether<'f, BatchRead<E>>
    where
        E: Decodable<Serde> + 'f,
    {
        let db = db.clone();
        let reading = async {
            let (keys, request) = self.prepare(db)?;
            let mut read = request.read_all(&keys, Failure::IsKept).await;
            read.hide_expired::<E>(&request.db);
            Ok((keys, request.context, read))
        };
        ReadingTogether::new(reading, |(keys, context, read)| {
            Ok(BatchRead::of(&keys, &context, read))
        })
    }
}

impl<E: Entity> Each<BatchGet<E>> {
    /// Reads them: for each key, in the order of the keys, `None` if the item does not exist, or
    /// the item, or why it could not be read. A failed request still fails the whole read.
    pub fn send<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<Option<ItemResult<E>>>>
    where
        E: Decodable<Serde> + 'f,
    {
        ReadingTogether::new(self.0.found(db.clone()), Found::decode_each)
    }
}

impl<E: Entity + Decodable<Serde>> BatchRead<E> {
    fn of(keys: &DistinctKeys<E>, context: &ErrorContext, read: Read) -> Self {
        let mut batch = Self {
            items: Vec::with_capacity(keys.keys().len()),
            unread: Vec::new(),
            errors: read.errors,
        };
        for (at, item) in keys.answers(read.found) {
            let key = &keys.keys()[at];
            if read.unread.contains(&at) {
                continue;
            }
            match item.map_or(Ok(None), |item| super::query::decode(context, item)) {
                Ok(item) => batch.items.push((key.clone(), item)),
                Err(error) => batch.errors.push(error),
            }
        }
        let unread = read.unread.iter().map(|&at| keys.keys()[at].clone());
        batch.unread.extend(unread);
        batch
    }
}

/// The result of a batch with possible errors; made by [`BatchGet::send_partial`].
///
/// Each key is in `items` or in `unread`, except where an item is there and could not be read into
/// its type: then it is in an error, which names its key.
///
/// ```
/// use dynamo_model::Entity;
/// use dynamo_model::batch::BatchRead;
///
/// fn report<E: Entity>(batch: &BatchRead<E>) -> String {
///     let (read, unread) = (batch.items.len(), batch.unread.len());
///     format!("{read} read, {unread} not: {:?}", batch.errors)
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct BatchRead<E: Entity> {
    /// The keys that were read, in the given order, each with its item, or `None` if it does not
    /// exist.
    pub items: Vec<(Key<E>, Option<E>)>,
    /// The keys that were not read, each once: DynamoDB did not get to them, or their request
    /// failed.
    pub unread: Vec<Key<E>>,
    /// The errors; empty if every key was read.
    pub errors: Vec<Error>,
}

fn wire_keys<E: Entity>(keys: &[Key<E>]) -> Vec<Item> {
    keys.iter().cloned().map(wire::key_item).collect()
}

/// The result of a batch: an optional item for each key.
pub(super) struct Found<E: Entity> {
    keys: DistinctKeys<E>,
    context: ErrorContext,
    items: Vec<Option<RawItem>>,
}

impl<E: Entity + Decodable<Serde>> Found<E> {
    pub(super) fn decode(self) -> Result<Vec<Option<E>>, Error> {
        let decode = |item| super::query::decode(&self.context, item);
        self.keys.hand_out(self.items, decode)
    }

    pub(super) fn decode_each(self) -> Result<Vec<Option<ItemResult<E>>>, Error> {
        self.keys.hand_out(self.items, |item| {
            Ok(keep(item, |item| super::query::decode(&self.context, item)))
        })
    }
}

/// The common settings of all requests.
#[derive(Debug, Clone)]
struct Request {
    db: Dynamo,
    context: ErrorContext,
    consistent: bool,
    concurrency: usize,
}

/// The effect of a failed request on the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    Stops,
    IsKept,
}

/// The result of all chunks, by the positions of the distinct keys.
struct Read {
    found: Vec<Option<RawItem>>,
    unread: BTreeSet<usize>,
    errors: Vec<Error>,
}

impl Read {
    /// Leaves out expired items if the entity declares `hide_expired`.
    fn hide_expired<E: Entity>(&mut self, db: &Dynamo) {
        let (schema, hides) = const { (&<E::Table as Table>::SCHEMA, E::SCHEMA.hides_expired) };
        let Some(expiry) = Expiry::new(db, schema, hides) else {
            return;
        };
        for item in &mut self.found {
            item.take_if(|item| expiry.is_over(item));
        }
    }
}

/// The result of one chunk of keys.
struct Chunk {
    items: Vec<RawItem>,
    /// Keys that DynamoDB did not get to.
    unread: Vec<Item>,
    /// Why it did not, if a request failed.
    error: Option<Error>,
}

impl Request {
    async fn read_all<E: Entity>(&self, keys: &DistinctKeys<E>, failure: Failure) -> Read {
        let mut read = Read {
            found: vec![None; keys.keys().len()],
            unread: BTreeSet::new(),
            errors: Vec::new(),
        };
        for key in keys.keys() {
            self.db.accessed(Access::Read, || Accessed {
                table: &<E::Table as Table>::SCHEMA,
                index: None,
                entities: &[&E::SCHEMA],
                pk: key.pk(),
            });
        }
        let mut unprocessed = Vec::new();
        let chunks = keys.keys().chunks(MAX_KEYS).map(wire_keys::<E>);
        let mut chunks = stream::iter(chunks)
            .map(|chunk| self.read(chunk))
            .buffer_unordered(self.concurrency);
        while let Some(chunk) = chunks.next().await {
            for item in chunk.items {
                if let Some(at) = keys.position(&item) {
                    read.found[at] = Some(item);
                }
            }
            let unread = chunk.unread.iter().filter_map(|key| keys.position(key));
            read.unread.extend(unread);
            match chunk.error {
                Some(error) => read.errors.push(error),
                None => unprocessed.extend(chunk.unread),
            }
            if failure == Failure::Stops && !read.errors.is_empty() {
                return read;
            }
        }
        if !unprocessed.is_empty() {
            let error = self.unprocessed::<E>(&unprocessed);
            read.errors.push(error);
        }
        read
    }

    /// Reads one chunk, asking again for what is left unread, and after a request that was
    /// throttled.
    async fn read(&self, keys: Vec<Item>) -> Chunk {
        let mut chunk = self.attempt(Vec::new(), keys).await;
        for attempts in 1..backoff::ATTEMPTS {
            let throttled = chunk.error.take_if(|error| error.is_throttled());
            if chunk.unread.is_empty() || chunk.error.is_some() {
                break;
            }
            let reasons = throttled.as_ref().map_or(&[][..], Error::throttling);
            backoff::wait_throttled(attempts, reasons).await;
            chunk = self.attempt(chunk.items, chunk.unread).await;
        }
        chunk
    }

    /// Sends one request; if it fails, its keys are unread, and earlier items are kept.
    async fn attempt(&self, mut items: Vec<RawItem>, keys: Vec<Item>) -> Chunk {
        match self.send(&keys).await {
            Ok(more) => {
                items.extend(more.items);
                Chunk { items, ..more }
            }
            Err(error) => Chunk {
                items,
                unread: keys,
                error: Some(error),
            },
        }
    }

    async fn send(&self, keys: &[Item]) -> Result<Chunk, Error> {
        let span = trace::request(&self.context, None);
        let body = self.body(keys, self.db.asks_capacity(&span));
        let call = Call::read(Operation::BatchGetItem, &self.context.table, body);
        let reply = trace::send(&self.db, &span, call).await;
        let mut reply = reply.map_err(|error| error.at(self.context.clone()))?;
        let read = reply.items.len();
        trace::answered(&span, read, read, reply.consumed_capacity);
        Ok(Chunk {
            unread: core::mem::take(&mut reply.unread),
            items: reply.into_items(),
            error: None,
        })
    }

    fn body(&self, keys: &[Item], capacity: bool) -> Vec<u8> {
        Object::body(128 + 128 * keys.len(), |request| {
            request.object("RequestItems", |tables| {
                tables.any_object(&self.context.table, |table| {
                    table.items("Keys", keys);
                    table.flag("ConsistentRead", self.consistent);
                });
            });
            request.capacity(capacity);
        })
    }

    #[cold]
    fn unprocessed<E: Entity>(&self, unread: &[Item]) -> Error {
        let kind = ErrorKind::Unprocessed { keys: unread.len() };
        let keys = unread
            .iter()
            .map(|key| wire::shown_key(&<E::Table as Table>::SCHEMA, &[&E::SCHEMA], key))
            .collect();
        let source = Box::new(UnreadKeys(keys));
        Error::new(self.context.clone(), kind, Some(source))
    }
}

/// The keys that remained, for the error's source.
#[derive(Debug)]
struct UnreadKeys(Vec<String>);

impl fmt::Display for UnreadKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unread: {}", self.0.join(", "))
    }
}

impl std::error::Error for UnreadKeys {}
