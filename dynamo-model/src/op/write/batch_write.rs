//! Writing any number of items, in no particular order.

use super::failure::Guard;
use super::item::{EntityItem, Mode, key_error};
use super::prepared::{Action, PreparedWrite};
use super::{Encodable, WithoutImmutable, WithoutUnique, WithoutVersion, Writable};
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, ErrorKind, KeyError, Outcome, ThrottlingReason};
use crate::key::{Key, RawKey};
use crate::membership::WithoutTypeCheck;
use crate::op::{IntoKey, backoff, trace};
use crate::request::{BatchWriteItem, Explain};
use crate::schema::{EntitySchema, TableSchema};
use crate::transport::{Attempts, Call, Operation};
use crate::wire::{self, Item, ItemKey, Readable};
use core::fmt;
use core::pin::Pin;
use futures_util::{StreamExt, stream};
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};

/// DynamoDB takes at most this many items in one request.
const MAX_ITEMS: usize = 25;
/// And at most 16 MB, with the text around the items; as JSON an item may be several times its
/// size.
const MAX_BYTES: usize = (16 * 1024 - 16) * 1024;
/// The JSON of a key is never longer: 2048 bytes and 1024, each escaped.
const MAX_KEY_BYTES: usize = 6 * (2048 + 1024);
const CONCURRENCY: usize = 4;
const OPERATION: &str = "batch write";

/// Stores and deletes any number of items, of any entities in any tables.
///
/// They are sent 25 a request, a few requests at a time, in no particular order and without
/// conditions: a `put` replaces a stored item. Unprocessed items are sent again after a growing,
/// jittered wait. After eight attempts without progress, or a failed request, no more requests
/// start. The error then contains all unwritten items: [`Error::into_unwritten`] returns them, and
/// [`again`](Self::again) takes them.
///
/// A repeated item is refused before any request, because it is undefined which of the two would
/// stay.
///
/// ```
/// use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, ErrorKind, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<id>")]
/// struct User {
///     id: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let users: Vec<User> = (0..60).map(|id| User { id }).collect();
/// BatchWrite::new().puts(&users).send(&db).await?;
/// BatchWrite::new().deletes((0..10).map(User::key)).put(&User { id: 99 }).send(&db).await?;
/// assert_eq!(User::scan().count(&db).await?, 51);
///
/// let twice = BatchWrite::new().put(&users[0]).delete(User::key(0)).send(&db).await;
/// let error = twice.unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::SameItem { .. }));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `send`"]
pub struct BatchWrite<'p> {
    writes: Vec<BatchItem>,
    /// The loaded items, taken one by one as they are sent.
    more: Vec<Box<dyn Iterator<Item = EntityItem> + Send + 'p>>,
    concurrency: usize,
    progress: Option<Box<dyn FnMut(Progress) + Send + 'p>>,
}

/// An item to write, of any entity. The handle is not known yet.
enum BatchItem {
    Put(EntityItem),
    Delete(
        Result<RawKey, KeyError>,
        (&'static TableSchema, &'static EntitySchema),
    ),
    /// An unwritten item of another batch.
    Again(PreparedWrite),
}

impl BatchItem {
    fn write(self, db: &Dynamo) -> Result<PreparedWrite, Error> {
        match self {
            Self::Put(item) => put(db, item, Mode::Put),
            Self::Delete(key, schemas) => delete(db, key, schemas),
            Self::Again(write) => Ok(write),
        }
    }
}

/// A request in flight. Boxed, because the compiler cannot prove that concurrent requests are
/// `Send`.
type Sending<'s> = Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 's>>;

/// The progress of a batch; see [`BatchWrite::on_progress`].
///
/// ```
/// let progress = dynamo_model::batch::Progress { written: 50, left_over: 0 };
/// assert_eq!(progress.written, 50);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Items written or deleted so far.
    pub written: usize,
    /// How often an item was left over, and sent again.
    pub left_over: usize,
}

/// An item that a batch could not write; see [`Error::into_unwritten`].
#[derive(Clone)]
pub struct Unwritten(PreparedWrite);

impl Unwritten {
    fn new(mut write: PreparedWrite) -> Self {
        write.context = write.context.in_words();
        Self(write)
    }

