//! Finds what several rules ask for in a declaration.

use crate::key::template::Template;
use crate::schema::message::{Message, same};
use crate::schema::{
    AttributeRole, EntityIndex, EntitySchema, IndexId, IndexSchema, KeyAttribute, TableSchema,
};

pub(super) const fn about_index(index: &IndexSchema) -> Message {
    Message::new("index `")
        .index(index.id)
        .text("` (")
        .text(index.name)
        .text(")")
}

pub(super) const fn find(entity: &EntitySchema, id: IndexId) -> Option<&EntityIndex> {
    let mut indexes = entity.indexes;
    while let [index, rest @ ..] = indexes {
        if index.id.same(id) {
            return Some(index);
        }
        indexes = rest;
    }
    None
}

/// Whether two templates write the same keys: a partition key's last part is escaped, a sort key's
/// is not.
pub(super) const fn same_keys(a: &Template, b: &Template) -> bool {
    if !same(a.text, b.text) || a.parts.len() != b.parts.len() {
        return false;
    }
    a.parts.is_empty() || {
        let last = a.parts.len() - 1;
        a.parts[last].escape.same(b.parts[last].escape)
    }
}

pub(super) const fn is_bare_on(template: &Template, field: &str) -> bool {
    template.is_bare() && same(template.parts[0].field, field)
}

pub(super) const fn is_stored_as(entity: &EntitySchema, field: &str, name: &str) -> bool {
    let mut i = 0;
    while i < entity.attributes.len() {
        let attribute = &entity.attributes[i];
        if same(attribute.field, field) {
            return same(attribute.name, name) && !matches!(attribute.role, AttributeRole::KeyOnly);
        }
        i += 1;
    }
    false
}

pub(super) const fn is_table_sk(table: &TableSchema, name: &str) -> bool {
    matches!(&table.sk, Some(sk) if same(sk.name, name))
}

/// The attribute that a field is stored as.
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

/// Whether items of an entity have an attribute of this name.
pub(crate) const fn has_attribute(entity: &EntitySchema, name: &str) -> bool {
    let mut attributes = entity.attributes;
    while let [attribute, rest @ ..] = attributes {
        if same(attribute.name, name) {
            return true;
        }
        attributes = rest;
    }
    let mut constants = entity.constants;
    while let [constant, rest @ ..] = constants {
        if same(constant.name, name) {
            return true;
        }
        constants = rest;
    }
    false
}

/// The attribute of this name, where it is in the key of an index.
pub(super) const fn key_named(index: &IndexSchema, name: &str) -> Option<KeyAttribute> {
    let mut half = 0;
    while half < 2 {
        let mut at = 0;
        while let Some(attribute) = index.attribute(half == 1, at) {
            if same(attribute.name, name) {
                return Some(attribute);
            }
            at += 1;
        }
        half += 1;
    }
    None
}
