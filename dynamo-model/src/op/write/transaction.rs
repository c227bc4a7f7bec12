//! Several writes that happen together, or not at all.

use super::check::{Check, CheckRequest};
use super::delete::{Delete, DeleteRequest};
use super::item::key_error;
use super::prepared::{Action, PreparedWrite, explain_transaction};
use super::put::{Create, Merge, Put};
use super::store::{Replacement, StoreRequest};
use super::update::{Update, UpdateRequest, Upsert};
use super::{Declared, Writable, unique};
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, ErrorKind, Outcome, ServiceMessage};
use crate::op::{IntoKey, backoff, trace};
use crate::request::{Explain, TransactWriteItems};
use crate::transport::{self, Attempts, Call, CallError, CancellationReason};
use crate::wire::{self, ItemKey, RawItem, Readable, Unwritable};
use core::fmt;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// DynamoDB takes at most this many operations in one transaction.
const MAX_OPERATIONS: usize = 100;
/// And at most this many bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Several writes, of any entities in any tables, that happen together or not at all.
///
/// [`add`](Self::add) takes every write with all of its options: `put`, `create`, `merge`,
/// `update`, `upsert`, `delete`, and the checks of a key ([`Check`]). If one of them fails, none is
/// done, and the error is that one's, with its entity and key, its [position](Error::position) and,
/// for a failed condition, the stored item; [`Error::cancellations`] has those of all others. A
/// transaction that conflicts with another one is sent again, after a growing, jittered wait, at
/// most eight times.
///
/// ```
/// use dynamo_model::{
///     Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, ErrorKind, Table, Transaction,
/// };
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = App)]
/// #[pk("ACCOUNT#<id>")]
/// #[sk("ACCOUNT")]
/// struct Account {
///     id: String,
///     balance: u64,
/// }
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = App)]
/// #[pk("ACCOUNT#<from>")]
/// #[sk("TRANSFER#<number:06>")]
/// struct Transfer {
///     from: String,
///     number: u32,
///     amount: u64,
/// }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     Account(Account),
///     Transfer(Transfer),
/// }
///
/// /// Needs no handle: it only says what is to happen.
/// fn transfer(number: u32, amount: u64) -> Transaction {
///     let transfer = Transfer { from: "a".into(), number, amount };
///     Transaction::new()
///         .add(transfer.create())
///         .add(
///             Account::update("a")
///                 .subtract(|account| account.balance(), amount)
///                 .condition(|account| account.balance().ge(amount)),
///         )
///         .add(Account::update("b").add(|account| account.balance(), amount))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// Account { id: "a".into(), balance: 100 }.create().send(&db).await?;
/// Account { id: "b".into(), balance: 0 }.create().send(&db).await?;
///
/// transfer(1, 70).send(&db).await?;
///
/// let error = transfer(2, 70).send(&db).await.unwrap_err();
/// assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
/// assert_eq!(error.key_text(), Some("ACCOUNT#a/ACCOUNT"));
/// assert_eq!(error.position(), Some(1)); // the second operation
/// assert_eq!(error.item::<Account>()?.unwrap().balance, 30);
/// assert!(Transfer::get("a", 2).send(&db).await?.is_none()); // nothing happened
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
#[must_use = "nothing is written until `send`"]
pub struct Transaction {
    operations: Vec<Operation>,
    token: Option<String>,
}

/// An added write, of any entity. The handle is not known yet.
#[doc(hidden)]
pub struct Operation(pub(super) Kind);

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation").finish_non_exhaustive()
    }
}

pub(super) enum Kind {
    Store(StoreRequest),
    Update(Box<UpdateRequest>, Declared),
    Delete(DeleteRequest),
    Check(CheckRequest),
}

/// An operation of a transaction: a write of one item without a result, or a check.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be added to a transaction",
    label = "not a write or a check",
    note = "add a `put`, `create`, `merge`, `update`, `upsert` or `delete`, or the check of a key, as in `User::key(\"u1\").must_exist()`; instead of `return_old` and `return_new`, send the transaction with `send_and_return`"
)]
pub trait TransactionWrite {
    #[doc(hidden)]
    fn into_operation(self) -> Operation;
}

