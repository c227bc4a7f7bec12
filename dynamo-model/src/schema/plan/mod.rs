//! Plans the steps from the deployed table to the declaration, and applies them.
//!
//! A plan keeps no state. After each step it describes the table and plans the rest again, so the
//! next apply continues an apply that was stopped anywhere.

mod apply;
mod compare;
mod step;

pub use apply::{Applied, PlanProgress};
pub use step::{Obstacle, PlanStep};

use super::TableSchema;
use crate::db::Dynamo;
use crate::entity::Entity;
use crate::error::Error;
use crate::migrate::{Migratable, Migration};
use compare::Deployed;
use core::fmt;
use futures_core::future::BoxFuture;
use std::time::Duration;

/// The default limit on the time of one step: the index of a large table takes hours.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// The steps from the deployed table to the declaration; made by
/// [`Table::plan`](crate::Table::plan).
///
/// - Steps run one after the other, because DynamoDB changes one index at a time. Each waits until
///   the table is ready again.
/// - An apply can stop at any point. Plan and apply again to continue it.
/// - Nothing is removed without consent. An index that is not declared stays. If a stream must be
///   removed, or an index must be replaced, the apply fails before it begins.
/// - Items lack the keys of a new index. [`backfill`](Self::backfill) adds them before the index is
///   added, so that it is complete when it is ready. Deploy code that writes the new keys first.
/// - An [obstacle](Self::obstacles) is a difference that DynamoDB cannot change in place. It names
///   the alternative.
///
/// Settings beyond the declaration stay, as for [`Table::verify`](crate::Table::verify):
/// protection, recovery, and units that auto scaling has set.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Table};
/// use serde::{Deserialize, Serialize};
///
/// mod last_year {
///     # use dynamo_model::DynamoTable;
///     #[derive(DynamoTable)]
///     #[table(name = "App", pk = "PK", sk = "SK")]
///     pub struct App;
/// }
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", ttl = "expires", items = AppItem)]
/// #[gsi1(name = "by-email", pk = "GSI1PK")]
/// struct App;
///
/// #[derive(DynamoEntity, Serialize, Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<id>")]
/// #[sk("USER")]
/// #[gsi1(pk = "EMAIL#<email>", as = by_email)]
/// struct User {
///     id: String,
///     email: String,
/// }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     User(User),
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// let db = Dynamo::embedded()?;
/// last_year::App::create_table(&db).await?;
///
/// let plan = App::plan(&db).await?;
/// let steps: Vec<String> = plan.steps().iter().map(ToString::to_string).collect();
/// assert_eq!(
///     steps,
///     [
///         "backfill the keys of index `by-email` into the items of User",
///         "add index `by-email`",
///         "enable TTL by `expires`",
///     ],
/// );
/// plan.backfill::<User>().apply(&db).await?;
/// App::verify(&db).await?;
/// assert!(App::plan(&db).await?.is_empty());
/// # Ok(())
/// # }
/// ```
#[must_use = "a plan changes nothing until it is applied"]
pub struct Plan<'p> {
    table: &'static TableSchema,
    steps: Vec<PlanStep>,
    obstacles: Vec<Obstacle>,
    options: Options<'p>,
}

/// The steps that an apply takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Everything,
    /// Settings that a backup does not contain, or may contain with other values.
    RestoredTable,
    /// The same for a table that is deleted soon.
    RestoreTest,
}

/// The consents, and what the steps need.
struct Options<'p> {
    scope: Scope,
    /// Indexes that may be removed.
    removable: Vec<String>,
    /// Whether a stream may be disabled.
    disables_stream: bool,
    /// The backfills, by the names of the entities.
    backfills: Vec<(&'static str, Backfill)>,
    skips_backfill: bool,
    progress: Option<Report<'p>>,
    patience: Duration,
}

/// Receives the progress of an apply.
type Report<'p> = Box<dyn FnMut(PlanProgress<'_>) + Send + 'p>;

