//! Rules about projections, and about the attributes that an index has.

use super::lookup::{about_index, field_named, is_table_sk, key_named};
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
    let Some(index) = table.index(id) else {
        return Verdict::FINE;
    };
    if carries(table, index, attribute) || in_keys(table, entity, index, field) {
        return Verdict::FINE;
    }
    Verdict::wrong(
        about_index(index)
            .text(" does not carry ")
            .name(attribute)
            .text(", the field ")
            .name(field)
            .text("; add it to the index's `projection = include(…)`, leave the field out, or read whole items with `.hydrate(&db)`"),
    )
}

pub(crate) const fn carries(table: &TableSchema, index: &IndexSchema, attribute: &str) -> bool {
    let own = same(table.pk.name, attribute) || is_table_sk(table, attribute);
    if own || key_named(index, attribute).is_some() {
        return true;
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
const fn in_keys(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &IndexSchema,
    field: &str,
) -> bool {
    if tells(entity.pk, field) || matches!(entity.sk, Some(sk) if tells(sk, field)) {
        return true;
    }
    let mut i = 0;
    while i < entity.indexes.len() {
        let own = &entity.indexes[i];
        // An item that another index does not have may lack its key.
        let has = own.when.is_none() || own.id.same(index.id);
        if has
            && !own.is_native()
            && let Some(other) = table.index(own.id)
            && carries(table, index, other.pk.name)
            && !matches!(&other.sk, Some(sk) if !carries(table, index, sk.name))
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
