//! After an error, stubs: what the declaration would have generated, with bodies that are never
//! reached, so that code which uses it does not report the same mistake again.

use crate::ast::{Entity, EntityIndex, Items, KeySource, Table};
use crate::expand::{self, runtime};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::DeriveInput;
use syn::ext::IdentExt;

/// The table as far as it could be read, marked as incomplete so that nobody compares with it.
pub(crate) fn table(table: &Table<'_>, errors: &TokenStream) -> TokenStream {
    let dm = runtime(table.krate.as_ref());
    let ident = table.ident;
    let name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = table.generics.split_for_impl();
    quote! {
        #errors
        #[automatically_derived]
        impl #impl_generics #dm::Table for #ident #ty_generics #where_clause {
            const SCHEMA: #dm::schema::TableSchema = #dm::schema::TableSchema::incomplete(#name);
        }
    }
}

pub(crate) fn entity(entity: &Entity<'_>, errors: &TokenStream) -> TokenStream {
    let dm = runtime(entity.krate.as_ref());
    let ident = entity.ident;
    let name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let table = entity.table.as_ref().map_or_else(
        || quote!(#dm::__private::NoTable),
        |table| table.to_token_stream(),
    );
    let primary = methods(entity, &dm, None);
    let indexes = entity
        .indexes
        .iter()
        .map(|index| methods(entity, &dm, Some(index)));
    quote! {
        #errors
        #[allow(dead_code, unused_variables)]
        const _: () = {
            #[automatically_derived]
            impl #impl_generics #dm::Entity for #ident #ty_generics #where_clause {
                type Table = #table;
                const SCHEMA: #dm::schema::EntitySchema = #dm::schema::EntitySchema::incomplete(#name);
                fn primary_key(&self) -> ::core::result::Result<#dm::Key<Self>, #dm::KeyError> {
                    ::core::unreachable!()
                }
                fn key_attributes(
                    &self,
                ) -> ::core::result::Result<::std::vec::Vec<#dm::ItemKeyAttribute>, #dm::KeyError> {
                    ::core::unreachable!()
                }
            }
            #primary
            #(#indexes)*
        };
    }
}

/// The names in a key's placeholders, whether or not they are fields.
fn placeholders(entity: &Entity<'_>, source: Option<&KeySource>) -> Vec<String> {
    let Some(source) = source else {
        return Vec::new();
    };
    match entity.template(source) {
        Some(spanned) => spanned
            .template
            .parts
            .iter()
            .map(|part| part.field.clone())
            .collect(),
        None => match source {
            KeySource::Broken(names) => names.clone(),
            _ => Vec::new(),
        },
    }
}

/// `key`, `by_question_key` and `impl IndexedBy`, with arguments of any type.
fn methods(entity: &Entity<'_>, dm: &TokenStream, index: Option<&EntityIndex>) -> TokenStream {
    let (ident, vis) = (entity.ident, entity.vis);
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let (pk, sk) = match index {
        Some(index) => (Some(&index.pk), index.sk.as_ref()),
        None => (entity.pk.as_ref(), entity.sk.as_ref()),
    };
    let mut names = placeholders(entity, pk);
    names.extend(placeholders(entity, sk));
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(name.clone());
            true
        }
    });
    let arguments = (0..names.len()).map(|i| format_ident!("__argument{i}"));
    let (marker, prefix) = match index {
        Some(index) => {
            let label = index.id.to_string();
            let name = index
                .method
                .as_ref()
                .map_or(label.clone(), |method| method.unraw().to_string());
            (
                format_ident!("{}{}", label[..1].to_uppercase(), label[1..]),
                format!("{name}_"),
            )
        }
        None => (format_ident!("Primary"), String::new()),
    };
    let key = format_ident!("{prefix}key");
    let parts = format_ident!("__{marker}Parts");
    let fields = names.iter().filter_map(|name| entity.field(name));
    let (field_names, field_types): (Vec<_>, Vec<_>) = fields
        .map(|field| (field.ident, crate::ty::KeyType::of(field.ty).part))
        .unzip();
    let parameters: Vec<_> = (0..field_names.len())
        .map(|i| format_ident!("__A{i}"))
        .collect();
    quote! {
        pub struct #parts<#(#parameters),*> {
            #(pub #field_names: #parameters,)*
        }
        #[automatically_derived]
        impl #impl_generics #dm::IndexedBy<#dm::index::#marker> for #ident #ty_generics #where_clause {
            type Parts = #parts<#(<#field_types as ::std::borrow::ToOwned>::Owned),*>;
            fn key_in(&self) -> ::core::result::Result<
                ::core::option::Option<#dm::Key<Self, #dm::index::#marker>>, #dm::KeyError,
            > {
                ::core::unreachable!()
            }
            fn parse(
                _: #dm::KeyRef<'_>,
                _: ::core::option::Option<#dm::KeyRef<'_>>,
            ) -> ::core::result::Result<Self::Parts, #dm::KeyError> {
                ::core::unreachable!()
            }
        }
        #[automatically_derived]
        impl #impl_generics #ident #ty_generics #where_clause {
            #[doc(hidden)]
            #vis fn #key(
                #(#arguments: impl ::core::marker::Sized),*
            ) -> ::core::result::Result<#dm::Key<Self, #dm::index::#marker>, #dm::KeyError> {
                ::core::unreachable!()
            }
        }
    }
}

pub(crate) fn items(items: &Items<'_>, errors: &TokenStream) -> TokenStream {
    let dm = runtime(items.krate.as_ref());
    let ident = items.ident;
    let (impl_generics, ty_generics, where_clause) = items.generics.split_for_impl();
    let table = items.table.as_ref().map_or_else(
        || quote!(#dm::__private::NoTable),
        |table| table.to_token_stream(),
    );
    let from = items.variants.iter().map(|variant| {
        let (name, ty) = (variant.ident, variant.ty);
        quote! {
            #[automatically_derived]
            impl #impl_generics ::core::convert::From<#ty> for #ident #ty_generics #where_clause {
                fn from(__entity: #ty) -> Self {
                    Self::#name(__entity)
                }
            }
        }
    });
    quote! {
        #errors
        #[automatically_derived]
        impl #impl_generics #dm::Items for #ident #ty_generics #where_clause {
            type Table = #table;
            const ENTITIES: &'static [&'static #dm::schema::EntitySchema] = &[];
            fn entity_of(
                _: #dm::KeyRef<'_>,
                _: ::core::option::Option<#dm::KeyRef<'_>>,
            ) -> ::core::result::Result<&'static #dm::schema::EntitySchema, #dm::KeyError> {
                ::core::unreachable!()
            }
            fn entity(&self) -> &'static #dm::schema::EntitySchema {
                ::core::unreachable!()
            }
            fn key_attributes(
                &self,
            ) -> ::core::result::Result<::std::vec::Vec<#dm::ItemKeyAttribute>, #dm::KeyError> {
                ::core::unreachable!()
            }
        }
        #(#from)*
    }
}

pub(crate) fn key_part(input: &DeriveInput, errors: &TokenStream) -> TokenStream {
    let dm = expand::runtime(None);
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #errors
        #[automatically_derived]
        impl #impl_generics #dm::KeyPart for #ident #ty_generics #where_clause {
            type Kind = #dm::kind::Text;
            fn to_part(&self) -> #dm::PartValue<'_> {
                ::core::unreachable!()
            }
            fn from_part(_: #dm::PartValue<'_>) -> ::core::result::Result<Self, #dm::PartError> {
                ::core::unreachable!()
            }
        }
    }
}
