//! Access by names, on the embedded engine: it sends the requests of the typed calls, and its
//! writes keep what theirs keep.

#![allow(clippy::unwrap_used, clippy::panic)]

mod arguments;
mod items;
mod reads;
mod schema;
mod writes;