macro_rules! operations {
    ($([$($generics:tt)*] $write:ty => |$this:ident| $kind:expr;)*) => {$(
        impl<$($generics)*> TransactionWrite for $write {
            fn into_operation(self) -> Operation {
                let $this = self;
                Operation($kind)
            }
        }
    )*};
}

operations! {
    [E] Put<E> => |put| Kind::Store(put.request);
    [E] Create<E> => |create| Kind::Store(create.request);
    [E] Merge<E> => |merge| Kind::Store(merge.request);
    [E: Writable, K] Update<E, K> => |it| Kind::Update(Box::new(it.request), Declared::of::<E>());
    [E: Writable] Upsert<E> => |it| Kind::Update(Box::new(it.update.request), Declared::of::<E>());
    [E] Delete<E> => |delete| Kind::Delete(delete.request);
    [E: Entity] Check<E> => |check| Kind::Check(check.request);
}

/// An operation whose stored item may have to be read first.
enum Prepared {
    Ready(Vec<PreparedWrite>),
    /// The stored item must be read first, for its unique values.
    Replace(Box<Replacement>),
    Delete(Box<DeleteRequest>),
}

impl Operation {
    fn prepare(self, db: &Dynamo) -> Result<Prepared, Error> {
        Ok(match self.0 {
            Kind::Store(store) => match store.operation(db)? {
                Ok(writes) => Prepared::Ready(writes),
                Err(replacement) => Prepared::Replace(Box::new(replacement)),
            },
            Kind::Update(update, declared) => Prepared::Ready(update.writes(db, declared)?),
            Kind::Delete(delete) => match delete.known_writes(db) {
                Some(writes) => Prepared::Ready(writes?),
                None => Prepared::Delete(Box::new(delete)),
            },
            Kind::Check(check) => Prepared::Ready(vec![check.write(db)?]),
        })
    }
}

impl Prepared {
    fn is_ready(&self) -> bool {
        matches!(self, Self::Ready(_))
    }

    fn into_ready(self) -> Vec<PreparedWrite> {
        match self {
            Self::Ready(writes) => writes,
            Self::Replace(_) | Self::Delete(_) => Vec::new(),
        }
    }

    /// Returns the writes as far as they do not depend on a stored item.
    fn writes_of_new(self, db: &Dynamo) -> Result<Vec<PreparedWrite>, Error> {
        match self {
            Self::Ready(writes) => Ok(writes),
            Self::Replace(replacement) => replacement.writes_of_new(db),
            Self::Delete(delete) => Ok(vec![delete.write(db)?]),
        }
    }

    async fn writes(&self, db: &Dynamo) -> Result<Vec<PreparedWrite>, Error> {
        match self {
            Self::Ready(writes) => Ok(writes.clone()),
            Self::Replace(replacement) => replacement.replace(db).read().await,
            Self::Delete(delete) => Ok(delete.read_writes(db).await?.0),
        }
    }

    /// Returns whether the only failure is that the item changed since it was read.
    fn was_overtaken(&self, db: &Dynamo, error: &Error) -> bool {
        match self {
            Self::Ready(_) => false,
            Self::Replace(replacement) => replacement.replace(db).was_overtaken(error),
            Self::Delete(delete) => delete.was_overtaken(error),
        }
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction")
            .field("operations", &self.operations.len())
            .finish_non_exhaustive()
    }
}

impl Transaction {
    /// Returns a transaction without operations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a write with all of its options, or a check.
    // Not `std::ops::Add`: operations are added, and not transactions.
    #[allow(clippy::should_implement_trait)]
    pub fn add(mut self, write: impl TransactionWrite) -> Self {
        self.operations.push(write.into_operation());
        self
    }

    /// Adds writes or checks of one kind. More than 100 operations fail before anything is sent.
    pub fn add_all<W: TransactionWrite>(mut self, writes: impl IntoIterator<Item = W>) -> Self {
        let writes = writes.into_iter();
        self.operations.extend(writes.map(W::into_operation));
        self
    }

