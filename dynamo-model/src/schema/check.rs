//! Rules that look at more than one declaration, checked at compile time.
//!
//! A derive sees one item only, so an entity is compared with its table here, in constants:
//! generated code calls each check in a `const _: () = …enforce();` with the span of the user's
//! text. Each rule is one function, with the reason why DynamoDB, or we, impose it.
//!
//! Nearly all declarations are correct, and every entity is checked. Const evaluation is slow, so
//! function calls (also `len` and `is_empty`) are avoided: lists are walked by patterns, and
//! attributes that the table cannot have are recognised by a bit. Messages are built in separate
//! functions.

use super::form::Form as ValueForm;
use super::look;
use super::message::{Message, Verdict, same};
use super::table::{IndexId, IndexSchema, KeyAttribute, KeyType, Projection, TableSchema};
use super::{AttributeRole, EntityIndex, EntitySchema, IndexCondition, UniqueSchema};
use crate::key::overlap;
use crate::key::part::kind::Name;
use crate::key::template::{Form, PartSchema, Role, Template, Transform};

/// An entity and its table, for generated code: each rule stops the compilation where it is called.
#[derive(Debug)]
pub struct Rules {
    table: TableSchema,
    entity: EntitySchema,
    /// How the attributes look that the table has for itself.
    own: u128,
}

macro_rules! rules {
    ($($rule:ident($($name:ident: $ty:ty),*);)*) => {
        impl Rules {
            /// The checks of this entity and its table.
            #[must_use]
            pub const fn of<E: crate::Entity>() -> Self {
                let (table, entity) = (crate::__private::table::<E>(), E::SCHEMA);
                Self { own: own(&table), table, entity }
            }

            $(
                /// The rule of this name.
                #[track_caller]
                pub const fn $rule(&self, $($name: $ty),*) {
                    $rule(&self.table, &self.entity $(, $name)*).enforce();
                }
            )*
        }
    };
}

rules! {
    sort_key();
    member();
    entity_type();
    shared_key(at: usize);
    key_type(key: usize, sort: bool);
    plain_key(key: usize, sort: bool);
    epoch_key(key: usize, sort: bool);
    index_key(key: usize);
    taken(at: usize);
    ttl(at: usize);
    unique(at: usize);
    unique_table(at: usize);
    constant(at: usize);
}

impl Rules {
    /// The rule that no field is stored under a reserved name of the table.
    #[track_caller]
    pub const fn attribute(&self, at: usize) {
        if self.own & look(self.entity.attributes[at].name) != 0 {
            self.taken(at);
        }
        let attribute = &self.entity.attributes[at];
        if matches!(attribute.form, ValueForm::Decimal | ValueForm::DecimalSet) {
            stored_form(attribute.field, attribute.form);
        }
    }
}

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

/// How the attributes look that a table has for itself.
const fn own(table: &TableSchema) -> u128 {
    let mut own = look(table.pk.name);
    if let Some(sk) = &table.sk {
        own |= look(sk.name);
    }
    if let Some(name) = table.entity_type {
        own |= look(name);
    }
    if let Some(name) = table.ttl {
        own |= look(name);
    }
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        own |= look(index.pk.name);
        if let Some(sk) = &index.sk {
            own |= look(sk.name);
        }
        indexes = rest;
    }
    own
}

/// Every item must have exactly the table's primary key.
const fn sort_key(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    if !table.complete || table.sk.is_some() == entity.sk.is_some() {
        return Verdict::FINE;
    }
    wrong_sort_key(table, entity)
}

const fn wrong_sort_key(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    match (&table.sk, entity.sk) {
        (Some(sk), None) => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" has the sort key ")
                .name(sk.name)
                .text(", but ")
                .name(entity.entity)
                .text(" declares none; write `#[sk(\"…\")]` on it, a literal such as `#[sk(\"PROFILE\")]` for one item per partition"),
        ),
        (None, Some(sk)) => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" has no sort key, so ")
                .name(entity.entity)
                .text(" cannot have ")
                .name(sk.text)
                .text("; remove `#[sk]`, or declare `sk = \"SK\"` on the table"),
        ),
        _ => Verdict::FINE,
    }
}

