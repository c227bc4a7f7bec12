//! Rules about the attributes of an entity: an attribute has one value.

use super::lookup::{find, is_bare_on, is_table_sk};
use super::native::native_taken;
use crate::schema::form::Form as ValueForm;
use crate::schema::message::{Message, Verdict, same};
use crate::schema::{AttributeRole, EntityIndex, EntitySchema, IndexSchema, TableSchema};

/// The rule that a field of an entity or a nested struct is not a decimal that serde writes as a
/// text: it would neither sort nor add, and be rounded where another program stores a number.
#[track_caller]
pub const fn stored_form(field: &str, form: ValueForm) {
    let fix = match form {
        ValueForm::Decimal => {
            " as a text, which neither sorts nor adds; write `#[serde(with = \"dynamo_model::format::decimal\")]` on the field"
        }
        ValueForm::DecimalSet => {
            " as a text, so the set would contain texts; use a set of `dynamo_model::value::Number`"
        }
        _ => return,
    };
    let message = Message::new("serde writes the `Decimal` of ");
    message.name(field).text(fix).into_wrong().enforce();
}

/// An attribute has one value: a field must not be stored where a key or the entity type is, unless
/// it *is* that key.
pub(super) const fn taken(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
    if !table.complete {
        return Verdict::FINE;
    }
    let field = entity.attributes[at];
    if matches!(field.role, AttributeRole::KeyOnly) {
        return Verdict::FINE;
    }
    if let Some(entity_type) = table.entity_type
        && same(entity_type, field.name)
    {
        return is_stored_in(field.field, field.name)
            .text("the entity type attribute of the table; rename the field, or its attribute with `#[serde(rename = \"…\")]`")
            .into_wrong();
    }
    if same(table.pk.name, field.name) && !is_bare_on(entity.pk, field.field) {
        return key_taken(field.field, field.name, "the table's partition key", "pk");
    }
    if let (Some(sk), Some(template)) = (&table.sk, entity.sk)
        && same(sk.name, field.name)
        && !is_bare_on(template, field.field)
    {
        return key_taken(field.field, field.name, "the table's sort key", "sk");
    }
    if let Some(ttl) = table.ttl
        && same(ttl, field.name)
        && !matches!(field.role, AttributeRole::Ttl)
    {
        return is_stored_in(field.field, field.name)
            .text("the table's TTL attribute; mark the field `#[dynamo(ttl)]`, or rename it")
            .into_wrong();
    }
    index_attribute(table, entity, field.field, field.name)
}

const fn index_attribute(
    table: &TableSchema,
    entity: &EntitySchema,
    field: &str,
    name: &str,
) -> Verdict {
    let mut i = 0;
    while i < table.indexes.len() {
        let index = &table.indexes[i];
        let own = find(entity, index.id);
        if index.native {
            let verdict = native_taken(entity, index, own, field, name);
            if verdict.is_wrong() {
                return verdict;
            }
            i += 1;
            continue;
        }
        let of_pk =
            same(index.pk.name, name) && !same(table.pk.name, name) && !is_table_sk(table, name);
        if of_pk && !matches!(own, Some(own) if is_bare_on(own.pk, field)) {
            return index_taken(index, field, name, "partition key", "pk");
        }
        if let Some(sk) = &index.sk
            && same(sk.name, name)
            && !same(table.pk.name, name)
            && !is_table_sk(table, name)
            && !matches!(own, Some(EntityIndex { sk: Some(sk), .. }) if is_bare_on(sk, field))
        {
            return index_taken(index, field, name, "sort key", "sk");
        }
        i += 1;
    }
    Verdict::FINE
}

/// A constant must not be stored where a key, the entity type or the TTL is: an attribute has one
/// value.
pub(super) const fn constant(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
    let name = entity.constants[at].name;
    if !table.complete {
        return Verdict::FINE;
    }
    let what = if matches!(table.entity_type, Some(own) if same(own, name)) {
        "the entity type; write `entity_type = \"…\"` instead"
    } else if same(table.pk.name, name) || is_table_sk(table, name) {
        "a key of the table; remove the constant"
    } else if matches!(table.ttl, Some(own) if same(own, name)) {
        "the TTL attribute of the table; remove the constant, and mark a field `#[dynamo(ttl)]`"
    } else if is_index_key(table, name) {
        "a key of an index; write it as the template of that key instead"
    } else {
        return Verdict::FINE;
    };
    Message::new("the constant ")
        .name(name)
        .text(" is ")
        .text(what)
        .into_wrong()
}

const fn is_index_key(table: &TableSchema, name: &str) -> bool {
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        let sk = matches!(&index.sk, Some(sk) if same(sk.name, name));
        if !index.native && (same(index.pk.name, name) || sk) {
            return true;
        }
        indexes = rest;
    }
    false
}

const fn is_stored_in(field: &str, name: &str) -> Message {
    Message::new("the field ")
        .name(field)
        .text(" is stored as ")
        .name(name)
        .text(", ")
}

const fn key_taken(field: &str, name: &str, what: &str, attribute: &str) -> Verdict {
    is_stored_in(field, name)
        .text(what)
        .text("; rename its attribute with `#[serde(rename = \"…\")]`, or make it the key itself: `#[")
        .text(attribute)
        .text("(\"<")
        .text(field)
        .text(">\")]`")
        .into_wrong()
}

const fn index_taken(
    index: &IndexSchema,
    field: &str,
    name: &str,
    what: &str,
    role: &str,
) -> Verdict {
    is_stored_in(field, name)
        .text("the ")
        .text(what)
        .text(" of the index ")
        .name(index.name)
        .text("; make it that key with `#[")
        .index(index.id)
        .text("(")
        .text(role)
        .text(" = \"<")
        .text(field)
        .text(">\", …)]`, or rename its attribute with `#[serde(rename = \"…\")]`")
        .into_wrong()
}

/// DynamoDB deletes by one attribute of the table.
pub(super) const fn ttl(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
    if !table.complete {
        return Verdict::FINE;
    }
    let field = entity.attributes[at];
    match table.ttl {
        None => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" declares no TTL attribute for the field ")
                .name(field.field)
                .text("; write `#[table(ttl = \"")
                .text(field.name)
                .text("\")]` on it"),
        ),
        Some(ttl) if !same(ttl, field.name) => Verdict::wrong(
            Message::new("the field ")
                .name(field.field)
                .text(" is stored as ")
                .name(field.name)
                .text(", but the TTL attribute of table ")
                .name(table.table)
                .text(" is ")
                .name(ttl)
                .text("; add `#[serde(rename = \"")
                .text(ttl)
                .text("\")]`"),
        ),
        Some(_) => Verdict::FINE,
    }
}
