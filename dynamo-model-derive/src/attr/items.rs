//! `#[items(…)]` on the enum of a table's entities.

use super::{options, set};
use crate::ast::{Items, Variant};
use crate::ctxt::Ctxt;
use quote::ToTokens;
use syn::{Data, DeriveInput, Fields};

/// Reads the declaration of an items enum.
pub(crate) fn read<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Items<'a> {
    let mut items = Items {
        ident: &input.ident,
        generics: &input.generics,
        table: None,
        krate: None,
        variants: Vec::new(),
    };
    for attribute in input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("items"))
    {
        for option in options(cx, attribute) {
            match option.name().as_str() {
                "table" => set(cx, &mut items.table, &option, option.path(cx)),
                "crate" => set(cx, &mut items.krate, &option, option.path(cx)),
                _ => option.unknown(cx, "items", &["table", "crate"]),
            }
        }
    }
    if items.table.is_none() {
        cx.error(
            input.ident.span(),
            "the items belong to a table; write `#[items(table = …)]`",
        );
    }
    let Data::Enum(data) = &input.data else {
        cx.error(
            input.ident.span(),
            "`DynamoItems` is for the enum of a table's entities; write `enum … { User(User), Order(Order) }`",
        );
        return items;
    };
    if data.variants.is_empty() {
        cx.error(
            input.ident.span(),
            "the table has no entities; add a variant such as `User(User)`",
        );
    }
    for variant in &data.variants {
        items
            .variants
            .extend(read_variant(cx, variant, &items.variants));
    }
    items
}

fn read_variant<'a>(
    cx: &Ctxt,
    variant: &'a syn::Variant,
    known: &[Variant<'a>],
) -> Option<Variant<'a>> {
    let name = &variant.ident;
    let ty = match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => &fields.unnamed[0].ty,
        _ => {
            cx.error(
                name.span(),
                format!("`{name}` must hold one entity; write `{name}(Entity)`"),
            );
            return None;
        }
    };
    let text = ty.to_token_stream().to_string();
    if known
        .iter()
        .any(|known| known.ty.to_token_stream().to_string() == text)
    {
        cx.error(
            name.span(),
            format!("`{text}` is there twice; an entity has one variant"),
        );
        return None;
    }
    Some(Variant { ident: name, ty })
}
