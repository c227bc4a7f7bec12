//! Writing: `update`, `upsert` and `delete` by key, the attributes that an update can name, and what it takes
//! to keep index keys right. All of it is left out where the client is.

use super::entity::is_required;
use super::model::{KeyField, Model};
use super::read::value_type;
use crate::ast::{Entity, Field, Stored};
use crate::ty::KeyType;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericParam, Ident, parse_quote};

/// ```text
/// __client! {
///     impl User { pub fn update(…) -> Update<User> { … } pub fn upsert(…) … pub fn delete(…) … }
///     pub struct __Changes<K>;                       // K: how much of the item is known
///     impl<K> __Changes<K> { pub fn name(&self) -> Slot<String> { … } }
///     impl __Changes<Loaded> { pub fn status(&self) -> KeySlot<Status> { … } }
///     impl __Changes<ByKey> { pub fn status(&self, day: impl AsKeyPart<Day>) -> KeySlot<Status> { … } }
///     impl Writable for User { type Changes<K> = __Changes<K>; … }
/// }
/// ```
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let dm = &model.dm;
    let (methods, changes, writable) = (
        expand_methods(model),
        expand_changes(model),
        expand_writable(model),
    );
    quote! {
        #dm::__client! {
            #methods
            #changes
            #writable
        }
    }
}

fn expand_methods(model: &Model<'_>) -> TokenStream {
    let (dm, vis, self_ty) = (&model.dm, model.entity.vis, model.self_ty());
    let (impl_generics, _, where_clause) = model.entity.generics.split_for_impl();
    let key = &model.keys[0];
    let fields = model.fields_of(key);
    let parameters: Vec<_> = fields.iter().map(|field| field.parameter(dm)).collect();
    let arguments: Vec<_> = fields.iter().map(|field| field.argument()).collect();
    let known: Vec<_> = fields
        .iter()
        .map(|field| expand_known(model, field))
        .collect();
    let bounds: Vec<_> = fields
        .iter()
        .map(|field| serialize_bound(dm, field))
        .collect();
    // What every update changes by itself, it must know the neighbours of.
    let beside = updated_at(model).map_or_else(Vec::new, |field| siblings(model, field));
    let more: Vec<_> = beside
        .iter()
        .map(|field| field.value_parameter(dm))
        .collect();
    let more_known = beside.iter().map(|field| expand_known(model, field));
    let more_bounds: Vec<_> = beside
        .iter()
        .map(|field| serialize_bound(dm, field))
        .collect();
    // An upsert writes the fields of the key as attributes.
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let written = fields.iter().filter(|field| has_function(field)).map(|field| {
        let marker = &field.marker;
        quote!(for<'__t> #dm::__private::ByKey: #dm::__private::ChangesEncoded<#marker #ty_generics>)
    });
    let condition = key.condition();
    let update_doc = format!("Changes the item with {condition}, which must be there.");
    let upsert_doc = format!("Changes the item with {condition}, or creates it.");
    let delete_doc = format!("Deletes the item with {condition}.");
    quote! {
        #[automatically_derived]
        impl #impl_generics #self_ty #where_clause {
            #[doc = #update_doc]
            #vis fn update(#(#parameters,)* #(#more),*) -> #dm::Update<Self>
            where
                #(#bounds,)* #(#more_bounds,)*
            {
                let __known = #dm::__private::KnownFields::default() #(#known)* #(#more_known)*;
                #dm::Update::new(Self::key(#(#arguments),*), __known)
            }

            #[doc = #upsert_doc]
            #vis fn upsert(#(#parameters),*) -> #dm::Upsert<Self>
            where
                #(#bounds,)* #(#written,)* for<'__t> Self: #dm::__private::WithoutUnique,
            {
                let __known = #dm::__private::KnownFields::default() #(#known)*;
                #dm::Upsert::new(Self::key(#(#arguments),*), __known)
            }

            #[doc = #delete_doc]
            #vis fn delete(#(#parameters),*) -> #dm::Delete<Self> {
                #dm::Delete::new(Self::key(#(#arguments),*))
            }
        }
    }
}

fn updated_at<'m, 'a>(model: &'m Model<'a>) -> Option<&'m KeyField<'a>> {
    let mut fields = model.fields.iter();
    fields.find(|field| field.field.updated_at.is_some())
}

