//! The rules of an entity, except for those of its keys.

use super::{keys, undeclared, vector};
use crate::ast::{Entity, Field, KeySource, Stored};
use crate::ctxt::Ctxt;
use crate::template::Form;
use crate::ty::{self, KeyType};
use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;

pub(crate) fn entity(cx: &Ctxt, entity: &Entity<'_>) {
    entity_is_complete(cx, entity);
    keys::placeholders_name_fields(cx, entity);
    keys::conditions_name_fields(cx, entity);
    keys::braces_are_no_placeholders(cx, entity);
    keys::key_fields_can_be_parts(cx, entity);
    keys::primary_key_is_never_absent(cx, entity);
    keys::empty_parts_are_optional(cx, entity);
    index_sources_exist(cx, entity);
    entity_indexes_are_distinct(cx, entity);
    attributes_are_distinct(cx, entity);
    one_version_one_ttl(cx, entity);
    only_what_expires_is_hidden(cx, entity);
    undeclared::one_rest(cx, entity);
    undeclared::constants_are_distinct(cx, entity);
    one_meaning_a_field(cx, entity);
    version_and_ttl_are_integers(cx, entity);
    version_is_plain(cx, entity);
    key_only_fields_are_plain(cx, entity);
    stamps_are_times(cx, entity);
    null_fields_are_options(cx, entity);
    immutable_fields_are_data(cx, entity);
    keys::sort_key_parts_have_methods(cx, entity);
    keys::key_only_fields_are_in_a_key(cx, entity);
    keys::kept_fields_are_not_in_keys(cx, entity);
    missing_types_are_told_by_key(cx, entity);
    type_checks_have_a_type(cx, entity);
    shared_keys_are_compared(cx, entity);
    uniques_have_placeholders(cx, entity);
    uniques_are_distinct(cx, entity);
    uniques_are_whole(cx, entity);
    vector::entity(cx, entity);
}

/// Every item has a table and a partition key.
fn entity_is_complete(cx: &Ctxt, entity: &Entity<'_>) {
    let name = entity.ident.unraw().to_string();
    let table = "#[dynamo(table = …)]";
    let pk = format!("#[pk(\"{}#<id>\")]", name.to_uppercase());
    let message = match (entity.said.has("table"), entity.pk.is_some()) {
        (true, true) => return,
        (false, true) => format!("`{name}` has no table; write `{table}`"),
        (true, false) => format!("`{name}` has no partition key; write `{pk}`"),
        (false, false) => {
            format!("`{name}` has no table and no partition key; write `{table}` and `{pk}`")
        }
    };
    cx.error(entity.ident.span(), message);
}

/// Writes can check the entity type only if the items have one.
fn type_checks_have_a_type(cx: &Ctxt, entity: &Entity<'_>) {
    if let (Some(span), None, false) = (
        entity.check_type,
        &entity.entity_type,
        entity.said.has("entity_type"),
    ) {
        let message = "`check_type` needs the entity type of stored items; write `entity_type = \
                       \"…\"` beside it";
        cx.error(span, message);
    }
}

/// `untyped` needs a declared entity type, and a key that identifies the entity.
fn missing_types_are_told_by_key(cx: &Ctxt, entity: &Entity<'_>) {
    let Some(span) = entity.untyped else { return };
    if entity.entity_type.is_none() && !entity.said.has("entity_type") {
        let message = "`untyped` allows items without their entity type, and the entity declares \
                       no type; write `entity_type = \"…\"` beside it";
        cx.error(span, message);
    } else if !entity.shares_key_with.is_empty() {
        let message = "entities that share a key are told apart by their type, so it cannot be \
                       missing; remove `untyped`";
        cx.error(span, message);
    }
}

/// Only entities of the items enum are compared, and both sides declare that they share a key.
fn shared_keys_are_compared(cx: &Ctxt, entity: &Entity<'_>) {
    let Some(path) = entity.shares_key_with.first() else {
        return;
    };
    let option = match (entity.former, entity.foreign) {
        (true, _) => "former",
        (_, true) => "foreign",
        _ => return,
    };
    let message = format!(
        "an entity with `{option}` is not compared with other entities, so it cannot declare \
         `shares_key_with`; write `check_type` instead"
    );
    cx.error_on(path, message);
}

