//! After an error, stubs: what the declaration would have generated, with bodies that are never
//! reached, so that code which uses it does not report the same mistake again.

use crate::ast::{Entity, Field, Items, KeySource, Stored, Table};
use crate::attr::projection::Projection;
use crate::check::{index_methods, is_method_of_entity, is_method_of_query};
use crate::expand::encoding::Encoding;
use crate::expand::model::generic_arguments;
use crate::expand::parts::{PartsField, expand_parts_struct};
use crate::expand::{Client, Runtime};
use crate::expand::{fields, index_markers, part, vector, write};
use crate::stored_as::StoredAs;
use crate::suggest;
use crate::ty::{KeyType, is_named};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeSet;
use syn::DeriveInput;
use syn::ext::IdentExt;

/// The table as far as it could be read. It is marked as incomplete, so that no rule compares with
/// it.
pub(crate) fn table(table: &Table<'_>, client: Client, errors: &TokenStream) -> TokenStream {
    let dm = Runtime::new(table.krate.as_ref(), client);
    let ident = table.ident;
    let name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = table.generics.split_for_impl();
    let mut generics = table.generics.clone();
    generics.params.push(syn::parse_quote!(__A));
    let (impl_projects, ..) = generics.split_for_impl();
    let carried = dm.with_client(|| {
        let markers: Vec<_> = index_markers().collect();
        quote! {
            // The projections could not be read, so each index carries everything.
            #(
                impl #impl_projects #dm::__private::Projects<#dm::index::#markers, __A>
                    for #ident #ty_generics #where_clause {}
                impl #impl_generics #dm::__private::ProjectsAll<#dm::index::#markers>
                    for #ident #ty_generics #where_clause {}
            )*
            // The same for its stream.
            impl #impl_generics #dm::stream::HasStream for #ident #ty_generics #where_clause {}
            impl #impl_generics #dm::stream::HasNewImages for #ident #ty_generics #where_clause {}
            impl #impl_generics #dm::stream::HasOldImages for #ident #ty_generics #where_clause {}
            impl #impl_generics #dm::stream::HasBothImages for #ident #ty_generics #where_clause {}
        }
    });
    quote! {
        #errors
        const _: () = {
            // Local to the user's crate, because the compiler does not rely on the implementations
            // of another crate.
            pub struct __Slots;
            impl #dm::membership::Slots for __Slots {
                type Slot<__E> = __E;
            }
            #[automatically_derived]
            impl #impl_generics #dm::Table for #ident #ty_generics #where_clause {
                type Slots = __Slots;
                type Scans = #dm::membership::AnyEntity;
                const NAMES: ::core::option::Option<(
                    &'static ::core::primitive::str,
                    &'static ::core::primitive::str,
                )> =
                    ::core::option::Option::None;
                const BARE: #dm::schema::TableSchema = #dm::schema::TableSchema::incomplete(#name);
                const SCHEMA: #dm::schema::TableSchema = Self::BARE;
            }
        };
        #carried
    }
}

pub(crate) fn entity(entity: &Entity<'_>, client: Client, errors: &TokenStream) -> TokenStream {
    let dm = Runtime::new(entity.krate.as_ref(), client);
    let ident = entity.ident;
    let name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let table = entity.table.as_ref().map_or_else(
        || quote!(#dm::__private::NoTable),
        |table| table.to_token_stream(),
    );
    let keys = keys(entity);
    let reads = dm.with_client(|| expand_reads(entity, &dm, &keys));
    let keys = keys.iter().map(|key| {
        let (parts, methods, sort_key) = (
            expand_parts(entity, &dm, key),
            expand_methods(entity, &dm, key),
            expand_sort_key(entity, &dm, key),
        );
        quote!(#parts #methods #sort_key)
    });
    quote! {
        #errors
        #[doc(hidden)]
        #[allow(
            dead_code, missing_docs, missing_debug_implementations, non_camel_case_types,
            private_bounds, private_interfaces,
            unnameable_types, unreachable_pub, unused_variables, clippy::all, clippy::pedantic
        )]
        const _: () = {
            #[automatically_derived]
            impl #impl_generics #dm::__private::ItemEntity for #ident #ty_generics #where_clause {}
            #[automatically_derived]
            impl #impl_generics #dm::Entity for #ident #ty_generics #where_clause {
                type Table = #table;
                const SCHEMA: #dm::schema::EntitySchema =
                    #dm::schema::EntitySchema::incomplete(#name);
                fn __part(
                    &self,
                    _: &::core::primitive::str,
                ) -> ::core::option::Option<#dm::key::PartValue<'_>> {
                    ::core::unreachable!()
                }
            }
            #(#keys)*
            #reads
        };
    }
}

