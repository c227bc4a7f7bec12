//! A network that fails, by a seed, in every way that networks and services do; and the guarantees
//! of the library.
//!
//! `FAULT_SEEDS=20000 cargo test -p dynamo-model-tests --test faults` runs more seeds; a failing
//! seed prints itself, and `FAULT_SEED=…` runs it alone. These tests are about the library and run
//! on the embedded engine.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod draw;
mod hot_keys;
mod interceptors;
#[path = "../support/kinds.rs"]
mod kinds;
mod lost;
mod migrating;
mod model;
mod outcomes;
mod plan;
mod reading;
mod regions;
mod requested_parts;
mod resumed;
mod script;
mod seeds;
mod step;
#[allow(unused_imports)]
#[path = "../support/mod.rs"]
mod support;
mod throttling;
mod together;
mod ways;
mod wire;
mod workload;
mod world;
