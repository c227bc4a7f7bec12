//! Several writes that happen together, or not at all.

use super::delete::Delete;
use super::failure::{Guard, Presence};
use super::item::{Encoded, Mode, encode, key_error};
use super::put::created;
use super::request::{Action, Together, Write};
use super::update::{Update, Upsert};
use super::{Encodable, Writable, body, unique};
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorKind, Outcome, Place, Said};
use crate::op::bounds::{Anywhere, HasFields};
use crate::op::{IntoKey, backoff, trace};
use crate::schema::TableSchema;
use crate::wire::{self, Attempts, ItemKey, Readable, Stored, Unwritable, call};
use crate::{Condition, IntoCondition};
use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{CancellationReason, Put, ReturnConsumedCapacity, TransactWriteItem};
use aws_smithy_types::body::SdkBody;
use core::fmt;
use core::pin::pin;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::pin::Pin;
use tracing::Instrument;

/// DynamoDB takes at most this many operations in one transaction.
const MAX_OPERATIONS: usize = 100;
/// And at most this many bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Several writes, of any entities in any tables, that happen together or not at all; made by
/// [`Dynamo::transaction`].
///
/// If one of them cannot be done, none is, and the error is that one's, with its entity and key and, where a
/// condition failed, the item that was there; [`Error::cancellations`] has those of all others. A transaction
/// that meets another one is sent again, after a growing, jittered wait, at most eight times.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, ErrorKind, Table};
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
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create(&db).await?;
/// db.create(&Account { id: "a".into(), balance: 100 }).send().await?;
/// db.create(&Account { id: "b".into(), balance: 0 }).send().await?;
///
/// let transfer = |number, amount| Transfer { from: "a".into(), number, amount };
/// let send = async |transfer: Transfer| {
///     db.transaction()
///         .create(&transfer)
///         .update(
///             Account::update("a")
///                 .subtract(|account| account.balance(), transfer.amount)
///                 .condition(|account| account.balance().ge(transfer.amount)),
///         )
///         .update(Account::update("b").add(|account| account.balance(), transfer.amount))
///         .send()
///         .await
/// };
/// send(transfer(1, 70)).await?;
///
/// let error = send(transfer(2, 70)).await.unwrap_err();
/// assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
/// assert_eq!(error.key_text(), Some("ACCOUNT#a/ACCOUNT"));
/// assert_eq!(error.item::<Account>()?.unwrap().balance, 30);
/// assert!(Transfer::get("a", 2).send(&db).await?.is_none()); // nothing happened
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `send`"]
pub struct Transaction<'t> {
    db: Dynamo,
    operations: Vec<Operation<'t>>,
    /// The first operation that could not be prepared.
    broken: Option<Error>,
    token: Option<String>,
}

enum Operation<'t> {
    Ready(Vec<Write>),
    /// The item must be read first.
    Deferred(Box<dyn Deferred + 't>),
}

type Writes<'a> = Pin<Box<dyn Future<Output = Result<Vec<Write>, Error>> + Send + 'a>>;

/// An operation on an item whose unique values are not known.
trait Deferred: Send + Sync {
    fn writes<'a>(&'a self, db: &'a Dynamo) -> Writes<'a>;

    /// Whether only what was read had changed by the time it was written.
    fn was_overtaken(&self, db: &Dynamo, error: &Error) -> bool;
}

impl<E: Writable> Deferred for Delete<E> {
    fn writes<'a>(&'a self, db: &'a Dynamo) -> Writes<'a> {
        Box::pin(async move { Ok(self.read_writes(db).await?.0) })
    }

    fn was_overtaken(&self, _: &Dynamo, error: &Error) -> bool {
        Delete::was_overtaken(self, error)
    }
}

struct Replacement {
    encoded: Encoded,
    condition: Option<Condition>,
}

impl Replacement {
    fn replace<'a>(&'a self, db: &'a Dynamo) -> unique::Replace<'a> {
        unique::Replace {
            db,
            encoded: &self.encoded,
            guard: self.encoded.guard(Presence::Any, true),
            condition: self.condition.clone(),
        }
    }
}

