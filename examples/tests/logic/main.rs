//! The applications: each function, its refusals, and concurrent calls; every access pattern; every
//! item of the documents, stored unchanged. On the embedded engine, or on the one that
//! `DYNAMO_ENDPOINT` names.
#![allow(clippy::unwrap_used, clippy::panic)]

mod booking;
mod booking_streams;
mod exam;
mod hosting;
mod patterns;
mod round_trip;
mod shop;
mod shop_items;
#[path = "../simulator/mod.rs"]
#[allow(unused_imports)]
mod simulator;
mod support;
