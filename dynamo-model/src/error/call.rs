//! The error of a call: its kind, its context, and its text.

use super::{ContextKey, ErrorContext, KeyError, Outcome, ThrottlingReason};
use crate::entity::Entity;
use crate::expr::NumberRange;
use crate::op::Unwritten;
use crate::schema::ConstantValue;
use crate::wire::{self, Item, Readable};
use core::fmt;
use serde::de::DeserializeOwned;
use std::error::Error as StdError;

pub(crate) type Source = Box<dyn StdError + Send + Sync + 'static>;

/// Reports why a call failed: the operation, the item, and the fix.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// let db = Dynamo::embedded()?; // and no table yet
/// let error = User::get("u1").send(&db).await.unwrap_err();
/// assert!(error.is_missing_table());
/// assert_eq!(
///     error.to_string(),
///     "get User USER#u1: table `App` does not exist; create it, or check its name and region",
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

struct Inner {
    context: ErrorContext,
    kind: ErrorKind,
    source: Option<Source>,
    found: Found,
    /// The outcome of the write.
    outcome: Outcome,
    /// The code and message of DynamoDB.
    service_message: Option<ServiceMessage>,
}

/// The code of a refusal by DynamoDB, and its message if it has one.
#[derive(Debug)]
pub(crate) struct ServiceMessage {
    code: String,
    message: Option<String>,
}

impl ServiceMessage {
    pub(crate) fn new(code: &str, message: Option<&str>) -> Self {
        let message = message.filter(|message| !message.is_empty());
        Self {
            code: code.to_owned(),
            message: message.map(str::to_owned),
        }
    }
}

impl ServiceMessage {
    pub(crate) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl fmt::Display for ServiceMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => write!(f, "{}: {message}", self.code),
            None => f.write_str(&self.code),
        }
    }
}

/// Shows the causes by their texts only: the SDK's own errors contain whole responses, and with
/// them items.
impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut causes = Vec::new();
        let mut next = self.source.as_deref().map(|it| it as &dyn StdError);
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        f.debug_struct("Inner")
            .field("context", &self.context)
            .field("kind", &self.kind)
            .field("causes", &causes)
            .field("found", &self.found)
            .field("outcome", &self.outcome)
            .finish()
    }
}

/// Details that callers can request.
#[derive(Default)]
struct Found {
    /// The item on which a condition failed.
    item: Option<Item>,
    /// The other entity that the item belongs to.
    holder: Option<&'static str>,
    /// Which operation of a transaction failed, counted from 0.
    position: Option<usize>,
    /// Of a transaction, the errors of its other operations.
    cancellations: Vec<Error>,
    /// The writes of a batch that remained unwritten.
    unwritten: Vec<Unwritten>,
    /// The cursor with which a failed read continues.
    cursor: Option<String>,
    /// Why DynamoDB throttled the request.
    throttling: Vec<ThrottlingReason>,
}

/// Hides the item, which may be sensitive.
impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("item", &self.item.is_some())
            .field("holder", &self.holder)
            .field("position", &self.position)
            .field("cancellations", &self.cancellations)
            .field("unwritten", &self.unwritten)
            .field("cursor", &self.cursor.is_some())
            .field("throttling", &self.throttling)
            .finish()
    }
}

