//! The entity type that an item must have, where the writes of its entity check it: entities that
//! share a key would otherwise change each other's items.

use super::failure::Presence;
use crate::Condition;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::expr::Path;
use crate::schema::{EntitySchema, TableSchema};
use crate::wire::{Item, is_of_type};
use aws_sdk_dynamodb::types::AttributeValue;

/// The attribute with the type, and the entity that it must name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnType {
    attribute: &'static str,
    table: &'static TableSchema,
    entity: &'static EntitySchema,
}

impl OwnType {
    /// `None` where writes do not check the type.
    pub(super) fn of(
        table: &'static TableSchema,
        entity: Option<&'static EntitySchema>,
    ) -> Option<Self> {
        Some(Self {
            attribute: table.entity_type?,
            table,
            entity: entity.filter(|entity| entity.checks_type)?,
        })
    }

    /// Returns the condition for DynamoDB. An item that must be absent has no type.
    pub(super) fn condition(self, schema: &TableSchema, presence: Presence) -> Option<Condition> {
        let mut own = is_of_type(self.attribute, self.entity)?;
        if self.entity.untyped {
            own = own | Path::<String>::attribute(self.attribute).not_exists();
        }
        match presence {
            Presence::Absent => None,
            Presence::Present => Some(own),
            Presence::Any => Some(Path::<String>::attribute(schema.pk.name).not_exists() | own),
        }
    }

    fn found(self, item: &Item) -> Option<&str> {
        match item.get(self.attribute) {
            Some(AttributeValue::S(found)) => Some(found),
            _ => None,
        }
    }

    /// Returns the error kind for an item with another type, or without one.
    pub(super) fn other(self, item: &Item) -> Option<ErrorKind> {
        let found = self.found(item);
        let missing = self.entity.untyped && !item.contains_key(self.attribute);
        if missing || found.is_some_and(|found| self.entity.has_type(found)) {
            return None;
        }
        Some(ErrorKind::OtherEntity {
            found: found.map(str::to_owned),
            expected: self.entity.entity_type.unwrap_or(self.entity.entity),
        })
    }

    /// The other entity of the table that an item belongs to.
    pub(super) fn holder(self, item: &Item) -> Option<&'static str> {
        let found = self
            .found(item)
            .filter(|found| !self.entity.has_type(found))?;
        let mut entities = self.table.items.iter();
        let holder = entities.find(|entity| entity.has_type(found))?;
        Some(holder.entity)
    }

    /// Fails on an item of another type, as DynamoDB's condition would.
    pub(super) fn check(self, context: &ErrorContext, item: &Item) -> Result<(), Error> {
        match self.other(item) {
            Some(kind) => Err(Error::new(context.clone(), kind, None)
                .with_item(Some(item.clone()))
                .with_holder(self.holder(item))),
            None => Ok(()),
        }
    }
}
