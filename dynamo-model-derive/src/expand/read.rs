//! Writes what reads need: `get`, `query`, a method for each index, and the decoding of an item.
//! Without the client, nothing of it is written.

use super::model::{Key, KeyField, Model};
use super::{fields, series, sort_key};
use crate::ast::{Field, Stored};
use crate::ty::KeyType;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

/// ```text
/// impl Readable for User { … }
/// impl HasFields for User { … }
/// ```
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let readable = expand_readable(model);
    let fields = fields::expand(model);
    quote!(#readable #fields)
}

/// ```text
/// pub fn get(…) -> Get<User> { … }
/// pub fn scan() -> Scan<User> { … }
/// pub fn query(…) -> … { … }
/// pub fn by_email(…) -> … { … }
/// ```
pub(crate) fn expand_methods(model: &Model<'_>) -> TokenStream {
    let get = expand_get(model);
    let scan = expand_scan(model);
    let queries = model.keys.iter().map(|key| expand_query(model, key));
    let series = model
        .keys
        .iter()
        .filter_map(|key| series::expand(model, key));
    quote!(#get #scan #(#queries)* #(#series)*)
}

/// ```text
/// pub fn get(_: impl Sized, …) where for<'a> Disabled: Client<'a> { … }
/// ```
///
/// The same for each function that needs the client: the error of a call names the feature.
pub(crate) fn expand_without_client(model: &Model<'_>) -> TokenStream {
    let (dm, vis) = (&model.dm, model.entity.vis);
    let key = model.fields_of(&model.keys[0]).len();
    let by_key = ["get", "update", "upsert", "delete"].map(|name| (format_ident!("{name}"), key));
    let queries = model
        .keys
        .iter()
        .map(|key| (query_method(key), model.partition_fields_of(key).len()));
    let scan = [(format_ident!("scan"), 0)];
    let searches = model.entity.vectors.iter().map(|vector| {
        let parameters = 1 + usize::from(vector.hash.is_some());
        (vector.method.clone(), parameters)
    });
    let stubs = by_key
        .into_iter()
        .chain(queries)
        .chain(scan)
        .chain(searches);
    let stubs = stubs.map(|(name, count)| {
        let parameters = (0..count).map(|_| quote!(_: impl ::core::marker::Sized));
        quote! {
            #[doc(hidden)]
            #vis fn #name(#(#parameters),*)
            where
                for<'__a> #dm::features::Disabled: #dm::features::Client<'__a>,
            {
                ::core::unreachable!()
            }
        }
    });
    stubs.collect()
}

fn expand_get(model: &Model<'_>) -> TokenStream {
    let (dm, vis, key) = (&model.dm, model.entity.vis, &model.keys[0]);
    let fields = model.fields_of(key);
    let parameters = fields.iter().map(|field| field.parameter(dm, false));
    let arguments = fields.iter().map(|field| field.argument());
    let doc = format!("Reads the item with {}.", key.condition());
    quote! {
        #[doc = #doc]
        #vis fn get(#(#parameters),*) -> #dm::read::Get<Self> {
            #dm::read::Get::new(Self::key(#(#arguments),*))
        }
    }
}

fn expand_scan(model: &Model<'_>) -> TokenStream {
    let (dm, vis) = (&model.dm, model.entity.vis);
    let doc = format!(
        "Every `{}`. Reads, and pays for, the whole table, whatever else is in it.",
        model.entity.ident
    );
    // It does not name the table, because a type that is not a table would produce a second error
    // here.
    let bound = model.entity.scannable.is_none().then(|| {
        quote! { where for<'__t> Self: #dm::membership::MayScan }
    });
    quote! {
        #[doc = #doc]
        #[inline]
        #vis fn scan() -> #dm::read::Scan<Self> #bound {
            #dm::read::Scan::new()
        }
    }
}

fn query_method(key: &Key<'_>) -> Ident {
    match (key.index, key.name()) {
        (Some(index), Some(name)) => index
            .method
            .clone()
            .unwrap_or_else(|| Ident::new(&name, index.span)),
        _ => format_ident!("query"),
    }
}

/// Writes a query that takes the parts of the sort key one by one, or a finished query if there are
/// none.
fn expand_query(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, vis) = (&model.dm, model.entity.vis);
    let (method, partition) = (query_method(key), key.method("partition_key"));
    let fields = model.partition_fields_of(key);
    let parameters = fields
        .iter()
        .map(|field| field.parameter(dm, key.may_be_empty(field)));
    let arguments = fields.iter().map(|field| field.argument());
    let pk = quote!(Self::#partition(#(#arguments),*));
    let doc = format!("The items with {}, in {}.", key.condition(), key.place());
    let (ret, body) = expand_open(model, key, &pk);
    quote! {
        #[doc = #doc]
        #vis fn #method(#(#parameters),*) -> #ret {
            #body
        }
    }
}

