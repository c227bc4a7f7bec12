//! The declarations, as data.
//!
//! The derives build these values at compile time; the compile-time checks and every output read
//! them. Start at [`Table::SCHEMA`](crate::Table::SCHEMA) or
//! [`Entity::SCHEMA`](crate::Entity::SCHEMA).

mod attribute;
#[cfg(feature = "client")]
pub(crate) mod backups;
pub(crate) mod check;
mod constant;
pub(crate) mod create;
#[cfg(feature = "client")]
pub(crate) mod deploy;
mod entity;
mod entity_builder;
pub(crate) mod form;
#[cfg(feature = "client")]
pub(crate) mod found;
mod index;
pub(crate) mod message;
#[cfg(feature = "client")]
pub mod plan;
mod table;
#[cfg(feature = "client")]
pub(crate) mod undeclared;
mod unique;
mod vector;

pub(crate) use attribute::Absent;
pub use attribute::{AttributeRole, AttributeSchema};
pub use constant::{Constant, ConstantValue};
pub use entity::EntitySchema;
pub(crate) use entity::look;
pub use index::{EntityIndex, IndexCondition};
pub use unique::UniqueSchema;

pub use crate::key::template::{
    EpochUnit, Form, PartSchema, Precision, Role, Spec, Template, TimePiece, Transform,
};
pub use table::{
    Billing, Encryption, IndexId, IndexSchema, KeyAttribute, KeyType, Projection, Stream,
    TableClass, TableSchema, Throughput,
};
#[cfg(feature = "client")]
pub(crate) use vector::type_filter;
pub use vector::{Distance, EntityVector, VectorIndexSchema};
