//! `impl Projection`: some of the fields of an entity, and the indexes they can be read from.

use super::{at, index_id, index_marker, option, runtime};
use crate::attr::projection::Projection;
use proc_macro2::TokenStream;
use quote::quote;

/// ```text
/// __client! {
///     impl Projection for Spine { type Of = Book; const ATTRIBUTES: … = &["isbn", "title"]; }
///     impl ProjectedFrom<Lsi1> for Spine {}
///     const _: () = check::projection(…, Some(IndexId::Lsi(1)), "isbn", "isbn").enforce();   // a field and index each
/// }
/// ```
pub(crate) fn expand(projection: &Projection<'_>) -> TokenStream {
    let dm = runtime(projection.krate.as_ref());
    let (ident, of) = (projection.ident, &projection.of);
    let (impl_generics, ty_generics, where_clause) = projection.generics.split_for_impl();
    let attributes = projection.fields.iter().map(|(_, _, attribute)| attribute);
    let markers = projection.from.iter().map(|from| match from {
        Some(id) => {
            let marker = index_marker(*id);
            quote!(#dm::index::#marker)
        }
        None => quote!(#dm::index::Primary),
    });
    // With a parameter the checks wait until the types are known.
    let generic = projection.is_generic();
    let constant = (!generic).then(|| quote!(const _: () =));
    let checks = projection.from.iter().flat_map(|from| {
        let id = option(from.map(|id| index_id(&dm, id)));
        projection.fields.iter().map({
            let (dm, constant) = (dm.clone(), constant.clone());
            move |(ident, field, attribute)| {
                let code = quote! {
                    #constant #dm::__private::check::projection(
                        &<<#of as #dm::Entity>::Table as #dm::Table>::SCHEMA,
                        &<#of as #dm::Entity>::SCHEMA,
                        #id, #field, #attribute,
                    ).enforce();
                };
                at(ident.span(), code)
            }
        })
    });
    let checks: TokenStream = checks.collect();
    let (inner, outer) = if generic {
        (Some(checks), None)
    } else {
        (None, Some(checks))
    };
    quote! {
        #dm::__client! {
            #[automatically_derived]
            impl #impl_generics #dm::Projection for #ident #ty_generics #where_clause {
                type Of = #of;
                const ATTRIBUTES: &'static [&'static ::core::primitive::str] = {
                    #inner
                    &[#(#attributes),*]
                };
            }
            #(
                #[automatically_derived]
                impl #impl_generics #dm::__private::ProjectedFrom<#markers> for #ident #ty_generics #where_clause {}
            )*
            #outer
        }
    }
}
