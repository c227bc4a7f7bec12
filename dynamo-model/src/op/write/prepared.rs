//! A prepared write, sent alone or in a transaction.

use super::failure::{Guard, Presence};
use super::own_type::OwnType;
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::expr::{Aliases, Condition, RawPath};
use crate::hot_keys::{Access, Accessed};
use crate::key::{KeyRef, KeyValue};
use crate::op::{backoff, trace};
use crate::request::{
    BatchedWrite, Conditional, DeleteItem, Explain, Hidden, ItemWrite, KeyOf, PutItem,
    ReturnValues, SingleWrite, UpdateItem,
};
use crate::schema::{EntitySchema, TableSchema};
use crate::transport::{self, Attempts, Call, Operation};
use crate::wire::items_eq;
use crate::wire::{ItemKey, RawItem, Reason, Reply};
use core::pin::pin;
use tracing::Instrument;

/// One item, its action, and its condition.
#[derive(Debug, Clone)]
pub(crate) struct PreparedWrite {
    pub(crate) context: ErrorContext,
    pub(crate) schema: &'static TableSchema,
    /// The entity of the item; `None` for an item of the library.
    pub(crate) entity: Option<&'static EntitySchema>,
    /// The key of the item.
    pub(crate) key: ItemKey,
    pub(crate) action: Action,
    pub(crate) condition: Option<String>,
    pub(crate) aliases: Aliases,
    /// The meaning of a failed condition.
    pub(crate) guard: Guard,
    /// For the limits of a transaction.
    pub(crate) bytes: usize,
    /// Whether repeating an update changes nothing.
    pub(crate) repeats: bool,
    /// The nested paths that an update changes.
    pub(crate) inner_paths: Vec<RawPath>,
    /// The alternative of a transaction if the condition fails.
    pub(crate) otherwise: Option<Box<PreparedWrite>>,
}

/// The action on the item.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Put(RawItem),
    /// The update expression.
    Update(String),
    Delete,
    /// Only checks the condition.
    Check,
}

/// A write with its writes of unique items, which most entities do not have.
#[derive(Debug, Clone)]
pub(super) struct WriteSet {
    pub(super) write: PreparedWrite,
    pub(super) uniques: Vec<PreparedWrite>,
}

impl WriteSet {
    pub(super) fn into_writes(self) -> Vec<PreparedWrite> {
        let mut writes = vec![self.write];
        writes.extend(self.uniques);
        writes
    }

    /// Returns the request: of the write alone, or of the transaction with its unique items.
    pub(super) fn explain(self, returns: ReturnValues) -> Result<Explain, Error> {
        match self.uniques.is_empty() {
            true => self.write.explain(returns),
            false => explain_transaction([self.into_writes()], false),
        }
    }
}

/// Which item it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ItemIdentity<'w> {
    table: &'w str,
    pk: KeyRef<'w>,
    sk: Option<KeyRef<'w>>,
}

impl PreparedWrite {
    /// On no condition yet.
    pub(crate) fn new(
        context: ErrorContext,
        (schema, entity): (&'static TableSchema, Option<&'static EntitySchema>),
        key: ItemKey,
        action: Action,
        bytes: usize,
    ) -> Self {
        Self {
            context,
            schema,
            entity,
            key,
            action,
            condition: None,
            aliases: Aliases::default(),
            guard: Guard::default(),
            bytes,
            repeats: false,
            inner_paths: Vec::new(),
            otherwise: None,
        }
    }

    /// Switches to the alternative, if there is one, and back.
    pub(super) fn switch(&mut self) -> bool {
        let Some(otherwise) = self.otherwise.take() else {
            return false;
        };
        let before = core::mem::replace(self, *otherwise);
        self.otherwise = Some(Box::new(before));
        true
    }