/// The kind of a failure; see [`Error::kind`].
///
/// ```
/// use dynamo_model::ErrorKind;
///
/// assert!(matches!(ErrorKind::Throttled, ErrorKind::Throttled));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A key could not be built; no request was sent.
    Key(KeyError),
    /// A value could not be written as an attribute; no request was sent.
    Encode {
        /// The attribute.
        attribute: String,
    },
    /// An item could not be read into its type.
    Decode {
        /// Where, as in `options[2].price`.
        path: String,
    },
    /// The item is of another entity.
    OtherEntity {
        /// The entity type of the item; `None` if it has none.
        found: Option<String>,
        /// The expected entity type.
        expected: &'static str,
    },
    /// The item is stored at another key than its fields build, so that a write would go to another
    /// item.
    KeyMismatch {
        /// The key attribute.
        attribute: &'static str,
        /// How the entity builds it.
        template: &'static str,
        /// The stored key; `None` where a field in it is sensitive.
        stored: Option<String>,
        /// The key that the item's fields build; `None` where they build none, or where one of them
        /// is sensitive.
        built: Option<String>,
        /// The placeholder that would build the stored key, as in `<number>` for `<number:04>`.
        placeholder: Option<String>,
    },
    /// The table does not exist.
    MissingTable,
    /// DynamoDB took no more requests, after all retries.
    Throttled,
    /// DynamoDB refused the credentials: they are wrong, expired, or not allowed to do this.
    AccessDenied,
    /// No answer came: no connection, or too late.
    Network,
    /// The client cannot send a request: it lacks credentials, a region or an HTTP client, or has
    /// an interceptor that would not see keys and items; no request was sent.
    Configuration {
        /// The missing part, and the fix.
        reason: String,
    },
    /// DynamoDB refused the signature because of its time: the clock of this machine is wrong.
    Clock,
    /// DynamoDB refused the request, with this code.
    Service {
        /// As DynamoDB calls it.
        code: String,
    },
    /// The response is not DynamoDB's: a page of a proxy, a redirect, a body that breaks off or is
    /// compressed.
    UnreadableResponse {
        /// The HTTP status.
        status: u16,
        /// The defect, as in `is a page of HTML`.
        reason: String,
    },
    /// `one` found none, or more than one.
    NotOne {
        /// How many there were, 2 meaning "more than one".
        found: usize,
    },
    /// `limit(0)`, which could not be distinguished from the end; no request was sent.
    ZeroLimit,
    /// A read has spent its budget (`max_requests`, `max_items_read`) before it was complete.
    BudgetSpent {
        /// How many requests were sent.
        requests: u32,
        /// The number of items read, filtered items included.
        items_read: usize,
    },
    /// The budget of a read allows less than one round of requests, so the read could never make
    /// progress; no request was sent.
    SmallBudget {
        /// The number of requests, and items, that one round needs: one for each partition that is
        /// read at once.
        needed: usize,
    },
    /// A read hides expired items, and its index does not project the TTL attribute; no request was
    /// sent.
    ExpiryNotProjected {
        /// The index.
        index: &'static str,
        /// The TTL attribute.
        attribute: &'static str,
    },
    /// A vector search that DynamoDB would refuse; no request was sent.
    VectorSearch {
        /// What is wrong, and the fix.
        reason: String,
    },
    /// A cursor that was altered, or belongs to another query.
    Cursor {
        /// The defect of the cursor.
        reason: &'static str,
    },
    /// `create` found an item with this key.
    AlreadyExists,
    /// The item that was to be changed is not there.
    NotFound,
    /// The stored item differs from the state that this write expects: it was changed since it was
    /// read, or a given sibling is wrong.
    Conflict {
        /// The attribute that differs: the version, or a sibling in an index key.
        attribute: String,
    },
    /// The stored item has another value for a constant of the entity than the entity declares;
    /// nothing was changed.
    OtherConstant {
        /// The attribute.
        attribute: &'static str,
        /// The value that the entity declares.
        declared: ConstantValue,
    },
    /// The stored item has another value for an immutable field of the entity; nothing was changed.
    Immutable {
        /// The attribute.
        attribute: String,
        /// The stored value; `None` where it is absent or sensitive.
        stored: Option<Box<str>>,
        /// The value that was to be stored; `None` where it is absent or sensitive.
        given: Option<Box<str>>,
    },
    /// The condition of the write is not met.
    ConditionFailed,
    /// The result of an `add` or `subtract` does not fit the type of its field; nothing was
    /// changed.
    OutOfRange {
        /// The attribute, or the path within it.
        attribute: String,
        /// The range of the field.
        range: NumberRange,
        /// The stored number; `None` if it is absent or sensitive.
        stored: Option<Box<str>>,
    },
    /// An `add` or `subtract` found a value that is not a number; nothing was changed.
    NotANumber {
        /// The attribute, or the path within it.
        attribute: String,
    },
    /// Another item has the value of a `#[unique]` constraint.
    NotUnique {
        /// The constraint, as declared.
        constraint: &'static str,
    },
    /// Another transaction was at work on the item, during all attempts.
    InProgress,
    /// A write in another region was at work on the item, during all attempts: a global table with
    /// multi-region strong consistency refuses one of two writes at the same time. Nothing was
    /// changed.
    RegionConflict,
    /// A transaction on a table with multi-region strong consistency, which DynamoDB does not take;
    /// nothing was sent.
    NoTransactions,
    /// An item over 400 KB, or a transaction over 4 MB; no request was sent.
    TooLarge {
        /// How large it is.
        bytes: usize,
        /// The limit in bytes.
        max: usize,
    },
    /// The same item twice in one transaction or batch; no request was sent.
    SameItem {
        /// The other operation.
        other: &'static str,
    },
    /// An update without a change; no request was sent.
    NoChange,
    /// An update that changes an attribute twice; no request was sent.
    ChangedTwice {
        /// The attribute, or the path within it.
        attribute: String,
    },
    /// An upsert that would create an item without these fields; no request was sent.
    Incomplete {
        /// The fields.
        attributes: Vec<String>,
    },
    /// An optional attribute holds NULL, which another program wrote, and the update can only start
    /// from an absent attribute; nothing was changed.
    StoredNull {
        /// The attribute, or the path within it.
        attribute: String,
    },
    /// A set is stored under an old name of its field, `#[serde(alias = "…")]`, and the update adds
    /// or removes elements; nothing was changed.
    OldName {
        /// The attribute, or the path within it.
        attribute: String,
        /// Where the set is stored.
        old_name: String,
    },
    /// An update of a path whose map or list the item does not have; nothing was changed.
    AbsentParent {
        /// The path that the update changes; several paths, if several could be the cause.
        attribute: String,
    },
    /// Items of a batch that remained unwritten after all retries.
    Unwritten {
        /// The number of items.
        items: usize,
    },
    /// A deployed table is not as declared.
    Mismatch,
    /// A backup or restore that cannot work as requested. No request was sent, or nothing was
    /// created.
    Backup {
        /// The reason, and the fix.
        reason: String,
    },
    /// A plan cannot be applied. Nothing was changed by the step that it was about to take.
    Plan {
        /// Why, and what to do.
        reason: String,
    },
    /// A table was not created, or not deleted, within five minutes; or a plan ran out of patience.
    NotReady {
        /// The status of the table: `CREATING`, `DELETING`.
        status: String,
    },
    /// More items than one transaction takes; no request was sent.
    TooMany {
        /// How many were given.
        keys: usize,
        /// How many it takes.
        max: usize,
    },
    /// Keys that remained unread after all retries.
    Unprocessed {
        /// The number of keys.
        keys: usize,
    },
    /// A stream record does not contain the requested image.
    NoImage {
        /// `new` or `old`.
        image: &'static str,
        /// The view type of the stream, as DynamoDB names it.
        view: Option<&'static str>,
    },
    /// A stream's record is of another table than the entity that it is read as.
    OtherTable {
        /// The table that the entity is declared in.
        declared: &'static str,
    },
    /// The table has no stream.
    NoStream,
    /// An item that a migration cannot migrate, or a migration that cannot be run.
    Migration {
        /// The reason, and the fix.
        reason: String,
    },
    /// Another run of the same migration has taken over, or has finished it.
    TakenOver,
    /// The embedded engine could not be started, or failed: its disk is full, or its file is
    /// damaged.
    Engine,
}

