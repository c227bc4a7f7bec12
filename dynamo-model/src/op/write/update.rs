//! Changes some attributes of an item, and all index keys that contain them.

use super::failure::{Guard, Presence, Unchanged};
use super::item::{key_error, version_of};
use super::native;
use super::prepared::{Action, PreparedWrite, WriteSet};
use super::returns::{New, Old, Returns, UpdatedNew, UpdatedOld, Written};
use super::store::both;
use super::update_plan::UpdatePlan;
use super::{
    Declared, Encodable, KnownFields, Prepared, Touched, WithVersion, Writable, transaction, ttl,
    unique,
};
use crate::Condition;
use crate::db::Dynamo;
use crate::entity::{EpochSeconds, Table};
use crate::error::{Error, ErrorKind};
use crate::expr::Aliases;
use crate::expr::IntoCondition;
use crate::expr::change::{
    Addend, Attribute, ByKey, Change, Changed, Elements, Known, KnownValue, List, Loaded,
    NewOrExisting, OwnAttribute, Remove, SetOf, Target, ValueOf, append, assign_if_absent,
    change_set, decrement, increment,
};
use crate::expr::update::{self, AttributeUpdate, UpdateAction};
use crate::key::{Key, RawKey};
use crate::op::bounds::{Anywhere, HasFields};
use crate::request::{Explain, ReturnValues};
use crate::schema::{AttributeRole, AttributeSchema, EntitySchema};
use crate::wire::{self, Item, ItemKey, RawItem};
use aws_sdk_dynamodb::types::AttributeValue;
use core::marker::PhantomData;
use std::time::{Duration, SystemTime};

/// Changes an item that must be there; made by the `update(…)` of an entity, which takes the fields
/// of its key, and by [`Entity::update`](crate::Entity::update) of an item that was read.
///
/// Each change names its attribute: `.set(|user| user.name(), "太郎")`. All of them are one request.
///
/// A field in the key of an index changes that key too. For a loaded item, the siblings are known;
/// they become conditions, so that a concurrent change of one of them makes this update fail
/// ([`ErrorKind::Conflict`]) instead of leaving a wrong key. From a key alone they are arguments,
/// and a call without them does not compile.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug, PartialEq)]
/// #[dynamo(table = App)]
/// #[pk("BOOKING#<id>")]
/// #[gsi1(pk = "STATUS#<status>", sk = "DAY#<day>", as = by_status)]
/// struct Booking {
///     id: String,
///     status: String,
///     day: String,
///     guests: u32,
///     notes: Vec<String>,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let booking = Booking {
///     id: "b1".into(), status: "pending".into(), day: "2025-06-01".into(), guests: 2, notes: vec![],
/// };
/// booking.create().send(&db).await?;
///
/// // By its key: `day` stands beside `status` in the key of `by_status`, so it has to be said.
/// Booking::update("b1")
///     .set(|booking| booking.status("2025-06-01"), "confirmed")
///     .add(|booking| booking.guests(), 1_u32)
///     .send(&db)
///     .await?;
///
/// // As it was read: everything is known.
/// let booking = Booking::get("b1").send(&db).await?.unwrap();
/// let booking = booking
///     .update()
///     .set(|booking| booking.day(), "2025-06-02")
///     .append(|booking| booking.notes(), ["moved"])
///     .return_new()
///     .send(&db)
///     .await?;
/// assert_eq!(booking.guests, 3);
/// let found = Booking::by_status("confirmed").day("2025-06-02").all(&db).await?;
/// assert_eq!(found, [booking]);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `send`"]
pub struct Update<E: Writable, K = ByKey, R = ()> {
    pub(super) request: UpdateRequest,
    of: PhantomData<Of<E, K, R>>,
}

/// The entity, the known part of the item, and the result.
type Of<E, K, R> = fn() -> (E, K, R);

