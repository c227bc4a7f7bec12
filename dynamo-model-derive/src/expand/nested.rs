//! Writes `impl Nested`: typed paths to the fields of a struct within an item.

use super::encoding::Encoding;
use super::{at, form};
use crate::attr::serde::Serde;
use crate::attr::{Opt, options, set, set_flag};
use crate::ctxt::Ctxt;
use crate::expand::{Client, Runtime};
use crate::stored_as::StoredAs;
use crate::ty::{self, KeyType};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Fields};

/// Reads, checks and expands in one function, because each step is short.
///
/// ```text
/// pub struct FieldsOf_Insurance(Path<Insurance>);                   // with Deref to the path
/// impl FieldsOf_Insurance { pub fn price(&self) -> NestedField<u32, Required> { … } }
/// impl Nested for Insurance { type Fields = FieldsOf_Insurance; … }
/// ```
pub(crate) fn expand(cx: &Ctxt, input: &DeriveInput, client: Client) -> TokenStream {
    let (krate, all_null) = read_options(cx, input);
    let dm = Runtime::new(krate.as_ref(), client);
    let Data::Struct(syn::DataStruct {
        fields: Fields::Named(fields),
        ..
    }) = &input.data
    else {
        cx.error(
            input.ident.span(),
            "the fields of a nested struct have names; derive `DynamoNested` on a struct such as \
             `struct Insurance { price: u32 }`",
        );
        let stub = dm.with_client(|| expand_stub(&dm, input));
        return stub.unwrap_or_default();
    };
    let container = Serde::of(&input.attrs);
    let (mut encodings, mut forms, mut rules) = (TokenStream::new(), Vec::new(), Vec::new());
    let accessors: Vec<_> = fields
        .named
        .iter()
        .filter_map(|field| {
            let (ident, serde) = (field.ident.as_ref()?, Serde::of(&field.attrs));
            let options = read_field_options(cx, field);
            let null = options.null || all_null;
            if serde.skip || serde.flatten {
                return None;
            }
            let attribute = serde.field_name(&ident.unraw().to_string(), &container);
            let name = ident.unraw().to_string();
            let function = serde.function.as_ref();
            let by_function = function.map(|it| StoredAs::of_function(it, krate.as_ref()));
            let encoding = options.sorts_as.or(by_function).map(|stored_as| Encoding {
                owner: &input.ident,
                field: &name,
                span: ident.span(),
                ty: &field.ty,
                function,
                stored_as,
            });
            let key = KeyType::of(&field.ty);
            let part = key.part;
            let ty = match &encoding {
                Some(encoding) => encoding.path_type(&dm, &input.generics),
                None => quote!(#part),
            };
            let encoding = encoding.map(|it| it.expand(&dm, &input.generics));
            encodings.extend(encoding);
            let form = form::form(&dm, &field.ty, function.is_some());
            rules.extend(form.as_ref().map(|form| {
                let rule = quote!(#dm::__private::check::stored_form(#name, #form););
                Rule {
                    is_closed: ty::is_closed(&field.ty, &input.generics),
                    tokens: at(ident.span(), rule),
                }
            }));
            if null || form.is_some() {
                let form = form.unwrap_or_else(|| quote!(#dm::__private::Form::Plain));
                forms.push(quote!(#dm::__private::FieldForm::new(#attribute, #null, #form)));
            }
            let optional = form::optional(&dm, &field.ty);
            let optional = optional.map(|optional| quote!(.optional(#optional)));
            let aliases = &serde.aliases;
            let old_names = (!aliases.is_empty()).then(|| quote!(.old_names(&[#(#aliases),*])));
            let doc = format!("The attribute `{attribute}` within.");
            let presence = match serde.default || container.default || key.optional {
                true => quote!(Optional),
                false => quote!(Required),
            };
            Some(quote! {
                #[doc = #doc]
                pub fn #ident(&self) -> #dm::expr::NestedField<#ty, #dm::__private::#presence> {
                    #dm::expr::NestedField::new(self.0.child(#attribute)#optional #old_names)
                }
            })
        })
        .collect();
    let (closed, open): (Vec<_>, Vec<_>) = rules.into_iter().partition(|rule| rule.is_closed);
    let closed = closed.iter().map(|rule| &rule.tokens);
    let open = open.iter().map(|rule| &rule.tokens);
    let (ident, vis) = (&input.ident, &input.vis);
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let fields = super::fields_name(ident);
    let paths = dm.with_client(|| {
        quote! {
            #[allow(unused_imports, missing_docs, missing_debug_implementations,
                non_camel_case_types, private_interfaces, unreachable_pub)]
            const _: () = {
                use #dm::__private::Unprobed as _;

                #encodings

                #vis struct #fields #impl_generics (#dm::expr::Path<#ident #ty_generics>)
                #where_clause;

                #[automatically_derived]
                impl #impl_generics #fields #ty_generics #where_clause {
                    #(#accessors)*
                }

                #[automatically_derived]
                impl #impl_generics ::core::ops::Deref for #fields #ty_generics #where_clause {
                    type Target = #dm::expr::Path<#ident #ty_generics>;
                    fn deref(&self) -> &Self::Target {
                        &self.0
                    }
                }

                #[automatically_derived]
                impl #impl_generics #dm::__private::Target for #fields #ty_generics #where_clause {
                    type Value = #ident #ty_generics;
                    type Way = #dm::__private::Plain;
                    fn raw(&self) -> #dm::__private::RawTarget {
                        #dm::__private::Target::raw(&self.0)
                    }
                }

                // A nested struct is stored as a map.
                #[automatically_derived]
                impl #impl_generics #dm::expr::HasSize for #ident #ty_generics #where_clause {}

                #[automatically_derived]
                impl #impl_generics #dm::expr::Nested for #ident #ty_generics #where_clause {
                    type Fields = #fields #ty_generics;
                    fn fields(__path: #dm::expr::Path<Self>) -> Self::Fields {
                        #fields(__path)
                    }
                }
            };
        }
    });
    quote! {
        #[allow(unused_imports)]
        const _: () = {
            use #dm::__private::Unprobed as _;

            #(const _: () = { #closed };)*

            #[automatically_derived]
            impl #impl_generics #dm::__private::StoredForm for #ident #ty_generics #where_clause {
                const FORM: #dm::__private::Form =
                    #dm::__private::Form::Fields(|| const { #(#open)* &[#(#forms),*] });
            }
        };

        #paths
    }
}

/// A rule about a field's type.
struct Rule {
    /// True if the compiler can check the rule at the declaration. If the type names a parameter of
    /// the struct, the compiler checks it where the struct is used.
    is_closed: bool,
    tokens: TokenStream,
}

/// Reads `#[dynamo(crate = …)]` and `#[dynamo(null)]` on the struct.
fn read_options(cx: &Ctxt, input: &DeriveInput) -> (Option<syn::Path>, bool) {
    let (mut krate, mut null) = (None, false);
    for option in dynamo_options(cx, &input.attrs) {
        match option.name().as_str() {
            "crate" => set(cx, &mut krate, &option, option.path(cx)),
            "null" => set_flag(cx, &mut null, &option),
            _ => option.unknown(cx, "dynamo", &["crate", "null"]),
        }
    }
    (krate, null)
}

/// The options in `#[dynamo(…)]` on a field.
#[derive(Default)]
struct FieldOptions {
    null: bool,
    sorts_as: Option<StoredAs>,
}

fn read_field_options(cx: &Ctxt, field: &syn::Field) -> FieldOptions {
    let mut this = FieldOptions::default();
    for option in dynamo_options(cx, &field.attrs) {
        match option.name().as_str() {
            "null" => set_flag(cx, &mut this.null, &option),
            "sorts_as" => set(cx, &mut this.sorts_as, &option, Some(option.stored_as(cx))),
            _ => option.unknown(cx, "dynamo", &["null", "sorts_as"]),
        }
    }
    this
}

fn dynamo_options(cx: &Ctxt, attributes: &[Attribute]) -> Vec<Opt> {
    let attributes = attributes.iter().filter(|it| it.path().is_ident("dynamo"));
    attributes.flat_map(|it| options(cx, it)).collect()
}

/// Writes a struct without fields, after an error.
fn expand_stub(dm: &Runtime, input: &DeriveInput) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #dm::expr::Nested for #ident #ty_generics #where_clause {
            type Fields = #dm::expr::Path<Self>;
            fn fields(__path: #dm::expr::Path<Self>) -> Self::Fields {
                __path
            }
        }
    }
}
