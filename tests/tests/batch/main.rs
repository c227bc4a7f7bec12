//! Reading many items at once: batches, transactions and scans. On an engine, and, for what no engine does
//! when asked to (items left unread, cancelled transactions, tables that never come), on answers written here.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod batch_get;
mod canned;
mod model;
mod parallel_scan;
mod scan;
#[allow(unused_imports)]
#[path = "../support/mod.rs"]
mod support;
mod transact_get;
mod waiting;

/// A future that can go to another thread, as a server's handlers must.
fn assert_send<T: Send>(value: T) -> T {
    value
}
