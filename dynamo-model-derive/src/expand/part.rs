//! `impl KeyPart` for fieldless enums and for newtypes.

use crate::attr::serde::Serde;
use crate::attr::{options, set};
use crate::ctxt::Ctxt;
use crate::expand::{Client, Runtime};
use crate::ty::{self, Refusal};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DataEnum, DeriveInput, Fields, LitStr};

/// The path of the runtime crate, from `#[dynamo(crate = …)]`.
pub(crate) fn read_runtime(cx: &Ctxt, input: &DeriveInput, client: Client) -> Runtime {
    let mut krate = None;
    for attribute in input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("dynamo"))
    {
        for option in options(cx, attribute) {
            match option.name().as_str() {
                "crate" => set(cx, &mut krate, &option, option.path(cx)),
                _ => option.unknown(cx, "dynamo", &["crate"]),
            }
        }
    }
    Runtime::new(krate.as_ref(), client)
}

/// Reads, checks and expands in one file, because each step is short.
pub(crate) fn expand(cx: &Ctxt, dm: &Runtime, input: &DeriveInput) -> TokenStream {
    match &input.data {
        Data::Enum(data) => expand_enum(cx, dm, input, data),
        Data::Struct(data) if data.fields.len() == 1 => match data.fields.iter().next() {
            Some(field) => expand_newtype(cx, dm, input, &data.fields, field),
            None => TokenStream::new(),
        },
        _ => {
            cx.error(
                input.ident.span(),
                format!(
                    "`{}` is not one value, as a key part is; make it a struct with one field, or \
                     an enum without fields",
                    input.ident
                ),
            );
            TokenStream::new()
        }
    }
}

/// Rejects attributes of our own here: serde names variants, and a newtype has no options.
fn refuse_options(cx: &Ctxt, attributes: &[Attribute], what: &str) {
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("dynamo"))
    {
        cx.error(
            attribute.path().span(),
            format!(
                "`#[dynamo]` has no option for {what}; remove it, and use `#[serde(rename = \
                 \"…\")]` for another text"
            ),
        );
    }
}

/// Uses the text that serde writes for each variant.
fn expand_enum(cx: &Ctxt, dm: &Runtime, input: &DeriveInput, data: &DataEnum) -> TokenStream {
    let container = Serde::of(&input.attrs);
    let mut variants: Vec<(&Ident, LitStr)> = Vec::new();
    if data.variants.is_empty() {
        cx.error(
            input.ident.span(),
            format!(
                "`{}` has no variants, so it has no text; add one",
                input.ident
            ),
        );
    }
    for variant in &data.variants {
        let name = &variant.ident;
        refuse_options(cx, &variant.attrs, "a variant");
        if !matches!(variant.fields, Fields::Unit) {
            cx.error(
                variant.fields.span(),
                format!(
                    "`{name}` has fields, and a key part is one plain value; make them fields of \
                     the entity"
                ),
            );
            continue;
        }
        let text = Serde::of(&variant.attrs).variant_name(&name.unraw().to_string(), &container);
        if text.is_empty() {
            cx.error(
                name.span(),
                format!(
                    "`{name}` is renamed to an empty text, and a key part is never empty; give it \
                     another text"
                ),
            );
        }
        if let Some((other, _)) = variants.iter().find(|(_, known)| known.value() == text) {
            cx.error(
                name.span(),
                format!("`{other}` and `{name}` are both written `{text}`; rename one of them"),
            );
        }
        variants.push((name, LitStr::new(&text, name.span())));
    }
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let (names, texts): (Vec<_>, Vec<_>) = variants.into_iter().unzip();
    let expected = texts
        .iter()
        .map(LitStr::value)
        .collect::<Vec<_>>()
        .join(", ");
    let expected = format!("one of {expected}");
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::KeyPart for #ident #ty_generics #where_clause {
            type Kind = #dm::key::kind::Enum;
            const VALUES: ::core::option::Option<&'static [&'static ::core::primitive::str]> =
                ::core::option::Option::Some(&[#(#texts),*]);

            #[inline]
            fn to_part(&self) -> #dm::key::PartValue<'_> {
                #dm::key::PartValue::Text(match self {
                    #(Self::#names => #texts,)*
                })
            }

            fn from_part(
                __value: #dm::key::PartValue<'_>,
            ) -> ::core::result::Result<Self, #dm::key::PartError> {
                match __value {
                    #(#dm::key::PartValue::Text(#texts) => ::core::result::Result::Ok(Self::#names),)*
                    _ => ::core::result::Result::Err(#dm::key::PartError::expected(#expected)),
                }
            }
        }
    }
}

