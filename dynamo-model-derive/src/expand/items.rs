//! Writes `impl Items` for the items enum of a table.

use super::at;
use crate::ast::Items;
use crate::expand::{Client, Runtime};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{WherePredicate, parse_quote};

/// ```text
/// const _: () = {
///     struct __Variant0;                                             // one for each variant
///     impl Variant for __Variant0 { type Entity = User; }
///     impl Items for AppItem { const ENTITIES: … = &[schema::<__Variant0>(), …]; … }
///     impl ItemsEnum for AppItem { … }                               // for `items = AppItem`
///     impl From<User> for AppItem { … }
///     const _: () = check::distinct(AppItem::ENTITIES, 1).enforce(); // and so on, at each variant
/// };
/// ```
///
/// The code names entities only through the variants' own types, so a type that is not an entity
/// produces one error.
pub(crate) fn expand(items: &Items<'_>, client: Client) -> TokenStream {
    let dm = Runtime::new(items.krate.as_ref(), client);
    let (ident, table) = (items.ident, &items.table);
    let name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = items.generics.split_for_impl();
    let types: Vec<_> = items.variants.iter().map(|variant| variant.ty).collect();
    let variants: Vec<_> = items.variants.iter().map(|variant| variant.ident).collect();
    let unknown: Vec<_> = items.unknown.iter().map(|variant| variant.ident).collect();
    let unknown_types = items.unknown.iter().map(|variant| variant.ty);
    let markers: Vec<_> = (0..types.len())
        .map(|i| format_ident!("__Variant{i}"))
        .collect();
    let has_unknown = !unknown.is_empty();
    let collection = dm.with_client(|| expand_collection(&dm, items));
    let writes = dm.with_client(|| expand_writes(&dm, items));
    let checks = items
        .generics
        .params
        .is_empty()
        .then(|| expand_checks(&dm, items));
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic)]
        const _: () = {
            #(
                struct #markers #impl_generics (
                    ::core::marker::PhantomData<fn() -> #ident #ty_generics>
                ) #where_clause;
                #[automatically_derived]
                impl #impl_generics #dm::__private::Variant for #markers #ty_generics
                #where_clause {
                    type Entity = #types;
                }
            )*

            #(
                struct __Unknown #impl_generics (
                    ::core::marker::PhantomData<fn() -> #ident #ty_generics>
                ) #where_clause;
                #[automatically_derived]
                impl #impl_generics #dm::membership::UnknownVariant for __Unknown #ty_generics
                #where_clause {
                    type Item = #unknown_types;
                }
            )*

            #[automatically_derived]
            impl #impl_generics #dm::Items for #ident #ty_generics #where_clause {
                type Table = #table;

                const NAME: &'static ::core::primitive::str = #name;

                const ENTITIES: &'static [&'static #dm::schema::EntitySchema] =
                    &[#(#dm::__private::Of::<#markers #ty_generics>::SCHEMA),*];

                const HAS_UNKNOWN: ::core::primitive::bool = #has_unknown;

                fn entity_of(
                    __pk: #dm::key::KeyRef<'_>,
                    __sk: ::core::option::Option<#dm::key::KeyRef<'_>>,
                ) -> ::core::result::Result<&'static #dm::schema::EntitySchema, #dm::KeyError> {
                    #(if #dm::__private::Of::<#markers #ty_generics>::is_key(__pk, __sk) {
                        return ::core::result::Result::Ok(#dm::__private::Of::<#markers #ty_generics>::SCHEMA);
                    })*
                    ::core::result::Result::Err(#dm::KeyError::no_entity(#name))
                }

                fn entity(&self) -> ::core::option::Option<&'static #dm::schema::EntitySchema> {
                    match self {
                        #(Self::#variants(_) => ::core::option::Option::Some(
                            #dm::__private::Of::<#markers #ty_generics>::SCHEMA,
                        ),)*
                        #(Self::#unknown(_) => ::core::option::Option::None,)*
                    }
                }

                fn key_attributes(
                    &self,
                ) -> ::core::result::Result<
                    ::std::vec::Vec<#dm::key::ItemKeyAttribute>,
                    #dm::KeyError,
                > {
                    match self {
                        #(Self::#variants(__entity) => {
                            #dm::__private::Of::<#markers #ty_generics>::key_attributes(__entity)
                        })*
                        #(Self::#unknown(__item) => ::core::result::Result::Ok(
                            #dm::membership::UnknownOf::<__Unknown #ty_generics>::key_attributes(__item),
                        ),)*
                    }
                }
            }

            #(
                #[automatically_derived]
                impl #impl_generics #dm::membership::InItems<#ident #ty_generics> for #types
                #where_clause {}
            )*

            #[automatically_derived]
            impl #impl_generics #dm::membership::ItemsEnum for #ident #ty_generics #where_clause {
                const NAME: &'static ::core::primitive::str = #name;
                const ENTITIES: &'static [&'static #dm::schema::EntitySchema] =
                    <Self as #dm::Items>::ENTITIES;
                const TABLE: ::core::option::Option<(
                    &'static ::core::primitive::str,
                    &'static ::core::primitive::str,
                )> = #dm::__private::names_of_items::<Self>();
            }

            #(
                #[automatically_derived]
                impl #impl_generics ::core::convert::From<#types> for #ident #ty_generics
                #where_clause {
                    fn from(__entity: #types) -> Self {
                        Self::#variants(__entity)
                    }
                }
            )*

            #collection
            #writes
            #checks
        };
    }
}

