//! Many items at once: batches, scans, and transactions that read. On an engine, and, for what no engine does
//! when asked to (items left over, cancelled transactions, tables that never come), on answers written here.

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
