//! DynamoDB JSON, as it is on the wire: `{"name":{"S":"太郎"},"age":{"N":"42"}}`.
//!
//! [`scan`] and [`walk`] go over it, [`text`] knows its strings, [`read`] makes Rust values of it and [`write`] makes it of
//! them; [`attribute`] does both for the SDK's own values.

pub(super) mod access;
pub(super) mod attribute;
pub(super) mod body_reader;
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

/// Values are nested at most this deep when they are read. DynamoDB stores 32 levels; who sends more means harm.
pub(super) const MAX_DEPTH: usize = 64;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod value_tests;
