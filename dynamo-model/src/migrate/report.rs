//! The result of a run, or the forecast of a dry run.

use crate::error::Error;

/// The progress or result of a migration; see [`Migration`](crate::migrate::Migration).
///
/// ```
/// use dynamo_model::migrate::MigrationReport;
///
/// fn bar(report: &MigrationReport) -> String {
///     format!("{} of about {} read, {} migrated", report.read, report.estimate, report.migrated)
/// }
/// # assert_eq!(bar(&MigrationReport::default()), "0 of about 0 read, 0 migrated");
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct MigrationReport {
    /// Items of the table that were read, those of other entities and the checkpoint included.
    pub read: u64,
    /// Items that were replaced; of a dry run, that would be.
    pub migrated: u64,
    /// Items that were migrated before.
    pub already: u64,
    /// Items that another client deleted or migrated between reading and writing.
    pub gone: u64,
    /// How often an item was changed between reading and writing, and so was read once more.
    pub conflicts: u64,
    /// In how many segments the table is read.
    pub segments: u32,
    /// How many of them are done.
    pub segments_done: u32,
    /// About how many items the table has: DynamoDB counts every six hours.
    pub estimate: u64,
    /// Whether this run continued from the checkpoint of an earlier one, whose counts are included.
    pub resumed: bool,
    /// Of a dry run, why items cannot be migrated, keys and unique values that another item has
    /// included: the first hundred reasons. A real run ends with the first.
    pub problems: Vec<Error>,
}

impl MigrationReport {
    /// Returns whether the whole table was read.
    ///
    /// ```
    /// assert!(dynamo_model::migrate::MigrationReport::default().is_complete());
    /// ```
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.segments_done == self.segments
    }
}

/// The counts of one segment, as they are kept in the checkpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) read: u64,
    pub(super) migrated: u64,
    pub(super) already: u64,
    pub(super) gone: u64,
    pub(super) conflicts: u64,
}

impl Counts {
    /// Returns the counts by their names in the checkpoint.
    pub(super) fn named(&mut self) -> [(&'static str, &mut u64); 5] {
        [
            ("read", &mut self.read),
            ("migrated", &mut self.migrated),
            ("already", &mut self.already),
            ("gone", &mut self.gone),
            ("conflicts", &mut self.conflicts),
        ]
    }

    pub(super) fn add(&mut self, mut other: Self) {
        for ((_, sum), (_, more)) in self.named().into_iter().zip(other.named()) {
            *sum += *more;
        }
    }
}

/// The outcome of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Migrated,
    Already,
    Gone,
    /// The item does not belong to the migration.
    Other,
}

impl Counts {
    pub(super) fn count(&mut self, outcome: Outcome, conflicts: u64) {
        self.conflicts += conflicts;
        match outcome {
            Outcome::Migrated => self.migrated += 1,
            Outcome::Already => self.already += 1,
            Outcome::Gone => self.gone += 1,
            Outcome::Other => {}
        }
    }
}
