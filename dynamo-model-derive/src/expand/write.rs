//! Writes what writes need: `update`, `upsert` and `delete` by key, the attributes that an update
//! can name, and the siblings that keep index keys right. Without the client, nothing of it is
//! written.

use super::entity::is_required;
use super::fields::{stored_options, value_type};
use super::model::{KeyField, Model};
use super::series;
use crate::ast::{Entity, Field, Stored};
use crate::expand::Runtime;
use crate::ty::KeyType;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Ident, parse_quote};

/// ```text
/// pub struct ChangesOf_User<K>;                       // K: how much of the item is known
/// impl<K> ChangesOf_User<K> { pub fn name(&self) -> Slot<String> { … } }
/// impl ChangesOf_User<Loaded> { pub fn status(&self) -> KeySlot<Status> { … } }
/// impl<W> ChangesOf_User<ByKey<W>> {
///     pub fn status(&self, day: impl AsKeyPart<Day>) -> KeySlot<Status> { … }
/// }
/// impl Writable for User { type Changes<K> = ChangesOf_User<K>; … }
/// ```
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let (refusals, changes, writable) = (
        expand_refusals(model),
        expand_changes(model),
        expand_writable(model),
    );
    quote!(#refusals #changes #writable)
}

/// `pub fn update(…) -> Update<User> { … }`, `upsert` and `delete`.
pub(crate) fn expand_methods(model: &Model<'_>) -> TokenStream {
    let (dm, vis) = (&model.dm, model.entity.vis);
    let key = &model.keys[0];
    let fields = model.fields_of(key);
    let parameters: Vec<_> = fields
        .iter()
        .map(|field| field.parameter(dm, false))
        .collect();
    let arguments: Vec<_> = fields.iter().map(|field| field.argument()).collect();
    let all_known = fields.iter().map(|field| expand_known(model, field));
    // An update of a stored item needs only the key fields that are also in other keys.
    let known = fields.iter().filter(|field| model.is_in_other_key(field));
    let known = known.map(|field| expand_known(model, field));
    let bounds: Vec<_> = fields
        .iter()
        .filter_map(|field| serialize_bound(dm, field))
        .collect();
    // Every update sets `updated_at`, so an index key with it needs its siblings.
    let refusal = updated_at(model).and_then(|field| beside_key_only(model, field));
    let beside = match updated_at(model) {
        Some(field) if refusal.is_none() => siblings(model, field),
        _ => Vec::new(),
    };
    let more: Vec<_> = beside
        .iter()
        .map(|field| field.value_parameter(dm, field.argument()))
        .collect();
    let more_known = beside.iter().map(|field| expand_known(model, field));
    let more_bounds: Vec<_> = beside
        .iter()
        .filter_map(|field| serialize_bound(dm, field))
        .collect();
    // An upsert writes the fields of the key as attributes.
    let written: Vec<_> = fields
        .iter()
        .filter_map(|field| Some(encoded_in_key(model, field)?.name))
        .collect();
    let refused = refusal.as_ref().map(|refusal| {
        let name = &refusal.name;
        quote!(for<'__t> #dm::__private::ByKey: __refusals::#name)
    });
    let condition = key.condition();
    let update_doc = format!("Changes the item with {condition}, which must be there.");
    let upsert_doc = format!("Changes the item with {condition}, or creates it.");
    let delete_doc = format!("Deletes the item with {condition}.");
    quote! {
        #[doc = #update_doc]
        #vis fn update(#(#parameters,)* #(#more),*) -> #dm::write::Update<Self>
        where
            #(#bounds)* #(#more_bounds)* #refused
        {
            let __known = #dm::__private::KnownFields::of([#(#known,)* #(#more_known),*]);
            #dm::write::Update::new(Self::key(#(#arguments),*), __known)
        }

        #[doc = #upsert_doc]
        #vis fn upsert(#(#parameters),*) -> #dm::write::Upsert<Self>
        where
            #(#bounds)*
            #(for<'__t> #dm::__private::ByKey: __refusals::#written,)*
            for<'__t> <Self as #dm::__private::Writable>::Uniques: #dm::__private::WithoutUnique<Self>,
        {
            let __known = #dm::__private::KnownFields::of([#(#all_known),*]);
            #dm::write::Upsert::new(Self::key(#(#arguments),*), __known)
        }

        #[doc = #delete_doc]
        #vis fn delete(#(#parameters),*) -> #dm::write::Delete<Self> {
            #dm::write::Delete::new(Self::key(#(#arguments),*))
        }
    }
}

