//! The checkpoint of a migration, an item in the table.
//!
//! Its partition key and, where there is one, its sort key are `#migration#` and the migration's
//! name; its entity type is `#migration`. It is written only where no other item is, and deleted
//! when the migration is done. Each run signs it, so that a second run takes over instead of
//! counting along.

use super::report::Counts;
use super::shape::error;
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::key::KeyValue;
use crate::op::{Action, Guard, PreparedWrite, Presence, Unchanged, backoff, current};
use crate::request::ReturnValues;
use crate::schema::{KeyAttribute, KeyType, TableSchema};
use crate::wire::{Attributes, Item, ItemKey};
use aws_sdk_dynamodb::types::AttributeValue;

/// The prefix of the key.
pub(crate) const PREFIX: &str = "#migration#";
const ENTITY_TYPE: &str = "#migration";
/// The signature of the current run.
const RUN: &str = "migration_run";
const SEGMENTS: &str = "migration_segments";

/// Returns whether an item belongs to a migration.
pub(crate) fn is_checkpoint(schema: &TableSchema, item: &impl Attributes) -> bool {
    let is_ours = match schema.entity_type {
        Some(name) => item.text(name).as_deref() == Some(ENTITY_TYPE),
        None => match item.key_value(schema.pk.name) {
            Some(KeyValue::S(pk)) => pk.starts_with(PREFIX),
            Some(KeyValue::B(pk)) => pk.starts_with(PREFIX.as_bytes()),
            _ => false,
        },
    };
    is_ours && item.contains(RUN)
}

/// The position and counts of one segment.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SegmentState {
    /// The key of the last migrated item.
    pub(super) after: Option<Item>,
    pub(super) done: bool,
    pub(super) counts: Counts,
}

/// The checkpoint of a run.
#[derive(Debug)]
pub(super) struct Checkpoint {
    context: ErrorContext,
    schema: &'static TableSchema,
    key: ItemKey,
    run: AttributeValue,
}

/// The checkpoint that the table has.
#[derive(Debug)]
pub(super) struct Progress {
    pub(super) segments: Vec<SegmentState>,
    pub(super) resumed: bool,
}

/// Returns the key of a migration's checkpoint. Fails if the table's keys are numbers.
pub(super) fn key(
    context: &ErrorContext,
    schema: &TableSchema,
    name: &str,
) -> Result<ItemKey, Error> {
    let text = format!("{PREFIX}{name}");
    let value = |attribute: KeyAttribute| match attribute.key_type {
        KeyType::S => Ok(KeyValue::S(text.clone())),
        KeyType::B => Ok(KeyValue::B(text.clone().into_bytes())),
        KeyType::N => Err(error(
            context,
            format!(
                "`{}` is a number, but the key of the checkpoint is text; store it in another \
                 table, with `checkpoint_in`",
                attribute.name
            ),
        )),
    };
    Ok(ItemKey::new(
        value(schema.pk)?,
        schema.sk.map(value).transpose()?,
    ))
}

impl Checkpoint {
    /// Begins a run, or takes one over.
    pub(super) async fn begin(
        db: &Dynamo,
        context: ErrorContext,
        schema: &'static TableSchema,
        key: ItemKey,
        segments: u32,
    ) -> Result<(Self, Progress), Error> {
        let checkpoint = Self {
            context,
            schema,
            key,
            run: AttributeValue::S(backoff::token()),
        };
        for attempt in 1..backoff::ATTEMPTS {
            let found = current(db, &checkpoint.context, checkpoint.key.to_item(schema)).await?;
            let begun = match &found {
                Some(item) if !is_checkpoint(schema, item) => {
                    let kind = ErrorKind::AlreadyExists;
                    return Err(Error::new(checkpoint.context, kind, None));
                }
                Some(item) => checkpoint.take_over(db, item).await,
                None => checkpoint.create(db, segments).await,
            };
            match begun {
                Ok(()) => {
                    let progress = progress(found.as_ref(), segments);
                    return Ok((checkpoint, progress));
                }
                // Another run was faster: read again.
                Err(error) if error.is_condition_failed() => backoff::wait(attempt).await,
                Err(error) => return Err(error),
            }
        }
        Err(Error::new(checkpoint.context, ErrorKind::TakenOver, None))
    }

    async fn create(&self, db: &Dynamo, segments: u32) -> Result<(), Error> {
        let mut item = self.key.to_item(self.schema);
        item.insert(RUN.to_owned(), self.run.clone());
        let segments = AttributeValue::N(segments.to_string());
        item.insert(SEGMENTS.to_owned(), segments);
        if let Some(entity_type) = self.schema.entity_type {
            let own = AttributeValue::S(ENTITY_TYPE.into());
            item.insert(entity_type.to_owned(), own);
        }
        let put = self.write(Action::Put(item.into()));
        let put = put.guarded(Guard::presence(Presence::Absent), None)?;
        put.send(db, ReturnValues::Nothing).await.map(drop)
    }

