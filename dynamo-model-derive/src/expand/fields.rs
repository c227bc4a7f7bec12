//! Writes `Fields`: the attributes that a filter or a condition can name, each as a typed path.

use super::encoding::Encoding;
use super::model::{Key, Model};
use crate::ast::{Entity, Field, Stored};
use crate::expand::Runtime;
use crate::ty::KeyType;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Ident, parse_quote};

/// ```text
/// pub struct FieldsOf_User<I>;                       // I: the index that is queried
/// impl<I> FieldsOf_User<I> {
///     pub fn name<J>(&self) -> Path<String> where I: Is<J>, J: Carries_User_name<User> { … }
/// }
/// impl HasFields for User { type Fields<I> = FieldsOf_User<I>; … }
/// ```
///
/// Entities with an index have the bounds: a filter cannot name a key attribute of the queried
/// index, or an attribute that the index does not project.
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let (impl_generics, _, where_clause) = model.entity.generics.split_for_impl();
    let mut generics = model.entity.generics.clone();
    let index: GenericParam = parse_quote!(__I);
    generics.params.push(index);
    let (fields_impl, fields_ty, _) = generics.split_for_impl();
    let mut refusals = Refusals::default();
    let accessors: Vec<_> = model
        .entity
        .fields
        .iter()
        .map(|field| {
            let bound = expand_bound(model, field, &mut refusals);
            let stored = stored_options(dm, model.entity, field);
            expand_accessor(dm, model.entity, field, bound.as_ref(), Some(&stored))
        })
        .collect();
    let encodings = model.entity.fields.iter().filter_map(|field| {
        let encoding = field.encoding(model.entity.ident)?;
        Some(encoding.expand(dm, model.entity.generics))
    });
    let name = super::fields_name(model.entity.ident);
    quote! {
        #(#encodings)*
        #refusals

        pub struct #name #fields_impl (
            ::core::marker::PhantomData<fn() -> (#self_ty, __I)>,
        ) #where_clause;

        #[automatically_derived]
        impl #fields_impl #name #fields_ty #where_clause {
            #(#accessors)*
        }

        #[automatically_derived]
        impl #impl_generics #dm::__private::HasFields for #self_ty #where_clause {
            type Fields<__I> = #name #fields_ty;
            fn fields<__I>() -> Self::Fields<__I> {
                #name(::core::marker::PhantomData)
            }
        }
    }
}

/// The reasons why the filter of an index cannot name a field: a trait with the message, and the
/// indexes that allow the field.
///
/// ```text
/// mod __filters {
///     pub trait Accepts<E, const N: usize> {}
///     #[diagnostic::on_unimplemented(…)]
///     pub trait Carries_User_name<E> {}
///     impl<E, I: Accepts<E, 0>> Carries_User_name<E> for I {}
/// }
/// impl<I> __filters::Accepts<User, 0> for I where … {}
/// ```
///
/// The traits have their own module, because a user's `diagnostic` would shadow the compiler's.
#[derive(Default)]
struct Refusals {
    count: usize,
    traits: TokenStream,
    impls: TokenStream,
}

impl Refusals {
    /// Adds a trait. Returns the trait to implement for the indexes that allow the field.
    fn add(&mut self, entity: &TokenStream, name: &Ident, message: &TokenStream) -> TokenStream {
        let number = self.count;
        self.count += 1;
        self.traits.extend(quote! {
            #[diagnostic::on_unimplemented(#message)]
            pub trait #name<__E> {}
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl<__E, __I: Accepts<__E, #number>> #name<__E> for __I {}
        });
        quote!(__filters::Accepts<#entity, #number>)
    }
}

impl ToTokens for Refusals {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if self.count > 0 {
            let (traits, impls) = (&self.traits, &self.impls);
            tokens.extend(quote! {
                mod __filters {
                    pub trait Accepts<__E, const NUMBER: ::core::primitive::usize> {}
                    #traits
                }
                #impls
            });
        }
    }
}

/// The bounds of an accessor on the index.
pub(crate) struct Bound {
    parameters: TokenStream,
    clause: TokenStream,
}

