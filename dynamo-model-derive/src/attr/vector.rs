//! `#[vectorN(…)]` on a table and on an entity.

use super::table::{key_attribute, read_projection, typed_attribute};
use super::{IndexId, Opt, Said, Value, options, set};
use crate::ast::{EntityVector, KeyAttribute, Projection, TableVector};
use crate::ctxt::Ctxt;
use crate::suggest;
use proc_macro2::{Ident, Span};
use syn::{Attribute, LitStr};

const OF_TABLE: &[&str] = &[
    "name",
    "attribute",
    "dimensions",
    "distance",
    "hash",
    "filters",
    "projection",
];
const OF_ENTITY: &[&str] = &["field", "hash", "filters", "as"];
const DISTANCES: &[&str] = &["cosine", "euclidean", "dot_product"];

/// `#[vector1(name = "by-meaning", attribute = "meaning", dimensions = 1536, distance = cosine)]`
pub(crate) fn of_table(cx: &Ctxt, attribute: &Attribute, id: IndexId) -> Option<TableVector> {
    let (mut name, mut stored, mut hash, mut projection) = (None, None, None, None);
    let (mut dimensions, mut distance, mut filters) = (None, None, Vec::new());
    let mut said = Said::default();
    let label = id.to_string();
    for option in options(cx, attribute) {
        said.note(&option, OF_TABLE);
        match option.name().as_str() {
            "name" => set(cx, &mut name, &option, option.string(cx)),
            "attribute" => set(cx, &mut stored, &option, option.string(cx)),
            "dimensions" => set(cx, &mut dimensions, &option, read_dimensions(cx, &option)),
            "distance" => set(cx, &mut distance, &option, read_distance(cx, &option)),
            "hash" => set(cx, &mut hash, &option, key_attribute(cx, &option)),
            "filters" => filters = table_filters(cx, &option),
            "projection" => set(cx, &mut projection, &option, read_projection(cx, &option)),
            "field" | "as" => {
                let example = format!("#[{label}(field = meaning, as = similar_to)]");
                option.elsewhere(cx, "the entity", &example);
            }
            _ => option.unknown(cx, &label, OF_TABLE),
        }
    }
    let span = attribute.path().get_ident()?.span();
    let required = [
        ("name", "name", "\"…\""),
        ("attribute", "attribute", "\"…\""),
        ("number of dimensions", "dimensions", "1536"),
        ("distance", "distance", "cosine"),
    ];
    report_missing(cx, span, &label, &said, &required);
    Some(TableVector {
        id,
        span,
        name: name?,
        attribute: stored?,
        dimensions: dimensions?,
        distance: distance?,
        hash,
        filters,
        projection: projection.unwrap_or(Projection::All),
    })
}

/// `#[vector1(field = meaning, hash = tenant, filters(category), as = similar_to)]`
pub(crate) fn of_entity(cx: &Ctxt, attribute: &Attribute, id: IndexId) -> Option<EntityVector> {
    let (mut field, mut hash, mut method, mut filters) = (None, None, None, Vec::new());
    let mut said = Said::default();
    let label = id.to_string();
    for option in options(cx, attribute) {
        said.note(&option, OF_ENTITY);
        match option.name().as_str() {
            "field" => set(cx, &mut field, &option, field_name(cx, &option)),
            "hash" => set(cx, &mut hash, &option, field_name(cx, &option)),
            "as" => set(cx, &mut method, &option, option.ident(cx)),
            "filters" => filters = entity_filters(cx, &option),
            "name" | "attribute" | "dimensions" | "distance" | "projection" => {
                let example = format!("#[{label}(name = \"…\", attribute = \"…\", …)]");
                option.elsewhere(cx, "the table", &example);
            }
            _ => option.unknown(cx, &label, OF_ENTITY),
        }
    }
    let span = attribute.path().get_ident()?.span();
    report_missing(cx, span, &label, &said, &[("field", "field", "meaning")]);
    Some(EntityVector {
        id,
        span,
        method: method.unwrap_or_else(|| Ident::new("similar_to", span)),
        field: field?,
        hash,
        filters,
    })
}

