//! Deleting items.

use super::failure::{Guard, Presence, Unchanged};
use super::item::{key_error, version_of};
use super::own_type::OwnType;
use super::prepared::{Action, PreparedWrite, explain_transaction};
use super::returns::{Old, Returns, Written};
use super::store::both;
use super::{Declared, Encodable, Prepared, Writable, transaction, unique};
use crate::Condition;
use crate::db::Dynamo;
use crate::entity::Items;
use crate::error::{Error, ErrorContext, ErrorKind, KeyError};
use crate::expr::IntoCondition;
use crate::key::ItemKeyAttribute;
use crate::key::fields::KeyFields;
use crate::key::{Key, RawKey};
use crate::op::backoff;
use crate::op::bounds::{Anywhere, HasFields};
use crate::request::{Explain, ReturnValues};
use crate::wire::{self, Item, ItemKey, RawItem, StoredItem};
use aws_sdk_dynamodb::types::AttributeValue;
use core::marker::PhantomData;

const OPERATION: &str = "delete";

/// Deletes an item; made by the `delete(…)` of an entity, which takes the fields of its key, and by
/// [`Entity::delete`](crate::Entity::delete) of an item that was read.
///
/// Deleting a missing item succeeds, unless the item was read with a `#[dynamo(version)]`, or
/// [`must_exist`](Self::must_exist) requires it.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind, Table};
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
///     active: bool,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// User { user_id: "u1".into(), active: true }.create().send(&db).await?;
///
/// let error = User::delete("u1").condition(|user| user.active().eq(false)).send(&db).await.unwrap_err();
/// assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
/// assert!(error.item::<User>()?.unwrap().active); // what was there
///
/// let old = User::delete("u1").return_old().send(&db).await?;
/// assert!(old.is_some());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is deleted until `send`"]
pub struct Delete<E, R = ()> {
    pub(super) request: DeleteRequest,
    of: PhantomData<fn() -> (E, R)>,
}

/// An item of any entity to delete, and the conditions for it.
#[doc(hidden)]
pub struct DeleteRequest {
    key: Prepared<RawKey>,
    declared: Declared,
    stored_fields: fn(StoredItem<'_>) -> Result<KeyFields, Error>,
    condition: Option<Condition>,
    presence: Presence,
    version: Option<Unchanged>,
    /// Of an item that was read: its fields, and itself, if it has unique constraints.
    loaded: Option<(KeyFields, Result<Item, wire::Unwritable>)>,
}

/// Hides the item, which may contain a sensitive field.
impl core::fmt::Debug for DeleteRequest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Delete")
            .field("entity", &self.declared.entity.entity)
            .field("condition", &self.condition)
            .finish_non_exhaustive()
    }
}

impl<E, R> core::fmt::Debug for Delete<E, R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.request.fmt(f)
    }
}

impl<E> Delete<E> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(key: Prepared<Key<E>>) -> Self
    where
        E: Writable,
    {
        Self::of(DeleteRequest::by_key(key))
    }

    pub(crate) fn loaded(request: DeleteRequest) -> Self {
        Self::of(request)
    }
}

/// Returns the version that an item was read with; 0 means none.
pub(super) fn known_version(attribute: &str, item: &Item) -> Unchanged {
    let zero = AttributeValue::N("0".into());
    let version = item.get(attribute).filter(|it| **it != zero);
    Unchanged::version(attribute, version.cloned())
}

impl<E, R> Delete<E, R> {
    fn of(request: DeleteRequest) -> Self {
        Self {
            request,
            of: PhantomData,
        }
    }

    /// Requires this of the item. Several conditions must all be met.
    pub fn condition<C>(mut self, condition: impl FnOnce(E::Fields<Anywhere>) -> C) -> Self
    where
        E: HasFields,
        C: IntoCondition,
    {
        let condition = condition(E::fields()).into_condition();
        self.request.condition = both(self.request.condition, condition);
        self
    }

    /// Fails with [`ErrorKind::NotFound`] on a missing item.
    pub fn must_exist(mut self) -> Self {
        self.request.presence = Presence::Present;
        self
    }

