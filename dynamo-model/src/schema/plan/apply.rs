//! Applies a plan: takes one step, waits, and compares again.

use super::compare::{self, Deployed};
use super::step::PlanStep;
use super::{Options, Plan, Scope};
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind};
use crate::op::backoff;
use crate::schema::TableSchema;
use crate::schema::deploy::{self, change};
use aws_sdk_dynamodb::types::{IndexStatus, ReplicaStatus, TableDescription, TableStatus};
use std::time::Duration;

const OPERATION: &str = "apply the plan of";

/// The result of an apply; see [`Plan::apply`].
///
/// ```
/// use dynamo_model::schema::plan::Applied;
///
/// fn report(applied: &Applied) {
///     applied.steps.iter().for_each(|step| println!("done: {step}"));
///     applied.skipped.iter().for_each(|step| println!("left: {step}"));
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The steps that were done.
    pub steps: Vec<PlanStep>,
    /// The removals of undeclared indexes without consent.
    pub skipped: Vec<PlanStep>,
}

/// The progress of an apply; see [`Plan::on_progress`].
///
/// ```
/// use dynamo_model::schema::plan::PlanProgress;
///
/// fn print(progress: PlanProgress<'_>) {
///     match progress {
///         PlanProgress::Step { step, left } => println!("{step} ({left} more)"),
///         PlanProgress::Waiting { status } => println!("{status}"),
///         _ => {}
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanProgress<'a> {
    /// A step begins.
    Step {
        /// The step.
        step: &'a PlanStep,
        /// The number of steps after it.
        left: usize,
    },
    /// The table is not ready for the next step.
    Waiting {
        /// The reason, such as `index by-email is CREATING`.
        status: String,
    },
}

pub(super) async fn apply(plan: Plan<'_>, db: &Dynamo) -> Result<Applied, Error> {
    plan.check(db)?;
    let Plan {
        table, mut options, ..
    } = plan;
    let mut applied = Applied {
        steps: Vec::new(),
        skipped: Vec::new(),
    };
    let mut filled = Vec::new();
    let mut failures = 0;
    let mut failed: Option<(PlanStep, Error)> = None;
    loop {
        options.settle(db, table).await?;
        let (steps, _) = compare::steps(table, &Deployed::describe(db, table).await?);
        let (steps, skipped): (Vec<_>, Vec<_>) =
            steps.into_iter().partition(|it| options.allows(it));
        let mut steps = steps.into_iter().filter(|step| match step {
            PlanStep::Backfill { index, .. } => !options.skips_backfill && !filled.contains(index),
            _ => true,
        });
        let step = steps.next();
        match failed.take() {
            // The step was done: its response was lost, or another apply was faster.
            Some((before, _)) if step.as_ref() != Some(&before) => {
                failures = 0;
                applied.steps.push(before);
            }
            Some((_, error)) if failures == backoff::ATTEMPTS || !is_over_soon(&error) => {
                return Err(error);
            }
            Some(_) => backoff::wait(failures).await,
            None => failures = 0,
        }
        let Some(step) = step else {
            applied.skipped = skipped;
            return Ok(applied);
        };
        let left = steps.count();
        if failures == 0 {
            options.report(PlanProgress::Step { step: &step, left });
        }
        match options.run(db, table, &step).await {
            Ok(()) => {
                if let PlanStep::Backfill { index, .. } = step {
                    filled.push(index);
                } else {
                    options.settle(db, table).await?;
                    had_effect(db, table, &step).await?;
                }
                applied.steps.push(step);
            }
            // A backfill reports its own error, and whether to run it again.
            Err(error) if matches!(step, PlanStep::Backfill { .. }) => return Err(error),
            Err(error) => {
                failures += 1;
                failed = Some((step, error));
            }
        }
    }
}

/// Fails if the step that was just taken is still in the plan, because it would be repeated
/// forever.
async fn had_effect(
    db: &Dynamo,
    table: &'static TableSchema,
    step: &PlanStep,
) -> Result<(), Error> {
    let (steps, _) = compare::steps(table, &Deployed::describe(db, table).await?);
    match steps.contains(step) {
        true => Err(refused(
            db,
            table,
            format!("DynamoDB accepted to {step}, and did not"),
        )),
        false => Ok(()),
    }
}

/// Returns whether another change of the table is in progress.
fn is_over_soon(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Service { code } => matches!(
            code.as_str(),
            "ResourceInUseException" | "LimitExceededException" | "InternalServerError"
        ),
        kind => matches!(kind, ErrorKind::Throttled | ErrorKind::Network),
    }
}

fn refused(db: &Dynamo, table: &TableSchema, reason: String) -> Error {
    let kind = ErrorKind::Plan { reason };
    Error::new(deploy::context(db, table, OPERATION), kind, None)
}