impl Error {
    #[cold]
    pub(crate) fn new(context: ErrorContext, kind: ErrorKind, source: Option<Source>) -> Self {
        Self(Box::new(Inner {
            context: context.in_words(),
            kind,
            source,
            found: Found::default(),
            outcome: Outcome::NotDone,
            service_message: None,
        }))
    }

    #[cold]
    pub(crate) fn key(operation: &'static str, error: KeyError) -> Self {
        let context = ErrorContext {
            operation,
            entity: error.entity(),
            ..ErrorContext::default()
        };
        Self::new(
            context,
            ErrorKind::Key(error.clone()),
            Some(Box::new(error)),
        )
    }

    #[cold]
    #[cfg(feature = "embedded")]
    pub(crate) fn engine(reason: String) -> Self {
        let context = ErrorContext {
            operation: "start",
            entity: "the embedded engine",
            ..ErrorContext::default()
        };
        Self::new(context, ErrorKind::Engine, Some(reason.into()))
    }

    /// Adds the outcome of another attempt.
    #[cold]
    pub(crate) fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.0.outcome = self.0.outcome.and(outcome);
        self
    }

    /// Marks the write as done: only its result could not be returned.
    #[cold]
    pub(crate) fn done(self) -> Self {
        self.with_outcome(Outcome::Done)
    }

    /// Replaces the kind by a more precise one.
    #[cold]
    pub(crate) fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    #[cold]
    pub(crate) fn with_service_message(mut self, service_message: Option<ServiceMessage>) -> Self {
        self.0.service_message = service_message;
        self
    }

    /// Returns the stored item on which a condition failed.
    pub(crate) fn stored_item(&self) -> Option<&Item> {
        self.0.found.item.as_ref()
    }

    /// Names the item, where that was not known.
    #[cold]
    pub(crate) fn with_key(mut self, key: Option<ContextKey>) -> Self {
        self.0.context.key = key;
        self
    }

    #[cold]
    pub(crate) fn with_item(mut self, item: Option<Item>) -> Self {
        self.0.found.item = item;
        self
    }

    #[cold]
    pub(crate) fn with_holder(mut self, holder: Option<&'static str>) -> Self {
        self.0.found.holder = holder;
        self
    }

    /// Names the operation of a transaction that failed.
    #[cold]
    pub(crate) fn at_position(mut self, position: usize) -> Self {
        self.0.found.position = Some(position);
        self
    }

    /// Names operations instead of writes: an operation with unique values is several writes.
    #[cold]
    pub(crate) fn with_positions(mut self, operations: &[usize]) -> Self {
        let found = &mut self.0.found;
        let position = found.position.and_then(|at| operations.get(at).copied());
        found.position = position;
        let others = core::mem::take(&mut found.cancellations).into_iter();
        found.cancellations = others.map(|it| it.with_positions(operations)).collect();
        self
    }

    pub(crate) fn with_cancellations(mut self, cancellations: Vec<Error>) -> Self {
        self.0.found.cancellations = cancellations;
        self
    }

    pub(crate) fn with_unwritten(mut self, unwritten: Vec<Unwritten>) -> Self {
        self.0.found.unwritten = unwritten;
        self
    }

    #[cold]
    pub(crate) fn with_cursor(mut self, cursor: Option<String>) -> Self {
        self.0.found.cursor = cursor;
        self
    }

    #[cold]
    pub(crate) fn with_throttling(mut self, reasons: Vec<ThrottlingReason>) -> Self {
        self.0.found.throttling = reasons;
        self
    }

    /// Returns the same error once more, without its cause.
    #[cold]
    pub(crate) fn again(&self) -> Self {
        Self::new(self.0.context.clone(), self.0.kind.clone(), None)
    }

    pub(crate) fn set_source(&mut self, source: Source) {
        self.0.source = Some(source);
    }

    /// Returns whether another transaction, or a write in another region, is changing the item, so
    /// that a retry can succeed.
    pub(crate) fn is_conflict_in_progress(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::InProgress | ErrorKind::RegionConflict
        )
    }

    /// Returns the stored item on which a condition failed. Fails if the item cannot be read as
    /// `E`.
    ///
    /// See [`Put`](crate::write::Put) for an example.
    pub fn item<E: Readable + DeserializeOwned>(&self) -> Result<Option<E>, Error> {
        let item = self.0.found.item.clone();
        item.map(|item| wire::decode(&self.0.context, item))
            .transpose()
    }

    /// Returns the entity, by the name of its type, that has the key which a write was refused: one
    /// that shares the key, as `shares_key_with` declares it. `None` where the item is of the
    /// entity that was written, or of none of the table's.
    #[must_use]
    pub fn holder(&self) -> Option<&'static str> {
        self.0.found.holder
    }

    /// Returns which operation of a transaction failed, counted from 0 in the order of `add`;
    /// `None` if no single operation failed. [`entity`](Self::entity) and
    /// [`key_text`](Self::key_text) name its item.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        self.0.found.position
    }

    /// Returns the errors of the other operations of a cancelled transaction. This error is that of
    /// the first.
    #[must_use]
    pub fn cancellations(&self) -> &[Error] {
        &self.0.found.cancellations
    }

    /// Returns the writes of a batch that remained unwritten.
    #[must_use]
    pub fn unwritten(&self) -> &[Unwritten] {
        &self.0.found.unwritten
    }

    /// Returns the writes of a batch that remained unwritten, for
    /// [`BatchWrite::again`](crate::BatchWrite::again).
    #[must_use]
    pub fn into_unwritten(self) -> Vec<Unwritten> {
        self.0.found.unwritten
    }

    /// Returns a cursor for `after`, with which a failed read continues. It never skips an item
    /// that was not returned:
    ///
    /// - the error of a stream has one: after the last returned item, and before an item that
    ///   cannot be read;
    /// - the error of `page`, `all`, `first`, `one` and `count` has one only if the read had found
    ///   no item, because the error drops the items that were found.
    ///   [`Reading::into_page`](crate::read::Reading::into_page) returns the items and the cursor;
    /// - the error of a parallel scan is of one segment:
    ///   [`SegmentStream::cursors`](crate::read::SegmentStream::cursors) has the cursors of all.
    ///
    /// There is a key in it, as in the cursor of a page.
    ///
    /// ```
    /// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind, Table};
    ///
    /// #[derive(DynamoTable)]
    /// #[table(name = "App", pk = "PK", sk = "SK")]
    /// struct App;
    ///
    /// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
    /// #[dynamo(table = App)]
    /// #[pk("USER#<user_id>")]
    /// #[sk("ORDER#<number:06>")]
    /// struct Order {
    ///     user_id: String,
    ///     number: u32,
    ///     open: bool,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// # for number in 1..=50 {
    /// #     Order { user_id: "u1".into(), number, open: number == 50 }.create().send(&db).await?;
    /// # }
    /// // Fifty orders, of which only the last one is open.
    /// let open = || Order::query("u1").filter(|it| it.open().eq(true)).max_items_read(30);
    /// let error = open().first(&db).await.unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::BudgetSpent { items_read: 30, .. }));
    ///
    /// let rest = open().after(error.cursor().expect("the read is not over"));
    /// assert_eq!(rest.first(&db).await?.map(|it| it.number), Some(50));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn cursor(&self) -> Option<&str> {
        self.0.found.cursor.as_deref()
    }

    /// Returns the outcome of the write, derived from the requests sent and the responses received:
    ///
    /// - [`Outcome::Done`]: DynamoDB did it, and only its result could not be read. Do not send it
    ///   again.
    /// - [`Outcome::NotDone`]: no request was sent, or DynamoDB refused it. Every failed read is of
    ///   this kind.
    /// - [`Outcome::Uncertain`]: it was sent, and no response says whether it was done. If that
    ///   matters, read the item before you continue.
    ///
    /// Of a batch it is about the writes in [`unwritten`](Self::unwritten); all others were done.
    ///
    /// ```
    /// use dynamo_model::{Error, ErrorKind};
    /// use dynamo_model::error::Outcome;
    ///
    /// fn advice(error: &Error) -> &'static str {
    ///     match (error.outcome(), error.kind()) {
    ///         (Outcome::Done, _) => "continue",
    ///         (Outcome::Uncertain, _) => "look first",
    ///         (_, ErrorKind::Throttled | ErrorKind::Network) => "try again",
    ///         _ => "give up",
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.0.outcome
    }

    /// Returns whether the write may have been done: the response to one of its attempts was lost,
    /// or did not tell (HTTP 500). [`outcome`](Self::outcome) also distinguishes writes that were
    /// done.
    ///
    /// A write is not sent again if a second attempt would take effect twice (adding to a number or
    /// to a list), or could not recognise the effect of the first (replacing a version, deleting on
    /// a condition, returning the old item). A [`Transaction`](crate::Transaction) is always sent
    /// again, also one of a single operation: it has a token, so DynamoDB does it once. It costs
    /// twice as much.
    #[must_use]
    pub fn is_uncertain(&self) -> bool {
        self.0.outcome == Outcome::Uncertain
    }

    /// Returns whether the item does not exist, for a write that requires one, or for `one`.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::NotFound | ErrorKind::NotOne { found: 0 }
        )
    }

    /// Returns whether `create` found an item with this key.
    #[must_use]
    pub fn is_already_exists(&self) -> bool {
        matches!(self.0.kind, ErrorKind::AlreadyExists)
    }

    /// Returns whether another item has the value of a `#[unique]` constraint.
    #[must_use]
    pub fn is_not_unique(&self) -> bool {
        matches!(self.0.kind, ErrorKind::NotUnique { .. })
    }

    /// Returns whether it is about this entity: of a transaction, about the first operation that
    /// failed.
    ///
    /// ```
    /// use dynamo_model::{Entity, Error};
    ///
    /// /// What a web handler answers.
    /// fn status<E: Entity>(error: &Error) -> u16 {
    ///     match error {
    ///         error if error.is_not_found() && error.is_of::<E>() => 404,
    ///         error if error.is_already_exists() || error.is_not_unique() => 409,
    ///         error if error.is_conflict() => 412,
    ///         error if error.is_throttled() => 503,
    ///         _ => 500,
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn is_of<E: Entity>(&self) -> bool {
        self.0.context.entity == E::SCHEMA.entity
    }

    /// Returns whether the item is not as the write expects. Read it again, and repeat the write.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Conflict { .. })
    }

    /// Returns whether a condition failed: yours, or one of the library.
    #[must_use]
    pub fn is_condition_failed(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::ConditionFailed
                | ErrorKind::AlreadyExists
                | ErrorKind::NotFound
                | ErrorKind::Conflict { .. }
                | ErrorKind::OtherConstant { .. }
                | ErrorKind::Immutable { .. }
                | ErrorKind::NotUnique { .. }
                | ErrorKind::OutOfRange { .. }
                | ErrorKind::NotANumber { .. }
        ) || self.is_other_entity() && self.0.found.item.is_some()
    }

    /// Returns whether the result of an `add` or `subtract` does not fit the type of its field.
    #[must_use]
    pub fn is_out_of_range(&self) -> bool {
        matches!(self.0.kind, ErrorKind::OutOfRange { .. })
    }

    /// Returns whether an update changes a part of a map or list that the item does not have. Set
    /// the whole map or list first.
    #[must_use]
    pub fn is_absent_parent(&self) -> bool {
        matches!(self.0.kind, ErrorKind::AbsentParent { .. })
    }

    /// Returns whether the write has another value for a `#[dynamo(immutable)]` field than the
    /// stored item.
    #[must_use]
    pub fn is_immutable(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Immutable { .. })
    }

    /// Returns the kind of the failure.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the entity that was read or written, by the name of its type.
    #[must_use]
    pub fn entity(&self) -> &'static str {
        self.0.context.entity
    }

    /// Returns the key of the item, as `USER#u1/PROFILE`, if the error is about one item.
    #[must_use]
    pub fn key_text(&self) -> Option<&str> {
        self.0.context.words()
    }

    /// Returns whether the table does not exist.
    #[must_use]
    pub fn is_missing_table(&self) -> bool {
        matches!(self.0.kind, ErrorKind::MissingTable)
    }

    /// Returns whether DynamoDB throttled the request. A later attempt can succeed.
    #[must_use]
    pub fn is_throttled(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Throttled)
    }

    /// Returns why DynamoDB throttled the request: table or index, reads or writes, and which
    /// limit. Of a batch that gave up, why its last attempt was throttled.
    ///
    /// Empty where DynamoDB gives no reason: an older engine, what a batch left over, and an
    /// operation of a cancelled transaction, whose cancellation reason has only a code and a
    /// message.
    ///
    /// ```
    /// use dynamo_model::Error;
    ///
    /// fn advice(error: &Error) -> &'static str {
    ///     match error.is_hot_partition() {
    ///         true => "spread the keys",
    ///         false if error.is_throttled() => "raise the capacity",
    ///         false => "something else",
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn throttling(&self) -> &[ThrottlingReason] {
        &self.0.found.throttling
    }

    /// Returns whether DynamoDB throttled the request because of too many accesses to one
    /// partition. More capacity does not help; other keys do. See [`throttling`](Self::throttling).
    #[must_use]
    pub fn is_hot_partition(&self) -> bool {
        self.throttling()
            .iter()
            .any(ThrottlingReason::is_hot_partition)
    }

    /// Returns whether the credentials do not allow the call.
    #[must_use]
    pub fn is_access_denied(&self) -> bool {
        matches!(self.0.kind, ErrorKind::AccessDenied)
    }

    /// Returns whether an item could not be read into its type.
    #[must_use]
    pub fn is_decode(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::Decode { .. }
                | ErrorKind::OtherEntity { .. }
                | ErrorKind::KeyMismatch { .. }
        )
    }

    /// Returns the item is stored at another key than its fields build. To return it would be
    /// wrong: its update or deletion would go to the key that the fields build.
    #[must_use]
    pub fn is_key_mismatch(&self) -> bool {
        matches!(self.0.kind, ErrorKind::KeyMismatch { .. })
    }

    /// Returns whether the item is of another entity.
    #[must_use]
    pub fn is_other_entity(&self) -> bool {
        matches!(self.0.kind, ErrorKind::OtherEntity { .. })
    }

    /// Returns whether a cursor was altered, or belongs to another query.
    #[must_use]
    pub fn is_cursor(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Cursor { .. })
    }
}

