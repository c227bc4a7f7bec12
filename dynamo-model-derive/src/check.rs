//! Rules that look at more than one attribute of a declaration. One function a rule, and above it why
//! DynamoDB, or we, impose it. Rules that need another declaration are checked by the runtime crate, in
//! constants (`schema::check`); rules about types, by the type checker.

use crate::ast::{Entity, Field, KeySource, Stored, Table};
use crate::attr::IndexId;
use crate::ctxt::Ctxt;
use crate::suggest;
use crate::template::Spanned;
use crate::ty::KeyType;
use proc_macro2::Span;
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;

pub(crate) fn table(cx: &Ctxt, table: &Table<'_>) {
    table_is_complete(cx, table);
    indexes_are_distinct(cx, table);
    local_index_needs_sort_key(cx, table);
    key_attributes_are_distinct(cx, table);
}

/// DynamoDB has no table without a name and a partition key.
fn table_is_complete(cx: &Ctxt, table: &Table<'_>) {
    if table.name.is_none() {
        cx.error(
            table.ident.span(),
            "the table has no name; write `#[table(name = \"…\", pk = \"PK\")]`",
        );
    }
    if table.pk.is_none() {
        cx.error(
            table.ident.span(),
            "the table has no partition key; write `#[table(pk = \"PK\")]`",
        );
    }
}

/// Index names are unique within a table, and each number is declared once.
fn indexes_are_distinct(cx: &Ctxt, table: &Table<'_>) {
    for (i, index) in table.indexes.iter().enumerate() {
        for other in &table.indexes[..i] {
            if other.id == index.id {
                cx.error(
                    index.span,
                    format!("`{}` is declared twice; take the next number", index.id),
                );
            } else if other.name.value() == index.name.value() {
                cx.error(
                    index.name.span(),
                    format!("`{}` is the name of `{}` already; DynamoDB wants each index named differently", other.name.value(), other.id),
                );
            }
        }
    }
}

/// A local index sorts a partition in another way, so there must be a first way.
fn local_index_needs_sort_key(cx: &Ctxt, table: &Table<'_>) {
    if table.sk.is_some() {
        return;
    }
    for index in table
        .indexes
        .iter()
        .filter(|index| matches!(index.id, IndexId::Lsi(_)))
    {
        cx.error(
            index.span,
            format!("`{}` is a local index, and the table has no sort key; declare `sk = \"SK\"` on the table, or use a global index", index.id),
        );
    }
}

/// One attribute cannot be both halves of a key, nor hold the entity type as well; and an attribute has
/// one type in all the keys that use it.
fn key_attributes_are_distinct(cx: &Ctxt, table: &Table<'_>) {
    let keys = || {
        let own = [(&table.pk, &table.sk)];
        own.into_iter()
            .chain(table.indexes.iter().map(|index| (&index.pk, &index.sk)))
    };
    let mut types = HashMap::new();
    for (pk, sk) in keys() {
        if let (Some(pk), Some(sk)) = (pk, sk)
            && pk.name.value() == sk.name.value()
        {
            cx.error(
                sk.name.span(),
                format!(
                    "`{}` is the partition key already; a key's two halves are two attributes",
                    sk.name.value()
                ),
            );
        }
        for key in [pk, sk].into_iter().flatten() {
            let name = key.name.value();
            let known = *types.entry(name.clone()).or_insert(key.key_type);
            if known != key.key_type {
                cx.error(key.name.span(), format!("`{name}` is of type {known:?} in another key; an attribute has one type in all of them"));
            }
            if table
                .entity_type
                .as_ref()
                .is_some_and(|other| other.value() == name)
            {
                cx.error(
                    key.name.span(),
                    format!("`{name}` holds the entity type; give the key an attribute of its own"),
                );
            }
        }
    }
}

pub(crate) fn entity(cx: &Ctxt, entity: &Entity<'_>) {
    entity_is_complete(cx, entity);
    placeholders_name_fields(cx, entity);
    primary_key_is_never_absent(cx, entity);
    index_sources_exist(cx, entity);
    entity_indexes_are_distinct(cx, entity);
    attributes_are_distinct(cx, entity);
    one_version_one_ttl(cx, entity);
    key_only_fields_are_in_a_key(cx, entity);
}

/// Every item has a table and a partition key.
fn entity_is_complete(cx: &Ctxt, entity: &Entity<'_>) {
    if entity.table.is_none() {
        cx.error(
            entity.ident.span(),
            format!(
                "`{}` belongs to no table; write `#[dynamo(table = …)]`",
                entity.ident
            ),
        );
    }
    if entity.pk.is_none() {
        cx.error(
            entity.ident.span(),
            format!(
                "`{}` has no partition key; write `#[pk(\"{}#<id>\")]`",
                entity.ident,
                entity.ident.unraw().to_string().to_uppercase()
            ),
        );
    }
}

/// All templates that are written out, each with what it is.
fn templates<'e>(entity: &'e Entity<'_>) -> impl Iterator<Item = (&'e Spanned, bool)> {
    let own = [&entity.pk, &entity.sk]
        .into_iter()
        .flatten()
        .map(|source| (source, true));
    let indexes = entity.indexes.iter().flat_map(|index| {
        std::iter::once(&index.pk)
            .chain(&index.sk)
            .map(|source| (source, false))
    });
    own.chain(indexes)
        .filter_map(|(source, primary)| match source {
            KeySource::Template(template) => Some((template, primary)),
            _ => None,
        })
}

