//! The functions that generated code calls. Not part of the public interface: the derive and this
//! crate are released together.

pub use crate::bounds::{
    ItemEntity, Variant, assert_rest, assert_ttl, assert_ttl_time, assert_version,
};
pub use crate::entity::{EpochSeconds, TtlNumber, VersionNumber};
pub use crate::key::build::{
    ConditionValue, argument, optional_argument, optional_value, partition, value,
};
pub use crate::key::declared::key_type;
pub use crate::key::item::KeyAttributes;
pub use crate::key::parse::{parts, split};
pub use crate::key::sort_key::{
    BuildsSortKeys, Complete, FormInOrder, FormSorts, Given, InOrder, InOrderAt, Is, OpenPrefix,
    PartPrefix, Parts, PrefixBuilder, Sorts, SortsAt, form,
};
pub use crate::key::template::Field;
pub use crate::schema::form::{FieldForm, Form, Probe, StoredForm, Unprobed};

use crate::entity::{Entity, IndexedBy, Items, Table};
use crate::error::KeyError;
use crate::index::Primary;
use crate::key::{ItemKeyAttribute, KeyRef};
use crate::schema::{EntitySchema, TableSchema};
#[cfg(feature = "client")]
use crate::schema::{IndexId, message::Verdict};
use core::marker::PhantomData;

/// The field of an entity that is in a vector index: named in one place, so that a field of another
/// type is one error.
pub trait VectorOf {
    type Field: crate::vector::VectorField;
}

/// The number of dimensions of such a field.
#[must_use]
pub const fn dimensions<V: VectorOf>() -> usize {
    <V::Field as crate::vector::VectorField>::DIMENSIONS
}

/// The kind of a field that a search compares.
#[must_use]
pub const fn kind_of<P: crate::key::KeyPart>() -> Option<crate::key::kind::Name> {
    Some(<P::Kind as crate::key::kind::Kind>::NAME)
}

#[cfg(feature = "client")]
#[path = "fuzz.rs"]
pub mod fuzz;

/// Returns the schema of an entity's table. The bound on [`Entity::Table`] reports a type that is
/// not a table; this function does not repeat the error.
#[must_use]
pub const fn table<E: Entity>() -> TableSchema {
    <E::Table as Table>::SCHEMA
}

/// Returns the table of an items enum; see [`table`].
#[must_use]
pub const fn table_of_items<I: Items>() -> TableSchema {
    <I::Table as Table>::SCHEMA
}

/// Returns the names of the table that an items enum names.
#[must_use]
pub const fn names_of_items<I: Items>() -> Option<(&'static str, &'static str)> {
    <I::Table as Table>::NAMES
}

/// The requirements of the items enum for the entity in a variant.
#[derive(Debug)]
pub struct Of<V>(PhantomData<V>);

impl<V: Variant> Of<V> {
    pub const SCHEMA: &'static EntitySchema = &<V::Entity as Entity>::SCHEMA;
    pub const TABLE: TableSchema = table::<V::Entity>();

    #[must_use]
    pub fn is_key(pk: KeyRef<'_>, sk: Option<KeyRef<'_>>) -> bool {
        <V::Entity as IndexedBy<Primary>>::parse(pk, sk).is_ok()
    }

    pub fn key_attributes(entity: &V::Entity) -> Result<Vec<ItemKeyAttribute>, KeyError> {
        entity.key_attributes()
    }
}

/// The rules that need two declarations.
pub mod check {
    pub use crate::schema::check::{Rules, distinct, same_table, stored_form};
    #[cfg(feature = "client")]
    pub(super) use crate::schema::check::{index, projection};
}

/// Requires that the index of a projection is declared.
#[cfg(feature = "client")]
pub const fn projected_from<P: crate::read::Projection>(id: IndexId) -> Verdict {
    check::index(&table::<P::Of>(), &<P::Of as Entity>::SCHEMA, id)
}

