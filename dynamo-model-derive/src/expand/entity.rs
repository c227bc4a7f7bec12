//! Everything an entity gets, in one anonymous constant.

use super::model::{Half, Key, Model};
use super::{at, index_id, keys, option, read, sort_key, write};
use crate::ast::{Field, Stored};
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Lifetime};

/// ```text
/// const _: () = {
///     struct User_user_id;                              // one for each field in a key
///     impl Field for User_user_id { type Part = UserId; … }
///     struct __Keys;                                     // templates and builders
///     impl Entity for User { … }
///     impl IndexedBy<Primary> for User { … }             // and for each index
///     impl User { pub fn key(…) … }                      // what the user calls
///     const _: () = check::sort_key(…).enforce();        // and the other cross-declaration rules
/// };
/// ```
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let fields = expand_fields(model);
    let entity = expand_entity_impl(model);
    let templates = keys::expand_templates(model);
    let keys = model.keys.iter().map(|key| keys::expand(model, key));
    let sort_keys = model.keys.iter().map(|key| sort_key::expand(model, key));
    let read = read::expand(model);
    let write = write::expand(model);
    let checks = if is_generic(model) {
        TokenStream::new()
    } else {
        expand_checks(model)
    };
    quote! {
        #[doc(hidden)]
        #[allow(
            dead_code, missing_docs, missing_debug_implementations, non_camel_case_types, private_bounds,
            private_interfaces, unnameable_types, unreachable_pub, clippy::all, clippy::pedantic
        )]
        const _: () = {
            #fields
            #templates
            #entity
            #(#keys)*
            #(#sort_keys)*
            #read
            #write
            #checks
        };
    }
}

