//! The reach of a query: whether items of other entities of the table can match its key condition.

use super::check::has_attribute;
use super::message::same;
use super::{EntitySchema, IndexId, IndexSchema, TableSchema};
use crate::key::overlap;
use crate::key::template::Template;

/// Returns whether a query of `entity`, on the table or on an index, can also find items of another
/// declared entity. A condition on the sort key begins with its literal text at least; one without
/// placeholders is the whole key.
pub(crate) const fn finds_others(
    table: &TableSchema,
    entity: &EntitySchema,
    id: Option<IndexId>,
) -> bool {
    let Some((pk, sk)) = templates(entity, id) else {
        return false;
    };
    let native = match id {
        Some(id) => native(table, id),
        None => None,
    };
    let mut items = table.items;
    while let [other, rest @ ..] = items {
        items = rest;
        if same(other.entity, entity.entity) && same(other.declared_in, entity.declared_in) {
            continue;
        }
        if let Some(index) = native
            && may_have_all(other, index)
        {
            return true;
        }
        if native.is_none()
            && let Some((other_pk, other_sk)) = templates(other, id)
            && sort_keys_meet(sk, other_sk)
            && overlap::can_meet(pk, other_pk)
        {
            return true;
        }
    }
    false
}

const fn native(table: &TableSchema, id: IndexId) -> Option<&IndexSchema> {
    match table.index(id) {
        Some(index) if index.native => Some(index),
        _ => None,
    }
}

/// Whether items of an entity may have all attributes of a native key: then they are in the index,
/// also if the entity does not declare it.
const fn may_have_all(entity: &EntitySchema, index: &IndexSchema) -> bool {
    if entity.has_flattened || entity.rest.is_some() {
        return true;
    }
    let mut half = 0;
    while half < 2 {
        let mut at = 0;
        while let Some(attribute) = index.attribute(half == 1, at) {
            if !has_attribute(entity, attribute.name) {
                return false;
            }
            at += 1;
        }
        half += 1;
    }
    true
}

type Templates = (&'static Template, Option<&'static Template>);

const fn templates(entity: &EntitySchema, id: Option<IndexId>) -> Option<Templates> {
    let Some(id) = id else {
        return Some((entity.pk, entity.sk));
    };
    let mut indexes = entity.indexes;
    while let [index, rest @ ..] = indexes {
        if index.id.same(id) {
            return Some((index.pk, index.sk));
        }
        indexes = rest;
    }
    None
}

const fn sort_keys_meet(sk: Option<&Template>, other: Option<&Template>) -> bool {
    match (sk, other) {
        (Some(sk), Some(other)) if sk.parts.is_empty() => overlap::can_meet(sk, other),
        (Some(sk), Some(other)) => {
            !overlap::heads_differ(sk.head.as_bytes(), other.head.as_bytes())
        }
        _ => true,
    }
}
