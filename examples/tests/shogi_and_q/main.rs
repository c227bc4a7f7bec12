//! The applications of the shogi and q documents, on the embedded engine.
#![allow(clippy::panic, clippy::unwrap_used)]

mod q;
mod shogi;
mod shogi_changes;
#[path = "../simulator/mod.rs"]
#[allow(unused_imports)]
mod simulator;
#[path = "../../../tests/tests/support/states_language/mod.rs"]
mod states_language;
mod support;
