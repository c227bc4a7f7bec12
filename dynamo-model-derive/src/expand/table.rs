//! `impl Table`.

use super::{index_id, index_marker, option, runtime};
use crate::ast::{Billing, Encryption, KeyAttribute, KeyType, Projection, Table, TableIndex};
use crate::expand::Runtime;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

/// ```text
/// impl Table for App {
///     const SCHEMA: TableSchema = {
///         let mut schema = TableSchema::new("App", "app", KeyAttribute::new("PK", KeyType::S));
///         schema.sk = Some(…);
///         schema.indexes = &[IndexSchema::new(IndexId::Gsi(1), "GSI1", …)];
///         schema
///     };
/// }
/// ```
pub(crate) fn expand(table: &Table<'_>) -> TokenStream {
    let dm = runtime(table.krate.as_ref());
    let (ident, name) = (table.ident, &table.name);
    let type_name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = table.generics.split_for_impl();
    let pk = table.pk.as_ref().map(|pk| key_attribute(&dm, pk));
    let sk = option(table.sk.as_ref().map(|sk| key_attribute(&dm, sk)));
    let indexes = table
        .indexes
        .iter()
        .map(|index| expand_index(&dm, table, index));
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
        None | Some(Billing::OnDemand) => quote!(OnDemand),
        Some(Billing::Provisioned { read, write }) => {
            quote!(Provisioned { read: #read, write: #write })
        }
    };
    let stream = option(table.stream.as_ref().map(|stream| {
        let view = format_ident!("{}", crate::case::Case::Pascal.field(stream));
        quote!(#dm::schema::Stream::#view)
    }));
    let projects = expand_projects(&dm, table);
    let (recovery, protection) = (table.point_in_time_recovery, table.deletion_protection);
    let doc = &table.doc;
    let doc = (!doc.is_empty()).then(|| quote!(__schema.doc = #doc;));
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::Table for #ident #ty_generics #where_clause {
            const SCHEMA: #dm::schema::TableSchema = {
                let mut __schema = #dm::schema::TableSchema::new(#type_name, #name, #pk);
                __schema.sk = #sk;
                __schema.indexes = &[#(#indexes),*];
                __schema.entity_type = #entity_type;
                __schema.ttl = #ttl;
                __schema.encryption = #dm::schema::Encryption::#encryption;
                __schema.point_in_time_recovery = #recovery;
                __schema.billing = #dm::schema::Billing::#billing;
                __schema.stream = #stream;
                __schema.deletion_protection = #protection;
                #doc
                __schema
            };
        }

        #projects
    }
}

/// Which indexes carry whole items: an entity can be read from those.
fn expand_projects(dm: &Runtime, table: &Table<'_>) -> TokenStream {
    let ident = table.ident;
    let (impl_generics, ty_generics, where_clause) = table.generics.split_for_impl();
    let whole = table
        .indexes
        .iter()
        .filter(|index| matches!(index.projection, Projection::All));
    let markers = std::iter::once(quote!(#dm::index::Primary)).chain(whole.map(|index| {
        let marker = index_marker(index.id);
        quote!(#dm::index::#marker)
    }));
    quote! {
        #dm::__client! {
            #(
                #[automatically_derived]
                impl #impl_generics #dm::__private::ProjectsAll<#markers> for #ident #ty_generics #where_clause {}
            )*
        }
    }
}

fn key_attribute(dm: &Runtime, attribute: &KeyAttribute) -> TokenStream {
    let name = &attribute.name;
    let key_type = match attribute.key_type {
        KeyType::S => quote!(S),
        KeyType::N => quote!(N),
        KeyType::B => quote!(B),
    };
    quote!(#dm::schema::KeyAttribute::new(#name, #dm::schema::KeyType::#key_type))
}

fn expand_index(dm: &Runtime, table: &Table<'_>, index: &TableIndex) -> TokenStream {
    let (id, name) = (index_id(dm, index.id), &index.name);
    let pk = index
        .pk
        .as_ref()
        .or(table.pk.as_ref())
        .map(|pk| key_attribute(dm, pk));
    let sk = option(index.sk.as_ref().map(|sk| key_attribute(dm, sk)));
    let projection = match &index.projection {
        Projection::All => quote!(All),
        Projection::KeysOnly => quote!(KeysOnly),
        Projection::Include(names) => quote!(Include(&[#(#names),*])),
    };
    quote!(#dm::schema::IndexSchema::new(#id, #name, #pk, #sk, #dm::schema::Projection::#projection))
}
