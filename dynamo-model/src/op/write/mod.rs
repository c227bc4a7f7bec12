//! Writing: put, merge, create, update, upsert, delete; batches and transactions of them.
//!
//! Every operation is prepared the same way, into a [`PreparedWrite`]: the item, the action, the condition,
//! and the meaning of a failed condition. It is sent alone, or with others in a transaction.

mod batch_write;
mod can_write;
mod check;
mod delete;
mod failure;
mod immutable;
mod item;
mod native;
mod own_type;
mod prepared;
mod put;
mod returns;
mod store;
mod transaction;
mod ttl;
mod unique;
mod update;
mod update_plan;

pub use batch_write::{BatchWrite, Progress, Unwritten};
pub use can_write::{CanWrite, WithConditions};
pub use check::Check;
pub use delete::{Delete, DeleteRequest};
pub(crate) use failure::{Guard, Presence, Unchanged};
pub use item::EntityItem;
pub(crate) use item::{add_keys, version_of};
pub(crate) use prepared::{Action, PreparedWrite};
pub use put::{Create, Merge, Put};
pub use returns::{New, Old, Updated, UpdatedNew, UpdatedOld};
pub use transaction::{FixedSize, Transaction, TransactionWrite, WrittenItems};
pub(crate) use transaction::{check as check_together, send as send_together};
pub(crate) use unique::{
    Holder, Owner, claims_of as unique_claims, current, has_same_owner, is_of_value, is_owned_by,
    moves as unique_moves, owner_text,
};
pub use update::{Expires, Update, Upsert};

use crate::clock::{self, ClockTime, Moment};
use crate::db::Dynamo;
use crate::entity::{Entity, Items, Table};
use crate::error::{ContextKey, Error, ErrorContext, KeyError};
use crate::expr::change::Known;
use crate::expr::encoded::Encoding;
use crate::key::fields::{KeyFields, OwnedPart};
use crate::key::{AsOptionalKeyPart, KeyPart, PartValue};
use crate::membership::WithoutTypeCheck;
use crate::schema::{EntitySchema, PartSchema, TableSchema, Template};
use crate::wire::{AttributeHandlings, Decodable, Readable, Serde, StoredItem, Unwritable};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The requirements on an entity, besides its keys, for writing it. Implemented by the derive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    label = "not an entity",
    note = "write `#[derive(DynamoEntity)]`, `#[dynamo(table = …)]` and `#[pk(\"…\")]` on it"
)]
pub trait Writable: Entity {
    /// The entity itself. Bounds on it apply only to entities: a type that is not one produces one
    /// error.
    type Whole;
    #[doc(hidden)]
    fn whole(&self) -> &Self::Whole;

    /// [`NoUniques`], or [`SomeUniques`] where there are constraints.
    type Uniques;

    /// [`Unversioned`], or [`Versioned`] where there is a `#[dynamo(version)]` field.
    type Version;

    /// [`AnyType`](crate::membership::AnyType), or [`OwnTypeOnly`](crate::membership::OwnTypeOnly)
    /// where every write checks the entity type.
    type TypeCheck;

    /// [`NoImmutables`], or [`SomeImmutables`] where there is a `#[dynamo(immutable)]` field.
    type Immutables;

    /// The attributes that an update can name. `K` says how much of the item is known.
    type Changes<K>;
    #[doc(hidden)]
    fn changes<K>() -> Self::Changes<K>;

    /// Returns the values of the fields in keys or unique constraints.
    fn key_fields(&self) -> KeyFields {
        KeyFields::of(self, const { &Self::SCHEMA })
    }

    /// The same values, from a stored item: called only if there are unique constraints.
    fn stored_fields(item: StoredItem<'_>) -> Result<KeyFields, Error> {
        let _ = item;
        Ok(KeyFields::default())
    }

    /// The fields that every write sets from the clock.
    const STAMPS: &'static [Stamp] = &[];
}