/// Changes an item, or creates it; made by the `upsert(…)` of an entity.
///
/// It takes the same changes as an [`Update`]. Because the item may be new, every required
/// attribute must be set; a missing one is [`ErrorKind::Incomplete`], before any request.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, ErrorKind, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = App)]
/// #[pk("PAGE#<path>")]
/// struct Page {
///     path: String,
///     views: u64,
///     title: Option<String>,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// for _ in 0..3 {
///     Page::upsert("/index").add(|page| page.views(), 1_u64).send(&db).await?;
/// }
/// let page = Page::get("/index").send(&db).await?.unwrap();
/// assert_eq!((page.path.as_str(), page.views), ("/index", 3));
///
/// let error = Page::upsert("/new").set(|page| page.title(), "新着").send(&db).await.unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Incomplete { .. }));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `send`"]
pub struct Upsert<E: Writable, R = ()> {
    pub(super) update: Update<E, ByKey<NewOrExisting>, R>,
}

/// The request of any entity.
pub(super) struct UpdateRequest {
    key: Prepared<RawKey>,
    changes: Vec<Changed>,
    /// The first value that could not be written.
    broken: Option<wire::Unwritable>,
    /// The fields in keys as they are now, as far as they are known.
    known: Vec<Known>,
    condition: Option<Condition>,
    version: Option<Unchanged>,
    may_create: bool,
    expiry: Option<Expiry>,
    keep: Keep,
    /// The expiry of a loaded item, if its unique values expire too.
    ttl: Option<KnownTtl>,
}

/// When an item expires; `None` where it does not.
#[derive(Debug)]
pub(super) struct KnownTtl(pub(super) Option<AttributeValue>);

/// The fields that an update keeps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Keep {
    pub(super) version: bool,
    pub(super) updated_at: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Expiry {
    In(Duration),
    At(SystemTime),
}

impl<E: Writable, K, R> core::fmt::Debug for Update<E, K, R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Update")
            .field("entity", &E::SCHEMA.entity)
            .field("changes", &self.request.changes.len())
            .finish_non_exhaustive()
    }
}

impl<E: Writable, R> core::fmt::Debug for Upsert<E, R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Upsert").field(&self.update).finish()
    }
}

impl<E: Writable> Update<E, ByKey> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(key: Prepared<Key<E>>, known: KnownFields) -> Self {
        Self::of(UpdateRequest::by_key(key.map(Key::into_raw), known))
    }
}

impl<E: Writable> Update<E, Loaded> {
    pub(crate) fn loaded(entity: &E) -> Self
    where
        E: Writable<Whole: Encodable>,
    {
        let (item, broken) = match wire::to_item(entity.whole(), Declared::of::<E>().forms()) {
            Ok(item) => (item, None),
            Err(error) => (Item::new(), Some(error)),
        };
        let fields = entity.key_fields();
        let known = fields.iter().map(|(field, part)| {
            let attribute = attribute_of(&E::SCHEMA, field).map(|attribute| attribute.name);
            let value = attribute.and_then(|name| item.get(name));
            Known {
                field,
                part: part.clone(),
                value: KnownValue::Stored(value.filter(|value| !value.is_null()).cloned()),
            }
        });
        let version = version_of(&E::SCHEMA);
        let schema = const { &<E::Table as Table>::SCHEMA };
        let ttl = ttl::of(schema, &E::SCHEMA).filter(|_| !E::SCHEMA.uniques.is_empty());
        Self::of(UpdateRequest {
            key: entity.primary_key().map(Key::into_raw),
            changes: Vec::new(),
            broken,
            known: known.collect(),
            condition: None,
            version: version.map(|it| super::delete::known_version(it.name, &item)),
            may_create: false,
            expiry: None,
            keep: Keep::default(),
            ttl: ttl.map(|it| {
                let value = item.get(it.name).filter(|value| !value.is_null());
                KnownTtl(value.cloned())
            }),
        })
    }
}

impl<E: Writable> Upsert<E> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(key: Prepared<Key<E>>, known: KnownFields) -> Self {
        let mut request = UpdateRequest::by_key(key.map(Key::into_raw), known);
        request.may_create = true;
        Self {
            update: Update::of(request),
        }
    }
}

pub(super) fn attribute_of(entity: &EntitySchema, field: &str) -> Option<&'static AttributeSchema> {
    let attributes = entity.attributes.iter();
    let mut stored = attributes.filter(|it| it.role != AttributeRole::KeyOnly);
    stored.find(|attribute| attribute.field == field)
}

impl<E: Writable, K, R> Update<E, K, R> {
    fn of(request: UpdateRequest) -> Self {
        Self {
            request,
            of: PhantomData,
        }
    }

