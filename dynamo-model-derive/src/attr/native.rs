//! Index keys of several attributes: `pk = (tenant: S, region: S)` on a table, `pk = (tenant,
//! region)` on an entity.

use super::{Opt, Text, Value};
use crate::ast::{Entity, Field, KeyAttribute, KeySource, KeyType, Spanned};
use crate::ctxt::Ctxt;
use crate::stored_as::{StoredAs, module};
use crate::template::{EpochUnit, Form, Precision, Template};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{LitStr, Token};

/// DynamoDB's limit of attributes in one half of an index key.
const MAX_ATTRIBUTES: usize = 4;

/// The `(…)` after `pk =` or `sk =`.
fn list(option: &Opt) -> Option<Group> {
    let Value::Other(tokens) = &option.value else {
        return None;
    };
    let mut tokens = tokens.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Parenthesis => {
            Some(group)
        }
        _ => None,
    }
}

/// Returns whether the option lists attributes, well or badly.
pub(super) fn is_list(option: &Opt) -> bool {
    list(option).is_some()
}

/// An element of the list.
struct Element {
    name: Name,
    /// The word after the colon.
    ty: Option<Ident>,
}

enum Name {
    Word(Ident),
    Text(LitStr),
}

impl Element {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = match input.peek(LitStr) {
            true => Name::Text(input.parse()?),
            false => Name::Word(input.call(Ident::parse_any)?),
        };
        let ty = match input.parse::<Option<Token![:]>>()? {
            Some(_) => Some(input.call(Ident::parse_any)?),
            None => None,
        };
        Ok(Self { name, ty })
    }

    fn span(&self) -> Span {
        match &self.name {
            Name::Word(word) => word.span(),
            Name::Text(text) => text.span(),
        }
    }

    fn text(&self) -> String {
        match &self.name {
            Name::Word(word) => word.unraw().to_string(),
            Name::Text(text) => text.value(),
        }
    }
}

/// The elements, of which there are one to four.
fn elements(cx: &Ctxt, option: &Opt, example: &str) -> Option<Vec<Element>> {
    let (name, group) = (option.name(), list(option)?);
    let all = Punctuated::<Element, Token![,]>::parse_terminated_with;
    let parser = |input: ParseStream<'_>| all(input, Element::parse);
    let elements: Vec<_> = match parser.parse2(group.stream()) {
        Ok(elements) => elements.into_iter().collect(),
        Err(_) => {
            cx.error(
                group.span(),
                format!("`{name}` lists attributes; write `{name} = {example}`"),
            );
            return None;
        }
    };
    if elements.is_empty() {
        cx.error(
            group.span(),
            format!("`{name}` lists no attribute; write `{name} = {example}`"),
        );
        return None;
    }
    if let Some(fifth) = elements.get(MAX_ATTRIBUTES) {
        let (count, what) = (elements.len(), role(&name));
        cx.error(
            fifth.span(),
            format!("`{name}` lists {count} attributes, and DynamoDB takes {MAX_ATTRIBUTES} in a {what}; remove some, or store two of them as one"),
        );
        return None;
    }
    Some(elements)
}

fn role(option: &str) -> &'static str {
    match option {
        "pk" => "partition key",
        _ => "sort key",
    }
}

/// `(tenant: S, region: S)`: the attributes of the items, as they are stored.
pub(super) fn of_table(cx: &Ctxt, option: &Opt) -> Option<Vec<KeyAttribute>> {
    let elements = elements(cx, option, "(tenant: S, region: S)")?;
    let attributes = elements.iter().map(|element| {
        let name = element.text();
        let key_type = match element.ty.as_ref().map(Ident::to_string).as_deref() {
            Some("S") => KeyType::S,
            Some("N") => KeyType::N,
            Some("B") => KeyType::B,
            found => {
                let (span, what) = match (&element.ty, found) {
                    (Some(ty), Some(found)) => (ty.span(), format!("has no type `{found}`")),
                    _ => (element.span(), "needs its type".to_owned()),
                };
                cx.error(
                    span,
                    format!("the key attribute `{name}` {what}; write `{name}: S` for text, `N` for a number or `B` for bytes"),
                );
                return None;
            }
        };
        Some(KeyAttribute {
            name: LitStr::new(&name, element.span()),
            key_type,
        })
    });
    // Each error is reported.
    let attributes: Vec<_> = attributes.collect();
    attributes.into_iter().collect()
}