/// `.with::<UserId>("user_id", argument::<UserId, _>(&user_id))`
fn expand_known(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let (name, ident, ty) = (&field.field.name, field.argument(), field.parsed());
    if field.ty.optional {
        return quote!(.maybe::<#ty>(#name, #ident));
    }
    let value = field.argument_value(model);
    quote!(.with::<#ty>(#name, #value))
}

/// Deferred until the method is called: an entity need not have serde.
fn serialize_bound(dm: &TokenStream, field: &KeyField<'_>) -> TokenStream {
    let ty = field.parsed();
    quote!(for<'__t> #ty: #dm::__private::Serialize)
}

/// The fields that must be known to change one: those beside it in index keys; in a unique constraint also
/// itself, as it is now. Those of the primary key always are, and the time that every write sets need not be.
fn siblings<'m, 'a>(model: &'m Model<'a>, field: &KeyField<'_>) -> Vec<&'m KeyField<'a>> {
    let name = &field.field.name;
    let with = |parts: Vec<&str>| parts.contains(&name.as_str());
    let unique = |known: &str| {
        model.uniques.iter().any(|unique| {
            let parts = unique.template.parts.iter().map(|it| it.field.as_str());
            let parts: Vec<_> = parts.collect();
            parts.contains(&known) && with(parts)
        })
    };
    let beside = |known: &str| {
        let mut indexes = model.keys[1..].iter();
        indexes.any(|key| key.has(name) && key.has(known))
    };
    let fields = model.fields.iter().filter(|field| {
        let known = &field.field.name;
        let is_set = field.field.updated_at.is_some();
        !model.is_in_primary_key(known)
            && (known != name && !is_set && beside(known) || unique(known))
    });
    fields.collect()
}

impl KeyField<'_> {
    /// `day: impl AsKeyPart<Day>`, or `day: Option<&Day>` of an optional field.
    fn value_parameter(&self, dm: &TokenStream) -> TokenStream {
        if !self.ty.optional {
            return self.parameter(dm);
        }
        let (ident, ty) = (self.argument(), self.parsed());
        quote!(#ident: ::core::option::Option<&#ty>)
    }
}

fn expand_changes(model: &Model<'_>) -> TokenStream {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let where_clause = &model.entity.generics.where_clause;
    let mut generics = model.entity.generics.clone();
    let known: GenericParam = parse_quote!(__K);
    generics.params.push(known);
    let (changes_impl, changes_ty, _) = generics.split_for_impl();
    let (impl_generics, ..) = model.entity.generics.split_for_impl();
    let arguments = model.generic_arguments();
    let fields = || {
        let fields = model.entity.fields.iter();
        fields.filter(|field| field.stored == Stored::Attribute)
    };
    let plain = fields().filter_map(|field| expand_plain(model, field));
    let in_keys = || fields().filter_map(|field| index_field(model, field));
    let loaded = in_keys().map(|field| expand_loaded(model, field));
    let by_key = in_keys().map(|field| expand_by_key(model, field));
    let known_impls = in_keys().next().map(|_| {
        quote! {
            #[automatically_derived]
            impl #impl_generics __Changes<#(#arguments,)* #dm::__private::Loaded> #where_clause {
                #(#loaded)*
            }

            #[automatically_derived]
            impl #impl_generics __Changes<#(#arguments,)* #dm::__private::ByKey> #where_clause {
                #(#by_key)*
            }
        }
    });
    quote! {
        pub struct __Changes #changes_impl (
            ::core::marker::PhantomData<fn() -> (#self_ty, __K)>,
        ) #where_clause;

        #[automatically_derived]
        impl #changes_impl __Changes #changes_ty #where_clause {
            #(#plain)*
        }

        #known_impls
    }
}

fn is_kept(field: &Field<'_>) -> bool {
    field.version.is_some() || field.created_at.is_some() || field.updated_at.is_some()
}

/// A field that stands in the key of an index, or in a unique constraint, and can change.
fn index_field<'m, 'a>(model: &'m Model<'a>, field: &Field<'_>) -> Option<&'m KeyField<'a>> {
    let key_field = model.key_field(&field.name)?;
    let changes = !model.is_in_primary_key(&field.name) && !is_kept(field);
    changes.then_some(key_field)
}

