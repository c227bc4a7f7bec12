//! Rules that look at more than one attribute of a declaration. One function a rule, and above it why
//! DynamoDB, or we, impose it. Rules that need another declaration are checked by the runtime crate, in
//! constants (`schema::check`); rules about types, by the type checker.

mod entity;
mod keys;
pub(crate) mod serde;
mod table;
mod undeclared;

pub(crate) use entity::{entity, index_methods, is_method_of_entity};
pub(crate) use keys::is_method_of_query;
pub(crate) use table::table;
