//! The rules of index keys that consist of attributes: `pk = (tenant: S, region: S)` on the table,
//! `pk = (tenant, region)` on the entity.

use super::lookup::{about_index, field_named, key_named};
use crate::key::part::kind::Name;
use crate::key::template::{Form, PartSchema, Template};
use crate::schema::message::{Message, Verdict, same};
use crate::schema::{EntityIndex, EntitySchema, IndexSchema, KeyAttribute, KeyType, TableSchema};

/// The index on both sides, and one half of its key; `None` where another rule reports a mistake.
const fn half<'e>(
    table: &'e TableSchema,
    entity: &'e EntitySchema,
    key: usize,
    sort: bool,
) -> Option<(&'e IndexSchema, &'e Template)> {
    let own = &entity.indexes[key - 1];
    let template = match (sort, own.sk) {
        (false, _) => own.pk,
        (true, Some(sk)) => sk,
        (true, None) => return None,
    };
    match table.index(own.id) {
        Some(index) if table.complete && index.native && template.is_native() => {
            Some((index, template))
        }
        _ => None,
    }
}

/// The position of an attribute in a half of the key.
const fn position(index: &IndexSchema, sort: bool, name: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(attribute) = index.attribute(sort, at) {
        if same(attribute.name, name) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// An index key is a list of attributes on the table and on each entity, or neither.
pub(super) const fn unlike(entity: &EntitySchema, index: &IndexSchema) -> Verdict {
    let message = about_index(index);
    if index.native {
        let message = message
            .text(" has attributes of its items as its key, and ")
            .name(entity.entity)
            .text(" writes templates; write `pk = ");
        let message = listed(message, index, false);
        return match index.sk {
            Some(_) => listed(message.text(", sk = "), index, true),
            None => message,
        }
        .text("`")
        .into_wrong();
    }
    message
        .text(" has the key attribute ")
        .name(index.pk.name)
        .text(" for a template, and ")
        .name(entity.entity)
        .text(" lists fields; write `pk = \"…\"`, or list attributes on the table too, as in `pk = (tenant: S)`")
        .into_wrong()
}

/// `(tenant, region)`
const fn listed(message: Message, index: &IndexSchema, sort: bool) -> Message {
    let mut message = message.text("(");
    let mut at = 0;
    while let Some(attribute) = index.attribute(sort, at) {
        message = message
            .text(if at == 0 { "" } else { ", " })
            .text(attribute.name);
        at += 1;
    }
    message.text(")")
}

const fn role(sort: bool) -> &'static str {
    if sort { "sort key" } else { "partition key" }
}

/// An item is in the index only if it has every attribute of the key, and DynamoDB sorts by them in
/// the order of the declaration.
pub(super) const fn native_key(
    table: &TableSchema,
    entity: &EntitySchema,
    key: usize,
    sort: bool,
) -> Verdict {
    let Some((index, template)) = half(table, entity, key, sort) else {
        return Verdict::FINE;
    };
    let (mut at, mut in_order) = (0, true);
    while at < template.parts.len() {
        let place = match field_named(entity, template.parts[at].field) {
            Some(name) => position(index, sort, name),
            None => None,
        };
        match place {
            Some(place) => in_order = in_order && place == at,
            // Reported at the field.
            None => return Verdict::FINE,
        }
        at += 1;
    }
    if let Some(missing) = index.attribute(sort, at) {
        let missing = match first_missing(entity, index, template, sort) {
            Some(name) => name,
            None => missing.name,
        };
        let message = about_index(index)
            .text(" has the attribute ")
            .name(missing)
            .text(" in its ")
            .text(role(sort))
            .text(", which ")
            .name(entity.entity)
            .text(" leaves out; write `");
        return listed(message.text(option(sort)), index, sort)
            .text("`")
            .into_wrong();
    }
    if in_order {
        return Verdict::FINE;
    }
    let message = about_index(index)
        .text(" has the attributes of its ")
        .text(role(sort))
        .text(" in another order; write `");
    listed(message.text(option(sort)), index, sort)
        .text("`")
        .into_wrong()
}

const fn option(sort: bool) -> &'static str {
    if sort { "sk = " } else { "pk = " }
}

const fn first_missing(
    entity: &EntitySchema,
    index: &IndexSchema,
    template: &Template,
    sort: bool,
) -> Option<&'static str> {
    let mut at = 0;
    while let Some(attribute) = index.attribute(sort, at) {
        if !has(entity, template, attribute.name) {
            return Some(attribute.name);
        }
        at += 1;
    }
    None
}

/// Whether a part of the template is stored as this attribute.
const fn has(entity: &EntitySchema, template: &Template, name: &str) -> bool {
    let mut parts = template.parts;
    while let [part, rest @ ..] = parts {
        if matches!(field_named(entity, part.field), Some(stored) if same(stored, name)) {
            return true;
        }
        parts = rest;
    }
    false
}

/// Each field is stored as an attribute of the key, in the type that the table declares: DynamoDB
/// refuses an item with another type.
pub(super) const fn native_attribute(
    table: &TableSchema,
    entity: &EntitySchema,
    key: usize,
    sort: bool,
    at: usize,
) -> Verdict {
    let Some((index, template)) = half(table, entity, key, sort) else {
        return Verdict::FINE;
    };
    let part = &template.parts[at];
    let Some(name) = field_named(entity, part.field) else {
        return Verdict::FINE;
    };
    match position(index, sort, name) {
        Some(at) => match index.attribute(sort, at) {
            Some(attribute) => has_type(index, attribute, part),
            None => Verdict::FINE,
        },
        None => not_listed(index, sort, part.field, name),
    }
}