    fn change(mut self, change: Change) -> Self {
        self.request.add(change);
        self
    }

    fn returning<S>(self) -> Update<E, K, S> {
        Update::of(self.request)
    }

    /// Fails with [`ErrorKind::Conflict`] unless the item has this version.
    pub fn expect_version(mut self, version: u64) -> Self
    where
        E: Writable<Version: WithVersion<E>>,
    {
        if let Some(attribute) = version_of(&E::SCHEMA) {
            let value = (version != 0).then(|| AttributeValue::N(version.to_string()));
            self.request.version = Some(Unchanged::version(attribute.name, value));
        }
        self
    }

    /// Accepts any version of the item; it is still raised.
    pub fn any_version(mut self) -> Self {
        self.request.version = None;
        self
    }

    /// Makes `send` return the item before the write.
    pub fn return_old(self) -> Update<E, K, Old> {
        self.returning()
    }

    /// Makes `send` return the item after the write.
    pub fn return_new(self) -> Update<E, K, New> {
        self.returning()
    }

    /// `send` then returns the changed attributes as they were before.
    pub fn return_updated_old(self) -> Update<E, K, UpdatedOld> {
        self.returning()
    }

    /// `send` then returns the changed attributes as they are now.
    pub fn return_updated_new(self) -> Update<E, K, UpdatedNew> {
        self.returning()
    }
}

impl<E: Writable, R> Upsert<E, R> {
    fn change(self, change: Change) -> Self {
        Self {
            update: self.update.change(change),
        }
    }

    /// Makes `send` return the item before the write, or `None` if it is new.
    pub fn return_old(self) -> Upsert<E, Old> {
        Upsert {
            update: self.update.returning(),
        }
    }

    /// Makes `send` return the item after the write.
    pub fn return_new(self) -> Upsert<E, New> {
        Upsert {
            update: self.update.returning(),
        }
    }

    /// `send` then returns the changed attributes as they were before; of a new item, none.
    pub fn return_updated_old(self) -> Upsert<E, UpdatedOld> {
        Upsert {
            update: self.update.returning(),
        }
    }

    /// `send` then returns the changed attributes as they are now.
    pub fn return_updated_new(self) -> Upsert<E, UpdatedNew> {
        Upsert {
            update: self.update.returning(),
        }
    }
}

