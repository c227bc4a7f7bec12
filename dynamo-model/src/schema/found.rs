//! The reach of a query: whether items of other entities of the table can match its key condition.

use super::message::same;
use super::{EntitySchema, IndexId, TableSchema};
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
    let mut items = table.items;
    while let [other, rest @ ..] = items {
        items = rest;
        if same(other.entity, entity.entity) && same(other.declared_in, entity.declared_in) {
            continue;
        }
        if let Some((other_pk, other_sk)) = templates(other, id)
            && sort_keys_meet(sk, other_sk)
            && overlap::can_meet(pk, other_pk)
        {
            return true;
        }
    }
    false
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