/// The fix for a response that is not DynamoDB's.
const BETWEEN: &str = "check the proxies between this client and DynamoDB";

/// The fix for an item that cannot be read.
const UNREAD: &str = "change the item, or the type that reads it";

/// A key that could not be built, before any operation used it.
impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        Self::key("key of", error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt_kind(f)?;
        match self.0.outcome {
            Outcome::NotDone => {}
            Outcome::Uncertain => f.write_str("; it may have been done")?,
            Outcome::Done => f.write_str("; it was done")?,
        }
        match self.0.shown() {
            Some(service_message) => write!(f, " ({service_message})"),
            None => Ok(()),
        }
    }
}

impl Inner {
    /// Returns DynamoDB's code and message, for kinds whose own text does not say it all.
    fn shown(&self) -> Option<&ServiceMessage> {
        let adds = matches!(
            self.kind,
            ErrorKind::Service { .. }
                | ErrorKind::Throttled
                | ErrorKind::AccessDenied
                | ErrorKind::Clock
                | ErrorKind::Engine
        );
        self.service_message.as_ref().filter(|_| adds)
    }

    fn fmt_kind(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            context,
            kind,
            source,
            ..
        } = self;
        write!(f, "{context}: ")?;
        let table = &context.table;
        match kind {
            ErrorKind::Key(_) => write!(f, "the key could not be built"),
            ErrorKind::Encode { attribute } => match source {
                Some(source) => write!(f, "{attribute}: {source}"),
                None => write!(f, "`{attribute}` could not be written as an attribute"),
            },
            ErrorKind::Decode { path } => match source {
                // Of the item as a whole.
                Some(source) if path == "." => write!(f, "{source}; {UNREAD}"),
                // The reason follows the path; its cause is in the source chain.
                Some(source) => write!(f, "{path}: {source}; {UNREAD}"),
                None => write!(f, "{path} could not be read; {UNREAD}"),
            },
            ErrorKind::OtherEntity {
                found: Some(found),
                expected,
            } if self.found.item.is_some() => match self.found.holder {
                Some(holder) => write!(
                    f,
                    "the stored item is of entity `{holder}`, not `{}`; write it as `{holder}`, or \
                     choose another key",
                    context.entity
                ),
                None => write!(
                    f,
                    "the stored item is of type `{found}`, not `{expected}`; correct its type, or \
                     choose another key"
                ),
            },
            ErrorKind::OtherEntity {
                found: Some(found),
                expected,
            } => write!(
                f,
                "the item is of type `{found}`, not `{expected}`; read the partition as a \
                 collection that has both, or give the entities other keys"
            ),
            ErrorKind::OtherEntity {
                found: None,
                expected,
            } => write!(
                f,
                "the item has no entity type, where `{expected}` is expected; store its entity \
                 type, or declare `#[dynamo(untyped)]` on the entity"
            ),
            ErrorKind::KeyMismatch { .. } => self.fmt_key_mismatch(f),
            ErrorKind::MissingTable => {
                write!(
                    f,
                    "table `{table}` does not exist; create it, or check its name and region"
                )
            }
            ErrorKind::Throttled => {
                if let Some(reason) = self.found.throttling.first() {
                    return reason.describe(f, table);
                }
                write!(
                    f,
                    "table `{table}` throttled all attempts; retry later, or raise its capacity"
                )
            }
            ErrorKind::AccessDenied => {
                write!(
                    f,
                    "the credentials do not allow it; check them, and the policy for table \
                     `{table}`"
                )
            }
            ErrorKind::Network => {
                write!(
                    f,
                    "no response arrived; check the endpoint and the connection"
                )
            }
            ErrorKind::UnreadableResponse { status: 0, reason } => {
                write!(f, "the response {reason}; {BETWEEN}")
            }
            ErrorKind::UnreadableResponse { status, reason } => {
                write!(f, "the response (HTTP {status}) {reason}; {BETWEEN}")
            }
            ErrorKind::Configuration { reason } => f.write_str(reason),
            ErrorKind::Clock => write!(
                f,
                "the signature is too old or too new for DynamoDB; set the clock of this machine"
            ),
            // DynamoDB's message follows.
            ErrorKind::Service { code } if code == "InternalServerError" => {
                write!(f, "DynamoDB failed")
            }
            ErrorKind::Service { .. } if self.service_message.is_some() => {
                write!(f, "DynamoDB refused the request")
            }
            ErrorKind::Service { code } => write!(f, "DynamoDB refused the request ({code})"),
            ErrorKind::NotOne { found: 0 } => {
                write!(f, "no item was found; use `first` if there may be none")
            }
            ErrorKind::NotOne { .. } => {
                write!(f, "more than one item was found; use `first` or `all`")
            }
            ErrorKind::ZeroLimit => write!(
                f,
                "`limit(0)` returns no item; omit the limit, or set it to at least 1"
            ),
            ErrorKind::BudgetSpent {
                requests,
                items_read,
            } => write!(
                f,
                "the budget was spent before the read was complete: requests {requests}, items \
                 read {items_read}; continue with a cursor, or raise `max_requests` or \
                 `max_items_read`"
            ),
            ErrorKind::SmallBudget { needed } => write!(
                f,
                "the budget of the read is too small to make progress; set `max_requests` and \
                 `max_items_read` to at least {needed}"
            ),
            ErrorKind::ExpiryNotProjected { index, attribute } => write!(
                f,
                "the read hides expired items, but the index `{index}` does not project \
                 `{attribute}`; add `{attribute}` to the projection of `{index}`"
            ),
            ErrorKind::VectorSearch { reason } => f.write_str(reason),
            ErrorKind::Cursor { reason } => {
                write!(f, "the cursor {reason}; start again from the first page")
            }
            ErrorKind::AlreadyExists => match self.found.holder {
                Some(holder) => write!(
                    f,
                    "an item of entity `{holder}` already has this key; choose another key"
                ),
                None => write!(
                    f,
                    "the item already exists; use `put` to replace it, or `update` to change it"
                ),
            },
            ErrorKind::NotFound => write!(
                f,
                "the item does not exist; use `create` or `upsert` to create it"
            ),
            ErrorKind::OtherConstant {
                attribute,
                declared,
            } => write!(
                f,
                "the stored `{attribute}` differs from {declared}, the constant of the entity; it \
                 belongs to another program or release: delete the item first, or write it as the \
                 entity that declares its value"
            ),
            ErrorKind::Immutable {
                attribute,
                stored,
                given,
            } => {
                let values = match (stored, given) {
                    (Some(stored), Some(given)) => format!("{stored}, and this write has {given}"),
                    (Some(stored), None) => format!("{stored}, and this write has none"),
                    (None, Some(given)) => format!("none, and this write has {given}"),
                    (None, None) => "another value than this write".into(),
                };
                write!(
                    f,
                    "`{attribute}` is immutable, and the stored item has {values}; read the item \
                     and keep its value, or change it with a migration"
                )
            }
            ErrorKind::Conflict { attribute } => write!(
                f,
                "the stored `{attribute}` differs from the expected value; read the item again and \
                 retry"
            ),
            ErrorKind::ConditionFailed => write!(f, "the item does not meet the condition"),
            ErrorKind::OutOfRange {
                attribute,
                range,
                stored,
            } => {
                let stored = match stored {
                    Some(stored) => format!(" of {stored}"),
                    None => String::new(),
                };
                write!(
                    f,
                    "the result for `{attribute}`{stored} does not fit {range}; add or subtract \
                     less, or widen the type of the field"
                )
            }
            ErrorKind::NotANumber { attribute } => write!(
                f,
                "the stored `{attribute}` is not a number; `set` it before you add to it"
            ),
            ErrorKind::NotUnique { constraint } => write!(
                f,
                "another item has this value of the unique constraint `{constraint}`; choose \
                 another value"
            ),
            ErrorKind::InProgress => write!(
                f,
                "other transactions held the item during all attempts; retry later"
            ),
            ErrorKind::RegionConflict => write!(
                f,
                "a write in another region was at work on the item, during all attempts; try \
                 later, or write the item in one region"
            ),
            ErrorKind::NoTransactions => write!(
                f,
                "DynamoDB takes no transactions on a table with multi-region strong consistency, \
                 and unique values need them; write and read the items one by one"
            ),
            ErrorKind::TooLarge { bytes, max } => write!(
                f,
                "{bytes} bytes exceed DynamoDB's limit of {max}; shrink the item, or split it"
            ),
            ErrorKind::SameItem { other } => write!(
                f,
                "the request already has an operation on this item ({other}); combine both changes \
                 in one operation"
            ),
            ErrorKind::NoChange => write!(
                f,
                "the update changes nothing; add a change, as in `.set(…)`"
            ),
            ErrorKind::ChangedTwice { attribute } => {
                write!(f, "`{attribute}` is changed twice; keep one of the changes")
            }
            ErrorKind::Incomplete { attributes } => {
                let attributes: Vec<_> = attributes.iter().map(|it| format!("`{it}`")).collect();
                if context.operation == "update" {
                    return write!(
                        f,
                        "the change requires the current value of {}; read the item, and change it \
                         with `item.update()`",
                        attributes.join(", ")
                    );
                }
                write!(
                    f,
                    "a new item would have no {}; set it, or use `update` for an existing item",
                    attributes.join(", ")
                )
            }
            ErrorKind::StoredNull { attribute } => write!(
                f,
                "`{attribute}` is stored as NULL, and this change can only start from an absent \
                 attribute; `.set(…)` a value, or remove it first"
            ),
            ErrorKind::OldName {
                attribute,
                old_name,
            } => write!(
                f,
                "`{attribute}` is stored under its old name `{old_name}`, and elements of a set \
                 can only be added or removed under the new one; write the whole set with \
                 `.set(…)`, or the item with `merge`"
            ),
            ErrorKind::AbsentParent { attribute } => write!(
                f,
                "`{attribute}` cannot be changed, because the item lacks the map or list around \
                 it, or has another type there; set the whole map or list first, as in `.set(|it| \
                 it.settings(), Settings::default())`"
            ),
            ErrorKind::Unwritten { items } => write!(
                f,
                "{items} items remained unwritten after all retries; write those of \
                 `into_unwritten` again"
            ),
            ErrorKind::Mismatch => write!(f, "table `{table}` is not as declared"),
            ErrorKind::NotReady { status } => {
                write!(
                    f,
                    "table `{table}` is still {status} after a long wait; wait longer, or check it \
                     in the console"
                )
            }
            ErrorKind::TooMany { keys, max } => {
                write!(
                    f,
                    "{keys} items exceed DynamoDB's limit of {max} in one transaction; use a \
                     batch, or several transactions"
                )
            }
            ErrorKind::Unprocessed { keys } => {
                write!(
                    f,
                    "{keys} keys remained unread after all retries; read them again"
                )
            }
            ErrorKind::NoImage { image, view } => {
                let view = view.unwrap_or("without images");
                write!(
                    f,
                    "the record has no {image} image, because the stream of table `{table}` is \
                     {view}; declare `#[table(stream = new_and_old_images)]`, or use only the key"
                )
            }
            ErrorKind::OtherTable { declared } => write!(
                f,
                "the record is of table `{table}`, not of `{declared}`; read it as an entity of \
                 its table, or set the record's `table_name` to `None` if the table is deployed \
                 under this name"
            ),
            ErrorKind::NoStream => write!(
                f,
                "table `{table}` has no stream; declare `#[table(stream = new_and_old_images)]`, \
                 and deploy it"
            ),
            ErrorKind::Migration { reason }
            | ErrorKind::Backup { reason }
            | ErrorKind::Plan { reason } => f.write_str(reason),
            ErrorKind::TakenOver => write!(
                f,
                "another run of this migration has taken over, or has finished it; this one stops"
            ),
            ErrorKind::Engine if self.service_message.is_some() => {
                write!(f, "the embedded engine failed; check its file and its disk")
            }
            ErrorKind::Engine => match source {
                Some(source) => write!(f, "{source}"),
                None => write!(f, "it could not be opened"),
            },
        }
    }
}

