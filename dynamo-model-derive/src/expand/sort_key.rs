//! Writes a sort key part by part: `Answer::sort_key().answered_at(t)`,
//! `Answer::query("u1").answered_at_in(a..b)`.

use super::model::{Half, Key, KeyField, Model};
use super::sort_key_bounds;
use crate::template::{Form, Placeholder, TimePiece, Transform};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericParam, Generics, parse_quote};

/// Writes one type for all sort keys of an entity. `__B` takes the parts, for a prefix or for a
/// query. `__P` knows which part is next, so a part out of order, or of another key, is refused by
/// name.
///
/// ```text
/// pub struct SortKeyOf_Answer<__B, __P>(__B, PhantomData<__P>);
/// impl<__B: Parts, __P> SortKeyOf_Answer<__B, __P> {
///     pub fn answered_at<__N>(self, …) -> SortKeyOf_Answer<__B, __N>
///     where __P: __parts::Next_Answer_answered_at<Then = __N> { … }
///     pub fn answered_at_in<__Q>(self, range: …)
///     -> SortKeyOf_Answer<__B::Range, __B::After<__P>>
///     where __P: __parts::Next_Answer_answered_at + Is<__Q>,
///           __Q: __parts::Sorts_Answer_answered_at { … }
///     pub fn answered_at_prefix(self, …) -> SortKeyOf_Answer<__B, __B::After<__P>> where … { … }
/// }
/// impl SortsAt<Primary, 0> for Answer where for<'a> Fixed: FormSorts<'a, Answer_answered_at> {}
/// impl __parts::Next_Answer_answered_at for Given<Answer, Primary, 0> {
///     type Then = Given<Answer, Primary, 1>;
/// }
/// ```
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let types = groups(model);
    if types.is_empty() {
        return TokenStream::new();
    }
    let bounds = sort_key_bounds::expand(model);
    let types = types.iter().map(|keys| expand_type(model, keys));
    let keys = model.keys.iter();
    let parts = keys.filter_map(|key| Some(expand_parts(model, key, parts_of(key)?)));
    quote!(#bounds #(#parts)* #(#types)*)
}

