//! Asks the type checker how a field's type is stored, through `Probe` in generated code.

use crate::expand::Runtime;
use crate::ty;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

/// Writes `<Probe<Tags>>::FORM` for a type that may have a stored form. A serde function hides the
/// form of the type.
pub(crate) fn form(dm: &Runtime, ty: &Type, has_function: bool) -> Option<TokenStream> {
    if has_function || ty::is_plain(ty) {
        return None;
    }
    let probe = quote!(<#dm::__private::Probe<#ty>>);
    Some(quote!(#probe::FORM.of(#probe::ELEMENTS)))
}

/// Writes whether a field is an `Option`, under any name. Returns `None` if it certainly is not.
pub(crate) fn optional(dm: &Runtime, ty: &Type) -> Option<TokenStream> {
    if ty::is_option(ty) {
        return Some(quote!(true));
    }
    (!ty::is_plain(ty)).then(|| quote!(<#dm::__private::Probe<#ty>>::OPTIONAL))
}

/// Writes how a field is stored, for a path to it: `.optional(true).formed(…).nulls(false)`.
pub(crate) fn path_options(
    dm: &Runtime,
    ty: &Type,
    has_function: bool,
    nulls: Option<bool>,
) -> TokenStream {
    let optional = optional(dm, ty).map(|optional| quote!(.optional(#optional)));
    let form = form(dm, ty, has_function).map(|form| quote!(.formed(#form)));
    let nulls = nulls.map(|everywhere| quote!(.nulls(#everywhere)));
    quote!(#optional #form #nulls)
}
