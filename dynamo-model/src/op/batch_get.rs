//! Reading any number of items by their keys.

use super::backoff;
use super::each::{Each, ItemResult, keep};
use super::keys::{DistinctKeys, IntoKey};
use super::paging::{Decode, Expiry};
use super::reading::ReadingTogether;
use super::selection::{Selected, Selection, decoded};
use super::trace;
use crate::db::Dynamo;
use crate::entity::Entity;
use crate::error::{Error, ErrorContext, ErrorKind, KeyError};
use crate::hot_keys::{Access, Accessed};
use crate::index::Primary;
use crate::key::Key;
use crate::request::{Explain, KeyOf};
use crate::transport::{Call, Operation};
use crate::wire::{self, Decodable, Item, ItemKey, Object, RawItem, Serde};
use core::fmt;
use core::marker::PhantomData;
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
pub struct BatchGet<E> {
    keys: Result<DistinctKeys, KeyError>,
    consistent: bool,
    concurrency: usize,
    of: PhantomData<fn() -> E>,
}

impl<E: Entity> BatchGet<E> {
    /// Reads the items with these keys.
    pub fn new<K: IntoKey<Entity = E>>(keys: impl IntoIterator<Item = K>) -> Self {
        Self {
            keys: DistinctKeys::new(keys),
            consistent: false,
            concurrency: CONCURRENCY,
            of: PhantomData,
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
        ReadingTogether::new(self.found(db), |found| found.decode(decoded::<E, Primary>))
    }

    /// Returns the found items, not decoded yet.
    fn found(self, db: &Dynamo) -> impl Future<Output = Result<FoundItems, Error>> + Send + use<E> {
        let prepared = self.prepare(db);
        async move {
            let (keys, request) = prepared?;
            request.found(keys).await
        }
    }

    /// Returns each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    /// Returns the keys that are read, each once, and the number of requests; sends nothing.
    ///
    /// ```
    /// # use dynamo_model::{BatchGet, Dynamo, DynamoEntity, DynamoTable};
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
    /// let request = BatchGet::new(["u1", "u2", "u1"].map(User::key)).explain(&db)?;
    /// assert_eq!(
    ///     request.to_string(),
    ///     "BatchGetItem App\n  \
    ///      Get App\n    key: {PK: \"USER#u1\"}\n  \
    ///      Get App\n    key: {PK: \"USER#u2\"}",
    /// );
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let (keys, request) = self.prepare(db)?;
        Ok(request.explain(keys.keys()))
    }

