//! Storing a whole item: the request of a put, a create or a merge, of any entity.

use super::failure::{Guard, Presence};
use super::item::{EncodedItem, EntityItem, Mode};
use super::prepared::{PreparedWrite, WriteSet, explain_transaction};
use super::returns::Written;
use super::{transaction, unique};
use crate::Condition;
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext};
use crate::expr::IntoCondition;
use crate::op::bounds::{Anywhere, HasFields};
use crate::request::{Explain, ReturnValues};
use crate::wire::RawItem;
use core::fmt;

/// An item to store, of any entity, and the conditions for it. The handle is not known yet.
pub(super) struct StoreRequest {
    item: EntityItem,
    mode: Mode,
    condition: Option<Condition>,
    check_version: bool,
    presence: Presence,
}

/// Hides the item, which may be sensitive.
impl fmt::Debug for StoreRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.mode.operation())
            .field("entity", &self.item.entity())
            .field("condition", &self.condition)
            .finish_non_exhaustive()
    }
}

impl StoreRequest {
    pub(super) fn new(item: EntityItem, mode: Mode) -> Self {
        Self {
            item,
            mode,
            condition: None,
            check_version: mode != Mode::Create,
            presence: match mode {
                Mode::Create => Presence::Absent,
                Mode::Put | Mode::Merge | Mode::Load => Presence::Any,
            },
        }
    }

    /// Adds a condition; several must all be met.
    pub(super) fn add_condition<E: HasFields, C: IntoCondition>(
        &mut self,
        condition: impl FnOnce(E::Fields<Anywhere>) -> C,
    ) {
        let condition = condition(E::fields()).into_condition();
        self.condition = both(self.condition.take(), condition);
    }

    /// Fails if no item has the key.
    pub(super) fn must_exist(&mut self) {
        self.presence = Presence::Present;
    }

    pub(super) fn any_version(&mut self) {
        self.check_version = false;
    }

    /// Encodes the item.
    fn encode(self, db: &Dynamo) -> Result<Replacement, Error> {
        let encoded = self.item.encode(db, self.mode.operation(), self.mode)?;
        let guard = encoded.guard(self.presence, self.check_version);
        Ok(Replacement {
            encoded,
            guard,
            condition: self.condition,
        })
    }

    fn prepare(self, db: &Dynamo) -> Result<PreparedStore, Error> {
        let store = self.encode(db)?;
        if store.reads_first() {
            return Ok(PreparedStore::Replace(store));
        }
        let writes = store.write_set(db)?;
        let encoded = store.encoded;
        Ok(PreparedStore::Writes {
            context: encoded.context,
            item: encoded.item,
            writes,
            mode: encoded.mode,
        })
    }

    /// Returns the request without sending it.
    pub(super) fn explain(self, db: &Dynamo, returned: ReturnValues) -> Result<Explain, Error> {
        let returns = self.mode.returns(returned);
        let store = self.encode(db)?;
        if store.reads_first() {
            return explain_transaction([store.writes_of_new(db)?], true);
        }
        store.write_set(db)?.explain(returns)
    }

    /// Returns the writes, or the item to read first.
    pub(super) fn operation(
        self,
        db: &Dynamo,
    ) -> Result<Result<Vec<PreparedWrite>, Replacement>, Error> {
        let store = self.encode(db)?;
        if store.reads_first() {
            return Ok(Err(store));
        }
        Ok(Ok(store.write_set(db)?.into_writes()))
    }
}

/// A replacement of a stored item, with its conditions.
pub(super) struct Replacement {
    pub(super) encoded: EncodedItem,
    pub(super) guard: Guard,
    pub(super) condition: Option<Condition>,
}

impl Replacement {
    /// Whether the stored item must be read first, for its unique values.
    fn reads_first(&self) -> bool {
        !self.encoded.entity.uniques.is_empty() && self.guard.presence != Presence::Absent
    }