/// The changes, which an update and an upsert have in common.
macro_rules! changes {
    ($ty:ty, $known:ty, [$($generics:tt)*], $($request:ident).+) => {
        impl<$($generics)*> $ty {
            /// Sets an attribute, a field of a nested struct, an element of a list or an entry of a
            /// map.
            ///
            /// The map or list around it must exist: if the field is an `Option`, or is omitted
            /// when empty, the update may fail with [`ErrorKind::AbsentParent`]. Set the whole map
            /// or list first.
            pub fn set<P: Attribute, V: ValueOf<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: V,
            ) -> Self {
                self.change(attribute(E::changes()).assign(value.given()))
            }

            /// Sets an attribute to a value, or removes it for `None`.
            pub fn set_or_remove<P: Attribute + Remove, V: ValueOf<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: Option<V>,
            ) -> Self {
                let target = attribute(E::changes());
                self.change(match value {
                    Some(value) => target.assign(value.given()),
                    None => target.clear(),
                })
            }

            /// Sets an attribute, unless the item has it already.
            pub fn set_if_absent<P: Target, V: ValueOf<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: V,
            ) -> Self {
                self.change(assign_if_absent(&attribute(E::changes()), value.given()))
            }

            /// Removes an attribute, an element of a list or an entry of a map.
            pub fn remove<P: Remove>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
            ) -> Self {
                self.change(attribute(E::changes()).remove())
            }

            /// Adds to a number. An absent one counts as 0. A sum outside of the field's type fails
            /// with [`ErrorKind::OutOfRange`], and changes nothing.
            pub fn add<P: Target, V: Addend<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: V,
            ) -> Self {
                self.change(increment(&attribute(E::changes()), V::RANGE, value.given()))
            }

            /// Subtracts from a number. An absent one counts as 0. A difference outside of the
            /// field's type fails with [`ErrorKind::OutOfRange`], and changes nothing.
            pub fn subtract<P: Target, V: Addend<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: V,
            ) -> Self {
                self.change(decrement(&attribute(E::changes()), V::RANGE, value.given()))
            }

            /// Adds elements to the end of a list. An absent one counts as empty.
            pub fn append<
                P: Target<Value: List>,
                V: Elements<<P::Value as List>::Element, P::Way>,
            >(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                elements: V,
            ) -> Self {
                self.change(append(&attribute(E::changes()), elements, false))
            }

            /// Adds elements to the beginning of a list. An absent one counts as empty.
            pub fn prepend<
                P: Target<Value: List>,
                V: Elements<<P::Value as List>::Element, P::Way>,
            >(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                elements: V,
            ) -> Self {
                self.change(append(&attribute(E::changes()), elements, true))
            }

            /// Adds elements to a set. An absent one counts as empty.
            pub fn add_to_set<
                P: OwnAttribute<Value: SetOf>,
                V: Elements<<P::Value as SetOf>::Element, P::Way>,
            >(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                elements: V,
            ) -> Self {
                self.change(change_set(&attribute(E::changes()), elements, UpdateAction::AddToSet))
            }

            /// Deletes elements from a set.
            pub fn delete_from_set<
                P: OwnAttribute<Value: SetOf>,
                V: Elements<<P::Value as SetOf>::Element, P::Way>,
            >(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                elements: V,
            ) -> Self {
                let target = attribute(E::changes());
                self.change(change_set(&target, elements, UpdateAction::DeleteFromSet))
            }

            /// Requires this of the item. Several conditions must all be met.
            pub fn condition<C>(
                mut self,
                condition: impl FnOnce(E::Fields<Anywhere>) -> C,
            ) -> Self
            where
                E: HasFields,
                C: IntoCondition,
            {
                let request = &mut self.$($request).+;
                let condition = condition(E::fields()).into_condition();
                request.condition = both(request.condition.take(), condition);
                self
            }

            /// Keeps the version, and does not check it: for counters and other changes that must
            /// not conflict with writers of a loaded item. A new item gets version 1.
            pub fn keep_version(mut self) -> Self
            where
                E: Writable<Version: WithVersion<E>>,
            {
                let request = &mut self.$($request).+;
                request.version = None;
                request.keep.version = true;
                self
            }

            /// Keeps the `#[dynamo(updated_at)]` field. A new item gets the time.
            pub fn keep_updated_at(mut self) -> Self
            where
                E: Touched,
            {
                self.$($request).+.keep.updated_at = true;
                self
            }

            /// The item expires after this time from now: sets its `#[dynamo(ttl)]` field.
            pub fn expires_in(mut self, duration: Duration) -> Self
            where
                E: Expires,
            {
                self.$($request).+.expiry = Some(Expiry::In(duration));
                self
            }

            /// The item expires then: sets its `#[dynamo(ttl)]` field.
            pub fn expires_at(mut self, time: SystemTime) -> Self
            where
                E: Expires,
            {
                self.$($request).+.expiry = Some(Expiry::At(time));
                self
            }
        }
    };
}

changes!(Update<E, K, R>, K, [E: Writable, K, R], request);
changes!(
    Upsert<E, R>,
    ByKey<NewOrExisting>,
    [E: Writable, R],
    update.request
);

/// An entity with a `#[dynamo(ttl)]` field. Implemented by the derive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no expiry time",
    label = "no `#[dynamo(ttl)]` field",
    note = "write `#[dynamo(ttl)]` on a field, and `ttl = \"…\"` on the table"
)]
pub trait Expires {}

impl Dynamo {
    /// The second, in this time from now, for a `#[dynamo(ttl)]` field.
    ///
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    ///
    /// let db = dynamo_model::Dynamo::embedded()?.with_clock(|| UNIX_EPOCH + Duration::from_secs(1_000));
    /// let expires: u64 = db.expires_in(Duration::from_secs(60));
    /// assert_eq!(expires, 1_060);
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    #[must_use]
    pub fn expires_in<T: EpochSeconds>(&self, duration: Duration) -> T {
        T::from_seconds(self.seconds_from_now(duration))
    }