fn updated_at<'m, 'a>(model: &'m Model<'a>) -> Option<&'m KeyField<'a>> {
    let mut fields = model.fields.iter();
    fields.find(|field| field.field.updated_at.is_some())
}

/// `known::<UserId>("user_id", argument::<Order_user_id, _>(&user_id))`
fn expand_known(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let (dm, name) = (&model.dm, &field.field.name);
    let (ident, ty) = (field.argument(), field.parsed());
    if field.ty.optional {
        let argument = field.optional_argument();
        return quote!(#dm::__private::maybe_known::<#ty, #argument, _>(#name, &#ident));
    }
    let value = field.argument_value(model, false);
    quote!(#dm::__private::known::<#ty>(#name, #value))
}

/// Writes a bound that is checked where the method is called, because an entity need not implement
/// serde's traits. A type that cannot be a key part already has an error.
fn serialize_bound(dm: &Runtime, field: &KeyField<'_>) -> Option<TokenStream> {
    let ty = field.parsed();
    let known = !field.ty.borrowed && crate::ty::is_known(field.ty.part);
    (!known).then(|| quote!(for<'__t> #ty: #dm::KeyPart + #dm::__private::Encodable,))
}

/// Returns the siblings of a field: the other fields of its index keys, and for a unique constraint
/// the field itself, with its stored value. Fields of the primary key are always known, and fields
/// that every update sets from the clock are not needed.
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
        let mut indexes = model.built_indexes();
        indexes.any(|key| key.has(name) && key.has(known))
    };
    let fields = model.fields.iter().filter(|known| {
        let stamped = known.field.updated_at.is_some();
        let known = &known.field.name;
        let beside = known != name && !stamped && beside(known);
        !model.is_in_primary_key(known) && (beside || unique(known))
    });
    fields.collect()
}

impl KeyField<'_> {
    /// Writes `day: impl AsKeyPart<Day>`, or `day: impl AsOptionalKeyPart<Day>` for an optional
    /// field. The span is the user's field, where the compiler shows a missing argument.
    fn value_parameter(&self, dm: &Runtime, ident: &Ident) -> TokenStream {
        let (part, ty) = (self.ty.part, self.optional_argument());
        let span = Span::call_site().located_at(self.field.ident.span());
        let dm = dm.to_token_stream().into_iter().map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        });
        let dm: TokenStream = dm.collect();
        if self.ty.optional {
            quote_spanned!(span=> #ident: impl #dm::key::AsOptionalKeyPart<#ty>)
        } else {
            quote_spanned!(span=> #ident: impl #dm::key::AsKeyPart<#part>)
        }
    }
}

/// A trait that no type implements. Its message says why a method cannot be called, in the names of
/// the user's fields.
pub(super) struct Refusal {
    pub(super) name: Ident,
    pub(super) message: String,
    pub(super) label: &'static str,
    pub(super) note: &'static str,
}

impl ToTokens for Refusal {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            name,
            message,
            label,
            note,
        } = self;
        // If nothing implemented the trait, the compiler would propose to implement it.
        tokens.extend(quote! {
            #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
            pub trait #name {}
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl #name for NoType {}
        });
    }
}