/// `pk = sk` needs a sort key to refer to.
fn index_sources_exist(cx: &Ctxt, entity: &Entity<'_>) {
    for index in &entity.indexes {
        for source in std::iter::once(&index.pk).chain(&index.sk) {
            if let (KeySource::TableSk(span), None) = (source, &entity.sk) {
                cx.error(
                    *span,
                    format!(
                        "`{}` has no sort key to take; write `#[sk(\"…\")]` first",
                        entity.ident
                    ),
                );
            }
        }
    }
}

/// The names of methods that every entity has or will have, without those of its indexes.
const RESERVED: &[&str] = &[
    "get",
    "put",
    "create",
    "update",
    "upsert",
    "delete",
    "query",
    "scan",
    "across",
    "key",
    "parse_key",
    "partition_key",
    "sort_key",
    "primary_key",
    "key_attributes",
    "key_in",
    "parse",
];

/// The methods that are named after an index.
pub(crate) fn index_methods(name: &str) -> [String; 6] {
    [
        name.to_owned(),
        format!("{name}_key"),
        format!("{name}_partition_key"),
        format!("{name}_sort_key"),
        format!("{name}_across"),
        format!("parse_{name}_key"),
    ]
}

/// Returns whether a method of an index with this name would be one that every entity has.
pub(crate) fn is_method_of_entity(name: &str) -> bool {
    index_methods(name)
        .iter()
        .any(|name| RESERVED.contains(&name.as_str()))
}

/// An entity has one key for each index, and the methods of each index have their own names.
fn entity_indexes_are_distinct(cx: &Ctxt, entity: &Entity<'_>) {
    for (i, index) in entity.indexes.iter().enumerate() {
        if entity.indexes[..i].iter().any(|other| other.id == index.id) {
            let message = format!(
                "`{}` is given twice, and an item has one key in it; keep one",
                index.id
            );
            cx.error(index.span, message);
            continue;
        }
        let Some(ident) = &index.method else { continue };
        let method = ident.unraw().to_string();
        let methods = index_methods(&method);
        if is_method_of_entity(&method) {
            cx.error(
                ident.span(),
                format!(
                    "`{method}` is the name of a method that every entity has; name the index \
                     after what it finds, as in `as = by_{method}`"
                ),
            );
        }
        let other = entity.indexes[..i].iter().find(|other| {
            let name = other
                .method
                .as_ref()
                .map_or(other.id.to_string(), |it| it.unraw().to_string());
            index_methods(&name)
                .iter()
                .any(|name| methods.contains(name))
        });
        if let Some(other) = other {
            let message = format!(
                "`{method}` is the name of `{}` already; give each index its own",
                other.id
            );
            cx.error(ident.span(), message);
        }
    }
}

/// An attribute of an item has one value.
fn attributes_are_distinct(cx: &Ctxt, entity: &Entity<'_>) {
    let stored = || {
        entity
            .fields
            .iter()
            .filter(|field| field.stored == Stored::Attribute)
    };
    for (i, field) in stored().enumerate() {
        if let Some(other) = stored()
            .take(i)
            .find(|other| other.attribute == field.attribute)
        {
            cx.error(
                field.ident.span(),
                format!(
                    "`{}` and `{}` are both stored as `{}`; rename one of them",
                    other.name, field.name, field.attribute
                ),
            );
        }
    }
}

/// An item has one version and one time of expiry.
fn one_version_one_ttl(cx: &Ctxt, entity: &Entity<'_>) {
    only_one(cx, entity, "version", |field| field.version);
    only_one(cx, entity, "ttl", |field| field.ttl);
    only_one(cx, entity, "created_at", |field| field.created_at);
    only_one(cx, entity, "updated_at", |field| field.updated_at);
}

