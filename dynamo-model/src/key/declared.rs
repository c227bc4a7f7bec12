//! The key types and templates of an entity in the table or an index.

use super::Template;
use crate::entity::{Entity, Table};
use crate::index::IndexMarker;
#[cfg(feature = "client")]
use crate::schema::{IndexSchema, TableSchema};
use crate::schema::{KeyAttribute, KeyType, Role};

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

/// The attributes after the first one of a sort key, each with its template.
pub(crate) const fn later_sort_attributes<E: Entity, I: IndexMarker>() -> Later {
    let table = <E::Table as Table>::SCHEMA;
    let index = match I::ID {
        Some(id) => table.index(id),
        None => None,
    };
    match (index, sort_half::<E, I>().attributes) {
        (Some(index), [_, rest @ ..]) => Later {
            templates: rest,
            attributes: index.sk_rest,
        },
        _ => Later::NONE,
    }
}

/// Attributes of a key, each with its template.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Later {
    templates: &'static [Template],
    attributes: &'static [KeyAttribute],
}

impl Later {
    pub(crate) const NONE: Self = Self {
        templates: &[],
        attributes: &[],
    };

    #[cfg(feature = "client")]
    pub(crate) const fn new(
        templates: &'static [Template],
        attributes: &'static [KeyAttribute],
    ) -> Self {
        Self {
            templates,
            attributes,
        }
    }

    /// The first of them, and the others.
    pub(crate) fn split_first(self) -> Option<(&'static Template, KeyType, Self)> {
        let (template, templates) = self.templates.split_first()?;
        let (attribute, attributes) = self.attributes.split_first()?;
        let later = Self {
            templates,
            attributes,
        };
        Some((template, attribute.key_type, later))
    }
}

/// The attributes of a native partition key, each with its template.
#[cfg(feature = "client")]
pub(crate) fn partition_attributes<E: Entity, I: IndexMarker>()
-> impl Iterator<Item = (KeyType, &'static Template)> {
    let table: &'static TableSchema = const { &<E::Table as Table>::SCHEMA };
    let attributes = I::ID.and_then(|id| table.index(id));
    let attributes = attributes.into_iter().flat_map(IndexSchema::partition_key);
    let (pk, _) = const { templates::<E, I>() };
    attributes.map(|it| it.key_type).zip(pk.attributes)
}

/// The template of the sort key, or of its first attribute; never called for a key without one.
pub(crate) const fn sort_template<E: Entity, I: IndexMarker>() -> &'static Template {
    match sort_half::<E, I>() {
        Template {
            attributes: [first, ..],
            ..
        } => first,
        whole => whole,
    }
}

const fn sort_half<E: Entity, I: IndexMarker>() -> &'static Template {
    match templates::<E, I>() {
        (_, Some(sk)) => sk,
        (pk, None) => pk,
    }
}