/// Requires that a field of a projection exists.
#[cfg(feature = "client")]
pub const fn projected<P: crate::read::Projection>(
    id: Option<IndexId>,
    field: &str,
    attribute: &str,
) -> Verdict {
    let entity = &<P::Of as Entity>::SCHEMA;
    check::projection(&table::<P::Of>(), entity, id, field, attribute)
}

/// Formats a struct for `Debug`: one call for all fields, because each call costs compile time.
pub fn show(
    f: &mut core::fmt::Formatter<'_>,
    name: &str,
    fields: &[(&str, &dyn core::fmt::Debug)],
) -> core::fmt::Result {
    let mut shown = f.debug_struct(name);
    for (name, value) in fields {
        shown.field(name, value);
    }
    shown.finish()
}

/// The body of a method that cannot be called. It is a function, because each use of a macro takes
/// compile time.
#[cfg(feature = "client")]
pub fn never<T>() -> T {
    unreachable!()
}

/// Stands for the table of an entity that names none.
#[derive(Debug)]
pub struct NoTable;

impl Table for NoTable {
    type Slots = crate::membership::OneEntity;
    type Scans = crate::membership::AnyEntity;
    const NAMES: Option<(&'static str, &'static str)> = None;

    const BARE: crate::schema::TableSchema = crate::schema::TableSchema::incomplete("");

    const SCHEMA: crate::schema::TableSchema = Self::BARE;
}

#[cfg(feature = "client")]
pub use crate::expr::change::{
    Addend, AnyValue, Attribute, ByKey, Change, Elements, ImmutableSlot, InKey, Loaded, NeverUsed,
    NewOrExisting, Optional, OwnAttribute, Plain, RawTarget, Removable, Remove, Required, StubSlot,
    Target, ValueOf, Way,
};
#[cfg(feature = "client")]
pub use crate::expr::encoded::{Encoding, StoredAs, encoded};
#[cfg(feature = "client")]
pub use crate::key::fields::{KeyFields, OwnedPart};
#[cfg(feature = "client")]
pub use crate::op::{
    Anywhere, AttributeName, ConsistentRead, DeleteRequest, Encodable, EntityItem, Expires,
    HasFields, KnownFields, NoImmutables, NoUniques, OpenQuery, Partitions, PartitionsOf,
    ProjectedFrom, Projects, ProjectsAll, ReadBack, Searchable, SomeImmutables, SomeUniques, Stamp,
    StampOn, Stamped, Touched, TypedTable, UnknownVersion, Unversioned, Versioned, WithVersion,
    WithoutImmutable, WithoutUnique, WithoutVersion, Writable, known, maybe_known,
};
#[cfg(feature = "client")]
pub use crate::wire::EncodeError;
#[cfg(feature = "client")]
pub use crate::wire::{Decodable, ItemKeys, OwnedFields, ReadItems, Readable, Serde, StoredItem};
#[cfg(feature = "client")]
pub use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
#[cfg(feature = "client")]
pub use aws_sdk_dynamodb::types::AttributeValue;
#[cfg(feature = "client")]
pub use serde::Serialize;
#[cfg(feature = "client")]
pub use serde::de::DeserializeOwned;

/// Returns what serde writes of a value.
#[cfg(feature = "client")]
pub fn serialize<T: Serialize + ?Sized, S: serde::Serializer>(
    value: &T,
    to: S,
) -> Result<S::Ok, S::Error> {
    value.serialize(to)
}

/// Returns no condition on the sort key.
#[cfg(feature = "client")]
pub fn any_sort_key() -> Result<crate::key::range::SortCondition, KeyError> {
    Ok(crate::key::range::SortCondition::Any)
}

/// Returns a constant sort key.
#[cfg(feature = "client")]
pub fn literal_sort_key(text: &str) -> Result<crate::key::range::SortCondition, KeyError> {
    Ok(crate::key::range::SortCondition::Equals(
        crate::key::KeyValue::S(text.to_owned()),
    ))
}