/// What does not depend on how much is known: attributes in no key, and those that never change.
fn expand_plain(model: &Model<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let ident = field.ident;
    let ty = value_type(dm, model.entity, field);
    if model.is_in_primary_key(&field.name) {
        let marker = &model.key_field(&field.name)?.marker;
        return Some(quote! {
            #[doc(hidden)]
            pub fn #ident(&self) -> #dm::Slot<#ty>
            where
                __K: #dm::__private::ChangesPrimaryKey<#marker #ty_generics>,
            {
                ::core::unreachable!()
            }
        });
    }
    if is_kept(field) {
        return Some(quote! {
            #[doc(hidden)]
            pub fn #ident(&self) -> #dm::Slot<#ty>
            where
                __K: #dm::__private::ChangesKept,
            {
                ::core::unreachable!()
            }
        });
    }
    if index_field(model, field).is_some() {
        return None;
    }
    Some(expand_slot(dm, model.entity, field))
}

/// The accessor of an attribute that stands in no key.
pub(crate) fn expand_slot(dm: &TokenStream, entity: &Entity<'_>, field: &Field<'_>) -> TokenStream {
    let ident = field.ident;
    let (ty, path) = (value_type(dm, entity, field), expand_path(dm, field));
    let doc = format!("The attribute `{}`.", field.attribute);
    if field.nested.is_some() {
        return quote! {
            #[doc = #doc]
            pub fn #ident(&self) -> <#ty as #dm::Nested>::Fields {
                <#ty as #dm::Nested>::fields(#path)
            }
        };
    }
    let presence = presence(dm, field);
    quote! {
        #[doc = #doc]
        pub fn #ident(&self) -> #dm::Slot<#ty, #presence> {
            #dm::Slot::new(#path)
        }
    }
}