fn expand_type(model: &Model<'_>, keys: &[&Key<'_>]) -> TokenStream {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let where_clause = &model.entity.generics.where_clause;
    let name = name(model, keys[0]);
    let generics = with_params(
        model.entity.generics,
        &[parse_quote!(__B), parse_quote!(__P)],
    );
    let (struct_impl, struct_ty, _) = generics.split_for_impl();
    let with_bound = |bound: TokenStream| {
        let params = [parse_quote!(__B: #bound), parse_quote!(__P)];
        with_params(model.entity.generics, &params)
    };
    let bounded = with_bound(quote!(#dm::__private::Parts));
    let shown = with_bound(quote!(::core::fmt::Debug));
    let ((bounded_impl, ..), (shown_impl, ..)) = (bounded.split_for_impl(), shown.split_for_impl());
    let builds = with_bound(quote!(#dm::__private::BuildsSortKeys));
    let (builds_impl, ..) = builds.split_for_impl();
    let steps = distinct_fields(model, keys);
    let steps = steps.iter().map(|field| expand_step(model, keys, field));
    quote! {
        #[must_use]
        pub struct #name #struct_impl (
            __B,
            ::core::marker::PhantomData<fn() -> (#self_ty, __P)>,
        ) #where_clause;

        #[automatically_derived]
        impl #shown_impl ::core::fmt::Debug for #name #struct_ty #where_clause {
            fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.0.fmt(__f)
            }
        }

        #[automatically_derived]
        impl #bounded_impl #name #struct_ty #where_clause {
            #(#steps)*
        }

        #[automatically_derived]
        impl #builds_impl #name #struct_ty #where_clause {
            /// Builds what is known: a prefix, up to and including the next delimiter, or a range.
            pub fn build(self) -> ::core::result::Result<__B::Keys, #dm::KeyError> {
                #dm::__private::BuildsSortKeys::build(self.0)
            }
        }
    }
}

/// Groups the keys that share a type: all, unless a part of one has the name of a method of
/// another.
fn groups<'m, 'a>(model: &'m Model<'a>) -> Vec<Vec<&'m Key<'a>>> {
    let keys: Vec<_> = model
        .keys
        .iter()
        .filter(|key| parts_of(key).is_some())
        .collect();
    if keys.is_empty() {
        return Vec::new();
    }
    if share_a_type(model) {
        return vec![keys];
    }
    keys.into_iter().map(|key| vec![key]).collect()
}

fn share_a_type(model: &Model<'_>) -> bool {
    let halves = || model.keys.iter().filter_map(parts_of);
    let parts = || halves().flat_map(|sk| &sk.template.parts);
    let is_part = |method: String| parts().any(|part| part.field == method);
    halves().count() == 1
        || !parts().any(|part| {
            is_part(format!("{}_in", part.field)) || is_part(format!("{}_prefix", part.field))
        })
}

/// Returns the sort key, if it has parts.
pub(super) fn parts_of<'k, 'a>(key: &'k Key<'a>) -> Option<&'k Half<'a>> {
    key.sk.as_ref().filter(|sk| !sk.template.parts.is_empty())
}

/// Returns the name of the type. Messages shorten a path only if its last segment is unique, so it
/// contains the name of the entity.
pub(super) fn name(model: &Model<'_>, key: &Key<'_>) -> Ident {
    let entity = model.entity.ident.unraw();
    match share_a_type(model) {
        true => format_ident!("SortKeyOf_{entity}"),
        false => format_ident!("{}SortKeyOf_{entity}", key.label()),
    }
}

/// Returns the entity's generics with more parameters, lifetimes first, as Rust requires.
fn with_params(generics: &Generics, more: &[GenericParam]) -> Generics {
    let mut generics = generics.clone();
    generics.params.extend(more.iter().cloned());
    generics
}

/// Returns the type, applied to the taker of the parts and the next part.
pub(super) fn applied(
    model: &Model<'_>,
    key: &Key<'_>,
    takes: &TokenStream,
    next: &TokenStream,
) -> TokenStream {
    let name = name(model, key);
    let arguments = model.generic_arguments();
    quote!(#name<#(#arguments,)* #takes, #next>)
}

/// Returns the state of a sort key with `given` parts: `Given<Order, Primary, 1>`, or `Complete`.
pub(super) fn state(model: &Model<'_>, key: &Key<'_>, sk: &Half<'_>, given: usize) -> TokenStream {
    let (dm, self_ty, marker) = (&model.dm, model.self_ty(), key.marker(&model.dm));
    match given == sk.template.parts.len() {
        true => quote!(#dm::__private::Complete),
        false => quote!(#dm::__private::Given<#self_ty, #marker, #given>),
    }
}

/// Writes each part of a sort key: its field, its form, and the next state.
fn expand_parts(model: &Model<'_>, key: &Key<'_>, sk: &Half<'_>) -> TokenStream {
    let (dm, self_ty, index) = (&model.dm, model.self_ty(), key.marker(&model.dm));
    let (impl_generics, ty_generics, where_clause) = model.entity.generics.split_for_impl();
    let bare = sk.is_bare();
    let conditions = where_clause.map(|it| it.predicates.iter());
    let conditions: Vec<_> = conditions.into_iter().flatten().collect();
    let conditions = quote!(#(#conditions,)*);
    let parts = sk.template.parts.iter().enumerate();
    let impls = parts.filter_map(|(at, part)| {
        let field = model.key_field(&part.field)?;
        let (marker, is_next) = (&field.marker, sort_key_bounds::next(model, field));
        let given = state(model, key, sk, at);
        let (form, then) = (form(&key.pk, part, bare), state(model, key, sk, at + 1));
        let sorts = (!is_bucketed(&key.pk, part)).then(|| {
            quote! {
                #[automatically_derived]
                impl #impl_generics #dm::__private::SortsAt<#index, #at> for #self_ty
                where
                    #conditions
                    for<'__a> #dm::__private::form::#form:
                        #dm::__private::FormSorts<'__a, #marker #ty_generics>
                {}
            }
        });
        Some(quote! {
            #sorts
            #[automatically_derived]
            impl #impl_generics #dm::__private::InOrderAt<#index, #at> for #self_ty
            where
                #conditions
                for<'__a> #dm::__private::form::#form:
                    #dm::__private::FormInOrder<'__a, #marker #ty_generics>
            {}
            #[automatically_derived]
            impl #impl_generics #is_next for #given #where_clause {
                type Then = #then;
            }
        })
    });
    impls.collect()
}

/// Returns whether the text of a part sorts, and why not. The type of the field can narrow it.
pub(super) fn form(pk: &Half<'_>, part: &Placeholder, bare: bool) -> Ident {
    let name = match &part.spec.form {
        // An empty part sorts below some values and above others.
        _ if part.spec.or_empty && part.after.bytes().next().is_some_and(|it| it > b'+') => "Never",
        Form::Padded(_) | Form::Precision(_) | Form::Epoch(_) => "Fixed",
        Form::Format(pieces) if TimePiece::sort(pieces) => "Fixed",
        Form::Format(pieces) if is_completed_by(pk, part, pieces) => "Within",
        Form::Format(_) | Form::Shard(_) => "Never",
        // Only a text of fixed width can be reversed.
        Form::Plain if part.spec.transform == Some(Transform::Descending) => "Fixed",
        Form::Plain if part.spec.raw && part.after.is_empty() => "Plain",
        Form::Plain if part.spec.raw => "Never",
        Form::Plain if bare => "Bare",
        Form::Plain => match part.after.bytes().next() {
            Some(delimiter) if delimiter > b'+' => "Unordered",
            _ => "Plain",
        },
    };
    format_ident!("{name}")
}

/// Returns whether the partition key has the missing pieces, such as the date of a time of day.
fn is_completed_by(pk: &Half<'_>, part: &Placeholder, pieces: &[TimePiece]) -> bool {
    let before = buckets_of(pk, part);
    let all: Vec<_> = before.flatten().chain(pieces).cloned().collect();
    TimePiece::sort(&all)
}

/// Returns whether the partition is a bucket of the part's own field. A query of one bucket has no
/// range of that field: the values are known only at run time, and a range that leaves the bucket
/// would return part of its items. `across` takes the range.
pub(super) fn is_bucketed(pk: &Half<'_>, part: &Placeholder) -> bool {
    buckets_of(pk, part).next().is_some()
}

/// Returns the time buckets of the part's field in the partition key.
fn buckets_of<'k>(
    pk: &'k Half<'_>,
    part: &'k Placeholder,
) -> impl Iterator<Item = &'k Vec<TimePiece>> {
    let others = pk.template.parts.iter();
    others.filter_map(|other| match &other.spec.form {
        Form::Format(pieces) if other.field == part.field => Some(pieces),
        _ => None,
    })
}

/// Returns each field of these sort keys once.
pub(super) fn distinct_fields<'m, 'a>(
    model: &'m Model<'a>,
    keys: &[&Key<'a>],
) -> Vec<&'m KeyField<'a>> {
    let in_any = |field: &&KeyField<'_>| {
        let mut halves = keys.iter().filter_map(|key| parts_of(key));
        halves.any(|sk| {
            sk.template
                .parts
                .iter()
                .any(|it| it.field == field.field.name)
        })
    };
    model.fields.iter().filter(in_any).collect()
}

/// Returns the text before and after a field in each of these sort keys.
fn places(keys: &[&Key<'_>], field: &str) -> Vec<(String, String)> {
    let mut places = Vec::new();
    for sk in keys.iter().filter_map(|key| parts_of(key)) {
        let mut parts = sk.template.parts.iter();
        let Some(i) = parts.position(|part| part.field == field) else {
            continue;
        };
        let place = match sk.template.native {
            true => (String::new(), String::new()),
            false => (written_before(sk, i), sk.template.parts[i].after.clone()),
        };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// What giving the field does: its value, a range of values, or its beginning.
fn step_docs(keys: &[&Key<'_>], field: &str) -> [String; 3] {
    let places = places(keys, field);
    let each = |text: &dyn Fn(&str, &str) -> String| {
        let texts = places.iter().map(|(before, after)| text(before, after));
        texts.collect::<Vec<_>>().join(" or ")
    };
    // An attribute of its own.
    if places
        .iter()
        .all(|(before, after)| before.is_empty() && after.is_empty())
    {
        return [
            format!("`{field}` has this value."),
            format!("`{field}` lies in the range."),
            format!("`{field}` begins with this."),
        ];
    }
    let whole = each(&|before, after| format!("`{before}<{field}>{after}`"));
    let before = each(&|before, _| format!("`{before}`"));
    [
        format!("Begins with {whole}."),
        format!("`{field}` lies in the range, after {before}."),
        format!("Begins with {before} and the beginning of `{field}`."),
    ]
}

fn expand_step(model: &Model<'_>, keys: &[&Key<'_>], field: &KeyField<'_>) -> TokenStream {
    let dm = &model.dm;
    let (_, ty_generics, _) = model.entity.generics.split_for_impl();
    let (marker, part) = (&field.marker, field.ty.part);
    let is_next = sort_key_bounds::next(model, field);
    let sorts = sort_key_bounds::sorts(model, field);
    let next = applied(model, keys[0], &quote!(__B), &quote!(__N));
    let after = quote!(__B::After<__P>);
    let within = applied(model, keys[0], &quote!(__B), &after);
    let ranged = applied(model, keys[0], &quote!(__B::Range), &after);
    let constructor = name(model, keys[0]);
    let may_be_empty = keys.iter().any(|key| key.may_be_empty(field));
    let (method, parameter, value) = (
        field.field.ident,
        field.parameter(dm, may_be_empty),
        field.argument_value(model, may_be_empty),
    );
    let field_name = &field.field.name;
    let prefix_method = format_ident!("{field_name}_prefix");
    let range_method = format_ident!("{field_name}_in");
    let [doc, range_doc, prefix_doc] = step_docs(keys, field_name);
    // Another part may have the name of one of these parts. It comes first then.
    let halves = keys.iter().filter_map(|key| parts_of(key));
    let free = |method: &Ident| {
        let is_part = |sk: &Half<'_>| sk.template.parts.iter().any(|it| *method == it.field);
        !halves.clone().any(is_part)
    };
    let range = free(&range_method).then(|| {
        quote! {
            #[doc = #range_doc]
            pub fn #range_method<__Q>(
                self,
                range: impl #dm::key::KeyRange<#part>,
            ) -> #ranged
            where
                __P: #is_next + #dm::__private::Is<__Q>,
                __Q: #sorts,
            {
                #constructor(
                    #dm::__private::Parts::range::<#marker #ty_generics>(self.0, &range),
                    ::core::marker::PhantomData,
                )
            }
        }
    });
    let prefix = free(&prefix_method).then(|| {
        quote! {
            #[doc = #prefix_doc]
            pub fn #prefix_method(
                self,
                text: impl #dm::__private::PartPrefix<#marker #ty_generics>,
            ) -> #within
            where
                __P: #is_next,
            {
                #constructor(
                    #dm::__private::Parts::within(self.0, text.as_text()),
                    ::core::marker::PhantomData,
                )
            }
        }
    });
    quote! {
        #[doc = #doc]
        pub fn #method<__N>(self, #parameter) -> #next
        where
            __P: #is_next<Then = __N>,
        {
            #constructor(#dm::__private::Parts::part(self.0, #value), ::core::marker::PhantomData)
        }

        #range
        #prefix
    }
}

/// Writes the constructors of a sort key, for the table and for each index:
/// `pub fn sort_key() -> SortKeyOf_Answer<OpenPrefix<Answer, Primary>, Given<Answer, Primary, 0>>`
pub(crate) fn expand_constructors(model: &Model<'_>) -> TokenStream {
    let keys = model.built_keys();
    let methods = keys.filter_map(|key| Some(expand_constructor(model, key, parts_of(key)?)));
    quote!(#(#methods)*)
}

fn expand_constructor(model: &Model<'_>, key: &Key<'_>, sk: &Half<'_>) -> TokenStream {
    let (dm, vis) = (&model.dm, model.entity.vis);
    let (name, method) = (name(model, key), key.method("sort_key"));
    let marker = key.marker(dm);
    let open = quote!(#dm::__private::OpenPrefix<Self, #marker>);
    let ty = applied(model, key, &open, &state(model, key, sk, 0));
    let doc = format!(
        "The beginning of the sort key in {}, part by part: `{}`.",
        key.place(),
        sk.template.text
    );
    quote! {
        #[doc = #doc]
        #[inline]
        #vis fn #method() -> #ty {
            #name(#dm::__private::OpenPrefix::new(), ::core::marker::PhantomData)
        }
    }
}

/// Returns a sort key without parts so far.
pub(super) fn prefix(model: &Model<'_>, key: &Key<'_>) -> TokenStream {
    let (dm, marker) = (&model.dm, key.marker(&model.dm));
    quote!(#dm::__private::PrefixBuilder::of::<Self, #marker>())
}

/// Writes the methods that a query has before its sort key is complete.
pub(crate) fn expand_query_methods(model: &Model<'_>) -> TokenStream {
    let dm = &model.dm;
    let where_clause = &model.entity.generics.where_clause;
    let generics = with_params(
        model.entity.generics,
        &[parse_quote!(__E), parse_quote!(__I), parse_quote!(__P)],
    );
    let (impl_generics, ..) = generics.split_for_impl();
    let open = quote!(#dm::__private::OpenQuery<__E, __I>);
    let types = groups(model);
    let types = types
        .iter()
        .map(|keys| applied(model, keys[0], &open, &quote!(__P)));
    let in_order = sort_key_bounds::in_order(model);
    quote! {
        #(
            #[automatically_derived]
            impl #impl_generics #types #where_clause {
                #dm::__query_methods!(__E, __I, __P, #in_order);
            }
        )*
    }
}

/// Returns the template up to the `i`th placeholder.
fn written_before(sk: &Half<'_>, i: usize) -> String {
    let mut text = sk.template.head.clone();
    for part in &sk.template.parts[..i] {
        text.push_str(&format!("<{}>{}", part.field, part.after));
    }
    text
}
