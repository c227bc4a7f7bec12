//! `#[dynamo(…)]`, `#[pk]`, `#[sk]`, `#[gsiN(…)]`, `#[lsiN(…)]` on an entity and its fields.

use super::serde::Serde;
use super::{IndexId, Opt, Value, index_id, options, set};
use crate::ast::{Entity, EntityIndex, Field, KeySource, Stored};
use crate::ctxt::Ctxt;
use crate::template::{Spanned, Template};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Fields, LitStr};

const OPTIONS: &[&str] = &["table", "entity_type", "crate"];
const FIELD_OPTIONS: &[&str] = &["key_only", "ttl", "version"];

/// DynamoDB's limits on the length of keys, in bytes.
const MAX_PARTITION_KEY: usize = 2_048;
const MAX_SORT_KEY: usize = 1_024;

/// Reads an entity's declaration.
pub(crate) fn read<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Entity<'a> {
    let mut entity = Entity::new(input);
    for attribute in &input.attrs {
        let path = attribute.path();
        if path.is_ident("dynamo") {
            for option in options(cx, attribute) {
                match option.name().as_str() {
                    "table" => set(cx, &mut entity.table, &option, option.path(cx)),
                    "entity_type" => set(cx, &mut entity.entity_type, &option, option.string(cx)),
                    "crate" => set(cx, &mut entity.krate, &option, option.path(cx)),
                    _ => option.unknown(cx, "dynamo", OPTIONS),
                }
            }
        } else if path.is_ident("pk") {
            read_key(cx, attribute, "pk", MAX_PARTITION_KEY, &mut entity.pk);
        } else if path.is_ident("sk") {
            read_key(cx, attribute, "sk", MAX_SORT_KEY, &mut entity.sk);
        } else if let Some(id) = index_id(cx, attribute) {
            entity.indexes.extend(read_index(cx, attribute, id));
        }
    }
    entity.fields = read_fields(cx, input);
    entity
}

/// `#[pk("USER#<user_id>")]`
fn read_key(
    cx: &Ctxt,
    attribute: &Attribute,
    name: &str,
    max: usize,
    slot: &mut Option<KeySource>,
) {
    let span = attribute.path().span();
    if slot.is_some() {
        cx.error(span, format!("`#[{name}]` is said twice; an item has one"));
        return;
    }
    let parsed = match &attribute.meta {
        syn::Meta::List(_) => attribute.parse_args::<LitStr>().ok(),
        _ => None,
    };
    *slot = Some(match parsed {
        Some(text) => template(cx, &text, max),
        None => {
            cx.error(
                span,
                format!("`#[{name}]` takes a template; write `#[{name}(\"USER#<user_id>\")]`"),
            );
            KeySource::Broken(Vec::new())
        }
    });
}

fn template(cx: &Ctxt, text: &LitStr, max: usize) -> KeySource {
    match Template::parse(&text.value(), max) {
        Ok(template) => KeySource::Template(Spanned {
            template,
            span: text.span(),
        }),
        Err(errors) => {
            errors.iter().for_each(|error| cx.error(text.span(), error));
            KeySource::Broken(names_in_brackets(&text.value()))
        }
    }
}

