//! Changing some attributes of an item, and with them every index key they stand in.

use super::failure::{Guard, Presence, Unchanged};
use super::item::{key_error, version_of};
use super::put::both;
use super::request::{Action, Write};
use super::returns::{New, Old, Returned, Returns, UpdatedNew, UpdatedOld, Written};
use super::{Encodable, KnownFields, Prepared, StampOn, Writable, transaction, unique};
use crate::__private::KeyAttributes;
use crate::Condition;
use crate::db::Dynamo;
use crate::entity::{EpochSeconds, ItemKeyAttribute, Table};
use crate::error::{Error, ErrorKind, Place};
use crate::expr::Aliases;
use crate::expr::change::{
    Addend, Attribute, ByKey, Change, Changed, Elements, KeyChange, Known, List, Loaded,
    OwnAttribute, Remove, SetOf, Target, ValueOf, append, assign_if_absent, change_set, decrement,
    increment,
};
use crate::expr::update::{self, What};
use crate::key::fields::KeyFields;
use crate::key::{Key, PartValue};
use crate::op::bounds::{Anywhere, HasFields};
use crate::schema::{AttributeRole, AttributeSchema, EntityIndex, EntitySchema, TableSchema};
use crate::wire::{self, Item};
use aws_sdk_dynamodb::types::AttributeValue;
use core::marker::PhantomData;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Changes an item that must be there; made by the `update(…)` of an entity, which takes the fields of its key,
/// and by [`Entity::update`](crate::Entity::update) of an item that was read.
///
/// Each change names its attribute: `.set(|user| user.name(), "太郎")`. All of them are one request.
///
/// A field that stands in the key of an index takes the index along. Of an item that was read, the other fields
/// of that key are known; they become conditions, so that somebody else's change of one of them makes this
/// update fail ([`ErrorKind::Conflict`]) instead of leaving a wrong key behind. From a key alone they are
/// arguments, and a call without them does not compile.
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
/// # App::create(&db).await?;
/// let booking = Booking {
///     id: "b1".into(), status: "pending".into(), day: "2025-06-01".into(), guests: 2, notes: vec![],
/// };
/// db.create(&booking).send().await?;
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
    request: Request<E>,
    of: PhantomData<fn() -> (K, R)>,
}

/// Changes an item, or creates it; made by the `upsert(…)` of an entity.
///
/// It takes the same changes as an [`Update`]. Since the item may be new, every attribute that an item must
/// have has to be set; one that is missing is [`ErrorKind::Incomplete`], before anything is sent.
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
/// # App::create(&db).await?;
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
    update: Update<E, ByKey, R>,
}

/// What is asked for.
struct Request<E: Writable> {
    key: Prepared<Key<E>>,
    changes: Vec<Changed>,
    /// The first value that could not be written.
    broken: Option<wire::Unwritable>,
    /// The fields in keys as they are now, as far as they are known.
    known: Vec<Known>,
    condition: Option<Condition>,
    version: Option<Unchanged>,
    may_create: bool,
    expiry: Option<Expiry>,
}

#[derive(Debug, Clone, Copy)]
enum Expiry {
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
        Self::of(Request {
            key,
            changes: Vec::new(),
            broken: None,
            known: known.0,
            condition: None,
            version: None,
            may_create: false,
            expiry: None,
        })
    }
}

impl<E: Writable> Update<E, Loaded> {
    pub(crate) fn loaded(entity: &E) -> Self
    where
        E: Writable<Whole: Encodable>,
    {
        let (item, broken) = match wire::to_item(entity.whole()) {
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
                value: Ok(value.filter(|value| !value.is_null()).cloned()),
            }
        });
        let version = version_of(&E::SCHEMA);
        Self::of(Request {
            key: entity.primary_key(),
            changes: Vec::new(),
            broken,
            known: known.collect(),
            condition: None,
            version: version.map(|it| super::delete::known_version(it.name, &item)),
            may_create: false,
            expiry: None,
        })
    }
}

impl<E: Writable> Upsert<E> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(key: Prepared<Key<E>>, known: KnownFields) -> Self {
        let mut update = Update::new(key, known);
        update.request.may_create = true;
        Self { update }
    }
}

fn attribute_of(entity: &EntitySchema, field: &str) -> Option<&'static AttributeSchema> {
    let attributes = entity.attributes.iter();
    let mut stored = attributes.filter(|it| it.role != AttributeRole::KeyOnly);
    stored.find(|attribute| attribute.field == field)
}

