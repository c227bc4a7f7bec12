//! Writes the bounds of the methods of a sort key. Each entity has its own traits, so that their
//! messages name the user's fields and templates.

use super::model::{Half, Key, KeyField, Model};
use super::sort_key::{distinct_fields, form, is_bucketed, parts_of};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

/// ```text
/// mod __parts {
///     pub trait Sorted {}
///     #[diagnostic::on_unimplemented(message = "`answered_at` is not the next part …")]
///     pub trait Next_Answer_answered_at { type Then; }
///     #[diagnostic::on_unimplemented(message = "`answered_at` does not sort in this sort key …")]
///     pub trait Sorts_Answer_answered_at {}
///     impl<P: Sorted> Sorts_Answer_answered_at for P {}
///     …
/// }
/// impl<P: Sorts> __parts::Sorted for P {}
/// ```
///
/// The traits have their own module, because a user's `diagnostic` would shadow the compiler's. A
/// field whose text always sorts needs no message, and a range on it has no bound.
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let dm = &model.dm;
    let keys = keys(model);
    let (mut traits, mut impls) = (TokenStream::new(), TokenStream::new());
    for field in distinct_fields(model, &keys) {
        traits.extend(expand_next(model, field));
        if may_refuse_ranges(&keys, &field.field.name) {
            traits.extend(expand_sorts(model, &keys, field));
        }
    }
    let fields = distinct_fields(model, &keys);
    let mut fields = fields.iter().map(|field| &field.field.name);
    if fields.any(|field| may_refuse_ranges(&keys, field)) {
        impls.extend(quote! {
            #[automatically_derived]
            impl<__P: #dm::__private::Sorts> __parts::Sorted for __P {}
        });
    }
    if needs_order(&keys) {
        traits.extend(expand_in_order(model, &keys));
        impls.extend(quote! {
            #[automatically_derived]
            impl<__P: #dm::__private::InOrder> __parts::InOrder for __P {}
        });
    }
    quote! {
        mod __parts {
            pub trait Sorted {}
            pub trait InOrder {}
            #traits
        }
        #impls
    }
}

/// `__parts::Next_Order_number`
pub(super) fn next(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let name = next_name(model, field);
    quote!(__parts::#name)
}

/// Returns `__parts::Sorts_Order_number`, or the bound of the runtime if the text always sorts.
pub(super) fn sorts(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let dm = &model.dm;
    if !may_refuse_ranges(&keys(model), &field.field.name) {
        return quote!(#dm::__private::Sorts);
    }
    let name = sorts_name(model, field);
    quote!(__parts::#name)
}

/// Returns `__parts::InOrder_Order`, or the bound of the runtime if every part sorts.
pub(super) fn in_order(model: &Model<'_>) -> TokenStream {
    let dm = &model.dm;
    if !needs_order(&keys(model)) {
        return quote!(#dm::__private::InOrder);
    }
    let name = in_order_name(model);
    quote!(__parts::#name)
}

fn next_name(model: &Model<'_>, field: &KeyField<'_>) -> Ident {
    format_ident!("Next_{}_{}", model.entity.ident.unraw(), field.field.name)
}

fn sorts_name(model: &Model<'_>, field: &KeyField<'_>) -> Ident {
    format_ident!("Sorts_{}_{}", model.entity.ident.unraw(), field.field.name)
}

fn in_order_name(model: &Model<'_>) -> Ident {
    format_ident!("InOrder_{}", model.entity.ident.unraw())
}

fn keys<'m, 'a>(model: &'m Model<'a>) -> Vec<&'m Key<'a>> {
    let keys = model.keys.iter();
    keys.filter(|key| parts_of(key).is_some()).collect()
}

fn expand_next(model: &Model<'_>, field: &KeyField<'_>) -> TokenStream {
    let (name, field) = (next_name(model, field), &field.field.name);
    let message = format!("`{field}` is not the next part of this sort key");
    quote! {
        #[diagnostic::on_unimplemented(
            message = #message,
            label = "out of order",
            note = "give the parts of a sort key from the first on, each once"
        )]
        pub trait #name { type Then; }
    }
}

fn expand_sorts(model: &Model<'_>, keys: &[&Key<'_>], field: &KeyField<'_>) -> TokenStream {
    let (name, key_field, field) = (sorts_name(model, field), field, &field.field.name);
    let unsorted = keys.iter().filter(|key| {
        let mut forms = unsorted_parts(key);
        forms.any(|(part, _)| part == field)
    });
    let forms = unsorted_forms(keys, field);
    let bucketed = keys.iter().filter(|key| has_bucket_of(key, field));
    let across: Vec<_> = bucketed.map(|key| across(model, key)).collect();
    let (message, label, note) = match (forms.is_empty(), across.is_empty()) {
        (true, _) => (
            format!("this query reads one bucket of `{field}`, and a range may reach into others"),
            format!("`{field}` is in the partition key as a time bucket"),
            across.join("; "),
        ),
        (false, only_unsorted) => (
            format!("`{field}` does not sort in this sort key as its values do"),
            format!("`{field}` in {}", templates(unsorted)),
            match only_unsorted {
                true => note(key_field, &forms),
                false => format!("{}; {}", note(key_field, &forms), across.join("; ")),
            },
        ),
    };
    quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #name {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl<__P: Sorted> #name for __P {}
    }
}

fn expand_in_order(model: &Model<'_>, keys: &[&Key<'_>]) -> TokenStream {
    let name = in_order_name(model);
    let unsorted = keys
        .iter()
        .filter(|key| unsorted_parts(key).next().is_some());
    let label = format!("sort key {}", templates(unsorted));
    let mut notes: Vec<String> = Vec::new();
    for field in distinct_fields(model, keys) {
        let forms = unsorted_forms(keys, &field.field.name);
        if !forms.is_empty() {
            notes.push(note(field, &forms));
        }
    }
    let note = notes.join("; ");
    quote! {
        #[diagnostic::on_unimplemented(
            message = "the next part of this sort key does not sort as its values do",
            label = #label,
            note = #note
        )]
        pub trait #name {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl<__P: InOrder> #name for __P {}
    }
}

