//! Writes the type of a parsed key: which fields it has, and the struct that holds them.

use super::model::{Key, KeyField, Model};
use crate::ast::Entity;
use crate::expand::Runtime;
use crate::template::{Form, Placeholder};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

/// How parsing recovers a field from a key.
pub(super) enum Recovery<'a> {
    /// From the place with the most detail; the other places must agree.
    Whole(Place<'a>, Vec<Place<'a>>),
    /// From all places that have a bucket of it.
    Bucket(Vec<Place<'a>>),
    /// Only the shard is known.
    Shard(Place<'a>),
}

/// A placeholder in a key.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) sort: bool,
    pub(super) index: usize,
    pub(super) part: &'a Placeholder,
}

pub(super) fn recovery<'a>(key: &Key<'a>, field: &KeyField<'_>) -> Recovery<'a> {
    let mut places: Vec<Place<'a>> = key
        .halves()
        .flat_map(|half| {
            half.parts().map(|(index, part)| Place {
                sort: half.sort,
                index,
                part,
            })
        })
        .filter(|place| place.part.field == field.field.name)
        .collect();
    let finest = places
        .iter()
        .enumerate()
        .filter(|(_, place)| !place.part.spec.is_lossy())
        .max_by_key(|(_, place)| place.part.spec.fidelity());
    if let Some((finest, _)) = finest {
        let whole = places.remove(finest);
        return Recovery::Whole(whole, places);
    }
    match places
        .iter()
        .find(|place| matches!(place.part.spec.form, Form::Shard(_)))
    {
        Some(shard) if places.len() == 1 => Recovery::Shard(*shard),
        _ => {
            places.retain(|place| matches!(place.part.spec.form, Form::Format(_)));
            Recovery::Bucket(places)
        }
    }
}

pub(super) fn expand_parts(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let entity = model.entity;
    let shown = match key.name() {
        Some(index) => format!("{}::{index}_key", entity.ident.unraw()),
        None => format!("{}::key", entity.ident.unraw()),
    };
    let fields: Vec<_> = model
        .fields_of(key)
        .into_iter()
        .map(|field| PartsField {
            ident: field.field.ident,
            ty: parsed_type(model, key, field),
            known: is_known(key, field),
        })
        .collect();
    let doc = format!(
        "The fields in the key of {}: {}.",
        key.place(),
        key.condition()
    );
    let code = expand_parts_struct(&model.dm, entity, &parts_name(model, key), &shown, &fields);
    quote!(#[doc = #doc] #code)
}

/// Returns the type that a field has after parsing.
fn parsed_type(model: &Model<'_>, key: &Key<'_>, field: &KeyField<'_>) -> TokenStream {
    let dm = &model.dm;
    match recovery(key, field) {
        Recovery::Whole(..) if key.may_be_empty(field) => {
            let ty = field.parsed();
            quote!(::core::option::Option<#ty>)
        }
        Recovery::Whole(..) => field.parsed(),
        Recovery::Bucket(_) => quote!(#dm::key::TimeBucket),
        Recovery::Shard(_) => quote!(#dm::key::Shard),
    }
}

/// Returns whether the type certainly implements `Clone`, `Debug` and `PartialEq`, as types of the
/// runtime do.
fn is_known(key: &Key<'_>, field: &KeyField<'_>) -> bool {
    match recovery(key, field) {
        Recovery::Whole(..) => !field.ty.borrowed && crate::ty::is_known(field.ty.part),
        Recovery::Bucket(_) | Recovery::Shard(_) => true,
    }
}

/// A field of the struct.
pub(crate) struct PartsField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: TokenStream,
    /// Whether its type certainly implements `Clone`, `Debug` and `PartialEq`.
    pub(crate) known: bool,
}

/// ```text
/// pub struct PrimaryPartsOf_Answer { pub user_id: String, pub answered_at: Timestamp, … }
/// impl Clone for PrimaryPartsOf_Answer where for<'__t> Timestamp: Clone { … }
/// ```
///
/// The key has a struct, because a private type must not be in the interface of a public entity,
/// but may be in its fields. The lifetime makes each bound a condition: without it, a bound that
/// does not hold would be an error.
pub(crate) fn expand_parts_struct(
    dm: &Runtime,
    entity: &Entity<'_>,
    name: &Ident,
    shown: &str,
    fields: &[PartsField<'_>],
) -> TokenStream {
    let ident = entity.ident;
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let own_bounds = where_clause.map(|clause| {
        let predicates = clause.predicates.iter();
        quote!(#(#predicates,)*)
    });
    let (idents, types): (Vec<_>, Vec<_>) = fields.iter().map(|it| (it.ident, &it.ty)).unzip();
    let unknown = fields.iter().filter(|field| !field.known);
    let unknown: Vec<_> = unknown.map(|field| &field.ty).collect();
    let names: Vec<_> = idents
        .iter()
        .map(|ident| ident.unraw().to_string())
        .collect();
    let docs = names.iter().map(|name| format!("`{name}`, from the key."));
    let bounds = |of: TokenStream| quote!(where #own_bounds #(for<'__t> #unknown: #of,)*);
    let (clone, debug, partial_eq, eq) = (
        bounds(quote!(::core::clone::Clone)),
        bounds(quote!(::core::fmt::Debug)),
        bounds(quote!(::core::cmp::PartialEq)),
        bounds(quote!(::core::cmp::Eq)),
    );
    quote! {
        pub struct #name #impl_generics #where_clause {
            #(#[doc = #docs] pub #idents: #types,)*
            __entity: ::core::marker::PhantomData<fn() -> #ident #ty_generics>,
        }
        #[automatically_derived]
        impl #impl_generics ::core::clone::Clone for #name #ty_generics #clone {
            #[inline]
            fn clone(&self) -> Self {
                Self {
                    #(#idents: ::core::clone::Clone::clone(&self.#idents),)*
                    __entity: ::core::marker::PhantomData,
                }
            }
        }
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Debug for #name #ty_generics #debug {
            #[inline]
            fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #dm::__private::show(__f, #shown, &[#((#names, &self.#idents)),*])
            }
        }
        #[automatically_derived]
        impl #impl_generics ::core::cmp::PartialEq for #name #ty_generics #partial_eq {
            #[inline]
            fn eq(&self, __other: &Self) -> ::core::primitive::bool {
                true #(&& self.#idents == __other.#idents)*
            }
        }
        #[automatically_derived]
        impl #impl_generics ::core::cmp::Eq for #name #ty_generics #eq {}
    }
}

pub(super) fn parts_name(model: &Model<'_>, key: &Key<'_>) -> Ident {
    super::parts_name(model.entity.ident, &key.label())
}