fn expand_path(dm: &TokenStream, field: &Field<'_>) -> TokenStream {
    let attribute = &field.attribute;
    let hidden = field.sensitive.map(|_| quote!(.hidden()));
    quote!(#dm::Path::attribute(#attribute)#hidden)
}

fn presence(dm: &TokenStream, field: &Field<'_>) -> TokenStream {
    if is_required(field) {
        quote!(#dm::__private::Required)
    } else {
        quote!(#dm::__private::Optional)
    }
}

/// `KeySlot::new("status", Some(Path::attribute("status")))`
fn expand_key_slot(dm: &TokenStream, field: &KeyField<'_>) -> TokenStream {
    let name = &field.field.name;
    let path = (field.field.key_only.is_none()).then(|| expand_path(dm, field.field));
    let path = super::option(path);
    quote!(#dm::KeySlot::new(#name, #path))
}

/// Of an index key, absence is what the type says: a default would not make a key.
fn key_slot_type(dm: &TokenStream, field: &KeyField<'_>) -> TokenStream {
    let ty = field.parsed();
    let presence = if field.ty.optional {
        quote!(Optional)
    } else {
        quote!(Required)
    };
    quote!(#dm::KeySlot<#ty, #dm::__private::#presence>)
}

fn key_names(model: &Model<'_>, field: &KeyField<'_>) -> String {
    let name = &field.field.name;
    let keys = model.keys[1..].iter().filter(|key| key.has(name));
    let mut names: Vec<String> = keys
        .filter_map(|key| Some(format!("`{}`", key.name()?)))
        .collect();
    let uniques = model.uniques.iter().map(|unique| &unique.template);
    let uniques = uniques.filter(|unique| unique.parts.iter().any(|part| part.field == *name));
    names.extend(uniques.map(|unique| format!("`{}`", unique.text)));
    names.join(", ")
}

fn has_function(field: &KeyField<'_>) -> bool {
    field.field.function.is_some() && field.field.key_only.is_none()
}

/// A field in a key that serde writes in its own way: an update would write it in another.
fn expand_unwritable(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let (dm, ident, ty) = (
        &model.dm,
        field.field.ident,
        key_slot_type(&model.dm, field),
    );
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let marker = &field.marker;
    quote! {
        #[doc(hidden)]
        pub fn #ident(&self) -> #ty
        where
            for<'__t> #dm::__private::ByKey: #dm::__private::ChangesEncoded<#marker #ty_generics>,
        {
            ::core::unreachable!()
        }
    }
}

fn expand_loaded(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let dm = &model.dm;
    let ident = field.field.ident;
    if has_function(field) {
        return expand_unwritable(model, field);
    }
    let (ty, slot) = (key_slot_type(dm, field), expand_key_slot(dm, field));
    let doc = format!(
        "`{}`, and with it the keys of {}.",
        field.field.name,
        key_names(model, field)
    );
    quote! {
        #[doc = #doc]
        pub fn #ident(&self) -> #ty {
            #slot
        }
    }
}

fn expand_by_key(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let dm = &model.dm;
    let ident = field.field.ident;
    let (ty, slot) = (key_slot_type(dm, field), expand_key_slot(dm, field));
    let beside = siblings(model, field);
    let names: Vec<_> = beside
        .iter()
        .map(|it| format!("`{}`", it.field.name))
        .collect();
    let mut doc = format!(
        "`{}`, and with it the keys of {}",
        field.field.name,
        key_names(model, field)
    );
    doc += &match names.is_empty() {
        true => ".".to_owned(),
        false => format!("; say what {} is now.", names.join(", ")),
    };
    if has_function(field) || beside.iter().any(|it| has_function(it)) {
        return expand_unwritable(model, field);
    }
    if beside.iter().any(|it| it.field.key_only.is_some()) {
        let (_, ty_generics, _) = model.entity.generics.split_for_impl();
        let marker = &field.marker;
        return quote! {
            #[doc(hidden)]
            pub fn #ident(&self) -> #ty
            where
                for<'__t> #dm::__private::ByKey: #dm::__private::ChangesFromKey<#marker #ty_generics>,
            {
                ::core::unreachable!()
            }
        };
    }
    // At the user's own fields, where the compiler shows what is missing.
    let parameters = beside.iter().map(|it| it.value_parameter(dm));
    let bounds = beside.iter().map(|it| serialize_bound(dm, it));
    let known = beside.iter().map(|it| expand_beside(model, it));
    quote! {
        #[doc = #doc]
        pub fn #ident(&self, #(#parameters),*) -> #ty
        where
            #(#bounds,)*
        {
            #slot #(#known)*
        }
    }
}

fn expand_beside(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let (name, ident, ty) = (&field.field.name, field.argument(), field.parsed());
    if field.ty.optional {
        return quote!(.maybe_beside::<#ty>(#name, #ident));
    }
    let value = field.argument_value(model);
    quote!(.beside::<#ty>(#name, #value))
}

fn expand_writable(model: &Model<'_>) -> TokenStream {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let arguments = model.generic_arguments();
    let values = model.fields.iter().map(|field| {
        let (name, ident, marker) = (&field.field.name, field.field.ident, &field.marker);
        let value: Ident = parse_quote!(__value);
        let part = quote!(#dm::__private::value::<#marker #ty_generics>);
        if field.ty.optional {
            quote!(.with(#name, self.#ident.as_ref().map(|#value| #part(#value))))
        } else {
            quote!(.with(#name, ::core::option::Option::Some(#part(&self.#ident))))
        }
    });
    let stamps = model
        .entity
        .fields
        .iter()
        .filter_map(|field| expand_stamp(dm, field));
    let stored = if model.uniques.is_empty() {
        quote! {
            let _ = __item;
            ::core::result::Result::Ok(#dm::__private::KeyFields::default())
        }
    } else {
        quote! {
            let __entity = <Self as #dm::__private::Decodable<#dm::__private::Serde>>::decode(__item)?;
            ::core::result::Result::Ok(#dm::__private::Writable::key_fields(&__entity))
        }
    };
    let without_unique = model.uniques.is_empty().then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #dm::__private::WithoutUnique for #self_ty #where_clause {}
        }
    });
    let has_ttl = model.entity.fields.iter().any(|field| field.ttl.is_some());
    let expires = has_ttl.then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #dm::__private::Expires for #self_ty #where_clause {}
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::__private::Writable for #self_ty #where_clause {
            type Changes<__K> = __Changes<#(#arguments,)* __K>;

            fn changes<__K>() -> Self::Changes<__K> {
                __Changes(::core::marker::PhantomData)
            }

            fn key_fields(&self) -> #dm::__private::KeyFields {
                #dm::__private::KeyFields::default() #(#values)*
            }

            fn stored_fields(
                __item: #dm::__private::StoredItem<'_>,
            ) -> ::core::result::Result<#dm::__private::KeyFields, #dm::Error> {
                #stored
            }

            const STAMPS: &'static [#dm::__private::Stamp] = &[#(#stamps),*];
        }

        #without_unique
        #expires
    }
}

fn expand_stamp(dm: &TokenStream, field: &Field<'_>) -> Option<TokenStream> {
    let on = match (field.created_at, field.updated_at) {
        (Some(_), _) => quote!(Create),
        (_, Some(_)) => quote!(Write),
        _ => return None,
    };
    let (name, attribute) = (&field.name, &field.attribute);
    let part = KeyType::of(field.ty).part;
    let stamp = quote_spanned!(part.span()=> #dm::__private::Stamp::new::<#part>);
    Some(quote!(#stamp(#name, #attribute, #dm::__private::StampOn::#on)))
}