/// The key of the table or of an index, as far as it could be read.
struct StubKey<'a> {
    /// `Primary`, `Gsi1` …
    marker: Ident,
    /// The name in the methods; empty for the table's own key.
    name: Option<String>,
    /// The names in the placeholders, whether or not they are fields.
    pk: Vec<String>,
    sk: Option<Vec<String>>,
    /// The fields that parsing returns: all of them, because a misspelt placeholder could mean any.
    fields: Vec<&'a Field<'a>>,
}

/// A repeated index or name was reported already; the first one counts.
fn keys<'a>(entity: &'a Entity<'a>) -> Vec<StubKey<'a>> {
    let named = |marker, name, pk, sk: Option<&KeySource>| StubKey {
        marker,
        name,
        pk: placeholders(entity, pk),
        sk: sk.map(|sk| placeholders(entity, Some(sk))),
        fields: entity.fields.iter().collect(),
    };
    let (pk, sk) = (entity.pk.as_ref(), entity.sk.as_ref());
    let mut keys = vec![named(format_ident!("Primary"), None, pk, sk)];
    for index in &entity.indexes {
        let label = index.id.to_string();
        let marker = format_ident!("{}{}", label[..1].to_uppercase(), label[1..]);
        let method = index
            .method
            .as_ref()
            .map(|method| method.unraw().to_string());
        let name = method.unwrap_or(label);
        let known = keys.iter().any(|key: &StubKey<'_>| {
            key.marker == marker || key.name.as_deref().is_some_and(|other| meet(other, &name))
        });
        if !known && !is_method_of_entity(&name) {
            let name = Some(name);
            keys.push(named(marker, name, Some(&index.pk), index.sk.as_ref()));
        }
    }
    keys
}

/// Returns whether methods of two indexes have the same name.
fn meet(a: &str, b: &str) -> bool {
    index_methods(a)
        .iter()
        .any(|name| index_methods(b).contains(name))
}

fn placeholders(entity: &Entity<'_>, source: Option<&KeySource>) -> Vec<String> {
    let Some(source) = source else {
        return Vec::new();
    };
    match (entity.template(source), source) {
        (Some(spanned), _) => {
            let parts = &spanned.template.parts;
            parts.iter().map(|part| part.field.clone()).collect()
        }
        (None, KeySource::Broken(names)) => names.clone(),
        (None, _) => Vec::new(),
    }
}

/// Returns one argument of any type for each distinct name.
fn arguments<'n>(names: impl Iterator<Item = &'n String>) -> Vec<TokenStream> {
    let names: BTreeSet<&String> = names.collect();
    (0..names.len())
        .map(|i| {
            let argument = format_ident!("__argument{i}");
            quote!(#argument: impl ::core::marker::Sized)
        })
        .collect()
}

/// The fields of a key, and `impl IndexedBy`.
fn expand_parts(entity: &Entity<'_>, dm: &Runtime, key: &StubKey<'_>) -> TokenStream {
    let (ident, marker) = (entity.ident, &key.marker);
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let parts = crate::expand::parts_name(ident, &marker.to_string());
    let fields: Vec<_> = key
        .fields
        .iter()
        .map(|field| PartsField {
            ident: field.ident,
            ty: parsed_type(field),
            known: false,
        })
        .collect();
    let code = expand_parts_struct(dm, entity, &parts, "", &fields);
    quote! {
        #code
        #[automatically_derived]
        impl #impl_generics #dm::bounds::IndexedBy<#dm::index::#marker> for #ident #ty_generics
        #where_clause {
            type Parts = #parts #ty_generics;
            fn parse(
                _: #dm::key::KeyRef<'_>,
                _: ::core::option::Option<#dm::key::KeyRef<'_>>,
            ) -> ::core::result::Result<Self::Parts, #dm::KeyError> {
                ::core::unreachable!()
            }
        }
    }
}

