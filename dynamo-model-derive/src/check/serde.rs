//! Rejects serde attributes that store values which cannot be read back, or which updates and
//! filters do not know. Each rule is one function.

use crate::attr::serde::Serde;
use crate::ctxt::Ctxt;
use crate::ty;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Type};

/// Checks an entity, whose fields are the attributes of an item.
pub(crate) fn entity(cx: &Ctxt, input: &DeriveInput) {
    let container = Serde::of(&input.attrs);
    no_conversion(cx, input, &container);
    no_unknown_fields(cx, &container);
    one_rule_for_names(cx, &container);
    a_map_of_fields(cx, input, &container);
    fields_round_trip(cx, input);
}

/// Checks a nested struct, whose fields are reached by paths.
pub(crate) fn nested(cx: &Ctxt, input: &DeriveInput) {
    let container = Serde::of(&input.attrs);
    no_conversion(cx, input, &container);
    one_rule_for_names(cx, &container);
    fields_round_trip(cx, input);
}

/// Checks a projection, which is only read.
pub(crate) fn projection(cx: &Ctxt, input: &DeriveInput) {
    let container = Serde::of(&input.attrs);
    no_conversion(cx, input, &container);
    no_unknown_fields(cx, &container);
}

/// Checks a key part, whose text in a key is the text that serde writes.
pub(crate) fn key_part(cx: &Ctxt, input: &DeriveInput) {
    let container = Serde::of(&input.attrs);
    one_rule_for_names(cx, &container);
    match &input.data {
        Data::Enum(data) => {
            no_conversion_of_variants(cx, &container);
            for variant in &data.variants {
                variant_round_trips(cx, variant);
            }
        }
        Data::Struct(data) => {
            for field in &data.fields {
                newtype_is_what_it_wraps(cx, input, &container, field);
            }
        }
        Data::Union(_) => {}
    }
}

/// Updates, filters and projections name the fields of the struct, but `into` stores other fields.
fn no_conversion(cx: &Ctxt, input: &DeriveInput, container: &Serde) {
    let conversion = container.first(&["into", "from", "try_from"]);
    if let Some((name, span)) = conversion {
        let ident = input.ident.unraw();
        cx.error(
            span,
            format!(
                "`{name}` stores another type than `{ident}`, and updates and filters name the \
                 fields of `{ident}`; remove it, and write `#[serde(with = \"…\")]` on each field \
                 that has another form"
            ),
        );
    }
}

/// A stored item has more attributes than the fields: keys, the entity type, and those of other
/// programs.
fn no_unknown_fields(cx: &Ctxt, container: &Serde) {
    if let Some((_, span)) = container.first(&["deny_unknown_fields"]) {
        cx.error(
            span,
            "an item has key attributes beside its fields, so `deny_unknown_fields` would refuse \
             to read it; remove it",
        );
    }
}

/// A field must have the same name for writing and for reading.
fn one_rule_for_names(cx: &Ctxt, container: &Serde) {
    if let (true, Some((name, span))) = (container.split_rename, container.first(&["rename_all"])) {
        cx.error(
            span,
            format!(
                "`{name}` has one rule for writing and another for reading, so what is stored \
                 could not be read back; give it one rule, as in `rename_all = \"camelCase\"`"
            ),
        );
    }
}

/// An item is a map of its fields.
fn a_map_of_fields(cx: &Ctxt, input: &DeriveInput, container: &Serde) {
    let ident = input.ident.unraw();
    if let Some((_, span)) = container.first(&["transparent"]) {
        cx.error(
            span,
            format!(
                "an item is a map of attributes, and a `transparent` struct is stored as its field \
                 alone; remove it from `{ident}`"
            ),
        );
    }
    if let Some((name, span)) = container.first(&["tag", "content"]) {
        cx.error(
            span,
            format!(
                "`{name}` stores an attribute that updates do not write and reads do not check; \
                 remove it, and tell items apart with `#[dynamo(entity_type = \"…\")]`"
            ),
        );
    }
}

fn fields_round_trip(cx: &Ctxt, input: &DeriveInput) {
    let Data::Struct(data) = &input.data else {
        return;
    };
    let container = Serde::of(&input.attrs);
    for field in &data.fields {
        let Some(ident) = &field.ident else { continue };
        let (name, serde) = (ident.unraw().to_string(), Serde::of(&field.attrs));
        names_agree(cx, ident, &serde);
        skipped_both_ways(cx, &name, &serde);
        absent_can_be_read(cx, &name, &field.ty, &serde, &container);
        functions_come_in_pairs(cx, &name, &serde);
    }
}

fn names_agree(cx: &Ctxt, ident: &syn::Ident, serde: &Serde) {
    if serde.split_rename {
        let name = ident.unraw();
        cx.error(
            ident.span(),
            format!(
                "`{name}` is written under one name and read under another, so what is stored \
                 could not be read back; give `#[serde(rename = \"…\")]` one name, and `alias` for \
                 old ones"
            ),
        );
    }
}

