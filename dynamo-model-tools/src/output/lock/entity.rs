//! The changes of an entity: its keys, its unique values, its attributes.

use super::Impact;
use super::compare::{Changes, both};
use super::snapshot::{Attribute, Entity, IndexKey, Key};
use std::collections::BTreeSet;

const MOVE: &str =
    "each item put under its new key and deleted under the old one, in one transaction";
const REINDEX: &str = "each item written again, so that its index attributes are stored";
const BACKFILL: &str = "each item updated to have it, or `#[serde(default)]` on the field";
const REWRITE: &str = "this attribute rewritten on every item, in place";
const RENAME: &str = "the attribute renamed on every item; until then `#[serde(alias = \"…\")]` reads both, but a filter on it sees only the new name";
const IF_UNLIKE: &str =
    "none, if both are stored alike; otherwise this attribute rewritten on every item";
const CLAIM: &str = "an item for the value of each item that is stored, with its owner; two that share one must be told apart first";
const RESERVE: &str = "an item in the new table for each value (`Migration::rewrite`), before anything relies on it; then the old ones deleted";
const RELEASE: &str = "the items that stood for the values deleted";

pub(super) fn compare(out: &mut Changes, was: &Entity, is: &Entity) {
    entity_type(out, was, is);
    key(out, "partition key", Some(&was.pk), Some(&is.pk), MOVE);
    key(out, "sort key", was.sk.as_ref(), is.sk.as_ref(), MOVE);
    for (name, was, is) in both(&was.indexes, &is.indexes) {
        out.within(format!("index {name}"), |out| index(out, was, is));
    }
    let reserved = |it: &Entity, name: &str| it.reserved_in.get(name).cloned().unwrap_or_default();
    for (name, was_key, is_key) in both(&was.uniques, &is.uniques) {
        let (reserved_was, reserved_is) = (reserved(was, name), reserved(is, name));
        let (was, is) = (was_key, is_key);
        out.within(format!("unique `{name}`"), |out| match (was, is) {
            (Some(was), Some(is)) => {
                key(out, "value", Some(was), Some(is), CLAIM);
                out.same("table", &reserved_was, &reserved_is, RESERVE);
            }
            (None, Some(_)) => out.add(Impact::Breaking, "", "a constraint", CLAIM),
            (Some(_), None) => out.add(Impact::Unclear, "a constraint", "", RELEASE),
            (None, None) => {}
        });
    }
    attributes(out, was, is);
    constants(out, was, is);
}

/// A read fails on another value of a constant; an item without it is read, and the next write
/// stores it.
fn constants(out: &mut Changes, was: &Entity, is: &Entity) {
    for (name, old, new) in both(&was.constants, &is.constants) {
        let shown = |value: Option<&String>| value.map(|it| format!("`{it}`")).unwrap_or_default();
        let stored = old.is_some() || was.attributes.contains_key(name);
        let (impact, needs) = match new {
            Some(_) if stored => (Impact::Breaking, REWRITE),
            _ => (Impact::Compatible, ""),
        };
        if old != new {
            out.within(format!("constant `{name}`"), |out| {
                out.add(impact, &shown(old), &shown(new), needs);
            });
        }
    }
}

/// Stored items keep the type that they were written with: each must still be read.
fn entity_type(out: &mut Changes, was: &Entity, is: &Entity) {
    let read = |it: &Entity| -> BTreeSet<String> {
        let own = it.entity_type.iter();
        own.chain(&it.other_types).cloned().collect()
    };
    let (old, new) = (read(was), read(is));
    let list = |types: BTreeSet<String>| types.into_iter().collect::<Vec<_>>().join("`, `");
    if old.is_empty() || !old.is_subset(&new) {
        out.same("entity type", &list(old), &list(new), REWRITE);
    } else if let (Some(was), Some(is)) = (&was.entity_type, &is.entity_type)
        && was != is
    {
        out.within("entity type".to_owned(), |out| {
            out.add(
                Impact::Compatible,
                &format!("`{was}`"),
                &format!("`{is}`"),
                "",
            );
        });
    }
}

/// A template must give the same text for the same values.
fn key(out: &mut Changes, what: &str, was: Option<&Key>, is: Option<&Key>, needs: &str) {
    let text = |key: Option<&Key>| key.map(|key| key.template.clone()).unwrap_or_default();
    out.same(what, &text(was), &text(is), needs);
    let (Some(was), Some(is)) = (was, is) else {
        return;
    };
    if was.template != is.template {
        return;
    }
    for (name, was, is) in both(&was.fields, &is.fields) {
        let (Some(was), Some(is)) = (was, is) else {
            continue;
        };
        out.within(what.to_owned(), |out| {
            out.same(&format!("`<{name}>`"), &was.kind, &is.kind, needs);
            let values = |of: &[String]| of.iter().cloned().collect::<BTreeSet<_>>();
            let (old, new) = (values(&was.values), values(&is.values));
            let shown = |of: &BTreeSet<String>| of.iter().cloned().collect::<Vec<_>>().join(", ");
            let impact = if old.is_subset(&new) {
                Impact::Compatible
            } else {
                Impact::Breaking
            };
            if old != new {
                let needs = if impact == Impact::Breaking {
                    needs
                } else {
                    ""
                };
                out.within(format!("values of `<{name}>`"), |out| {
                    out.add(impact, &shown(&old), &shown(&new), needs);
                });
            }
        });
    }
}