    /// The entity, by the name of its type.
    #[must_use]
    pub fn entity(&self) -> &'static str {
        self.0.context.entity
    }

    /// The key, as `USER#u1/PROFILE`.
    #[must_use]
    pub fn key_text(&self) -> &str {
        self.0.context.words().unwrap_or_default()
    }

    /// The item that was to be stored; `None` where one was to be deleted.
    pub fn item<E: Readable + DeserializeOwned>(&self) -> Result<Option<E>, Error> {
        match &self.0.action {
            Action::Put(item) => wire::decode(&self.0.context, item.clone()).map(Some),
            _ => Ok(None),
        }
    }
}

/// Hides the item, which may be sensitive.
impl fmt::Debug for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unwritten")
            .field(&self.0.context.to_string())
            .finish()
    }
}

impl fmt::Debug for BatchWrite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchWrite")
            .field("items", &self.writes.len())
            .finish_non_exhaustive()
    }
}

impl Default for BatchWrite<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// Which items were given already. 128 bits of each key, so that a large batch needs little memory.
#[derive(Default)]
struct Seen {
    hashes: HashSet<u128>,
    states: [RandomState; 2],
}

impl Seen {
    /// Whether it is new.
    fn insert(&mut self, write: &PreparedWrite) -> bool {
        let identity = write.identity();
        let [high, low] = [0, 1].map(|i| u128::from(self.states[i].hash_one(identity)));
        self.hashes.insert(high << 64 | low)
    }
}

impl<'p> BatchWrite<'p> {
    /// Returns a batch without items.
    pub fn new() -> Self {
        Self {
            writes: Vec::new(),
            more: Vec::new(),
            concurrency: CONCURRENCY,
            progress: None,
        }
    }

    fn add(mut self, item: BatchItem) -> Self {
        self.writes.push(item);
        self
    }

    /// Stores an item, and replaces the item that has its key. An entity with a version or an
    /// immutable field does not compile here, because a batch cannot check it.
    pub fn put<E>(self, entity: &E) -> Self
    where
        E: Writable<
                Whole: Encodable,
                Uniques: WithoutUnique<E>,
                Version: WithoutVersion<E>,
                Immutables: WithoutImmutable<E>,
                TypeCheck: WithoutTypeCheck<E>,
            >,
    {
        self.add(BatchItem::Put(EntityItem::of(entity)))
    }