/// Writes the refusals in their own module, because a user's `diagnostic` would shadow the
/// compiler's.
fn expand_refusals(model: &Model<'_>) -> TokenStream {
    let fields = model.entity.fields.iter();
    let fields = fields.filter(|field| field.stored == Stored::Attribute);
    let refusals = fields.filter_map(|field| match index_field(model, field) {
        Some(field) => not_by_key(model, field),
        None => never_changes(model, field),
    });
    let encoded = model.fields.iter();
    let encoded = encoded.filter_map(|field| encoded_in_key(model, field));
    let refusals = refusals.chain(encoded);
    let update = updated_at(model).and_then(|field| beside_key_only(model, field));
    let refusals = refusals.chain(update);
    let keys = model.keys.iter();
    let refusals = refusals.chain(keys.filter_map(|key| series::refusal(model, key)));
    let immutable = || {
        let fields = model.entity.fields.iter();
        fields.filter_map(|field| set_at_creation(model.entity, field))
    };
    let refusals = refusals.chain(immutable());
    let dm = &model.dm;
    // An upsert may create the item.
    let unless_new = immutable().map(|Refusal { name, .. }| {
        quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl __refusals::#name for #dm::__private::ByKey<#dm::__private::NewOrExisting> {}
        }
    });
    quote! {
        mod __refusals {
            pub struct NoType;
            #(#refusals)*
        }
        #(#unless_new)*
    }
}

/// Returns why an update cannot change an immutable field.
fn set_at_creation(entity: &Entity<'_>, field: &Field<'_>) -> Option<Refusal> {
    field.immutable?;
    let (entity, name) = (entity.ident.unraw(), &field.name);
    Some(Refusal {
        name: format_ident!("Immutable_{entity}_{name}"),
        message: format!("`{name}` of `{entity}` is immutable: it is set when an item is created"),
        label: "set at creation only",
        note: "remove this change; an `upsert` can set the field where the item may be new, and a \
               migration can change it",
    })
}

/// Returns why a field can never change, if it cannot.
fn never_changes(model: &Model<'_>, field: &Field<'_>) -> Option<Refusal> {
    const CLOCK: &str = "remove this change; a test can set the clock with `Dynamo::with_clock(…)`";
    let (entity, field_name) = (model.entity.ident.unraw(), &field.name);
    let (message, label, note) = if model.is_in_primary_key(&field.name) {
        (
            format!(
                "`{field_name}` is part of the primary key of `{entity}`, and an item keeps its key"
            ),
            "part of the primary key",
            "create an item with the new key and delete the old one, in one transaction",
        )
    } else if field.version.is_some() {
        (
            format!("`{field_name}` is the version of `{entity}`, which every write counts up"),
            "counted up by every write",
            "remove this change; `.expect_version(…)` checks the version",
        )
    } else if field.created_at.is_some() {
        (
            format!("`{field_name}` is set from the clock when a `{entity}` is created"),
            "set from the clock",
            CLOCK,
        )
    } else if field.updated_at.is_some() {
        (
            format!("`{field_name}` is set from the clock by every write of a `{entity}`"),
            "set from the clock",
            CLOCK,
        )
    } else {
        return None;
    };
    Some(Refusal {
        name: format_ident!("Changes_{entity}_{field_name}"),
        message,
        label,
        note,
    })
}

/// Returns why a field of an index key cannot change by the item's key alone: a sibling is not an
/// attribute, so a condition cannot check it.
fn beside_key_only(model: &Model<'_>, field: &KeyField<'_>) -> Option<Refusal> {
    let beside = siblings(model, field);
    let other = beside.iter().find(|it| it.field.key_only.is_some())?;
    let (name, other) = (&field.field.name, &other.field.name);
    let keys = key_names(model, field);
    let changes = match field.field.updated_at {
        Some(_) => "is set by every update, and ",
        None => "",
    };
    Some(Refusal {
        name: format_ident!("ChangesByKey_{}_{name}", model.entity.ident.unraw()),
        message: format!(
            "`{name}` {changes}is in the key of {keys} with `{other}`, which is stored only in \
             keys, so the item must be read first"
        ),
        label: "needs the whole item",
        note: "read the item and change it with `item.update()`",
    })
}