    fn write_set(&self, db: &Dynamo) -> Result<WriteSet, Error> {
        Ok(WriteSet {
            write: self
                .encoded
                .write(self.guard.clone(), self.condition.clone())?,
            uniques: match self.guard.presence {
                Presence::Absent => unique::claims(db, &self.encoded)?,
                Presence::Any | Presence::Present => Vec::new(),
            },
        })
    }

    /// Returns the writes as far as they do not depend on the stored item.
    pub(super) fn writes_of_new(&self, db: &Dynamo) -> Result<Vec<PreparedWrite>, Error> {
        let writes = WriteSet {
            write: self
                .encoded
                .write(self.guard.clone(), self.condition.clone())?,
            uniques: unique::claims(db, &self.encoded)?,
        };
        Ok(writes.into_writes())
    }

    pub(super) fn replace<'a>(&'a self, db: &'a Dynamo) -> unique::Replace<'a> {
        unique::Replace {
            db,
            encoded: &self.encoded,
            guard: self.guard.clone(),
            condition: self.condition.clone(),
        }
    }
}

/// A prepared item, independent of its entity.
enum PreparedStore {
    Writes {
        context: ErrorContext,
        item: RawItem,
        writes: WriteSet,
        mode: Mode,
    },
    Replace(Replacement),
}

impl PreparedStore {
    /// Stores it; returns the requested item. For a put, DynamoDB returns only the old item.
    async fn send(&self, db: &Dynamo, returned: ReturnValues) -> Result<Option<RawItem>, Error> {
        let old = match self {
            Self::Writes { writes, mode, .. } if *mode == Mode::Merge => {
                return writes.write.send(db, returned).await;
            }
            Self::Writes { writes, .. } if writes.uniques.is_empty() => {
                writes.write.send(db, Mode::Put.returns(returned)).await?
            }
            Self::Writes {
                context, writes, ..
            } => {
                let writes = writes.clone().into_writes();
                Box::pin(transaction::send(db, context, writes, None)).await?;
                None
            }
            Self::Replace(store) => Box::pin(store.replace(db).send()).await?.map(Into::into),
        };
        match (self, returned) {
            (_, ReturnValues::AllOld) => Ok(old),
            // The item also contains attributes from before, and a transaction returns no items.
            (Self::Replace(Replacement { encoded, .. }), ReturnValues::AllNew)
                if encoded.mode == Mode::Merge =>
            {
                let read = unique::current(db, &encoded.context, encoded.key_item()).await;
                Ok(read.map_err(Error::done)?.map(Into::into))
            }
            _ => Ok(Some(self.item().clone())),
        }
    }

    fn item(&self) -> &RawItem {
        match self {
            Self::Writes { item, .. } => item,
            Self::Replace(store) => &store.encoded.item,
        }
    }

    fn context(&self) -> &ErrorContext {
        match self {
            Self::Writes { context, .. } => context,
            Self::Replace(store) => &store.encoded.context,
        }
    }
}

/// Stores an item, and returns the requested result. It depends on the entity only through its
/// result, so that writes without one are compiled once for all entities.
///
/// No `async fn`, which would keep all it is given twice.
#[allow(clippy::manual_async_fn)]
pub(super) fn stored<O>(
    db: &Dynamo,
    request: StoreRequest,
    returned: ReturnValues,
    output: fn(Written<'_>) -> Result<O, Error>,
) -> impl Future<Output = Result<O, Error>> + use<O> {
    let (db, prepared) = (db.clone(), request.prepare(db));
    async move {
        match prepared {
            Ok(ref prepared) => {
                let item = prepared.send(&db, returned).await?;
                let context = prepared.context();
                output(Written { context, item }).map_err(Error::done)
            }
            Err(error) => Err(error),
        }
    }
}

/// Both must be met.
pub(super) fn both(known: Option<Condition>, more: Condition) -> Option<Condition> {
    Some(match known {
        Some(known) => known & more,
        None => more,
    })
}
