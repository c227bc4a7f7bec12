//! A sort key part by part: `Answer::sort_key().answered_at(t)`, `Answer::query("u1").answered_at_in(a..b)`.

use super::model::{Half, Key, KeyField, Model};
use crate::template::{Placeholder, Spec, TimePiece};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericParam, Generics, parse_quote};

/// One type a key. `__B` takes the parts, for a prefix or for a query; `__P` knows which part is next: one
/// out of order is refused by name.
///
/// ```text
/// pub struct __PrimarySortKey<__B, __P>(__B, PhantomData<__P>);
/// impl<__B: Parts, __P> __PrimarySortKey<__B, __P> {
///     pub fn answered_at<__N>(self, …) -> __PrimarySortKey<__B, __N> where __P: NextPart<Answer_answered_at, Then = __N> { … }
///     pub fn answered_at_in(self, range: …) -> __B::Bounded where __P: NextPart<Answer_answered_at> + Sorts { … }
///     pub fn answered_at_prefix(self, …) -> __B::Bounded where … { … }
/// }
/// impl Answer { pub fn sort_key() -> __PrimarySortKey<PrefixBuilder, At<Answer_answered_at, Fixed, …>> { … } }
/// ```
pub(crate) fn expand(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let Some(sk) = parts_of(key) else {
        return TokenStream::new();
    };
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let where_clause = &model.entity.generics.where_clause;
    let name = name(key);
    let generics = with_params(
        model.entity.generics,
        &[parse_quote!(__B), parse_quote!(__P)],
    );
    let (struct_impl, struct_ty, _) = generics.split_for_impl();
    let bounded = with_params(
        model.entity.generics,
        &[parse_quote!(__B: #dm::__private::Parts), parse_quote!(__P)],
    );
    let (bounded_impl, ..) = bounded.split_for_impl();
    let open = with_params(model.entity.generics, &[parse_quote!(__P)]);
    let (open_impl, ..) = open.split_for_impl();
    let prefix_ty = applied(
        model,
        key,
        &quote!(#dm::__private::PrefixBuilder),
        &quote!(__P),
    );
    let steps = distinct_fields(model, sk).map(|(field, i)| expand_step(model, key, sk, field, i));
    let constructor = expand_constructor(model, key, sk);
    let queries = expand_query_methods(model, key);
    quote! {
        #[must_use]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        pub struct #name #struct_impl (
            __B,
            ::core::marker::PhantomData<fn() -> (#self_ty, __P)>,
        ) #where_clause;

        #[automatically_derived]
        impl #bounded_impl #name #struct_ty #where_clause {
            #(#steps)*
        }

        #[automatically_derived]
        impl #open_impl #prefix_ty #where_clause {
            /// The prefix: everything that is known, up to and including the next delimiter.
            pub fn build(self) -> ::core::result::Result<#dm::KeyPrefix, #dm::KeyError> {
                self.0.build()
            }
        }

        #constructor
        #queries
    }
}

/// The sort key, where it has parts to give.
pub(super) fn parts_of<'k, 'a>(key: &'k Key<'a>) -> Option<&'k Half<'a>> {
    key.sk.as_ref().filter(|sk| !sk.template.parts.is_empty())
}

fn name(key: &Key<'_>) -> Ident {
    format_ident!("__{}SortKey", key.label())
}

/// The entity's generics and some more, lifetimes first as Rust wants them.
fn with_params(generics: &Generics, more: &[GenericParam]) -> Generics {
    let mut generics = generics.clone();
    generics.params.extend(more.iter().cloned());
    generics
}