/// One error for all options that are missing: what each is, its name, and an example.
fn report_missing(
    cx: &Ctxt,
    span: Span,
    label: &str,
    said: &Said,
    required: &[(&str, &str, &str)],
) {
    let missing = || required.iter().filter(|(_, option, _)| !said.has(option));
    if missing().next().is_none() {
        return;
    }
    let what: Vec<_> = missing().map(|(what, ..)| format!("no {what}")).collect();
    let write: Vec<_> = missing()
        .map(|(_, option, example)| format!("{option} = {example}"))
        .collect();
    let (what, write) = (what.join(" and "), write.join(", "));
    cx.error(span, format!("`{label}` has {what}; write `{write}`"));
}

/// DynamoDB takes vectors of 1 to 4096 floats.
fn read_dimensions(cx: &Ctxt, option: &Opt) -> Option<(usize, Span)> {
    const MAX: usize = 4096;
    let number = match &option.value {
        Value::Int(number) => number.base10_parse::<usize>().ok(),
        _ => None,
    };
    match number {
        Some(number) if (1..=MAX).contains(&number) => Some((number, option.value_span())),
        _ => {
            let message = "`dimensions` takes a number from 1 to 4096, that of the model which makes the vectors; write `dimensions = 1536`";
            cx.error(option.value_span(), message);
            None
        }
    }
}

fn read_distance(cx: &Ctxt, option: &Opt) -> Option<&'static str> {
    let word = option.word();
    match word
        .as_ref()
        .map(|(word, arguments)| (word.as_str(), *arguments))
    {
        Some(("cosine", [])) => return Some("Cosine"),
        Some(("euclidean", [])) => return Some("Euclidean"),
        Some(("dot_product", [])) => return Some("DotProduct"),
        _ => {}
    }
    option.invalid(cx, "distance", DISTANCES, &suggest::list(DISTANCES));
    None
}

/// `filters("category", N("year"))`
fn table_filters(cx: &Ctxt, option: &Opt) -> Vec<KeyAttribute> {
    let arguments = match &option.value {
        Value::Call(_, arguments) => arguments.as_slice(),
        _ => &[],
    };
    let filters = arguments.iter().map(|argument| match &argument.value {
        Value::Str(text) if !text.value().is_empty() => Some(text_attribute(text)),
        Value::Call(name, arguments) => typed_attribute(&name.to_string(), arguments),
        _ => None,
    });
    match filters.collect::<Option<Vec<_>>>() {
        Some(filters) if !filters.is_empty() => filters,
        _ => {
            let message =
                "`filters` takes attribute names; write `filters(\"category\", N(\"year\"))`";
            cx.error(option.span(), message);
            Vec::new()
        }
    }
}

fn text_attribute(name: &LitStr) -> KeyAttribute {
    KeyAttribute {
        name: name.clone(),
        key_type: crate::ast::KeyType::S,
    }
}

/// `filters(category, year)`
fn entity_filters(cx: &Ctxt, option: &Opt) -> Vec<Ident> {
    let arguments = match &option.value {
        Value::Call(_, arguments) => arguments.as_slice(),
        _ => &[],
    };
    let is_name = |it: &Opt| matches!(it.value, Value::Flag);
    if arguments.is_empty() || !arguments.iter().all(is_name) {
        let message = "`filters` takes fields of the entity; write `filters(category, year)`";
        cx.error(option.span(), message);
        return Vec::new();
    }
    arguments.iter().map(|it| it.name.clone()).collect()
}

/// The name of a field, without quotes.
fn field_name(cx: &Ctxt, option: &Opt) -> Option<Ident> {
    match &option.value {
        Value::Path(path) if path.get_ident().is_some() => path.get_ident().cloned(),
        value => {
            let name = option.name();
            let field = match value {
                Value::Str(text) if !text.value().is_empty() => text.value(),
                _ => "…".into(),
            };
            cx.error(
                option.value_span(),
                format!("`{name}` takes a field of the entity; write `{name} = {field}`"),
            );
            None
        }
    }
}
