//! Key builders and parsers: of the table, and of each index.

use super::model::{Half, Key, KeyField, Model};
use super::parts::{Place, Recovery, expand_parts, parts_name, recovery};
use crate::template::{Placeholder, Precision, Spec, Template, TimePiece};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

/// ```text
/// struct __Keys;
/// impl __Keys {
///     const PRIMARY_PK_PARTS: &'static [PartSchema] = &[PartSchema::new::<User_user_id>(Spec::Plain, "")];
///     const PRIMARY_PK: &'static Template = &Template::new("User", …, "USER#", Self::PRIMARY_PK_PARTS);
/// }
/// ```
pub(crate) fn expand_templates(model: &Model<'_>) -> TokenStream {
    let self_ty = model.self_ty();
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let constants = model.keys.iter().flat_map(|key| {
        key.halves()
            .map(move |half| expand_template(model, key, half))
    });
    let uniques = model
        .uniques
        .iter()
        .enumerate()
        .map(|(i, unique)| expand_unique(model, i, &unique.template));
    quote! {
        struct __Keys #impl_generics (::core::marker::PhantomData<fn() -> #self_ty>) #where_clause;
        impl #impl_generics __Keys #ty_generics #where_clause {
            #(#constants)*
            #(#uniques)*
        }
    }
}

fn expand_template(model: &Model<'_>, key: &Key<'_>, half: &Half<'_>) -> TokenStream {
    expand_template_as(
        model,
        &half.constant(key),
        half.template,
        &half.role(&model.dm),
        model.closing_delimiter(half),
    )
}

