//! Writes of one item, and what they return.

pub use crate::op::{
    Create, Delete, Merge, New, Old, Put, Storable, Update, Updated, UpdatedNew, UpdatedOld, Upsert,
};