impl Deferred for Replacement {
    fn writes<'a>(&'a self, db: &'a Dynamo) -> Writes<'a> {
        Box::pin(async move { self.replace(db).read().await })
    }

    fn was_overtaken(&self, db: &Dynamo, error: &Error) -> bool {
        self.replace(db).was_overtaken(error)
    }
}

impl fmt::Debug for Transaction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction")
            .field("operations", &self.operations.len())
            .finish_non_exhaustive()
    }
}

impl Dynamo {
    /// Several writes that happen together, or not at all; see [`Transaction`].
    pub fn transaction<'t>(&self) -> Transaction<'t> {
        Transaction {
            db: self.clone(),
            operations: Vec::new(),
            broken: None,
            token: None,
        }
    }
}

impl<'t> Transaction<'t> {
    fn add(mut self, writes: Result<Vec<Write>, Error>) -> Self {
        match writes {
            Ok(writes) => self.operations.push(Operation::Ready(writes)),
            Err(error) => {
                self.broken.get_or_insert(error);
            }
        }
        self
    }

    /// Stores an item, over whatever has its key, and replaces it as a whole; see [`Put`](crate::Put).
    pub fn put<E: Writable<Whole: Encodable>>(self, entity: &E) -> Self {
        self.store(entity, Mode::Put, None)
    }

    /// Stores an item if the one that has its key meets a condition.
    pub fn put_if<E: Writable<Whole: Encodable> + HasFields, C: IntoCondition>(
        self,
        entity: &E,
        condition: impl FnOnce(E::Fields<Anywhere>) -> C,
    ) -> Self {
        let condition = condition(E::fields()).into_condition();
        self.store(entity, Mode::Put, Some(condition))
    }

    /// Stores all attributes that an entity declares, and leaves others as they are; see [`Merge`](crate::Merge).
    pub fn merge<E: Writable<Whole: Encodable>>(self, entity: &E) -> Self {
        self.store(entity, Mode::Merge, None)
    }

    /// Stores all attributes that an entity declares, if the stored item meets a condition.
    pub fn merge_if<E: Writable<Whole: Encodable> + HasFields, C: IntoCondition>(
        self,
        entity: &E,
        condition: impl FnOnce(E::Fields<Anywhere>) -> C,
    ) -> Self {
        let condition = condition(E::fields()).into_condition();
        self.store(entity, Mode::Merge, Some(condition))
    }

    fn store<E: Writable<Whole: Encodable>>(
        mut self,
        entity: &E,
        mode: Mode,
        condition: Option<Condition>,
    ) -> Self {
        let encoded = match encode(&self.db, mode.operation(), entity, mode) {
            Ok(encoded) => encoded,
            Err(error) => return self.add(Err(error)),
        };
        if E::SCHEMA.uniques.is_empty() {
            let write = encoded.write(encoded.guard(Presence::Any, true), condition);
            return self.add(write.map(|write| vec![write]));
        }
        let replacement = Replacement { encoded, condition };
        self.operations
            .push(Operation::Deferred(Box::new(replacement)));
        self
    }

    /// Stores an item whose key must be free; see [`Create`](crate::Create).
    pub fn create<E: Writable<Whole: Encodable>>(self, entity: &E) -> Self {
        let encoded = encode(&self.db, "create", entity, Mode::Create);
        let writes = encoded
            .and_then(|encoded| created(&self.db, &encoded, None).map(Together::into_writes));
        self.add(writes)
    }

    /// Changes an item; see [`Update`].
    pub fn update<E: Writable, K>(self, update: Update<E, K>) -> Self {
        let writes = update.writes(&self.db);
        self.add(writes)
    }

    /// Changes an item, or creates it; see [`Upsert`].
    pub fn upsert<E: Writable>(self, upsert: Upsert<E>) -> Self {
        let writes = upsert.writes(&self.db);
        self.add(writes)
    }

    /// Deletes an item: one that was read, or what the entity's `delete(…)` gives.
    pub fn delete<D: IntoDelete>(mut self, delete: D) -> Self
    where
        D::Entity: 't,
    {
        let delete = delete.into_delete();
        match delete.known_writes(&self.db) {
            Some(writes) => self.add(writes),
            None => {
                self.operations.push(Operation::Deferred(Box::new(delete)));
                self
            }
        }
    }