    /// Stores items; see [`put`](Self::put).
    pub fn puts<'e, E>(self, entities: impl IntoIterator<Item = &'e E>) -> Self
    where
        E: Writable<
                Whole: Encodable,
                Uniques: WithoutUnique<E>,
                Version: WithoutVersion<E>,
                Immutables: WithoutImmutable<E>,
                TypeCheck: WithoutTypeCheck<E>,
            > + 'e,
    {
        entities.into_iter().fold(self, Self::put)
    }

    /// Deletes an item by its key.
    pub fn delete<K: IntoKey>(self, key: K) -> Self
    where
        K::Entity:
            Writable<Uniques: WithoutUnique<K::Entity>, TypeCheck: WithoutTypeCheck<K::Entity>>,
    {
        let schemas = const {
            (
                &<<K::Entity as Entity>::Table as Table>::SCHEMA,
                &<K::Entity as Entity>::SCHEMA,
            )
        };
        self.add(BatchItem::Delete(
            key.into_key().map(Key::into_raw),
            schemas,
        ))
    }

    /// Deletes items by their keys.
    pub fn deletes<K: IntoKey>(self, keys: impl IntoIterator<Item = K>) -> Self
    where
        K::Entity:
            Writable<Uniques: WithoutUnique<K::Entity>, TypeCheck: WithoutTypeCheck<K::Entity>>,
    {
        keys.into_iter().fold(self, Self::delete)
    }

    /// Writes the unwritten items of another batch.
    pub fn again(self, unwritten: impl IntoIterator<Item = Unwritten>) -> Self {
        let writes = unwritten.into_iter();
        writes.fold(self, |this, unwritten| {
            this.add(BatchItem::Again(unwritten.0))
        })
    }

    /// Sends at most this many requests concurrently; the default is 4.
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.concurrency = requests.max(1);
        self
    }

    /// Called each time that the items of a request are done, leftovers included.
    pub fn on_progress(mut self, progress: impl FnMut(Progress) + Send + 'p) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Adds the items of an iterator. They are taken as they are sent: memory does not grow with
    /// their number, except by 16 bytes a key. They are written after the other items of the batch.
    /// A repeated item ends the batch; the items before it have been written then.
    ///
    /// It is meant for imports: an item keeps its `created_at`, its `updated_at` and its version if
    /// they are set; unset times are now, and a version of 0 is stored as 1. It replaces any stored
    /// item and checks no version, so other programs should not write these items meanwhile.
    ///
    /// Items that the batch had not taken when it failed stay in the iterator: pass `&mut iterator`
    /// to know how far it came.
    ///
    /// ```
    /// # use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, Table};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<id>")]
    /// # struct User {
    /// #     id: u32,
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// let mut written = 0;
    /// BatchWrite::new()
    ///     .on_progress(|progress| written = progress.written)
    ///     .load((0..500).map(|id| User { id }))
    ///     .send(&db)
    ///     .await?;
    /// assert_eq!(written, 500);
    /// # Ok(())
    /// # }
    /// ```
    pub fn load<E>(mut self, entities: impl IntoIterator<Item = E, IntoIter: Send + 'p>) -> Self
    where
        E: Writable<Whole: Encodable, Uniques: WithoutUnique<E>, TypeCheck: WithoutTypeCheck<E>>,
    {
        let entities = entities.into_iter();
        let items = entities.map(|entity| EntityItem::of(&entity));
        self.more.push(Box::new(items));
        self
    }

    /// Writes all of it.
    pub fn send(self, db: &Dynamo) -> Sending<'p> {
        Box::pin(self.run(db.clone()))
    }

    /// Returns the writes that were added, and sends nothing. Loaded items are not among them,
    /// because they are taken as they are sent.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let mut seen = Seen::default();
        let writes = self.writes.into_iter();
        let writes = writes.map(|item| seen.check(item.write(db)?));
        let writes = writes.collect::<Result<Vec<_>, _>>()?;
        let explained = writes.iter().map(|write| {
            let explained = write
                .batched()
                .explain(&write.context.table, write.hidden(None));
            explained.map_err(|reason| write.unexplained(reason))
        });
        Ok(Explain {
            requests: (writes.len() > MAX_ITEMS).then(|| writes.len().div_ceil(MAX_ITEMS)),
            ..Explain::together("BatchWriteItem", explained.collect::<Result<_, _>>()?)
        })
    }

    async fn run(self, db: Dynamo) -> Result<(), Error> {
        let mut seen = Seen::default();
        let writes = self.writes.into_iter();
        let writes = writes.map(|item| seen.check(item.write(&db)?));
        let writes = writes.collect::<Result<Vec<_>, _>>()?;
        let more = self.more.into_iter().flatten();
        let more = more.map(|item| seen.check(put(&db, item, Mode::Load)?));
        send_all(&db, writes, more, self.concurrency, self.progress).await
    }
}

/// Called each time that the items of a request are done.
type Report<'p> = Option<Box<dyn FnMut(Progress) + Send + 'p>>;

/// Sends writes, and then more of them, which are made one by one.
async fn send_all(
    db: &Dynamo,
    writes: Vec<PreparedWrite>,
    more: impl Iterator<Item = Result<PreparedWrite, Error>> + Send,
    concurrency: usize,
    mut progress_report: Report<'_>,
) -> Result<(), Error> {
    let stop = AtomicBool::new(false);
    let mut chunks = Chunks {
        writes: writes.into_iter(),
        more,
        next: None,
        failed: None,
        stop: &stop,
    };
    let mut progress = Progress {
        written: 0,
        left_over: 0,
    };
    let (mut unwritten, mut failure): (Vec<PreparedWrite>, Option<Error>) = (Vec::new(), None);
    let mut uncertain = false;
    let mut throttling = Vec::new();
    {
        let mut sent = stream::iter(&mut chunks)
            .map(|chunk| write(db, chunk))
            .buffer_unordered(concurrency);
        while let Some(chunk) = sent.next().await {
            progress.written += chunk.written;
            progress.left_over += chunk.left_over;
            if let Some(report) = &mut progress_report {
                report(progress);
            }
            if chunk.failure.is_some() || !chunk.unwritten.is_empty() {
                // No more requests start; those in flight are awaited, because they may be done.
                stop.store(true, Ordering::Relaxed);
            }
            uncertain |= chunk.uncertain && !chunk.unwritten.is_empty();
            unwritten.extend(chunk.unwritten);
            failure = failure.or(chunk.failure);
            if !chunk.throttling.is_empty() {
                throttling = chunk.throttling;
            }
        }
    }
    if stop.load(Ordering::Relaxed) {
        // Items that were never sent are returned too; items that were never taken stay in the
        // iterator.
        unwritten.extend(chunks.rest());
    }
    match (failure.or(chunks.failed), unwritten.is_empty()) {
        (None, true) => Ok(()),
        (failure, _) => {
            let error = failed(failure, unwritten, throttling);
            Err(error.with_outcome(perhaps(uncertain)))
        }
    }
}