/// A key is made of the item's fields; a field that serde skips or dissolves is not there to make it of.
fn placeholders_name_fields(cx: &Ctxt, entity: &Entity<'_>) {
    let names: Vec<&str> = entity
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    let mut refused = Vec::new();
    for (Spanned { template, span }, _) in templates(entity) {
        for part in &template.parts {
            let name = &part.field;
            let Some(field) = entity.field(name) else {
                let hint = match suggest::nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `<{near}>`?"),
                    None => format!("its fields are {}", suggest::list(&names)),
                };
                cx.error(
                    *span,
                    format!("`{}` has no field `{name}`; {hint}", entity.ident),
                );
                continue;
            };
            if refused.contains(&name) {
                continue;
            }
            if let Some(why) = refusal(field) {
                refused.push(name);
                let span = if field.stored == Stored::Attribute {
                    field.ty.span()
                } else {
                    field.ident.span()
                };
                cx.error(
                    span,
                    format!("`{name}` {why}; it is part of the key `{}`", template.text),
                );
            }
        }
    }
}

fn refusal(field: &Field<'_>) -> Option<&'static str> {
    match field.stored {
        Stored::Skipped => Some(
            "is skipped by serde and would be lost; remove `#[serde(skip)]`, and say `#[dynamo(key_only)]` to keep it in the key alone",
        ),
        Stored::Flattened => Some(
            "is flattened by serde, so it is no attribute of its own; name a plain field instead",
        ),
        Stored::Attribute => KeyType::of(field.ty).refusal(),
    }
}

/// DynamoDB stores no item without its whole primary key.
fn primary_key_is_never_absent(cx: &Ctxt, entity: &Entity<'_>) {
    let mut reported = Vec::new();
    for (spanned, _) in templates(entity).filter(|&(_, primary)| primary) {
        for part in &spanned.template.parts {
            let Some(field) = entity.field(&part.field) else {
                continue;
            };
            if KeyType::of(field.ty).optional && !reported.contains(&&field.name) {
                reported.push(&field.name);
                cx.error(
                    field.ty.span(),
                    format!(
                        "`{}` is optional, and every item has the key `{}`; make it required, or use it in an index only, which is then sparse",
                        field.name, spanned.template.text
                    ),
                );
            }
        }
    }
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

/// The names of methods that every entity gets, or will get, besides those of its indexes.
const RESERVED: &[&str] = &[
    "get",
    "put",
    "create",
    "update",
    "upsert",
    "delete",
    "query",
    "scan",
    "key",
    "parse_key",
    "partition_key",
    "sort_key",
    "primary_key",
    "key_attributes",
    "key_in",
    "parse",
];

/// Each index has one key an entity, and one name.
fn entity_indexes_are_distinct(cx: &Ctxt, entity: &Entity<'_>) {
    for (i, index) in entity.indexes.iter().enumerate() {
        let method = index
            .method
            .as_ref()
            .map(|method| method.unraw().to_string());
        if let (Some(method), Some(ident)) = (&method, &index.method)
            && RESERVED.contains(&method.as_str())
        {
            cx.error(ident.span(), format!("`{method}` is the name of a method that every entity has; name the index after what it finds, as in `as = by_{method}`"));
        }
        for other in &entity.indexes[..i] {
            if other.id == index.id {
                cx.error(
                    index.span,
                    format!("`{}` is said twice; an item has one key in it", index.id),
                );
            } else if let (Some(method), Some(ident)) = (&method, &index.method)
                && other
                    .method
                    .as_ref()
                    .is_some_and(|other| other.unraw() == *method)
            {
                cx.error(
                    ident.span(),
                    format!(
                        "`{method}` is the name of `{}` already; give each index its own",
                        other.id
                    ),
                );
            }
        }
    }
}

/// An item has one value an attribute.
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

/// A lock has one number, and an item one time to go.
fn one_version_one_ttl(cx: &Ctxt, entity: &Entity<'_>) {
    only_one(cx, entity, "version", |field| field.version);
    only_one(cx, entity, "ttl", |field| field.ttl);
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
        if field.stored != Stored::Attribute {
            cx.error(
                span,
                format!("`{}` is not stored by serde, so it cannot be the {option}; remove `#[serde(skip)]` or `flatten`", field.name),
            );
        }
        if let Some(first) = first {
            cx.error(
                span,
                format!("`{}` is the {option} already; an item has one", first.name),
            );
        }
        first = first.or(Some(field));
    }
}

/// A field that is no attribute must come back from a key.
fn key_only_fields_are_in_a_key(cx: &Ctxt, entity: &Entity<'_>) {
    for field in &entity.fields {
        let Some(span) = field.key_only else { continue };
        let mut seen = false;
        let mut recoverable = false;
        for (spanned, _) in templates(entity) {
            for part in spanned
                .template
                .parts
                .iter()
                .filter(|part| part.field == field.name)
            {
                seen = true;
                recoverable |= !part.spec.is_lossy();
            }
        }
        let name = &field.name;
        if field.version.is_some() || field.ttl.is_some() {
            cx.error(span, format!("`{name}` cannot be both `key_only` and the version or ttl, which are attributes; remove one"));
        } else if !seen {
            cx.error(span, format!("`{name}` is in no key, so `key_only` would lose it; add `<{name}>` to a key, or remove `key_only`"));
        } else if !recoverable {
            cx.error(span, format!("`{name}` cannot be read back from a bucket or a shard, so `key_only` would lose it; remove `key_only`"));
        }
    }
}
