//! A sort key part by part: `Answer::sort_key().answered_at(t).question_id_prefix("FE-")`.

use super::model::{Half, Key, KeyField, Model};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{GenericParam, parse_quote};

/// One type a key, with the number of parts known so far as a parameter: a part out of order has no
/// method.
///
/// ```text
/// pub struct __PrimarySortKey<const __N: usize>(PrefixBuilder);
/// impl __PrimarySortKey<0> {
///     pub fn answered_at(self, …) -> __PrimarySortKey<1> { … }
///     pub fn answered_at_prefix(self, …) -> PrefixBuilder { … }
/// }
/// impl<const __N: usize> __PrimarySortKey<__N> { pub fn build(self) -> Result<KeyPrefix, KeyError> { … } }
/// impl Answer { pub fn sort_key() -> __PrimarySortKey<0> { … } }
/// ```
pub(crate) fn expand(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let Some(sk) = key.sk.as_ref().filter(|sk| !sk.template.parts.is_empty()) else {
        return TokenStream::new();
    };
    let (dm, vis, self_ty, marker) = (
        &model.dm,
        model.entity.vis,
        model.self_ty(),
        key.marker(&model.dm),
    );
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let name = format_ident!("__{}SortKey", key.label());
    let mut counted = model.entity.generics.clone();
    counted
        .params
        .push(parse_quote!(const __N: ::core::primitive::usize));
    let (counted_impl, counted_ty, _) = counted.split_for_impl();
    let steps = sk
        .template
        .parts
        .iter()
        .enumerate()
        .filter_map(|(i, part)| {
            Some(expand_step(
                model,
                key,
                sk,
                model.key_field(&part.field)?,
                i,
            ))
        });
    let at = |n: usize| state(model, key, n);
    let (first, method, constant, role) =
        (at(0), key.method("sort_key"), sk.constant(key), sk.role(dm));
    let doc = format!(
        "The beginning of the sort key in {}, part by part: `{}`.",
        key.place(),
        sk.template.text
    );
    quote! {
        #[doc = #doc]
        #[must_use]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        pub struct #name #counted_impl (
            #dm::__private::PrefixBuilder,
            ::core::marker::PhantomData<fn() -> #self_ty>,
        ) #where_clause;

        #[automatically_derived]
        impl #counted_impl #name #counted_ty #where_clause {
            /// The prefix: everything that is known, up to and including the next delimiter.
            pub fn build(self) -> ::core::result::Result<#dm::KeyPrefix, #dm::KeyError> {
                self.0.build()
            }
        }

        #(#steps)*

        #[automatically_derived]
        impl #impl_generics #self_ty #where_clause {
            #[doc = #doc]
            #vis fn #method() -> #first {
                #name(
                    #dm::__private::PrefixBuilder::new(
                        <__Keys #ty_generics>::#constant,
                        #dm::__private::key_type::<Self, #marker>(#role),
                    ),
                    ::core::marker::PhantomData,
                )
            }
        }
    }
}

/// The type with `n` parts known.
fn state(model: &Model<'_>, key: &Key<'_>, n: usize) -> TokenStream {
    let name = format_ident!("__{}SortKey", key.label());
    let arguments = model
        .entity
        .generics
        .params
        .iter()
        .map(|param| match param {
            GenericParam::Lifetime(param) => {
                let lifetime = &param.lifetime;
                quote!(#lifetime)
            }
            GenericParam::Type(param) => {
                let ident = &param.ident;
                quote!(#ident)
            }
            GenericParam::Const(param) => {
                let ident = &param.ident;
                quote!(#ident)
            }
        });
    quote!(#name<#(#arguments,)* #n>)
}

fn expand_step(
    model: &Model<'_>,
    key: &Key<'_>,
    sk: &Half<'_>,
    field: &KeyField<'_>,
    i: usize,
) -> TokenStream {
    let dm = &model.dm;
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let (this, next) = (state(model, key, i), state(model, key, i + 1));
    let name = format_ident!("__{}SortKey", key.label());
    let (method, parameter, value) = (
        field.field.ident,
        field.parameter(dm),
        field.argument_value(dm),
    );
    let prefix_method = format_ident!("{}_prefix", field.field.name);
    let marker = &field.marker;
    let known = format!(
        "{}<{}>{}",
        written_before(sk, i),
        field.field.name,
        sk.template.parts[i].after
    );
    let doc = format!("Begins with `{known}`.");
    let prefix_doc = format!(
        "Begins with `{}` and the beginning of `{}`.",
        written_before(sk, i),
        field.field.name
    );
    quote! {
        #[automatically_derived]
        impl #impl_generics #this #where_clause {
            #[doc = #doc]
            pub fn #method(self, #parameter) -> #next {
                #name(self.0.part(#value), ::core::marker::PhantomData)
            }

            #[doc = #prefix_doc]
            pub fn #prefix_method(
                self,
                text: impl #dm::__private::PartPrefix<#marker #ty_generics>,
            ) -> #dm::__private::PrefixBuilder {
                self.0.within(text.as_text())
            }
        }
    }
}

/// The template up to the `i`th placeholder.
fn written_before(sk: &Half<'_>, i: usize) -> String {
    let mut text = sk.template.head.clone();
    for part in &sk.template.parts[..i] {
        text.push_str(&format!("<{}>{}", part.field, part.after));
    }
    text
}
