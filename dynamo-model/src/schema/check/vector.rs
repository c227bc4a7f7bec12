//! Rules between an entity and the vector indexes of its table.

use super::projection::{self, field_named};
use crate::key::part::kind::Name;
use crate::schema::message::{Message, Verdict, same};
use crate::schema::{
    EntitySchema, EntityVector, IndexId, KeyAttribute, KeyType, Projection, TableSchema,
    VectorIndexSchema,
};

/// Whether an index has an attribute: of its keys, or projected.
pub(crate) const fn index_carries(table: &TableSchema, id: IndexId, attribute: &str) -> bool {
    if let Some(index) = table.index(id) {
        return projection::carries(table, index, attribute);
    }
    match table.vector(id) {
        Some(index) => vector_carries(table, index, attribute),
        None => true,
    }
}

const fn vector_carries(table: &TableSchema, index: &VectorIndexSchema, attribute: &str) -> bool {
    let keys = [Some(table.pk), table.sk, index.hash];
    let mut i = 0;
    while i < keys.len() {
        if matches!(&keys[i], Some(key) if same(key.name, attribute)) {
            return true;
        }
        i += 1;
    }
    if filter(index, attribute).is_some() {
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

/// A filter of the index, by the name of its attribute.
const fn filter<'i>(index: &'i VectorIndexSchema, attribute: &str) -> Option<&'i KeyAttribute> {
    let mut filters = index.filters;
    while let [first, rest @ ..] = filters {
        if same(first.name, attribute) {
            return Some(first);
        }
        filters = rest;
    }
    None
}

/// The index that an entity has a vector in. Undeclared ones are reported by [`vector_index`].
const fn of_entity<'t>(
    table: &'t TableSchema,
    entity: &EntitySchema,
    at: usize,
) -> Option<(&'t VectorIndexSchema, EntityVector)> {
    let own = entity.vectors[at];
    match table.vector(own.id) {
        Some(index) if table.complete => Some((index, own)),
        _ => None,
    }
}

/// `vector1 (by-meaning)`
const fn about<'m>(index: &VectorIndexSchema) -> Message {
    Message::new("the index `")
        .index(index.id)
        .text("` (")
        .text(index.name)
        .text(")")
}

/// An entity has vectors only in indexes that its table declares, and names the hash of the index,
/// because DynamoDB searches one value of it at a time.
pub(super) const fn vector_index(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
    let own = &entity.vectors[at];
    if !table.complete {
        return Verdict::FINE;
    }
    let Some(index) = table.vector(own.id) else {
        return Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" declares no `")
                .index(own.id)
                .text("`, which ")
                .name(entity.entity)
                .text(" uses; write `#[")
                .index(own.id)
                .text("(name = \"…\", attribute = \"…\", dimensions = …, distance = cosine)]` on the table"),
        );
    };
    match (&index.hash, own.hash) {
        (Some(hash), None) => Verdict::wrong(
            about(index)
                .text(" has the hash ")
                .name(hash.name)
                .text(
                    ", and each search names one value of it; write `hash = …` with the field of ",
                )
                .name(entity.entity)
                .text(" that is stored as ")
                .name(hash.name),
        ),
        _ => Verdict::FINE,
    }
}

/// The vector is stored as the attribute of the index.
pub(super) const fn vector_attribute(
    table: &TableSchema,
    entity: &EntitySchema,
    at: usize,
) -> Verdict {
    let Some((index, own)) = of_entity(table, entity, at) else {
        return Verdict::FINE;
    };
    stored_as(index, entity, own.field, index.attribute)
}

/// DynamoDB refuses an item whose vector has other dimensions than the index.
pub(super) const fn vector_dimensions(
    table: &TableSchema,
    entity: &EntitySchema,
    at: usize,
    dimensions: usize,
) -> Verdict {
    let Some((index, own)) = of_entity(table, entity, at) else {
        return Verdict::FINE;
    };
    if index.dimensions == dimensions {
        return Verdict::FINE;
    }
    Verdict::wrong(
        about(index)
            .text(" has ")
            .number(index.dimensions)
            .text(" dimensions, and the field ")
            .name(own.field)
            .text(" has ")
            .number(dimensions)
            .text("; declare both alike"),
    )
}

/// The hash of the entity is the hash of the index, and of its type.
pub(super) const fn vector_hash(
    table: &TableSchema,
    entity: &EntitySchema,
    at: usize,
    kind: Option<Name>,
) -> Verdict {
    let Some((
        index,
        EntityVector {
            hash: Some(field), ..
        },
    )) = of_entity(table, entity, at)
    else {
        return Verdict::FINE;
    };
    match &index.hash {
        Some(hash) => {
            let stored = stored_as(index, entity, field, hash.name);
            match stored.is_wrong() {
                true => stored,
                false => of_type(index, field, hash, kind),
            }
        }
        None => Verdict::wrong(
            about(index)
                .text(" has no hash; remove `hash = ")
                .text(field)
                .text("`, or declare it on the table"),
        ),
    }
}