/// The schema as far as it is known without the templates.
fn parsed_type(field: &Field<'_>) -> TokenStream {
    let ty = KeyType::of(field.ty);
    if !ty.borrowed {
        ty.part.to_token_stream()
    } else if is_named(ty.part, "str") {
        quote!(::std::string::String)
    } else {
        field.ty.to_token_stream()
    }
}

/// `key`, `partition_key` and `parse_key`, or `by_question_key` and so on.
fn expand_methods(entity: &Entity<'_>, dm: &Runtime, key: &StubKey<'_>) -> TokenStream {
    let (ident, vis, marker) = (entity.ident, entity.vis, &key.marker);
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let named = |suffix: &str| match &key.name {
        Some(name) => format_ident!("{name}_{suffix}"),
        None => format_ident!("{suffix}"),
    };
    let (key_method, partition_method) = (named("key"), named("partition_key"));
    let parse_method = match &key.name {
        Some(name) => format_ident!("parse_{name}_key"),
        None => format_ident!("parse_key"),
    };
    let all = arguments(key.pk.iter().chain(key.sk.iter().flatten()));
    let partition = arguments(key.pk.iter());
    let sort_key = key
        .sk
        .is_some()
        .then(|| quote!(, __sk: impl ::core::marker::Sized));
    quote! {
        #[automatically_derived]
        impl #impl_generics #ident #ty_generics #where_clause {
            #[doc(hidden)]
            #vis fn #key_method(
                #(#all),*
            ) -> ::core::result::Result<#dm::Key<Self, #dm::index::#marker>, #dm::KeyError> {
                ::core::unreachable!()
            }
            #[doc(hidden)]
            #vis fn #partition_method(
                #(#partition),*
            ) -> ::core::result::Result<
                #dm::key::PartitionKey<Self, #dm::index::#marker>,
                #dm::KeyError,
            > {
                ::core::unreachable!()
            }
            #[doc(hidden)]
            #vis fn #parse_method(
                __pk: impl ::core::marker::Sized #sort_key
            ) -> ::core::result::Result<
                #dm::bounds::KeyParts<Self, #dm::index::#marker>,
                #dm::KeyError,
            > {
                ::core::unreachable!()
            }
        }
    }
}

/// `sort_key`, with each field as a part of it, in any order.
fn expand_sort_key(entity: &Entity<'_>, dm: &Runtime, key: &StubKey<'_>) -> TokenStream {
    if key.sk.is_none() {
        return TokenStream::new();
    }
    let (ident, vis) = (entity.ident, entity.vis);
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let name = format_ident!("{}SortKeyOf_{}", key.marker, ident.unraw());
    let method = match &key.name {
        Some(name) => format_ident!("{name}_sort_key"),
        None => format_ident!("sort_key"),
    };
    let parts = part_methods(entity, &["", "_in", "_prefix"]);
    let marker = &key.marker;
    let of = if entity.generics.params.is_empty() {
        quote!(#ident, #dm::index::#marker)
    } else {
        quote!(())
    };
    quote! {
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        pub struct #name;
        impl #name {
            pub fn build(self) -> ::core::result::Result<#dm::key::KeyPrefix<#of>, #dm::KeyError> {
                ::core::unreachable!()
            }
        }
        impl #name {
            #(pub fn #parts(self, _: impl ::core::marker::Sized) -> Self { self })*
        }
        #[automatically_derived]
        impl #impl_generics #ident #ty_generics #where_clause {
            #[doc(hidden)]
            #vis fn #method() -> #name { #name }
        }
    }
}