    fn prepare(self, db: &Dynamo) -> Result<(DistinctKeys, Request), Error> {
        let keys = self.keys.map_err(|error| Error::key(OPERATION, error))?;
        let request = Request {
            consistent: self.consistent,
            concurrency: self.concurrency,
            ..Request::new(db, E::selected::<Primary>())
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
        let prepared = self.prepare(db);
        let reading = async {
            let (keys, request) = prepared?;
            let read = request.read_all(&keys, Failure::IsKept).await;
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
        ReadingTogether::new(self.0.found(db), |found| {
            found.decode_each(decoded::<E, Primary>)
        })
    }
}

impl<E: Entity + Decodable<Serde>> BatchRead<E> {
    fn of(keys: &DistinctKeys, context: &ErrorContext, read: Read) -> Self {
        let mut batch = Self {
            items: Vec::with_capacity(keys.keys().len()),
            unread: Vec::new(),
            errors: read.errors,
        };
        for (at, item) in keys.answers(read.found) {
            if read.unread.contains(&at) {
                continue;
            }
            let key = keys.keys()[at].clone().into_key();
            match item.map_or(Ok(None), |item| decoded::<E, Primary>(context, item)) {
                Ok(item) => batch.items.push((key, item)),
                Err(error) => batch.errors.push(error),
            }
        }
        let unread = read.unread.iter();
        let unread = unread.map(|&at| keys.keys()[at].clone().into_key());
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

/// Reads items by their keys, of any selection.
pub(super) async fn found(
    db: Dynamo,
    selected: &'static Selected,
    keys: Vec<ItemKey>,
) -> Result<FoundItems, Error> {
    let keys = DistinctKeys::of(selected.table, keys);
    Request::new(&db, selected).found(keys).await
}

/// Returns the read of keys that are not known yet.
pub(super) fn explain_unknown(db: &Dynamo, selected: &'static Selected) -> Explain {
    Explain {
        nothing: false,
        ..Request::new(db, selected).explain(&[])
    }
}

/// The result of a batch: an optional item for each key.
pub(super) struct FoundItems {
    keys: DistinctKeys,
    context: ErrorContext,
    items: Vec<Option<RawItem>>,
}

impl FoundItems {
    /// Returns the item of each place.
    pub(super) fn decode<T>(self, decode: Decode<T>) -> Result<Vec<Option<T>>, Error> {
        let decode = |item| decode(&self.context, item);
        self.keys.hand_out(self.items, decode)
    }

    /// The same, each as a result.
    pub(super) fn decode_each<T>(
        self,
        decode: Decode<T>,
    ) -> Result<Vec<Option<ItemResult<T>>>, Error> {
        self.keys.hand_out(self.items, |item| {
            Ok(keep(item, |item| decode(&self.context, item)))
        })
    }
}

/// The common settings of all requests.
#[derive(Clone)]
struct Request {
    db: Dynamo,
    context: ErrorContext,
    selected: &'static Selected,
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

/// The result of one chunk of keys.
struct Chunk {
    items: Vec<RawItem>,
    /// Keys that DynamoDB did not get to.
    unread: Vec<Item>,
    /// Why it did not, if a request failed.
    error: Option<Error>,
}

impl Request {
    fn new(db: &Dynamo, selected: &'static Selected) -> Self {
        Self {
            context: selected.context(db, OPERATION, None),
            db: db.clone(),
            selected,
            consistent: false,
            concurrency: CONCURRENCY,
        }
    }

    fn explain(&self, keys: &[ItemKey]) -> Explain {
        let (schema, hides) = (self.selected.table, self.selected.hides_key());
        let table = &self.context.table;
        let get = |key| Explain::of_key("Get", table, KeyOf { schema, key }, hides);
        Explain {
            table: table.to_string(),
            consistent: self.consistent,
            nothing: keys.is_empty(),
            requests: (keys.len() > MAX_KEYS).then(|| keys.len().div_ceil(MAX_KEYS)),
            ..Explain::together("BatchGetItem", keys.iter().map(get).collect())
        }
    }

    async fn found(self, keys: DistinctKeys) -> Result<FoundItems, Error> {
        let mut read = self.read_all(&keys, Failure::Stops).await;
        match read.errors.pop() {
            Some(error) => Err(error),
            None => Ok(FoundItems {
                keys,
                context: self.context,
                items: read.found,
            }),
        }
    }

    /// Reads all of them, and leaves out expired items of entities that declare `hide_expired`.
    async fn read_all(&self, keys: &DistinctKeys, failure: Failure) -> Read {
        let mut read = self.read_chunks(keys, failure).await;
        let Selected {
            table, entities, ..
        } = *self.selected;
        if let Some(expiry) = Expiry::of_read(&self.db, (table, entities), false) {
            for item in &mut read.found {
                item.take_if(|item| expiry.is_over(item));
            }
        }
        read
    }

    async fn read_chunks(&self, keys: &DistinctKeys, failure: Failure) -> Read {
        let mut read = Read {
            found: vec![None; keys.keys().len()],
            unread: BTreeSet::new(),
            errors: Vec::new(),
        };
        for key in keys.keys() {
            self.db.accessed(Access::Read, || Accessed {
                table: self.selected.table,
                index: None,
                entities: self.selected.entities.as_slice(),
                pk: key.pk(),
            });
        }
        let mut unprocessed = Vec::new();
        let table = self.selected.table;
        let items: Vec<Item> = keys.keys().iter().map(|key| key.to_item(table)).collect();
        let chunks: Vec<Vec<Item>> = items.chunks(MAX_KEYS).map(<[Item]>::to_vec).collect();
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
            let error = self.unprocessed(&unprocessed);
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
    fn unprocessed(&self, unread: &[Item]) -> Error {
        let kind = ErrorKind::Unprocessed { keys: unread.len() };
        let entities = self.selected.entities.as_slice();
        let keys = unread
            .iter()
            .map(|key| wire::shown_key(self.selected.table, entities, key))
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