/// A table's items enum, where it declares one, has a variant for each of its entities: only those
/// are compared with each other.
const fn member(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    let mut items = table.items;
    if items.is_empty() || entity.former || !entity.is_complete() {
        return Verdict::FINE;
    }
    while let [item, rest @ ..] = items {
        if same(item.entity, entity.entity) && same(item.declared_in, entity.declared_in) {
            return Verdict::FINE;
        }
        items = rest;
    }
    not_a_member(table, entity)
}

const fn not_a_member(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    Message::new("entity ")
        .name(entity.entity)
        .text(" is not in ")
        .name(table.items_enum)
        .text(", the items enum of table ")
        .name(table.table)
        .text("; add the variant `")
        .text(entity.entity)
        .text("(")
        .text(entity.entity)
        .text(")` to it, or write `#[dynamo(former)]` on an old shape that only a migration reads")
        .into_wrong()
}

/// A table that distinguishes its items by an attribute needs it on each of them.
const fn entity_type(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    if !table.complete || table.entity_type.is_some() == entity.entity_type.is_some() {
        return Verdict::FINE;
    }
    wrong_entity_type(table, entity)
}

const fn wrong_entity_type(table: &TableSchema, entity: &EntitySchema) -> Verdict {
    match (table.entity_type, entity.entity_type) {
        (Some(attribute), None) => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" stores the entity type in ")
                .name(attribute)
                .text(", and ")
                .name(entity.entity)
                .text(" declares none; write `#[dynamo(entity_type = \"USER\")]` on it"),
        ),
        (None, Some(_)) => Verdict::wrong(
            Message::new("table ")
                .name(table.table)
                .text(" has no entity type attribute; remove `entity_type` from ")
                .name(entity.entity)
                .text(", or declare `#[table(entity_type = \"EntityType\")]` on the table"),
        ),
        _ => Verdict::FINE,
    }
}

/// Entities that share a key are distinguished by their types, and both declare it: the writes of
/// each check the type.
const fn shared_key(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
    if !table.complete || !entity.is_complete() {
        return Verdict::FINE;
    }
    let name = entity.shares_key_with[at];
    let about = Message::new("entity ")
        .name(entity.entity)
        .text(" shares its key with ")
        .name(name);
    if same(name, entity.entity) {
        return about
            .text(", which is the entity itself; name the other one")
            .into_wrong();
    }
    let (mut items, mut comes_first) = (table.items, false);
    let mut found: Option<&EntitySchema> = None;
    while let [item, rest @ ..] = items {
        if same(item.entity, name) {
            if found.is_some() {
                return about
                    .text(", and two entities of table ")
                    .name(table.table)
                    .text(" have that name; rename one of them")
                    .into_wrong();
            }
            found = Some(item);
        }
        comes_first |= found.is_none() && same(item.entity, entity.entity);
        items = rest;
    }
    let Some(other) = found else {
        return about
            .text(", which is not an entity of table ")
            .name(table.table)
            .text("; add it to the items enum that `#[table(items = …)]` names, or remove `shares_key_with`")
            .into_wrong();
    };
    if !other.is_complete() {
        return Verdict::FINE;
    }
    if !shares(other, entity.entity) {
        return about
            .text(", but ")
            .name(name)
            .text(" does not declare it; write `shares_key_with(")
            .text(entity.entity)
            .text(")` on ")
            .name(name)
            .text(", too")
            .into_wrong();
    }
    // An error of both sides is reported once.
    if !comes_first {
        return Verdict::FINE;
    }
    if table.entity_type.is_none() {
        return about
            .text(", and table ")
            .name(table.table)
            .text(" has no entity type to tell their items apart; declare `#[table(entity_type = \"EntityType\")]` on the table, and `entity_type` on both")
            .into_wrong();
    }
    if !keys_meet(entity, other) {
        return about
            .text(", but they cannot have the same key; remove `shares_key_with` from both")
            .into_wrong();
    }
    Verdict::FINE
}