/// A method for each field and suffix. A name appears once, although a field can have the name of
/// another field's method.
fn part_methods(entity: &Entity<'_>, suffixes: &[&str]) -> Vec<Ident> {
    let names = entity.fields.iter().flat_map(|field| {
        suffixes
            .iter()
            .map(move |suffix| format!("{}{suffix}", field.name))
    });
    let names: BTreeSet<String> = names.filter(|name| !is_method_of_query(name)).collect();
    names.iter().map(|name| format_ident!("r#{name}")).collect()
}

/// `get`, `query`, `scan`, the methods of the indexes, and the attributes for filters.
fn expand_reads(entity: &Entity<'_>, dm: &Runtime, keys: &[StubKey<'_>]) -> TokenStream {
    let (ident, vis) = (entity.ident, entity.vis);
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let open = expand_open_query(entity, dm);
    let queries = keys.iter().map(|key| expand_query(entity, dm, key));
    let fields = expand_fields(entity, dm);
    let writes = expand_writes(entity, dm, keys);
    let searches = vector::expand_stubs(dm, entity);
    let arguments = arguments(keys[0].pk.iter().chain(keys[0].sk.iter().flatten()));
    let stamped = entity.fields.iter().find(|it| it.updated_at.is_some());
    let stamped = stamped.map_or_else(Vec::new, |field| beside(entity, keys, field));
    let stamped = stamped.into_iter().map(|field| known_argument(dm, field));
    quote! {
        #[automatically_derived]
        impl #impl_generics #ident #ty_generics #where_clause {
            #[doc(hidden)]
            #vis fn get(#(#arguments),*) -> #dm::read::Get<Self> {
                ::core::unreachable!()
            }
            #[doc(hidden)]
            #vis fn scan() -> #dm::read::Scan<Self> {
                ::core::unreachable!()
            }
            #[doc(hidden)]
            #vis fn update(#(#arguments,)* #(#stamped),*) -> #dm::write::Update<Self> {
                ::core::unreachable!()
            }
            #[doc(hidden)]
            #vis fn upsert(#(#arguments),*) -> #dm::write::Upsert<Self> {
                ::core::unreachable!()
            }
            #[doc(hidden)]
            #vis fn delete(#(#arguments),*) -> #dm::write::Delete<Self> {
                ::core::unreachable!()
            }
            #(#queries)*
        }
        #[automatically_derived]
        impl #impl_generics #dm::__private::Readable for #ident #ty_generics #where_clause {}
        #[automatically_derived]
        impl #impl_generics #dm::__private::OwnedFields for #ident #ty_generics #where_clause {}
        #open
        #fields
        #searches
        #writes
    }
}

fn open_query_name(entity: &Entity<'_>) -> Ident {
    format_ident!("QueryOf_{}", entity.ident.unraw())
}

/// A query that takes each field as a part of its sort key, in any order.
fn expand_open_query(entity: &Entity<'_>, dm: &Runtime) -> TokenStream {
    let parts = part_methods(entity, &["", "_in", "_prefix"]);
    let open = open_query_name(entity);
    quote! {
        pub struct #open<__E, __I, __P>(
            #dm::__private::OpenQuery<__E, __I>,
            ::core::marker::PhantomData<fn() -> __P>,
        );
        impl<__E, __I, __P> #open<__E, __I, __P> {
            #(pub fn #parts(self, _: impl ::core::marker::Sized) -> Self { self })*
            #dm::__query_methods!(__E, __I, __P, #dm::__private::InOrder);
        }
    }
}

/// `query`, or the method of an index.
fn expand_query(entity: &Entity<'_>, dm: &Runtime, key: &StubKey<'_>) -> TokenStream {
    let (vis, marker) = (entity.vis, &key.marker);
    let method = format_ident!("r#{}", key.name.as_deref().unwrap_or("query"));
    let partition = arguments(key.pk.iter());
    let open = open_query_name(entity);
    quote! {
        #[doc(hidden)]
        #vis fn #method(
            #(#partition),*
        ) -> #open<Self, #dm::index::#marker, #dm::__private::Complete> {
            ::core::unreachable!()
        }
    }
}