/// The declaration of an entity, as data. Code that uses it instead of the type is compiled once
/// for all entities.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) table: &'static TableSchema,
    pub(crate) entity: &'static EntitySchema,
    pub(crate) stamps: &'static [Stamp],
}

impl Declared {
    pub(crate) const fn of<E: Writable>() -> Self {
        Self {
            table: const { &<E::Table as Table>::SCHEMA },
            entity: const { &E::SCHEMA },
            stamps: E::STAMPS,
        }
    }

    /// The declaration of an unknown item of an items enum.
    pub(crate) const fn unknown<I: Items>() -> Self {
        Self {
            table: const { &<I::Table as Table>::SCHEMA },
            entity: const { &EntitySchema::incomplete("UnknownItem") },
            stamps: &[],
        }
    }

    /// How the attributes are written.
    pub(crate) fn forms(self) -> AttributeHandlings {
        AttributeHandlings::forms(self.table, self.entity)
    }

    /// An operation on an item with this key.
    pub(crate) fn context(
        self,
        db: &Dynamo,
        operation: &'static str,
        key: Option<ContextKey>,
    ) -> ErrorContext {
        ErrorContext::new(db, operation, (self.table, self.entity), key)
    }
}

/// A type that serde can write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written",
    label = "without `serde::Serialize`",
    note = "write `#[derive(serde::Serialize)]` on it"
)]
pub trait Encodable: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Encodable for T {}

/// Any entity that can be stored, for functions of your own that take all of them.
///
/// ```
/// use dynamo_model::{Dynamo, Entity, Error};
/// use dynamo_model::read::Loadable;
/// use dynamo_model::write::Storable;
///
/// async fn replace<E: Storable + Loadable>(db: &Dynamo, entity: &E) -> Result<Option<E>, Error> {
///     entity.put().return_old().send(db).await
/// }
/// ```
pub trait Storable: Writable<Whole: Encodable> {}

#[diagnostic::do_not_recommend]
impl<E: Writable<Whole: Encodable>> Storable for E {}

/// Any entity that a batch can store: one without unique constraints, version and immutable fields,
/// which a batch could not check.
///
/// ```
/// use dynamo_model::{BatchWrite, Dynamo, Error};
/// use dynamo_model::batch::Batchable;
///
/// async fn store<E: Batchable>(db: &Dynamo, entities: &[E]) -> Result<(), Error> {
///     BatchWrite::new().puts(entities).send(db).await
/// }
/// ```
pub trait Batchable:
    Importable + Writable<Version: WithoutVersion<Self>, Immutables: WithoutImmutable<Self>>
{
}

#[diagnostic::do_not_recommend]
impl<E> Batchable for E where
    E: Importable + Writable<Version: WithoutVersion<E>, Immutables: WithoutImmutable<E>>
{
}

/// Any entity that [`BatchWrite::load`] can import: one without unique constraints, whose writes do
/// not check the entity type.
///
/// ```
/// use dynamo_model::{BatchWrite, Dynamo, Error};
/// use dynamo_model::batch::Importable;
///
/// async fn import<E: Importable + Send>(db: &Dynamo, entities: Vec<E>) -> Result<(), Error> {
///     BatchWrite::new().load(entities).send(db).await
/// }
/// ```
pub trait Importable:
    Writable<Whole: Encodable, Uniques: WithoutUnique<Self>, TypeCheck: WithoutTypeCheck<Self>>
{
}

#[diagnostic::do_not_recommend]
impl<E> Importable for E where
    E: Writable<Whole: Encodable, Uniques: WithoutUnique<E>, TypeCheck: WithoutTypeCheck<E>>
{
}

/// Any entity that can be read; see [`Storable`].
pub trait Loadable: Readable + DeserializeOwned + Decodable<Serde> {}

#[diagnostic::do_not_recommend]
impl<E: Readable + DeserializeOwned + Decodable<Serde>> Loadable for E {}

