//! The rules of index keys that consist of attributes: `#[gsi1(pk = (tenant, region))]`.

use crate::ast::{Entity, EntityIndex, KeySource, Spanned};
use crate::ctxt::Ctxt;

pub(super) fn native_indexes(cx: &Ctxt, entity: &Entity<'_>) {
    for index in entity.indexes.iter().filter(|index| index.is_native()) {
        halves_are_alike(cx, index);
        has_no_condition(cx, index);
        attributes_are_distinct(cx, index);
    }
    attributes_are_stored(cx, entity);
}

fn lists(index: &EntityIndex) -> impl Iterator<Item = (&'static str, &Spanned)> {
    let halves = [("pk", Some(&index.pk)), ("sk", index.sk.as_ref())];
    halves.into_iter().filter_map(|(name, half)| match half? {
        KeySource::Template(spanned) if spanned.template.native => Some((name, spanned)),
        _ => None,
    })
}

/// An item is in the index while it has all attributes of the key. Only a write removes the
/// attribute of a template, and only both halves together.
fn halves_are_alike(cx: &Ctxt, index: &EntityIndex) {
    let is_broken = |half: &KeySource| matches!(half, KeySource::Broken(_));
    let mut listed = lists(index);
    let (Some((name, spanned)), None) = (listed.next(), listed.next()) else {
        return;
    };
    if index.sk.is_none() || index.halves().any(is_broken) {
        return;
    }
    let template = if name == "pk" { "sk" } else { "pk" };
    let id = index.id;
    cx.error(
        spanned.span(),
        format!("`{name}` of `{id}` lists fields, and `{template}` is a template; list fields in both, as in `{template} = (region)`, or write both as templates"),
    );
}

/// The attributes are the item's own data, so a write cannot keep the item out of the index.
fn has_no_condition(cx: &Ctxt, index: &EntityIndex) {
    if let Some(when) = &index.when {
        let id = index.id;
        cx.error(
            when.field.span(),
            format!("every item with these attributes is in `{id}`, so `when` cannot keep one out; write the key as templates, or make a field an `Option`"),
        );
    }
}

/// DynamoDB takes an attribute once in a key.
fn attributes_are_distinct(cx: &Ctxt, index: &EntityIndex) {
    let parts = lists(index).flat_map(|(name, spanned)| {
        let parts = spanned.template.parts.iter();
        parts.map(move |part| (name, spanned, part))
    });
    let parts: Vec<_> = parts.collect();
    for (i, (name, spanned, part)) in parts.iter().enumerate() {
        let field = &part.field;
        let mut before = parts[..i].iter();
        let Some((other, ..)) = before.find(|(.., other)| other.field == *field) else {
            continue;
        };
        let message = match other == name {
            true => format!("`{field}` is in `{name}` twice; keep one"),
            false => format!(
                "`{field}` is in the partition key already, so all items of a partition have the same; remove it from `sk`"
            ),
        };
        cx.error(spanned.span_of(part), message);
    }
}

/// DynamoDB reads the key from the item: each attribute is there or absent, and never NULL.
fn attributes_are_stored(cx: &Ctxt, entity: &Entity<'_>) {
    let mut reported: Vec<&str> = Vec::new();
    for (_, spanned) in entity.indexes.iter().flat_map(lists) {
        for part in &spanned.template.parts {
            let Some(field) = entity.field(&part.field) else {
                continue;
            };
            let name = &field.name;
            let is_null = field.null.is_some() || entity.null && crate::ty::is_option(field.ty);
            let message = if reported.contains(&name.as_str()) {
                continue;
            } else if field.key_only.is_some() {
                format!(
                    "`{name}` is stored only in keys, and `{}` reads it from the item; remove `key_only`",
                    spanned.template.text
                )
            } else if is_null {
                format!(
                    "`{name}` is stored as NULL where it is `None`, which DynamoDB refuses in an index key; remove `null`, and items without it are not in the index"
                )
            } else {
                continue;
            };
            reported.push(name);
            cx.error(spanned.span_of(part), message);
        }
    }
}