const fn not_listed(index: &IndexSchema, sort: bool, field: &str, name: &str) -> Verdict {
    let mut message = Message::new("the field ").name(field);
    if !same(field, name) {
        message = message.text(", stored as ").name(name).text(",");
    }
    message = message
        .text(" is not in the ")
        .text(role(sort))
        .text(" of ");
    message = message
        .text("`")
        .index(index.id)
        .text("` (")
        .text(index.name)
        .text("), which is `");
    let message = listed(message, index, sort);
    if position(index, !sort, name).is_some() {
        return message
            .text("`; it is in the ")
            .text(role(!sort))
            .text(", so move it there")
            .into_wrong();
    }
    message
        .text("`; remove it, or declare it on the table, as in `")
        .text(name)
        .text(": S`")
        .into_wrong()
}

/// The type that a field is stored in, if a key can have it.
const fn stored_type(part: &PartSchema) -> Option<KeyType> {
    match (part.kind, part.spec.form) {
        (Name::Boolean, _) | (Name::Time, Form::Plain) => None,
        (Name::Time, Form::Epoch(_)) | (Name::Integer | Name::Decimal, _) => Some(KeyType::N),
        (Name::Bytes, _) => Some(KeyType::B),
        _ => Some(KeyType::S),
    }
}

const fn has_type(index: &IndexSchema, attribute: KeyAttribute, part: &PartSchema) -> Verdict {
    let about = Message::new("the field ").name(part.field);
    let Some(stored) = stored_type(part) else {
        if matches!(part.kind, Name::Time) {
            return about
                .text(" is a time, whose plain text does not sort; write `#[serde(with = \"dynamo_model::format::rfc3339_millis\")]` on it for the type S, or `epoch_millis` for the type N")
                .into_wrong();
        }
        return about
            .text(" is a bool, which cannot be in the key of ")
            .name(index.name)
            .text("; use an enum")
            .into_wrong();
    };
    if same(stored.as_str(), attribute.key_type.as_str()) {
        return Verdict::FINE;
    }
    about
        .text(" is ")
        .text(part.kind.as_str())
        .text(", stored as ")
        .text(stored.as_str())
        .text(", and the attribute ")
        .name(attribute.name)
        .text(" of ")
        .name(index.name)
        .text(" is of type ")
        .text(attribute.key_type.as_str())
        .text("; declare `")
        .text(attribute.name)
        .text(": ")
        .text(stored.as_str())
        .text("` on the table, or change the field's type")
        .into_wrong()
}

/// DynamoDB refuses an item whose attribute has another type than an index key that it is in, also
/// if the entity does not use the index. The name of a type of Rust's own shows how it is stored.
pub(super) const fn native_taken(
    entity: &EntitySchema,
    index: &IndexSchema,
    own: Option<&EntityIndex>,
    field: &str,
    name: &str,
) -> Verdict {
    let Some(attribute) = key_named(index, name) else {
        return Verdict::FINE;
    };
    if let Some(own) = own
        && (has(entity, own.pk, name) || matches!(own.sk, Some(sk) if has(entity, sk, name)))
    {
        return Verdict::FINE;
    }
    let rust_type = rust_type(entity, field);
    let stored = match named_type(rust_type) {
        Some(stored) => stored,
        None => return Verdict::FINE,
    };
    if same(stored, attribute.key_type.as_str()) {
        return Verdict::FINE;
    }
    Message::new("the field ")
        .name(field)
        .text(" is stored as ")
        .name(name)
        .text(", which is of type ")
        .text(attribute.key_type.as_str())
        .text(" in the key of the index ")
        .name(index.name)
        .text(", so DynamoDB would refuse a ")
        .name(rust_type)
        .text("; change the type, or rename its attribute with `#[serde(rename = \"…\")]`")
        .into_wrong()
}

const fn rust_type(entity: &EntitySchema, field: &str) -> &'static str {
    let mut attributes = entity.attributes;
    while let [attribute, rest @ ..] = attributes {
        if same(attribute.field, field) {
            return attribute.rust_type;
        }
        attributes = rest;
    }
    ""
}

/// DynamoDB's type of Rust's own types.
const fn named_type(rust_type: &str) -> Option<&'static str> {
    const TYPES: &[(&[&str], &str)] = &[
        (&["String", "Option<String>", "&str", "&'static str"], "S"),
        (&["u8", "u16", "u32", "u64", "usize"], "N"),
        (&["i8", "i16", "i32", "i64", "isize", "f32", "f64"], "N"),
        (
            &["Option<u8>", "Option<u16>", "Option<u32>", "Option<u64>"],
            "N",
        ),
        (
            &["Option<i8>", "Option<i16>", "Option<i32>", "Option<i64>"],
            "N",
        ),
        (&["bool", "Option<bool>"], "BOOL"),
        (&["Vec<String>", "Vec<u32>", "Vec<u8>"], "L"),
    ];
    let mut types = TYPES;
    while let [(names, stored), rest @ ..] = types {
        let mut names = *names;
        while let [name, others @ ..] = names {
            if same(name, rust_type) {
                return Some(stored);
            }
            names = others;
        }
        types = rest;
    }
    None
}