/// Makes a newtype behave like its inner type. A newtype of text also takes `&str` and `String`.
fn expand_newtype(
    cx: &Ctxt,
    dm: &Runtime,
    input: &DeriveInput,
    fields: &Fields,
    field: &syn::Field,
) -> TokenStream {
    let (ident, inner) = (&input.ident, &field.ty);
    refuse_options(cx, &field.attrs, "the inside of a newtype");
    let key = ty::KeyType::of(inner);
    let refusal = if key.optional {
        Some(
            "an option, and a key part is never absent; wrap the value, and make the field of the \
             entity an `Option`"
                .into(),
        )
    } else if key.borrowed {
        Some(
            "a reference, which cannot be read back from a key; wrap `Cow<'a, str>` or `String`"
                .into(),
        )
    } else {
        key.refusal().map(|Refusal { what, instead }| {
            format!("{what}, so it cannot be part of a key; {instead}")
        })
    };
    if let Some(why) = refusal {
        cx.error_on(inner, format!("`{ident}` wraps {why}"));
        return TokenStream::new();
    }
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let member = fields
        .members()
        .next()
        .map(|member| member.to_token_stream());
    let arguments = expand_arguments(dm, input);
    let questions = dm.with_client(|| expand_questions(dm, input, inner));
    // Every span is the inner type, so that an unfit type produces one error.
    let part = quote!(<#inner as #dm::KeyPart>);
    let to_part = super::at(inner.span(), quote!(#part::to_part(&self.#member)));
    let from_part = super::at(inner.span(), quote!(#part::from_part(__value)));
    let values = super::at(inner.span(), quote!(#part::VALUES));
    let kind = super::at(inner.span(), quote!(#part::Kind));
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::KeyPart for #ident #ty_generics #where_clause {
            type Kind = #kind;
            const VALUES: ::core::option::Option<&'static [&'static ::core::primitive::str]> =
                #values;

            #[inline]
            fn to_part(&self) -> #dm::key::PartValue<'_> {
                #to_part
            }

            fn from_part(
                __value: #dm::key::PartValue<'_>,
            ) -> ::core::result::Result<Self, #dm::key::PartError> {
                #from_part.map(|__inner| Self { #member: __inner })
            }
        }
        #arguments
        #questions
    }
}

/// Gives a newtype the conditions of its inner type.
///
/// ```text
/// impl Ordered for UserId where for<'a> String: InnerOrdered<'a> {}
/// ```
fn expand_questions(dm: &Runtime, input: &DeriveInput, inner: &syn::Type) -> TokenStream {
    let ident = &input.ident;
    let (_, ty_generics, _) = input.generics.split_for_impl();
    let mut all = ["Ordered", "HasBeginning", "HasSize"].as_slice();
    let known = ty::is_text(inner) || ty::is_known(inner);
    if known && !ty::is_text(inner) {
        all = if ty::is_named(inner, "bool") {
            &[]
        } else {
            &["Ordered"]
        };
    }
    let impls = all.iter().map(|name| {
        let (name, inside) = (format_ident!("{name}"), format_ident!("Inner{name}"));
        let mut generics = input.generics.clone();
        if !known {
            let bound = syn::parse_quote!(for<'__a> #inner: #dm::stored_form::#inside<'__a>);
            generics.make_where_clause().predicates.push(bound);
        }
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics #dm::expr::#name for #ident #ty_generics #where_clause {}
        }
    });
    quote!(#(#impls)*)
}

/// Accepts `&str` and `String` for a newtype of text, and gives it `contains`.
pub(crate) fn expand_arguments(dm: &Runtime, input: &DeriveInput) -> TokenStream {
    let inner = match &input.data {
        Data::Struct(data) if data.fields.len() == 1 => data.fields.iter().next(),
        _ => None,
    };
    if !inner.is_some_and(|field| ty::is_text(&field.ty)) {
        return TokenStream::new();
    }
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let texts = [
        quote!(&::core::primitive::str),
        quote!(::std::string::String),
        quote!(&::std::string::String),
    ];
    let element = dm.with_client(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #dm::expr::HasElement for #ident #ty_generics #where_clause {
                type Element = ::std::string::String;
            }
        }
    });
    quote! {
        #(
            #[automatically_derived]
            impl #impl_generics #dm::key::AsKeyPart<#ident #ty_generics> for #texts #where_clause {
                #[inline]
                fn as_part(&self) -> #dm::key::PartValue<'_> {
                    #dm::key::PartValue::Text(self)
                }
            }

            #[automatically_derived]
            impl #impl_generics #dm::key::AsOptionalKeyPart<#ident #ty_generics> for #texts
            #where_clause {
                #[inline]
                fn as_optional_part(&self) -> ::core::option::Option<#dm::key::PartValue<'_>> {
                    ::core::option::Option::Some(#dm::key::PartValue::Text(self))
                }
            }
        )*
        #element
    }
}
