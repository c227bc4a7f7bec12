//! Hostile input, on the embedded engine or on the one that `DYNAMO_ENDPOINT` names: what a parser
//! must survive, what a user sees, what one user can reach of another's, and what never reaches a
//! log.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod attack;
mod attacker;
mod cursors;
mod fuzz;
mod logs;
mod names;
mod secrets;
mod seen;
mod sources;
mod vault;

#[allow(unused_imports)]
#[path = "../support/mod.rs"]
mod support;
