//! Migrations: every item of one shape becomes one, or several, of another.
//!
//! [`Migration`] is what the user says; `step.rs` decides about one item: `shape.rs` tells what it is, `replacement.rs` makes
//! the writes that replace it, and `rewrite.rs` leaves items alone that are stored as their entity stores them. `run.rs`
//! goes through the table, `obstacles.rs` finds what would stop a run, `checkpoint.rs` keeps how far it came, and
//! `pace.rs` keeps it slow.
//!
//! Nothing is remembered but in the table: what is done follows from the items themselves, and the checkpoint only
//! saves reading them again. So it does not matter where a run is killed.

mod checkpoint;
mod migration;
mod obstacles;
mod pace;
mod replacement;
mod report;
mod rewrite;
mod run;
mod shape;
mod step;

pub(crate) use checkpoint::{PREFIX, is_checkpoint};
pub use migration::{Migratable, Migration};
pub use report::MigrationReport;