/// A path for each attribute, key attributes among them.
fn expand_fields(entity: &Entity<'_>, dm: &Runtime) -> TokenStream {
    let ident = entity.ident;
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let mut generics = entity.generics.clone();
    generics.params.push(syn::parse_quote!(__I));
    let (fields_impl, fields_ty, _) = generics.split_for_impl();
    let accessors = entity
        .fields
        .iter()
        .map(|field| fields::expand_accessor(dm, entity, field, None, None));
    let fields = crate::expand::fields_name(ident);
    let encodings = entity.fields.iter().filter_map(|field| {
        let encoding = Encoding {
            stored_as: StoredAs::Anything,
            ..field.encoding(ident)?
        };
        Some(encoding.expand(dm, entity.generics))
    });
    quote! {
        #(#encodings)*
        pub struct #fields #fields_impl (
            ::core::marker::PhantomData<fn() -> (#ident #ty_generics, __I)>,
        ) #where_clause;
        #[automatically_derived]
        impl #fields_impl #fields #fields_ty #where_clause {
            #(#accessors)*
        }
        #[automatically_derived]
        impl #impl_generics #dm::__private::HasFields for #ident #ty_generics #where_clause {
            type Fields<__I> = #fields #fields_ty;
            fn fields<__I>() -> Self::Fields<__I> {
                ::core::unreachable!()
            }
        }
    }
}

/// The siblings that an update by key takes beside a field of an index key. A placeholder without a
/// field counts as the field that it most likely means.
fn beside<'e>(
    entity: &'e Entity<'_>,
    keys: &[StubKey<'_>],
    field: &Field<'_>,
) -> Vec<&'e Field<'e>> {
    let names = || entity.fields.iter().map(|field| field.name.as_str());
    let meant = |names_in_key: Vec<String>| -> Vec<&str> {
        let meant = names_in_key.iter();
        meant
            .filter_map(|name| suggest::nearest(name, names()))
            .collect()
    };
    let of_key = |key: &StubKey<'_>| {
        let names = key.pk.iter().chain(key.sk.iter().flatten());
        meant(names.cloned().collect())
    };
    let primary = of_key(&keys[0]);
    let with = |parts: &Vec<&str>| parts.contains(&field.name.as_str());
    let indexes = keys[1..].iter().map(of_key).filter(with);
    let indexes: Vec<&str> = indexes.flatten().collect();
    let uniques = entity.uniques.iter();
    let uniques = uniques.map(|unique| meant(placeholders(entity, Some(unique))));
    let uniques: Vec<&str> = uniques.filter(with).flatten().collect();
    let fields = entity.fields.iter().filter(|other| {
        let (name, stamped) = (other.name.as_str(), other.updated_at.is_some());
        let beside = name != field.name && !stamped && indexes.contains(&name);
        !primary.contains(&name) && (beside || uniques.contains(&name))
    });
    if primary.contains(&field.name.as_str()) {
        return Vec::new();
    }
    fields.collect()
}

