//! Rules about an entity and the table that it names.

use crate::schema::message::{Message, Verdict, same};
use crate::schema::{EntitySchema, TableSchema};

/// Every item must have exactly the table's primary key.
pub(super) const fn sort_key(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    if !table.complete || table.sk.is_some() == entity.sk.is_some() {
        return Verdict::FINE;
    }
    wrong_sort_key(table, entity)
}

const fn wrong_sort_key(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    match (&table.sk, entity.sk) {
        (Some(sk), None) => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" has the sort key ")
                .name(sk.name)
                .text(", but ")
                .name(entity.entity)
                .text(" declares none; write `#[sk(\"…\")]` on it, a literal such as `#[sk(\"PROFILE\")]` for one item per partition"),
        ),
        (None, Some(sk)) => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" has no sort key, so ")
                .name(entity.entity)
                .text(" cannot have ")
                .name(sk.text)
                .text("; remove `#[sk]`, or declare `sk = \"SK\"` on the table"),
        ),
        _ => Verdict::FINE,
    }
}

/// A table's items enum, where it declares one, has a variant for each of its entities: only those
/// are compared with each other.
pub(super) const fn member(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    let mut items = table.items;
    if items.is_empty() || entity.former || !entity.is_complete() {
        return Verdict::FINE;
    }
    while let [item, rest @ ..] = items {
        if same(item.entity, entity.entity) && same(item.declared_in, entity.declared_in) {
            return Verdict::FINE;
        }
        items = rest;
    }
    not_a_member(table, entity)
}

const fn not_a_member(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    Message::new("entity ")
        .name(entity.entity)
        .text(" is not in ")
        .name(table.items_enum)
        .text(", the items enum of table ")
        .name(table.table)
        .text("; add the variant `")
        .text(entity.entity)
        .text("(")
        .text(entity.entity)
        .text(")` to it, or write `#[dynamo(former)]` on an old shape that only a migration reads")
        .into_wrong()
}

/// A variant of the items enum must be of its table.
pub const fn same_table(
    table: &TableSchema,
    other: &TableSchema,
    entity: &EntitySchema,
) -> Verdict {
    let compared = table.complete && other.complete && entity.is_complete();
    if !compared || same(table.table, other.table) && same(table.name, other.name) {
        return Verdict::FINE;
    }
    Verdict::wrong(
        Message::new("entity ")
            .name(entity.entity)
            .text(" belongs to table ")
            .name(other.table)
            .text(", not to ")
            .name(table.table)
            .text("; move it to the items of its own table"),
    )
}