    /// Adds each element of an array. More than 100 do not compile.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table, Transaction};
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
    /// let users = [1, 2, 3].map(|id| User { id }.create());
    /// Transaction::new().add_each(users).send(&db).await?;
    /// assert_eq!(User::scan().count(&db).await?, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_each<W: TransactionWrite, const N: usize>(self, writes: [W; N]) -> Self
    where
        [W; N]: FixedSize,
    {
        self.add_all(writes)
    }

    /// Sets the token of this transaction: sent again within ten minutes under the same token, it
    /// is not done twice. The default is a random token, which only its own retries share.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// How many operations were added. DynamoDB also counts the items of unique values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Returns whether it has no operations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Does all operations, or none. Without operations, sends no request.
    pub async fn send(self, db: &Dynamo) -> Result<(), Error> {
        self.run(db, None).await
    }

    /// Does all operations, or none, and returns the stored items, with their versions and times;
    /// see [`WrittenItems`]. Put and created items are known; updated ones are read afterwards.
    pub async fn send_and_return(self, db: &Dynamo) -> Result<WrittenItems, Error> {
        let mut writes = Vec::new();
        self.run(db, Some(&mut writes)).await?;
        let items = WrittenItems::read(db, writes).await;
        // It was done, though it cannot be shown.
        items.map_err(Error::done)
    }

    /// Returns the request, and sends nothing. A write of unique values that must read its stored
    /// item is shown as far as it does not depend on it.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let operations = self.operations.into_iter().enumerate();
        let mut reads_first = false;
        let writes = operations.map(|(at, operation)| {
            let writes = operation.prepare(db).and_then(|prepared| {
                reads_first |= !prepared.is_ready();
                prepared.writes_of_new(db)
            });
            writes.map_err(|error| error.at_position(at))
        });
        let writes = writes.collect::<Result<Vec<_>, _>>()?;
        check_token(self.token.as_deref())?;
        explain_transaction(writes, reads_first)
    }

    /// `kept` receives the writes.
    async fn run(
        self,
        db: &Dynamo,
        mut kept: Option<&mut Vec<PreparedWrite>>,
    ) -> Result<(), Error> {
        let operations = self.operations.into_iter().enumerate();
        let prepared = operations.map(|(at, operation)| {
            let prepared = operation.prepare(db);
            prepared.map_err(|error| error.at_position(at))
        });
        let operations = prepared.collect::<Result<Vec<_>, _>>()?;
        check_token(self.token.as_deref())?;
        if operations.iter().all(Prepared::is_ready) {
            let (writes, positions) = in_order(operations.into_iter().map(Prepared::into_ready));
            if let Some(kept) = kept {
                kept.clone_from(&writes);
            }
            return send_all(db, writes, &positions, self.token).await;
        }
        let mut attempts = 1;
        loop {
            let (writes, positions, read) = read_writes(db, &operations).await?;
            if let Some(kept) = &mut kept {
                kept.clone_from(&writes);
            }
            let sent = send_all(db, writes, &positions, self.token.clone()).await;
            let Err(error) = sent else { return Ok(()) };
            // Under one name, only the same writes can be sent again.
            let again = self.token.is_none() && attempts < backoff::ATTEMPTS;
            if !(again && was_overtaken(db, &read, &error)) {
                return Err(error);
            }
            backoff::wait(attempts).await;
            attempts += 1;
        }
    }
}

/// All writes, and for each the position of its operation.
fn in_order(
    operations: impl Iterator<Item = Vec<PreparedWrite>>,
) -> (Vec<PreparedWrite>, Vec<usize>) {
    let (mut writes, mut positions) = (Vec::new(), Vec::new());
    for (at, own) in operations.enumerate() {
        positions.resize(positions.len() + own.len(), at);
        writes.extend(own);
    }
    (writes, positions)
}

