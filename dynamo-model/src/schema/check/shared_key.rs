//! The rule about entities that share a key on purpose.

use super::distinct::keys_meet;
use crate::schema::message::{Message, Verdict, same};
use crate::schema::{EntitySchema, TableSchema};

/// Entities that share a key are distinguished by their types, and both declare it: the writes of
/// each check the type.
pub(super) const fn shared_key(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
    if !table.complete || !entity.is_complete() {
        return Verdict::FINE;
    }
    let name = entity.shares_key_with[at];
    let about = Message::new("entity ")
        .name(entity.entity)
        .text(" shares its key with ")
        .name(name);
    if same(name, entity.entity) {
        return about
            .text(", which is the entity itself; name the other one")
            .into_wrong();
    }
    let (mut items, mut comes_first) = (table.items, false);
    let mut found: Option<&EntitySchema> = None;
    while let [item, rest @ ..] = items {
        if same(item.entity, name) {
            if found.is_some() {
                return about
                    .text(", and two entities of table ")
                    .name(table.table)
                    .text(" have that name; rename one of them")
                    .into_wrong();
            }
            found = Some(item);
        }
        comes_first |= found.is_none() && same(item.entity, entity.entity);
        items = rest;
    }
    let Some(other) = found else {
        return about
            .text(", which is not an entity of table ")
            .name(table.table)
            .text("; add it to the items enum that `#[table(items = …)]` names, or remove `shares_key_with`")
            .into_wrong();
    };
    if !other.is_complete() {
        return Verdict::FINE;
    }
    if !shares(other, entity.entity) {
        return about
            .text(", but ")
            .name(name)
            .text(" does not declare it; write `shares_key_with(")
            .text(entity.entity)
            .text(")` on ")
            .name(name)
            .text(", too")
            .into_wrong();
    }
    // An error of both sides is reported once.
    if !comes_first {
        return Verdict::FINE;
    }
    if table.entity_type.is_none() {
        return about
            .text(", and table ")
            .name(table.table)
            .text(" has no entity type to tell their items apart; declare `#[table(entity_type = \"EntityType\")]` on the table, and `entity_type` on both")
            .into_wrong();
    }
    if !keys_meet(entity, other) {
        return about
            .text(", but they cannot have the same key; remove `shares_key_with` from both")
            .into_wrong();
    }
    Verdict::FINE
}

/// Returns whether an entity declares that it shares its key with the one of this name.
pub(super) const fn shares(entity: &EntitySchema, name: &str) -> bool {
    let mut names = entity.shares_key_with;
    while let [own, rest @ ..] = names {
        if same(own, name) {
            return true;
        }
        names = rest;
    }
    false
}