/// An entity with unique constraints: a write may have to read the stored item.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a unique constraint, so its writes read the stored item, and `{Self}` cannot be read",
    label = "needs `serde::Deserialize`",
    note = "write `#[derive(serde::Deserialize)]` on it"
)]
pub trait ReadBack: Writable {
    #[doc(hidden)]
    fn read_back(item: StoredItem<'_>) -> Result<KeyFields, Error>;
}

#[diagnostic::do_not_recommend]
impl<E: Writable + Decodable<Serde>> ReadBack for E {
    fn read_back(item: StoredItem<'_>) -> Result<KeyFields, Error> {
        Ok(<Self as Decodable<Serde>>::decode(item)?.key_fields())
    }
}

/// The entity has no unique constraints.
#[derive(Debug)]
pub struct NoUniques;

/// The entity has unique constraints.
#[derive(Debug)]
pub struct SomeUniques;

/// The bound on [`Writable::Uniques`] for an operation that cannot write unique items.
#[diagnostic::on_unimplemented(
    message = "`{E}` has a unique constraint, which this operation cannot keep",
    label = "needs a transaction",
    note = "use `item.create()`, `item.put()`, `item.update()` or `item.delete()`, which write the constraint's own item along"
)]
pub trait WithoutUnique<E> {}

impl<E> WithoutUnique<E> for NoUniques {}

/// The entity has a `#[dynamo(version)]` field.
#[derive(Debug)]
pub struct Versioned;

/// The entity has no `#[dynamo(version)]` field.
#[derive(Debug)]
pub struct Unversioned;

/// A declaration with an error: accepts any version.
#[derive(Debug)]
pub struct UnknownVersion;

/// The bound on [`Writable::Version`] for checking or keeping a version.
#[diagnostic::on_unimplemented(
    message = "`{E}` has no version",
    label = "no `#[dynamo(version)]` field",
    note = "write `#[dynamo(version)]` on an integer field of `{E}`, or compare another attribute with `.condition(…)`"
)]
pub trait WithVersion<E> {}

impl<E> WithVersion<E> for Versioned {}

#[diagnostic::do_not_recommend]
impl<E> WithVersion<E> for UnknownVersion {}

/// The bound on [`Writable::Version`] for an operation that cannot check a version.
#[diagnostic::on_unimplemented(
    message = "`{E}` has a version, which a batch cannot check",
    label = "needs a condition",
    note = "use `item.put()` or a transaction, which check the version; `.load(…)` imports items with the versions that they have"
)]
pub trait WithoutVersion<E> {}

impl<E> WithoutVersion<E> for Unversioned {}

#[diagnostic::do_not_recommend]
impl<E> WithoutVersion<E> for UnknownVersion {}

/// The entity has no `#[dynamo(immutable)]` field.
#[derive(Debug)]
pub struct NoImmutables;

/// The entity has a `#[dynamo(immutable)]` field.
#[derive(Debug)]
pub struct SomeImmutables;

/// The bound on [`Writable::Immutables`] for an operation that cannot compare a stored value.
#[diagnostic::on_unimplemented(
    message = "`{E}` has an immutable field, which a batch cannot compare with the stored one",
    label = "needs a condition",
    note = "use `item.put()` or a transaction, which keep the field; `.load(…)` imports items as they are"
)]
pub trait WithoutImmutable<E> {}

impl<E> WithoutImmutable<E> for NoImmutables {}

/// An entity with an `#[dynamo(updated_at)]` field. Implemented by the derive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `updated_at` field",
    label = "no `#[dynamo(updated_at)]` field",
    note = "remove `.keep_updated_at()`"
)]
pub trait Touched {}

/// A field that is set from the clock.
#[derive(Debug)]
pub struct Stamp {
    pub(crate) field: &'static str,
    pub(crate) attribute: &'static str,
    pub(crate) on: StampOn,
    pub(crate) value: fn(Moment) -> Result<Stamped, String>,
}

/// When a field is set from the clock.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StampOn {
    Create,
    Write,
}

/// The time, as the field has it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Stamped {
    pub(crate) value: AttributeValue,
    pub(crate) part: OwnedPart,
}