/// Rewrites the items of an entity that lack the keys of an index.
type Backfill = Box<dyn Fn(Dynamo) -> BoxFuture<'static, Result<(), Error>> + Send + Sync>;

impl<'p> Plan<'p> {
    pub(crate) async fn new(db: &Dynamo, table: &'static TableSchema) -> Result<Self, Error> {
        let deployed = Deployed::describe(db, table).await?;
        let (steps, obstacles) = compare::steps(table, &deployed);
        Ok(Self {
            table,
            steps,
            obstacles,
            options: Options {
                scope: Scope::Everything,
                removable: Vec::new(),
                disables_stream: false,
                backfills: Vec::new(),
                skips_backfill: false,
                progress: None,
                patience: PATIENCE,
            },
        })
    }

    /// Returns the steps in the order in which they run. Index removals run only with consent.
    #[must_use]
    pub fn steps(&self) -> &[PlanStep] {
        &self.steps
    }

    /// Returns what DynamoDB cannot change in place. [`apply`](Self::apply) fails if there is any.
    #[must_use]
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Returns whether the deployed table is as declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.obstacles.is_empty()
    }

    /// Consents to the removal of indexes that are not declared, or are declared differently and
    /// must be replaced. Queries of such an index fail until it is added again.
    pub fn allow_index_removal(mut self, index: impl Into<String>) -> Self {
        self.options.removable.push(index.into());
        self
    }

    /// Consents to disabling the stream, with the records that were not read yet. A change of the
    /// stream's view also disables it.
    pub fn allow_stream_removal(mut self) -> Self {
        self.options.disables_stream = true;
        self
    }

    /// Runs [`Migration::rewrite`] on the items of this entity before an index of it is added, so
    /// that they have its keys.
    pub fn backfill<E: Migratable + 'static>(mut self) -> Self {
        let run = |db: Dynamo| -> BoxFuture<'static, Result<(), Error>> {
            Box::pin(async move {
                let name = format!("plan-backfill-{}", E::SCHEMA.entity);
                Migration::rewrite::<E>(name).run(&db).await.map(|_| ())
            })
        };
        let backfill = (<E as Entity>::SCHEMA.entity, Box::new(run) as Backfill);
        self.options.backfills.push(backfill);
        self
    }

    /// Adds indexes without a backfill: the items have the keys already, there are no items, or
    /// they are to stay out of the index.
    pub fn skip_backfill(mut self) -> Self {
        self.options.skips_backfill = true;
        self
    }

    /// Calls a function when a step begins, and each time that the table is not ready yet.
    pub fn on_progress(mut self, progress: impl FnMut(PlanProgress<'_>) + Send + 'p) -> Self {
        self.options.progress = Some(Box::new(progress));
        self
    }

    /// Sets how long one step may take; the default is 24 hours. After that the apply
    /// fails with [`ErrorKind::NotReady`](crate::ErrorKind::NotReady), and DynamoDB continues.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.options.patience = patience;
        self
    }

    /// Leaves keys, indexes and replicas as the backup has them, and, for a test, does not protect
    /// the table.
    pub(crate) fn of_restored_table(mut self, is_test: bool) -> Self {
        self.options.scope = if is_test {
            Scope::RestoreTest
        } else {
            Scope::RestoredTable
        };
        self
    }

    /// Applies the plan, and waits until the table is ready. Fails before any change if there are
    /// obstacles, or if a consent or a backfill is missing.
    ///
    /// If it fails later or is dropped, plan and apply again: it continues from the current state
    /// of the table.
    pub async fn apply(self, db: &Dynamo) -> Result<Applied, Error> {
        apply::apply(self, db).await
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("table", &self.table.table)
            .field("steps", &self.steps)
            .field("obstacles", &self.obstacles)
            .finish_non_exhaustive()
    }
}

/// Writes a line for each step and obstacle.
impl fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        self.obstacles
            .iter()
            .try_for_each(|obstacle| writeln!(f, "impossible: {obstacle}"))
    }
}