impl Seen {
    fn check(&mut self, write: PreparedWrite) -> Result<PreparedWrite, Error> {
        if self.insert(&write) {
            return Ok(write);
        }
        let kind = ErrorKind::SameItem { other: OPERATION };
        Err(Error::new(write.context, kind, None))
    }
}

fn put(db: &Dynamo, item: EntityItem, mode: Mode) -> Result<PreparedWrite, Error> {
    item.encode(db, OPERATION, mode)?
        .put(Guard::default(), None)
}

fn delete(
    db: &Dynamo,
    key: Result<RawKey, KeyError>,
    (schema, entity): (&'static TableSchema, &'static EntitySchema),
) -> Result<PreparedWrite, Error> {
    let key = ItemKey::from(key.map_err(key_error(OPERATION))?);
    let context = ErrorContext::new(db, OPERATION, (schema, entity), Some((&key).into()));
    Ok(PreparedWrite::new(
        context,
        (schema, Some(entity)),
        key,
        Action::Delete,
        0,
    ))
}

/// Writes, as many together as one request takes.
struct Chunks<'s, I> {
    writes: std::vec::IntoIter<PreparedWrite>,
    /// The items after them, made one by one.
    more: I,
    /// The item that did not fit.
    next: Option<PreparedWrite>,
    /// Why there are no more items.
    failed: Option<Error>,
    /// Whether no more are wanted.
    stop: &'s AtomicBool,
}

impl<I: Iterator<Item = Result<PreparedWrite, Error>>> Chunks<'_, I> {
    fn take(&mut self) -> Option<PreparedWrite> {
        if self.failed.is_some() {
            return None;
        }
        if let Some(write) = self.next.take().or_else(|| self.writes.next()) {
            return Some(write);
        }
        match self.more.next()? {
            Ok(write) => Some(write),
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }

    /// Returns the taken items that were not sent.
    fn rest(&mut self) -> impl Iterator<Item = PreparedWrite> + '_ {
        self.next.take().into_iter().chain(&mut self.writes)
    }
}

impl<I: Iterator<Item = Result<PreparedWrite, Error>>> Iterator for Chunks<'_, I> {
    type Item = Vec<PreparedWrite>;

    fn next(&mut self) -> Option<Vec<PreparedWrite>> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let (mut chunk, mut bytes) = (Vec::with_capacity(MAX_ITEMS), 0);
        while let Some(write) = self.take() {
            let more = match &write.action {
                Action::Put(item) => item.json_len(),
                _ => MAX_KEY_BYTES,
            };
            if !chunk.is_empty() && bytes + more > MAX_BYTES {
                self.next = Some(write);
                break;
            }
            bytes += more;
            chunk.push(write);
            if chunk.len() == MAX_ITEMS {
                break;
            }
        }
        (!chunk.is_empty()).then_some(chunk)
    }
}

/// The result of one chunk.
struct Chunk {
    written: usize,
    left_over: usize,
    unwritten: Vec<PreparedWrite>,
    failure: Option<Error>,
    /// Whether some of the unwritten items may have been written.
    uncertain: bool,
    /// Why the last attempt was throttled.
    throttling: Vec<ThrottlingReason>,
}

