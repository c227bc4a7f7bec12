//! `impl KeyPart` for fieldless enums and for newtypes.

use super::runtime;
use crate::attr::serde::Serde;
use crate::attr::{options, set};
use crate::ctxt::Ctxt;
use crate::ty;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Fields, LitStr, Type};

/// Reads, checks and expands at once: there is little of each.
pub(crate) fn expand(cx: &Ctxt, input: &DeriveInput) -> TokenStream {
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
    let dm = runtime(krate.as_ref());
    match &input.data {
        Data::Enum(data) => expand_enum(cx, &dm, input, data),
        Data::Struct(data) if data.fields.len() == 1 => match data.fields.iter().next() {
            Some(field) => expand_newtype(cx, &dm, input, &data.fields, &field.ty),
            None => TokenStream::new(),
        },
        _ => {
            cx.error(
                input.ident.span(),
                "a key part is one value: a struct with a single field, or an enum without fields",
            );
            TokenStream::new()
        }
    }
}

/// The text of each variant is the one serde writes.
fn expand_enum(cx: &Ctxt, dm: &TokenStream, input: &DeriveInput, data: &DataEnum) -> TokenStream {
    let container = Serde::of(&input.attrs);
    let mut variants: Vec<(&Ident, LitStr)> = Vec::new();
    if data.variants.is_empty() {
        cx.error(
            input.ident.span(),
            "an enum without variants has no text; add a variant",
        );
    }
    for variant in &data.variants {
        let name = &variant.ident;
        if !matches!(variant.fields, Fields::Unit) {
            cx.error(
                variant.fields.span(),
                format!("`{name}` has fields, and a key part is one plain value; make them fields of the entity"),
            );
            continue;
        }
        let text = Serde::of(&variant.attrs).variant_name(&name.unraw().to_string(), &container);
        if text.is_empty() {
            cx.error(
                name.span(),
                format!(
                    "`{name}` is renamed to nothing, and a key part is never empty; give it a text"
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
            type Kind = #dm::kind::Text;
            const VALUES: ::core::option::Option<&'static [&'static ::core::primitive::str]> =
                ::core::option::Option::Some(&[#(#texts),*]);

            #[inline]
            fn to_part(&self) -> #dm::PartValue<'_> {
                #dm::PartValue::Text(match self {
                    #(Self::#names => #texts,)*
                })
            }

            fn from_part(
                __value: #dm::PartValue<'_>,
            ) -> ::core::result::Result<Self, #dm::PartError> {
                match __value {
                    #(#dm::PartValue::Text(#texts) => ::core::result::Result::Ok(Self::#names),)*
                    _ => ::core::result::Result::Err(#dm::PartError::expected(#expected)),
                }
            }
        }
    }
}

/// A newtype is what it wraps; of text, it also takes `&str` and `String` as arguments.
fn expand_newtype(
    cx: &Ctxt,
    dm: &TokenStream,
    input: &DeriveInput,
    fields: &Fields,
    inner: &Type,
) -> TokenStream {
    if let Type::Reference(_) = inner {
        cx.error(
            inner.span(),
            "a borrowed key part could not be read back from a key; wrap `Cow<'a, str>` or `String`",
        );
        return TokenStream::new();
    }
    if let Some(why) = ty::KeyType::of(inner).refusal() {
        cx.error(
            inner.span(),
            format!("the inside of `{}` {why}", input.ident),
        );
        return TokenStream::new();
    }
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let member = fields
        .members()
        .next()
        .map(|member| member.to_token_stream());
    let arguments = ty::is_text(inner).then(|| {
        [
            "&::core::primitive::str",
            "::std::string::String",
            "&::std::string::String",
        ]
        .map(|text| {
            let text: TokenStream = text.parse().unwrap_or_default();
            quote! {
                #[automatically_derived]
                impl #impl_generics #dm::AsKeyPart<#ident #ty_generics> for #text #where_clause {
                    #[inline]
                    fn as_part(&self) -> #dm::PartValue<'_> {
                        #dm::PartValue::Text(self)
                    }
                }
            }
        })
    });
    let arguments = arguments.iter().flatten();
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::KeyPart for #ident #ty_generics #where_clause {
            type Kind = <#inner as #dm::KeyPart>::Kind;
            const VALUES: ::core::option::Option<&'static [&'static ::core::primitive::str]> =
                <#inner as #dm::KeyPart>::VALUES;

            #[inline]
            fn to_part(&self) -> #dm::PartValue<'_> {
                #dm::KeyPart::to_part(&self.#member)
            }

            fn from_part(
                __value: #dm::PartValue<'_>,
            ) -> ::core::result::Result<Self, #dm::PartError> {
                <#inner as #dm::KeyPart>::from_part(__value).map(|__inner| Self { #member: __inner })
            }
        }
        #(#arguments)*
    }
}
