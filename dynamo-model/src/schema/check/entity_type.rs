//! The rule about the entity type.

use crate::schema::message::{Message, Verdict};
use crate::schema::{EntitySchema, TableSchema};

/// A table that distinguishes its items by an attribute needs it on each of them.
pub(super) const fn entity_type(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    if !table.complete || table.entity_type.is_some() == entity.entity_type.is_some() {
        return Verdict::FINE;
    }
    wrong_entity_type(table, entity)
}

const fn wrong_entity_type(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    match (table.entity_type, entity.entity_type) {
        (Some(attribute), None) => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" stores the entity type in ")
                .name(attribute)
                .text(", and ")
                .name(entity.entity)
                .text(" declares none; write `#[dynamo(entity_type = \"USER\")]` on it"),
        ),
        (None, Some(_)) => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" has no entity type attribute; remove `entity_type` from ")
                .name(entity.entity)
                .text(", or declare `#[table(entity_type = \"EntityType\")]` on the table"),
        ),
        _ => Verdict::FINE,
    }
}