    /// Accepts any version.
    pub fn any_version(mut self) -> Self {
        self.request.version = None;
        self
    }

    /// Makes `send` return the old item.
    pub fn return_old(self) -> Delete<E, Old> {
        Delete::of(self.request)
    }
}

impl<E, R: Returns<E>> Delete<E, R> {
    /// Deletes it.
    pub async fn send(self, db: &Dynamo) -> Result<R::Output, Error> {
        let (context, item) = self.request.send(db, R::WIRE).await?;
        let context = &context;
        R::output(Written { context, item }).map_err(Error::done)
    }

    /// Returns the request, and sends nothing. With unique values, it is a transaction with their
    /// items.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        self.request.explain(db, R::WIRE)
    }
}

impl DeleteRequest {
    fn by_key<E: Writable>(key: Prepared<Key<E>>) -> Self {
        Self::of(
            key.map(Key::into_raw),
            Declared::of::<E>(),
            E::stored_fields,
        )
    }

    fn of(
        key: Prepared<RawKey>,
        declared: Declared,
        stored_fields: fn(StoredItem<'_>) -> Result<KeyFields, Error>,
    ) -> Self {
        Self {
            key,
            declared,
            stored_fields,
            condition: None,
            presence: Presence::Any,
            version: None,
            loaded: None,
        }
    }

    /// Deletes an item that was read.
    pub(crate) fn loaded<E: Writable<Whole: Encodable>>(entity: &E) -> Self {
        let mut this = Self::by_key(entity.primary_key());
        let has_version = version_of(&E::SCHEMA).is_some();
        if !has_version && E::SCHEMA.uniques.is_empty() {
            return this;
        }
        let mut item = wire::to_item(entity.whole(), Declared::of::<E>().forms());
        // As it is stored.
        if let (Ok(item), Ok(keys)) = (&mut item, entity.key_attributes()) {
            for ItemKeyAttribute { name, value } in keys {
                item.extend(value.map(|value| (name.to_owned(), wire::key_value(value))));
            }
        }
        if let (Some(version), Ok(item)) = (version_of(&E::SCHEMA), &item) {
            this.version = Some(known_version(version.name, item));
        }
        this.loaded = Some((entity.key_fields(), item));
        this
    }

    /// For generated code: an unknown item of an items enum, which cannot be deleted.
    #[must_use]
    pub fn unknown<I: Items>() -> Self {
        Self::of(
            Err(KeyError::unknown_item(I::NAME)),
            Declared::unknown::<I>(),
            |_| Ok(KeyFields::default()),
        )
    }

    /// Returns the request without sending it.
    fn explain(&self, db: &Dynamo, returned: ReturnValues) -> Result<Explain, Error> {
        if self.declared.entity.uniques.is_empty() {
            return self.write(db)?.explain(returned);
        }
        match self.known_writes(db) {
            Some(writes) => explain_transaction([writes?], false),
            None => explain_transaction([vec![self.write(db)?]], true),
        }
    }

    /// Without those of unique constraints.
    pub(super) fn write(&self, db: &Dynamo) -> Result<PreparedWrite, Error> {
        let write = self.unguarded(db)?;
        write.guarded(self.guard(), self.condition.clone())
    }

    fn guard(&self) -> Guard {
        Guard {
            presence: self.presence,
            unchanged: self.version.iter().cloned().collect(),
            ..Guard::default()
        }
    }

    fn unguarded(&self, db: &Dynamo) -> Result<PreparedWrite, Error> {
        let key = ItemKey::from(self.key.clone().map_err(key_error(OPERATION))?);
        let context = self.declared.context(db, OPERATION, Some((&key).into()));
        let declared = (self.declared.table, Some(self.declared.entity));
        Ok(PreparedWrite::new(
            context,
            declared,
            key,
            Action::Delete,
            0,
        ))
    }

    /// Returns the writes with those of unique constraints, for the current item, or for a missing
    /// one.
    fn writes(
        &self,
        db: &Dynamo,
        write: PreparedWrite,
        (fields, item): (Option<&KeyFields>, Option<&Item>),
    ) -> Result<Vec<PreparedWrite>, Error> {
        let (context, schema, key) = (write.context.clone(), write.schema, write.key.clone());
        let entity = self.declared.entity;
        let mut guard = self.guard();
        match item {
            Some(item) => guard
                .unchanged
                .extend(unique::unchanged((schema, entity), item)),
            None => guard = guard.of_absent(&context)?,
        }
        let mut writes = vec![write.guarded(guard, self.condition.clone())?];
        let owner = unique::Owner {
            db,
            context: &context,
            schema,
            entity,
            key: &key,
        };
        let from = fields.map(|fields| unique::Holder { fields, ttl: None });
        writes.extend(unique::moves(owner, from, None)?);
        Ok(writes)
    }

    /// Returns all writes, if the item was read before or has no unique constraints.
    pub(super) fn known_writes(&self, db: &Dynamo) -> Option<Result<Vec<PreparedWrite>, Error>> {
        if self.declared.entity.uniques.is_empty() {
            return Some(self.write(db).map(|write| vec![write]));
        }
        let (fields, item) = self.loaded.as_ref()?;
        Some(self.unguarded(db).and_then(|write| match item {
            Ok(item) => self.writes(db, write, (Some(fields), Some(item))),
            Err(error) => Err(error.clone().at(&write.context)),
        }))
    }

    /// Returns all writes, after reading the item.
    pub(super) async fn read_writes(
        &self,
        db: &Dynamo,
    ) -> Result<(Vec<PreparedWrite>, Option<Item>), Error> {
        let write = self.unguarded(db)?;
        let old = unique::current(db, &write.context, write.key.to_item(write.schema)).await?;
        if let Some((own, old)) = OwnType::of(write.schema, write.entity).zip(old.as_ref()) {
            own.check(&write.context, old)?;
        }
        let fields = old.as_ref();
        let fields = fields
            .map(|item| (self.stored_fields)(StoredItem::new(&write.context, item.clone())))
            .transpose()?;
        let writes = self.writes(db, write, (fields.as_ref(), old.as_ref()))?;
        Ok((writes, old))
    }

    /// Returns whether the only failure is that the item changed since it was read.
    pub(super) fn was_overtaken(&self, error: &Error) -> bool {
        let version = self.version.as_ref().map(|it| &it.attribute);
        self.loaded.is_none()
            && match error.kind() {
                ErrorKind::Conflict { attribute } => version != Some(attribute),
                ErrorKind::NotFound => self.presence == Presence::Any && version.is_none(),
                ErrorKind::AlreadyExists => true,
                _ => false,
            }
    }

    /// Deletes it; returns the old item on request.
    async fn send(
        self,
        db: &Dynamo,
        returned: ReturnValues,
    ) -> Result<(ErrorContext, Option<RawItem>), Error> {
        if self.declared.entity.uniques.is_empty() {
            let write = self.write(db)?;
            let item = write.send(db, returned).await?;
            return Ok((write.context, item));
        }
        let mut attempts = 1;
        loop {
            let (writes, old) = match self.known_writes(db) {
                Some(writes) => (writes?, None),
                None => self.read_writes(db).await?,
            };
            let context = writes[0].context.clone();
            let old = match (old, returned) {
                (None, ReturnValues::AllOld) => {
                    let key = writes[0].key.to_item(writes[0].schema);
                    unique::current(db, &context, key).await?
                }
                (old, _) => old,
            };
            match transaction::send(db, &context, writes, None).await {
                Ok(()) => return Ok((context, old.map(Into::into))),
                Err(error) if attempts < backoff::ATTEMPTS && self.was_overtaken(&error) => {
                    backoff::wait(attempts).await;
                    attempts += 1;
                }
                Err(error) if self.was_gone(&error) => return Ok((context, None)),
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns whether the item is deleted already, and neither `must_exist` nor a version requires
    /// it.
    fn was_gone(&self, error: &Error) -> bool {
        let version = self.version.as_ref().and_then(|it| it.value.as_ref());
        let may_be_gone = self.presence == Presence::Any && version.is_none();
        may_be_gone && self.condition.is_none() && *error.kind() == ErrorKind::NotFound
    }
}
