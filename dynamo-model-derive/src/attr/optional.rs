//! Reads `#[dynamo(optional)]`: the field's type is an alias of `Option<…>`, which a derive cannot
//! see.

use super::options;
use crate::ctxt::Ctxt;
use crate::expand::runtime_path;
use crate::ty;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Field, Path, parse_quote_spanned};

/// Returns the declaration with `Option<…>` in place of each alias, or `None` without an alias.
///
/// All other code then decides by the type alone whether a field is optional. The code that reads
/// the attributes reports their mistakes.
pub(crate) fn without_aliases(input: &DeriveInput) -> Option<DeriveInput> {
    let Data::Struct(data) = &input.data else {
        return None;
    };
    if !data.fields.iter().any(is_alias) {
        return None;
    }
    let krate = each_option(&input.attrs, |option| match option.name() == "crate" {
        true => option.as_path(),
        false => None,
    });
    let mut input = input.clone();
    if let Data::Struct(data) = &mut input.data {
        for field in data.fields.iter_mut().filter(|field| is_alias(field)) {
            see_through(field, krate.as_ref());
        }
    }
    Some(input)
}

fn is_alias(field: &Field) -> bool {
    let is_optional = |option: &super::Opt| (option.name() == "optional").then_some(());
    !ty::is_option(&field.ty) && each_option(&field.attrs, is_optional).is_some()
}

fn see_through(field: &mut Field, krate: Option<&Path>) {
    let (dm, ty, span) = (runtime_path(krate), &field.ty, field.ty.span());
    field.ty = parse_quote_spanned! {span=>
        ::core::option::Option<<#ty as #dm::bounds::OptionAlias>::Value>
    };
}

fn each_option<T>(
    attributes: &[Attribute],
    wanted: impl Fn(&super::Opt) -> Option<T>,
) -> Option<T> {
    let cx = Ctxt::new();
    let mut ours = attributes.iter().filter(|it| it.path().is_ident("dynamo"));
    let found = ours.find_map(|attribute| options(&cx, attribute).iter().find_map(&wanted));
    // The attributes are read again later, and errors are reported then.
    drop(cx.check());
    found
}