fn only_one(
    cx: &Ctxt,
    entity: &Entity<'_>,
    option: &str,
    span: impl Fn(&Field<'_>) -> Option<Span>,
) {
    let mut first: Option<&Field<'_>> = None;
    for field in &entity.fields {
        let Some(span) = span(field) else { continue };
        // The rule of rest fields reports those.
        if !matches!(field.stored, Stored::Attribute | Stored::Rest) {
            cx.error(
                span,
                format!(
                    "`{}` is not stored by serde, so it cannot be the {option}; remove \
                     `#[serde(skip)]` or `flatten`",
                    field.name
                ),
            );
        }
        if let Some(first) = first {
            cx.error(
                span,
                format!(
                    "`{}` is already the {option}, and an item has one; remove this `{option}`",
                    first.name
                ),
            );
        }
        first = first.or(Some(field));
    }
}

/// A constraint without a field would allow only one item.
fn uniques_have_placeholders(cx: &Ctxt, entity: &Entity<'_>) {
    for unique in &entity.uniques {
        if let KeySource::Template(spanned) = unique
            && spanned.template.parts.is_empty()
            && keys::fields_in_braces(entity, &spanned.template)
                .next()
                .is_none()
        {
            let text = &spanned.template.text;
            cx.error(
                spanned.span(),
                format!(
                    "`{text}` is the same for every item, so there could be only one; name the \
                     field that is unique, as in `{text}#<email>`"
                ),
            );
        }
    }
}

/// Two equal constraints would write one unique item twice.
fn uniques_are_distinct(cx: &Ctxt, entity: &Entity<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for unique in &entity.uniques {
        let KeySource::Template(spanned) = unique else {
            continue;
        };
        let template = &spanned.template;
        if seen.contains(&template.text.as_str()) {
            let text = &template.text;
            cx.error(spanned.span(), format!("`{text}` is given twice; keep one"));
        }
        seen.push(&template.text);
    }
}

/// Different values have the same shard, so the constraint would refuse them.
fn uniques_are_whole(cx: &Ctxt, entity: &Entity<'_>) {
    for unique in &entity.uniques {
        let KeySource::Template(spanned) = unique else {
            continue;
        };
        for part in &spanned.template.parts {
            if matches!(part.spec.form, Form::Shard(_)) {
                let name = &part.field;
                cx.error(
                    spanned.span_of(part),
                    format!(
                        "a shard of `{name}` is the same for many values, so it is not unique; \
                         write `<{name}>`"
                    ),
                );
            }
        }
    }
}

/// The library keeps only one thing in a field.
fn one_meaning_a_field(cx: &Ctxt, entity: &Entity<'_>) {
    for field in &entity.fields {
        let kept = [
            ("version", field.version),
            ("ttl", field.ttl),
            ("created_at", field.created_at),
            ("updated_at", field.updated_at),
        ];
        let mut kept = kept
            .iter()
            .filter_map(|(name, span)| Some((name, (*span)?)));
        if let (Some((first, _)), Some((second, span))) = (kept.next(), kept.next()) {
            let name = &field.name;
            cx.error(
                span,
                format!(
                    "`{name}` cannot be both `{first}` and `{second}`; give each a field of its own"
                ),
            );
        }
    }
}

/// The clock sets these fields, so they must be times.
fn stamps_are_times(cx: &Ctxt, entity: &Entity<'_>) {
    for field in &entity.fields {
        if field.created_at.is_none() && field.updated_at.is_none() {
            continue;
        }
        let (name, ty) = (&field.name, KeyType::of(field.ty));
        let shown = ty.part.to_token_stream().to_string().replace(' ', "");
        let why = if ty.refusal().is_some() || ty::is_named(ty.part, "bool") {
            format!(
                "and `{shown}` is not a time; declare it as a time of `chrono`, `jiff` or `time`, \
                 as a `String` (RFC 3339) or as `u64` (seconds since 1970)"
            )
        } else if ty::is_small_integer(ty.part) {
            format!("and the seconds since 1970 do not fit `{shown}` for long; declare it as `u64`")
        } else {
            continue;
        };
        cx.error_on(field.ty, format!("`{name}` is set from the clock, {why}"));
    }
}

/// Writes increase and compare the version as a plain number.
fn version_is_plain(cx: &Ctxt, entity: &Entity<'_>) {
    for field in &entity.fields {
        if field.version.is_some() && field.function.is_some() {
            let name = &field.name;
            cx.error(
                field.ident.span(),
                format!(
                    "`{name}` is the version, which writes store as a plain number, so a serde \
                     function could not read it back; remove `#[serde(with = \"…\")]`"
                ),
            );
        }
    }
}

/// A `key_only` field is read from the key, where a serde function does not apply.
fn key_only_fields_are_plain(cx: &Ctxt, entity: &Entity<'_>) {
    for field in &entity.fields {
        if field.key_only.is_some() && field.function.is_some() {
            let name = &field.name;
            cx.error(
                field.ident.span(),
                format!(
                    "`{name}` is read from the key alone, in the form that it has there; remove \
                     `#[serde(with = \"…\")]`, or `key_only`"
                ),
            );
        }
    }
}

/// Returns whether a field is in the key of the table or of an index, or in a unique constraint.
fn is_in_key(entity: &Entity<'_>, field: &str) -> bool {
    let indexes = entity.indexes.iter();
    let indexes = indexes.flat_map(|index| std::iter::once(&index.pk).chain(&index.sk));
    let keys = entity.pk.iter().chain(&entity.sk).chain(indexes);
    let mut templates = keys
        .chain(&entity.uniques)
        .filter_map(|source| entity.template(source));
    templates.any(|it| it.template.parts.iter().any(|part| part.field == field))
}

/// An item expires by its TTL attribute.
fn only_what_expires_is_hidden(cx: &Ctxt, entity: &Entity<'_>) {
    if let Some(span) = entity.hide_expired
        && !entity.fields.iter().any(|field| field.ttl.is_some())
    {
        let ident = entity.ident;
        cx.error(
            span,
            format!(
                "`hide_expired` leaves out items that have expired, and `{ident}` has no TTL; \
                 write `#[dynamo(ttl)]` on the field with the expiry time, or remove \
                 `hide_expired`"
            ),
        );
    }
}

/// `null` decides how `None` is stored, so it needs an `Option`.
fn null_fields_are_options(cx: &Ctxt, entity: &Entity<'_>) {
    for field in &entity.fields {
        let Some(span) = field.null else { continue };
        // Another type may be an alias of `Option`.
        if !ty::is_option(field.ty) && ty::is_plain(field.ty) {
            let name = &field.name;
            cx.error(
                span,
                format!(
                    "`null` stores `None` as NULL, and `{name}` is never `None`; declare it as an \
                     `Option`, or remove `null`"
                ),
            );
        }
    }
}

/// A condition compares the stored attribute with the new one. So the field must be an attribute,
/// and the library must not change it.
fn immutable_fields_are_data(cx: &Ctxt, entity: &Entity<'_>) {
    let own_key = |name: &str| {
        let keys = entity.pk.iter().chain(&entity.sk);
        let mut templates = keys.filter_map(|source| entity.template(source));
        templates.any(|it| it.template.parts.iter().any(|part| part.field == name))
    };
    for field in &entity.fields {
        let (Some(span), name) = (field.immutable, &field.name) else {
            continue;
        };
        let why = if own_key(name) {
            "is part of the primary key, which never changes"
        } else if field.created_at.is_some() {
            "is set from the clock at creation, and never changes"
        } else if field.version.is_some() || field.updated_at.is_some() {
            "is changed by every write"
        } else if field.ttl.is_some() {
            "is the TTL, which `expires_in` and `expires_at` change"
        } else if field.key_only.is_some() {
            "is stored only in keys, where no condition can compare it"
        } else if field.stored != Stored::Attribute {
            "is not an attribute of its own, and no condition can compare it"
        } else {
            continue;
        };
        cx.error(span, format!("`{name}` {why}; remove `immutable`"));
    }
}

/// The library calculates with versions and with seconds of expiry.
fn version_and_ttl_are_integers(cx: &Ctxt, entity: &Entity<'_>) {
    for field in &entity.fields {
        let ty = KeyType::of(field.ty);
        let name = &field.name;
        if field.version.is_some() && (ty.optional || ty::is_no_integer(field.ty)) {
            cx.error_on(
                field.ty,
                format!("`{name}` is the version, which is an integer; declare it as `u64`"),
            );
        }
        if let (Some(span), Some(_)) = (field.ttl, &field.function)
            && is_in_key(entity, name)
        {
            cx.error(
                span,
                format!(
                    "`{name}` is the TTL and part of a key, so it is written as a number without a \
                     serde function; declare it as `u64` or `Option<u64>`, without `#[serde(with = \
                     \"…\")]`"
                ),
            );
        }
        let why = if field.ttl.is_none() || field.function.is_some() || ty::is_time(ty.part) {
            continue;
        } else if ty::is_no_integer(ty.part) {
            "which is a number of seconds since 1970"
        } else if ty::is_small_integer(ty.part) {
            "and the seconds since 1970 do not fit such a small integer"
        } else {
            continue;
        };
        cx.error_on(
            field.ty,
            format!("`{name}` is the TTL, {why}; declare it as `u64` or `Option<u64>`"),
        );
    }
}