    /// Adds the conditions: those of the guard, then the user's.
    pub(crate) fn guarded(
        mut self,
        guard: Guard,
        condition: Option<Condition>,
    ) -> Result<Self, Error> {
        let guard = Guard {
            has_condition: condition.is_some(),
            own_type: OwnType::of(self.schema, self.entity),
            ..guard
        };
        let condition = match (guard.condition(self.schema), condition) {
            (Some(own), Some(user)) => Some(own & user),
            (own, user) => own.or(user),
        };
        self.guard = guard;
        let constant = condition.as_ref().and_then(Condition::constant);
        self.condition = match (condition, constant) {
            (None, _) | (_, Some(true)) => None,
            (_, Some(false)) => Some(self.never()),
            (Some(condition), None) => {
                let text = condition.expression(&mut self.aliases);
                Some(text.map_err(|attribute| {
                    Error::new(self.context.clone(), ErrorKind::Encode { attribute }, None)
                })?)
            }
        };
        Ok(self)
    }

    /// Returns a condition that no item meets: DynamoDB has no literal `false`.
    fn never(&mut self) -> String {
        let name = self.aliases.name(self.schema.pk.name);
        format!("(attribute_exists({name}) AND attribute_not_exists({name}))")
    }

    /// Sends it alone; returns DynamoDB's result and its cost.
    pub(crate) async fn send(
        &self,
        db: &Dynamo,
        returns: ReturnValues,
    ) -> Result<Option<RawItem>, Error> {
        self.accessed(db);
        let span = trace::request(&self.context, None);
        let mut attempts = Attempts::new(self.can_be_repeated(returns));
        let mut conflicts = 0;
        loop {
            let capacity = db.asks_capacity(&span);
            let sent = {
                // Pinned, so that it is not moved into its instrumentation.
                let sent = pin!(self.attempt(db, returns, capacity, &mut attempts));
                sent.instrument(span.clone()).await
            };
            match sent {
                Err(error)
                    if error.is_conflict_in_progress() && conflicts + 1 < backoff::ATTEMPTS =>
                {
                    conflicts += 1;
                    backoff::wait(conflicts).await;
                }
                Ok(reply) => {
                    trace::answered(&span, 1, 1, reply.consumed_capacity);
                    return Ok(reply.item);
                }
                // Our earlier attempt, with a lost response, already wrote this item.
                Err(error) if attempts.lost() && self.is_stored(&error) => return Ok(None),
                Err(error) => return Err(error.with_outcome(attempts.outcome())),
            }
        }
    }

    /// Whether there can be an item on which the condition fails: one that must only be there is
    /// not.
    pub(super) fn wants_old(&self) -> bool {
        let guard = &self.guard;
        let only_present = guard.presence == Presence::Present
            && guard.unchanged.is_empty()
            && guard.bounds.is_empty()
            && guard.not_null.is_empty()
            && guard.not_renamed.is_empty()
            && guard.constants.is_empty()
            && guard.immutable.is_empty()
            && guard.own_type.is_none()
            && !guard.has_condition;
        self.condition.is_some() && !only_present
    }

    /// Returns whether it can be sent again although it may have been done: it then changes
    /// nothing, and its result is the same.
    fn can_be_repeated(&self, returns: ReturnValues) -> bool {
        if matches!(returns, ReturnValues::AllOld | ReturnValues::UpdatedOld) {
            return false;
        }
        let guard = &self.guard;
        match self.action {
            // If the key is taken the second time, the stored item shows who wrote it.
            Action::Put(_) if guard.presence == Presence::Absent => true,
            // Another condition does not: two writers that count up the same version may store
            // equal items.
            Action::Put(_) => guard.unchanged.is_empty() && !guard.has_condition,
            Action::Update(_) => self.repeats,
            // A deleted item does not show who deleted it, and neither does its type.
            Action::Delete | Action::Check => {
                let any = guard.presence == Presence::Any && guard.unchanged.is_empty();
                self.condition.is_none() || any && !guard.has_condition && guard.own_type.is_some()
            }
        }
    }

    /// Whether the item that has the key is the very one that was to be created.
    fn is_stored(&self, error: &Error) -> bool {
        let (Action::Put(item), Some(found)) = (&self.action, error.stored_item()) else {
            return false;
        };
        let own = item.clone().into_map();
        let is_create = self.guard.presence == Presence::Absent;
        is_create && own.is_ok_and(|own| items_eq(&own, found))
    }

