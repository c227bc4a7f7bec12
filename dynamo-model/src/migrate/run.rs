//! Going through a table: segments side by side, each page by page, and the checkpoint after each
//! page.

use super::checkpoint::{Checkpoint, Progress, SegmentState};
use super::migration::Settings;
use super::obstacles::Obstacles;
use super::pace::Pace;
use super::replacement::Replacement;
use super::report::{Counts, MigrationReport, Outcome};
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::op::{backoff, current, trace};
use crate::schema::{EntitySchema, TableSchema};
use crate::wire::{self, Item};
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tracing::Instrument;

/// The number of attempts at an item that changes each time it is to be replaced.
const MAX_CONFLICTS: u64 = 100;
/// How many reasons of a dry run are kept.
const MAX_PROBLEMS: usize = 100;

/// Decides what a migration does with one item.
pub(super) trait Step: Send + Sync {
    fn prepare(&self, db: &Dynamo, item: &Item) -> Result<Prepared, Error>;
}

pub(super) enum Prepared {
    Replace(Replacement),
    /// The item is up to date; its unique items may be missing.
    Complete(Replacement),
    Leave(Outcome),
}

/// Receives the progress after each page.
pub(super) type OnProgress<'p> = Box<dyn FnMut(&MigrationReport) + Send + 'p>;

/// Boxed, because the compiler cannot prove that concurrent requests are `Send`.
type Work<'r, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'r>>;

/// A migration under way.
pub(super) struct Run<'r, 'p> {
    db: &'r Dynamo,
    target: Target,
    step: &'r dyn Step,
    settings: &'r Settings,
    /// `None` in a dry run, which writes nothing.
    checkpoint: Option<Checkpoint>,
    /// The keys and values that a dry run found taken.
    obstacles: Obstacles,
    pace: Paces,
    state: Mutex<State>,
    on_progress: Option<&'r Mutex<OnProgress<'p>>>,
}

/// The table of the scan.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) context: ErrorContext,
    pub(super) schema: &'static TableSchema,
    /// The attribute that distinguishes the old items, and the entity that has its values.
    pub(super) entity_type: Option<(&'static str, &'static EntitySchema)>,
}

struct Paces {
    items: Option<Pace>,
    write_units: Option<Pace>,
}

#[derive(Debug, Default)]
struct State {
    segments: Vec<SegmentState>,
    estimate: u64,
    resumed: bool,
    problems: Vec<Error>,
}

/// The result of one request.
struct Page {
    items: Vec<Item>,
    read: u64,
    last_key: Option<Item>,
}

impl<'r, 'p> Run<'r, 'p> {
    pub(super) fn new(
        db: &'r Dynamo,
        target: Target,
        step: &'r dyn Step,
        settings: &'r Settings,
        on_progress: Option<&'r Mutex<OnProgress<'p>>>,
    ) -> Self {
        Self {
            db,
            target,
            step,
            settings,
            checkpoint: None,
            obstacles: Obstacles::default(),
            pace: Paces {
                items: settings.items_per_second.map(Pace::per_second),
                write_units: settings.write_units_per_second.map(Pace::per_second),
            },
            state: Mutex::default(),
            on_progress,
        }
    }

    /// Writes nothing. Records the problem of an item, and continues with the next one.
    pub(super) async fn dry(self) -> Result<MigrationReport, Error> {
        let segments = self.settings.segments as usize;
        self.state().segments = vec![SegmentState::default(); segments];
        self.all().await?;
        Ok(self.into_report())
    }