impl Inner {
    fn fmt_key_mismatch(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorKind::KeyMismatch {
            attribute,
            template,
            stored,
            built,
            placeholder,
        } = &self.kind
        else {
            return Ok(());
        };
        match (stored, built, &self.source) {
            (Some(stored), Some(built), _) => write!(
                f,
                "the item is stored with `{attribute}` = `{stored}`, but its fields build `{built}`"
            ),
            (Some(stored), None, Some(source)) => write!(
                f,
                "the item is stored with `{attribute}` = `{stored}`, but its fields build no key: \
                 {source}"
            ),
            _ => write!(
                f,
                "the item is stored with another `{attribute}` than its fields, one of which is \
                 sensitive, build"
            ),
        }?;
        match placeholder {
            Some(placeholder) => write!(f, "; write `{placeholder}` in `{template}`")?,
            None => write!(f, "; correct the template `{template}`")?,
        }
        f.write_str(", or move the item to its key with a migration")
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.0.kind {
            // Shown by `Display` already: the code and message are the last in the SDK's chain.
            _ if self.0.shown().is_some() => None,
            ErrorKind::Decode { .. }
            | ErrorKind::Encode { .. }
            | ErrorKind::Engine
            | ErrorKind::KeyMismatch { .. } => self.0.source.as_deref().and_then(StdError::source),
            _ => self
                .0
                .source
                .as_deref()
                .map(|source| source as &(dyn StdError + 'static)),
        }
    }
}