/// An argument of any type, but `None` needs a type.
fn known_argument(dm: &Runtime, field: &Field<'_>) -> TokenStream {
    let argument = format_ident!("__known_{}", field.name);
    if KeyType::of(field.ty).optional {
        let ty = parsed_type(field);
        quote!(#argument: impl #dm::key::AsOptionalKeyPart<#ty>)
    } else {
        quote!(#argument: impl ::core::marker::Sized)
    }
}

/// An update that takes any value for every attribute.
fn expand_writes(entity: &Entity<'_>, dm: &Runtime, keys: &[StubKey<'_>]) -> TokenStream {
    let ident = entity.ident;
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let mut generics = entity.generics.clone();
    generics.params.push(syn::parse_quote!(__K));
    let (changes_impl, changes_ty, _) = generics.split_for_impl();
    let mut by_key_generics = entity.generics.clone();
    by_key_generics.params.push(syn::parse_quote!(__W));
    let (by_key_impl, ..) = by_key_generics.split_for_impl();
    let generic_arguments = generic_arguments(entity.generics);
    let changes = crate::expand::changes_name(ident);
    let stored: Vec<_> = entity
        .fields
        .iter()
        .filter(|field| field.stored == Stored::Attribute)
        .map(|field| (field, beside(entity, keys, field)))
        .collect();
    let alone = stored.iter().filter(|(_, beside)| beside.is_empty());
    let alone = alone.map(|(field, _)| write::expand_stub_slot(dm, entity, field, &[]));
    let in_keys = || stored.iter().filter(|(_, beside)| !beside.is_empty());
    let loaded = in_keys().map(|(field, _)| write::expand_stub_slot(dm, entity, field, &[]));
    let by_key = in_keys().map(|(field, beside)| {
        let arguments: Vec<_> = beside
            .iter()
            .map(|field| known_argument(dm, field))
            .collect();
        write::expand_stub_slot(dm, entity, field, &arguments)
    });
    quote! {
        pub struct #changes #changes_impl (
            ::core::marker::PhantomData<fn() -> (#ident #ty_generics, __K)>,
        ) #where_clause;
        #[automatically_derived]
        impl #changes_impl #changes #changes_ty #where_clause {
            #(#alone)*
        }
        #[automatically_derived]
        impl #impl_generics #changes<#(#generic_arguments,)* #dm::__private::Loaded> #where_clause {
            #(#loaded)*
        }
        #[automatically_derived]
        impl #by_key_impl #changes<#(#generic_arguments,)* #dm::__private::ByKey<__W>>
        #where_clause {
            #(#by_key)*
        }
        #[automatically_derived]
        impl #impl_generics #dm::__private::Writable for #ident #ty_generics #where_clause {
            type Whole = Self;
            fn whole(&self) -> &Self {
                ::core::unreachable!()
            }
            type Uniques = #dm::__private::NoUniques;
            type Version = #dm::__private::UnknownVersion;
            type TypeCheck = #dm::membership::AnyType;
            type Immutables = #dm::__private::NoImmutables;
            type Changes<__K> = #changes #changes_ty;
            fn changes<__K>() -> Self::Changes<__K> {
                ::core::unreachable!()
            }
            const STAMPS: &'static [#dm::__private::Stamp] = &[];
        }
        #[automatically_derived]
        impl #impl_generics #dm::__private::Expires for #ident #ty_generics #where_clause {}
        #[automatically_derived]
        impl #impl_generics #dm::__private::Touched for #ident #ty_generics #where_clause {}
    }
}

/// A projection of the entity, if that could be read, from any index.
pub(crate) fn projection(
    projection: &Projection<'_>,
    client: Client,
    errors: &TokenStream,
) -> TokenStream {
    let dm = Runtime::new(projection.krate.as_ref(), client);
    let Some(of) = projection.of.as_ref().filter(|_| dm.has_client()) else {
        return errors.clone();
    };
    let ident = projection.ident;
    let (impl_generics, ty_generics, where_clause) = projection.generics.split_for_impl();
    let mut generics = projection.generics.clone();
    generics.params.push(syn::parse_quote!(__I));
    let (impl_from, ..) = generics.split_for_impl();
    quote! {
        #errors
        #[automatically_derived]
        impl #impl_generics #dm::read::Projection for #ident #ty_generics #where_clause {
            type Of = #of;
            const ATTRIBUTES: &'static [&'static ::core::primitive::str] = &[];
        }
        #[automatically_derived]
        impl #impl_from #dm::__private::ProjectedFrom<#of, __I> for #ident #ty_generics
        #where_clause {}
    }
}

