//! Rules about the DynamoDB type of a key attribute.

use super::key_spec::specs;
use super::lookup::is_stored_as;
use crate::key::part::kind::Name;
use crate::key::template::{Form, PartSchema, Template};
use crate::schema::message::{Message, Verdict};
use crate::schema::{EntitySchema, KeyAttribute, KeyType, TableSchema};

/// A key attribute has one type, S, N or B, for every item of the table. A template of several
/// pieces is text; a single placeholder has the type of its field.
///
/// `key` is 0 for the table's own, 1 for that of the entity's first index.
pub(super) const fn key_type(
    table: &TableSchema,
    entity: &EntitySchema,
    key: usize,
    sort: bool,
) -> Verdict {
    let Some((attribute, template)) = half(table, entity, key, sort) else {
        return Verdict::FINE;
    };
    let specs = specs(template);
    if specs.is_wrong() {
        specs
    } else if template.is_bare() {
        bare_type(entity, attribute, &template.parts[0])
    } else {
        text_type(attribute, template)
    }
}

/// Returns one half of a key: the attribute, and the entity's template for it. Another check
/// reports a half that the table does not have.
const fn half<'e>(
    table: &TableSchema,
    entity: &'e EntitySchema,
    key: usize,
    sort: bool,
) -> Option<(KeyAttribute, &'e Template)> {
    if !table.complete {
        return None;
    }
    let (id, own) = match key {
        0 => (None, (entity.pk, entity.sk)),
        _ => {
            let index = &entity.indexes[key - 1];
            (Some(index.id), (index.pk, index.sk))
        }
    };
    let (pk, sk) = table.key(id);
    match (sort, sk, own) {
        (false, _, (template, _)) => Some((pk, template)),
        (true, Some(sk), (_, Some(template))) => Some((sk, template)),
        (true, ..) => None,
    }
}

/// A key attribute that is the field itself is stored in the form of the key, so a serde function
/// could not read it back. Bytes and times need one, because serde's own forms differ from
/// DynamoDB's and from RFC 3339.
///
/// Called only for a field with such a function that is a whole key.
pub(super) const fn plain_key(
    table: &TableSchema,
    entity: &EntitySchema,
    key: usize,
    sort: bool,
) -> Verdict {
    let Some((attribute, template)) = half(table, entity, key, sort) else {
        return Verdict::FINE;
    };
    let PartSchema { field, kind, .. } = &template.parts[0];
    let plain = matches!(
        kind,
        Name::Text | Name::Enum | Name::Integer | Name::Boolean
    );
    if !plain || !is_stored_as(entity, field, attribute.name) {
        return Verdict::FINE;
    }
    Verdict::wrong(
        Message::new("the field ")
            .name(field)
            .text(" is the key attribute ")
            .name(attribute.name)
            .text(" itself, which `#[serde(with = \"…\")]` would not read as it is stored; remove it, or store the field under another name"),
    )
}

/// A time that is a key attribute of type N is stored as a number, which serde reads only with a
/// function.
///
/// Called only for a field without such a function that is a whole key.
pub(super) const fn epoch_key(
    table: &TableSchema,
    entity: &EntitySchema,
    key: usize,
    sort: bool,
) -> Verdict {
    let Some((attribute, template)) = half(table, entity, key, sort) else {
        return Verdict::FINE;
    };
    let PartSchema { field, .. } = &template.parts[0];
    if !matches!(attribute.key_type, KeyType::N) || !is_stored_as(entity, field, attribute.name) {
        return Verdict::FINE;
    }
    Verdict::wrong(
        Message::new("the field ")
            .name(field)
            .text(" is the key attribute ")
            .name(attribute.name)
            .text(" itself, a number, and serde would read it as text; write `#[serde(with = \"…\")]` on it with a function for numbers, as `dynamo_model::format::epoch_seconds` is"),
    )
}

