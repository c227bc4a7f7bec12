//! Streams and migrations.
//!
//! One program, because linking takes longer than running it.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

#[path = "../batch/canned.rs"]
#[allow(dead_code)]
mod canned;
#[path = "../support/mod.rs"]
#[allow(unused_imports)]
mod support;

mod backups;
mod formats;
mod migrations;
mod plans;
mod streams;