pub(crate) fn items(items: &Items<'_>, client: Client, errors: &TokenStream) -> TokenStream {
    let dm = Runtime::new(items.krate.as_ref(), client);
    let ident = items.ident;
    let (impl_generics, ty_generics, where_clause) = items.generics.split_for_impl();
    let table = items.table.as_ref().map_or_else(
        || quote!(#dm::__private::NoTable),
        |table| table.to_token_stream(),
    );
    let collection = dm.with_client(|| expand_collection(items, &dm));
    let from = items.variants.iter().map(|variant| {
        let (name, ty) = (variant.ident, variant.ty);
        quote! {
            #[automatically_derived]
            impl #impl_generics #dm::membership::InItems<#ident #ty_generics> for #ty
            #where_clause {}
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
            const NAME: &'static ::core::primitive::str = "";
            const ENTITIES: &'static [&'static #dm::schema::EntitySchema] = &[];
            fn entity_of(
                _: #dm::key::KeyRef<'_>,
                _: ::core::option::Option<#dm::key::KeyRef<'_>>,
            ) -> ::core::result::Result<&'static #dm::schema::EntitySchema, #dm::KeyError> {
                ::core::unreachable!()
            }
            fn entity(&self) -> ::core::option::Option<&'static #dm::schema::EntitySchema> {
                ::core::unreachable!()
            }
            fn key_attributes(
                &self,
            ) -> ::core::result::Result<
                ::std::vec::Vec<#dm::key::ItemKeyAttribute>,
                #dm::KeyError,
            > {
                ::core::unreachable!()
            }
        }
        #[automatically_derived]
        impl #impl_generics #dm::membership::ItemsEnum for #ident #ty_generics #where_clause {
            const NAME: &'static ::core::primitive::str = "";
            const ENTITIES: &'static [&'static #dm::schema::EntitySchema] = &[];
            const TABLE: ::core::option::Option<(
                &'static ::core::primitive::str,
                &'static ::core::primitive::str,
            )> =
                ::core::option::Option::None;
        }
        #(#from)*
        #collection
    }
}

/// `collection`, and writes, without bounds on the entities.
fn expand_collection(items: &Items<'_>, dm: &Runtime) -> TokenStream {
    let (ident, vis) = (items.ident, items.vis);
    let (impl_generics, ty_generics, where_clause) = items.generics.split_for_impl();
    let mut generics = items.generics.clone();
    generics.params.push(syn::parse_quote!(__M));
    let (read_impl, ..) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #read_impl #dm::__private::ReadItems<__M> for #ident #ty_generics #where_clause {
            fn decode_as(
                _: ::core::primitive::usize,
                _: #dm::__private::StoredItem<'_>,
            ) -> ::core::result::Result<Self, #dm::Error> {
                ::core::unreachable!()
            }
        }
        #[automatically_derived]
        impl #read_impl #dm::bounds::CanWrite<__M> for #ident #ty_generics #where_clause {
            fn entity_item(&self) -> #dm::__private::EntityItem {
                ::core::unreachable!()
            }
            fn delete_request(&self) -> #dm::__private::DeleteRequest {
                ::core::unreachable!()
            }
        }
        #[automatically_derived]
        impl #impl_generics #ident #ty_generics #where_clause {
            #[doc(hidden)]
            #[allow(dead_code)]
            #vis fn collection<__E, __I>(
                _: ::core::result::Result<#dm::key::PartitionKey<__E, __I>, #dm::KeyError>,
            ) -> #dm::read::Collection<Self, __I> {
                ::core::unreachable!()
            }
            #[doc(hidden)]
            #[allow(dead_code)]
            #vis fn scan() -> #dm::read::Scan<#dm::read::AnyOf<Self>> {
                ::core::unreachable!()
            }
        }
    }
}

pub(crate) fn key_part(input: &DeriveInput, dm: &Runtime, errors: &TokenStream) -> TokenStream {
    let arguments = part::expand_arguments(dm, input);
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #errors
        #[automatically_derived]
        impl #impl_generics #dm::KeyPart for #ident #ty_generics #where_clause {
            type Kind = #dm::key::kind::Text;
            fn to_part(&self) -> #dm::key::PartValue<'_> {
                ::core::unreachable!()
            }
            fn from_part(_: #dm::key::PartValue<'_>)
            -> ::core::result::Result<Self, #dm::key::PartError> {
                ::core::unreachable!()
            }
        }
        #arguments
    }
}
