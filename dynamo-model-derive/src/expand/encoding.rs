//! Fields that serde writes through a function of their own: a condition or an update must write their values the
//! same way.

use crate::expand::Runtime;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Generics, Path, Type};

/// A field's function, and the type that stands for it.
pub(crate) struct Encoding<'a> {
    /// The field, without `r#`.
    pub(crate) field: &'a str,
    pub(crate) ty: &'a Type,
    pub(crate) function: &'a Path,
}

impl Encoding<'_> {
    fn marker(&self) -> Ident {
        format_ident!("__Encoding_{}", self.field)
    }

    /// `__Encoding_tags`
    pub(crate) fn applied(&self, generics: &Generics) -> TokenStream {
        let marker = self.marker();
        let (_, ty_generics, _) = generics.split_for_impl();
        quote!(#marker #ty_generics)
    }

    /// `Encoded<HashSet<String>, __Encoding_tags>`: what the attribute's path is a path to.
    pub(crate) fn path_type(&self, dm: &Runtime, generics: &Generics) -> TokenStream {
        let (ty, encoding) = (self.ty, self.applied(generics));
        quote!(#dm::Encoded<#ty, #encoding>)
    }

    /// ```text
    /// pub struct __Encoding_tags;
    /// impl Encoding for __Encoding_tags { type Field = HashSet<String>; fn encode(…) { serialize(…) } }
    /// ```
    pub(crate) fn expand(&self, dm: &Runtime, owner: &Ident, generics: &Generics) -> TokenStream {
        let (marker, ty, function) = (self.marker(), self.ty, self.function);
        let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
        quote! {
            #[allow(non_camel_case_types)]
            pub struct #marker #impl_generics (
                ::core::marker::PhantomData<fn() -> #owner #ty_generics>,
            ) #where_clause;

            #[automatically_derived]
            impl #impl_generics #dm::__private::Encoding for #marker #ty_generics #where_clause {
                type Field = #ty;
                fn encode(
                    __field: &Self::Field,
                ) -> ::core::result::Result<#dm::__private::AttributeValue, #dm::__private::EncodeError> {
                    #dm::__private::encoded(|__writer| #function(__field, __writer))
                }
            }
        }
    }
}
