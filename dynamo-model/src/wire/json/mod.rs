//! DynamoDB JSON: `{"name":{"S":"太郎"},"age":{"N":"42"}}`.
//!
//! [`scan`] and [`walk`] pass over it, [`text`] handles its strings, [`read`] decodes Rust values
//! and [`write`] encodes them; [`attribute`] does both for the SDK's values.

pub(super) mod access;
pub(super) mod attribute;
pub(super) mod body_reader;
mod float;
pub(crate) mod item;
pub(super) mod name;
pub(crate) mod object;
pub(crate) mod operand;
pub(super) mod read;
pub(super) mod refused;
mod rest;
pub(super) mod scan;
pub(super) mod text;
mod typed;
mod walk;
pub(super) mod write;

/// The maximum nesting of values that are read. DynamoDB stores 32 levels; a deeper value is
/// hostile.
pub(super) const MAX_DEPTH: usize = 64;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod value_tests;
