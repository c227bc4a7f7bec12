//! `impl Items` for the enum of a table's entities.

use super::runtime;
use crate::ast::Items;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// ```text
/// impl Items for AppItem { const ENTITIES: … = &[&User::SCHEMA, &Order::SCHEMA]; … }
/// impl From<User> for AppItem { … }
/// const _: () = check::distinct(AppItem::ENTITIES, 1).enforce();        // and so on, at each variant
/// ```
pub(crate) fn expand(items: &Items<'_>) -> TokenStream {
    let dm = runtime(items.krate.as_ref());
    let (ident, table) = (items.ident, &items.table);
    let name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = items.generics.split_for_impl();
    let types: Vec<_> = items.variants.iter().map(|variant| variant.ty).collect();
    let variants: Vec<_> = items.variants.iter().map(|variant| variant.ident).collect();
    let checks = items
        .generics
        .params
        .is_empty()
        .then(|| expand_checks(&dm, items));
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::Items for #ident #ty_generics #where_clause {
            type Table = #table;

            const ENTITIES: &'static [&'static #dm::schema::EntitySchema] =
                &[#(&<#types as #dm::Entity>::SCHEMA),*];

            fn entity_of(
                __pk: #dm::KeyRef<'_>,
                __sk: ::core::option::Option<#dm::KeyRef<'_>>,
            ) -> ::core::result::Result<&'static #dm::schema::EntitySchema, #dm::KeyError> {
                #(if <#types as #dm::IndexedBy<#dm::index::Primary>>::parse(__pk, __sk).is_ok() {
                    return ::core::result::Result::Ok(&<#types as #dm::Entity>::SCHEMA);
                })*
                ::core::result::Result::Err(#dm::KeyError::no_entity(#name))
            }

            fn entity(&self) -> &'static #dm::schema::EntitySchema {
                match self {
                    #(Self::#variants(_) => &<#types as #dm::Entity>::SCHEMA,)*
                }
            }

            fn key_attributes(
                &self,
            ) -> ::core::result::Result<::std::vec::Vec<#dm::ItemKeyAttribute>, #dm::KeyError> {
                match self {
                    #(Self::#variants(__entity) => #dm::Entity::key_attributes(__entity),)*
                }
            }
        }

        #(
            #[automatically_derived]
            impl #impl_generics ::core::convert::From<#types> for #ident #ty_generics #where_clause {
                fn from(__entity: #types) -> Self {
                    Self::#variants(__entity)
                }
            }
        )*

        #checks
    }
}

fn expand_checks(dm: &TokenStream, items: &Items<'_>) -> TokenStream {
    let (ident, table) = (items.ident, &items.table);
    let checks = items.variants.iter().enumerate().map(|(i, variant)| {
        let ty = variant.ty;
        quote_spanned! {ty.span()=>
            const _: () = #dm::__private::check::same_table(
                &<#table as #dm::Table>::SCHEMA,
                &<<#ty as #dm::Entity>::Table as #dm::Table>::SCHEMA,
                &<#ty as #dm::Entity>::SCHEMA,
            ).enforce();
            const _: () = #dm::__private::check::distinct(<#ident as #dm::Items>::ENTITIES, #i).enforce();
        }
    });
    quote!(#(#checks)*)
}