    /// Checks a condition on an item that is not written: all of it happens only if it is met.
    pub fn check<K: IntoKey, C>(
        self,
        key: K,
        condition: impl FnOnce(<K::Entity as HasFields>::Fields<Anywhere>) -> C,
    ) -> Self
    where
        K::Entity: HasFields,
        C: IntoCondition,
    {
        let condition = condition(<K::Entity as HasFields>::fields());
        self.check_with(key, Presence::Present, Some(condition.into_condition()))
    }

    /// Checks that an item is there.
    pub fn check_exists<K: IntoKey>(self, key: K) -> Self {
        self.check_with(key, Presence::Present, None)
    }

    /// Checks that an item is not there.
    pub fn check_absent<K: IntoKey>(self, key: K) -> Self {
        self.check_with(key, Presence::Absent, None)
    }

    fn check_with<K: IntoKey>(
        self,
        key: K,
        presence: Presence,
        condition: Option<Condition>,
    ) -> Self {
        let schema: &'static TableSchema =
            const { &<<K::Entity as Entity>::Table as Table>::SCHEMA };
        let write = key.into_key().map_err(key_error("check")).and_then(|key| {
            let key = ItemKey::from(key);
            let place = Place::of::<K::Entity>(&self.db, "check", Some((&key).into()));
            let entity = Some(const { &<K::Entity as Entity>::SCHEMA });
            let write = Write::new(place, (schema, entity), key, Action::Check, 0);
            write.guarded(Guard::presence(presence), condition)
        });
        self.add(write.map(|write| vec![write]))
    }

    /// An operation for each element of an array. More than 100 do not compile.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
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
    /// # App::create(&db).await?;
    /// let users = [1, 2, 3].map(|id| User { id });
    /// db.transaction().each(users, |transaction, user| transaction.create(&user)).send().await?;
    /// assert_eq!(User::scan().count(&db).await?, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn each<T, const N: usize>(
        self,
        elements: [T; N],
        operation: impl FnMut(Self, T) -> Self,
    ) -> Self
    where
        [T; N]: FixedSize,
    {
        elements.into_iter().fold(self, operation)
    }

    /// A name for this transaction: sent again within ten minutes under the same one, it is not done twice.
    /// Without one, it has one of its own, which only its own retries share.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// How many operations there are, those of unique constraints included as far as they are known.
    #[must_use]
    pub fn len(&self) -> usize {
        let lens = self.operations.iter().map(|operation| match operation {
            Operation::Ready(writes) => writes.len(),
            Operation::Deferred(_) => 1,
        });
        lens.sum()
    }

    /// Whether there are no operations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Does all of it, or nothing. Of no operations, nothing is sent.
    pub async fn send(self) -> Result<(), Error> {
        self.run(None).await
    }

    /// Does all of it, or nothing, and returns the items as they are stored, with their versions and times; see
    /// [`WrittenItems`]. What was put or created is known; what was updated is read afterwards.
    pub async fn send_and_return(self) -> Result<WrittenItems, Error> {
        let (db, mut writes) = (self.db.clone(), Vec::new());
        self.run(Some(&mut writes)).await?;
        let items = WrittenItems::read(&db, writes).await;
        // It was done, though it cannot be shown.
        items.map_err(Error::done)
    }

    /// `kept` gets what was sent.
    async fn run(self, mut kept: Option<&mut Vec<Write>>) -> Result<(), Error> {
        if let Some(error) = self.broken {
            return Err(error);
        }
        check_token(self.token.as_deref())?;
        let is_ready = |operation: &Operation<'_>| matches!(operation, Operation::Ready(_));
        if self.operations.iter().all(is_ready) {
            let operations = self.operations.into_iter();
            let writes: Vec<_> = operations.flat_map(Operation::into_ready).collect();
            if let Some(kept) = kept {
                kept.clone_from(&writes);
            }
            return send_all(&self.db, writes, self.token).await;
        }
        let mut attempts = 1;
        loop {
            let (writes, read) = self.writes().await?;
            if let Some(kept) = &mut kept {
                kept.clone_from(&writes);
            }
            let sent = send_all(&self.db, writes, self.token.clone()).await;
            let Err(error) = sent else { return Ok(()) };
            // Under one name, only the same writes can be sent again.
            let again = self.token.is_none() && attempts < backoff::ATTEMPTS;
            if !(again && was_overtaken(&self.db, &read, &error)) {
                return Err(error);
            }
            backoff::wait(attempts).await;
            attempts += 1;
        }
    }

    /// All writes, and which of the operations had to read their item for it.
    async fn writes(&self) -> Result<(Vec<Write>, Vec<ReadFirst<'_>>), Error> {
        let mut writes = Vec::with_capacity(self.operations.len());
        let mut read = Vec::new();
        for operation in &self.operations {
            match operation {
                Operation::Ready(ready) => writes.extend(ready.iter().cloned()),
                Operation::Deferred(deferred) => {
                    let own = deferred.writes(&self.db).await?;
                    let place = own.first().map(|write| write.place.clone());
                    read.extend(place.map(|place| (place, &**deferred)));
                    writes.extend(own);
                }
            }
        }
        Ok((writes, read))
    }
}