/// Returns why an update cannot change a key field with a serde function: the update would write
/// another form.
fn encoded_in_key(model: &Model<'_>, field: &KeyField<'_>) -> Option<Refusal> {
    let Field {
        name,
        function,
        key_only,
        ..
    } = field.field;
    let (_, None) = (function.as_ref()?, key_only) else {
        return None;
    };
    let entity = model.entity.ident.unraw();
    Some(Refusal {
        name: format_ident!("Updates_{entity}_{name}"),
        message: format!(
            "`{name}` is part of a key of `{entity}`, and an update would not use the serde \
             function that writes it"
        ),
        label: "written with `#[serde(with = …)]`",
        note: "read the item, change the field, and store the whole item with `item.put()`",
    })
}

/// Returns why a field cannot change by the item's key alone.
fn not_by_key(model: &Model<'_>, field: &KeyField<'_>) -> Option<Refusal> {
    let encoded = || {
        let beside = siblings(model, field);
        let mut refusals = beside.iter().filter_map(|it| encoded_in_key(model, it));
        Some(Refusal {
            name: format_ident!(
                "ChangesByKey_{}_{}",
                model.entity.ident.unraw(),
                field.field.name
            ),
            ..refusals.next()?
        })
    };
    beside_key_only(model, field).or_else(encoded)
}

fn expand_changes(model: &Model<'_>) -> TokenStream {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let where_clause = &model.entity.generics.where_clause;
    let mut generics = model.entity.generics.clone();
    let known: GenericParam = parse_quote!(__K);
    generics.params.push(known);
    let mut by_key_generics = model.entity.generics.clone();
    by_key_generics.params.push(parse_quote!(__W));
    let (by_key_impl, ..) = by_key_generics.split_for_impl();
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
    let changes = super::changes_name(model.entity.ident);
    let known_impls = in_keys().next().map(|_| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #changes<#(#arguments,)* #dm::__private::Loaded> #where_clause {
                #(#loaded)*
            }

            #[automatically_derived]
            impl #by_key_impl #changes<#(#arguments,)* #dm::__private::ByKey<__W>> #where_clause {
                #(#by_key)*
            }
        }
    });
    quote! {
        pub struct #changes #changes_impl (
            ::core::marker::PhantomData<fn() -> (#self_ty, __K)>,
        ) #where_clause;

        #[automatically_derived]
        impl #changes_impl #changes #changes_ty #where_clause {
            #(#plain)*
        }

        #known_impls
    }
}

fn is_kept(field: &Field<'_>) -> bool {
    field.version.is_some() || field.created_at.is_some() || field.updated_at.is_some()
}

/// Returns the field if it is in the key of an index or in a unique constraint, and can change.
fn index_field<'m, 'a>(model: &'m Model<'a>, field: &Field<'_>) -> Option<&'m KeyField<'a>> {
    let key_field = model.key_field(&field.name)?;
    let changes = !model.is_in_primary_key(&field.name) && !is_kept(field);
    (changes && model.is_in_other_key(key_field)).then_some(key_field)
}

/// Writes the accessors that need no siblings: attributes in no key, and those that never change.
fn expand_plain(model: &Model<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let dm = &model.dm;
    if index_field(model, field).is_some() {
        return None;
    }
    let Some(Refusal { name, .. }) = never_changes(model, field) else {
        return Some(match set_at_creation(model.entity, field) {
            Some(refusal) => expand_immutable(model, field, &refusal),
            None => expand_slot(dm, model.entity, field),
        });
    };
    let (ident, ty) = (field.ident, value_type(dm, model.entity, field));
    Some(quote! {
        #[doc(hidden)]
        pub fn #ident(&self) -> #dm::expr::Slot<#ty>
        where
            __K: __refusals::#name,
        {
            #dm::__private::never()
        }
    })
}