impl Plan<'_> {
    /// Fails if the declared state cannot be reached by what is allowed.
    fn check(&self, db: &Dynamo) -> Result<(), Error> {
        let refused = |reason| Err(refused(db, self.table, reason));
        let scope = self.options.scope;
        if let Some(obstacle) = self.obstacles.first()
            && scope == Scope::Everything
        {
            return refused(obstacle.to_string());
        }
        for step in self.steps.iter().filter(|step| scope.has(step)) {
            match step {
                PlanStep::RemoveIndex {
                    index,
                    is_replaced: true,
                }
                | PlanStep::RemoveVectorIndex {
                    index,
                    is_replaced: true,
                } if !self.options.allows(step) => {
                    return refused(format!(
                        "index `{index}` is declared otherwise than deployed and must be removed \
                         first; allow it with `.allow_index_removal(\"{index}\")`"
                    ));
                }
                PlanStep::DisableStream if !self.options.allows(step) => {
                    return refused(
                        "the stream must be disabled, and its unread records are lost; allow it \
                         with `.allow_stream_removal()`"
                            .into(),
                    );
                }
                PlanStep::Backfill { index, entities } => {
                    if let Some(missing) = self.options.unfilled(entities) {
                        return refused(format!(
                            "the items of {missing} lack the keys of index `{index}`; add \
                             `.backfill::<{missing}>()`, or `.skip_backfill()` if they have them"
                        ));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Scope {
    fn has(self, step: &PlanStep) -> bool {
        match step {
            PlanStep::CreateTable
            | PlanStep::RemoveIndex { .. }
            | PlanStep::Backfill { .. }
            | PlanStep::AddIndex { .. }
            | PlanStep::RemoveVectorIndex { .. }
            | PlanStep::AddVectorIndex { .. }
            | PlanStep::AddReplica { .. } => self == Self::Everything,
            PlanStep::Protect => self != Self::RestoreTest,
            _ => true,
        }
    }
}

impl Options<'_> {
    fn allows(&self, step: &PlanStep) -> bool {
        self.scope.has(step) && self.consents(step)
    }

    fn consents(&self, step: &PlanStep) -> bool {
        match step {
            PlanStep::RemoveIndex { index, .. } | PlanStep::RemoveVectorIndex { index, .. } => {
                self.removable.contains(index)
            }
            PlanStep::DisableStream => self.disables_stream,
            _ => true,
        }
    }

    /// Returns an entity without a backfill.
    fn unfilled(&self, entities: &[&'static str]) -> Option<&'static str> {
        let has = |entity: &&str| self.backfills.iter().any(|(own, _)| own == entity);
        if self.skips_backfill || entities.is_empty() && !self.backfills.is_empty() {
            return None;
        }
        match entities {
            [] => Some("Entity"),
            all => all.iter().find(|entity| !has(entity)).copied(),
        }
    }

    fn report(&mut self, progress: PlanProgress<'_>) {
        if let Some(report) = &mut self.progress {
            report(progress);
        }
    }

    /// Waits until the table and its indexes can be changed.
    async fn settle(&mut self, db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
        let deadline = tokio::time::Instant::now() + self.patience;
        let mut pause = Duration::from_millis(20);
        loop {
            let deployed = deploy::describe(db, table).await?;
            let Some(status) = deployed.as_ref().and_then(unsettled) else {
                return Ok(());
            };
            if tokio::time::Instant::now() >= deadline {
                let kind = ErrorKind::NotReady { status };
                return Err(Error::new(
                    deploy::context(db, table, OPERATION),
                    kind,
                    None,
                ));
            }
            self.report(PlanProgress::Waiting { status });
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(5));
        }
    }

    // `&mut`, because `progress` is not `Sync`, and the future is `Send`.
    async fn run(
        &mut self,
        db: &Dynamo,
        table: &'static TableSchema,
        step: &PlanStep,
    ) -> Result<(), Error> {
        match step {
            PlanStep::CreateTable => deploy::create(db, table).await,
            PlanStep::SetTags => change::set_tags(db, table).await,
            PlanStep::EnableRecovery => deploy::set_recovery(db, table).await,
            PlanStep::EnableTtl { .. } => deploy::set_ttl(db, table).await,
            PlanStep::DisableTtl { attribute } => change::disable_ttl(db, table, attribute).await,
            PlanStep::Backfill { entities, .. } => {
                for (entity, backfill) in &self.backfills {
                    if entities.is_empty() || entities.contains(entity) {
                        backfill(db.clone()).await?;
                    }
                }
                Ok(())
            }
            step => change::update(db, table, step).await,
        }
    }
}

/// Returns the parts of the table that are not ready.
fn unsettled(table: &TableDescription) -> Option<String> {
    let mut replicas = table.replicas().iter();
    let replica = replicas.find_map(|replica| {
        let status = replica.replica_status()?;
        (*status != ReplicaStatus::Active).then(|| (replica.region_name(), status))
    });
    if let Some((region, status)) = replica {
        let region = region.unwrap_or_default();
        return Some(format!("replica {region} is {}", status.as_str()));
    }
    let global = table.global_secondary_indexes().iter();
    let global = global.map(|it| (it.index_name(), it.index_status(), it.backfilling()));
    let vectors = table.vector_indexes().iter();
    let vectors = vectors.map(|it| (it.index_name(), it.index_status(), it.backfilling()));
    let index = global.chain(vectors).find(|(_, status, backfilling)| {
        status.is_some_and(|it| *it != IndexStatus::Active) || *backfilling == Some(true)
    });
    let status = table.table_status().unwrap_or(&TableStatus::Active);
    match (index, status) {
        (Some((name, status, _)), _) => Some(format!(
            "index {} is {}",
            name.unwrap_or_default(),
            status.map_or("ACTIVE", IndexStatus::as_str)
        )),
        (None, TableStatus::Active) => None,
        (None, status) => Some(status.as_str().to_owned()),
    }
}
