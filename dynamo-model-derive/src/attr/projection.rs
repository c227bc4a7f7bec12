//! Reads `#[projection(…)]` on a struct with some of an entity's fields.

use super::index::index_named;
use super::serde::Serde;
use super::{IndexId, Opt, Value, has_arguments, options, set};
use crate::ctxt::Ctxt;
use crate::suggest;
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Generics, Path};

/// A projection: its entity, its indexes, and its fields with their attributes.
pub(crate) struct Projection<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Option<Path>,
    pub(crate) of: Option<Path>,
    /// The table (`None`) or index of each source, with the span of its name.
    pub(crate) from: Vec<(Option<IndexId>, Span)>,
    pub(crate) fields: Vec<(&'a Ident, String, String)>,
}

impl Projection<'_> {
    /// Whether the entity depends on the projection's own parameters: `Summary<T>` of `Order<T>`.
    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty() && self.of.as_ref().is_some_and(has_arguments)
    }
}

pub(crate) fn read<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Projection<'a> {
    let mut this = Projection {
        ident: &input.ident,
        generics: &input.generics,
        krate: None,
        of: None,
        from: Vec::new(),
        fields: read_fields(cx, input),
    };
    let mut of_said = false;
    for attribute in input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("projection"))
    {
        for option in options(cx, attribute) {
            match (option.name().as_str(), &option.value) {
                ("of", _) => {
                    of_said = true;
                    set(cx, &mut this.of, &option, option.type_path(cx));
                }
                ("crate", _) => set(cx, &mut this.krate, &option, option.path(cx)),
                ("from", Value::Call(_, indexes)) if !indexes.is_empty() => {
                    let indexes = indexes.iter();
                    this.from.extend(
                        indexes.filter_map(|index| Some((read_from(cx, index)?, index.span()))),
                    );
                }
                ("from", _) => cx.error(
                    option.value_span(),
                    "`from` takes the table and indexes to read from; write `from(table, gsi1)`",
                ),
                _ => option.unknown(cx, "projection", &["of", "from", "crate"]),
            }
        }
    }
    if !of_said {
        let message = format!(
            "`{}` names no entity; write `#[projection(of = …)]`",
            input.ident
        );
        cx.error(input.ident.span(), message);
    }
    if this.from.is_empty() {
        this.from.push((None, input.ident.span()));
    }
    this
}

/// Reads `table`, `gsi1`, `lsi2` or `vector1`.
fn read_from(cx: &Ctxt, option: &Opt) -> Option<Option<IndexId>> {
    let name = option.name();
    if name == "table" {
        return Some(None);
    }
    let id = index_named(&name);
    if id.is_none() {
        let hint = suggest::hint(&name, &["table", "gsi1", "lsi1"]);
        cx.error(
            option.span(),
            format!("`{name}` is not an index to read from; {hint}"),
        );
    }
    id.map(Some)
}

fn read_fields<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Vec<(&'a Ident, String, String)> {
    let Data::Struct(syn::DataStruct {
        fields: Fields::Named(fields),
        ..
    }) = &input.data
    else {
        let message =
            "a projection is a struct with some of the entity's fields; give it named fields";
        cx.error(input.ident.span(), message);
        return Vec::new();
    };
    let container = Serde::of(&input.attrs);
    let read = |field: &'a syn::Field| {
        let (ident, serde) = (field.ident.as_ref()?, Serde::of(&field.attrs));
        let name = ident.unraw().to_string();
        let attribute = serde.field_name(&name, &container);
        (!serde.skip).then_some((ident, name, attribute))
    };
    fields.named.iter().filter_map(read).collect()
}
