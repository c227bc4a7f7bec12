//! Migrations: their effect, their refusals, and their state after being killed.

mod additive;
mod exam;
mod keys;
mod killed;
mod model;
mod pace;
mod refused;
mod rename;
mod reserved;
mod rest;
mod rewrite;
mod split;
mod uniques;
mod writers;

use crate::support::skip;

/// Engines behind a socket are slower by far.
fn is_embedded() -> bool {
    std::env::var("DYNAMO_ENDPOINT").map_or(true, |url| url.is_empty())
}

/// As many at the same time as the engine can take.
fn at_once(number: u32) -> u32 {
    if skip("writes at the same time") {
        1
    } else {
        number
    }
}