/// `(tenant, region)`: the fields.
pub(super) fn of_entity(cx: &Ctxt, option: &Opt) -> Option<KeySource> {
    let group = list(option)?;
    let Some(elements) = elements(cx, option, "(tenant, region)") else {
        return Some(KeySource::Broken(Vec::new()));
    };
    let mut is_fine = true;
    for element in &elements {
        let name = element.text();
        if let Name::Text(text) = &element.name {
            is_fine = false;
            let option = option.name();
            cx.error(
                text.span(),
                format!("`{option}` lists fields, and `\"{name}\"` is not one; name a field without quotes, or write one template: `{option} = \"{name}\"`"),
            );
        } else if let Some(ty) = &element.ty {
            is_fine = false;
            cx.error(
                ty.span(),
                format!("the type of `{name}` is declared on the table; write `{name}`"),
            );
        }
    }
    let fields: Vec<_> = elements.iter().map(Element::text).collect();
    if !is_fine {
        return Some(KeySource::Broken(fields));
    }
    let template = Template::of_attributes(&fields);
    let spans = elements.iter().map(Element::span);
    let pieces = template.parts.iter().map(|part| part.at).zip(spans);
    let text = Text::of_pieces(&template.text, group.span(), pieces.collect());
    Some(KeySource::Template(Spanned {
        template,
        text,
        reserved_in: None,
    }))
}

/// Gives each attribute the form in which its field is stored, so that queries write it alike.
pub(super) fn resolve_forms(cx: &Ctxt, entity: &mut Entity<'_>) {
    let fields = &entity.fields;
    let krate = entity.krate.as_ref();
    let halves = entity.indexes.iter_mut();
    let halves = halves.flat_map(|index| std::iter::once(&mut index.pk).chain(&mut index.sk));
    let mut reported: Vec<String> = Vec::new();
    for half in halves {
        let KeySource::Template(spanned) = half else {
            continue;
        };
        if !spanned.template.native {
            continue;
        }
        for part in &mut spanned.template.parts {
            let field = fields.iter().find(|field| field.name == part.field);
            let Some((field, function)) = field.and_then(|it| Some((it, it.function.as_ref()?)))
            else {
                continue;
            };
            match form(field, function, krate) {
                Some(form) => part.spec.form = form,
                None if reported.contains(&field.name) => {}
                None => {
                    reported.push(field.name.clone());
                    let name = &field.name;
                    let message = format!(
                        "`{name}` is an attribute of an index key, and a query cannot write it as this serde function does; store it with a function of `dynamo_model::format`, or without one"
                    );
                    cx.error(field.ident.span(), message);
                }
            }
        }
    }
}

/// The form that a serde function stores, if a key can have it.
fn form(field: &Field<'_>, function: &syn::Path, krate: Option<&syn::Path>) -> Option<Form> {
    if matches!(field.stored_as, StoredAs::Anything) {
        return Some(Form::Plain);
    }
    let function = StoredAs::own_name(&module(function), krate);
    let name = function.rsplit("::").next().unwrap_or_default();
    if let Some(own) = function.strip_prefix("dynamo_model::format::") {
        return match own {
            "decimal" => Some(Form::Plain),
            "epoch_seconds" => Some(Form::Epoch(EpochUnit::Seconds)),
            "epoch_millis" => Some(Form::Epoch(EpochUnit::Millis)),
            "rfc3339_seconds" => Some(Form::Precision(Precision::Seconds)),
            "rfc3339_millis" => Some(Form::Precision(Precision::Millis)),
            "rfc3339_micros" => Some(Form::Precision(Precision::Micros)),
            "rfc3339_nanos" => Some(Form::Precision(Precision::Nanos)),
            _ => None,
        };
    }
    let of_time = function.starts_with("chrono::serde::")
        || function.starts_with("jiff::fmt::serde::timestamp::")
        || function.starts_with("time::serde::timestamp");
    match function.as_str() {
        "serde_bytes" | "uuid::serde::hyphenated" => Some(Form::Plain),
        "time::serde::timestamp" | "time::serde::timestamp::option" => {
            Some(Form::Epoch(EpochUnit::Seconds))
        }
        _ if !of_time => None,
        _ if name == "ts_seconds" || function.contains("::second::") => {
            Some(Form::Epoch(EpochUnit::Seconds))
        }
        _ if name == "ts_seconds_option" => Some(Form::Epoch(EpochUnit::Seconds)),
        _ if function.contains("millisecond") => Some(Form::Epoch(EpochUnit::Millis)),
        _ => None,
    }
}