/// All writes with their positions, and which of the operations had to read their item for it.
async fn read_writes<'a>(
    db: &Dynamo,
    operations: &'a [Prepared],
) -> Result<(Vec<PreparedWrite>, Vec<usize>, Vec<ReadFirst<'a>>), Error> {
    let mut writes = Vec::with_capacity(operations.len());
    let mut read = Vec::new();
    for (at, operation) in operations.iter().enumerate() {
        let own = operation.writes(db).await;
        let own = own.map_err(|error| error.at_position(at))?;
        if !operation.is_ready() {
            let context = own.first().map(|write| write.context.clone());
            read.extend(context.map(|context| (context, operation)));
        }
        writes.push(own);
    }
    let (writes, positions) = in_order(writes.into_iter());
    Ok((writes, positions, read))
}

/// Sends them, if there are any. An error names the operation by its position.
async fn send_all(
    db: &Dynamo,
    writes: Vec<PreparedWrite>,
    positions: &[usize],
    token: Option<String>,
) -> Result<(), Error> {
    let Some(first) = writes.first() else {
        return Ok(());
    };
    let whole = ErrorContext {
        operation: "transaction",
        ..first.context.whole()
    };
    let sent = send(db, &whole, writes, token).await;
    sent.map_err(|error| error.with_positions(positions))
}

type ReadFirst<'a> = (ErrorContext, &'a Prepared);

/// Returns whether the only failures are operations whose item changed between reading and writing.
fn was_overtaken(db: &Dynamo, read: &[ReadFirst<'_>], error: &Error) -> bool {
    let mut errors = std::iter::once(error).chain(error.cancellations());
    errors.all(|error| {
        read.iter().any(|(context, operation)| {
            let same = context.entity == error.entity()
                && context.key_text().as_deref() == error.key_text();
            same && operation.was_overtaken(db, error)
        })
    })
}

/// DynamoDB takes no longer name.
fn check_token(token: Option<&str>) -> Result<(), Error> {
    match token {
        Some(token) if !(1..=36).contains(&token.len()) => {
            let context = ErrorContext {
                operation: "transaction",
                entity: "token",
                ..ErrorContext::default()
            };
            let reason = format!(
                "{} bytes, where DynamoDB takes 1 to 36; give a shorter name, for example a UUID",
                token.len()
            );
            Err(Unwritable::new("token", reason).at(&context))
        }
        _ => Ok(()),
    }
}

/// The items that a transaction wrote, as they are stored; given by
/// [`Transaction::send_and_return`].
///
/// ```
/// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table, Transaction};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<id>")]
/// struct User {
///     id: u32,
///     visits: u32,
///     #[dynamo(version)]
///     version: u64,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let user = User { id: 1, visits: 0, version: 0 };
/// let written = Transaction::new().add(user.create()).send_and_return(&db).await?;
/// assert_eq!(written.get(User::key(1))?.unwrap().version, 1);
///
/// let visit = User::update(1).add(|user| user.visits(), 1_u32);
/// let written = Transaction::new().add(visit).send_and_return(&db).await?;
/// let users: Vec<User> = written.all()?;
/// assert_eq!((users[0].visits, users[0].version), (1, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct WrittenItems(Vec<WrittenItem>);

struct WrittenItem {
    context: ErrorContext,
    table: &'static str,
    key: ItemKey,
    item: RawItem,
}

/// Hides the item, which may be sensitive.
impl fmt::Debug for WrittenItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WrittenItem")
            .field(&self.context.to_string())
            .finish()
    }
}

impl WrittenItems {
    async fn read(db: &Dynamo, writes: Vec<PreparedWrite>) -> Result<Self, Error> {
        let mut items = Vec::new();
        // Those of unique constraints belong to no entity.
        for write in writes.into_iter().filter(|it| it.guard.unique.is_none()) {
            let PreparedWrite {
                context,
                schema,
                key,
                ..
            } = write;
            let item = match write.action {
                Action::Put(item) => Some(item),
                Action::Update(_) => {
                    let item = unique::current(db, &context, key.to_item(schema)).await?;
                    item.map(RawItem::from)
                }
                Action::Delete | Action::Check => None,
            };
            items.extend(item.map(|item| WrittenItem {
                context,
                table: schema.name,
                key,
                item,
            }));
        }
        Ok(Self(items))
    }

