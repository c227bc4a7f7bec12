//! Vector indexes: what a table declares, and how an entity is searched.

use super::fields::{stored_options, value_type};
use super::model::Model;
use super::{at, index_id, index_marker, key_attribute, option, projection};
use crate::ast::{Entity, EntityVector, Field, Table};
use crate::expand::Runtime;
use crate::ty::KeyType;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// `__schema.vectors = &[VectorIndexSchema::new(IndexId::Vector(1), "by-meaning", …)];`
pub(crate) fn expand_table(dm: &Runtime, table: &Table<'_>) -> Option<TokenStream> {
    let vectors = table.vectors.iter().map(|vector| {
        let (id, name, attribute) = (index_id(dm, vector.id), &vector.name, &vector.attribute);
        let (dimensions, _) = vector.dimensions;
        let distance = format_ident!("{}", vector.distance);
        let hash = vector.hash.as_ref().map(|hash| key_attribute(dm, hash));
        let hash = option(hash);
        let filters = vector.filters.iter().map(|it| key_attribute(dm, it));
        let projection = projection(dm, &vector.projection);
        quote! {
            #dm::schema::VectorIndexSchema::new(
                #id,
                #name,
                (#attribute, #dimensions, #dm::schema::Distance::#distance),
                (#hash, &[#(#filters),*]),
                #projection,
            )
        }
    });
    (!table.vectors.is_empty()).then(|| quote!(__schema.vectors = &[#(#vectors),*];))
}

/// `.with_vectors(&[EntityVector::new(IndexId::Vector(1), "similar_to", "meaning", Some("tenant"), &["category"])])`
pub(crate) fn expand_schema(model: &Model<'_>) -> Option<TokenStream> {
    let dm = &model.dm;
    let vectors = model.entity.vectors.iter().map(|vector| {
        let (id, method) = (index_id(dm, vector.id), name_of(&vector.method));
        let field = name_of(&vector.field);
        let hash = option(vector.hash.as_ref().map(name_of));
        let filters = vector.filters.iter().map(name_of);
        quote!(#dm::schema::EntityVector::new(#id, #method, #field, #hash, &[#(#filters),*]))
    });
    (!model.entity.vectors.is_empty()).then(|| quote!(.with_vectors(&[#(#vectors),*])))
}

fn name_of(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// A vector of an entity, with its fields.
pub(crate) struct Search<'a> {
    pub(crate) vector: &'a EntityVector,
    field: &'a Field<'a>,
    hash: Option<&'a Field<'a>>,
    filters: Vec<&'a Field<'a>>,
}

impl<'a> Search<'a> {
    /// `None` where a name is not a field, which was reported.
    fn of(entity: &'a Entity<'a>, vector: &'a EntityVector) -> Option<Self> {
        let field = |name: &Ident| entity.field(&name_of(name));
        Some(Self {
            vector,
            field: field(&vector.field)?,
            hash: match &vector.hash {
                Some(hash) => Some(field(hash)?),
                None => None,
            },
            filters: vector.filters.iter().map(field).collect::<Option<_>>()?,
        })
    }

    /// Those that can be generated.
    pub(crate) fn all(entity: &'a Entity<'a>) -> Vec<Self> {
        let vectors = entity.vectors.iter();
        vectors.filter_map(|it| Self::of(entity, it)).collect()
    }

    /// `Vector1Of_Product`: stands for the field in generated code.
    pub(crate) fn marker(&self, entity: &Entity<'_>) -> Ident {
        format_ident!(
            "{}Of_{}",
            index_marker(self.vector.id),
            entity.ident.unraw()
        )
    }
}

/// The field that is the vector of an index, named here alone, so that one that is not a vector is one error.
///
/// ```text
/// pub struct Vector1Of_Product(…);
/// impl VectorOf for Vector1Of_Product { type Field = Vector<1536>; }
/// ```
pub(crate) fn expand_fields(model: &Model<'_>) -> TokenStream {
    let (dm, entity) = (&model.dm, model.entity);
    let (vis, self_ty) = (entity.vis, model.self_ty());
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let fields = Search::all(entity).into_iter().map(|search| {
        let (marker, ty) = (search.marker(entity), search.field.ty);
        // The compiler underlines the type in the declaration.
        let field = at(ty.span(), quote!(type Field = #ty;));
        quote! {
            #vis struct #marker #impl_generics (::core::marker::PhantomData<fn() -> #self_ty>) #where_clause;
            #[automatically_derived]
            impl #impl_generics #dm::__private::VectorOf for #marker #ty_generics #where_clause {
                #field
            }
        }
    });
    quote!(#(#fields)*)
}

/// ```text
/// pub fn similar_to(tenant: impl AsOperand<String>, meaning: &Vector<1536>) -> VectorSearch<Product, Vector1> { … }
/// ```
pub(crate) fn expand_methods(model: &Model<'_>) -> TokenStream {
    let (dm, entity) = (&model.dm, model.entity);
    let (_, ty_generics, _) = entity.generics.split_for_impl();
    let methods = Search::all(entity).into_iter().map(|search| {
        let (vis, method, field) = (entity.vis, &search.vector.method, search.field.ident);
        let (marker, index) = (search.marker(entity), index_marker(search.vector.id));
        let doc = format!(
            "Searches `{}` for the items whose `{}` is closest to a vector.",
            search.vector.id, search.field.name
        );
        let hash = search.hash.map(|hash| {
            let (ident, ty) = (hash.ident, value_type(dm, entity, hash));
            let filter = expand_filter(dm, entity, hash);
            (
                quote!(#ident: impl #dm::expr::AsOperand<#ty>,),
                quote!(#filter.eq(#ident)),
            )
        });
        let (parameter, hash) = hash.unzip();
        let hash = option(hash);
        quote! {
            #[doc = #doc]
            #vis fn #method(
                #parameter
                #field: &<<#marker #ty_generics as #dm::__private::VectorOf>::Field as #dm::vector::VectorField>::Vector,
            ) -> #dm::vector::VectorSearch<Self, #dm::index::#index> {
                #dm::vector::VectorSearch::new(::core::convert::AsRef::as_ref(#field), #hash)
            }
        }
    });
    methods.collect()
}

/// `InlineFilter::<String>::new("category", Path::attribute("category"))`
fn expand_filter(dm: &Runtime, entity: &Entity<'_>, field: &Field<'_>) -> TokenStream {
    let (attribute, ty) = (&field.attribute, value_type(dm, entity, field));
    let hidden = field.sensitive.map(|_| quote!(.hidden()));
    let stored = stored_options(dm, entity, field);
    quote! {
        #dm::vector::InlineFilter::<#ty>::new(
            #attribute, #dm::expr::Path::attribute(#attribute)#hidden #stored,
        )
    }
}

/// ```text
/// pub struct Vector1FiltersOf_Product(…);
/// impl Vector1FiltersOf_Product { pub fn category(&self) -> InlineFilter<String> { … } }
/// impl Searchable<Vector1> for Product { type Filters = Vector1FiltersOf_Product; … }
/// ```
pub(crate) fn expand_filters(dm: &Runtime, entity: &Entity<'_>) -> TokenStream {
    let ident = entity.ident;
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let all = Search::all(entity).into_iter().map(|search| {
        let index = index_marker(search.vector.id);
        let filters = format_ident!("{index}FiltersOf_{}", ident.unraw());
        let accessors = search.filters.iter().map(|field| {
            let (name, ty) = (field.ident, value_type(dm, entity, field));
            let doc = format!("The filter `{}`.", field.attribute);
            let filter = expand_filter(dm, entity, field);
            quote! {
                #[doc = #doc]
                pub fn #name(&self) -> #dm::vector::InlineFilter<#ty> {
                    #filter
                }
            }
        });
        quote! {
            pub struct #filters #impl_generics (::core::marker::PhantomData<fn() -> #ident #ty_generics>) #where_clause;
            #[automatically_derived]
            impl #impl_generics #filters #ty_generics #where_clause {
                #(#accessors)*
            }
            #[automatically_derived]
            impl #impl_generics #dm::__private::Searchable<#dm::index::#index> for #ident #ty_generics #where_clause {
                type Filters = #filters #ty_generics;
                fn filters() -> Self::Filters {
                    #filters(::core::marker::PhantomData)
                }
            }
        }
    });
    all.collect()
}

/// The rules about the vectors of an entity: the place of each, its name and its arguments.
pub(crate) fn rules(model: &Model<'_>) -> Vec<(proc_macro2::Span, &'static str, TokenStream)> {
    let (dm, entity) = (&model.dm, model.entity);
    let (_, ty_generics, _) = entity.generics.split_for_impl();
    let mut rules = Vec::new();
    let kind = |field: &Field<'_>| match field.function {
        // What a function writes is known at run time alone.
        Some(_) => quote!(::core::option::Option::None),
        None => {
            let part = KeyType::of(field.ty).part;
            quote!(#dm::__private::kind_of::<#part>())
        }
    };
    for (i, search) in Search::all(entity).iter().enumerate() {
        let (vector, marker) = (search.vector, search.marker(entity));
        rules.push((vector.span, "vector_index", quote!(#i)));
        rules.push((vector.field.span(), "vector_attribute", quote!(#i)));
        let dimensions = quote!(#i, #dm::__private::dimensions::<#marker #ty_generics>());
        rules.push((search.field.ty.span(), "vector_dimensions", dimensions));
        if let (Some(hash), Some(field)) = (&vector.hash, search.hash) {
            let kind = kind(field);
            rules.push((hash.span(), "vector_hash", quote!(#i, #kind)));
        }
        for (which, (filter, field)) in vector.filters.iter().zip(&search.filters).enumerate() {
            let kind = kind(field);
            rules.push((filter.span(), "vector_filter", quote!(#i, #which, #kind)));
        }
        rules.push((vector.span, "vector_shared", quote!(#i)));
    }
    rules
}

/// After an error: functions that take anything, and the filters.
pub(crate) fn expand_stubs(dm: &Runtime, entity: &Entity<'_>) -> TokenStream {
    let (ident, vis) = (entity.ident, entity.vis);
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let mut known = Vec::new();
    let methods = Search::all(entity).into_iter().filter_map(|search| {
        let method = &search.vector.method;
        if known.contains(&method.to_string())
            || crate::check::is_method_of_entity(&method.to_string())
        {
            return None;
        }
        known.push(method.to_string());
        let index = index_marker(search.vector.id);
        let hash = search.hash.map(|_| quote!(_: impl ::core::marker::Sized,));
        Some(quote! {
            #[doc(hidden)]
            #vis fn #method(
                #hash _: impl ::core::marker::Sized,
            ) -> #dm::vector::VectorSearch<Self, #dm::index::#index> {
                ::core::unreachable!()
            }
        })
    });
    let methods: Vec<_> = methods.collect();
    if methods.is_empty() {
        return TokenStream::new();
    }
    let filters = expand_filters(dm, entity);
    quote! {
        #[automatically_derived]
        impl #impl_generics #ident #ty_generics #where_clause {
            #(#methods)*
        }
        #filters
    }
}