fn index(out: &mut Changes, was: Option<&IndexKey>, is: Option<&IndexKey>) {
    let shown = |key: &IndexKey| {
        let sk = key
            .sk
            .as_ref()
            .map(|sk| format!(" + `{}`", sk.template))
            .unwrap_or_default();
        let when = key.when.as_ref().map(|when| format!(" when `{when}`"));
        format!("`{}`{sk}{}", key.pk.template, when.unwrap_or_default())
    };
    match (was, is) {
        (Some(was), Some(is)) => {
            key(out, "partition key", Some(&was.pk), Some(&is.pk), REINDEX);
            key(out, "sort key", was.sk.as_ref(), is.sk.as_ref(), REINDEX);
            let when = |key: &IndexKey| key.when.clone().unwrap_or_default();
            out.same("condition", &when(was), &when(is), REINDEX);
        }
        // Stored items have the attributes already, so DynamoDB fills the index.
        (None, Some(is)) if is.plain => out.add(Impact::Compatible, "", &shown(is), ""),
        (None, Some(is)) => out.add(Impact::Breaking, "", &shown(is), REINDEX),
        (Some(was), None) => out.add(Impact::Compatible, &shown(was), "", ""),
        (None, None) => {}
    }
}

fn attributes(out: &mut Changes, was: &Entity, is: &Entity) {
    let renamed_to = |field: &str| {
        let mut new = is.attributes.iter();
        new.find(|(name, it)| it.field == field && !was.attributes.contains_key(*name))
    };
    let is_renamed = |name: &str, field: &str| {
        let mut old = was.attributes.iter();
        old.any(|(old, it)| it.field == field && old != name && !is.attributes.contains_key(old))
    };
    for (name, old, new) in both(&was.attributes, &is.attributes) {
        let place = format!("attribute `{name}`");
        match (old, new) {
            (Some(old), Some(new)) => out.within(place, |out| attribute(out, old, new)),
            (Some(old), None) => match renamed_to(&old.field) {
                Some((other, _)) if !old.key_only => {
                    let needs = RENAME.replace('…', name);
                    out.within(place, |out| {
                        out.add(Impact::Breaking, "this name", &format!("`{other}`"), &needs);
                    });
                }
                _ => out.within(place, |out| {
                    out.add(Impact::Compatible, &format!("`{}`", old.rust_type), "", "");
                }),
            },
            (None, Some(new)) if is_renamed(name, &new.field) => {}
            (None, Some(new)) => {
                let (impact, needs) = match new.required {
                    true => (Impact::Breaking, BACKFILL),
                    false => (Impact::Compatible, ""),
                };
                out.within(place, |out| {
                    out.add(impact, "", &format!("`{}`", new.rust_type), needs);
                });
            }
            (None, None) => {}
        }
    }
}

fn attribute(out: &mut Changes, was: &Attribute, is: &Attribute) {
    let shown = |it: &Attribute| match &it.kind {
        Some(letters) => format!("`{}` ({letters})", it.rust_type),
        None => format!("`{}`", it.rust_type),
    };
    let stays = match (&was.kind, &is.kind) {
        (Some(was), Some(is)) => Some(was == is),
        _ => None,
    };
    let impact = match stays {
        Some(false) => Some((Impact::Breaking, REWRITE)),
        _ if was.rust_type == is.rust_type => None,
        Some(true) if reads(&was.rust_type, &is.rust_type) => Some((Impact::Compatible, "")),
        _ => Some((Impact::Unclear, IF_UNLIKE)),
    };
    if let Some((impact, needs)) = impact {
        out.add(impact, &shown(was), &shown(is), needs);
    }
    match (was.required, is.required) {
        (false, true) => out.add(Impact::Breaking, "optional", "required", BACKFILL),
        (true, false) => out.add(Impact::Compatible, "required", "optional", ""),
        _ => {}
    }
    // Stored items are read as before; only writes of another value are refused, or no longer.
    match (was.immutable, is.immutable) {
        (false, true) => out.add(Impact::Compatible, "mutable", "immutable", ""),
        (true, false) => out.add(Impact::Compatible, "immutable", "mutable", ""),
        _ => {}
    }
}

/// Returns whether every value of the old type is one of the new: an integer that grew, an option
/// or none.
fn reads(was: &str, is: &str) -> bool {
    let inner = |text: &str| {
        let inner = text
            .strip_prefix("Option<")
            .and_then(|text| text.strip_suffix('>'));
        inner.unwrap_or(text).to_owned()
    };
    let (was, is) = (inner(was), inner(is));
    let bits = |text: &str| text.get(1..).and_then(|bits| bits.parse::<u32>().ok());
    let grown = match (was.get(..1), is.get(..1), bits(&was), bits(&is)) {
        (Some(a @ ("u" | "i")), Some(b), Some(old), Some(new)) if a == b => new >= old,
        (Some("u"), Some("i"), Some(old), Some(new)) => new > old,
        _ => false,
    };
    was == is || grown
}