/// Returns whether a range of the field is refused in any of these sort keys.
fn may_refuse_ranges(keys: &[&Key<'_>], field: &str) -> bool {
    !unsorted_forms(keys, field).is_empty() || keys.iter().any(|key| has_bucket_of(key, field))
}

/// Returns whether the partition key has a time bucket of a field that sorts in the sort key.
fn has_bucket_of(key: &Key<'_>, field: &str) -> bool {
    let mut parts = parts_of(key).into_iter().flat_map(|sk| &sk.template.parts);
    parts.any(|part| part.field == field && is_bucketed(&key.pk, part))
}

/// Returns the method that takes a range over several buckets.
fn across(model: &Model<'_>, key: &Key<'_>) -> String {
    let (entity, method) = (model.entity.ident.unraw(), key.method("across"));
    format!(
        "give the range to `{entity}::{method}(…)`, which reads each bucket of `{}` that it \
         touches",
        key.pk.template.text
    )
}

/// Returns whether a part of any sort key may not sort.
fn needs_order(keys: &[&Key<'_>]) -> bool {
    keys.iter().any(|key| unsorted_parts(key).next().is_some())
}

/// Returns the parts of a sort key that may not sort, each with its form.
fn unsorted_parts<'k>(key: &'k Key<'_>) -> impl Iterator<Item = (&'k String, String)> {
    let parts = parts_of(key).map(|sk: &Half<'_>| (sk, sk.is_bare()));
    let forms = parts.into_iter().flat_map(move |(sk, bare)| {
        let parts = sk.template.parts.iter();
        parts.map(move |part| (&part.field, form(&key.pk, part, bare).to_string()))
    });
    forms.filter(|(_, form)| form != "Fixed")
}

/// Returns the forms of a field that may not sort, in any of these sort keys.
fn unsorted_forms(keys: &[&Key<'_>], field: &str) -> Vec<String> {
    let parts = keys.iter().flat_map(|key| unsorted_parts(key));
    let mut forms: Vec<_> = parts
        .filter(|(name, _)| *name == field)
        .map(|(_, form)| form)
        .collect();
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// `` `ORDER#<number>` or `NAME#<name>` ``
fn templates<'k, 'a: 'k>(keys: impl Iterator<Item = &'k &'k Key<'a>>) -> String {
    let mut texts: Vec<_> = keys
        .filter_map(|key| parts_of(key))
        .map(|sk| format!("`{}`", sk.template.text))
        .collect();
    texts.dedup();
    texts.join(" or ")
}

/// Returns the fix for the message.
fn note(field: &KeyField<'_>, forms: &[String]) -> String {
    let name = &field.field.name;
    let plain = match Kind::of(&crate::ty::text(field.ty.part)) {
        Kind::Integer => format!("pad the integer, as in `<{name}:06>`"),
        Kind::Time => format!("give the time a precision, as in `<{name}:ms>`"),
        Kind::Unknown => format!(
            "pad an integer, as in `<{name}:06>`; give a time a precision, as in `<{name}:ms>`; an \
             enum does not sort"
        ),
    };
    let notes = forms.iter().map(|form| match form.as_str() {
        "Unordered" => format!("text sorts as the last part, or with `#` after it; {plain}"),
        "Bare" => format!(
            "a time sorts within a text, as in `AT#<{name}:ms>`; a bool or an enum does not sort"
        ),
        "Never" | "Within" => format!(
            "a shard, a time of day without its date, `raw` text before another part and a part \
             that may be empty before anything but `#` do not sort; a time sorts as in \
             `<{name}:ms>` or `<{name}:%Y-%m-%d>`"
        ),
        _ => plain.clone(),
    });
    notes.collect::<Vec<_>>().join("; ")
}

/// What the name of a field's type says about its kind.
enum Kind {
    Integer,
    Time,
    Unknown,
}

impl Kind {
    fn of(ty: &str) -> Self {
        const INTEGERS: [&str; 12] = [
            "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        ];
        let name = ty.rsplit("::").next().unwrap_or(ty);
        if INTEGERS.contains(&name) {
            Self::Integer
        } else if ["Timestamp", "OffsetDateTime", "Zoned"].contains(&name)
            || ty.contains("DateTime<")
        {
            Self::Time
        } else {
            Self::Unknown
        }
    }
}
