//! Rules about the key of an entity in an index.

use super::lookup::{about_index, is_stored_as, is_table_sk, same_keys};
use crate::key::template::{Role, Template};
use crate::schema::message::{Message, Verdict, same};
use crate::schema::{
    EntityIndex, EntitySchema, IndexCondition, IndexId, IndexSchema, KeyAttribute, TableSchema,
};

/// An index exists on the table or not at all.
pub(crate) const fn index(table: &TableSchema, entity: &EntitySchema, id: IndexId) -> Verdict {
    if table.index(id).is_some() || table.vector(id).is_some() || !table.complete {
        return Verdict::FINE;
    }
    no_index(table, entity, id)
}

const fn no_index(table: &TableSchema, entity: &EntitySchema, id: IndexId) -> Verdict {
    let mut message = Message::new("table ")
        .name(table.table)
        .text(" declares no `")
        .index(id)
        .text("`, which ")
        .name(entity.entity)
        .text(" uses; write `#[")
        .index(id)
        .text("(name = \"…\", …)]` on the table");
    let mut i = 0;
    while i < table.indexes.len() {
        let index = &table.indexes[i];
        let separator = if i == 0 { ", or use `" } else { ", `" };
        message = message
            .text(separator)
            .index(index.id)
            .text("` (")
            .text(index.name)
            .text(")");
        i += 1;
    }
    Verdict::wrong(message)
}

/// An item is in an index only if it has all of the index's key attributes; an attribute has one
/// value, so where an index shares one with the table or another index, the templates are the same.
///
/// `key` is 1 for the entity's first index. A missing index of the table is the error.
pub(super) const fn index_key(table: &TableSchema, entity: &EntitySchema, key: usize) -> Verdict {
    let own = &entity.indexes[key - 1];
    let Some(index) = table.index(own.id) else {
        return index(table, entity, own.id);
    };
    if index.sk.is_some() != own.sk.is_some() {
        return wrong_index_sort_key(entity, index, own);
    }
    let conditional = conditional(table, entity, index, own);
    if conditional.is_wrong() {
        return conditional;
    }
    let verdict = shared(table, entity, index, index.pk, own.pk);
    match (verdict.is_wrong(), index.sk, own.sk) {
        (false, Some(attribute), Some(template)) => {
            shared(table, entity, index, attribute, template)
        }
        _ => verdict,
    }
}

/// An item is removed from an index by removing the key attributes of the index. So one of them
/// must belong to this index alone, and must not contain data.
const fn conditional(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &IndexSchema,
    own: &EntityIndex,
) -> Verdict {
    let Some(when) = &own.when else {
        return Verdict::FINE;
    };
    let halves = [
        Some((index.pk, own.pk)),
        match (index.sk, own.sk) {
            (Some(attribute), Some(sk)) => Some((attribute, sk)),
            _ => None,
        },
    ];
    let mut free = false;
    let mut i = 0;
    while i < halves.len() {
        if let Some((attribute, template)) = &halves[i] {
            let is_data =
                template.is_bare() && is_stored_as(entity, template.parts[0].field, attribute.name);
            if is_data {
                return Verdict::wrong(
                    about_condition(index, when)
                        .text(", but its key attribute ")
                        .name(attribute.name)
                        .text(" is the field ")
                        .name(template.parts[0].field)
                        .text(" itself, which every item keeps; give the index an attribute of its own"),
                );
            }
            free = free || !is_key_elsewhere(table, entity, index, attribute.name);
        }
        i += 1;
    }
    if free {
        return Verdict::FINE;
    }
    Verdict::wrong(
        about_condition(index, when).text(
            ", but its key attributes are those of the table or of another index, which the item keeps; give the index an attribute of its own",
        ),
    )
}

const fn about_condition(index: &IndexSchema, when: &IndexCondition) -> Message {
    about_index(index)
        .text(" has items only when `")
        .text(when.field)
        .text(" = ")
        .text(when.value)
        .text("`")
}

