//! The rules of the fields that make an entity's keys.

use crate::ast::{Entity, Field, KeySource, Spanned, Stored};
use crate::ctxt::Ctxt;
use crate::suggest;
use crate::template::Template;
use crate::ty::KeyType;
use std::collections::BTreeSet;

/// Returns all templates that are written out.
fn templates<'e>(entity: &'e Entity<'_>) -> impl Iterator<Item = &'e Spanned> {
    sources(entity).filter_map(|(source, _)| match source {
        KeySource::Template(template) => Some(template),
        _ => None,
    })
}

/// Returns every key and unique constraint, and whether it is the table's key.
fn sources<'e>(entity: &'e Entity<'_>) -> impl Iterator<Item = (&'e KeySource, bool)> {
    let uniques = entity.uniques.iter().map(|source| (source, false));
    key_sources(entity).chain(uniques)
}

/// Returns every key of the item itself.
fn key_sources<'e>(entity: &'e Entity<'_>) -> impl Iterator<Item = (&'e KeySource, bool)> {
    let own = [&entity.pk, &entity.sk]
        .into_iter()
        .flatten()
        .map(|source| (source, true));
    let indexes = entity
        .indexes
        .iter()
        .flat_map(|index| std::iter::once(&index.pk).chain(&index.sk))
        .map(|source| (source, false));
    own.chain(indexes)
}

/// Returns the fields in keys, each with the key's text, and whether it is the table's key.
/// Includes the names in a template with an error, so that its other errors appear at once.
fn key_fields<'e>(
    entity: &'e Entity<'_>,
) -> impl Iterator<Item = (&'e Field<'e>, Option<&'e str>, bool)> {
    fields_of(entity, sources(entity))
}

/// The same without unique constraints, because no field is read from them.
fn keys<'e>(
    entity: &'e Entity<'_>,
) -> impl Iterator<Item = (&'e Field<'e>, Option<&'e str>, bool)> {
    fields_of(entity, key_sources(entity))
}

fn fields_of<'e>(
    entity: &'e Entity<'_>,
    sources: impl Iterator<Item = (&'e KeySource, bool)>,
) -> impl Iterator<Item = (&'e Field<'e>, Option<&'e str>, bool)> {
    sources.flat_map(|(source, primary)| {
        let (names, text): (Vec<&String>, _) = match source {
            KeySource::Template(Spanned { template, .. }) => (
                template.parts.iter().map(|part| &part.field).collect(),
                Some(template.text.as_str()),
            ),
            KeySource::Broken(names) => (names.iter().collect(), None),
            _ => (Vec::new(), None),
        };
        names
            .into_iter()
            .filter_map(|name| entity.field(name))
            .map(move |field| (field, text, primary))
    })
}

/// Other libraries write placeholders as `{user_id}`. Here it would be the same text for every
/// item.
pub(super) fn braces_are_no_placeholders(cx: &Ctxt, entity: &Entity<'_>) {
    for spanned in templates(entity) {
        for (name, field) in fields_in_braces(entity, &spanned.template) {
            cx.error(
                spanned.span(),
                format!(
                    "`{{{name}}}` is literal text here, the same for every item; write `<{}>`",
                    field.name
                ),
            );
        }
    }
}

/// Returns the fields in the braces of a template, each with its text.
pub(super) fn fields_in_braces<'e>(
    entity: &'e Entity<'_>,
    template: &'e Template,
) -> impl Iterator<Item = (&'e str, &'e Field<'e>)> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let literals =
        std::iter::once(&template.head).chain(template.parts.iter().map(|part| &part.after));
    let pieces = literals.flat_map(|literal| literal.split('{').skip(1));
    pieces.filter_map(move |piece| {
        let (name, _) = piece.split_once('}')?;
        let mut fields = entity.fields.iter();
        let field = fields.find(|field| plain(&field.name) == plain(name))?;
        Some((name, field))
    })
}

/// The condition of an index needs a field that every write knows.
pub(super) fn conditions_name_fields(cx: &Ctxt, entity: &Entity<'_>) {
    if !entity.has_named_fields {
        return;
    }
    let names: Vec<&str> = entity
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    for when in entity
        .indexes
        .iter()
        .filter_map(|index| index.when.as_ref())
    {
        let (name, span) = (when.field(), when.field.span());
        let Some(field) = entity.field(&name) else {
            let hint = match suggest::nearest(&name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its fields are {}", suggest::list(&names)),
            };
            cx.error(
                span,
                format!("`{}` has no field `{name}`; {hint}", entity.ident),
            );
            continue;
        };
        if let (Some(refusal), Stored::Attribute) = (KeyType::of(field.ty).refusal(), field.stored)
        {
            let message = format!(
                "`{name}` is {}, so an index cannot depend on its value; {}",
                refusal.what, refusal.instead
            );
            cx.error_on(field.ty, message);
        }
        let reason = match field.stored {
            Stored::Skipped => "serde skips it",
            Stored::Flattened => "serde flattens it",
            Stored::Rest => "it holds attributes that no field declares",
            Stored::Attribute if field.version.is_some() => "every write counts it up",
            Stored::Attribute if field.key_only.is_some() => "it is stored in keys alone",
            Stored::Attribute => continue,
        };
        cx.error(
            span,
            format!(
                "an index cannot depend on `{name}`, as {reason}; name an attribute of the item"
            ),
        );
    }
}