/// Returns a query of the partitions `pk`: its type, and its value.
pub(super) fn expand_open(
    model: &Model<'_>,
    key: &Key<'_>,
    pk: &TokenStream,
) -> (TokenStream, TokenStream) {
    let (dm, marker) = (&model.dm, key.marker(&model.dm));
    match sort_key::parts_of(key) {
        Some(sk) => {
            let open = quote!(#dm::__private::OpenQuery<Self, #marker>);
            let ty = sort_key::applied(model, key, &open, &sort_key::state(model, key, sk, 0));
            let prefix = sort_key::prefix(model, key);
            let name = sort_key::name(model, key);
            let open = quote!(#dm::__private::OpenQuery::new(#pk, #prefix));
            (ty, quote!(#name(#open, ::core::marker::PhantomData)))
        }
        None => {
            let sort = expand_literal(model, key);
            (
                quote!(#dm::read::Query<Self, #marker>),
                quote!(#dm::read::Query::new(#pk, #sort)),
            )
        }
    }
}

/// Returns the condition on a sort key without parts: nothing, or the literal.
fn expand_literal(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let dm = &model.dm;
    match &key.sk {
        Some(sk) => {
            let literal = &sk.template.head;
            quote!(#dm::__private::literal_sort_key(#literal))
        }
        None => quote!(#dm::__private::any_sort_key()),
    }
}

/// Writes the code that restores fields that only keys hold. For a projection, these include fields
/// that the index does not project. If no field is only in keys, the runtime restores them by the
/// schema.
fn expand_readable(model: &Model<'_>) -> TokenStream {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let (impl_generics, ..) = model.entity.generics.split_for_impl();
    let where_clause = &model.entity.generics.where_clause;
    let restores = model
        .keys
        .iter()
        .filter_map(|key| expand_restore(model, key));
    let mut fields = model.entity.fields.iter();
    let restore = fields.any(|field| field.key_only.is_some()).then(|| {
        quote! {
            #[inline]
            fn restore(
                __item: &mut #dm::__private::ItemKeys<'_>,
            ) -> ::core::result::Result<(), #dm::KeyError> {
                #(#restores)*
                ::core::result::Result::Ok(())
            }
        }
    });
    let mut fields = model.entity.fields.iter();
    let owned = (!fields.any(borrows)).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #dm::__private::OwnedFields for #self_ty #where_clause {}
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::__private::Readable for #self_ty #where_clause {
            #restore
        }

        #owned
    }
}

/// Returns whether serde borrows the field from its input.
fn borrows(field: &Field<'_>) -> bool {
    field.stored == Stored::Attribute && !field.reads_with && KeyType::of(field.ty).borrowed
}

fn expand_restore(model: &Model<'_>, key: &Key<'_>) -> Option<TokenStream> {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let fields: Vec<_> = model
        .fields_of(key)
        .into_iter()
        .filter(|field| field.field.stored == Stored::Attribute && is_whole(key, field))
        .collect();
    let marker = key.marker(dm);
    let wants: Vec<_> = fields
        .iter()
        .map(|field| {
            let (attribute, key_only) = (&field.field.attribute, field.field.key_only.is_some());
            quote!(__item.wants(#attribute, #key_only))
        })
        .collect();
    let puts = fields.iter().map(|field| {
        let (ident, marker) = (field.field.ident, &field.marker);
        let attribute = &field.field.attribute;
        let value = match key.may_be_empty(field) {
            true => quote!(#dm::__private::optional_value(__parts.#ident.as_ref())),
            false => quote!(#dm::__private::value::<#marker #ty_generics>(&__parts.#ident)),
        };
        quote!(__item.restore(#attribute, #value);)
    });
    (!fields.is_empty()).then(|| {
        quote! {
            if #(#wants)||* {
                if let ::core::option::Option::Some(__parts) = __item.parse::<Self, #marker>()? {
                    #(if #wants { #puts })*
                }
            }
        }
    })
}

fn is_whole(key: &Key<'_>, field: &KeyField<'_>) -> bool {
    let mut parts = key.halves().flat_map(|half| &half.template.parts);
    parts.any(|part| part.field == field.field.name && !part.spec.is_lossy())
}