/// Writes `collection`, which reads a whole partition. The bounds on the entities are bounds of a
/// type parameter, so they apply only where something is read.
fn expand_collection(dm: &Runtime, items: &Items<'_>) -> TokenStream {
    let (ident, vis) = (items.ident, items.vis);
    let (impl_generics, ty_generics, where_clause) = items.generics.split_for_impl();
    let mut generics = items.generics.clone();
    generics.params.push(parse_quote!(__M));
    let types = items.variants.iter().map(|variant| variant.ty);
    generics.make_where_clause().predicates.extend(
        types.map(|ty| -> WherePredicate { parse_quote!(#ty: #dm::__private::Decodable<__M>) }),
    );
    let (read_impl, _, read_where) = generics.split_for_impl();
    let arms = items.variants.iter().enumerate().map(|(i, variant)| {
        let (name, ty) = (variant.ident, variant.ty);
        quote! {
            #i => <#ty as #dm::__private::Decodable<__M>>::decode(__item).map(Self::#name),
        }
    });
    let unknown = items.unknown.iter().map(|variant| {
        let name = variant.ident;
        quote! {
            const UNKNOWN: ::core::option::Option<fn(#dm::read::UnknownItem) -> Self> =
                ::core::option::Option::Some(|__item| {
                    Self::#name(#dm::membership::UnknownOf::<__Unknown #ty_generics>::from_item(__item))
                });
        }
    });
    quote! {
        #[automatically_derived]
        impl #read_impl #dm::__private::ReadItems<__M> for #ident #ty_generics #read_where {
            fn decode_as(
                __entity: ::core::primitive::usize,
                __item: #dm::__private::StoredItem<'_>,
            ) -> ::core::result::Result<Self, #dm::Error> {
                match __entity {
                    #(#arms)*
                    _ => ::core::unreachable!(),
                }
            }

            #(#unknown)*
        }

        #[automatically_derived]
        impl #impl_generics #ident #ty_generics #where_clause {
            /// Queries all items of a partition of the table or of an index, in the order of their
            /// sort keys. Any entity of the enum gives the partition key.
            #vis fn collection<__E, __I>(
                partition: ::core::result::Result<#dm::key::PartitionKey<__E, __I>, #dm::KeyError>,
            ) -> #dm::read::Collection<Self, __I>
            where
                __E: #dm::membership::InItems<Self>,
            {
                #dm::read::Query::new(partition, #dm::__private::any_sort_key())
            }

            /// Everything in the table. Reads, and pays for, all of it.
            #[inline]
            #vis fn scan() -> #dm::read::Scan<#dm::read::AnyOf<Self>>
            where
                for<'__t> Self: #dm::membership::MayScanAll,
            {
                #dm::read::Scan::new()
            }
        }
    }
}

/// Writing an item: as its entity is written. What each entity needs for that is asked of a
/// parameter, so that it is asked only where something is written.
///
/// ```text
/// impl<__K> CanWrite<__K> for AppItem where User: CanWrite<__K>, … {
///     fn entity_item(&self) -> EntityItem { match self { Self::User(__entity) => …, … } }
///     fn delete_request(&self) -> DeleteRequest { … }
/// }
/// ```
fn expand_writes(dm: &Runtime, items: &Items<'_>) -> TokenStream {
    let ident = items.ident;
    let (_, ty_generics, _) = items.generics.split_for_impl();
    let mut generics = items.generics.clone();
    generics.params.push(parse_quote!(__K));
    let types: Vec<_> = items.variants.iter().map(|variant| variant.ty).collect();
    let bounds = types
        .iter()
        .map(|ty| -> WherePredicate { parse_quote!(#ty: #dm::bounds::CanWrite<__K>) });
    generics.make_where_clause().predicates.extend(bounds);
    let (write_impl, _, write_where) = generics.split_for_impl();
    let variants: Vec<_> = items.variants.iter().map(|variant| variant.ident).collect();
    let unknown: Vec<_> = items.unknown.iter().map(|variant| variant.ident).collect();
    quote! {
        #[automatically_derived]
        impl #write_impl #dm::bounds::CanWrite<__K> for #ident #ty_generics #write_where {
            fn entity_item(&self) -> #dm::__private::EntityItem {
                match self {
                    #(Self::#variants(__entity) => {
                        <#types as #dm::bounds::CanWrite<__K>>::entity_item(__entity)
                    })*
                    #(Self::#unknown(_) => #dm::__private::EntityItem::unknown::<Self>(),)*
                }
            }

            fn delete_request(&self) -> #dm::__private::DeleteRequest {
                match self {
                    #(Self::#variants(__entity) => {
                        <#types as #dm::bounds::CanWrite<__K>>::delete_request(__entity)
                    })*
                    #(Self::#unknown(_) => #dm::__private::DeleteRequest::unknown::<Self>(),)*
                }
            }
        }
    }
}

fn expand_checks(dm: &Runtime, items: &Items<'_>) -> TokenStream {
    let ident = items.ident;
    let checks = items.variants.iter().enumerate().map(|(i, variant)| {
        let marker = format_ident!("__Variant{i}");
        let code = quote! {
            const _: () = #dm::__private::check::same_table(
                &#dm::__private::table_of_items::<#ident>(),
                &#dm::__private::Of::<#marker>::TABLE,
                #dm::__private::Of::<#marker>::SCHEMA,
            ).enforce();
            const _: () =
                #dm::__private::check::distinct(<#ident as #dm::Items>::ENTITIES, #i).enforce();
        };
        at(variant.ty.span(), code)
    });
    quote!(#(#checks)*)
}