    async fn take_over(&self, db: &Dynamo, found: &Item) -> Result<(), Error> {
        let update = self.set(found.get(RUN), RUN, self.run.clone())?;
        update.send(db, ReturnValues::Nothing).await.map(drop)
    }

    /// Stores the position of a segment, once all earlier items are done.
    pub(super) async fn save(
        &self,
        db: &Dynamo,
        segment: u32,
        state: &SegmentState,
    ) -> Result<(), Error> {
        let state = AttributeValue::M(written(state));
        let update = self.set(Some(&self.run), &attribute(segment), state)?;
        let saved = update.send(db, ReturnValues::Nothing).await;
        saved.map(drop).map_err(|error| self.taken_over(error))
    }

    /// Deletes the checkpoint of a completed migration. If another run has taken it over, it stays.
    pub(super) async fn finish(&self, db: &Dynamo) -> Result<(), Error> {
        let delete = self.write(Action::Delete);
        let delete = delete.guarded(signed_by(Some(&self.run)), None)?;
        match delete.send(db, ReturnValues::Nothing).await {
            Err(error) if !error.is_condition_failed() => Err(error),
            _ => Ok(()),
        }
    }

    fn write(&self, action: Action) -> PreparedWrite {
        let context = self.context.clone();
        PreparedWrite::new(context, (self.schema, None), self.key.clone(), action, 0)
    }

    fn set(
        &self,
        run: Option<&AttributeValue>,
        attribute: &str,
        value: AttributeValue,
    ) -> Result<PreparedWrite, Error> {
        let write = self.write(Action::Check);
        let mut write = write.guarded(signed_by(run), None)?;
        let (name, value) = (write.aliases.name(attribute), write.aliases.value(value));
        write.action = Action::Update(format!("SET {name} = {value}"));
        Ok(write)
    }

    fn taken_over(&self, error: Error) -> Error {
        match error.is_condition_failed() {
            true => Error::new(self.context.clone(), ErrorKind::TakenOver, None),
            false => error,
        }
    }
}

fn signed_by(run: Option<&AttributeValue>) -> Guard {
    let unchanged = Unchanged {
        attribute: RUN.to_owned(),
        value: run.cloned(),
        hidden: false,
        counts: false,
    };
    Guard {
        unchanged: vec![unchanged],
        ..Guard::presence(Presence::Present)
    }
}

fn attribute(segment: u32) -> String {
    format!("migration_segment_{segment}")
}

/// Returns the segments of an earlier run, in its number: the bounds of a segment depend on how
/// many there are.
fn progress(found: Option<&Item>, segments: u32) -> Progress {
    let kept = found.and_then(|item| number(item.get(SEGMENTS)));
    let segments = kept
        .and_then(|it| u32::try_from(it).ok())
        .unwrap_or(segments);
    let state = |segment| match found.and_then(|item| item.get(&attribute(segment))) {
        Some(AttributeValue::M(state)) => read(state),
        _ => SegmentState::default(),
    };
    Progress {
        segments: (0..segments).map(state).collect(),
        resumed: found.is_some(),
    }
}

fn number(value: Option<&AttributeValue>) -> Option<u64> {
    match value {
        Some(AttributeValue::N(number)) => number.parse().ok(),
        _ => None,
    }
}

fn written(state: &SegmentState) -> Item {
    let mut counts = state.counts;
    let counts = counts.named().into_iter();
    let mut written: Item = counts
        .map(|(name, count)| (name.to_owned(), AttributeValue::N(count.to_string())))
        .collect();
    written.insert("done".into(), AttributeValue::Bool(state.done));
    if let Some(after) = &state.after {
        written.insert("after".into(), AttributeValue::M(after.clone()));
    }
    written
}

fn read(written: &Item) -> SegmentState {
    let mut counts = Counts::default();
    for (name, count) in counts.named() {
        *count = number(written.get(name)).unwrap_or_default();
    }
    SegmentState {
        after: match written.get("after") {
            Some(AttributeValue::M(after)) => Some(after.clone()),
            _ => None,
        },
        done: written.get("done") == Some(&AttributeValue::Bool(true)),
        counts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_round_trips() {
        let after = Item::from([("PK".to_owned(), AttributeValue::S("USER#u1".into()))]);
        let mut counts = Counts::default();
        for (number, (_, count)) in counts.named().into_iter().enumerate() {
            *count = number as u64 + 1;
        }
        for (after, done) in [(Some(after), false), (None, true)] {
            let state = SegmentState {
                after,
                done,
                counts,
            };
            assert_eq!(read(&written(&state)), state);
        }
    }
}