/// A skipped field is lost. If serde does not write it, no read finds it; if serde does not read
/// it, the next write replaces it.
fn skipped_both_ways(cx: &Ctxt, name: &str, serde: &Serde) {
    let (write, read) = (
        serde.first(&["skip_serializing"]),
        serde.first(&["skip_deserializing"]),
    );
    let (span, message) = match (write, read) {
        (Some((_, span)), None) => (
            span,
            format!("`{name}` is read but not written, so every write of the item loses its value"),
        ),
        (None, Some((_, span))) => (
            span,
            format!(
                "`{name}` is written but not read, so writing back an item replaces it by its \
                 default"
            ),
        ),
        _ => return,
    };
    cx.error(
        span,
        format!(
            "{message}; leave the field out of the item with `#[serde(skip)]`, or remove this \
             attribute"
        ),
    );
}

/// A field that serde may leave out of the item must be allowed to be absent.
fn absent_can_be_read(cx: &Ctxt, name: &str, ty: &Type, serde: &Serde, container: &Serde) {
    let Some((_, span)) = serde.first(&["skip_serializing_if"]) else {
        return;
    };
    // serde reads an absent option as `None`, unless a function reads it.
    let reads_with = serde.first(&["with", "deserialize_with"]).is_some();
    let required = reads_with || ty::is_never_absent(ty);
    if required && !serde.default && !container.default {
        cx.error(
            span,
            format!(
                "`skip_serializing_if` leaves `{name}` out of some items, which could not be read \
                 then; add `default`, as in `#[serde(default, skip_serializing_if = \"…\")]`"
            ),
        );
    }
}

/// A function that writes a field needs a function that reads it. A function that only reads is
/// harmless.
fn functions_come_in_pairs(cx: &Ctxt, name: &str, serde: &Serde) {
    if let (Some((_, span)), None) = (
        serde.first(&["serialize_with"]),
        serde.first(&["deserialize_with"]),
    ) {
        cx.error(
            span,
            format!(
                "`{name}` is written by a function of its own and read without one; add \
                 `deserialize_with = \"…\"`, or `deserialize_with = \
                 \"serde::Deserialize::deserialize\"` if its type reads that form"
            ),
        );
    }
}

/// The text of a variant in a key must be the text that serde writes, and must be read back as that
/// variant.
fn no_conversion_of_variants(cx: &Ctxt, container: &Serde) {
    const NAMES: &[&str] = &["untagged", "tag", "content", "into", "from", "try_from"];
    if let Some((name, span)) = container.first(NAMES) {
        cx.error(
            span,
            format!(
                "with `{name}`, serde does not write the text of the variant, which the key has; \
                 remove it, and use `#[serde(rename = \"…\")]` on a variant for another text"
            ),
        );
    }
}

fn variant_round_trips(cx: &Ctxt, variant: &syn::Variant) {
    let (ident, serde) = (&variant.ident, Serde::of(&variant.attrs));
    let name = ident.unraw();
    names_agree(cx, ident, &serde);
    if let Some((_, span)) = serde.first(&["other"]) {
        cx.error(
            span,
            format!(
                "`other` reads every unknown text as `{name}`, which is written back as another \
                 text and leads to another key; remove it, and add a variant for each text"
            ),
        );
    }
    let skipped = ["skip", "skip_serializing", "skip_deserializing"];
    if let Some((option, span)) = serde.first(&skipped) {
        cx.error(
            span,
            format!(
                "`{option}` keeps serde from writing or reading `{name}`, which can stand in a \
                 key; remove it, or the variant"
            ),
        );
    }
    if let Some((option, span)) = serde.first(FUNCTIONS) {
        cx.error(
            span,
            format!(
                "`{option}` writes `{name}` as something else than its text in a key; remove it, \
                 and use `#[serde(rename = \"…\")]`"
            ),
        );
    }
}

const FUNCTIONS: &[&str] = &["with", "serialize_with", "deserialize_with"];

/// A conversion from and to the inner type can check the value. Any other conversion would store a
/// value that differs from the key.
fn newtype_is_what_it_wraps(cx: &Ctxt, input: &DeriveInput, container: &Serde, field: &syn::Field) {
    let (ident, serde) = (input.ident.unraw(), Serde::of(&field.attrs));
    if let Some((name, span)) = serde.first(FUNCTIONS) {
        cx.error(
            span,
            format!(
                "`{name}` stores `{ident}` in another form than the one in the key; remove it, or \
                 implement `KeyPart` by hand"
            ),
        );
    }
    if let Some((name, span)) = serde.first(&["skip", "skip_serializing", "skip_deserializing"]) {
        cx.error(
            span,
            format!(
                "`{name}` leaves out what `{ident}` wraps, which is all there is to store; remove \
                 it"
            ),
        );
    }
    let inner = field.ty.to_token_stream().to_string();
    for (name, span, ty) in &container.conversions {
        let same =
            syn::parse_str::<Type>(ty).is_ok_and(|ty| ty.to_token_stream().to_string() == inner);
        if !same {
            cx.error(
                *span,
                format!(
                    "`{name} = \"{ty}\"` stores another type than the one in the key, which is \
                     that of the field; convert with `{name} = \"{}\"`, or implement `KeyPart` by \
                     hand",
                    ty::text(&field.ty)
                ),
            );
            return;
        }
    }
}
