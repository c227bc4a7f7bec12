//! How a field's type is stored, which only the type checker knows: generated code asks `Probe` for it.

use crate::expand::Runtime;
use crate::ty;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

/// `<Probe<Tags>>::FORM`, of a type that may have a form of its own. What a function of the user's writes has none.
pub(crate) fn form(dm: &Runtime, ty: &Type, has_function: bool) -> Option<TokenStream> {
    if has_function || ty::is_plain(ty) {
        return None;
    }
    let probe = quote!(<#dm::__private::Probe<#ty>>);
    Some(quote!(#probe::FORM.of(#probe::ELEMENTS)))
}

/// Whether a field is an `Option`, under whatever name; nothing where it surely is not.
pub(crate) fn optional(dm: &Runtime, ty: &Type) -> Option<TokenStream> {
    if ty::is_option(ty) {
        return Some(quote!(true));
    }
    (!ty::is_plain(ty)).then(|| quote!(<#dm::__private::Probe<#ty>>::OPTIONAL))
}

/// What a path to the field is told: `.optional(true).formed(…).nulls(false)`.
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