    /// The item with this key, if it was written.
    pub fn get<K: IntoKey>(&self, key: K) -> Result<Option<K::Entity>, Error>
    where
        K::Entity: Readable + DeserializeOwned,
    {
        let key = ItemKey::from(key.into_key().map_err(key_error("transaction"))?);
        let table = const { <<K::Entity as Entity>::Table as Table>::SCHEMA.name };
        let mut items = self.0.iter();
        let found = items
            .find(|it| it.table == table && it.key.pk() == key.pk() && it.key.sk() == key.sk());
        found.map(WrittenItem::decode).transpose()
    }

    /// The items of an entity, in the order of their operations.
    pub fn all<E: Readable + DeserializeOwned>(&self) -> Result<Vec<E>, Error> {
        let table = const { <E::Table as Table>::SCHEMA.name };
        let own = self.0.iter();
        let own = own.filter(|it| it.table == table && it.context.entity == E::SCHEMA.entity);
        own.map(WrittenItem::decode).collect()
    }
}

impl WrittenItem {
    fn decode<E: Readable + DeserializeOwned>(&self) -> Result<E, Error> {
        let read = wire::decode(&self.context, self.item.clone());
        read.map_err(Error::done)
    }
}

/// An array that fits a transaction: of up to 100 elements.
///
/// ```
/// fn fits<T: dynamo_model::transaction::FixedSize>() {}
/// fits::<[u8; 100]>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is too large for a transaction, which takes at most 100 operations",
    label = "more than 100",
    note = "use a batch, or several transactions"
)]
pub trait FixedSize {}

macro_rules! fixed_sizes {
    ($($size:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T> FixedSize for [T; $size] {}
    )*};
}

fixed_sizes! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
    37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70
    71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100
}

/// Sends writes together. Fails before the request if DynamoDB would refuse their size or shape.
pub(crate) async fn send(
    db: &Dynamo,
    whole: &ErrorContext,
    mut writes: Vec<PreparedWrite>,
    token: Option<String>,
) -> Result<(), Error> {
    check(whole, &writes)?;
    for write in &writes {
        write.accessed(db);
    }
    // One token for all attempts: if an answer was lost, the next attempt finds the work done.
    let mut token = token.unwrap_or_else(backoff::token);
    let mut switched = 0;
    loop {
        let (error, outcome) = match send_as(db, whole, &writes, &token).await {
            Ok(()) => return Ok(()),
            Err(failed) => failed,
        };
        if switched == backoff::ATTEMPTS || !switch(&mut writes, &error) {
            return Err(cancelled(whole, &writes, error).with_outcome(outcome));
        }
        switched += 1;
        token = next_token(&token);
    }
}

/// Switches the writes whose condition failed to their alternatives; returns whether there are any.
fn switch(writes: &mut [PreparedWrite], error: &CallError) -> bool {
    let mut switched = false;
    for (write, reason) in writes.iter_mut().zip(&error.reasons) {
        if reason.code.as_deref() == Some("ConditionalCheckFailed") {
            switched |= write.switch();
        }
    }
    switched
}