/// `where __I: Is<__J>, __J: NotKey_User_email<User> + Carries_User_email<User>`
///
/// Each bound is a trait of its own, so that the message can name the field.
fn expand_bound(model: &Model<'_>, field: &Field<'_>, refusals: &mut Refusals) -> Option<Bound> {
    if !is_attribute(field) {
        return None;
    }
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let mut bounds = Vec::new();
    if is_bare(model, &field.name) {
        let name = format_ident!("NotKey_{}_{}", model.entity.ident.unraw(), field.name);
        expand_not_key(model, field, &name, refusals);
        bounds.push(quote!(__filters::#name<#self_ty>));
    }
    if model.keys.len() > 1 {
        let name = format_ident!("Carries_{}_{}", model.entity.ident.unraw(), field.name);
        expand_carries(model, field, &name, refusals);
        bounds.push(quote!(__filters::#name<#self_ty>));
    }
    (!bounds.is_empty()).then(|| Bound {
        parameters: quote!(<__J>),
        clause: quote!(where __I: #dm::__private::Is<__J>, __J: #(#bounds)+*),
    })
}

fn is_attribute(field: &Field<'_>) -> bool {
    field.stored == Stored::Attribute && field.key_only.is_none()
}

/// DynamoDB accepts no key attribute of the queried index in a filter.
fn expand_not_key(model: &Model<'_>, field: &Field<'_>, name: &Ident, refusals: &mut Refusals) {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let (impl_generics, _, where_clause) = model.entity.generics.split_for_impl();
    let message = format!(
        "a filter cannot name `{}`, which is a key attribute of what is queried",
        field.name
    );
    let keys = model.keys.iter();
    let others = keys
        .filter(|key| !is_bare_in(key, &field.name))
        .map(|key| key.marker(dm))
        .chain([quote!(#dm::__private::Anywhere)]);
    let accepts = refusals.add(
        &quote!(#self_ty),
        name,
        &quote! {
            message = #message,
            label = "a key attribute",
            note = "give its value as an argument of the query, or as a part of the sort key"
        },
    );
    refusals.impls.extend(quote! {
        #(
            #[automatically_derived]
            impl #impl_generics #accepts for #others #where_clause {}
        )*
    });
}

/// A filter sees only what the index projects: any other attribute is absent there, and no item
/// would match.
fn expand_carries(model: &Model<'_>, field: &Field<'_>, name: &Ident, refusals: &mut Refusals) {
    let (dm, attribute) = (&model.dm, attribute_type(&field.attribute));
    let message = format!(
        "the index `{{Self}}` does not carry `{}`, so a filter on it would match no item",
        field.name
    );
    let label = format!("`{}` is not in the index", field.attribute);
    let note = format!(
        "declare `projection = include(\"{}\")` or `projection = all` for this index on the table, \
         or filter the items after `.hydrate(&db)`",
        field.attribute
    );
    let accepts = refusals.add(
        &quote!(__E),
        name,
        &quote!(message = #message, label = #label, note = #note),
    );
    refusals.impls.extend(quote! {
        #[automatically_derived]
        impl<__E: #dm::Entity, __I> #accepts for __I
        where
            __E::Table: #dm::__private::Projects<__I, #dm::__private::#attribute>,
        {}
    });
}

/// Returns `AttributeName<…>`: the name of an attribute as a type, the same for tables and
/// entities.
pub(super) fn attribute_type(name: &str) -> TokenStream {
    // FNV-1a.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    quote!(AttributeName<#hash>)
}

/// Returns the type that an attribute is compared with and set to.
pub(super) fn value_type(dm: &Runtime, entity: &Entity<'_>, field: &Field<'_>) -> TokenStream {
    if let Some(encoding) = field.encoding(entity.ident) {
        return encoding.path_type(dm, entity.generics);
    }
    let KeyType { part, borrowed, .. } = KeyType::of(field.ty);
    if borrowed {
        quote!(<#part as ::std::borrow::ToOwned>::Owned)
    } else {
        quote!(#part)
    }
}

impl Field<'_> {
    /// Returns the encoding of a field that has a serde function or `sorts_as`.
    pub(crate) fn encoding<'e>(&'e self, owner: &'e Ident) -> Option<Encoding<'e>> {
        (self.function.is_some() || self.sorts_as.is_some()).then(|| Encoding {
            owner,
            field: &self.name,
            span: self.ident.span(),
            ty: self.ty,
            function: self.function.as_ref(),
            stored_as: self.stored_as,
        })
    }
}

/// Writes how an attribute is stored, for a path to it.
pub(super) fn stored_options(dm: &Runtime, entity: &Entity<'_>, field: &Field<'_>) -> TokenStream {
    let nulls = match (entity.null, field.null) {
        (true, _) => Some(true),
        (false, Some(_)) => Some(false),
        (false, None) => None,
    };
    super::form::path_options(dm, field.ty, field.function.is_some(), nulls)
}

/// Returns the path to an attribute; empty for a field that is not an attribute.
pub(crate) fn expand_accessor(
    dm: &Runtime,
    entity: &Entity<'_>,
    field: &Field<'_>,
    bound: Option<&Bound>,
    stored: Option<&TokenStream>,
) -> Option<TokenStream> {
    if !is_attribute(field) {
        return None;
    }
    let (ident, attribute) = (field.ident, &field.attribute);
    let part = KeyType::of(field.ty).part;
    let ty = value_type(dm, entity, field);
    let doc = format!("The attribute `{attribute}`.");
    let hidden = field.sensitive.map(|_| quote!(.hidden()));
    let parameters = bound.map(|bound| &bound.parameters);
    let clause = bound.map(|bound| &bound.clause);
    if field.nested.is_some() {
        // Spanned at the field's type, so that a type that is not a nested struct gives one error
        // there.
        let fields = super::at(part.span(), quote!(<#ty as #dm::expr::Nested>::Fields));
        let path = quote!(#dm::expr::Path::attribute(#attribute)#hidden #stored);
        let made = super::at(
            part.span(),
            quote!({ <#ty as #dm::expr::Nested>::fields(#path) }),
        );
        return Some(quote! {
            #[doc = #doc]
            pub fn #ident #parameters(&self) -> #fields #clause #made
        });
    }
    Some(quote! {
        #[doc = #doc]
        pub fn #ident #parameters(&self) -> #dm::expr::Path<#ty> #clause {
            #dm::expr::Path::attribute(#attribute)#hidden #stored
        }
    })
}

fn is_bare(model: &Model<'_>, field: &str) -> bool {
    model.keys.iter().any(|key| is_bare_in(key, field))
}

fn is_bare_in(key: &Key<'_>, field: &str) -> bool {
    key.halves()
        .any(|half| half.template.is_bare() && half.template.parts[0].field == field)
}
