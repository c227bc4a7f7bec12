//! Vector indexes: storing vectors, searching for similar ones, and changing the indexes of a table.
//!
//! moto and DynamoDB Local have no vector indexes, so this suite runs on the embedded engine and on
//! AWS.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod model;
mod outputs;
mod plans;
mod refused;
mod search;
mod shared;
mod stored;

#[path = "../support/mod.rs"]
mod support;

/// Whether the engine under test has no vector indexes; says so.
fn lacks_vectors() -> bool {
    let engine = std::env::var("DYNAMO_ENGINE").unwrap_or_default();
    let lacks = matches!(engine.as_str(), "moto" | "local");
    if lacks {
        eprintln!("skipped on {engine}: it has no vector indexes");
    }
    lacks
}