    /// Migrates, from where the last run ended.
    pub(super) async fn wet(
        mut self,
        (checkpoint, progress): (Checkpoint, Progress),
    ) -> Result<MigrationReport, Error> {
        {
            let mut state = self.state();
            state.segments = progress.segments;
            state.resumed = progress.resumed;
        }
        self.checkpoint = Some(checkpoint);
        self.all().await?;
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.finish(self.db).await?;
        }
        Ok(self.into_report())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn all(&self) -> Result<(), Error> {
        let estimate = self.estimate().await;
        self.state().estimate = estimate;
        self.report();
        let states = self.state().segments.clone();
        let total = u32::try_from(states.len()).unwrap_or(u32::MAX);
        let open = (0..total).zip(states).filter(|(_, state)| !state.done);
        let work = open.map(|(number, state)| -> Work<'_, ()> {
            Box::pin(self.segment(number, total, state))
        });
        let work: Vec<_> = work.collect();
        let side_by_side = work.len().max(1);
        let mut work = stream::iter(work).buffer_unordered(side_by_side);
        while work.try_next().await?.is_some() {}
        Ok(())
    }

    /// Returns the approximate number of items, for a progress bar; 0 on failure, because it is not
    /// essential.
    async fn estimate(&self) -> u64 {
        let table = self.db.client().describe_table();
        let table = table.table_name(&*self.target.context.table).send().await;
        let table = table.ok().and_then(|output| output.table);
        let count = table.and_then(|table| table.item_count).unwrap_or_default();
        u64::try_from(count).unwrap_or_default()
    }

    async fn segment(&self, number: u32, total: u32, mut state: SegmentState) -> Result<(), Error> {
        while !state.done {
            let page = self.page(number, total, state.after.clone()).await?;
            state.counts.add(self.migrate_all(page.items).await?);
            state.counts.read += page.read;
            state.done = page.last_key.is_none();
            state.after = page.last_key;
            // Only now: after a failure before this point, the page is read again.
            if let Some(checkpoint) = &self.checkpoint {
                checkpoint.save(self.db, number, &state).await?;
            }
            self.state().segments[number as usize] = state.clone();
            self.report();
        }
        Ok(())
    }

    async fn page(&self, number: u32, total: u32, after: Option<Item>) -> Result<Page, Error> {
        let integer = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let mut request = self
            .db
            .client()
            .scan()
            .table_name(&*self.target.context.table)
            .segment(integer(number))
            .total_segments(integer(total))
            .set_limit(self.settings.page_size.map(integer))
            .consistent_read(true)
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .set_exclusive_start_key(after);
        if let Some((name, entity)) = self.target.entity_type {
            let mut values = Vec::new();
            for (i, value) in entity.types().enumerate() {
                let alias = format!(":type{i}");
                let value = AttributeValue::S(value.into());
                request = request.expression_attribute_values(&alias, value);
                values.push(alias);
            }
            request = request
                .filter_expression(format!(
                    "#type IN ({}) OR attribute_not_exists(#type)",
                    values.join(", ")
                ))
                .expression_attribute_names("#type", name);
        }
        let mut attempts = 1;
        let output = loop {
            let span = trace::request(&self.target.context, None);
            let sent = request.clone().send().instrument(span.clone()).await;
            match sent.map_err(|error| Error::sdk(self.target.context.clone(), error)) {
                Ok(output) => {
                    let [items, read] = [output.count, output.scanned_count]
                        .map(|count| usize::try_from(count).unwrap_or_default());
                    let consumed = output.consumed_capacity.as_ref();
                    let consumed = consumed.and_then(|it| it.capacity_units);
                    trace::answered(&span, items, read, consumed.unwrap_or_default());
                    break output;
                }
                Err(error) if is_over_soon(&error) && attempts < backoff::ATTEMPTS => {
                    backoff::wait(attempts).await;
                    attempts += 1;
                }
                Err(error) => return Err(error),
            }
        };
        Ok(Page {
            items: output.items.unwrap_or_default(),
            read: u64::try_from(output.scanned_count).unwrap_or_default(),
            last_key: output.last_evaluated_key.filter(|key| !key.is_empty()),
        })
    }

    async fn migrate_all(&self, items: Vec<Item>) -> Result<Counts, Error> {
        let work = items
            .into_iter()
            .map(|item| -> Work<'_, (Outcome, u64)> { Box::pin(self.migrate(item)) });
        let work: Vec<_> = work.collect();
        let mut work = stream::iter(work).buffer_unordered(self.settings.concurrency);
        let mut counts = Counts::default();
        while let Some((outcome, conflicts)) = work.try_next().await? {
            counts.count(outcome, conflicts);
        }
        Ok(counts)
    }

    /// Replaces one item. Returns its outcome, and how often it was changed meanwhile.
    async fn migrate(&self, mut item: Item) -> Result<(Outcome, u64), Error> {
        let (mut attempts, mut conflicts) = (1, 0);
        loop {
            let replacement = match self.step.prepare(self.db, &item) {
                Ok(Prepared::Replace(replacement)) => replacement,
                Ok(Prepared::Complete(replacement)) => {
                    if replacement.has_uniques(self.db).await? {
                        return Ok((Outcome::Already, conflicts));
                    }
                    replacement
                }
                Ok(Prepared::Leave(outcome)) => return Ok((outcome, conflicts)),
                Err(error) => return self.problem(error).map(|outcome| (outcome, conflicts)),
            };
            if self.checkpoint.is_none() {
                let outcome = match self.obstacles.find(self.db, &replacement).await? {
                    Some(error) => self.problem(error)?,
                    None => Outcome::Migrated,
                };
                return Ok((outcome, conflicts));
            }
            let units = replacement.write_units();
            if attempts == 1 {
                self.wait(units).await;
            }
            let error = match replacement.send(self.db).await {
                Ok(()) => return Ok((Outcome::Migrated, conflicts)),
                Err(error) => error,
            };
            let may_go_on = match is_refusal(&error) {
                // Each time another client was faster, so the writers make progress. The number of
                // attempts is bounded.
                true => conflicts < MAX_CONFLICTS,
                false => is_over_soon(&error) && attempts < backoff::ATTEMPTS,
            };
            if !may_go_on {
                return Err(error);
            }
            // Before it is read again: the less there is between reading and writing, the sooner it
            // succeeds.
            self.wait(units).await;
            let is_refusal = is_refusal(&error);
            backoff::wait(if is_refusal {
                attempts.min(3)
            } else {
                attempts
            })
            .await;
            attempts += 1;
            if is_refusal {
                match self.reread(&item).await? {
                    None => return Ok((Outcome::Gone, conflicts)),
                    // The item is unchanged, so the new item is refused.
                    Some(now) if now == item => return Err(error),
                    Some(now) => item = now,
                }
                conflicts += 1;
            }
        }
    }

    /// Notes a problem in a dry run, and ends any other run.
    fn problem(&self, error: Error) -> Result<Outcome, Error> {
        if self.checkpoint.is_some() {
            return Err(error);
        }
        let mut state = self.state();
        if state.problems.len() < MAX_PROBLEMS {
            state.problems.push(error);
        }
        Ok(Outcome::Other)
    }

    async fn wait(&self, units: u32) {
        if let Some(items) = &self.pace.items {
            items.take(1).await;
        }
        if let Some(write_units) = &self.pace.write_units {
            write_units.take(units).await;
        }
    }

    async fn reread(&self, item: &Item) -> Result<Option<Item>, Error> {
        let key = wire::key_of(self.target.schema, item);
        let now = current(self.db, &self.target.context, key).await?;
        Ok(now.filter(|now| !now.is_empty()))
    }

    fn report(&self) {
        if let Some(on_progress) = self.on_progress {
            let report = self.state().report();
            let mut on_progress = on_progress.lock().unwrap_or_else(PoisonError::into_inner);
            on_progress(&report);
        }
    }

    fn into_report(self) -> MigrationReport {
        let state = self.state.into_inner();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let problems = core::mem::take(&mut state.problems);
        MigrationReport {
            problems,
            ..state.report()
        }
    }
}

impl State {
    fn report(&self) -> MigrationReport {
        let mut sum = Counts::default();
        for segment in &self.segments {
            sum.add(segment.counts);
        }
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        MigrationReport {
            read: sum.read,
            migrated: sum.migrated,
            already: sum.already,
            gone: sum.gone,
            conflicts: sum.conflicts,
            segments: count(self.segments.len()),
            segments_done: count(self.segments.iter().filter(|it| it.done).count()),
            estimate: self.estimate,
            resumed: self.resumed,
            problems: Vec::new(),
        }
    }
}

/// Returns whether a later attempt can succeed.
fn is_over_soon(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Throttled | ErrorKind::InProgress | ErrorKind::RegionConflict
    )
}

/// Returns whether a condition of any of the writes failed.
fn is_refusal(error: &Error) -> bool {
    let mut errors = core::iter::once(error).chain(error.cancellations());
    errors.any(Error::is_condition_failed)
}