impl Stamp {
    /// For generated code: a field of type `T`.
    #[must_use]
    pub const fn new<T>(field: &'static str, attribute: &'static str, on: StampOn) -> Self
    where
        T: ClockTime,
    {
        Self {
            field,
            attribute,
            on,
            value: stamped::<T>,
        }
    }

    /// For generated code: a field of type `F`, a `T` or an option of one, that serde writes with a
    /// function.
    #[must_use]
    pub const fn encoded<T, W>(field: &'static str, attribute: &'static str, on: StampOn) -> Self
    where
        T: ClockTime,
        W: Encoding<Field: From<T>>,
    {
        Self {
            field,
            attribute,
            on,
            value: stamped_by::<T, W>,
        }
    }

    /// Returns whether an attribute has no time yet: it is absent, empty, or the beginning of 1970,
    /// the default of the types of times and numbers.
    fn is_unset(&self, value: Option<&AttributeValue>) -> bool {
        match value {
            None | Some(AttributeValue::Null(_)) => true,
            Some(AttributeValue::S(text)) if text.is_empty() => true,
            Some(value) => (self.value)(Moment::EPOCH)
                .is_ok_and(|epoch| crate::wire::values_eq(&epoch.value, value)),
        }
    }

    /// The time, no finer than the key that the field is stored in.
    fn at(&self, declared: Declared, now: Moment) -> Result<Stamped, Unwritable> {
        let Declared { table, entity, .. } = declared;
        let own = [Some((table.pk, entity.pk)), table.sk.zip(entity.sk)];
        let indexes = entity.indexes.iter();
        let indexes = indexes.flat_map(|index| index.halves(table));
        let mut keys = own.into_iter().flatten().chain(indexes);
        let seconds =
            keys.any(|(key, template)| key.name == self.attribute && self.is_in_seconds(template));
        let stamped = (self.value)(if seconds { now.whole_seconds() } else { now });
        stamped.map_err(|reason| Unwritable::new(self.attribute, reason))
    }

    fn is_in_seconds(&self, template: &Template) -> bool {
        let seconds = |part: &PartSchema| {
            part.field == self.field && part.spec.form.fraction_digits() == Some(0)
        };
        template.is_bare() && template.parts.iter().any(seconds)
    }
}

fn stamped<T: ClockTime>(now: Moment) -> Result<Stamped, String> {
    let value: T = clock::value(now).map_err(|error| error.to_string())?;
    Ok(Stamped {
        part: value.to_part().into(),
        value: crate::wire::value(&value).map_err(|error| error.to_string())?,
    })
}

fn stamped_by<T: ClockTime, W: Encoding<Field: From<T>>>(now: Moment) -> Result<Stamped, String> {
    let value: T = clock::value(now).map_err(|error| error.to_string())?;
    let part = value.to_part().into();
    let value = W::encode(&value.into()).map_err(|error| error.to_string())?;
    Ok(Stamped { value, part })
}

/// The known values of a write by key: the fields of its key, and the given ones.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct KnownFields(pub(crate) Vec<Known>);

impl KnownFields {
    /// For generated code: all at once, as a chain of calls takes the compiler longer.
    #[must_use]
    pub fn of<const N: usize>(fields: [Known; N]) -> Self {
        Self(fields.into())
    }
}

/// For generated code: a field of the key.
#[doc(hidden)]
pub fn known<S: KeyPart + Serialize>(field: &'static str, value: PartValue<'_>) -> Known {
    Known::of::<S>(field, Some(value))
}

/// For generated code: an optional field.
#[doc(hidden)]
pub fn maybe_known<S, T, A>(field: &'static str, argument: &A) -> Known
where
    S: KeyPart + Serialize,
    T: KeyPart + ?Sized,
    A: AsOptionalKeyPart<T>,
{
    Known::of::<S>(field, argument.as_optional_part())
}

/// A key that could not be built, kept until the write is sent.
type Prepared<T> = Result<T, KeyError>;