/// What a template that does not parse most likely names.
fn names_in_brackets(text: &str) -> Vec<String> {
    let pieces = text.split('<').skip(1);
    pieces
        .map(|piece| {
            piece
                .split([':', '>'])
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// `pk = "…"`, or `pk = sk`: the table's own.
fn key_source(cx: &Ctxt, option: &Opt, max: usize) -> Option<KeySource> {
    let name = option.name();
    match &option.value {
        Value::Str(text) => Some(template(cx, text, max)),
        Value::Path(path) if path.is_ident("pk") => Some(KeySource::TablePk),
        Value::Path(path) if path.is_ident("sk") => Some(KeySource::TableSk(option.value_span())),
        _ => {
            cx.error(
                option.value_span(),
                format!("`{name}` takes a template, as in `{name} = \"USER#<user_id>\"`, or `pk` or `sk` for the table's own key"),
            );
            None
        }
    }
}

fn read_index(cx: &Ctxt, attribute: &Attribute, id: IndexId) -> Option<EntityIndex> {
    let (mut pk, mut sk, mut method) = (None, None, None);
    let label = id.to_string();
    let valid: &[&str] = match id {
        IndexId::Gsi(_) => &["pk", "sk", "as"],
        IndexId::Lsi(_) => &["sk", "as"],
    };
    for option in options(cx, attribute) {
        match (option.name().as_str(), id) {
            ("pk", IndexId::Lsi(_)) => cx.error(
                option.span(),
                "a local secondary index has the table's partition key; remove `pk`",
            ),
            ("pk", _) => set(
                cx,
                &mut pk,
                &option,
                key_source(cx, &option, MAX_PARTITION_KEY),
            ),
            ("sk", _) => set(cx, &mut sk, &option, key_source(cx, &option, MAX_SORT_KEY)),
            ("as", _) => {
                let ident = option.path(cx).and_then(|path| path.get_ident().cloned());
                set(cx, &mut method, &option, ident);
            }
            _ => option.unknown(cx, &label, valid),
        }
    }
    let span = attribute.path().get_ident()?.span();
    let pk = match id {
        IndexId::Lsi(_) => KeySource::TablePk,
        IndexId::Gsi(_) => pk.unwrap_or_else(|| {
            cx.error(span, format!("`{label}` has no partition key; write `pk = \"…\"`, or `pk = sk` for an index on the table's sort key"));
            KeySource::Broken(Vec::new())
        }),
    };
    Some(EntityIndex {
        id,
        span,
        method,
        pk,
        sk,
    })
}

fn read_fields<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Vec<Field<'a>> {
    let Data::Struct(syn::DataStruct {
        fields: Fields::Named(fields),
        ..
    }) = &input.data
    else {
        let message = "an entity is a struct with named fields; for the enum of a table's entities, derive `DynamoItems`";
        cx.error(input.ident.span(), message);
        return Vec::new();
    };
    let container = Serde::of(&input.attrs);
    fields
        .named
        .iter()
        .filter_map(|field| read_field(cx, field, &container))
        .collect()
}

fn read_field<'a>(cx: &Ctxt, field: &'a syn::Field, container: &Serde) -> Option<Field<'a>> {
    let ident = field.ident.as_ref()?;
    let serde = Serde::of(&field.attrs);
    let name = ident.unraw().to_string();
    if serde.split_rename {
        cx.error(
            ident.span(),
            format!("`{name}` is written under one name and read under another, so what is stored could not be read back; give `#[serde(rename = \"…\")]` one name, and `alias` for old ones"),
        );
    }
    let mut this = Field {
        ident,
        attribute: serde.field_name(&name, container),
        name,
        ty: &field.ty,
        stored: if serde.skip {
            Stored::Skipped
        } else if serde.flatten {
            Stored::Flattened
        } else {
            Stored::Attribute
        },
        key_only: None,
        version: None,
        ttl: None,
    };
    for attribute in field
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("dynamo"))
    {
        for option in options(cx, attribute) {
            let slot = match option.name().as_str() {
                "key_only" => &mut this.key_only,
                "version" => &mut this.version,
                "ttl" => &mut this.ttl,
                _ => {
                    option.unknown(cx, "dynamo", FIELD_OPTIONS);
                    continue;
                }
            };
            option.flag(cx);
            *slot = Some(option.span());
        }
    }
    misplaced(cx, &field.attrs);
    Some(this)
}

/// Attributes of the struct that were written on a field.
fn misplaced(cx: &Ctxt, attributes: &[Attribute]) {
    for attribute in attributes {
        let name = attribute
            .path()
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        if matches!(name.as_str(), "pk" | "sk")
            || name.starts_with("gsi")
            || name.starts_with("lsi")
        {
            cx.error(
                attribute.path().span(),
                format!("`#[{name}]` belongs on the struct, with the field as a placeholder: `#[{name}(\"<field>\")]`"),
            );
        }
    }
}