impl Operation<'_> {
    fn into_ready(self) -> Vec<Write> {
        match self {
            Self::Ready(writes) => writes,
            Self::Deferred(_) => Vec::new(),
        }
    }
}

/// Sends them, if there are any.
async fn send_all(db: &Dynamo, writes: Vec<Write>, token: Option<String>) -> Result<(), Error> {
    let Some(first) = writes.first() else {
        return Ok(());
    };
    let whole = Place {
        operation: "transaction",
        ..first.place.whole()
    };
    send(db, &whole, writes, token).await
}

type ReadFirst<'a> = (Place, &'a (dyn Deferred + 'a));

/// Whether nothing failed but operations whose item changed between reading and writing it.
fn was_overtaken(db: &Dynamo, read: &[ReadFirst<'_>], error: &Error) -> bool {
    let mut errors = std::iter::once(error).chain(error.cancellations());
    errors.all(|error| {
        read.iter().any(|(place, deferred)| {
            let same =
                place.entity == error.entity() && place.key_text().as_deref() == error.key_text();
            same && deferred.was_overtaken(db, error)
        })
    })
}

/// DynamoDB takes no longer name.
fn check_token(token: Option<&str>) -> Result<(), Error> {
    match token {
        Some(token) if !(1..=36).contains(&token.len()) => {
            let place = Place {
                operation: "transaction",
                entity: "token",
                ..Place::default()
            };
            let reason = format!(
                "{} bytes, where DynamoDB takes 1 to 36; give a shorter name, for example a UUID",
                token.len()
            );
            Err(Unwritable::new("token", reason).at(&place))
        }
        _ => Ok(()),
    }
}

/// The items that a transaction wrote, as they are stored; given by [`Transaction::send_and_return`].
///
/// ```
/// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
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
/// # App::create(&db).await?;
/// let user = User { id: 1, visits: 0, version: 0 };
/// let written = db.transaction().create(&user).send_and_return().await?;
/// assert_eq!(written.get(User::key(1))?.unwrap().version, 1);
///
/// let visit = User::update(1).add(|user| user.visits(), 1_u32);
/// let written = db.transaction().update(visit).send_and_return().await?;
/// let users: Vec<User> = written.all()?;
/// assert_eq!((users[0].visits, users[0].version), (1, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct WrittenItems(Vec<WrittenItem>);

struct WrittenItem {
    place: Place,
    table: &'static str,
    key: ItemKey,
    item: Stored,
}

/// Without the item, which may be sensitive.
impl fmt::Debug for WrittenItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WrittenItem")
            .field(&self.place.to_string())
            .finish()
    }
}