/// A key is made of the item's fields.
pub(super) fn placeholders_name_fields(cx: &Ctxt, entity: &Entity<'_>) {
    if !entity.has_named_fields {
        return;
    }
    let names: Vec<&str> = entity
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    for spanned in templates(entity) {
        let unknown = spanned
            .template
            .parts
            .iter()
            .filter(|part| entity.field(&part.field).is_none());
        for part in unknown {
            let name = &part.field;
            let hint = match suggest::nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `<{near}>`?"),
                None if names.is_empty() => format!("add `{name}` to it, which has no fields"),
                None => format!("its fields are {}", suggest::list(&names)),
            };
            cx.error(
                spanned.span_of(part),
                format!("`{}` has no field `{name}`; {hint}", entity.ident),
            );
        }
    }
}

/// A key cannot contain a field that serde skips or flattens, or a field of an unfit type.
pub(super) fn key_fields_can_be_parts(cx: &Ctxt, entity: &Entity<'_>) {
    let mut refused = Vec::new();
    for (field, text, _) in key_fields(entity) {
        let name = &field.name;
        let key = text.map_or("a key".into(), |text| format!("the key `{text}`"));
        let message = match field.stored {
            Stored::Skipped if !keys(entity).any(|(other, ..)| other.name == *name) => {
                format!("`{name}` is part of {key}, but serde skips it; remove `#[serde(skip)]`")
            }
            Stored::Skipped => format!(
                "`{name}` is part of {key}, but serde skips it; remove `#[serde(skip)]`, and write \
                 `#[dynamo(key_only)]` to store it only in the key"
            ),
            Stored::Flattened => format!(
                "`{name}` is part of {key}, but serde flattens it, so it is not an attribute of \
                 its own; name a plain field instead"
            ),
            Stored::Rest => format!(
                "`{name}` is part of {key}, but it holds attributes that no field declares; name a \
                 plain field instead"
            ),
            Stored::Attribute => match KeyType::of(field.ty).refusal() {
                Some(refusal) => format!(
                    "`{name}` is {}, so it cannot be part of {key}; {}",
                    refusal.what, refusal.instead
                ),
                None => continue,
            },
        };
        if refused.contains(&name) {
            continue;
        }
        refused.push(name);
        match field.stored {
            Stored::Attribute => cx.error_on(field.ty, message),
            _ => cx.error(field.ident.span(), message),
        }
    }
}

/// DynamoDB stores no item without its whole primary key.
pub(super) fn primary_key_is_never_absent(cx: &Ctxt, entity: &Entity<'_>) {
    let mut reported = Vec::new();
    for (field, text, primary) in key_fields(entity) {
        let name = &field.name;
        if !primary || !KeyType::of(field.ty).optional || reported.contains(&name) {
            continue;
        }
        reported.push(name);
        let key = text.map_or("its key".into(), |text| format!("the key `{text}`"));
        cx.error_on(
            field.ty,
            format!(
                "`{name}` is optional, and every item has {key}; make it required, or use it in an \
                 index only, which is then sparse"
            ),
        );
    }
}

/// `or_empty` needs an index key, an optional field, and other text beside it.
pub(super) fn empty_parts_are_optional(cx: &Ctxt, entity: &Entity<'_>) {
    let uniques = || entity.uniques.iter().filter_map(|it| entity.template(it));
    for spanned in templates(entity) {
        for part in spanned.template.parts.iter().filter(|it| it.spec.or_empty) {
            let name = &part.field;
            let Some(field) = entity.field(name) else {
                continue;
            };
            let message = if !KeyType::of(field.ty).optional {
                format!(
                    "`{name}` always has a value, so its part is never empty; make it an `Option`, \
                     or remove `or_empty`"
                )
            } else if spanned.template.is_bare() {
                format!(
                    "the key would be empty where `{name}` is absent, which DynamoDB refuses; \
                     write text beside it, as in `{}#<{name}:or_empty>`",
                    name.to_uppercase()
                )
            } else if uniques().any(|unique| std::ptr::eq(unique, spanned)) {
                format!(
                    "all items without `{name}` would have the same unique value; remove \
                     `or_empty`, and they have none"
                )
            } else {
                continue;
            };
            cx.error(spanned.span_of(part), message);
        }
    }
}