impl<E: Writable, K, R> Update<E, K, R> {
    fn of(request: Request<E>) -> Self {
        Self {
            request,
            of: PhantomData,
        }
    }

    fn change(mut self, change: Change) -> Self {
        match change.0 {
            Ok(changed) => self.request.changes.push(changed),
            Err(reason) => {
                self.request.broken.get_or_insert(reason);
            }
        }
        self
    }

    fn returning<S>(self) -> Update<E, K, S> {
        Update::of(self.request)
    }

    /// Fails with [`ErrorKind::Conflict`] unless the item has this version.
    pub fn expect_version(mut self, version: u64) -> Self {
        if let Some(attribute) = version_of(&E::SCHEMA) {
            let value = (version != 0).then(|| AttributeValue::N(version.to_string()));
            self.request.version = Some(Unchanged::version(attribute.name, value));
        }
        self
    }

    /// Whatever the version of the item; it is counted up all the same.
    pub fn any_version(mut self) -> Self {
        self.request.version = None;
        self
    }

    /// `send` then returns the item as it was before.
    pub fn return_old(self) -> Update<E, K, Old> {
        self.returning()
    }

    /// `send` then returns the item as it is now.
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

    /// `send` then returns the item as it was before, or `None` where it is new.
    pub fn return_old(self) -> Upsert<E, Old> {
        Upsert {
            update: self.update.returning(),
        }
    }