    pub(super) fn seconds_from_now(&self, duration: Duration) -> u64 {
        let now = self.moment();
        let since = u64::try_from(now.seconds).unwrap_or_default();
        whole_seconds(Duration::new(since, now.nanos).saturating_add(duration))
    }
}

/// A part of a second is one more: never too early.
pub(super) fn whole_seconds(since: Duration) -> u64 {
    let part = u64::from(since.subsec_nanos() > 0);
    since.as_secs().saturating_add(part)
}

impl<E: Writable, K, R: Returns<E>> Update<E, K, R> {
    /// Changes it.
    pub fn send(self, db: &Dynamo) -> impl Future<Output = Result<R::Output, Error>> {
        updated(self.request, db, Declared::of::<E>(), R::WIRE, R::output)
    }

    /// Returns the request, and sends nothing. With unique values that change, it is a transaction
    /// with their items.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let (writes, _) = self.request.prepare(db, Declared::of::<E>())?;
        writes.explain(R::WIRE)
    }
}

impl<E: Writable, R: Returns<E>> Upsert<E, R> {
    /// Changes it, or creates it.
    pub fn send(self, db: &Dynamo) -> impl Future<Output = Result<R::Output, Error>> {
        self.update.send(db)
    }

    /// Returns the request, and sends nothing.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        self.update.explain(db)
    }
}