/// The type, with what takes the parts and what comes next.
pub(super) fn applied(
    model: &Model<'_>,
    key: &Key<'_>,
    takes: &TokenStream,
    next: &TokenStream,
) -> TokenStream {
    let name = name(key);
    let arguments = model.generic_arguments();
    quote!(#name<#(#arguments,)* #takes, #next>)
}

/// All parts from the first on, as a type: `At<Order_a, Fixed, At<Order_b, Plain, Done>>`.
pub(super) fn states(model: &Model<'_>, key: &Key<'_>, sk: &Half<'_>) -> TokenStream {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let bare = sk.template.is_bare();
    sk.template
        .parts
        .iter()
        .rev()
        .fold(quote!(#dm::__private::Done), |then, part| {
            let Some(field) = model.key_field(&part.field) else {
                return then;
            };
            let (marker, form) = (&field.marker, form(&key.pk, part, bare));
            quote!(#dm::__private::At<#marker #ty_generics, #dm::__private::form::#form, #then>)
        })
}

/// Whether, and why, the text of a part sorts; the kind of the field has the last word.
fn form(pk: &Half<'_>, part: &Placeholder, bare: bool) -> Ident {
    let name = match &part.spec {
        Spec::Padded(_) | Spec::Precision(_) => "Fixed",
        Spec::Format(pieces) if TimePiece::sort(pieces) => "Fixed",
        Spec::Format(pieces) if is_completed_by(pk, part, pieces) => "Within",
        Spec::Format(_) | Spec::Shard(_) => "Never",
        Spec::Raw if part.after.is_empty() => "Plain",
        Spec::Raw => "Never",
        Spec::Plain | Spec::Lower if bare => "Bare",
        Spec::Plain | Spec::Lower => match part.after.bytes().next() {
            Some(delimiter) if delimiter > b'+' => "Unordered",
            _ => "Plain",
        },
    };
    format_ident!("{name}")
}

/// Whether the partition key says what is missing, as the date of a clock.
fn is_completed_by(pk: &Half<'_>, part: &Placeholder, pieces: &[TimePiece]) -> bool {
    let before = pk
        .template
        .parts
        .iter()
        .filter_map(|other| match &other.spec {
            Spec::Format(before) if other.field == part.field => Some(before),
            _ => None,
        });
    let all: Vec<_> = before.flatten().chain(pieces).cloned().collect();
    TimePiece::sort(&all)
}

/// Each field of the sort key, with the place where it stands first.
fn distinct_fields<'m, 'a>(
    model: &'m Model<'a>,
    sk: &'m Half<'a>,
) -> impl Iterator<Item = (&'m KeyField<'a>, usize)> {
    let parts = &sk.template.parts;
    parts.iter().enumerate().filter_map(move |(i, part)| {
        let first = !parts[..i].iter().any(|other| other.field == part.field);
        Some((model.key_field(&part.field)?, i)).filter(|_| first)
    })
}

fn expand_step(
    model: &Model<'_>,
    key: &Key<'_>,
    sk: &Half<'_>,
    field: &KeyField<'_>,
    i: usize,
) -> TokenStream {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let (marker, part) = (&field.marker, field.ty.part);
    let is_next = quote!(#dm::__private::NextPart<#marker #ty_generics>);
    let next = applied(model, key, &quote!(__B), &quote!(__N));
    let constructor = name(key);
    let (method, parameter, value) = (
        field.field.ident,
        field.parameter(dm),
        field.argument_value(model),
    );
    let field_name = &field.field.name;
    let prefix_method = format_ident!("{field_name}_prefix");
    let range_method = format_ident!("{field_name}_in");
    let before = written_before(sk, i);
    let doc = format!(
        "Begins with `{before}<{field_name}>{}`.",
        sk.template.parts[i].after
    );
    let range_doc = format!("`{field_name}` lies in the range, after `{before}`.");
    let prefix_doc = format!("Begins with `{before}` and the beginning of `{field_name}`.");
    // Another part may have the name of one of these; that part comes first then.
    let free = |method: &Ident| !sk.template.parts.iter().any(|part| *method == part.field);
    let range = free(&range_method).then(|| {
        quote! {
            #[doc = #range_doc]
            pub fn #range_method(self, range: impl #dm::KeyRange<#part>) -> #dm::__private::Bounded<__B>
            where
                __B: #dm::__private::Ranged,
                __P: #is_next + #dm::__private::Sorts,
            {
                #dm::__private::Ranged::range::<#marker #ty_generics>(self.0, &range)
            }
        }
    });
    let prefix = free(&prefix_method).then(|| {
        quote! {
            #[doc = #prefix_doc]
            pub fn #prefix_method(
                self,
                text: impl #dm::__private::PartPrefix<#marker #ty_generics>,
            ) -> #dm::__private::Bounded<__B>
            where
                __P: #is_next,
            {
                #dm::__private::Parts::within(self.0, text.as_text())
            }
        }
    });
    quote! {
        #[doc = #doc]
        pub fn #method<__N>(self, #parameter) -> #next
        where
            __P: #dm::__private::NextPart<#marker #ty_generics, Then = __N>,
        {
            #constructor(#dm::__private::Parts::part(self.0, #value), ::core::marker::PhantomData)
        }

        #range
        #prefix
    }
}

fn expand_constructor(model: &Model<'_>, key: &Key<'_>, sk: &Half<'_>) -> TokenStream {
    let (dm, vis, self_ty) = (&model.dm, model.entity.vis, model.self_ty());
    let (impl_generics, _, where_clause) = model.entity.generics.split_for_impl();
    let (name, method, prefix) = (name(key), key.method("sort_key"), prefix(model, key, sk));
    let ty = applied(
        model,
        key,
        &quote!(#dm::__private::PrefixBuilder),
        &states(model, key, sk),
    );
    let doc = format!(
        "The beginning of the sort key in {}, part by part: `{}`.",
        key.place(),
        sk.template.text
    );
    quote! {
        #[automatically_derived]
        impl #impl_generics #self_ty #where_clause {
            #[doc = #doc]
            #vis fn #method() -> #ty {
                #name(#prefix, ::core::marker::PhantomData)
            }
        }
    }
}

/// A sort key of which nothing is known yet.
pub(super) fn prefix(model: &Model<'_>, key: &Key<'_>, sk: &Half<'_>) -> TokenStream {
    let (dm, marker) = (&model.dm, key.marker(&model.dm));
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let (constant, role) = (sk.constant(key), sk.role(dm));
    quote! {
        #dm::__private::PrefixBuilder::new(
            <__Keys #ty_generics>::#constant,
            #dm::__private::key_type::<Self, #marker>(#role),
        )
    }
}

/// What a query can do before its sort key is given whole.
fn expand_query_methods(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let dm = &model.dm;
    let where_clause = &model.entity.generics.where_clause;
    let generics = with_params(
        model.entity.generics,
        &[parse_quote!(__E), parse_quote!(__I), parse_quote!(__P)],
    );
    let (impl_generics, ..) = generics.split_for_impl();
    let ty = applied(
        model,
        key,
        &quote!(#dm::__private::OpenQuery<__E, __I>),
        &quote!(__P),
    );
    quote! {
        #dm::__client! {
            #[automatically_derived]
            impl #impl_generics #ty #where_clause {
                #dm::__query_methods!(__E, __I, __P);
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
