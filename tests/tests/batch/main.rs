//! Many items at once: batches, scans, and transactions that read. The tests run on an engine.
//! Scripted responses cover what no engine does on request: unprocessed items, cancelled
//! transactions, tables that are never created.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod batch_get;
mod batch_write;
mod canned;
mod model;
mod parallel_scan;
mod scan;
#[allow(unused_imports)]
#[path = "../support/mod.rs"]
mod support;
mod throttled;
mod throttling;
mod transact_get;
mod waiting;

/// A future that can go to another thread, as a server's handlers must.
fn assert_send<T: Send>(value: T) -> T {
    value
}