/// Whether an attribute is a key of the table, or of another index that the entity is in.
const fn is_key_elsewhere(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &IndexSchema,
    name: &str,
) -> bool {
    if same(table.pk.name, name) || is_table_sk(table, name) {
        return true;
    }
    let mut i = 0;
    while i < entity.indexes.len() {
        if !entity.indexes[i].id.same(index.id)
            && let Some(other) = table.index(entity.indexes[i].id)
            && (same(other.pk.name, name) || matches!(&other.sk, Some(sk) if same(sk.name, name)))
        {
            return true;
        }
        i += 1;
    }
    false
}

const fn wrong_index_sort_key(
    entity: &EntitySchema,
    index: &IndexSchema,
    own: &EntityIndex,
) -> Verdict {
    match (&index.sk, own.sk) {
        (None, Some(sk)) => Verdict::wrong(
            about_index(index)
                .text(" has no sort key, so ")
                .name(entity.entity)
                .text(" cannot have ")
                .name(sk.text)
                .text(" there; remove `sk`, or declare it on the index"),
        ),
        (Some(sk), None) => Verdict::wrong(
            about_index(index)
                .text(" has the sort key ")
                .name(sk.name)
                .text(", which ")
                .name(entity.entity)
                .text(" does not set, so the index would have none of its items; add `sk = \"…\"`"),
        ),
        _ => Verdict::FINE,
    }
}

const fn shared(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &IndexSchema,
    attribute: KeyAttribute,
    template: &Template,
) -> Verdict {
    if same(attribute.name, table.pk.name) && !same_keys(template, entity.pk) {
        return shared_with_table(index, attribute, template, entity.pk);
    }
    if let (Some(table_sk), Some(sk)) = (&table.sk, entity.sk)
        && same(attribute.name, table_sk.name)
        && !same_keys(template, sk)
    {
        return shared_with_table(index, attribute, template, sk);
    }
    // Only with the indexes before it: two that disagree are one mistake.
    let mut i = 0;
    while i < entity.indexes.len() && !entity.indexes[i].id.same(index.id) {
        let other = &entity.indexes[i];
        if let Some(declared) = table.index(other.id) {
            let conflict = if same(attribute.name, declared.pk.name) {
                Some(other.pk)
            } else {
                match (&declared.sk, other.sk) {
                    (Some(sk), Some(template)) if same(attribute.name, sk.name) => Some(template),
                    _ => None,
                }
            };
            if let Some(conflict) = conflict
                && !same_keys(conflict, template)
            {
                return shared_with_index(index, attribute, template, (other.id, conflict));
            }
        }
        i += 1;
    }
    Verdict::FINE
}

const fn shared_with_table(
    index: &IndexSchema,
    attribute: KeyAttribute,
    template: &Template,
    own: &Template,
) -> Verdict {
    let whole = match own.role {
        Role::PartitionKey => ", the table's partition key, which is ",
        Role::SortKey => ", the table's sort key, which is ",
    };
    Verdict::wrong(
        taken_from(index, attribute, template)
            .text(whole)
            .name(own.text)
            .text("; write `")
            .text(short(template.role))
            .text(" = ")
            .text(short(own.role))
            .text("`"),
    )
}

const fn shared_with_index(
    index: &IndexSchema,
    attribute: KeyAttribute,
    template: &Template,
    (other, conflict): (IndexId, &Template),
) -> Verdict {
    Verdict::wrong(
        taken_from(index, attribute, template)
            .text(", and so does `")
            .index(other)
            .text("`, where it is ")
            .name(conflict.text)
            .text("; give both the same template, or the indexes attributes of their own"),
    )
}

const fn short(role: Role) -> &'static str {
    match role {
        Role::PartitionKey => "pk",
        Role::SortKey => "sk",
    }
}

const fn taken_from(index: &IndexSchema, attribute: KeyAttribute, template: &Template) -> Message {
    let role = short(template.role);
    about_index(index)
        .text(" takes ")
        .name(role)
        .text(" from the attribute ")
        .name(attribute.name)
}