    async fn attempt(
        &self,
        db: &Dynamo,
        returns: ReturnValues,
        capacity: bool,
        attempts: &mut Attempts,
    ) -> Result<Reply, Error> {
        let operation = match &self.action {
            Action::Put(_) => Operation::PutItem,
            Action::Update(_) => Operation::UpdateItem,
            Action::Delete | Action::Check => Operation::DeleteItem,
        };
        let request = SingleWrite {
            write: self.request(),
            returns,
            returns_capacity: capacity,
        };
        let body = request.json();
        let call = Call::write(operation, &self.context.table, body, attempts);
        let reply = transport::send(db.transport(), call).await;
        reply.map_err(|error| self.failed(error))
    }

    /// Returns the request, alone or in a transaction.
    pub(super) fn request(&self) -> ItemWrite<'_> {
        let with = Conditional {
            table: &self.context.table,
            condition: self.condition.as_deref(),
            aliases: &self.aliases,
            returns_old_on_failure: self.wants_old(),
        };
        let key = self.key_of();
        match &self.action {
            Action::Put(item) => ItemWrite::Put(PutItem { item, with }),
            Action::Update(update) => ItemWrite::Update(UpdateItem {
                key,
                update: Some(update.as_str()).filter(|text| !text.is_empty()),
                with,
                value_bytes: self.bytes,
            }),
            Action::Delete => ItemWrite::Delete(DeleteItem { key, with }),
            Action::Check => ItemWrite::Check(DeleteItem { key, with }),
        }
    }

    /// Returns the request as a part of a batch, which has no conditions.
    pub(super) fn batched(&self) -> BatchedWrite<'_> {
        match &self.action {
            Action::Put(item) => BatchedWrite::Put(item),
            _ => BatchedWrite::Delete(self.key_of()),
        }
    }

    fn key_of(&self) -> KeyOf<'_> {
        KeyOf {
            schema: self.schema,
            key: &self.key,
        }
    }

    /// Returns which of its values no text may show. The item of a unique value has values of the
    /// `owner` entity.
    pub(super) fn hidden(&self, owner: Option<&EntitySchema>) -> Hidden {
        match self.entity {
            Some(entity) => Hidden::Of(self.schema, entity),
            None if owner.is_some_and(EntitySchema::has_sensitive) => Hidden::All,
            None => Hidden::Nothing,
        }
    }

    /// Returns the request of this write, sent alone.
    pub(super) fn explain(&self, returns: ReturnValues) -> Result<Explain, Error> {
        let request = SingleWrite {
            write: self.request(),
            returns,
            returns_capacity: false,
        };
        let explained = request.explain(self.hidden(None));
        explained.map_err(|reason| self.unexplained(reason))
    }

    /// Returns the request of this write in a transaction.
    pub(super) fn explain_in_transaction(
        &self,
        owner: Option<&EntitySchema>,
    ) -> Result<Explain, Error> {
        let request = self.request();
        let explained = request.explain(request.name_in_transaction(), self.hidden(owner));
        explained.map_err(|reason| self.unexplained(reason))
    }

    #[cold]
    pub(super) fn unexplained(&self, reason: Reason) -> Error {
        let attribute = reason.to_string();
        Error::new(self.context.clone(), ErrorKind::Encode { attribute }, None)
    }

    /// Counts the access, if anyone wants to know.
    pub(super) fn accessed(&self, db: &Dynamo) {
        db.accessed(Access::Write, || Accessed {
            table: self.schema,
            index: None,
            entities: self.entity.as_slice(),
            pk: self.key.pk(),
        });
    }

    /// The table and the key: no two operations of a transaction may have the same.
    pub(crate) fn identity(&self) -> ItemIdentity<'_> {
        ItemIdentity {
            table: &self.context.table,
            pk: self.key.pk().as_ref(),
            sk: self.key.sk().map(KeyValue::as_ref),
        }
    }
}

/// Returns a transaction of the writes of operations; the first write of each is the item's own.
pub(super) fn explain_transaction(
    operations: impl IntoIterator<Item = Vec<PreparedWrite>>,
    reads_first: bool,
) -> Result<Explain, Error> {
    let mut explained = Vec::new();
    for writes in operations {
        let owner = writes.first().and_then(|write| write.entity);
        for write in &writes {
            explained.push(write.explain_in_transaction(owner)?);
        }
    }
    Ok(Explain {
        reads_first,
        ..Explain::together("TransactWriteItems", explained)
    })
}
