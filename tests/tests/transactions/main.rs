//! Writes that are done together or not at all. On an engine, through a connection that breaks on
//! demand, and on scripted responses for conflicts, which no engine creates on request.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod cancelled;
#[allow(dead_code)]
#[path = "../batch/canned.rs"]
mod canned;
mod checks;
mod conflicts;
mod lost;
mod members;
#[allow(dead_code)]
#[path = "../batch/model.rs"]
mod model;
mod refused;
#[allow(unused_imports)]
#[path = "../support/mod.rs"]
mod support;
mod uniques;
mod values;

/// A future that can go to another thread, as a server's handlers must.
fn assert_send<T: Send>(value: T) -> T {
    value
}