fn expand_fields(model: &Model<'_>) -> TokenStream {
    // As visible as the entity: the types of its queries name them, in whichever crate they are used. The
    // field's type is a parameter, because a public marker may not itself stand for a private type.
    let (dm, vis, self_ty) = (&model.dm, model.entity.vis, model.self_ty());
    let (impl_generics, _, where_clause) = model.entity.generics.split_for_impl();
    let fields = model.fields.iter().map(|field| {
        let (marker, part, name) = (&field.marker, field.ty.part, &field.field.name);
        let mut generics = model.entity.generics.clone();
        generics.params.push(syn::parse_quote!(__Part: ?::core::marker::Sized));
        let (declared, arguments) = (&generics.params, model.generic_arguments());
        // Where a message shows the marker, it shows the field: the compiler looks at both ends.
        let span = field.field.ident.span();
        let (head, close) = (at(span, quote!(#vis struct #marker <)), at(span, quote!(>)));
        let mut body = Group::new(
            Delimiter::Brace,
            quote! {
                of: ::core::marker::PhantomData<fn() -> #self_ty>,
                part: ::core::marker::PhantomData<__Part>,
            },
        );
        body.set_span(span);
        quote! {
            #head #declared = #part #close #where_clause #body
            impl #impl_generics #dm::__private::Field for #marker<#(#arguments,)* #part> #where_clause {
                type Part = #part;
                const NAME: &'static ::core::primitive::str = #name;
            }
        }
    });
    quote!(#(#fields)*)
}

fn expand_entity_impl(model: &Model<'_>) -> TokenStream {
    let (dm, entity) = (&model.dm, model.entity);
    let (ident, table) = (entity.ident, &entity.table);
    let name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let entity_type = option(entity.entity_type.as_ref());
    let pair = |key: &Key<'_>| {
        let constant = |half: &Half<'_>| {
            let constant = half.constant(key);
            quote!(<__Keys #ty_generics>::#constant)
        };
        let (pk, sk) = (constant(&key.pk), option(key.sk.as_ref().map(constant)));
        quote!((#pk, #sk))
    };
    let primary = pair(&model.keys[0]);
    let indexes = model.keys.iter().filter_map(|key| {
        let (id, method) = (index_id(dm, key.index?.id), key.name()?);
        let (pair, sparse) = (pair(key), model.is_sparse(key));
        Some(quote!(#dm::schema::EntityIndex::new(#id, #method, #pair, #sparse)))
    });
    let attributes = stored(model).map(|field| {
        let (field_name, attribute) = (&field.name, &field.attribute);
        let role = role(field);
        let sensitive = field.sensitive.map(|_| quote!(.into_sensitive()));
        let required = is_required(field).then(|| quote!(.into_required()));
        let (rust_type, doc) = (rust_type(field), &field.doc);
        quote! {
            #dm::schema::AttributeSchema::new(#field_name, #attribute, #dm::schema::AttributeRole::#role)
                .described(#rust_type, #doc) #sensitive #required
        }
    });
    let add = model.keys.iter().map(|key| {
        let marker = key.marker(dm);
        quote!(__attributes.add(<Self as #dm::IndexedBy<#marker>>::key_in(self)?);)
    });
    let uniques = (0..model.uniques.len()).map(|i| {
        let constant = keys::unique_constant(i);
        quote!(#dm::schema::UniqueSchema::new(<__Keys #ty_generics>::#constant))
    });
    let uniques = (!model.uniques.is_empty()).then(|| quote!(.with_uniques(&[#(#uniques),*])));
    let doc = &entity.doc;
    let doc = (!doc.is_empty()).then(|| quote!(.with_doc(#doc)));
    let capacity = model
        .keys
        .iter()
        .map(|key| key.halves().count())
        .sum::<usize>();
    let generic_checks = is_generic(model).then(|| {
        let checks = expand_checks(model);
        quote!(const { #checks };)
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::__private::ItemEntity for #ident #ty_generics #where_clause {}

        #[automatically_derived]
        impl #impl_generics #dm::Entity for #ident #ty_generics #where_clause {
            type Table = #table;

            const SCHEMA: #dm::schema::EntitySchema = #dm::schema::EntitySchema::new(
                #name, #entity_type, #primary, &[#(#indexes),*], &[#(#attributes),*],
            )#uniques #doc;

            fn primary_key(&self) -> ::core::result::Result<#dm::Key<Self>, #dm::KeyError> {
                <__Keys #ty_generics>::primary_of(self)
            }

            fn key_attributes(
                &self,
            ) -> ::core::result::Result<::std::vec::Vec<#dm::ItemKeyAttribute>, #dm::KeyError> {
                #generic_checks
                let mut __attributes = #dm::__private::KeyAttributes::with_capacity(#capacity);
                #(#add)*
                ::core::result::Result::Ok(__attributes.finish())
            }
        }
    }
}

fn stored<'m>(model: &'m Model<'_>) -> impl Iterator<Item = &'m Field<'m>> {
    model
        .entity
        .fields
        .iter()
        .filter(|field| field.stored == Stored::Attribute)
}

/// The field's type as written. What a function of the user's writes is not of that type, and says so.
fn rust_type(field: &Field<'_>) -> String {
    let ty = crate::ty::text(field.ty);
    match &field.function {
        Some(function) => {
            let function = function.to_token_stream().to_string().replace(' ', "");
            format!("{ty} with {function}")
        }
        None => ty,
    }
}

fn role(field: &Field<'_>) -> TokenStream {
    if field.key_only.is_some() {
        quote!(KeyOnly)
    } else if field.version.is_some() {
        quote!(Version)
    } else if field.ttl.is_some() {
        quote!(Ttl)
    } else if field.created_at.is_some() {
        quote!(CreatedAt)
    } else if field.updated_at.is_some() {
        quote!(UpdatedAt)
    } else {
        quote!(Data)
    }
}

/// Whether an item without the attribute could not be read.
pub(super) fn is_required(field: &Field<'_>) -> bool {
    field.key_only.is_none() && !field.has_default && !crate::ty::KeyType::of(field.ty).optional
}

/// With a type parameter the checks wait until the types are known.
fn is_generic(model: &Model<'_>) -> bool {
    model.entity.generics.type_params().next().is_some()
        || model.entity.generics.const_params().next().is_some()
}

/// The rules that need the table: each in a constant of its own, at the text it is about.
fn expand_checks(model: &Model<'_>) -> TokenStream {
    let dm = &model.dm;
    let entity_ty = if is_generic(model) {
        quote!(Self)
    } else {
        static_self(model)
    };
    // The table by way of the entity: what is no table has been reported there, once.
    let schemas =
        quote!(&#dm::__private::table::<#entity_ty>(), &<#entity_ty as #dm::Entity>::SCHEMA);
    let mut checks = TokenStream::new();
    let generic = is_generic(model);
    let mut check = |span: Span, rule: &str, arguments: TokenStream| {
        let rule = proc_macro2::Ident::new(rule, Span::call_site());
        let call = quote!(#dm::__private::check::#rule(#schemas #arguments).enforce(););
        let constant = (!generic).then(|| quote!(const _: () =));
        checks.extend(at(span, quote!(#constant #call)));
    };
    let ident = model.entity.ident.span();
    let primary = &model.keys[0];
    check(
        primary.sk.as_ref().map_or(ident, |sk| sk.span),
        "sort_key",
        TokenStream::new(),
    );
    let entity_type = model
        .entity
        .entity_type
        .as_ref()
        .map_or(ident, syn::LitStr::span);
    check(entity_type, "entity_type", TokenStream::new());
    for key in &model.keys {
        let id = key.index.map(|index| index_id(dm, index.id));
        if let (Some(index), Some(id)) = (key.index, &id) {
            check(index.span, "index", quote!(, #id));
            check(index.span, "index_key", quote!(, #id));
        }
        let id = option(id);
        for half in key.halves() {
            // What the table's own key says is checked there, once.
            if half_is_inherited(model, key, half) {
                continue;
            }
            let constant = half.constant(key);
            let (_, ty_generics, _) = model.entity.generics.split_for_impl();
            let template = if generic {
                quote!(<__Keys #ty_generics>::#constant)
            } else {
                let keys = static_generics(model);
                quote!(<__Keys #keys>::#constant)
            };
            check(half.span, "key_type", quote!(, #id, #template));
        }
    }
    for (i, unique) in model.uniques.iter().enumerate() {
        check(unique.span, "unique", quote!(, #i));
    }
    for (i, field) in stored(model).enumerate() {
        check(field.ident.span(), "attribute", quote!(, #i));
        if let Some(span) = field.ttl {
            check(span, "ttl", quote!(, #i));
        }
    }
    let types = model.entity.fields.iter().filter_map(|field| {
        let ty = field.ty;
        let assertion = match (field.version, field.ttl) {
            (Some(_), _) => quote_spanned!(ty.span()=> assert_version),
            (_, Some(_)) => quote_spanned!(ty.span()=> assert_ttl),
            _ => return None,
        };
        let call = quote!(#dm::__private::#assertion::<#ty>());
        Some(if generic {
            quote!(#call;)
        } else {
            quote!(const _: () = #call;)
        })
    });
    checks.extend(types);
    checks
}

fn half_is_inherited(model: &Model<'_>, key: &Key<'_>, half: &Half<'_>) -> bool {
    key.index.is_some()
        && model.keys[0]
            .halves()
            .any(|own| std::ptr::eq(own.template, half.template))
}

/// The entity with `'static` for its lifetimes, as a constant needs it.
fn static_self(model: &Model<'_>) -> TokenStream {
    let (ident, generics) = (model.entity.ident, static_generics(model));
    quote!(#ident #generics)
}

fn static_generics(model: &Model<'_>) -> TokenStream {
    let lifetimes: Vec<_> = model
        .entity
        .generics
        .params
        .iter()
        .filter(|param| matches!(param, GenericParam::Lifetime(_)))
        .map(|_| Lifetime::new("'static", Span::call_site()).to_token_stream())
        .collect();
    if lifetimes.is_empty() {
        TokenStream::new()
    } else {
        quote!(<#(#lifetimes),*>)
    }
}
