//! `schema.lock`: the declarations that stored items depend on, in a file beside the code, so that
//! a breaking change is found before it is deployed.

mod compare;
mod entity;
mod snapshot;

use crate::Model;
use core::fmt;
use snapshot::Snapshot;
use std::path::Path;

/// The meaning of a change for stored items.
///
/// ```
/// use dynamo_model_tools::Impact;
///
/// assert!(Impact::Compatible < Impact::Breaking);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Impact {
    /// They are still read, found and updated.
    Compatible,
    /// It depends on information that a declaration does not contain.
    Unclear,
    /// Some would not be found, or not be read; or the table loses a protection.
    Breaking,
}

/// One difference between the declarations and the lock.
///
/// ```
/// use dynamo_model_tools::{Impact, Model};
/// # use dynamo_model::{DynamoEntity, DynamoTable};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # pub struct App;
/// # #[derive(DynamoEntity)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # struct User { user_id: String }
/// # mod later {
/// #     use super::App;
/// #     #[derive(dynamo_model::DynamoEntity)]
/// #     #[dynamo(table = App, former)]
/// #     #[pk("U#<user_id>")]
/// #     pub struct User { pub user_id: String }
/// # }
/// # fn main() -> Result<(), dynamo_model_tools::ModelError> {
///
/// let lock = Model::new("app").entity::<User>().lock();
/// let changes = Model::new("app").entity::<later::User>().compare_with_lock(&lock)?;
/// assert_eq!(changes[0].impact, Impact::Breaking);
/// assert_eq!(
///     changes[0].to_string(),
///     "App, User, partition key: was `USER#<user_id>`, is `U#<user_id>`\n  \
///      needs: each item put under its new key and deleted under the old one, in one transaction",
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Its meaning for stored items.
    pub impact: Impact,
    /// The table, the entity and the part of it.
    pub place: String,
    /// As the lock has it; empty where it is new.
    pub was: String,
    /// The declared value; empty if it was removed.
    pub is: String,
    /// Which migration it needs; empty where it needs none.
    pub needs: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.was.as_str(), self.is.as_str()) {
            ("", is) => write!(f, "{}: new, {is}", self.place)?,
            (was, "") => write!(f, "{}: gone, was {was}", self.place)?,
            (was, is) => write!(f, "{}: was {was}, is {is}", self.place)?,
        }
        if !self.needs.is_empty() {
            write!(f, "\n  needs: {}", self.needs)?;
        }
        Ok(())
    }
}

/// Why [`verify_lock`](Model::verify_lock) failed, in words for a test's output.
///
/// Its `Debug` is its `Display`, because a test that returns it prints that.
#[derive(Clone, PartialEq, Eq)]
pub struct LockDifference {
    message: String,
}

impl fmt::Display for LockDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for LockDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.message)
    }
}

impl core::error::Error for LockDifference {}

impl Model {
    /// Returns the text of `schema.lock`: only key templates, attributes, indexes and protections.
    #[must_use]
    pub fn lock(&self) -> String {
        Snapshot::of(self).to_text()
    }

    /// Returns the differences between the declarations and a lock.
    pub fn compare_with_lock(&self, lock: &str) -> Result<Vec<Change>, crate::ModelError> {
        let locked = Snapshot::from_text(lock)?;
        Ok(compare::changes(&locked, &Snapshot::of(self)))
    }

    /// Tests that the declarations still fit the stored items. Fails if they differ from
    /// `schema.lock`, with every difference and its migration.
    ///
    /// With `UPDATE_EXPECT=1` in the environment the file is rewritten, unless a change is
    /// breaking; with `UPDATE_EXPECT=breaking` always, for use after the migration.
    ///
    /// ```no_run
    /// use dynamo_model_tools::{LockDifference, Model};
    ///
    /// # fn model() -> Model { Model::new("app") }
    /// # #[cfg(test)] #[test] fn ignored() {}
    /// fn stored_items_can_still_be_read() -> Result<(), LockDifference> {
    ///     model().verify_lock("schema.lock")
    /// }
    /// # stored_items_can_still_be_read().unwrap();
    /// ```
    pub fn verify_lock(&self, path: impl AsRef<Path>) -> Result<(), LockDifference> {
        let path = path.as_ref();
        let update = std::env::var("UPDATE_EXPECT").unwrap_or_default();
        let fail = |message: String| Err(LockDifference { message });
        let write = || {
            let written = std::fs::write(path, self.lock());
            written.or_else(|error| fail(format!("cannot write {}: {error}", path.display())))
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(_) if !update.is_empty() => return write(),
            Err(error) => {
                let advice = "run the test once with UPDATE_EXPECT=1 to make it";
                return fail(format!("cannot read {}: {error}; {advice}", path.display()));
            }
        };
        let changes = match self.compare_with_lock(&text) {
            Ok(changes) => changes,
            Err(_) if update == "breaking" => return write(),
            Err(error) => return fail(format!("{}: {error}", path.display())),
        };
        let harmless = changes
            .iter()
            .all(|change| change.impact == Impact::Compatible);
        let current = changes.is_empty() && text == self.lock();
        if current {
            Ok(())
        } else if update == "breaking" || (!update.is_empty() && harmless) {
            write()
        } else {
            fail(report(path, &changes))
        }
    }
}

/// Reads a lock, writes it again, and compares it with itself; `None` where it cannot be read. For
/// the fuzz target.
#[doc(hidden)]
#[must_use]
pub fn rewritten(text: &str) -> Option<(String, Vec<Change>)> {
    let snapshot = Snapshot::from_text(text).ok()?;
    let changes = compare::changes(&snapshot, &snapshot);
    Some((snapshot.to_text(), changes))
}

/// Writes the changes, breaking ones first.
fn report(path: &Path, changes: &[Change]) -> String {
    let mut out = format!("the schema differs from {}\n", path.display());
    for (impact, title) in [
        (
            Impact::Breaking,
            "breaks stored items, or removes a protection:",
        ),
        (
            Impact::Unclear,
            "may break stored items; check how serde writes them:",
        ),
        (Impact::Compatible, "breaks nothing:"),
    ] {
        let group: Vec<_> = changes
            .iter()
            .filter(|change| change.impact == impact)
            .collect();
        if group.is_empty() {
            continue;
        }
        out += &format!("\n{title}\n");
        for change in group {
            out += &format!("- {}\n", change.to_string().replace('\n', "\n  "));
        }
    }
    let harmless = changes
        .iter()
        .all(|change| change.impact == Impact::Compatible);
    out += if harmless {
        "\nrun the test with UPDATE_EXPECT=1 to update the lock"
    } else {
        "\nmake the migration, or take the change back; then run the test with \
         UPDATE_EXPECT=breaking to update the lock"
    };
    out
}