/// An item keeps its primary key, so the key cannot contain a field that every write changes. A
/// version in another key is not useful, because no query looks for one.
pub(super) fn kept_fields_are_not_in_keys(cx: &Ctxt, entity: &Entity<'_>) {
    let mut reported = Vec::new();
    for (field, _, primary) in key_fields(entity) {
        let name = &field.name;
        // The rule of `key_only` reports those.
        if field.key_only.is_some() {
            continue;
        }
        let (span, what) = match (field.version, field.updated_at) {
            (Some(span), _) => (span, "the version, which every write counts up"),
            (_, Some(span)) if primary => (
                span,
                "set by every write, and an item keeps its primary key",
            ),
            _ => continue,
        };
        if !reported.contains(&name) {
            reported.push(name);
            cx.error(
                span,
                format!("`{name}` is {what}, so it cannot be part of this key; use another field"),
            );
        }
    }
}

/// The methods of a query with an incomplete sort key, and `build`.
const OF_QUERY: &[&str] = &[
    "after",
    "all",
    "build",
    "consistent",
    "count",
    "each",
    "explain",
    "explain_hydrate",
    "filter",
    "first",
    "hydrate",
    "into_sdk",
    "limit",
    "max_items_read",
    "max_requests",
    "descending",
    "one",
    "page",
    "page_size",
    "project",
    "query",
    "stream",
    "unexpired",
];

pub(crate) fn is_method_of_query(name: &str) -> bool {
    OF_QUERY.contains(&name)
}

/// Each part of a sort key is a method of a query and of the key's builder, so it must not have the
/// name of another method.
pub(super) fn sort_key_parts_have_methods(cx: &Ctxt, entity: &Entity<'_>) {
    let own = entity.sk.iter();
    let sort_keys = own.chain(entity.indexes.iter().filter_map(|index| index.sk.as_ref()));
    let taken: BTreeSet<&str> = sort_keys
        .filter_map(|source| entity.template(source))
        .flat_map(|spanned| &spanned.template.parts)
        .map(|part| part.field.as_str())
        .filter(|field| is_method_of_query(field))
        .collect();
    for field in taken.into_iter().filter_map(|name| entity.field(name)) {
        let name = &field.name;
        let what = if name == "build" {
            "the method that ends a sort key"
        } else {
            "a method of every query"
        };
        cx.error(
            field.ident.span(),
            format!(
                "`{name}` is {what}, so no part of a sort key can have its name; rename the field, \
                 and keep the attribute with `#[serde(rename = \"{name}\")]`"
            ),
        );
    }
}

/// A `key_only` field must be readable from a key.
pub(super) fn key_only_fields_are_in_a_key(cx: &Ctxt, entity: &Entity<'_>) {
    for field in &entity.fields {
        let Some(span) = field.key_only else { continue };
        let name = &field.name;
        if field.version.is_some() || field.ttl.is_some() {
            cx.error(
                span,
                format!(
                    "`{name}` cannot be both `key_only` and the version or ttl, which are \
                     attributes; remove one"
                ),
            );
        } else if field.created_at.is_some() || field.updated_at.is_some() {
            cx.error(
                span,
                format!(
                    "`{name}` is set from the clock and stored, so it cannot be `key_only`; remove \
                     one"
                ),
            );
        } else if !keys(entity).any(|(other, ..)| other.name == *name) {
            cx.error(
                span,
                format!(
                    "`{name}` is not in a key, so `key_only` would lose it; add `<{name}>` to a \
                     key, or remove `key_only`"
                ),
            );
        } else if let Some(why) = loss(entity, field) {
            cx.error(
                span,
                format!("`{name}` {why}, so `key_only` would lose it; remove `key_only`"),
            );
        }
    }
}

/// Returns why no key contains the field in every item.
fn loss(entity: &Entity<'_>, field: &Field<'_>) -> Option<&'static str> {
    let primary: Vec<&KeySource> = [&entity.pk, &entity.sk].into_iter().flatten().collect();
    let indexes = entity.indexes.iter().map(|index| {
        let halves = std::iter::once(&index.pk).chain(&index.sk).collect();
        (halves, index.when.is_some())
    });
    let mut why = Some("cannot be read back from a bucket, a shard, lower or upper case");
    for (halves, conditional) in std::iter::once((primary, false)).chain(indexes) {
        // A key with an error could contain the field.
        if halves
            .iter()
            .any(|half| matches!(half, KeySource::Broken(_)))
        {
            return None;
        }
        let parts: Vec<_> = halves
            .into_iter()
            .filter_map(|half| entity.template(half))
            .flat_map(|spanned| &spanned.template.parts)
            .collect();
        let whole = parts
            .iter()
            .any(|part| part.field == field.name && !part.spec.loses_value());
        let sparse = parts.iter().any(|part| {
            part.field != field.name
                && !part.spec.or_empty
                && entity
                    .field(&part.field)
                    .is_some_and(|other| KeyType::of(other.ty).optional)
        });
        match (whole, sparse || conditional) {
            (true, false) => return None,
            (true, true) => why = Some("is only in a sparse index, which does not hold every item"),
            (false, _) => {}
        }
    }
    why
}
