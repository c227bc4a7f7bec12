//! Writes the methods that build and parse the keys of the table and of each index.

use super::model::{Half, Key, KeyField, Model};
use super::parts::{Place, Recovery, expand_parts, parts_name, recovery};
use crate::expand::Runtime;
use crate::template::{EpochUnit, Form, Precision, Spec, Template, TimePiece, Transform};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

/// Writes a template:
///
/// ```text
/// &Template::new("User", Role::PartitionKey, "USER#<user_id>", "USER#", &[
///     PartSchema::new::<User_user_id>(…),
/// ])
/// ```
pub(super) fn expand_template(model: &Model<'_>, half: &Half<'_>) -> TokenStream {
    let (role, closing) = (half.role(&model.dm), model.closing_delimiter(half));
    expand_template_as(model, half.template, &role, closing)
}

/// Writes the template of a unique constraint. It is both halves of the key if the table has a sort
/// key.
pub(super) fn expand_unique(model: &Model<'_>, template: &Template) -> TokenStream {
    let dm = &model.dm;
    let role = quote!(#dm::schema::Role::SortKey);
    let closing = super::model::closing_delimiter(template);
    expand_template_as(model, template, &role, closing)
}

fn expand_template_as(
    model: &Model<'_>,
    template: &Template,
    role: &TokenStream,
    closing: Option<u8>,
) -> TokenStream {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let entity = model.entity.ident.unraw().to_string();
    let (text, head) = (&template.text, &template.head);
    let parts = template.parts.iter().filter_map(|part| {
        let marker = &model.key_field(&part.field)?.marker;
        let (field, spec, after) = (&part.field, expand_spec(dm, &part.spec), &part.after);
        let last = template
            .parts
            .last()
            .is_some_and(|last| std::ptr::eq(last, part));
        let closing = closing.filter(|_| last);
        let closing = closing.map(|delimiter| quote!(.closing(#delimiter)));
        Some(quote! {
            #dm::schema::PartSchema::new::<#marker #ty_generics>(#field, #spec, #after)#closing
        })
    });
    let parts: Vec<_> = parts.collect();
    // Each attribute has a template of its own.
    let attributes = template.native.then(|| {
        let names = template
            .parts
            .iter()
            .map(|part| format!("<{}>", part.field));
        quote! {
            .of_attributes(&[#(
                #dm::schema::Template::new(#entity, #role, #names, "", &[#parts])
            ),*])
        }
    });
    quote!(&#dm::schema::Template::new(#entity, #role, #text, #head, &[#(#parts),*]) #attributes)
}

fn expand_spec(dm: &Runtime, spec: &Spec) -> TokenStream {
    let form = match &spec.form {
        Form::Plain => None,
        Form::Padded(width) => Some(quote!(Padded(#width))),
        Form::Precision(precision) => {
            let precision = match precision {
                Precision::Seconds => quote!(Seconds),
                Precision::Millis => quote!(Millis),
                Precision::Micros => quote!(Micros),
                Precision::Nanos => quote!(Nanos),
            };
            Some(quote!(Precision(#dm::schema::Precision::#precision)))
        }
        Form::Epoch(EpochUnit::Seconds) => Some(quote!(Epoch(#dm::schema::EpochUnit::Seconds))),
        Form::Epoch(EpochUnit::Millis) => Some(quote!(Epoch(#dm::schema::EpochUnit::Millis))),
        Form::Format(pieces) => {
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
            Some(quote!(Format(&[#(#pieces),*])))
        }
        Form::Shard(count) => Some(quote!(Shard(#count))),
    };
    let form = match form {
        Some(form) => quote!(of(#dm::schema::Form::#form)),
        None => quote!(PLAIN),
    };
    let transform = spec.transform.map(|transform| {
        let name = match transform {
            Transform::Lower => quote!(Lower),
            Transform::Upper => quote!(Upper),
            Transform::Descending => quote!(Descending),
        };
        quote!(.with(#dm::schema::Transform::#name))
    });
    let raw = spec.raw.then(|| quote!(.raw()));
    let or_empty = spec.or_empty.then(|| quote!(.or_empty()));
    quote!(#dm::schema::Spec::#form #transform #raw #or_empty)
}

/// Writes the type of a parsed key, and `impl IndexedBy`.
pub(crate) fn expand(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let parts = expand_parts(model, key);
    let indexed = expand_indexed_by(model, key);
    quote!(#parts #indexed)
}

/// ```text
/// pub fn key(user_id: impl AsKeyPart<UserId>) -> Result<Key<User>, KeyError> { … }
/// pub fn partition_key(user_id: …) -> Result<PartitionKey<User>, KeyError> { … }
/// pub fn parse_key<'k>(pk: impl Into<KeyRef<'k>>, …) -> Result<KeyParts<User>, KeyError> { … }
/// ```
pub(crate) fn expand_methods(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let build = expand_build_method(model, key);
    let partition = expand_partition_method(model, key);
    let parse = expand_parse_method(model, key);
    quote!(#build #partition #parse)
}

/// Returns the values for one template of a key.
pub(super) fn expand_values(model: &Model<'_>, key: &Key<'_>, half: &Half<'_>) -> TokenStream {
    let parts = half.template.parts.iter();
    let values = parts.filter_map(|part| {
        let field = model.key_field(&part.field)?;
        Some(field.argument_value(model, key.may_be_empty(field)))
    });
    quote!([#(#values),*])
}

fn expand_build_method(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, vis, marker) = (&model.dm, model.entity.vis, key.marker(&model.dm));
    let fields = model.fields_of(key);
    let parameters = fields
        .iter()
        .map(|field| field.parameter(dm, key.may_be_empty(field)));
    let method = key.method("key");
    let doc = format!("The key in {}: {}.", key.place(), key.condition());
    let pk = expand_values(model, key, &key.pk);
    let built = match &key.sk {
        Some(sk) => {
            let sk = expand_values(model, key, sk);
            quote!(#dm::Key::of_both(#pk, #sk))
        }
        None => quote!(#dm::Key::of_one(#pk)),
    };
    quote! {
        #[doc = #doc]
        #[inline]
        #vis fn #method(
            #(#parameters),*
        ) -> ::core::result::Result<#dm::Key<Self, #marker>, #dm::KeyError> {
            #built
        }
    }
}

fn expand_partition_method(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, vis, marker) = (&model.dm, model.entity.vis, key.marker(&model.dm));
    let method = key.method("partition_key");
    let doc = format!(
        "The partition key in {}: `{}`.",
        key.place(),
        key.pk.template.text
    );
    let fields = model.partition_fields_of(key);
    let parameters = fields
        .iter()
        .map(|field| field.parameter(dm, key.may_be_empty(field)));
    let values = expand_values(model, key, &key.pk);
    quote! {
        #[doc = #doc]
        #[inline]
        #vis fn #method(
            #(#parameters),*
        ) -> ::core::result::Result<#dm::key::PartitionKey<Self, #marker>, #dm::KeyError> {
            #dm::__private::partition::<Self, #marker, _>(#values)
        }
    }
}

fn expand_parse_method(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, vis, marker) = (&model.dm, model.entity.vis, key.marker(&model.dm));
    let method = match key.name() {
        Some(name) => format_ident!("parse_{name}_key"),
        None => format_ident!("parse_key"),
    };
    let doc = format!(
        "The fields, from a stored key of {}: {}.",
        key.place(),
        key.condition()
    );
    let (sk_generic, sk_parameter, sk_argument) = if key.sk.is_some() {
        (
            quote!(, __S: ::core::convert::Into<#dm::key::KeyRef<'__k>>),
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
        #[doc = #doc]
        #vis fn #method<'__k, __P: ::core::convert::Into<#dm::key::KeyRef<'__k>> #sk_generic>(
            pk: __P #sk_parameter
        ) -> ::core::result::Result<#dm::bounds::KeyParts<Self, #marker>, #dm::KeyError> {
            <Self as #dm::bounds::IndexedBy<#marker>>::parse(pk.into(), #sk_argument)
        }
    }
}

fn expand_indexed_by(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, self_ty, marker) = (&model.dm, model.self_ty(), key.marker(&model.dm));
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let (fields, parts) = (model.fields_of(key), parts_name(model, key));
    let parse = match is_plain(key, &fields) {
        true => expand_plain_parse(model, key, &fields),
        false => expand_parse(model, key, &fields),
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::bounds::IndexedBy<#marker> for #self_ty #where_clause {
            type Parts = #parts #ty_generics;

            #[inline]
            fn parse(
                __pk: #dm::key::KeyRef<'_>,
                __sk: ::core::option::Option<#dm::key::KeyRef<'_>>,
            ) -> ::core::result::Result<Self::Parts, #dm::KeyError> {
                #parse
            }
        }
    }
}

/// Returns whether each field is in one placeholder only, as a whole.
fn is_plain(key: &Key<'_>, fields: &[&KeyField<'_>]) -> bool {
    let places = key.halves().map(|half| half.template.parts.len());
    let whole = |field: &&KeyField<'_>| {
        let whole = matches!(recovery(key, field), Recovery::Whole(..));
        whole && !field.ty.borrowed && !key.may_be_empty(field)
    };
    places.sum::<usize>() == fields.len() && fields.iter().all(whole)
}

/// Parses all fields in one expression, because each `?` takes compile time:
///
/// ```text
/// let (user_id, (number, ())) =
///     parts::<Self, Primary, (Order_user_id, (Order_number, ()))>(pk, sk)?;
/// ```
fn expand_plain_parse(model: &Model<'_>, key: &Key<'_>, fields: &[&KeyField<'_>]) -> TokenStream {
    let (dm, marker, parts) = (&model.dm, key.marker(&model.dm), parts_name(model, key));
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let idents = fields.iter().map(|field| field.field.ident);
    let nothing = (quote!(()), quote!(()));
    let (values, types) = fields.iter().rev().fold(nothing, |(values, types), field| {
        let (ident, marker) = (field.field.ident, &field.marker);
        (
            quote!((#ident, #values)),
            quote!((#marker #ty_generics, #types)),
        )
    });
    quote! {
        let #values = #dm::__private::parts::<Self, #marker, #types>(__pk, __sk)?;
        ::core::result::Result::Ok(#parts { #(#idents,)* __entity: ::core::marker::PhantomData })
    }
}

/// Parses one field after the other.
fn expand_parse(model: &Model<'_>, key: &Key<'_>, fields: &[&KeyField<'_>]) -> TokenStream {
    let (dm, marker, parts) = (&model.dm, key.marker(&model.dm), parts_name(model, key));
    let decodes = fields.iter().map(|field| {
        let (ident, decode) = (field.field.ident, expand_decode(model, key, field));
        quote!(#ident: #decode,)
    });
    quote! {
        let __key = #dm::__private::split::<Self, #marker>(__pk, __sk)?;
        ::core::result::Result::Ok(#parts {
            #(#decodes)*
            __entity: ::core::marker::PhantomData,
        })
    }
}

/// Returns the value of a field from the parsed halves of the key.
fn expand_decode(model: &Model<'_>, key: &Key<'_>, field: &KeyField<'_>) -> TokenStream {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let marker = &field.marker;
    let at = |place: &Place<'_>| match place.sort {
        true => key.pk.template.parts.len() + place.index,
        false => place.index,
    };
    match recovery(key, field) {
        Recovery::Whole(whole, others) => {
            let index = at(&whole);
            let decode = if key.may_be_empty(field) {
                let parsed = field.parsed();
                quote!(__key.decode_optional::<#parsed>(#index)?)
            } else if field.ty.borrowed {
                let parsed = field.parsed();
                quote!(__key.decode_as::<#parsed>(#index)?)
            } else {
                quote!(__key.decode::<#marker #ty_generics>(#index)?)
            };
            if others.is_empty() {
                return decode;
            }
            let value = match key.may_be_empty(field) {
                true => quote!(#dm::__private::optional_value(__value.as_ref())),
                false => quote!(#dm::__private::value::<#marker #ty_generics>(&__value)),
            };
            let agree = others.iter().map(|other| {
                let index = at(other);
                quote!(__key.agree(#index, #value)?;)
            });
            quote!({ let __value = #decode; #(#agree)* __value })
        }
        Recovery::Bucket(places) => places.iter().fold(
            quote!(<#dm::key::TimeBucket as ::core::default::Default>::default()),
            |known, place| {
                let index = at(place);
                quote!(__key.decode_bucket(#index, #known)?)
            },
        ),
        Recovery::Shard(place) => {
            let index = at(&place);
            quote!(__key.decode_shard(#index)?)
        }
    }
}
