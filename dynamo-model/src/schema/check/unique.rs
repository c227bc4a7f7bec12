//! Rules about unique constraints, whose values are the keys of items.

use super::key_spec::specs;
use super::key_type::text_type;
use crate::key::overlap;
use crate::key::template::Template;
use crate::schema::message::{Message, Verdict, same};
use crate::schema::{
    AttributeRole, AttributeSchema, EntitySchema, KeyType, TableSchema, UniqueSchema,
};

/// The item of a unique constraint has text for its whole key, and no other item may have that key.
pub(super) const fn unique(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
    if !table.complete || !entity.is_complete() {
        return Verdict::FINE;
    }
    let unique = &entity.uniques[at];
    if unique.table.is_none() && !has_text_key(table) {
        return Verdict::wrong(
            Message::new("the unique constraint ")
                .name(unique.constraint)
                .text(" needs a key of text, and that of table ")
                .name(table.table)
                .text(" is not; declare the key attributes as S, or reserve its values in another table with `in = Reservations`"),
        );
    }
    let specs = specs(unique.template);
    if specs.is_wrong() {
        return specs;
    }
    let target = match unique.table {
        Some(table) => table,
        None => table,
    };
    let texts = text_type(target.pk, unique.template);
    if texts.is_wrong() && has_text_key(target) {
        return texts;
    }
    if unique.table.is_none() && unique_meets(unique.template, entity) {
        return same_as_unique(unique.constraint, entity);
    }
    let mut i = 0;
    while i < at {
        if share_values(unique, &entity.uniques[i]) {
            return Verdict::wrong(
                Message::new("the unique constraints ")
                    .name(entity.uniques[i].constraint)
                    .text(" and ")
                    .name(unique.constraint)
                    .text(" can have the same value; begin one of them with a literal of its own"),
            );
        }
        i += 1;
    }
    Verdict::FINE
}

/// A reservations table needs a key that can hold the values, and a TTL if the owners expire.
pub(super) const fn unique_table(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
    let unique = &entity.uniques[at];
    let Some(target) = unique.table else {
        return Verdict::FINE;
    };
    if !table.complete || !entity.is_complete() || !target.complete {
        return Verdict::FINE;
    }
    if same(target.name, table.name) {
        return Verdict::wrong(
            Message::new("the values of ")
                .name(unique.constraint)
                .text(" are reserved in the table of the entity without `in`; remove `in`, or name another table"),
        );
    }
    if !has_text_key(target) {
        return Verdict::wrong(
            Message::new("the values of ")
                .name(unique.constraint)
                .text(" are text, and the key of table ")
                .name(target.table)
                .text(" is not; declare its key attributes as S"),
        );
    }
    if table.ttl.is_some() && target.ttl.is_none() && expires(entity.attributes) {
        return Verdict::wrong(
            Message::new("items of ")
                .name(entity.entity)
                .text(" expire, and table ")
                .name(target.table)
                .text(" has no TTL, so their values would stay reserved; write `ttl = \"expires\"` on it"),
        );
    }
    Verdict::FINE
}

const fn expires(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => matches!(first.role, AttributeRole::Ttl) || expires(rest),
        [] => false,
    }
}

const fn has_text_key(table: &TableSchema) -> bool {
    matches!(table.pk.key_type, KeyType::S)
        && match table.sk {
            Some(sk) => matches!(sk.key_type, KeyType::S),
            None => true,
        }
}

/// Whether the items of two constraints can have the same key.
const fn share_values(a: &UniqueSchema, b: &UniqueSchema) -> bool {
    let same_table = match (a.table, b.table) {
        (None, None) => true,
        (Some(a), Some(b)) => same(a.name, b.name),
        _ => false,
    };
    same_table && overlap::can_meet(a.template, b.template)
}

const fn unique_meets(unique: &Template, entity: &EntitySchema) -> bool {
    entity.is_complete()
        && overlap::can_meet(unique, entity.pk)
        && match entity.sk {
            Some(sk) => overlap::can_meet(unique, sk),
            None => true,
        }
}

const fn same_as_unique(constraint: &'static str, entity: &EntitySchema) -> Verdict {
    Verdict::wrong(
        Message::new("the item of the unique constraint ")
            .name(constraint)
            .text(" can have the same key as an item of ")
            .name(entity.entity)
            .text("; begin it with a literal of its own"),
    )
}

const fn same_uniques(
    (one, of): (&'static str, &EntitySchema),
    (other, of_other): (&'static str, &EntitySchema),
) -> Verdict {
    Verdict::wrong(
        Message::new("the unique constraints ")
            .name(one)
            .text(" of ")
            .name(of.entity)
            .text(" and ")
            .name(other)
            .text(" of ")
            .name(of_other.entity)
            .text(" can have the same value; begin one of them with a literal of its own"),
    )
}

/// Returns whether a constraint of one entity can have the same key as a key or constraint of the
/// other.
pub(super) const fn uniques_meet(a: &EntitySchema, b: &EntitySchema) -> Option<Verdict> {
    let mut i = 0;
    while i < a.uniques.len() {
        let unique = &a.uniques[i];
        if unique.table.is_none() && unique_meets(unique.template, b) {
            return Some(same_as_unique(unique.constraint, b));
        }
        let mut j = 0;
        while j < b.uniques.len() {
            let other = &b.uniques[j];
            // Two entities may reserve the same values in a third table on purpose: then no two
            // items of either have them.
            if unique.table.is_none() && share_values(unique, other) {
                return Some(same_uniques((other.constraint, b), (unique.constraint, a)));
            }
            j += 1;
        }
        i += 1;
    }
    None
}
