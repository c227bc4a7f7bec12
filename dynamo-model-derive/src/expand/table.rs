//! Writes `impl Table`.

use super::fields::attribute_type;
use super::{at, index_id, index_marker, key_attribute, option, projection, vector};
use crate::ast::{Billing, Encryption, KeyAttribute, Projection, Table, TableIndex};
use crate::expand::{Client, Runtime};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use syn::LitStr;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// ```text
/// struct __Slots;                                        // with an items enum, and `impl Slots`
/// impl Table for App {
///     type Slots = __Slots;                              // or `OneEntity`
///     type Scans = AnyEntity;                            // or `DeclaredEntities`
///     const BARE: TableSchema = {
///         let mut schema = TableSchema::new("App", "app", KeyAttribute::new("PK", KeyType::S));
///         schema.sk = Some(…);
///         schema.indexes = &[IndexSchema::new(IndexId::Gsi(1), "GSI1", …)];
///         schema
///     };
///     const SCHEMA: TableSchema = Self::BARE;            // or `with_items::<AppItem>(Self::BARE)`
/// }
/// ```
pub(crate) fn expand(table: &Table<'_>, client: Client) -> TokenStream {
    let dm = Runtime::new(table.krate.as_ref(), client);
    let (ident, name) = (table.ident, &table.name);
    let type_name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = table.generics.split_for_impl();
    let pk = table.pk.as_ref().map(|pk| key_attribute(&dm, pk));
    let sk = option(table.sk.as_ref().map(|sk| key_attribute(&dm, sk)));
    let indexes = table
        .indexes
        .iter()
        .map(|index| expand_index(&dm, table, index));
    let vectors = vector::expand_table(&dm, table);
    let entity_type = option(table.entity_type.as_ref());
    let ttl = option(table.ttl.as_ref());
    let encryption = match &table.encryption {
        None | Some(Encryption::AwsOwned) => quote!(AwsOwned),
        Some(Encryption::Kms(key)) => {
            let key = option(key.as_ref());
            quote!(Kms(#key))
        }
    };
    let billing = match table.billing {
        None | Some(Billing::OnDemand | Billing::OnDemandUpTo { .. }) => quote!(OnDemand),
        Some(Billing::Provisioned { read, write }) => {
            quote!(Provisioned { read: #read, write: #write })
        }
    };
    let stream = option(table.stream.as_ref().map(|stream| {
        let view = format_ident!("{}", crate::case::Case::Pascal.field(stream));
        quote!(#dm::schema::Stream::#view)
    }));
    let projects = dm.with_client(|| expand_projects(&dm, table));
    let images = dm.with_client(|| expand_images(&dm, table));
    let (slots, schema, items_check) = expand_items(&dm, table);
    let (recovery, protection) = (table.point_in_time_recovery, table.deletion_protection);
    let scans = match table.no_scan {
        true => quote!(DeclaredEntities),
        false => quote!(AnyEntity),
    };
    let throughput = |units: (u32, u32)| {
        let (read, write) = units;
        quote!(::core::option::Option::Some(#dm::schema::Throughput { read: #read, write: #write }))
    };
    let maximum = match table.billing {
        Some(Billing::OnDemandUpTo { read, write }) => {
            let maximum = throughput((read, write));
            Some(quote!(__schema.on_demand_maximum = #maximum;))
        }
        _ => None,
    };
    let warm = table.warm_throughput.map(throughput);
    let warm = warm.map(|warm| quote!(__schema.warm_throughput = #warm;));
    let class = (table.is_infrequent == Some(true))
        .then(|| quote!(__schema.class = #dm::schema::TableClass::InfrequentAccess;));
    let tags = table.tags.iter().map(|(name, value)| {
        let name = name.to_string();
        quote!((#name, #value))
    });
    let tags = (!table.tags.is_empty()).then(|| quote!(__schema.tags = &[#(#tags),*];));
    let replicas = &table.replicas;
    let replicas = (!replicas.is_empty()).then(|| quote!(__schema.replicas = &[#(#replicas),*];));
    let strong = table
        .strong
        .map(|_| quote!(__schema.multi_region_strong = true;));
    let no_scan = table.no_scan.then(|| quote!(__schema.no_scan = true;));
    let required = table.require.iter().map(ToString::to_string);
    let required =
        (!table.require.is_empty()).then(|| quote!(__schema.required = &[#(#required),*];));
    let doc = &table.doc;
    let doc = (!doc.is_empty()).then(|| quote!(__schema.doc = #doc;));
    // A type of the user's crate, because the compiler does not rely on the implementations of
    // another crate's types.
    let own_slots = quote! {
        pub struct __Slots;
        impl #dm::membership::Slots for __Slots {
            type Slot<__E> = __E;
        }
    };
    let own_slots = table.items.is_some().then_some(own_slots);
    let table_impl = quote! {
        #[automatically_derived]
        impl #impl_generics #dm::Table for #ident #ty_generics #where_clause {
            type Slots = #slots;

            type Scans = #dm::membership::#scans;

            const NAMES: ::core::option::Option<(
                &'static ::core::primitive::str,
                &'static ::core::primitive::str,
            )> =
                ::core::option::Option::Some((#type_name, #name));

            const BARE: #dm::schema::TableSchema = {
                let mut __schema = #dm::schema::TableSchema::new(#type_name, #name, #pk);
                __schema.sk = #sk;
                __schema.indexes = &[#(#indexes),*];
                #vectors
                __schema.entity_type = #entity_type;
                __schema.ttl = #ttl;
                __schema.encryption = #dm::schema::Encryption::#encryption;
                __schema.point_in_time_recovery = #recovery;
                __schema.billing = #dm::schema::Billing::#billing;
                __schema.stream = #stream;
                __schema.deletion_protection = #protection;
                #maximum
                #warm
                #class
                #tags
                #replicas
                #strong
                #no_scan
                #required
                #doc
                __schema
            };

            const SCHEMA: #dm::schema::TableSchema = #schema;
        }
    };
    let table_impl = match own_slots {
        Some(own_slots) => quote!(const _: () = { #own_slots #table_impl };),
        None => table_impl,
    };
    quote! {
        #table_impl

        #items_check

        #projects

        #images
    }
}

/// Writes the code for the items enum: the slots of its entities, their list, and the check that it
/// names this table.
fn expand_items(dm: &Runtime, table: &Table<'_>) -> (TokenStream, TokenStream, TokenStream) {
    let Some(items) = &table.items else {
        let one = quote!(#dm::membership::OneEntity);
        return (one, quote!(Self::BARE), TokenStream::new());
    };
    let entities = quote!(#dm::membership::with_items::<#items>(Self::BARE));
    let ident = table.ident;
    let check = table.generics.params.is_empty().then(|| {
        let check = quote!(const _: () = #dm::membership::same_table::<#ident>().enforce(););
        at(items.span(), check)
    });
    let included = table
        .generics
        .params
        .is_empty()
        .then(|| expand_included(dm, table));
    (quote!(__Slots), entities, quote!(#check #included))
}

/// Writes the check that an entity has each attribute that an index includes, at the name of the
/// attribute.
fn expand_included(dm: &Runtime, table: &Table<'_>) -> TokenStream {
    let ident = table.ident;
    let projections = table.indexes.iter().map(|index| &index.projection);
    let projections = projections.chain(table.vectors.iter().map(|vector| &vector.projection));
    let names = projections.flat_map(|projection| match projection {
        Projection::Include(names) => names.as_slice(),
        _ => &[],
    });
    let checks = names.map(|name| {
        let check = quote!(const _: () = #dm::membership::included::<#ident>(#name).enforce(););
        at(name.span(), check)
    });
    checks.collect()
}

/// Writes `impl HasStream for App {}`, and one trait for each image that the stream holds.
fn expand_images(dm: &Runtime, table: &Table<'_>) -> TokenStream {
    let ident = table.ident;
    let (impl_generics, ty_generics, where_clause) = table.generics.split_for_impl();
    let (new, old) = match table.stream.as_deref() {
        None => return TokenStream::new(),
        Some("new_image") => (true, false),
        Some("old_image") => (false, true),
        Some(stream) => (
            stream == "new_and_old_images",
            stream == "new_and_old_images",
        ),
    };
    let traits = [
        ("HasStream", true),
        ("HasNewImages", new),
        ("HasOldImages", old),
        ("HasBothImages", new && old),
    ];
    let traits = traits.into_iter().filter(|(_, carried)| *carried);
    let traits = traits.map(|(name, _)| format_ident!("{name}"));
    quote! {
        #(
            #[automatically_derived]
            impl #impl_generics #dm::stream::#traits for #ident #ty_generics #where_clause {}
        )*
    }
}

/// Writes what each index projects: every attribute, or those of the keys and of `include`.
fn expand_projects(dm: &Runtime, table: &Table<'_>) -> TokenStream {
    let indexes = table.indexes.iter().map(|index| {
        let keys = [index.pk.as_ref(), index.sk.as_ref()];
        let keys = keys.into_iter().flatten().collect();
        (index_marker(index.id), &index.projection, keys)
    });
    let vectors = table.vectors.iter().map(|vector| {
        let keys: Vec<_> = vector.search_attributes().collect();
        (index_marker(vector.id), &vector.projection, keys)
    });
    let all = indexes.chain(vectors);
    let projects = all.map(|(marker, projection, keys)| match projection {
        Projection::All => expand_projects_all(dm, table, &marker),
        Projection::KeysOnly => expand_projects_some(dm, table, &marker, &keys, &[]),
        Projection::Include(names) => expand_projects_some(dm, table, &marker, &keys, names),
    });
    let typed = expand_typed(dm, table);
    quote!(#(#projects)* #typed)
}

/// `impl TypedTable for App { type TypeAttribute = AttributeName<…>; }`
fn expand_typed(dm: &Runtime, table: &Table<'_>) -> Option<TokenStream> {
    let ident = table.ident;
    let (impl_generics, ty_generics, where_clause) = table.generics.split_for_impl();
    let attribute = attribute_type(&table.entity_type.as_ref()?.value());
    Some(quote! {
        #[automatically_derived]
        impl #impl_generics #dm::__private::TypedTable for #ident #ty_generics #where_clause {
            type TypeAttribute = #dm::__private::#attribute;
        }
    })
}

/// Writes `impl<A> Projects<Gsi1, A> for App {}`, and `impl ProjectsAll<Gsi1> for App {}`.
fn expand_projects_all(dm: &Runtime, table: &Table<'_>, marker: &Ident) -> TokenStream {
    let ident = table.ident;
    let (impl_all, ty_generics, where_clause) = table.generics.split_for_impl();
    let mut generics = table.generics.clone();
    generics.params.push(syn::parse_quote!(__A));
    let (impl_generics, ..) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::__private::Projects<#dm::index::#marker, __A>
            for #ident #ty_generics #where_clause {}
        #[automatically_derived]
        impl #impl_all #dm::__private::ProjectsAll<#dm::index::#marker>
            for #ident #ty_generics #where_clause {}
    }
}

/// Writes `impl Projects<Gsi1, AttributeName<…>> for App {}`.
fn expand_projects_some(
    dm: &Runtime,
    table: &Table<'_>,
    marker: &Ident,
    keys: &[&KeyAttribute],
    names: &[LitStr],
) -> TokenStream {
    let ident = table.ident;
    let (impl_generics, ty_generics, where_clause) = table.generics.split_for_impl();
    let own = [&table.pk, &table.sk].into_iter().flatten();
    let keys = own.chain(keys.iter().copied()).map(|key| &key.name);
    let carried: BTreeSet<String> = keys.chain(names).map(LitStr::value).collect();
    let attributes = carried.iter().map(|name| attribute_type(name));
    quote! {
        #(
            #[automatically_derived]
            impl #impl_generics
                #dm::__private::Projects<#dm::index::#marker, #dm::__private::#attributes>
                for #ident #ty_generics #where_clause {}
        )*
    }
}

fn expand_index(dm: &Runtime, table: &Table<'_>, index: &TableIndex) -> TokenStream {
    let (id, name) = (index_id(dm, index.id), &index.name);
    let pk = index
        .pk
        .as_ref()
        .or(table.pk.as_ref())
        .map(|pk| key_attribute(dm, pk));
    let sk = option(index.sk.as_ref().map(|sk| key_attribute(dm, sk)));
    let projection = projection(dm, &index.projection);
    quote!(#dm::schema::IndexSchema::new(#id, #name, #pk, #sk, #projection))
}