/// A filter of the entity is one of the index, and of its type.
pub(super) const fn vector_filter(
    table: &TableSchema,
    entity: &EntitySchema,
    at: usize,
    which: usize,
    kind: Option<Name>,
) -> Verdict {
    let Some((index, own)) = of_entity(table, entity, at) else {
        return Verdict::FINE;
    };
    let field = own.filters[which];
    let Some(attribute) = field_named(entity, field) else {
        return Verdict::FINE;
    };
    match filter(index, attribute) {
        Some(filter) => of_type(index, field, filter, kind),
        None => Verdict::wrong(
            about(index)
                .text(" has no filter ")
                .name(attribute)
                .text("; write `filters(\"")
                .text(attribute)
                .text("\")` on the table, or leave the field out"),
        ),
    }
}

/// The field is stored as this attribute.
const fn stored_as(
    index: &VectorIndexSchema,
    entity: &EntitySchema,
    field: &'static str,
    expected: &str,
) -> Verdict {
    match field_named(entity, field) {
        Some(name) if !same(name, expected) => Verdict::wrong(
            Message::new("the field ")
                .name(field)
                .text(" is stored as ")
                .name(name)
                .text(", and `")
                .index(index.id)
                .text("` reads ")
                .name(expected)
                .text("; add `#[serde(rename = \"")
                .text(expected)
                .text("\")]`, or name another field"),
        ),
        _ => Verdict::FINE,
    }
}

/// DynamoDB refuses an item whose hash or filter is of another type than the table declares.
const fn of_type(
    index: &VectorIndexSchema,
    field: &'static str,
    declared: &KeyAttribute,
    kind: Option<Name>,
) -> Verdict {
    let found = match kind {
        None => return Verdict::FINE,
        Some(Name::Integer | Name::Decimal) => Some(KeyType::N),
        Some(Name::Bytes) => Some(KeyType::B),
        Some(Name::Boolean) => None,
        Some(_) => Some(KeyType::S),
    };
    let message = Message::new("the field ")
        .name(field)
        .text(" is stored as ")
        .text(match found {
            Some(found) => found.as_str(),
            None => "BOOL",
        })
        .text(", and `")
        .index(index.id)
        .text("` declares ")
        .name(declared.name)
        .text(" as ")
        .text(declared.key_type.as_str());
    match (found, declared.key_type) {
        (Some(KeyType::S), KeyType::S)
        | (Some(KeyType::N), KeyType::N)
        | (Some(KeyType::B), KeyType::B) => Verdict::FINE,
        (None, _) => {
            Verdict::wrong(message.text("; DynamoDB has no such filter, store a text or a number"))
        }
        (Some(found), _) => Verdict::wrong(
            message
                .text("; write `")
                .text(found.as_str())
                .text("(\"")
                .text(declared.name)
                .text("\")` on the table"),
        ),
    }
}

/// A search returns the closest items of all entities in the index. So if there are several, the
/// index must filter by their type: else the items of others would take the places of its own.
pub(super) const fn vector_shared(
    table: &TableSchema,
    entity: &EntitySchema,
    at: usize,
) -> Verdict {
    let Some((index, own)) = of_entity(table, entity, at) else {
        return Verdict::FINE;
    };
    let Some(other) = another(table, entity, index.attribute) else {
        return Verdict::FINE;
    };
    let message = Message::new("a search in `")
        .index(own.id)
        .text("` would find items of ")
        .name(other)
        .text(" too, which has the attribute ")
        .name(index.attribute);
    match table.entity_type {
        Some(name) if filter(index, name).is_none() => Verdict::wrong(
            message
                .text("; write `filters(\"")
                .text(name)
                .text("\")` on the table, by which every search finds its entity alone"),
        ),
        Some(_) if entity.entity_type.is_some() && entity.other_types.is_empty() => Verdict::FINE,
        Some(_) => Verdict::wrong(message.text(
            "; give the entity one `entity_type`, because DynamoDB compares a filter with one value",
        )),
        None => Verdict::wrong(message.text(
            "; declare `entity_type` on the table and filter by it, or store the vectors under different names",
        )),
    }
}

/// Another entity of the table that has this attribute.
const fn another(
    table: &TableSchema,
    entity: &EntitySchema,
    attribute: &str,
) -> Option<&'static str> {
    let mut items = table.items;
    while let [first, rest @ ..] = items {
        if !same(first.entity, entity.entity) {
            let mut attributes = first.attributes;
            while let [own, others @ ..] = attributes {
                if same(own.name, attribute) {
                    return Some(first.entity);
                }
                attributes = others;
            }
        }
        items = rest;
    }
    None
}
