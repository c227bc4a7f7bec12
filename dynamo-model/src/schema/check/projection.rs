//! Rules about projections, and about the attributes that an index has.

use super::lookup::about_index;
use super::vector::index_carries;
use crate::key::template::Template;
use crate::schema::message::{Message, Verdict, same};
use crate::schema::{EntitySchema, IndexId, IndexSchema, Projection, TableSchema};

/// A projection has fields of its entity, and an index has only its projected attributes.
pub(crate) const fn projection(
    table: &TableSchema,
    entity: &EntitySchema,
    id: Option<IndexId>,
    field: &str,
    attribute: &str,
) -> Verdict {
    if !table.complete || !entity.is_complete() {
        return Verdict::FINE;
    }
    let Some(of) = field_named(entity, field) else {
        return Verdict::wrong(
            Message::new("entity ")
                .name(entity.entity)
                .text(" has no field ")
                .name(field)
                .text(" to project; name one of its fields"),
        );
    };
    if !same(of, attribute) {
        return Verdict::wrong(
            Message::new("the field ")
                .name(field)
                .text(" is stored as ")
                .name(of)
                .text(", not as ")
                .name(attribute)
                .text("; give the projection the serde attributes of ")
                .name(entity.entity),
        );
    }
    let Some(id) = id else { return Verdict::FINE };
    if index_carries(table, id, attribute) || in_keys(table, entity, id, field) {
        return Verdict::FINE;
    }
    let about = match table.index(id) {
        Some(index) => about_index(index),
        None => Message::new("index `").index(id).text("`"),
    };
    Verdict::wrong(
        about
            .text(" does not carry ")
            .name(attribute)
            .text(", the field ")
            .name(field)
            .text("; add it to the index's `projection = include(…)`, leave the field out, or read whole items with `.hydrate(&db)`"),
    )
}

pub(super) const fn field_named(entity: &EntitySchema, field: &str) -> Option<&'static str> {
    let mut i = 0;
    while i < entity.attributes.len() {
        if same(entity.attributes[i].field, field) {
            return Some(entity.attributes[i].name);
        }
        i += 1;
    }
    None
}

pub(crate) const fn carries(table: &TableSchema, index: &IndexSchema, attribute: &str) -> bool {
    let keys = [Some(table.pk), table.sk, Some(index.pk), index.sk];
    let mut i = 0;
    while i < keys.len() {
        if let Some(key) = &keys[i]
            && same(key.name, attribute)
        {
            return true;
        }
        i += 1;
    }
    match index.projection {
        Projection::All => true,
        Projection::KeysOnly => false,
        Projection::Include(names) => {
            let mut i = 0;
            while i < names.len() {
                if same(names[i], attribute) {
                    return true;
                }
                i += 1;
            }
            false
        }
    }
}

/// Returns whether a field can be restored from a key in the index: the table's, its own, or
/// another index's whose attributes it projects.
const fn in_keys(table: &TableSchema, entity: &EntitySchema, id: IndexId, field: &str) -> bool {
    if tells(entity.pk, field) || matches!(entity.sk, Some(sk) if tells(sk, field)) {
        return true;
    }
    let mut i = 0;
    while i < entity.indexes.len() {
        let own = &entity.indexes[i];
        // An item that another index does not have may lack its key.
        let has = own.when.is_none() || own.id.same(id);
        if has
            && let Some(other) = table.index(own.id)
            && index_carries(table, id, other.pk.name)
            && !matches!(&other.sk, Some(sk) if !index_carries(table, id, sk.name))
            && (tells(own.pk, field) || matches!(own.sk, Some(sk) if tells(sk, field)))
        {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether the field's value can be read from a key of this template.
const fn tells(template: &Template, field: &str) -> bool {
    let mut i = 0;
    while i < template.parts.len() {
        if same(template.parts[i].field, field) && template.parts[i].is_lossless() {
            return true;
        }
        i += 1;
    }
    false
}
