//! Which of the items that a request finds belong to the read.

use super::paging::Want;
use super::selection::is_typed;
use super::write::is_of_value;
use crate::error::{Error, ErrorContext};
use crate::expr::Condition;
use crate::migrate;
use crate::schema::{IndexId, TableSchema};
use crate::wire::{Owned, Owner, RawItem};

/// How the items of a read are recognised among those that a request finds.
#[derive(Debug, Clone)]
pub(crate) struct OwnItems {
    of: Of,
    /// The filter of the request.
    pub(super) filter: Option<Condition>,
    /// Whether items of other entities are likely. Then each item is checked before it is decoded.
    pub(super) skips: bool,
    /// What a request reads to count the items.
    pub(super) counted_by: Want,
}

/// Fails if an item is of no entity that it may be of.
pub(super) type IsOwn = fn(&ErrorContext, &RawItem) -> Result<(), Error>;

#[derive(Debug, Clone, Copy)]
enum Of {
    Entity(Owned),
    /// Every item but the library's own.
    Enum {
        table: &'static TableSchema,
        /// The attribute with the type, if it is read.
        type_attribute: Option<&'static str>,
        is_own: Option<IsOwn>,
    },
}

impl OwnItems {
    /// Returns every found item, of any entity. DynamoDB cannot count them: the table also has the
    /// library's items, and items of no entity.
    pub(super) fn of_enum(
        table: &'static TableSchema,
        id: Option<IndexId>,
        is_own: Option<IsOwn>,
    ) -> Self {
        let typed = is_typed(table, id);
        Self {
            of: Of::Enum {
                table,
                type_attribute: table.entity_type.filter(|_| typed),
                is_own,
            },
            filter: None,
            skips: false,
            // Without a type, attributes show what an item is.
            counted_by: match typed || id.is_some() {
                true => Want::Keys,
                false => Want::Items,
            },
        }
    }

    /// DynamoDB filters by type if possible, for a count or if the query can reach other entities
    /// of the table. Other queries are sent unchanged; items of other programs are skipped here.
    pub(super) fn of_query(owned: Owned, want: Want, finds_others: bool, whole: bool) -> Self {
        let counts = want == Want::Count;
        let filter = (counts || finds_others).then(|| owned.condition(counts));
        let exact = owned.is_always_typed() || whole || owned.is_alone(finds_others);
        Self {
            of: Of::Entity(owned),
            filter: filter.flatten(),
            skips: finds_others,
            counted_by: counted_by(exact),
        }
    }

    /// A scan finds all items of the table.
    pub(super) fn of_scan(owned: Owned, want: Want) -> Self {
        Self {
            of: Of::Entity(owned),
            filter: owned.condition(want == Want::Count),
            skips: !owned.typed,
            counted_by: counted_by(owned.is_always_typed()),
        }
    }

    /// Returns whether items of other entities are skipped, by DynamoDB or here.
    pub(super) fn leaves_out_others(&self) -> bool {
        self.skips || self.filter.is_some()
    }

    /// Whether an item is not known to be another's.
    pub(super) fn may_be_own(&self, item: &RawItem) -> bool {
        !(self.skips && self.is_others(item))
    }

    /// Returns whether an item does not belong to the read; decoding would find out too.
    pub(super) fn is_others(&self, item: &RawItem) -> bool {
        match self.of {
            Of::Entity(owned) => owned.owner(item) == Owner::Other,
            Of::Enum { table, .. } => Self::is_library_item(table, item),
        }
    }

    /// Fails if that is unclear.
    pub(super) fn is_own(&self, context: &ErrorContext, item: &RawItem) -> Result<bool, Error> {
        match self.of {
            Of::Entity(owned) => owned.is_own(context, item),
            Of::Enum { table, is_own, .. } => match is_own {
                _ if Self::is_library_item(table, item) => Ok(false),
                Some(is_own) => is_own(context, item).map(|()| true),
                None => Ok(true),
            },
        }
    }

    /// Returns the attribute with the type, if it is read.
    pub(super) fn type_attribute(&self) -> Option<&'static str> {
        match self.of {
            Of::Entity(owned) => owned.type_attribute(),
            Of::Enum { type_attribute, .. } => type_attribute,
        }
    }

    /// Returns whether an item is one of the library's own: a unique value or the progress of a
    /// migration.
    pub(super) fn is_library_item(table: &TableSchema, item: &RawItem) -> bool {
        is_of_value(table, item) || migrate::is_checkpoint(table, item)
    }
}

/// A count that DynamoDB makes exactly, or one of keys, which identify the entities.
fn counted_by(exact: bool) -> Want {
    match exact {
        true => Want::Count,
        false => Want::Keys,
    }
}
