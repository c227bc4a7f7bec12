//! The requests of DynamoDB's operations, one plain struct for each.
//!
//! An operation makes one of these structs of its prepared write. [`json`] encodes it,
//! [`Explain`] shows it, and the transport sends it. A request borrows from the write, so that
//! making one costs nothing.

mod explain;
mod explain_write;
mod json;
mod write;

pub use explain::{Closest, Explain};
pub(crate) use explain::{shown_value, values as explained_values};
pub(crate) use explain_write::Hidden;
pub(crate) use write::ReturnValues;
pub(crate) use write::{
    BatchWriteItem, BatchedWrite, Conditional, DeleteItem, ItemWrite, KeyOf, PutItem, SingleWrite,
    TransactWriteItems, UpdateItem,
};