pub(super) const fn text_type(attribute: KeyAttribute, template: &Template) -> Verdict {
    if !matches!(attribute.key_type, KeyType::S) {
        return not_text(attribute, template);
    }
    let mut parts = template.parts;
    while let [part, rest @ ..] = parts {
        if matches!(part.kind, Name::Bytes) {
            return bytes_in_text(part, template);
        }
        if matches!(part.kind, Name::Decimal) {
            return decimal_in_text(part, template);
        }
        parts = rest;
    }
    Verdict::FINE
}

const fn not_text(attribute: KeyAttribute, template: &Template) -> Verdict {
    Verdict::wrong(
        Message::new("the key attribute ")
            .name(attribute.name)
            .text(" is of type ")
            .text(attribute.key_type.as_str())
            .text(", but ")
            .name(template.text)
            .text(" makes text; use one bare placeholder, or declare the attribute as S"),
    )
}

const fn bytes_in_text(part: &PartSchema, template: &Template) -> Verdict {
    Verdict::wrong(
        Message::new("the field ")
            .name(part.field)
            .text(" holds bytes, which cannot be part of the text ")
            .name(template.text)
            .text("; encode it as text, or make it the whole key of an attribute of type B"),
    )
}

const fn decimal_in_text(part: &PartSchema, template: &Template) -> Verdict {
    Verdict::wrong(
        Message::new("the field ")
            .name(part.field)
            .text(" is a number with a fraction, whose text in ")
            .name(template.text)
            .text(" would not sort as the numbers do; make it the whole key of an attribute of type N, or store it as an integer of the smallest unit"),
    )
}

const fn bare_type(entity: &EntitySchema, attribute: KeyAttribute, part: &PartSchema) -> Verdict {
    let own = is_stored_as(entity, part.field, attribute.name);
    let is_epoch = matches!(part.spec.form, Form::Epoch(_));
    let natural = match part.kind {
        Name::Integer | Name::Decimal => KeyType::N,
        Name::Bytes => KeyType::B,
        _ => KeyType::S,
    };
    let fits = match attribute.key_type {
        // As text, any value will do, unless the attribute is the field itself.
        KeyType::S => {
            !matches!(part.kind, Name::Bytes | Name::Decimal)
                && (!own || matches!(natural, KeyType::S))
        }
        KeyType::N => matches!(part.kind, Name::Integer | Name::Decimal) || is_epoch,
        KeyType::B => matches!(part.kind, Name::Bytes),
    };
    if !fits {
        return Verdict::wrong(
            Message::new("the key attribute ")
                .name(attribute.name)
                .text(" is of type ")
                .text(attribute.key_type.as_str())
                .text(", but the field ")
                .name(part.field)
                .text(" is ")
                .text(part.kind.as_str())
                .text("; declare the attribute as `")
                .text(natural.as_str())
                .text("(\"")
                .text(attribute.name)
                .text("\")` on the table, ")
                .text(if matches!(part.kind, Name::Time) {
                    "or give the time as a number with `epoch_s` or `epoch_ms` after a colon"
                } else {
                    "or change the field's type"
                }),
        );
    }
    if matches!(attribute.key_type, KeyType::N) && is_epoch && part.spec.transform.is_some() {
        return Verdict::wrong(
            Message::new("the key attribute ")
                .name(attribute.name)
                .text(" is of type N, so it sorts by number, and `desc` works on text; remove `desc`, and read with `descending()`"),
        );
    }
    if own && matches!(part.kind, Name::Boolean) {
        return Verdict::wrong(
            Message::new("the field ")
                .name(part.field)
                .text(" is a bool, which cannot be the key attribute ")
                .name(attribute.name)
                .text("; use an enum, or another attribute"),
        );
    }
    let spec_fits = part.spec.is_plain()
        || matches!(part.spec.form, Form::Precision(_))
            && part.spec.transform.is_none()
            && matches!(attribute.key_type, KeyType::S)
        || is_epoch && matches!(attribute.key_type, KeyType::N)
        || !own && matches!(attribute.key_type, KeyType::S);
    if !spec_fits {
        return Verdict::wrong(
            Message::new("the key attribute ")
                .name(attribute.name)
                .text(" is the field ")
                .name(part.field)
                .text(" itself, so the spec would change what is stored; remove it, or store the field under another name"),
        );
    }
    Verdict::FINE
}
