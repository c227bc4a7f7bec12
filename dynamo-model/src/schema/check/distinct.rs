//! Rules about two entities of a table: no item may be one of both.

use super::shared_key::shares;
use super::unique::uniques_meet;
use crate::key::overlap;
use crate::schema::EntitySchema;
use crate::schema::message::{Message, Verdict, same};

/// An item is recognised by its entity type and its key. If two entities shared one of them, one
/// could read, or overwrite, the other's items.
pub const fn distinct(entities: &[&EntitySchema], at: usize) -> Verdict {
    let this = entities[at];
    let mut i = 0;
    while i < at {
        let other = entities[i];
        if let Some(both) = common_type(this, other) {
            return Verdict::wrong(
                Message::new("entities ")
                    .name(other.entity)
                    .text(" and ")
                    .name(this.entity)
                    .text(" have the same entity type ")
                    .name(both)
                    .text("; give each its own"),
            );
        }
        // A declaration on one side alone is a separate error.
        let declared = shares(this, other.entity) || shares(other, this.entity);
        if !declared && keys_meet(this, other) {
            return same_key(other, this);
        }
        if let Some(verdict) = uniques_meet(this, other) {
            return verdict;
        }
        if let Some(verdict) = uniques_meet(other, this) {
            return verdict;
        }
        i += 1;
    }
    Verdict::FINE
}

/// Returns a value of the type attribute that both have.
const fn common_type(a: &EntitySchema, b: &EntitySchema) -> Option<&'static str> {
    let (Some(first), Some(_)) = (a.entity_type, b.entity_type) else {
        return None;
    };
    if is_type_of(b, first) {
        return Some(first);
    }
    let mut types = a.other_types;
    while let [own, rest @ ..] = types {
        if is_type_of(b, own) {
            return Some(own);
        }
        types = rest;
    }
    None
}

const fn is_type_of(entity: &EntitySchema, value: &str) -> bool {
    if matches!(entity.entity_type, Some(own) if same(own, value)) {
        return true;
    }
    let mut types = entity.other_types;
    while let [own, rest @ ..] = types {
        if same(own, value) {
            return true;
        }
        types = rest;
    }
    false
}

pub(super) const fn keys_meet(a: &EntitySchema, b: &EntitySchema) -> bool {
    a.is_complete() && b.is_complete() && overlap::keys_can_meet((a.pk, a.sk), (b.pk, b.sk))
}

const fn same_key(a: &EntitySchema, b: &EntitySchema) -> Verdict {
    let mut message = Message::new("entities ")
        .name(a.entity)
        .text(" and ")
        .name(b.entity)
        .text(" can have the same key: ")
        .name(a.pk.text);
    if let Some(sk) = a.sk {
        message = message.text(" + ").name(sk.text);
    }
    message = message.text(" and ").name(b.pk.text);
    if let Some(sk) = b.sk {
        message = message.text(" + ").name(sk.text);
    }
    message
        .text("; begin one of them with a literal of its own, or write `shares_key_with(…)` on both if they share their keys on purpose")
        .into_wrong()
}