    /// `send` then returns the item as it is now.
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
            /// Sets an attribute.
            pub fn set<P: Attribute, V: ValueOf<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: V,
            ) -> Self {
                self.change(attribute(E::changes()).assign(value.given()))
            }

            /// Sets an attribute to a value, or removes it where there is none.
            pub fn set_or_remove<P: Attribute + Remove, V: ValueOf<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: Option<V>,
            ) -> Self {
                let target = attribute(E::changes());
                self.change(match value {
                    Some(value) => target.assign(value.given()),
                    None => target.remove(),
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

            /// Adds to a number. What is absent counts as 0.
            pub fn add<P: Target, V: Addend<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: V,
            ) -> Self {
                self.change(increment(&attribute(E::changes()), value.given()))
            }

            /// Subtracts from a number. What is absent counts as 0.
            pub fn subtract<P: Target, V: Addend<P::Value, P::Way>>(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                value: V,
            ) -> Self {
                self.change(decrement(&attribute(E::changes()), value.given()))
            }

            /// Adds elements to the end of a list. What is absent counts as empty.
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

            /// Adds elements to the beginning of a list. What is absent counts as empty.
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

            /// Adds elements to a set. What is absent counts as empty.
            pub fn add_to_set<
                P: OwnAttribute<Value: SetOf>,
                V: Elements<<P::Value as SetOf>::Element, P::Way>,
            >(
                self,
                attribute: impl FnOnce(E::Changes<$known>) -> P,
                elements: V,
            ) -> Self {
                self.change(change_set(&attribute(E::changes()), elements, What::AddToSet))
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
                self.change(change_set(&target, elements, What::DeleteFromSet))
            }

            /// Only if the item meets this. Several conditions must all be met.
            pub fn condition(
                mut self,
                condition: impl FnOnce(E::Fields<Anywhere>) -> Condition,
            ) -> Self
            where
                E: HasFields,
            {
                let request = &mut self.$($request).+;
                request.condition = both(request.condition.take(), condition(E::fields()));
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
changes!(Upsert<E, R>, ByKey, [E: Writable, R], update.request);

/// An entity with a `#[dynamo(ttl)]` field. Implemented by the derive.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no field that says when it expires",
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

    fn seconds_from_now(&self, duration: Duration) -> u64 {
        let now = self.moment();
        let since = u64::try_from(now.seconds).unwrap_or_default();
        whole_seconds(Duration::new(since, now.nanos).saturating_add(duration))
    }
}

/// A part of a second is one more: never too early.
fn whole_seconds(since: Duration) -> u64 {
    let part = u64::from(since.subsec_nanos() > 0);
    since.as_secs().saturating_add(part)
}

impl<E: Writable, K, R: Returns<E>> Update<E, K, R> {
    /// Changes it.
    pub async fn send(self, db: &Dynamo) -> Result<R::Output, Error> {
        let (mut writes, changed) = self.request.prepare(db)?;
        let (place, key) = (writes[0].place.clone(), writes[0].key.clone());
        if writes.len() == 1 {
            let (item, _) = writes.remove(0).send(db, R::WIRE.into()).await?;
            return R::output(Written {
                place: &place,
                item,
            });
        }
        // A transaction returns nothing, so the item is read before or after it.
        let read = unique::current(db, &place, &key);
        let item = match R::WIRE {
            Returned::Nothing => {
                transaction::send(db, &place, writes, None).await?;
                None
            }
            Returned::AllOld | Returned::UpdatedOld => {
                let old = read.await?;
                transaction::send(db, &place, writes, None).await?;
                old
            }
            Returned::AllNew | Returned::UpdatedNew => {
                transaction::send(db, &place, writes, None).await?;
                read.await?
            }
        };
        let item = match R::WIRE {
            Returned::UpdatedOld | Returned::UpdatedNew => item.map(|mut item| {
                item.retain(|name, _| changed.contains(name));
                item
            }),
            _ => item,
        };
        R::output(Written {
            place: &place,
            item,
        })
    }

    pub(super) fn writes(self, db: &Dynamo) -> Result<Vec<Write>, Error> {
        self.request.writes(db)
    }
}

impl<E: Writable, R: Returns<E>> Upsert<E, R> {
    /// Changes it, or creates it.
    pub async fn send(self, db: &Dynamo) -> Result<R::Output, Error> {
        self.update.send(db).await
    }

    pub(super) fn writes(self, db: &Dynamo) -> Result<Vec<Write>, Error> {
        self.update.request.writes(db)
    }
}

impl<E: Writable> Request<E> {
    fn operation(&self) -> &'static str {
        if self.may_create { "upsert" } else { "update" }
    }

    fn writes(self, db: &Dynamo) -> Result<Vec<Write>, Error> {
        self.prepare(db).map(|(writes, _)| writes)
    }

    /// The update itself, and what it does to the items of unique constraints; and the attributes it changes.
    fn prepare(self, db: &Dynamo) -> Result<(Vec<Write>, Vec<String>), Error> {
        let operation = self.operation();
        let key = self.key.clone().map_err(key_error(operation))?;
        let place = Place::of::<E>(db, operation, Some(&key));
        let fail = |kind| Error::new(place.clone(), kind, None);
        if let Some(unwritable) = self.broken {
            return Err(unwritable.at(&place));
        }
        let mut plan = Plan::<E>::new(place.clone(), self.may_create, self.known);
        for change in self.changes {
            plan.change(change)?;
        }
        plan.stamp(db)?;
        plan.expire(db, self.expiry);
        plan.change_indexes()?;
        plan.count_version();
        if self.may_create {
            plan.complete()?;
        }
        if plan.actions.is_empty() {
            return Err(fail(ErrorKind::NoChange));
        }
        let key = wire::key_item(key);
        let bytes = plan.actions.iter().map(update::Action::bytes).sum();
        wire::check_size(&place, bytes)?;
        let moves = plan.moves(&key)?;
        let mut aliases = Aliases::default();
        let expression = update::expression(&plan.actions, &mut aliases)
            .map_err(|attribute| fail(ErrorKind::ChangedTwice { attribute }))?;
        let guard = Guard {
            presence: if self.may_create {
                Presence::Any
            } else {
                Presence::Present
            },
            unchanged: self.version.into_iter().chain(plan.unchanged).collect(),
            ..Guard::default()
        };
        let update = Action::Update(expression);
        let mut write = Write::new(place.clone(), plan.schema, key, update, bytes);
        write.aliases = aliases;
        let mut writes = vec![write.guarded(guard, self.condition)?];
        writes.extend(moves);
        let changed = plan.actions.iter().filter_map(update::Action::name);
        Ok((writes, changed.map(str::to_owned).collect()))
    }
}

/// An update on its way to an expression.
struct Plan<E> {
    place: Place,
    schema: &'static TableSchema,
    may_create: bool,
    actions: Vec<update::Action>,
    /// The fields in keys as they are now.
    known: Vec<Known>,
    /// The fields in keys that change, as they will be.
    changed: KeyFields,
    unchanged: Vec<Unchanged>,
    of: PhantomData<fn() -> E>,
}

impl<E: Writable> Plan<E> {
    fn new(place: Place, may_create: bool, known: Vec<Known>) -> Self {
        Self {
            place,
            schema: const { &<E::Table as Table>::SCHEMA },
            may_create,
            actions: Vec::new(),
            known,
            changed: KeyFields::default(),
            unchanged: Vec::new(),
            of: PhantomData,
        }
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(self.place.clone(), kind, None)
    }

    fn change(&mut self, change: Changed) -> Result<(), Error> {
        match change {
            Changed::Plain(action) => self.actions.push(action),
            Changed::Key(change, value) => self.change_key(change, value)?,
        }
        Ok(())
    }

    fn change_key(
        &mut self,
        change: KeyChange,
        value: Option<AttributeValue>,
    ) -> Result<(), Error> {
        if self.changed.get(change.field).is_some() {
            let attribute = change.field.to_owned();
            return Err(self.fail(ErrorKind::ChangedTwice { attribute }));
        }
        for known in change.known {
            self.known.push(known);
        }
        self.changed.set(change.field, change.part);
        if let Some(path) = change.path {
            let what = value.map_or(What::Remove, What::Set);
            self.actions.push(update::Action { path, what });
        }
        Ok(())
    }

    /// The times that the library keeps.
    fn stamp(&mut self, db: &Dynamo) -> Result<(), Error> {
        let now = db.moment();
        for stamp in E::STAMPS {
            // The key of an upsert says when the item was created, if it says so at all.
            let in_primary = E::SCHEMA.primary_fields().any(|part| part == stamp.field);
            if stamp.on == StampOn::Create && (!self.may_create || in_primary) {
                continue;
            }
            let stamped = stamp.at::<E>(now).map_err(|error| error.at(&self.place))?;
            let what = match stamp.on {
                StampOn::Write => What::Set(stamped.value),
                StampOn::Create => What::SetIfAbsent(stamped.value),
            };
            self.actions
                .push(update::Action::attribute(stamp.attribute, what));
            let in_key = is_in_key(&E::SCHEMA, stamp.field);
            if in_key && stamp.on == StampOn::Create {
                // Whether the item is new decides what stands in the key, and only DynamoDB knows.
                let attributes = vec![stamp.field.to_owned()];
                return Err(self.fail(ErrorKind::Incomplete { attributes }));
            }
            if in_key {
                self.changed.set(stamp.field, Some(stamped.part));
            }
        }
        Ok(())
    }

    fn expire(&mut self, db: &Dynamo, expiry: Option<Expiry>) {
        let mut attributes = E::SCHEMA.attributes.iter();
        let ttl = attributes.find(|it| it.role == AttributeRole::Ttl);
        let (Some(expiry), Some(ttl)) = (expiry, ttl) else {
            return;
        };
        let seconds = match expiry {
            Expiry::In(duration) => db.seconds_from_now(duration),
            Expiry::At(time) => match time.duration_since(UNIX_EPOCH) {
                Ok(since) => whole_seconds(since),
                Err(_) => 0,
            },
        };
        if is_in_key(&E::SCHEMA, ttl.field) {
            let part = PartValue::Integer {
                negative: false,
                magnitude: u128::from(seconds),
            };
            self.changed.set(ttl.field, Some(part.into()));
        }
        let value = AttributeValue::N(seconds.to_string());
        self.actions
            .push(update::Action::attribute(ttl.name, What::Set(value)));
    }

    /// The current value of a field in a key.
    fn known(&self, field: &str) -> Option<&Known> {
        self.known.iter().find(|known| known.field == field)
    }

    /// The fields in keys that are known, as they are now.
    fn known_fields(&self) -> KeyFields {
        let mut fields = KeyFields::default();
        for known in &self.known {
            fields.set(known.field, known.part.clone());
        }
        fields
    }

    /// All fields in keys, as they will be.
    fn fields(&self) -> KeyFields {
        let mut fields = self.known_fields();
        for (field, part) in self.changed.iter() {
            fields.set(field, part.clone());
        }
        fields
    }

    /// Every index that a changed field stands in gets its new key, and the fields beside it must not change
    /// meanwhile. A new item gets the keys of all its indexes.
    fn change_indexes(&mut self) -> Result<(), Error> {
        let entity = &E::SCHEMA;
        let fields = self.fields();
        let changed = self.changed.clone();
        let is_changed = |field: &str| changed.get(field).is_some();
        let mut attributes = KeyAttributes::with_capacity(2 * entity.indexes.len());
        let mut beside: Vec<&'static str> = Vec::new();
        let operation = self.place.operation;
        let affected = self.affected(&is_changed);
        for (index, affected) in entity.indexes.iter().zip(affected) {
            let known = index.fields().all(|field| fields.get(field).is_some());
            if !(affected || self.may_create && known) {
                continue;
            }
            if !known {
                let missing = index.fields().filter(|field| fields.get(field).is_none());
                let attributes = missing.map(str::to_owned).collect();
                return Err(self.fail(ErrorKind::Incomplete { attributes }));
            }
            fields
                .add_index(self.schema, entity, index, &mut attributes)
                .map_err(key_error(operation))?;
            beside.extend(index.fields().filter(|field| !is_changed(field)));
        }
        for ItemKeyAttribute { name, value } in attributes.finish() {
            self.set_key_attribute(name, value.map(wire::key_value));
        }
        for unique in entity.uniques {
            let fields = unique.template.parts.iter().map(|part| part.field);
            if fields.clone().any(is_changed) {
                let missing = fields.clone().filter(|field| self.known(field).is_none());
                let attributes: Vec<_> = missing.map(str::to_owned).collect();
                if !attributes.is_empty() {
                    return Err(self.fail(ErrorKind::Incomplete { attributes }));
                }
                beside.extend(fields);
            }
        }
        beside.sort_unstable();
        beside.dedup();
        for field in beside {
            self.keep(field)?;
        }
        Ok(())
    }

    /// Which indexes get a new key: those that a changed field stands in, and those that share an attribute
    /// with one of them, as it stays while one of them needs it.
    fn affected(&self, is_changed: &impl Fn(&str) -> bool) -> Vec<bool> {
        let indexes = E::SCHEMA.indexes;
        let mut affected: Vec<bool> = indexes
            .iter()
            .map(|index| index.fields().any(is_changed))
            .collect();
        let own = |index: &EntityIndex| {
            let names = index.halves(self.schema).map(|(key, _)| key.name);
            names
                .filter(|name| !self.schema.is_key(name))
                .collect::<Vec<_>>()
        };
        loop {
            let before = affected.clone();
            for (i, index) in indexes.iter().enumerate() {
                let shares = |(j, other): (usize, &EntityIndex)| {
                    before[j] && own(index).iter().any(|name| own(other).contains(name))
                };
                affected[i] |= indexes.iter().enumerate().any(shares);
            }
            if affected == before {
                return affected;
            }
        }
    }

    /// An index attribute gets its value, in place of what a field of the same name would write. The table's
    /// own key, which an index may share, stays.
    fn set_key_attribute(&mut self, name: &'static str, value: Option<AttributeValue>) {
        if self.schema.is_key(name) {
            return;
        }
        self.actions.retain(|action| action.name() != Some(name));
        let what = value.map_or(What::Remove, What::Set);
        self.actions.push(update::Action::attribute(name, what));
    }

    /// The stored value of a field must be the one that the new keys were made with.
    fn keep(&mut self, field: &'static str) -> Result<(), Error> {
        let in_primary = E::SCHEMA.primary_fields().any(|part| part == field);
        if in_primary {
            return Ok(());
        }
        // A neighbour of two fields may be said twice; where the two differ, one of them is wrong.
        let said: Vec<_> = self.known.iter().filter(|it| it.field == field).collect();
        let Some(known) = said.first() else {
            return Ok(());
        };
        if said.iter().any(|other| other.part != known.part) {
            let attribute = attribute_of(&E::SCHEMA, field).map_or(field, |it| it.name);
            let attribute = attribute.to_owned();
            return Err(self.fail(ErrorKind::Conflict { attribute }));
        }
        let fail = |reason: &String| {
            let attribute = format!("{field}: {reason}");
            self.fail(ErrorKind::Encode { attribute })
        };
        if self.may_create {
            let attributes = vec![field.to_owned()];
            return Err(self.fail(ErrorKind::Incomplete { attributes }));
        }
        let value = known.value.clone().map_err(|reason| fail(&reason))?;
        let unchanged = match attribute_of(&E::SCHEMA, field) {
            Some(attribute) => Unchanged {
                attribute: attribute.name.to_owned(),
                value: self.stored_form(attribute, known).unwrap_or(value),
                hidden: attribute.sensitive,
                counts: false,
            },
            None => match self.key_with(field)? {
                Some(unchanged) => unchanged,
                None => return Ok(()),
            },
        };
        self.unchanged.push(unchanged);
        Ok(())
    }

    /// Where a field's attribute is itself the key of an index, it is stored as the key is written.
    fn stored_form(
        &self,
        attribute: &AttributeSchema,
        known: &Known,
    ) -> Option<Option<AttributeValue>> {
        let part = known.part.clone();
        let fields = KeyFields::default().with(
            known.field,
            part.as_ref().map(crate::key::fields::OwnedPart::value),
        );
        E::SCHEMA.indexes.iter().find_map(|index| {
            let mut halves = index.halves(self.schema);
            let (key, template) = halves.find(|(key, _)| key.name == attribute.name)?;
            let value = fields.build(template, key, &E::SCHEMA).ok()?;
            Some(value.map(wire::key_value))
        })
    }

    /// A field that is stored in keys alone has not changed if such a key has not.
    fn key_with(&self, field: &'static str) -> Result<Option<Unchanged>, Error> {
        let fields = self.known_fields();
        for index in E::SCHEMA.indexes {
            for (key, template) in index.halves(self.schema) {
                if !template.parts.iter().any(|part| part.field == field) {
                    continue;
                }
                let value = fields
                    .build(template, key, &E::SCHEMA)
                    .map_err(key_error(self.place.operation))?;
                return Ok(Some(Unchanged {
                    attribute: key.name.to_owned(),
                    value: value.map(wire::key_value),
                    hidden: E::SCHEMA.is_sensitive(|it| it.field == field),
                    counts: false,
                }));
            }
        }
        Ok(None)
    }

    fn count_version(&mut self) {
        if let Some(version) = version_of(&E::SCHEMA)
            && (self.may_create || !self.actions.is_empty())
        {
            let one = What::Increment(AttributeValue::N("1".into()));
            self.actions
                .push(update::Action::attribute(version.name, one));
        }
    }

    /// An item that an upsert creates has all that an item must have.
    fn complete(&mut self) -> Result<(), Error> {
        for field in E::SCHEMA.primary_fields() {
            let (Some(attribute), Some(known)) =
                (attribute_of(&E::SCHEMA, field), self.known(field))
            else {
                continue;
            };
            let is_key = self.schema.is_key(attribute.name);
            let made = self.actions.iter().any(|it| it.makes(attribute.name));
            if let (false, false, Ok(Some(value))) = (is_key, made, known.value.clone()) {
                let set = update::Action::attribute(attribute.name, What::Set(value));
                self.actions.push(set);
            }
        }
        let entity_type = self.schema.entity_type.zip(E::SCHEMA.entity_type);
        if let Some((attribute, entity_type)) = entity_type {
            let value = What::Set(AttributeValue::S(entity_type.to_owned()));
            self.actions
                .push(update::Action::attribute(attribute, value));
        }
        let required = E::SCHEMA.attributes.iter().filter(|it| it.required);
        let missing = required.filter(|attribute| {
            !self.schema.is_key(attribute.name)
                && !self.actions.iter().any(|it| it.makes(attribute.name))
        });
        let missing = missing.map(|it| it.field);
        // Nor is every field of a key an attribute that must be there: some live in keys alone, some have a
        // default, of which the key would know nothing.
        let fields = self.fields();
        let indexes = E::SCHEMA.indexes.iter().filter(|index| !index.sparse);
        let in_keys = indexes
            .flat_map(EntityIndex::fields)
            .filter(|field| fields.get(field).is_none());
        let mut attributes: Vec<String> = Vec::new();
        for field in missing.chain(in_keys) {
            if !attributes.iter().any(|known| known == field) {
                attributes.push(field.to_owned());
            }
        }
        if attributes.is_empty() {
            Ok(())
        } else {
            Err(self.fail(ErrorKind::Incomplete { attributes }))
        }
    }

    /// What happens to the items of unique constraints.
    fn moves(&self, key: &Item) -> Result<Vec<Write>, Error> {
        let parts = E::SCHEMA.uniques.iter().flat_map(|it| it.template.parts);
        let mut fields = parts.map(|part| part.field);
        if !fields.any(|field| self.changed.get(field).is_some()) {
            return Ok(Vec::new());
        }
        unique::moves(
            &self.place,
            (self.schema, &E::SCHEMA),
            key,
            Some(&self.known_fields()),
            Some(&self.fields()),
        )
    }
}

/// Whether a field stands in the key of an index, or in a unique constraint.
fn is_in_key(entity: &EntitySchema, field: &str) -> bool {
    let mut uniques = entity.uniques.iter().flat_map(|it| it.template.parts);
    let mut indexes = entity.indexes.iter().flat_map(EntityIndex::fields);
    indexes.any(|part| part == field) || uniques.any(|part| part.field == field)
}