/// Writes one chunk, and sends unprocessed items again as long as there is progress.
async fn write(db: &Dynamo, mut writes: Vec<PreparedWrite>) -> Chunk {
    for write in &writes {
        write.accessed(db);
    }
    let mut chunk = Chunk {
        written: 0,
        left_over: 0,
        unwritten: Vec::new(),
        failure: None,
        uncertain: false,
        throttling: Vec::new(),
    };
    let mut idle = 0;
    loop {
        let before = writes.len();
        match send(db, &writes).await {
            Ok(left) => {
                writes = leftovers(writes, &left);
                chunk.throttling.clear();
            }
            Err(error) if error.is_throttled() => {
                chunk.uncertain |= error.is_uncertain();
                chunk.throttling = error.throttling().to_vec();
            }
            Err(error) => {
                chunk.uncertain |= error.is_uncertain();
                chunk.failure = Some(error);
                break;
            }
        }
        chunk.written += before - writes.len();
        chunk.left_over += writes.len();
        if writes.is_empty() {
            break;
        }
        idle = if writes.len() < before { 1 } else { idle + 1 };
        if idle == backoff::ATTEMPTS {
            break;
        }
        backoff::wait_throttled(idle, &chunk.throttling).await;
    }
    chunk.unwritten = writes;
    chunk
}

/// Returns the outcome of writes of which some may be done. A success may have unprocessed writes,
/// so it does not determine which.
fn perhaps(uncertain: bool) -> Outcome {
    match uncertain {
        true => Outcome::Uncertain,
        false => Outcome::NotDone,
    }
}

/// Sends one request; returns the unprocessed items, by table and key.
async fn send(db: &Dynamo, writes: &[PreparedWrite]) -> Result<HashSet<usize>, Error> {
    let whole = writes[0].context.whole();
    let span = trace::request(&whole, None);
    let body = request(writes, db.asks_capacity(&span)).json();
    // The same items, or none, a second time: it does no harm.
    let mut sent = Attempts::new(true);
    let call = Call::write(Operation::BatchWriteItem, &whole.table, body, &mut sent);
    let reply = trace::send(db, &span, call).await;
    let reply =
        reply.map_err(|error| error.at(whole.clone()).with_outcome(perhaps(sent.lost())))?;
    let left = reply.unwritten.iter();
    let left: Option<HashSet<_>> = left
        .map(|(table, item)| position(writes, table, item))
        .collect();
    // Unknown items are unprocessed: then all of them count. Writing them twice is harmless.
    let left = left.unwrap_or_else(|| (0..writes.len()).collect());
    let written = writes.len() - left.len();
    trace::answered(&span, written, writes.len(), reply.consumed_capacity);
    Ok(left)
}

fn request<'w>(writes: &'w [PreparedWrite], returns_capacity: bool) -> BatchWriteItem<'w> {
    let of_table = |table: &'w str| {
        let own = writes.iter().filter(|write| *write.context.table == *table);
        (table, own.map(PreparedWrite::batched).collect())
    };
    BatchWriteItem {
        tables: tables(writes).into_iter().map(of_table).collect(),
        returns_capacity,
    }
}

fn tables(writes: &[PreparedWrite]) -> Vec<&str> {
    let mut tables: Vec<&str> = Vec::new();
    for write in writes {
        if !tables.contains(&&*write.context.table) {
            tables.push(&write.context.table);
        }
    }
    tables
}

/// Which of the writes a leftover is.
fn position(writes: &[PreparedWrite], table: &str, item: &Item) -> Option<usize> {
    let schema = writes
        .iter()
        .find(|write| write.context.table == table)?
        .schema;
    let key = ItemKey::of(schema, item)?;
    let same = |write: &PreparedWrite| write.context.table == table && write.key == key;
    writes.iter().position(same)
}

fn leftovers(writes: Vec<PreparedWrite>, left: &HashSet<usize>) -> Vec<PreparedWrite> {
    let writes = writes.into_iter().enumerate();
    let left = writes.filter(|(at, _)| left.contains(at));
    left.map(|(_, write)| write).collect()
}

#[cold]
fn failed(
    failure: Option<Error>,
    unwritten: Vec<PreparedWrite>,
    throttling: Vec<ThrottlingReason>,
) -> Error {
    let error = failure.unwrap_or_else(|| {
        let context = unwritten.first().map(|write| write.context.whole());
        let items = unwritten.len();
        Error::new(
            context.unwrap_or_default(),
            ErrorKind::Unwritten { items },
            None,
        )
        .with_throttling(throttling)
    });
    error.with_unwritten(unwritten.into_iter().map(Unwritten::new).collect())
}
