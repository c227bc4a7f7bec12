//! Rules that look at more than one attribute of a declaration. Each rule is one function; the
//! comment above it says why DynamoDB or the library imposes it. The runtime crate checks rules
//! that need another declaration, in constants (`schema::check`). The type checker checks rules
//! about types.

mod entity;
mod keys;
pub(crate) mod serde;
mod table;
mod undeclared;
mod vector;

pub(crate) use entity::{entity, index_methods, is_method_of_entity};
pub(crate) use keys::is_method_of_query;
pub(crate) use table::table;
