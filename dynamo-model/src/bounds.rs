//! Bounds of methods, and the marker types in them, under public paths: compile errors show them.
//!
//! The derives and this crate implement them. Code names them where it is generic over entities,
//! indexes or attributes; the compiler names them where something is missing.

#[cfg(feature = "client")]
pub use crate::clock::ClockTime;
pub use crate::entity::{EpochSeconds, IndexedBy, KeyParts, TtlNumber, VersionNumber};
#[cfg(feature = "client")]
pub use crate::expr::change::{
    Addend, Attribute, Elements, Existing, ImmutableSlot, InKey, Mutable, NewOrExisting, Optional,
    OwnAttribute, Plain, Removable, Remove, Required, Target, ValueOf,
};
#[cfg(feature = "client")]
pub use crate::expr::free_form::FreeForm;
pub use crate::key::build::ConditionValue;
pub use crate::key::sort_key::{
    BuildsSortKeys, Complete, Ended, Given, HasPrefixWithin, OpenPrefix, OpenRange, PartPrefix,
    Parts,
};
pub use crate::key::template::Field;
pub use crate::membership::{InItems, ItemsEnum, MayScan, SeveralEntitiesNeedAnItemsEnum};
#[cfg(feature = "client")]
pub use crate::op::{
    Anywhere, CanWrite, CarriedBy, ConsistentRead, Contains, Decodes, Encodable, Expires,
    HasFields, NoImmutables, NoUniques, OpenQuery, ProjectedFrom, ProjectsAll, ReadBack,
    Searchable, SomeImmutables, SomeUniques, Stamp, Touched, TypedIn, UnknownVersion, Unversioned,
    Versioned, WholeItems, WithConditions, WithVersion, WithoutImmutable, WithoutUnique,
    WithoutVersion, Writable,
};
pub use crate::value::rest::RestField;
pub use crate::vector::VectorField;
#[cfg(feature = "client")]
pub use crate::wire::{Decodable, OwnedFields, ReadItems, Readable, Serde};

use crate::index::Primary;

/// One variant of an items enum, as a separate type, so that a type that is not an entity is
/// reported only there.
pub trait Variant {
    /// The entity in the variant.
    type Entity: ItemEntity;
}

/// A type that a variant of an items enum can hold; the derive implements it next to `Entity`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    label = "not an entity",
    note = "write `#[derive(DynamoEntity)]`, `#[dynamo(table = …)]` and `#[pk(\"…\")]` on it"
)]
pub trait ItemEntity: IndexedBy<Primary> {}

/// The type of a `#[dynamo(optional)]` field: an alias of an `Option`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an alias of `Option`",
    label = "not an `Option`",
    note = "remove `#[dynamo(optional)]`, or declare the field as an `Option`"
)]
pub trait OptionAlias {
    /// The type inside the `Option`.
    type Value;
}

impl<T> OptionAlias for Option<T> {
    type Value = T;
}

/// For generated code: the type of a `#[dynamo(version)]` field.
#[doc(hidden)]
pub const fn assert_version<T: VersionNumber>() {}

/// For generated code: the type of a `#[dynamo(ttl)]` field.
#[doc(hidden)]
pub const fn assert_ttl<T: TtlNumber>() {}

/// For generated code: the type of a `#[dynamo(ttl)]` field that serde writes with a function.
#[doc(hidden)]
pub const fn assert_ttl_time<T: EpochSeconds>() {}

/// For generated code: the type of a `#[dynamo(rest)]` field.
#[doc(hidden)]
pub const fn assert_rest<T: RestField>() {}