/// Other writes need another token. It is derived from the first one, so that the same transaction,
/// sent again under its token after a lost response, finds the work done here too.
fn next_token(token: &str) -> String {
    let hash = Sha256::digest(token);
    hash.iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

type Failed = (CallError, Outcome);

/// Sends just these writes, under this token.
async fn send_as(
    db: &Dynamo,
    whole: &ErrorContext,
    writes: &[PreparedWrite],
    token: &str,
) -> Result<(), Failed> {
    let mut span = trace::request(whole, None);
    let capacity = db.asks_capacity(&span);
    let mut sent = Attempts::new(true);
    let mut attempts = 1;
    loop {
        let request = TransactWriteItems {
            writes: writes.iter().map(PreparedWrite::request).collect(),
            token,
            returns_capacity: capacity,
        };
        let body = request.json();
        let operation = transport::Operation::TransactWriteItems;
        let call = Call::write(operation, &whole.table, body, &mut sent);
        let error = match trace::send(db, &span, call).await {
            Ok(reply) => {
                let consumed = reply.consumed_capacity;
                trace::answered(&span, writes.len(), writes.len(), consumed);
                return Ok(());
            }
            Err(error) => error,
        };
        if attempts == backoff::ATTEMPTS || !is_conflict(&error) {
            let outcome = match sent.outcome() {
                Outcome::Uncertain if is_refused(&error) => Outcome::NotDone,
                outcome => outcome,
            };
            return Err((error, outcome));
        }
        backoff::wait(attempts).await;
        attempts += 1;
        span = trace::request(whole, None);
    }
}

/// Fails on operations that DynamoDB accepts in no transaction.
pub(crate) fn check(whole: &ErrorContext, writes: &[PreparedWrite]) -> Result<(), Error> {
    if writes.len() > MAX_OPERATIONS {
        let kind = ErrorKind::TooMany {
            keys: writes.len(),
            max: MAX_OPERATIONS,
        };
        return Err(Error::new(whole.clone(), kind, None));
    }
    if let Some(write) = writes.iter().find(|it| it.schema.multi_region_strong) {
        return Err(Error::new(
            write.context.clone(),
            ErrorKind::NoTransactions,
            None,
        ));
    }
    let bytes = writes.iter().map(|write| write.bytes).sum();
    if bytes > MAX_BYTES {
        let kind = ErrorKind::TooLarge {
            bytes,
            max: MAX_BYTES,
        };
        return Err(Error::new(whole.clone(), kind, None));
    }
    let mut seen = HashMap::with_capacity(writes.len());
    for (at, write) in writes.iter().enumerate() {
        if let Some(other) = seen.insert(write.identity(), write.context.operation) {
            let kind = ErrorKind::SameItem { other };
            return Err(Error::new(write.context.clone(), kind, None).at_position(at));
        }
    }
    Ok(())
}

/// Returns whether the reason is temporary.
fn is_transient(code: &str) -> bool {
    matches!(
        code,
        "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded"
    )
}

/// Returns whether it was cancelled because of its content. The token shows that an earlier attempt
/// was not done.
fn is_refused(error: &CallError) -> bool {
    error.codes().any(|code| !is_transient(code))
}

/// Returns whether the reason is a concurrent transaction.
fn is_conflict(error: &CallError) -> bool {
    let mut codes = error.codes().peekable();
    match codes.peek() {
        Some(_) => codes.all(is_transient),
        None => error.kind == ErrorKind::InProgress,
    }
}

/// The error of the first operation that could not be done; it has those of all others.
#[cold]
fn cancelled(whole: &ErrorContext, writes: &[PreparedWrite], error: CallError) -> Error {
    let faults = writes.iter().zip(&error.reasons).enumerate();
    let mut faults: Vec<Error> = faults
        .filter_map(|(at, (write, reason))| Some(fault(write, reason)?.at_position(at)))
        .collect();
    if faults.is_empty() {
        return error.at(whole.clone());
    }
    let mut first = faults.remove(0);
    first.set_source(error.into_source());
    first.with_cancellations(faults)
}

fn fault(write: &PreparedWrite, reason: &CancellationReason) -> Option<Error> {
    let code = reason.code.as_deref()?;
    let message = reason.message.as_deref();
    let source = || message.unwrap_or(code).to_owned().into();
    let kind = match code {
        "ConditionalCheckFailed" => return Some(write.refused(reason.item.clone(), source())),
        "ProvisionedThroughputExceeded" | "ThrottlingError" => ErrorKind::Throttled,
        "TransactionConflict" => ErrorKind::InProgress,
        code => {
            let absent_parent = write.absent_parent(message);
            absent_parent.unwrap_or_else(|| ErrorKind::Service { code: code.into() })
        }
    };
    let error = Error::new(write.context.clone(), kind, Some(source()));
    Some(error.with_service_message(Some(ServiceMessage::new(code, message))))
}
