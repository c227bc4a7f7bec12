//! Writes `impl Projection`: some fields of an entity, and the indexes from which they can be read.

use super::{at, index_id, index_marker, option};
use crate::attr::projection::Projection;
use crate::expand::{Client, Runtime};
use proc_macro2::TokenStream;
use quote::quote;

/// ```text
/// impl Projection for Spine { type Of = Book; const ATTRIBUTES: … = &["isbn", "title"]; }
/// impl ProjectedFrom<Book, Lsi1> for Spine {}
/// const _: () = {
///     struct __Of;                                    // names the entity for the checks
///     impl Projection for __Of { type Of = Book; … }
///     const _: () = projected_from::<__Of>(IndexId::Lsi(1)).enforce();        // for each index
///     // for each index and field:
///     const _: () = projected::<__Of>(Some(IndexId::Lsi(1)), "isbn", "isbn").enforce();
/// };
/// ```
///
/// Writes nothing without the feature `client`, because there are no reads then.
pub(crate) fn expand(projection: &Projection<'_>, client: Client) -> TokenStream {
    let dm = Runtime::new(projection.krate.as_ref(), client);
    if !dm.has_client() {
        return TokenStream::new();
    }
    let (ident, of) = (projection.ident, &projection.of);
    let (impl_generics, ty_generics, where_clause) = projection.generics.split_for_impl();
    let attributes = projection.fields.iter().map(|(_, _, attribute)| attribute);
    let markers = projection.from.iter().map(|(from, _)| match from {
        Some(id) => {
            let marker = index_marker(*id);
            quote!(#dm::index::#marker)
        }
        None => quote!(#dm::index::Primary),
    });
    // With a type parameter, the checks wait until the types are known.
    let (inner, outer) = if projection.is_generic() {
        (Some(expand_checks(projection, &dm, None)), None)
    } else {
        (None, Some(expand_checks_of(projection, &dm)))
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::read::Projection for #ident #ty_generics #where_clause {
            type Of = #of;
            const ATTRIBUTES: &'static [&'static ::core::primitive::str] = {
                #inner
                &[#(#attributes),*]
            };
        }
        #(
            #[automatically_derived]
            impl #impl_generics #dm::__private::ProjectedFrom<#of, #markers> for #ident #ty_generics
            #where_clause {}
        )*
        #outer
    }
}

/// Writes the checks. They name the entity through a type of ours, so a type that is not an entity
/// produces one error and not one for each check.
fn expand_checks_of(projection: &Projection<'_>, dm: &Runtime) -> TokenStream {
    let of = &projection.of;
    let checks = expand_checks(projection, dm, Some(&quote!(const _: () =)));
    quote! {
        const _: () = {
            struct __Of;
            #[automatically_derived]
            impl #dm::read::Projection for __Of {
                type Of = #of;
                const ATTRIBUTES: &'static [&'static ::core::primitive::str] = &[];
            }
            #checks
        };
    }
}

/// Writes a check for each index, and for each field and index. A generic projection is checked as
/// itself.
fn expand_checks(
    projection: &Projection<'_>,
    dm: &Runtime,
    constant: Option<&TokenStream>,
) -> TokenStream {
    let of = match constant {
        Some(_) => quote!(__Of),
        None => quote!(Self),
    };
    let mut checks = TokenStream::new();
    for (from, span) in &projection.from {
        if let Some(id) = from.map(|id| index_id(dm, id)) {
            let check = quote!(#constant #dm::__private::projected_from::<#of>(#id).enforce(););
            checks.extend(at(*span, check));
        }
        let id = option(from.map(|id| index_id(dm, id)));
        for (ident, field, attribute) in &projection.fields {
            let check = quote! {
                #constant #dm::__private::projected::<#of>(#id, #field, #attribute).enforce();
            };
            checks.extend(at(ident.span(), check));
        }
    }
    checks
}