impl WrittenItems {
    async fn read(db: &Dynamo, writes: Vec<Write>) -> Result<Self, Error> {
        let mut items = Vec::new();
        // Those of unique constraints belong to no entity.
        for write in writes.into_iter().filter(|it| it.guard.unique.is_none()) {
            let Write {
                place, schema, key, ..
            } = write;
            let item = match write.action {
                Action::Put(item) => Some(item),
                Action::Update(_) => {
                    let item = unique::current(db, &place, key.to_item(schema)).await?;
                    item.map(Stored::from)
                }
                Action::Delete | Action::Check => None,
            };
            items.extend(item.map(|item| WrittenItem {
                place,
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
        let own = own.filter(|it| it.table == table && it.place.entity == E::SCHEMA.entity);
        own.map(WrittenItem::decode).collect()
    }
}

impl WrittenItem {
    fn decode<E: Readable + DeserializeOwned>(&self) -> Result<E, Error> {
        let read = wire::decode(&self.place, self.item.clone());
        read.map_err(Error::done)
    }
}

/// What a transaction can delete: an item that was read, or what `delete(…)` of its entity gives.
#[diagnostic::on_unimplemented(
    message = "a transaction cannot delete `{Self}`",
    label = "neither an item nor a `Delete`",
    note = "give a reference to an item that was read, or what the entity's `delete(…)` gives, as in `.delete(User::delete(\"u1\"))`"
)]
pub trait IntoDelete {
    /// Whose item it is.
    type Entity: Writable;

    #[doc(hidden)]
    fn into_delete(self) -> Delete<Self::Entity>;
}

impl<E: Writable> IntoDelete for Delete<E> {
    type Entity = E;
    fn into_delete(self) -> Delete<E> {
        self
    }
}

impl<E: Writable<Whole: Encodable>> IntoDelete for &E {
    type Entity = E;
    fn into_delete(self) -> Delete<E> {
        Delete::loaded(self)
    }
}

/// An array that fits a transaction: of up to 100 elements.
///
/// ```
/// fn fits<T: dynamo_model::FixedSize>() {}
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

/// Sends writes together. What DynamoDB would refuse for its size or shape is refused here.
pub(crate) async fn send(
    db: &Dynamo,
    whole: &Place,
    mut writes: Vec<Write>,
    token: Option<String>,
) -> Result<(), Error> {
    check(whole, &writes)?;
    // One token for all attempts: if an answer was lost, the next attempt finds the work done.
    let mut token = token.unwrap_or_else(backoff::token);
    let mut switched = 0;
    loop {
        let (error, outcome) = match send_as(db, whole, &writes, &token).await? {
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

/// Switches the writes whose condition failed to what is done instead; whether there are any.
fn switch<R>(writes: &mut [Write], error: &SdkError<TransactWriteItemsError, R>) -> bool {
    let mut switched = false;
    for (write, reason) in writes.iter_mut().zip(reasons(error)) {
        if reason.code() == Some("ConditionalCheckFailed") {
            switched |= write.switch();
        }
    }
    switched
}

/// Other writes need another token. It follows from the first one, so that the same transaction, sent again under its
/// token after a lost answer, finds the work done here, too.
fn next_token(token: &str) -> String {
    let hash = Sha256::digest(token);
    hash.iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

type Failed = (SdkError<TransactWriteItemsError, HttpResponse>, Outcome);

/// Sends just these writes, under this token.
async fn send_as(
    db: &Dynamo,
    whole: &Place,
    writes: &[Write],
    token: &str,
) -> Result<Result<(), Failed>, Error> {
    let operations = typed(db, writes)?;
    let mut span = trace::request(whole, None);
    let capacity = db.asks_capacity(&span);
    let body = (!db.uses_maps()).then(|| body::transaction(writes, token, capacity));
    let mut sent = Attempts::new(true);
    let mut attempts = 1;
    loop {
        let request = db
            .client()
            .transact_write_items()
            .set_transact_items(Some(operations.clone()))
            .client_request_token(token)
            .set_return_consumed_capacity(capacity.then_some(ReturnConsumedCapacity::Total));
        let body = body.as_ref().and_then(SdkBody::try_clone);
        let request = pin!(request.send());
        let reply = call::send_watched(db, body, &mut sent, request);
        let error = match reply.instrument(span.clone()).await {
            Ok(reply) => {
                let consumed = reply.consumed_capacity;
                trace::answered(&span, writes.len(), writes.len(), consumed);
                return Ok(Ok(()));
            }
            Err(error) => error,
        };
        if attempts == backoff::ATTEMPTS || !is_conflict(&error) {
            let outcome = match sent.outcome() {
                Outcome::Uncertain if is_refused(&error) => Outcome::NotDone,
                outcome => outcome,
            };
            return Ok(Err((error, outcome)));
        }
        backoff::wait(attempts).await;
        attempts += 1;
        span = trace::request(whole, None);
    }
}

/// What the SDK is told of the operations: everything, or, where their body is written here, the table of the first, by
/// which it may choose an endpoint.
fn typed(db: &Dynamo, writes: &[Write]) -> Result<Vec<TransactWriteItem>, Error> {
    if db.uses_maps() {
        return writes.iter().map(Write::in_transaction).collect();
    }
    let tables = writes.iter().take(1).map(|write| &*write.place.table);
    let first = tables.filter_map(|table| {
        let put = Put::builder()
            .table_name(table)
            .set_item(Some(HashMap::new()));
        Some(TransactWriteItem::builder().put(put.build().ok()?).build())
    });
    Ok(first.collect())
}

/// Fails on what DynamoDB takes in no transaction.
pub(crate) fn check(whole: &Place, writes: &[Write]) -> Result<(), Error> {
    if writes.len() > MAX_OPERATIONS {
        let kind = ErrorKind::TooMany {
            keys: writes.len(),
            max: MAX_OPERATIONS,
        };
        return Err(Error::new(whole.clone(), kind, None));
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
    for write in writes {
        if let Some(other) = seen.insert(write.identity(), write.place.operation) {
            let kind = ErrorKind::SameItem { other };
            return Err(Error::new(write.place.clone(), kind, None));
        }
    }
    Ok(())
}

fn reasons<R>(error: &SdkError<TransactWriteItemsError, R>) -> &[CancellationReason] {
    match error.as_service_error() {
        Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
            cancelled.cancellation_reasons()
        }
        _ => &[],
    }
}

/// The operations that could not be done, by the codes of their reasons.
fn codes<R>(error: &SdkError<TransactWriteItemsError, R>) -> impl Iterator<Item = &str> {
    let codes = reasons(error).iter().filter_map(|reason| reason.code());
    codes.filter(|code| *code != "None")
}

/// What passes.
fn is_transient(code: &str) -> bool {
    matches!(
        code,
        "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded"
    )
}

/// Whether it was cancelled for what it is. By its token, what is refused now was not done before.
fn is_refused<R>(error: &SdkError<TransactWriteItemsError, R>) -> bool {
    codes(error).any(|code| !is_transient(code))
}

/// What is over when another transaction is.
fn is_conflict<R>(error: &SdkError<TransactWriteItemsError, R>) -> bool {
    if let Some(TransactWriteItemsError::TransactionInProgressException(_)) =
        error.as_service_error()
    {
        return true;
    }
    let mut codes = codes(error).peekable();
    codes.peek().is_some() && codes.all(is_transient)
}

/// The error of the first operation that could not be done; it has those of all others.
#[cold]
fn cancelled<R>(
    whole: &Place,
    writes: &[Write],
    error: SdkError<TransactWriteItemsError, R>,
) -> Error
where
    R: fmt::Debug + Send + Sync + 'static,
{
    let faults = writes.iter().zip(reasons(&error)).enumerate();
    let mut faults: Vec<(usize, Error)> = faults
        .filter_map(|(at, (write, reason))| Some((at, fault(write, reason)?)))
        .collect();
    if faults.is_empty() {
        return Error::sdk(whole.clone(), error);
    }
    let (_, mut first) = faults.remove(0);
    // The SDK's error has the items in it, which may be sensitive: only what it says is kept.
    match error.as_service_error() {
        Some(said) => first.set_source(Box::new(said.meta().clone())),
        None => first.set_source(Box::new(error)),
    }
    first.with_cancellations(faults.into_iter().map(|(_, error)| error).collect())
}

fn fault(write: &Write, reason: &CancellationReason) -> Option<Error> {
    let code = reason.code().filter(|code| *code != "None")?;
    let message = reason.message();
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
    let error = Error::new(write.place.clone(), kind, Some(source()));
    Some(error.with_said(Some(Said::new(code, message))))
}
