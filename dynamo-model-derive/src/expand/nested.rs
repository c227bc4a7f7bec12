//! `impl Nested`: typed paths to the fields of a struct within an item.

use super::encoding::Encoding;
use super::part::read_runtime;
use crate::attr::serde::Serde;
use crate::ctxt::Ctxt;
use crate::expand::Runtime;
use crate::ty::KeyType;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields};

/// Reads, checks and expands at once: there is little of each.
///
/// ```text
/// pub struct __Fields(Path<Insurance>);                    // with Deref to the path
/// impl __Fields { pub fn price(&self) -> Path<u32> { … } }
/// impl Nested for Insurance { type Fields = __Fields; … }
/// ```
pub(crate) fn expand(cx: &Ctxt, input: &DeriveInput) -> TokenStream {
    let dm = read_runtime(cx, input);
    let Data::Struct(syn::DataStruct {
        fields: Fields::Named(fields),
        ..
    }) = &input.data
    else {
        cx.error(
            input.ident.span(),
            "the fields of a nested struct have names; derive `DynamoNested` on a struct such as `struct Insurance { price: u32 }`",
        );
        return expand_stub(&dm, input);
    };
    let container = Serde::of(&input.attrs);
    let mut encodings = TokenStream::new();
    let accessors: Vec<_> = fields
        .named
        .iter()
        .filter_map(|field| {
            let (ident, serde) = (field.ident.as_ref()?, Serde::of(&field.attrs));
            if serde.skip || serde.flatten {
                return None;
            }
            let attribute = serde.field_name(&ident.unraw().to_string(), &container);
            let name = ident.unraw().to_string();
            let encoding = serde.function.as_ref().map(|function| Encoding {
                field: &name,
                ty: &field.ty,
                function,
            });
            let part = KeyType::of(&field.ty).part;
            let ty = match &encoding {
                Some(encoding) => encoding.path_type(&dm, &input.generics),
                None => quote!(#part),
            };
            let encoding = encoding.map(|it| it.expand(&dm, &input.ident, &input.generics));
            encodings.extend(encoding);
            let doc = format!("The attribute `{attribute}` within.");
            Some(quote! {
                #[doc = #doc]
                pub fn #ident(&self) -> #dm::Path<#ty> {
                    self.0.child(#attribute)
                }
            })
        })
        .collect();
    let (ident, vis) = (&input.ident, &input.vis);
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #dm::__client! {
            #[allow(missing_docs, missing_debug_implementations, private_interfaces, unreachable_pub)]
            const _: () = {
                #encodings

                #vis struct __Fields #impl_generics (#dm::Path<#ident #ty_generics>) #where_clause;

                #[automatically_derived]
                impl #impl_generics __Fields #ty_generics #where_clause {
                    #(#accessors)*
                }

                #[automatically_derived]
                impl #impl_generics ::core::ops::Deref for __Fields #ty_generics #where_clause {
                    type Target = #dm::Path<#ident #ty_generics>;
                    fn deref(&self) -> &Self::Target {
                        &self.0
                    }
                }

                #[automatically_derived]
                impl #impl_generics #dm::__private::Target for __Fields #ty_generics #where_clause {
                    type Value = #ident #ty_generics;
                    type Way = #dm::__private::Plain;
                    fn raw(&self) -> #dm::__private::RawTarget {
                        #dm::__private::Target::raw(&self.0)
                    }
                }

                #[automatically_derived]
                impl #impl_generics #dm::__private::Remove for __Fields #ty_generics #where_clause {
                    fn remove(self) -> #dm::__private::Change {
                        #dm::__private::Remove::remove(self.0)
                    }
                }

                #[automatically_derived]
                impl #impl_generics #dm::Nested for #ident #ty_generics #where_clause {
                    type Fields = __Fields #ty_generics;
                    fn fields(__path: #dm::Path<Self>) -> Self::Fields {
                        __Fields(__path)
                    }
                }
            };
        }
    }
}

/// After an error: a struct without fields to name.
fn expand_stub(dm: &Runtime, input: &DeriveInput) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #dm::__client! {
            #[automatically_derived]
            impl #impl_generics #dm::Nested for #ident #ty_generics #where_clause {
                type Fields = #dm::Path<Self>;
                fn fields(__path: #dm::Path<Self>) -> Self::Fields {
                    __path
                }
            }
        }
    }
}
