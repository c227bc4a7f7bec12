//! Migrations: every item of one shape becomes one, or several, of another.
//!
//! [`Migration`] is what the user says; `shape.rs` tells what an item is, `replacement.rs` makes the writes that replace it,
//! `run.rs` goes through the table, `checkpoint.rs` keeps how far it came, and `pace.rs` keeps it slow.
//!
//! Nothing is remembered but in the table: what is done follows from the items themselves, and the checkpoint only
//! saves reading them again. So it does not matter where a run is killed.

mod checkpoint;
mod migration;
mod pace;
mod replacement;
mod report;
mod run;
mod shape;

pub(crate) use checkpoint::{PREFIX, is_checkpoint};
pub use migration::{Migratable, Migration};
pub use report::MigrationReport;
