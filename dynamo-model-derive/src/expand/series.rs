//! Writes `across`: one query over all time buckets of a range, and over all write shards.

use super::model::{Key, KeyField, Model};
use super::read;
use super::write::Refusal;
use crate::expand::Runtime;
use crate::template::{Form, TimePiece};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

/// The role of a partition key's field in a query over many partitions.
enum Role {
    /// An argument, as in any query.
    Value,
    /// A range, whose buckets are read.
    Buckets,
    /// Not an argument: all shards are read.
    Shards,
}

/// ```text
/// pub fn across(product: impl AsKeyPart<Id>, at: impl BucketRange<Timestamp>) -> … { … }
/// ```
///
/// Returns `None` if the partition key has neither buckets nor shards, or buckets of two fields,
/// because then no order of the buckets is right.
pub(crate) fn expand(model: &Model<'_>, key: &Key<'_>) -> Option<TokenStream> {
    let fields = model.partition_fields_of(key);
    let roles: Vec<_> = fields.iter().map(|field| role(key, field)).collect();
    let count = |wanted: fn(&Role) -> bool| roles.iter().filter(|role| wanted(role)).count();
    let (buckets, values) = (
        count(|role| matches!(role, Role::Buckets)),
        count(|role| matches!(role, Role::Value)),
    );
    if values == roles.len() || buckets > 1 {
        return None;
    }
    let (dm, vis, marker) = (&model.dm, model.entity.vis, key.marker(&model.dm));
    let with_roles = || fields.iter().zip(&roles);
    let parameters =
        with_roles().filter_map(|(field, role)| expand_parameter(dm, key, field, role));
    let known = with_roles().filter_map(|(field, role)| expand_known(model, key, field, role));
    let bounds = with_roles().filter_map(|(field, role)| expand_bound(dm, field, role));
    let refused = refusal(model, key)
        .map(|Refusal { name, .. }| quote!(for<'__t> #dm::__private::ByKey: __refusals::#name,));
    let method = key.method("across");
    let pk = quote!(#dm::__private::PartitionsOf::new::<Self, #marker>() #(#known)* .build());
    let (ret, body) = read::expand_open(model, key, &pk);
    let doc = expand_doc(key, buckets > 0);
    Some(quote! {
        #[doc = #doc]
        #vis fn #method(#(#parameters),*) -> #ret
        where
            #(#bounds,)* #refused
        {
            #body
        }
    })
}

/// Returns why the buckets of a range cannot be listed: their text has no date, so many buckets
/// have the same text.
pub(super) fn refusal(model: &Model<'_>, key: &Key<'_>) -> Option<Refusal> {
    let fields = model.partition_fields_of(key);
    let buckets = |field: &&&KeyField<'_>| matches!(role(key, field), Role::Buckets);
    let field = fields.iter().find(buckets)?;
    let name = &field.field.name;
    let parts = key
        .pk
        .template
        .parts
        .iter()
        .filter(|part| part.field == *name);
    let pieces = parts.filter_map(|part| match &part.spec.form {
        Form::Format(pieces) => Some(pieces),
        _ => None,
    });
    if TimePiece::name_a_time(pieces.flatten()) {
        return None;
    }
    let template = &key.pk.template.text;
    Some(Refusal {
        name: format_ident!("HasDate_{}_{}", model.entity.ident.unraw(), key.label()),
        message: format!(
            "the buckets of `{name}` in `{template}` have no date, so a range of time does not \
             tell which they are"
        ),
        label: "a bucket without its date",
        note: "write the date into the bucket, as in `<at:%Y-%m-%dT%H>`, or query one bucket",
    })
}

fn role(key: &Key<'_>, field: &KeyField<'_>) -> Role {
    let parts = key.pk.template.parts.iter();
    let mut specs = parts
        .filter(|part| part.field == field.field.name)
        .map(|part| &part.spec);
    if specs.clone().any(|spec| !spec.is_lossy()) {
        Role::Value
    } else if specs.any(|spec| matches!(spec.form, Form::Format(_))) {
        Role::Buckets
    } else {
        Role::Shards
    }
}

fn expand_doc(key: &Key<'_>, buckets: bool) -> String {
    let what = match buckets {
        true => "all buckets of a range, one after the other, each with all its shards",
        false => "all shards, merged in the order of the sort key",
    };
    format!(
        "The items with {}, in {}: {what}.",
        key.condition(),
        key.place()
    )
}

fn expand_parameter(
    dm: &Runtime,
    key: &Key<'_>,
    field: &KeyField<'_>,
    role: &Role,
) -> Option<TokenStream> {
    let (ident, part) = (field.argument(), field.ty.part);
    match role {
        Role::Value => Some(field.parameter(dm, key.may_be_empty(field))),
        Role::Buckets => Some(quote!(#ident: impl #dm::key::BucketRange<#part>)),
        Role::Shards => None,
    }
}

fn expand_known(
    model: &Model<'_>,
    key: &Key<'_>,
    field: &KeyField<'_>,
    role: &Role,
) -> Option<TokenStream> {
    let (name, ident, part) = (&field.field.name, field.argument(), field.ty.part);
    let attribute = &field.field.attribute;
    match role {
        Role::Value => {
            let value = field.argument_value(model, key.may_be_empty(field));
            Some(quote!(.value(#name, #value)))
        }
        Role::Buckets => Some(quote!(.range::<Self, #part>(#name, #attribute, &#ident))),
        Role::Shards => None,
    }
}

/// Writes a bound that is checked where the method is called, because an entity need not implement
/// serde's traits.
fn expand_bound(dm: &Runtime, field: &KeyField<'_>, role: &Role) -> Option<TokenStream> {
    let part = field.ty.part;
    matches!(role, Role::Buckets).then(|| quote!(for<'__t> #part: #dm::__private::DeserializeOwned))
}