/// Returns whether an entity declares that it shares its key with the one of this name.
const fn shares(entity: &EntitySchema, name: &str) -> bool {
    let mut names = entity.shares_key_with;
    while let [own, rest @ ..] = names {
        if same(own, name) {
            return true;
        }
        names = rest;
    }
    false
}

/// A key attribute has one type, S, N or B, for every item of the table. A template of several
/// pieces is text; a single placeholder has the type of its field.
///
/// `key` is 0 for the table's own, 1 for that of the entity's first index.
const fn key_type(table: &TableSchema, entity: &EntitySchema, key: usize, sort: bool) -> Verdict {
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
const fn plain_key(table: &TableSchema, entity: &EntitySchema, key: usize, sort: bool) -> Verdict {
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
const fn epoch_key(table: &TableSchema, entity: &EntitySchema, key: usize, sort: bool) -> Verdict {
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

/// A spec is for some kinds of values.
const fn specs(template: &Template) -> Verdict {
    let mut parts = template.parts;
    while let [part, rest @ ..] = parts {
        if let Some(fit) = part.spec.unfit_for(part.kind) {
            return unfit_spec(template, part, fit);
        }
        if part.hides_empty() {
            return empty_is_hidden(template, part);
        }
        if let (Some(case), Some(values)) = (part.spec.transform, part.values)
            && let Some((a, b)) = same_in_one_case(values)
        {
            return one_case(part, case, (a, b));
        }
        parts = rest;
    }
    Verdict::FINE
}

/// Returns two values of an enum that `lower` or `upper` would make equal: their keys could not be
/// distinguished. Letters beyond ASCII count as equal, because constants cannot change their case;
/// letters of scripts without case do not.
const fn same_in_one_case(values: &[&'static str]) -> Option<(&'static str, &'static str)> {
    let mut rest = values;
    while let [first, others @ ..] = rest {
        let mut i = 0;
        while i < others.len() {
            if same_without_case(first.as_bytes(), others[i].as_bytes()) {
                return Some((first, others[i]));
            }
            i += 1;
        }
        rest = others;
    }
    None
}

const fn same_without_case(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() {
        let beyond = !a[i].is_ascii() && !b[i].is_ascii();
        // U+3000 to U+9FFF: kana and ideographs.
        let without_case = matches!(a[i], 0xe3..=0xe9) || matches!(b[i], 0xe3..=0xe9);
        if beyond && !without_case && a[i] != b[i] {
            return true;
        }
        if !a[i].eq_ignore_ascii_case(&b[i]) {
            return false;
        }
        i += 1;
    }
    a.len() == b.len()
}

const fn one_case(part: &PartSchema, case: Transform, (a, b): (&str, &str)) -> Verdict {
    Verdict::wrong(
        Message::new("`")
            .text(case.as_str())
            .text("` gives the values ")
            .name(a)
            .text(" and ")
            .name(b)
            .text(" of the field ")
            .name(part.field)
            .text(" the same key; rename one of them, or remove `")
            .text(case.as_str())
            .text("`"),
    )
}

const fn unfit_spec(template: &Template, part: &PartSchema, fit: &str) -> Verdict {
    Verdict::wrong(
        Message::new("the spec in ")
            .name(template.text)
            .text(" is for ")
            .text(fit)
            .text(", but the field ")
            .name(part.field)
            .text(" is ")
            .text(part.kind.as_str())
            .text("; remove the spec, or change the field's type"),
    )
}

const fn empty_is_hidden(template: &Template, part: &PartSchema) -> Verdict {
    Verdict::wrong(
        Message::new("a value of ")
            .name(part.field)
            .text(" may begin with what follows it in ")
            .name(template.text)
            .text(
                ", so an empty part would be ambiguous; put another delimiter after it, as in `#`",
            ),
    )
}

const fn text_type(attribute: KeyAttribute, template: &Template) -> Verdict {
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

/// An index exists on the table or not at all.
pub(crate) const fn index(table: &TableSchema, entity: &EntitySchema, id: IndexId) -> Verdict {
    if table.index(id).is_some() || !table.complete {
        return Verdict::FINE;
    }
    no_index(table, entity, id)
}

const fn no_index(table: &TableSchema, entity: &EntitySchema, id: IndexId) -> Verdict {
    let mut message = Message::new("table ")
        .name(table.table)
        .text(" declares no `")
        .index(id)
        .text("`, which ")
        .name(entity.entity)
        .text(" uses; write `#[")
        .index(id)
        .text("(name = \"…\", …)]` on the table");
    let mut i = 0;
    while i < table.indexes.len() {
        let index = &table.indexes[i];
        let separator = if i == 0 { ", or use `" } else { ", `" };
        message = message
            .text(separator)
            .index(index.id)
            .text("` (")
            .text(index.name)
            .text(")");
        i += 1;
    }
    Verdict::wrong(message)
}

/// An item is in an index only if it has all of the index's key attributes; an attribute has one
/// value, so where an index shares one with the table or another index, the templates are the same.
///
/// `key` is 1 for the entity's first index. A missing index of the table is the error.
const fn index_key(table: &TableSchema, entity: &EntitySchema, key: usize) -> Verdict {
    let own = &entity.indexes[key - 1];
    let Some(index) = table.index(own.id) else {
        return index(table, entity, own.id);
    };
    if index.sk.is_some() != own.sk.is_some() {
        return wrong_index_sort_key(entity, index, own);
    }
    let conditional = conditional(table, entity, index, own);
    if conditional.is_wrong() {
        return conditional;
    }
    let verdict = shared(table, entity, index, index.pk, own.pk);
    match (verdict.is_wrong(), index.sk, own.sk) {
        (false, Some(attribute), Some(template)) => {
            shared(table, entity, index, attribute, template)
        }
        _ => verdict,
    }
}

/// An item is removed from an index by removing the key attributes of the index. So one of them
/// must belong to this index alone, and must not contain data.
const fn conditional(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &IndexSchema,
    own: &EntityIndex,
) -> Verdict {
    let Some(when) = &own.when else {
        return Verdict::FINE;
    };
    let halves = [
        Some((index.pk, own.pk)),
        match (index.sk, own.sk) {
            (Some(attribute), Some(sk)) => Some((attribute, sk)),
            _ => None,
        },
    ];
    let mut free = false;
    let mut i = 0;
    while i < halves.len() {
        if let Some((attribute, template)) = &halves[i] {
            let is_data =
                template.is_bare() && is_stored_as(entity, template.parts[0].field, attribute.name);
            if is_data {
                return Verdict::wrong(
                    about_condition(index, when)
                        .text(", but its key attribute ")
                        .name(attribute.name)
                        .text(" is the field ")
                        .name(template.parts[0].field)
                        .text(" itself, which every item keeps; give the index an attribute of its own"),
                );
            }
            free = free || !is_key_elsewhere(table, entity, index, attribute.name);
        }
        i += 1;
    }
    if free {
        return Verdict::FINE;
    }
    Verdict::wrong(
        about_condition(index, when).text(
            ", but its key attributes are those of the table or of another index, which the item keeps; give the index an attribute of its own",
        ),
    )
}

const fn about_condition(index: &IndexSchema, when: &IndexCondition) -> Message {
    about_index(index)
        .text(" has items only when `")
        .text(when.field)
        .text(" = ")
        .text(when.value)
        .text("`")
}

/// Whether an attribute is a key of the table, or of another index that the entity is in.
const fn is_key_elsewhere(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &IndexSchema,
    name: &str,
) -> bool {
    if same(table.pk.name, name) || is_table_sk(table, name) {
        return true;
    }
    let mut i = 0;
    while i < entity.indexes.len() {
        if !entity.indexes[i].id.same(index.id)
            && let Some(other) = table.index(entity.indexes[i].id)
            && (same(other.pk.name, name) || matches!(&other.sk, Some(sk) if same(sk.name, name)))
        {
            return true;
        }
        i += 1;
    }
    false
}

const fn wrong_index_sort_key(
    entity: &EntitySchema,
    index: &IndexSchema,
    own: &EntityIndex,
) -> Verdict {
    match (&index.sk, own.sk) {
        (None, Some(sk)) => Verdict::wrong(
            about_index(index)
                .text(" has no sort key, so ")
                .name(entity.entity)
                .text(" cannot have ")
                .name(sk.text)
                .text(" there; remove `sk`, or declare it on the index"),
        ),
        (Some(sk), None) => Verdict::wrong(
            about_index(index)
                .text(" has the sort key ")
                .name(sk.name)
                .text(", which ")
                .name(entity.entity)
                .text(" does not set, so the index would have none of its items; add `sk = \"…\"`"),
        ),
        _ => Verdict::FINE,
    }
}

const fn shared(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &IndexSchema,
    attribute: KeyAttribute,
    template: &Template,
) -> Verdict {
    if same(attribute.name, table.pk.name) && !same_keys(template, entity.pk) {
        return shared_with_table(index, attribute, template, entity.pk);
    }
    if let (Some(table_sk), Some(sk)) = (&table.sk, entity.sk)
        && same(attribute.name, table_sk.name)
        && !same_keys(template, sk)
    {
        return shared_with_table(index, attribute, template, sk);
    }
    // Only with the indexes before it: two that disagree are one mistake.
    let mut i = 0;
    while i < entity.indexes.len() && !entity.indexes[i].id.same(index.id) {
        let other = &entity.indexes[i];
        if let Some(declared) = table.index(other.id) {
            let conflict = if same(attribute.name, declared.pk.name) {
                Some(other.pk)
            } else {
                match (&declared.sk, other.sk) {
                    (Some(sk), Some(template)) if same(attribute.name, sk.name) => Some(template),
                    _ => None,
                }
            };
            if let Some(conflict) = conflict
                && !same_keys(conflict, template)
            {
                return shared_with_index(index, attribute, template, (other.id, conflict));
            }
        }
        i += 1;
    }
    Verdict::FINE
}

const fn shared_with_table(
    index: &IndexSchema,
    attribute: KeyAttribute,
    template: &Template,
    own: &Template,
) -> Verdict {
    let whole = match own.role {
        Role::PartitionKey => ", the table's partition key, which is ",
        Role::SortKey => ", the table's sort key, which is ",
    };
    Verdict::wrong(
        taken_from(index, attribute, template)
            .text(whole)
            .name(own.text)
            .text("; write `")
            .text(short(template.role))
            .text(" = ")
            .text(short(own.role))
            .text("`"),
    )
}

const fn shared_with_index(
    index: &IndexSchema,
    attribute: KeyAttribute,
    template: &Template,
    (other, conflict): (IndexId, &Template),
) -> Verdict {
    Verdict::wrong(
        taken_from(index, attribute, template)
            .text(", and so does `")
            .index(other)
            .text("`, where it is ")
            .name(conflict.text)
            .text("; give both the same template, or the indexes attributes of their own"),
    )
}

const fn short(role: Role) -> &'static str {
    match role {
        Role::PartitionKey => "pk",
        Role::SortKey => "sk",
    }
}

const fn taken_from(index: &IndexSchema, attribute: KeyAttribute, template: &Template) -> Message {
    let role = short(template.role);
    about_index(index)
        .text(" takes ")
        .name(role)
        .text(" from the attribute ")
        .name(attribute.name)
}

/// An attribute has one value: a field must not be stored where a key or the entity type is, unless
/// it *is* that key.
const fn taken(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
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
const fn constant(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
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
        if same(index.pk.name, name) || sk {
            return true;
        }
        indexes = rest;
    }
    false
}

const fn is_table_sk(table: &TableSchema, name: &str) -> bool {
    matches!(&table.sk, Some(sk) if same(sk.name, name))
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
const fn ttl(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
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

/// A projection has fields of its entity, and an index has only its projected attributes.
pub(crate) const fn projection(
    table: &TableSchema,
    entity: &EntitySchema,
    id: Option<IndexId>,
    field: &str,
    attribute: &str,
) -> Verdict {
    if !table.complete || !entity.is_complete() {
        return Verdict::FINE;
    }
    let Some(of) = field_named(entity, field) else {
        return Verdict::wrong(
            Message::new("entity ")
                .name(entity.entity)
                .text(" has no field ")
                .name(field)
                .text(" to project; name one of its fields"),
        );
    };
    if !same(of, attribute) {
        return Verdict::wrong(
            Message::new("the field ")
                .name(field)
                .text(" is stored as ")
                .name(of)
                .text(", not as ")
                .name(attribute)
                .text("; give the projection the serde attributes of ")
                .name(entity.entity),
        );
    }
    let Some(id) = id else { return Verdict::FINE };
    let Some(index) = table.index(id) else {
        return Verdict::FINE;
    };
    if carries(table, index, attribute) || in_keys(table, entity, index, field) {
        return Verdict::FINE;
    }
    Verdict::wrong(
        about_index(index)
            .text(" does not carry ")
            .name(attribute)
            .text(", the field ")
            .name(field)
            .text("; add it to the index's `projection = include(…)`, leave the field out, or read whole items with `.hydrate(&db)`"),
    )
}

const fn field_named(entity: &EntitySchema, field: &str) -> Option<&'static str> {
    let mut i = 0;
    while i < entity.attributes.len() {
        if same(entity.attributes[i].field, field) {
            return Some(entity.attributes[i].name);
        }
        i += 1;
    }
    None
}

pub(crate) const fn carries(table: &TableSchema, index: &IndexSchema, attribute: &str) -> bool {
    let keys = [Some(table.pk), table.sk, Some(index.pk), index.sk];
    let mut i = 0;
    while i < keys.len() {
        if let Some(key) = &keys[i]
            && same(key.name, attribute)
        {
            return true;
        }
        i += 1;
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

/// Returns whether a field can be restored from a key in the index: the table's, its own, or
/// another index's whose attributes it projects.
const fn in_keys(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &IndexSchema,
    field: &str,
) -> bool {
    if tells(entity.pk, field) || matches!(entity.sk, Some(sk) if tells(sk, field)) {
        return true;
    }
    let mut i = 0;
    while i < entity.indexes.len() {
        let own = &entity.indexes[i];
        // An item that another index does not have may lack its key.
        let has = own.when.is_none() || own.id.same(index.id);
        if has
            && let Some(other) = table.index(own.id)
            && carries(table, index, other.pk.name)
            && !matches!(&other.sk, Some(sk) if !carries(table, index, sk.name))
            && (tells(own.pk, field) || matches!(own.sk, Some(sk) if tells(sk, field)))
        {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether the field's value can be read from a key of this template.
const fn tells(template: &Template, field: &str) -> bool {
    let mut i = 0;
    while i < template.parts.len() {
        if same(template.parts[i].field, field) && template.parts[i].is_lossless() {
            return true;
        }
        i += 1;
    }
    false
}

/// A variant of the items enum must be of its table.
pub const fn same_table(
    table: &TableSchema,
    other: &TableSchema,
    entity: &EntitySchema,
) -> Verdict {
    let compared = table.complete && other.complete && entity.is_complete();
    if !compared || same(table.table, other.table) && same(table.name, other.name) {
        return Verdict::FINE;
    }
    Verdict::wrong(
        Message::new("entity ")
            .name(entity.entity)
            .text(" belongs to table ")
            .name(other.table)
            .text(", not to ")
            .name(table.table)
            .text("; move it to the items of its own table"),
    )
}

/// An item is recognised by its entity type and its key. If two entities shared one of them, one
/// could read, or overwrite, the other's items.
pub const fn distinct(entities: &[&EntitySchema], at: usize) -> Verdict {
    let this = entities[at];
    let mut i = 0;
    while i < at {
        let other = entities[i];
        if let Some(both) = common_type(this, other) {
            return Verdict::wrong(
                Message::new("entities ")
                    .name(other.entity)
                    .text(" and ")
                    .name(this.entity)
                    .text(" have the same entity type ")
                    .name(both)
                    .text("; give each its own"),
            );
        }
        // A declaration on one side alone is a separate error.
        let declared = shares(this, other.entity) || shares(other, this.entity);
        if !declared && keys_meet(this, other) {
            return same_key(other, this);
        }
        if let Some(verdict) = uniques_meet(this, other) {
            return verdict;
        }
        if let Some(verdict) = uniques_meet(other, this) {
            return verdict;
        }
        i += 1;
    }
    Verdict::FINE
}

/// Returns a value of the type attribute that both have.
const fn common_type(a: &EntitySchema, b: &EntitySchema) -> Option<&'static str> {
    let (Some(first), Some(_)) = (a.entity_type, b.entity_type) else {
        return None;
    };
    if is_type_of(b, first) {
        return Some(first);
    }
    let mut types = a.other_types;
    while let [own, rest @ ..] = types {
        if is_type_of(b, own) {
            return Some(own);
        }
        types = rest;
    }
    None
}

const fn is_type_of(entity: &EntitySchema, value: &str) -> bool {
    if matches!(entity.entity_type, Some(own) if same(own, value)) {
        return true;
    }
    let mut types = entity.other_types;
    while let [own, rest @ ..] = types {
        if same(own, value) {
            return true;
        }
        types = rest;
    }
    false
}

/// The item of a unique constraint has text for its whole key, and no other item may have that key.
const fn unique(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
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
const fn unique_table(table: &TableSchema, entity: &EntitySchema, at: usize) -> Verdict {
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

const fn expires(attributes: &[super::AttributeSchema]) -> bool {
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
const fn uniques_meet(a: &EntitySchema, b: &EntitySchema) -> Option<Verdict> {
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

const fn keys_meet(a: &EntitySchema, b: &EntitySchema) -> bool {
    a.is_complete() && b.is_complete() && overlap::keys_can_meet((a.pk, a.sk), (b.pk, b.sk))
}

const fn same_key(a: &EntitySchema, b: &EntitySchema) -> Verdict {
    let mut message = Message::new("entities ")
        .name(a.entity)
        .text(" and ")
        .name(b.entity)
        .text(" can have the same key: ")
        .name(a.pk.text);
    if let Some(sk) = a.sk {
        message = message.text(" + ").name(sk.text);
    }
    message = message.text(" and ").name(b.pk.text);
    if let Some(sk) = b.sk {
        message = message.text(" + ").name(sk.text);
    }
    message
        .text("; begin one of them with a literal of its own, or write `shares_key_with(…)` on both if they share their keys on purpose")
        .into_wrong()
}

const fn about_index(index: &IndexSchema) -> Message {
    Message::new("index `")
        .index(index.id)
        .text("` (")
        .text(index.name)
        .text(")")
}

const fn find(entity: &EntitySchema, id: IndexId) -> Option<&EntityIndex> {
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
const fn same_keys(a: &Template, b: &Template) -> bool {
    if !same(a.text, b.text) || a.parts.len() != b.parts.len() {
        return false;
    }
    a.parts.is_empty() || {
        let last = a.parts.len() - 1;
        a.parts[last].escape.same(b.parts[last].escape)
    }
}

const fn is_bare_on(template: &Template, field: &str) -> bool {
    template.is_bare() && same(template.parts[0].field, field)
}

const fn is_stored_as(entity: &EntitySchema, field: &str, name: &str) -> bool {
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
