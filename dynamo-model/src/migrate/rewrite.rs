//! A migration of an entity to itself: it rewrites every item that the entity would now store
//! differently.

use super::migration::{Migratable, Migration};
use super::replacement::{Encoded, Replaced};
use super::report::Outcome;
use super::run::Prepared;
use crate::error::Error;

/// How a rewrite replaces an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rewrite;

impl Rewrite {
    /// Skips an item that is stored as the entity stores it. The run checks whether its unique
    /// items exist.
    pub(super) fn prepare(
        self,
        replaced: Replaced<'_>,
        new: Encoded,
        others: Vec<Encoded>,
    ) -> Result<Prepared, Error> {
        let is_stored = new.is_stored_as(replaced.item);
        if is_stored && !new.has_uniques() {
            return Ok(Prepared::Leave(Outcome::Already));
        }
        let replacement = replaced.by(new, others)?;
        Ok(match is_stored {
            true => Prepared::Complete(replacement),
            false => Prepared::Replace(replacement),
        })
    }
}

impl Migration<'_, (), ()> {
    /// Rewrites every item of an entity that the entity would now store differently: one that lacks
    /// its entity type (declare the entity `untyped`), its index keys, its constants or its unique
    /// items, or has attributes under a `serde(alias)`. Each item is written in one transaction
    /// with its unique items; all others are not written. A value that another item has is an
    /// error, which a dry run reports.
    ///
    /// ```
    /// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
    /// use dynamo_model::migrate::Migration;
    /// # use serde::{Deserialize, Serialize};
    ///
    /// #[derive(DynamoTable)]
    /// #[table(name = "App", pk = "PK", entity_type = "type")]
    /// struct App;
    ///
    /// #[derive(DynamoEntity, Serialize, Deserialize)]
    /// #[dynamo(table = App, entity_type = "USER", untyped)]
    /// #[pk("USER#<id>")]
    /// #[unique("EMAIL#<email>")]
    /// struct User {
    ///     id: String,
    ///     email: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// let migration = Migration::rewrite::<User>("types-and-addresses");
    /// assert!(migration.dry_run(&db).await?.problems.is_empty());
    /// migration.run(&db).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn rewrite<'m, E: Migratable + 'm>(name: impl Into<String>) -> Migration<'m, E, E> {
        let mut migration = Migration::with(name.into(), Box::new(Ok));
        migration.rewrite = Some(Rewrite);
        migration
    }
}
