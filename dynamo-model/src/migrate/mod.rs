//! Migrations: every item of one shape becomes one, or several, of another.
//!
//! [`Migration`] is the builder. `step.rs` decides about one item: `shape.rs` recognises it,
//! `replacement.rs` makes the writes that replace it, and `rewrite.rs` skips items that are already
//! stored as their entity stores them. `run.rs` reads the table, `obstacles.rs` finds what would
//! stop a run, `checkpoint.rs` stores the progress, and `pace.rs` limits the speed.
//!
//! All state is in the table: the items themselves show what is done, and the checkpoint only saves
//! reading them again. So a run can be killed at any point.

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