/// The template of a unique constraint, which is both halves of a key where the table has two.
fn expand_unique(model: &Model<'_>, i: usize, template: &Template) -> TokenStream {
    let dm = &model.dm;
    expand_template_as(
        model,
        &unique_constant(i),
        template,
        &quote!(#dm::schema::Role::SortKey),
        super::model::closing_delimiter(template),
    )
}

pub(super) fn unique_constant(i: usize) -> Ident {
    format_ident!("UNIQUE{i}")
}

fn expand_template_as(
    model: &Model<'_>,
    constant: &Ident,
    template: &Template,
    role: &TokenStream,
    closing: Option<u8>,
) -> TokenStream {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let parts_constant = format_ident!("{constant}_PARTS");
    let entity = model.entity.ident.unraw().to_string();
    let (text, head) = (&template.text, &template.head);
    let parts = template.parts.iter().filter_map(|part| {
        let marker = &model.key_field(&part.field)?.marker;
        let (spec, after) = (expand_spec(dm, &part.spec), &part.after);
        let last = template
            .parts
            .last()
            .is_some_and(|last| std::ptr::eq(last, part));
        let closing = closing.filter(|_| last);
        let closing = closing.map(|delimiter| quote!(.closing(#delimiter)));
        Some(quote!(#dm::schema::PartSchema::new::<#marker #ty_generics>(#spec, #after)#closing))
    });
    quote! {
        const #parts_constant: &'static [#dm::schema::PartSchema] = &[#(#parts),*];
        const #constant: &'static #dm::schema::Template =
            &#dm::schema::Template::new(#entity, #role, #text, #head, Self::#parts_constant);
    }
}

fn expand_spec(dm: &TokenStream, spec: &Spec) -> TokenStream {
    let spec = match spec {
        Spec::Plain => quote!(Plain),
        Spec::Padded(width) => quote!(Padded(#width)),
        Spec::Precision(precision) => {
            let precision = match precision {
                Precision::Seconds => quote!(Seconds),
                Precision::Millis => quote!(Millis),
                Precision::Micros => quote!(Micros),
                Precision::Nanos => quote!(Nanos),
            };
            quote!(Precision(#dm::schema::Precision::#precision))
        }
        Spec::Format(pieces) => {
            let pieces = pieces.iter().map(|piece| {
                let piece = match piece {
                    TimePiece::Literal(text) => quote!(Literal(#text)),
                    TimePiece::Year => quote!(Year),
                    TimePiece::Month => quote!(Month),
                    TimePiece::Day => quote!(Day),
                    TimePiece::DayOfYear => quote!(DayOfYear),
                    TimePiece::Hour => quote!(Hour),
                    TimePiece::Minute => quote!(Minute),
                    TimePiece::Second => quote!(Second),
                    TimePiece::Fraction(digits) => quote!(Fraction(#digits)),
                };
                quote!(#dm::schema::TimePiece::#piece)
            });
            quote!(Format(&[#(#pieces),*]))
        }
        Spec::Lower => quote!(Lower),
        Spec::Shard(count) => quote!(Shard(#count)),
        Spec::Raw => quote!(Raw),
    };
    quote!(#dm::schema::Spec::#spec)
}

/// The builders, the parser and `impl IndexedBy` of one key.
pub(crate) fn expand(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let builders = expand_builders(model, key);
    let methods = expand_methods(model, key);
    let parts = expand_parts(model, key);
    let indexed = expand_indexed_by(model, key);
    quote!(#builders #methods #parts #indexed)
}

fn value_ident(i: usize) -> Ident {
    format_ident!("__value{i}")
}

/// The value, among a key's values, of a placeholder.
fn value_of(fields: &[&KeyField<'_>], part: &Placeholder) -> Ident {
    let position = fields
        .iter()
        .position(|field| field.field.name == part.field);
    value_ident(position.unwrap_or_default())
}

/// ```text
/// impl __Keys {
///     fn primary(__value0: PartValue<'_>) -> Result<Key<User>, KeyError> { … }      // from values
///     fn primary_of(entity: &User) -> Result<Key<User>, KeyError> { … }             // from an item
/// }
/// ```
///
/// The first is `#[inline]`, as the kinds of the values are known where it is called. Not always, as a
/// library has two callers of it for each key, and would compile for half as long again.
fn expand_builders(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, self_ty, marker) = (&model.dm, model.self_ty(), key.marker(&model.dm));
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let fields = model.fields_of(key);
    let build = key_function(key);
    let values: Vec<_> = (0..fields.len()).map(value_ident).collect();
    let half = |half: &Half<'_>| {
        let (constant, role) = (half.constant(key), half.role(dm));
        let values = half
            .template
            .parts
            .iter()
            .map(|part| value_of(&fields, part));
        quote! {
            Self::#constant.build(
                const { #dm::__private::key_type::<#self_ty, #marker>(#role) },
                [#(#values),*],
            )?
        }
    };
    let (pk, sk) = (half(&key.pk), super::option(key.sk.as_ref().map(half)));
    let from_item = expand_from_item(model, key, &fields);
    quote! {
        impl #impl_generics __Keys #ty_generics #where_clause {
            #[inline]
            fn #build(
                #(#values: #dm::PartValue<'_>),*
            ) -> ::core::result::Result<#dm::Key<#self_ty, #marker>, #dm::KeyError> {
                ::core::result::Result::Ok(#dm::Key::new(#pk, #sk))
            }
            #from_item
        }
    }
}

fn key_function(key: &Key<'_>) -> Ident {
    format_ident!("{}", key.label().to_lowercase())
}

fn expand_from_item(model: &Model<'_>, key: &Key<'_>, fields: &[&KeyField<'_>]) -> TokenStream {
    let (dm, self_ty, marker) = (&model.dm, model.self_ty(), key.marker(&model.dm));
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let build = key_function(key);
    let from_item = format_ident!("{build}_of");
    let values: Vec<_> = (0..fields.len()).map(value_ident).collect();
    let bindings = fields.iter().zip(&values).map(|(field, value)| {
        let (ident, marker) = (field.field.ident, &field.marker);
        if field.ty.optional {
            quote! {
                let ::core::option::Option::Some(#value) = &__entity.#ident else {
                    return ::core::result::Result::Ok(::core::option::Option::None);
                };
                let #value = #dm::__private::value::<#marker #ty_generics>(#value);
            }
        } else {
            quote!(let #value = #dm::__private::value::<#marker #ty_generics>(&__entity.#ident);)
        }
    });
    let losses = key
        .halves()
        .flat_map(|half| expand_losses(model, key, half, fields));
    let key_ty = quote!(#dm::Key<#self_ty, #marker>);
    let (ret, call) = if key.index.is_none() {
        (key_ty, quote!(Self::#build(#(#values),*)))
    } else {
        (
            quote!(::core::option::Option<#key_ty>),
            quote!(Self::#build(#(#values),*).map(::core::option::Option::Some)),
        )
    };
    quote! {
        fn #from_item(__entity: &#self_ty) -> ::core::result::Result<#ret, #dm::KeyError> {
            #(#bindings)*
            #(#losses)*
            #call
        }
    }
}

/// A time that is stored nowhere else must not lose digits: a bare one over its own attribute, and one that
/// lives in keys alone.
fn expand_losses(
    model: &Model<'_>,
    key: &Key<'_>,
    half: &Half<'_>,
    fields: &[&KeyField<'_>],
) -> Vec<TokenStream> {
    let (dm, self_ty, marker) = (&model.dm, model.self_ty(), key.marker(&model.dm));
    let (constant, role) = (half.constant(key), half.role(dm));
    let timed = half
        .parts()
        .filter(|(_, part)| matches!(part.spec, Spec::Precision(_)));
    let losses = timed.filter_map(|(i, part)| {
        let field = model.key_field(&part.field)?.field;
        let (value, attribute) = (value_of(fields, part), &field.attribute);
        let refuse = quote!(Self::#constant.refuse_loss(#i, #value)?;);
        if field.key_only.is_some() {
            return Some(refuse);
        }
        half.template.is_bare().then(|| {
            quote! {
                if #dm::__private::is_own_attribute::<#self_ty, #marker>(#role, #attribute) {
                    #refuse
                }
            }
        })
    });
    losses.collect()
}

/// ```text
/// impl User {
///     pub fn key(user_id: impl AsKeyPart<UserId>) -> Result<Key<User>, KeyError> { … }
///     pub fn partition_key(user_id: impl AsKeyPart<UserId>) -> Result<KeyValue, KeyError> { … }
///     pub fn parse_key<'k>(pk: impl Into<KeyRef<'k>>, …) -> Result<KeyParts<User>, KeyError> { … }
/// }
/// ```
fn expand_methods(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, vis, self_ty, marker) = (
        &model.dm,
        model.entity.vis,
        model.self_ty(),
        key.marker(&model.dm),
    );
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let fields = model.fields_of(key);
    let (key_method, build) = (key.method("key"), key_function(key));
    let parameters = fields.iter().map(|field| field.parameter(dm));
    let arguments = fields.iter().map(|field| field.argument_value(model));
    let key_doc = format!("The key in {}: {}.", key.place(), key.condition());
    let partition = expand_partition_method(model, key);
    let parse_method = match key.name() {
        Some(name) => format_ident!("parse_{name}_key"),
        None => format_ident!("parse_key"),
    };
    let parse_doc = format!(
        "The fields, from a stored key of {}: {}.",
        key.place(),
        key.condition()
    );
    let (sk_generic, sk_parameter, sk_argument) = if key.sk.is_some() {
        (
            quote!(, __S: ::core::convert::Into<#dm::KeyRef<'__k>>),
            quote!(, sk: __S),
            quote!(::core::option::Option::Some(sk.into())),
        )
    } else {
        (
            TokenStream::new(),
            TokenStream::new(),
            quote!(::core::option::Option::None),
        )
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #self_ty #where_clause {
            #[doc = #key_doc]
            #[inline]
            #vis fn #key_method(
                #(#parameters),*
            ) -> ::core::result::Result<#dm::Key<Self, #marker>, #dm::KeyError> {
                <__Keys #ty_generics>::#build(#(#arguments),*)
            }

            #partition

            #[doc = #parse_doc]
            #vis fn #parse_method<'__k, __P: ::core::convert::Into<#dm::KeyRef<'__k>> #sk_generic>(
                pk: __P #sk_parameter
            ) -> ::core::result::Result<#dm::KeyParts<Self, #marker>, #dm::KeyError> {
                <Self as #dm::IndexedBy<#marker>>::parse(pk.into(), #sk_argument)
            }
        }
    }
}

fn expand_partition_method(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, vis, marker) = (&model.dm, model.entity.vis, key.marker(&model.dm));
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let method = key.method("partition_key");
    let doc = format!(
        "The partition key in {}: `{}`.",
        key.place(),
        key.pk.template.text
    );
    let fields = model.partition_fields_of(key);
    let parameters = fields.iter().map(|field| field.parameter(dm));
    let values = key
        .pk
        .template
        .parts
        .iter()
        .filter_map(|part| Some(model.key_field(&part.field)?.argument_value(model)));
    let (constant, role) = (key.pk.constant(key), key.pk.role(dm));
    quote! {
        #[doc = #doc]
        #[inline]
        #vis fn #method(
            #(#parameters),*
        ) -> ::core::result::Result<#dm::KeyValue, #dm::KeyError> {
            <__Keys #ty_generics>::#constant.build(
                const { #dm::__private::key_type::<Self, #marker>(#role) },
                [#(#values),*],
            )
        }
    }
}

fn expand_indexed_by(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, self_ty, marker) = (&model.dm, model.self_ty(), key.marker(&model.dm));
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let fields = model.fields_of(key);
    let (parts, from_item) = (parts_name(key), format_ident!("{}_of", key_function(key)));
    let idents = fields.iter().map(|field| field.field.ident);
    let values: Vec<_> = (0..fields.len()).map(value_ident).collect();
    let decodes = fields
        .iter()
        .zip(&values)
        .map(|(field, value)| expand_decode(model, key, field, value));
    let template = |half: &Half<'_>| {
        let constant = half.constant(key);
        quote!(<__Keys #ty_generics>::#constant)
    };
    let (pk_template, pk_role, pk_len) = (
        template(&key.pk),
        key.pk.role(dm),
        key.pk.template.parts.len(),
    );
    let split_sk = match &key.sk {
        Some(sk) => {
            let (template, role, len) = (template(sk), sk.role(dm), sk.template.parts.len());
            quote! {
                let __sk: [#dm::__private::RawPart<'_>; #len] = #template.split(
                    #dm::__private::key_type::<Self, #marker>(#role),
                    #dm::__private::expect_sort_key(#template, __sk)?,
                )?;
            }
        }
        None => quote!(#dm::__private::expect_no_sort_key(#pk_template, __sk)?;),
    };
    let wrap = key
        .index
        .is_none()
        .then(|| quote!(.map(::core::option::Option::Some)));
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::IndexedBy<#marker> for #self_ty #where_clause {
            type Parts = #parts #ty_generics;

            fn key_in(
                &self,
            ) -> ::core::result::Result<::core::option::Option<#dm::Key<Self, #marker>>, #dm::KeyError> {
                <__Keys #ty_generics>::#from_item(self)#wrap
            }

            fn parse(
                __pk: #dm::KeyRef<'_>,
                __sk: ::core::option::Option<#dm::KeyRef<'_>>,
            ) -> ::core::result::Result<Self::Parts, #dm::KeyError> {
                let __pk: [#dm::__private::RawPart<'_>; #pk_len] = #pk_template.split(
                    #dm::__private::key_type::<Self, #marker>(#pk_role),
                    __pk,
                )?;
                #split_sk
                #(#decodes)*
                ::core::result::Result::Ok(#parts {
                    #(#idents: #values,)*
                    __entity: ::core::marker::PhantomData,
                })
            }
        }
    }
}

fn expand_decode(
    model: &Model<'_>,
    key: &Key<'_>,
    field: &KeyField<'_>,
    value: &Ident,
) -> TokenStream {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let marker = &field.marker;
    let at = |place: &Place<'_>| {
        let (constant, raw) = match (&key.sk, place.sort) {
            (Some(sk), true) => (sk.constant(key), quote!(__sk)),
            _ => (key.pk.constant(key), quote!(__pk)),
        };
        let index = place.index;
        quote!(<__Keys #ty_generics>::#constant, #index, #raw[#index])
    };
    match recovery(key, field) {
        Recovery::Whole(whole, others) => {
            let at_whole = at(&whole);
            let decode = if field.ty.borrowed {
                let parsed = field.parsed();
                quote!(#dm::__private::decode_as::<#parsed>(#at_whole)?)
            } else {
                quote!(#dm::__private::decode::<#marker #ty_generics>(#at_whole)?)
            };
            let agree = others.iter().map(|other| {
                let at = at(other);
                quote!(#dm::__private::agree(#at, #dm::__private::value::<#marker #ty_generics>(&#value))?;)
            });
            quote!(let #value = #decode; #(#agree)*)
        }
        Recovery::Bucket(places) => {
            let reads = places.iter().map(|place| {
                let at = at(place);
                quote!(let #value = #dm::__private::decode_bucket(#at, #value)?;)
            });
            quote! {
                let #value = <#dm::TimeBucket as ::core::default::Default>::default();
                #(#reads)*
            }
        }
        Recovery::Shard(place) => {
            let at = at(&place);
            quote!(let #value = #dm::__private::decode_shard(#at)?;)
        }
    }
}
