//! The key types and templates of an entity in the table or an index.

use super::Template;
use crate::entity::{Entity, Table};
use crate::index::IndexMarker;
use crate::schema::{KeyType, Role};

/// Returns the type of one half of a key.
#[must_use]
pub const fn key_type<E: Entity, I: IndexMarker>(role: Role) -> KeyType {
    let (pk, sk) = <E::Table as Table>::SCHEMA.key(I::ID);
    match (role, sk) {
        (Role::SortKey, Some(sk)) => sk.key_type,
        _ => pk.key_type,
    }
}

/// Returns the templates of a key: in the table, or in an index that the entity declares.
#[must_use]
pub(crate) const fn templates<E: Entity, I: IndexMarker>()
-> (&'static Template, Option<&'static Template>) {
    let entity = E::SCHEMA;
    if let Some(id) = I::ID {
        let mut i = 0;
        while i < entity.indexes.len() {
            let index = &entity.indexes[i];
            if index.id.same(id) {
                return (index.pk, index.sk);
            }
            i += 1;
        }
    }
    (entity.pk, entity.sk)
}

/// Returns the template of the sort key. Never called for a key without one.
pub(crate) const fn sort_template<E: Entity, I: IndexMarker>() -> &'static Template {
    match templates::<E, I>() {
        (_, Some(sk)) => sk,
        (pk, None) => pk,
    }
}