/// Writes the accessor of an attribute that is in no key.
fn expand_slot(dm: &Runtime, entity: &Entity<'_>, field: &Field<'_>) -> TokenStream {
    let ident = field.ident;
    let (ty, path) = (
        value_type(dm, entity, field),
        expand_path(dm, entity, field),
    );
    let doc = format!("The attribute `{}`.", field.attribute);
    if field.nested.is_some() {
        // The span is the field's type: a type that is not a nested struct gives the same error as
        // in a condition, which the compiler shows once.
        let span = KeyType::of(field.ty).part.span();
        let (fields, made) = match is_required(field) {
            true => (
                quote!(<#ty as #dm::expr::Nested>::Fields),
                quote!({ <#ty as #dm::expr::Nested>::fields(#path) }),
            ),
            false => (
                quote!(#dm::__private::Removable<<#ty as #dm::expr::Nested>::Fields>),
                quote!({ #dm::__private::Removable(<#ty as #dm::expr::Nested>::fields(#path)) }),
            ),
        };
        let (fields, made) = (super::at(span, fields), super::at(span, made));
        return quote! {
            #[doc = #doc]
            pub fn #ident(&self) -> #fields #made
        };
    }
    let presence = presence(dm, field);
    quote! {
        #[doc = #doc]
        pub fn #ident(&self) -> #dm::expr::Slot<#ty, #presence> {
            #dm::expr::Slot::new(#path)
        }
    }
}

/// Writes the accessor of an immutable attribute that is in no key.
fn expand_immutable(model: &Model<'_>, field: &Field<'_>, refusal: &Refusal) -> TokenStream {
    let (dm, ident, name) = (&model.dm, field.ident, &refusal.name);
    let (ty, path) = (
        value_type(dm, model.entity, field),
        expand_path(dm, model.entity, field),
    );
    let doc = format!(
        "The attribute `{}`, for an item that may be new.",
        field.attribute
    );
    quote! {
        #[doc = #doc]
        pub fn #ident(&self) -> #dm::__private::ImmutableSlot<#ty, __K>
        where
            __K: __refusals::#name,
        {
            #dm::__private::ImmutableSlot::new(#path)
        }
    }
}

/// Writes the accessor of an attribute after an error in the declaration.
pub(crate) fn expand_stub_slot(
    dm: &Runtime,
    entity: &Entity<'_>,
    field: &Field<'_>,
    arguments: &[TokenStream],
) -> TokenStream {
    let (ident, ty) = (field.ident, value_type(dm, entity, field));
    let slot = match field.nested {
        Some(_) => quote!(<#ty as #dm::expr::Nested>::Fields),
        None => quote!(#dm::__private::StubSlot<#ty>),
    };
    quote! {
        pub fn #ident(&self, #(#arguments),*) -> #slot {
            ::core::unreachable!()
        }
    }
}

fn expand_path(dm: &Runtime, entity: &Entity<'_>, field: &Field<'_>) -> TokenStream {
    let attribute = &field.attribute;
    let hidden = field.sensitive.map(|_| quote!(.hidden()));
    let stored = stored_options(dm, entity, field);
    quote!(#dm::expr::Path::attribute(#attribute)#hidden #stored)
}

fn presence(dm: &Runtime, field: &Field<'_>) -> TokenStream {
    if is_required(field) {
        quote!(#dm::__private::Required)
    } else {
        quote!(#dm::__private::Optional)
    }
}

/// Writes `KeySlot::new("status", Some(Path::attribute("status")))`.
fn expand_key_slot(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let (dm, name) = (&model.dm, &field.field.name);
    let path = (field.field.key_only.is_none()).then(|| {
        let attribute = &field.field.attribute;
        let hidden = field.field.sensitive.map(|_| quote!(.hidden()));
        quote!(#dm::expr::Path::attribute(#attribute)#hidden)
    });
    let path = super::option(path);
    quote!(#dm::expr::KeySlot::new(#name, #path))
}

/// Returns the type of a slot. In an index key only an `Option` can be absent: a default would not
/// make a key.
fn key_slot_type(dm: &Runtime, field: &KeyField<'_>) -> TokenStream {
    let ty = field.parsed();
    let presence = if field.ty.optional && field.field.immutable.is_none() {
        quote!(Optional)
    } else {
        quote!(Required)
    };
    quote!(#dm::expr::KeySlot<#ty, #dm::__private::#presence>)
}

fn key_names(model: &Model<'_>, field: &KeyField<'_>) -> String {
    let name = &field.field.name;
    let keys = model.built_indexes().filter(|key| key.has(name));
    let mut names: Vec<String> = keys
        .filter_map(|key| Some(format!("`{}`", key.name()?)))
        .collect();
    let uniques = model.uniques.iter().map(|unique| &unique.template);
    let uniques = uniques.filter(|unique| unique.parts.iter().any(|part| part.field == *name));
    names.extend(uniques.map(|unique| format!("`{}`", unique.text)));
    names.join(", ")
}

/// Writes a field that cannot be changed, for each state of knowledge about the item.
fn expand_unwritable(
    model: &Model<'_>,
    field: &KeyField<'_>,
    known: &TokenStream,
    refusal: &Refusal,
) -> TokenStream {
    let (dm, ident) = (&model.dm, field.field.ident);
    let (ty, name) = (key_slot_type(dm, field), &refusal.name);
    quote! {
        #[doc(hidden)]
        pub fn #ident(&self) -> #ty
        where
            for<'__t> #known: __refusals::#name,
        {
            #dm::__private::never()
        }
    }
}

fn expand_loaded(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let dm = &model.dm;
    let ident = field.field.ident;
    if let Some(refusal) = set_at_creation(model.entity, field.field) {
        return expand_unwritable(model, field, &quote!(#dm::__private::Loaded), &refusal);
    }
    if let Some(refusal) = encoded_in_key(model, field) {
        return expand_unwritable(model, field, &quote!(#dm::__private::ByKey), &refusal);
    }
    let (ty, slot) = (key_slot_type(dm, field), expand_key_slot(model, field));
    let bound = serialize_bound(dm, field);
    let doc = format!(
        "`{}`, and with it the keys of {}.",
        field.field.name,
        key_names(model, field)
    );
    quote! {
        #[doc = #doc]
        pub fn #ident(&self) -> #ty
        where
            #bound
        {
            #slot
        }
    }
}

fn expand_by_key(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let dm = &model.dm;
    let ident = field.field.ident;
    let (ty, slot) = (key_slot_type(dm, field), expand_key_slot(model, field));
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
    if let Some(refusal) = encoded_in_key(model, field).or_else(|| not_by_key(model, field)) {
        return expand_unwritable(model, field, &quote!(#dm::__private::ByKey), &refusal);
    }
    let immutable = set_at_creation(model.entity, field.field);
    let immutable = immutable
        .map(|Refusal { name, .. }| quote!(#dm::__private::ByKey<__W>: __refusals::#name,));
    let argument = |known: &KeyField<'_>| match known.field.name == field.field.name {
        true => format_ident!(
            "current_{}",
            known.field.name,
            span = known.field.ident.span()
        ),
        false => known.argument().clone(),
    };
    let parameters = beside
        .iter()
        .map(|it| it.value_parameter(dm, &argument(it)));
    let bounds = beside.iter().filter(|it| it.field.name != field.field.name);
    let bounds = bounds.filter_map(|it| serialize_bound(dm, it));
    let bound = serialize_bound(dm, field);
    let known = beside
        .iter()
        .map(|it| expand_beside(model, it, &argument(it)));
    quote! {
        #[doc = #doc]
        pub fn #ident(&self, #(#parameters),*) -> #ty
        where
            #bound #(#bounds)* #immutable
        {
            #slot #(#known)*
        }
    }
}

fn expand_beside(model: &Model<'_>, field: &KeyField<'_>, ident: &Ident) -> TokenStream {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let (name, marker, ty) = (&field.field.name, &field.marker, field.parsed());
    if field.ty.optional {
        let argument = field.optional_argument();
        return quote!(.maybe_beside::<#ty, #argument, _>(#name, &#ident));
    }
    quote!(.beside::<#ty>(#name, #dm::__private::argument::<#marker #ty_generics, _>(&#ident)))
}

fn expand_writable(model: &Model<'_>) -> TokenStream {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let (impl_generics, _, where_clause) = model.entity.generics.split_for_impl();
    let arguments = model.generic_arguments();
    let stamps = model.entity.fields.iter();
    let stamps = stamps.filter_map(|field| expand_stamp(model, field));
    let stamps: Vec<_> = stamps.collect();
    let stamps = (!stamps.is_empty())
        .then(|| quote!(const STAMPS: &'static [#dm::__private::Stamp] = &[#(#stamps),*];));
    let stored = model.uniques.first().map(|unique| {
        let read = quote_spanned!(unique.span()=> #dm::__private::ReadBack);
        quote! {
            #[inline]
            fn stored_fields(
                __item: #dm::__private::StoredItem<'_>,
            ) -> ::core::result::Result<#dm::__private::KeyFields, #dm::Error> {
                <Self as #read>::read_back(__item)
            }
        }
    });
    let uniques = match model.uniques.is_empty() {
        true => quote!(NoUniques),
        false => quote!(SomeUniques),
    };
    let has = |is: fn(&Field<'_>) -> bool| model.entity.fields.iter().any(is);
    let immutables = match has(|field| field.immutable.is_some()) {
        true => quote!(SomeImmutables),
        false => quote!(NoImmutables),
    };
    let version = match has(|field| field.version.is_some()) {
        true => quote!(Versioned),
        false => quote!(Unversioned),
    };
    let type_check = match model.entity.checks_type() {
        true => quote!(OwnTypeOnly),
        false => quote!(AnyType),
    };
    let marked = [
        (has(|field| field.ttl.is_some()), quote!(Expires)),
        (has(|field| field.updated_at.is_some()), quote!(Touched)),
    ];
    let marks = marked.iter().filter(|(has, _)| *has).map(|(_, mark)| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #dm::__private::#mark for #self_ty #where_clause {}
        }
    });
    let changes = super::changes_name(model.entity.ident);
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::__private::Writable for #self_ty #where_clause {
            type Whole = Self;

            #[inline]
            fn whole(&self) -> &Self {
                self
            }

            type Uniques = #dm::__private::#uniques;

            type Version = #dm::__private::#version;

            type TypeCheck = #dm::membership::#type_check;

            type Immutables = #dm::__private::#immutables;

            type Changes<__K> = #changes<#(#arguments,)* __K>;

            fn changes<__K>() -> Self::Changes<__K> {
                #changes(::core::marker::PhantomData)
            }

            #stored

            #stamps
        }

        #(#marks)*
    }
}

/// Writes `Stamp::new::<Timestamp>("updated_at", "updatedAt", StampOn::Write)`.
fn expand_stamp(model: &Model<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let dm = &model.dm;
    let on = match (field.created_at, field.updated_at) {
        (Some(_), _) => quote!(Create),
        (_, Some(_)) => quote!(Write),
        _ => return None,
    };
    let (name, attribute) = (&field.name, &field.attribute);
    let part = KeyType::of(field.ty).part;
    let stamp = match field.encoding(model.entity.ident) {
        Some(encoding) => {
            let encoding = encoding.applied(model.entity.generics);
            quote_spanned!(part.span()=> #dm::__private::Stamp::encoded::<#part, #encoding>)
        }
        None => quote_spanned!(part.span()=> #dm::__private::Stamp::new::<#part>),
    };
    Some(quote!(#stamp(#name, #attribute, #dm::__private::StampOn::#on)))
}
