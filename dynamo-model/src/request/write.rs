//! The requests that write.

use crate::expr::Aliases;
use crate::schema::TableSchema;
use crate::wire::{ItemKey, RawItem};

/// The key of an item, with the names of its attributes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyOf<'r> {
    pub(crate) schema: &'r TableSchema,
    pub(crate) key: &'r ItemKey,
}

/// The table and the condition, which all writes of one item have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conditional<'r> {
    /// The deployed name.
    pub(crate) table: &'r str,
    pub(crate) condition: Option<&'r str>,
    /// The names and values of all expressions of the write.
    pub(crate) aliases: &'r Aliases,
    /// Whether the stored item is returned if the condition fails.
    pub(crate) returns_old_on_failure: bool,
}

/// `PutItem`, or `Put` in a transaction.
#[derive(Debug)]
pub(crate) struct PutItem<'r> {
    pub(crate) item: &'r RawItem,
    pub(crate) with: Conditional<'r>,
}

/// `UpdateItem`, or `Update` in a transaction.
#[derive(Debug)]
pub(crate) struct UpdateItem<'r> {
    pub(crate) key: KeyOf<'r>,
    /// `None` if the update only creates the item.
    pub(crate) update: Option<&'r str>,
    pub(crate) with: Conditional<'r>,
    /// The size of the new values, to reserve room for them.
    pub(crate) value_bytes: usize,
}

/// `DeleteItem`, or `Delete` in a transaction; or `ConditionCheck`, which has the same parameters.
#[derive(Debug)]
pub(crate) struct DeleteItem<'r> {
    pub(crate) key: KeyOf<'r>,
    pub(crate) with: Conditional<'r>,
}

/// A write of one item.
#[derive(Debug)]
pub(crate) enum ItemWrite<'r> {
    Put(PutItem<'r>),
    Update(UpdateItem<'r>),
    Delete(DeleteItem<'r>),
    /// Checks the condition and writes nothing; only in a transaction.
    Check(DeleteItem<'r>),
}

/// What a single write returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnValues {
    Nothing,
    AllOld,
    AllNew,
    UpdatedOld,
    UpdatedNew,
}

/// `PutItem`, `UpdateItem` or `DeleteItem`.
#[derive(Debug)]
pub(crate) struct SingleWrite<'r> {
    pub(crate) write: ItemWrite<'r>,
    pub(crate) returns: ReturnValues,
    pub(crate) returns_capacity: bool,
}

/// `TransactWriteItems`.
#[derive(Debug)]
pub(crate) struct TransactWriteItems<'r> {
    pub(crate) writes: Vec<ItemWrite<'r>>,
    pub(crate) token: &'r str,
    pub(crate) returns_capacity: bool,
}

/// A write of a batch, which has no condition.
#[derive(Debug)]
pub(crate) enum BatchedWrite<'r> {
    Put(&'r RawItem),
    Delete(KeyOf<'r>),
}

/// `BatchWriteItem`: the writes of each table.
#[derive(Debug)]
pub(crate) struct BatchWriteItem<'r> {
    pub(crate) tables: Vec<(&'r str, Vec<BatchedWrite<'r>>)>,
    pub(crate) returns_capacity: bool,
}

impl ItemWrite<'_> {
    /// Returns the name of the operation, alone.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Put(_) => "PutItem",
            Self::Update(_) => "UpdateItem",
            Self::Delete(_) => "DeleteItem",
            Self::Check(_) => "ConditionCheck",
        }
    }

    /// Returns the name of the operation in a transaction.
    pub(crate) fn name_in_transaction(&self) -> &'static str {
        match self {
            Self::Put(_) => "Put",
            Self::Update(_) => "Update",
            Self::Delete(_) => "Delete",
            Self::Check(_) => "ConditionCheck",
        }
    }

    pub(crate) fn with(&self) -> &Conditional<'_> {
        match self {
            Self::Put(put) => &put.with,
            Self::Update(update) => &update.with,
            Self::Delete(delete) | Self::Check(delete) => &delete.with,
        }
    }
}

impl ReturnValues {
    /// Returns the name; `None` where the request omits it.
    pub(crate) fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::AllOld => Some("ALL_OLD"),
            Self::AllNew => Some("ALL_NEW"),
            Self::UpdatedOld => Some("UPDATED_OLD"),
            Self::UpdatedNew => Some("UPDATED_NEW"),
        }
    }
}
