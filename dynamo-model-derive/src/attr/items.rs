//! `#[items(…)]` on the enum of a table's entities.

use super::{Said, options, set};
use crate::ast::{Items, Variant};
use crate::ctxt::Ctxt;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields};

const OPTIONS: &[&str] = &["table", "crate"];

/// Reads the declaration of an items enum.
pub(crate) fn read<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Items<'a> {
    let mut items = Items {
        ident: &input.ident,
        vis: &input.vis,
        generics: &input.generics,
        table: None,
        krate: None,
        variants: Vec::new(),
    };
    let mut said = Said::default();
    for attribute in input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("items"))
    {
        for option in options(cx, attribute) {
            said.note(&option, OPTIONS);
            match option.name().as_str() {
                "table" => set(cx, &mut items.table, &option, option.path(cx)),
                "crate" => set(cx, &mut items.krate, &option, option.path(cx)),
                _ => option.unknown(cx, "items", OPTIONS),
            }
        }
    }
    if !said.has("table") {
        cx.error(
            input.ident.span(),
            format!(
                "`{}` belongs to no table; write `#[items(table = …)]`",
                input.ident
            ),
        );
    }
    let Data::Enum(data) = &input.data else {
        cx.error(
            input.ident.span(),
            format!("`{0}` is no enum, and `DynamoItems` is for that of a table's entities; write `enum {0} {{ User(User), Order(Order) }}`", input.ident),
        );
        return items;
    };
    if data.variants.is_empty() {
        cx.error(
            input.ident.span(),
            format!(
                "`{}` has no entities; add a variant such as `User(User)`",
                input.ident
            ),
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
    let own = |attribute: &&syn::Attribute| attribute.path().is_ident("items");
    if let Some(attribute) = variant.attrs.iter().find(own) {
        cx.error(
            attribute.path().span(),
            "`#[items]` is said of the enum, not of a variant; move it above the `enum`",
        );
    }
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
            format!("`{text}` is there twice, and an entity has one variant; remove `{name}`"),
        );
        return None;
    }
    Some(Variant { ident: name, ty })
}
