//! What the applications do, on the embedded engine: each function, what it refuses, and what happens when many
//! call it at once; every access pattern; every item of the documents, stored as it is shown.
#![allow(clippy::unwrap_used, clippy::panic)]

mod booking;
mod exam;
mod patterns;
mod round_trip;
mod shop;
mod support;
