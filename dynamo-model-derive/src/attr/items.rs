//! Reads `#[items(…)]` on the items enum of a table.

use super::{Said, options, set, set_flag};
use crate::ast::{Items, Variant};
use crate::ctxt::Ctxt;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Type};

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
        unknown: None,
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
                "`{}` has no table; write `#[items(table = …)]`",
                input.ident
            ),
        );
    }
    let Data::Enum(data) = &input.data else {
        cx.error(
            input.ident.span(),
            format!(
                "`{0}` is not an enum, and `DynamoItems` is for the enum of a table's entities; \
                 write `enum {0} {{ User(User), Order(Order) }}`",
                input.ident
            ),
        );
        return items;
    };
    let mut entities = 0;
    for variant in &data.variants {
        let unknown = is_unknown(cx, variant);
        entities += usize::from(!unknown);
        let read = read_variant(cx, variant, unknown, &items.variants);
        match (unknown, &items.unknown) {
            (false, _) => items.variants.extend(read),
            (true, None) => items.unknown = read,
            (true, Some(first)) => cx.error(
                variant.ident.span(),
                format!(
                    "`{}` and `{}` are both variants for unknown items; keep one",
                    first.ident, variant.ident
                ),
            ),
        }
    }
    if entities == 0 {
        cx.error(
            input.ident.span(),
            format!(
                "`{}` has no entities; add a variant such as `User(User)`",
                input.ident
            ),
        );
    }
    items
}

/// Reads `#[items(unknown)]` on a variant. Reports anything else, and then skips the variant.
fn is_unknown(cx: &Ctxt, variant: &syn::Variant) -> bool {
    let mut unknown = false;
    let own = |attribute: &&syn::Attribute| attribute.path().is_ident("items");
    for attribute in variant.attrs.iter().filter(own) {
        let options = options(cx, attribute);
        if options
            .iter()
            .all(|it| OPTIONS.contains(&it.name().as_str()))
        {
            cx.error(
                attribute.path().span(),
                "`#[items]` belongs on the enum, not on a variant; move it above the `enum`",
            );
            continue;
        }
        for option in &options {
            match option.name().as_str() {
                "unknown" => set_flag(cx, &mut unknown, option),
                _ => {
                    option.unknown(cx, "items", &["unknown"]);
                    unknown = true;
                }
            }
        }
    }
    unknown
}

fn read_variant<'a>(
    cx: &Ctxt,
    variant: &'a syn::Variant,
    unknown: bool,
    known: &[Variant<'a>],
) -> Option<Variant<'a>> {
    let name = &variant.ident;
    let ty = match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => &fields.unnamed[0].ty,
        _ if unknown => {
            cx.error(
                name.span(),
                format!("`{name}` must hold the item; write `{name}(UnknownItem)`"),
            );
            return None;
        }
        _ => {
            cx.error(
                name.span(),
                format!("`{name}` must hold one entity; write `{name}(Entity)`"),
            );
            return None;
        }
    };
    let text = ty.to_token_stream().to_string();
    if !unknown && is_named(ty, "UnknownItem") {
        cx.error(
            name.span(),
            format!("`{name}` holds an `UnknownItem`; write `#[items(unknown)]` on it"),
        );
        return None;
    }
    if known
        .iter()
        .any(|known| known.ty.to_token_stream().to_string() == text)
    {
        cx.error(
            name.span(),
            format!("`{text}` already has a variant; remove `{name}`"),
        );
        return None;
    }
    Some(Variant { ident: name, ty })
}

/// Returns whether a type is a path that ends with this name.
fn is_named(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == name),
        _ => false,
    }
}