/// Changes an item, and returns the requested result. It depends on the entity only through its
/// result, so that updates without one are compiled once for all entities.
///
/// No `async fn`, which would keep all it is given twice.
fn updated<O>(
    request: UpdateRequest,
    db: &Dynamo,
    declared: Declared,
    returned: ReturnValues,
    output: fn(Written<'_>) -> Result<O, Error>,
) -> impl Future<Output = Result<O, Error>> {
    let prepared = request.prepare(db, declared);
    async move {
        match prepared {
            Ok((ref writes, ref changed)) => {
                let item = send(db, writes, changed, returned).await?;
                let context = &writes.write.context;
                output(Written { context, item }).map_err(Error::done)
            }
            Err(error) => Err(error),
        }
    }
}

/// Changes it, and returns the requested item.
async fn send(
    db: &Dynamo,
    writes: &WriteSet,
    changed: &[&'static str],
    returned: ReturnValues,
) -> Result<Option<RawItem>, Error> {
    if writes.uniques.is_empty() {
        return writes.write.send(db, returned).await;
    }
    let item = Box::pin(send_together(db, writes, returned)).await?;
    let item = match returned {
        ReturnValues::UpdatedOld | ReturnValues::UpdatedNew => item.map(|mut item| {
            item.retain(|name, _| changed.contains(&name.as_str()));
            item
        }),
        _ => item,
    };
    Ok(item.map(Into::into))
}

/// Sends it with the writes of unique items. A transaction returns no items, so the item is read
/// before or after it.
async fn send_together(
    db: &Dynamo,
    writes: &WriteSet,
    returned: ReturnValues,
) -> Result<Option<Item>, Error> {
    let PreparedWrite {
        context,
        key,
        schema,
        ..
    } = &writes.write;
    let read = || unique::current(db, context, key.to_item(schema));
    let send = || transaction::send(db, context, writes.clone().into_writes(), None);
    Ok(match returned {
        ReturnValues::Nothing => {
            send().await?;
            None
        }
        ReturnValues::AllOld | ReturnValues::UpdatedOld => {
            let old = read().await?;
            send().await?;
            old
        }
        ReturnValues::AllNew | ReturnValues::UpdatedNew => {
            send().await?;
            // It was done, though it cannot be shown.
            read().await.map_err(Error::done)?
        }
    })
}

impl UpdateRequest {
    fn by_key(key: Prepared<RawKey>, known: KnownFields) -> Self {
        Self {
            key,
            changes: Vec::new(),
            broken: None,
            known: known.0,
            condition: None,
            version: None,
            may_create: false,
            expiry: None,
            keep: Keep::default(),
            ttl: None,
        }
    }

    fn add(&mut self, change: Change) {
        match change.0 {
            Ok(changed) => self.changes.push(changed),
            Err(reason) => {
                self.broken.get_or_insert(reason);
            }
        }
    }

    fn operation(&self) -> &'static str {
        if self.may_create { "upsert" } else { "update" }
    }

    pub(super) fn writes(
        self,
        db: &Dynamo,
        declared: Declared,
    ) -> Result<Vec<PreparedWrite>, Error> {
        let (writes, _) = self.prepare(db, declared)?;
        Ok(writes.into_writes())
    }

    /// Returns the update itself, its writes of unique items, and the attributes it changes.
    fn prepare(
        self,
        db: &Dynamo,
        declared: Declared,
    ) -> Result<(WriteSet, Vec<&'static str>), Error> {
        let operation = self.operation();
        let key = ItemKey::from(self.key.map_err(key_error(operation))?);
        let context = declared.context(db, operation, Some((&key).into()));
        let fail = |kind| Error::new(context.clone(), kind, None);
        if let Some(unwritable) = self.broken {
            return Err(unwritable.at(&context));
        }
        let mut plan = UpdatePlan::new(context.clone(), declared, self.may_create, self.known);
        for change in self.changes {
            plan.change(change)?;
        }
        plan.stamp(db, self.keep)?;
        plan.expire(db, self.expiry);
        plan.change_indexes()?;
        // A version may be raised twice, which is harmless.
        let is_same_again = plan.updates.iter().all(AttributeUpdate::is_same_again);
        let repeats = is_same_again && self.version.is_none() && self.condition.is_none();
        plan.count_version(self.keep);
        if self.may_create {
            plan.complete()?;
        }
        if plan.updates.is_empty() {
            return Err(fail(ErrorKind::NoChange));
        }
        let immutable = plan.immutable();
        let bytes = plan.updates.iter().map(AttributeUpdate::bytes).sum();
        wire::check_size(&context, bytes)?;
        native::check_updates(declared, &context, &plan.updates)?;
        let expiry = plan.check_ttl(db);
        let moves = plan.moves(db, &key, self.ttl.as_ref())?;
        plan.hide_sensitive();
        let mut aliases = Aliases::default();
        update::add_old_names(&mut plan.updates, plan.schema, declared.entity);
        let not_null = plan.updates.iter().filter(|it| it.needs_no_null());
        let not_null = not_null.map(|it| &it.path);
        let not_null =
            not_null.flat_map(|path| core::iter::once(path.clone()).chain(path.old_paths()));
        let not_null = not_null.collect();
        let sets = plan.updates.iter().filter(|it| it.needs_no_old_name());
        let not_renamed = sets.filter(|it| !it.path.old_names().is_empty());
        let not_renamed = not_renamed.map(|it| it.path.clone()).collect();
        let changed = match moves.is_empty() {
            true => Vec::new(),
            // A transaction returns no items, so these are returned by name.
            false => plan
                .updates
                .iter()
                .flat_map(|it| it.name().into_iter().chain(it.path.old_names().to_vec()))
                .collect(),
        };
        let within = plan.updates.iter().map(|it| &it.path);
        let within = within.filter(|path| path.whole().is_none());
        let inner_paths = within.cloned().collect();
        let expression = update::expression(plan.updates, &mut aliases)
            .map_err(|attribute| fail(ErrorKind::ChangedTwice { attribute }))?;
        expiry?;
        // A stricter condition of the user is the one that fails.
        if let Some(condition) = &self.condition {
            plan.bounds.retain(|bound| !bound.is_implied_by(condition));
        }
        if !declared.entity.aliases.is_empty() {
            for bound in &mut plan.bounds {
                bound.add_old_names(plan.schema, declared.entity);
            }
        }
        let guard = Guard {
            presence: if self.may_create {
                Presence::Any
            } else {
                Presence::Present
            },
            unchanged: self.version.into_iter().chain(plan.unchanged).collect(),
            bounds: plan.bounds,
            not_null,
            not_renamed,
            constants: match self.may_create {
                true => declared.entity.constants,
                false => &[],
            },
            immutable,
            ..Guard::default()
        };
        let update = Action::Update(expression);
        let declared = (plan.schema, Some(declared.entity));
        let mut write = PreparedWrite::new(context.clone(), declared, key, update, bytes);
        write.aliases = aliases;
        write.repeats = repeats;
        write.inner_paths = inner_paths;
        let writes = WriteSet {
            write: write.guarded(guard, self.condition)?,
            uniques: moves,
        };
        Ok((writes, changed))
    }
}
