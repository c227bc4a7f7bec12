//! Fields that serde writes through a function. Conditions and updates write their values through
//! the same function, and offer only what the stored form supports.

use crate::expand::Runtime;
use crate::stored_as::{StoredAs, module};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Generics, Path, Type};

/// A field's function, and the type that represents it.
pub(crate) struct Encoding<'a> {
    /// The struct. Generated names contain its name, because messages shorten a path only if its
    /// last name is unique.
    pub(crate) owner: &'a Ident,
    /// The field, without `r#`.
    pub(crate) field: &'a str,
    /// The span of the field, to which compiler messages point.
    pub(crate) span: Span,
    pub(crate) ty: &'a Type,
    /// `None` if serde writes the type itself and `sorts_as` declares its form.
    pub(crate) function: Option<&'a Path>,
    pub(crate) stored_as: StoredAs,
}

/// The questions that an expression can ask of a stored form. Each is a type of the runtime.
const QUESTIONS: &[&str] = &[
    "Order",
    "Beginning",
    "Contents",
    "Elements",
    "Length",
    "Sum",
];

impl Encoding<'_> {
    fn marker(&self) -> Ident {
        format_ident!("FunctionOf_{}_{}", self.owner.unraw(), self.field)
    }

    /// `FunctionOf_User_tags`
    pub(crate) fn applied(&self, generics: &Generics) -> TokenStream {
        let marker = self.marker();
        let (_, ty_generics, _) = generics.split_for_impl();
        quote!(#marker #ty_generics)
    }

    /// `Encoded<HashSet<String>, FunctionOf_User_tags>`: the type at the end of the attribute's
    /// path.
    pub(crate) fn path_type(&self, dm: &Runtime, generics: &Generics) -> TokenStream {
        let (ty, encoding) = (self.ty, self.applied(generics));
        quote!(#dm::expr::Encoded<#ty, #encoding>)
    }

    /// ```text
    /// pub struct FunctionOf_User_tags;
    /// impl Encoding for FunctionOf_User_tags {
    ///     type Field = HashSet<String>;
    ///     fn encode(…) { serialize(…) }
    /// }
    /// impl<T> Supports<Elements, T> for FunctionOf_User_tags {}
    /// impl<T: __refused_User_tags::Order> Supports<Order, T> for FunctionOf_User_tags {}
    /// ```
    pub(crate) fn expand(&self, dm: &Runtime, generics: &Generics) -> TokenStream {
        let (marker, owner, ty) = (self.marker(), self.owner, self.ty);
        let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
        let function = match self.function {
            Some(function) => quote!(#function),
            None => quote!(#dm::__private::serialize),
        };
        let stored_as = match self.stored_as {
            StoredAs::Number => quote!(Number),
            StoredAs::ExactNumber => quote!(Any),
            StoredAs::Text => quote!(Text),
            StoredAs::Bytes => quote!(Bytes),
            StoredAs::Unknown | StoredAs::Elements | StoredAs::Anything => quote!(Any),
        };
        let supports = self.expand_supports(dm, generics);
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
                ) -> ::core::result::Result<
                    #dm::__private::AttributeValue,
                    #dm::__private::EncodeError,
                > {
                    #dm::__private::encoded(
                        #dm::__private::StoredAs::#stored_as,
                        |__writer| #function(__field, __writer),
                    )
                }
            }

            #supports
        }
    }

    /// Implements the questions that the stored form answers, and writes a message for each other
    /// one.
    ///
    /// The traits have their own module, because a user's `diagnostic` would shadow the compiler's.
    fn expand_supports(&self, dm: &Runtime, generics: &Generics) -> TokenStream {
        let (owner, marker) = (self.owner.unraw(), self.marker());
        let refused = format_ident!("__refused_{owner}_{}", self.field);
        let (_, ty_generics, _) = generics.split_for_impl();
        let mut with_type = generics.clone();
        with_type.params.push(syn::parse_quote!(__T));
        let (mut traits, mut impls) = (TokenStream::new(), TokenStream::new());
        for question in QUESTIONS {
            let refusal = self.refusal(question);
            let question = format_ident!("{question}");
            let mut generics = with_type.clone();
            if let Some(Refusal {
                message,
                label,
                note,
            }) = refusal
            {
                let name = format_ident!("{question}Of_{owner}_{}", self.field);
                // If nothing implemented the trait, the compiler would propose to implement it.
                traits.extend(quote! {
                    #[diagnostic::on_unimplemented(
                        message = #message, label = #label, note = #note,
                    )]
                    pub trait #name {}
                    #[automatically_derived]
                    #[diagnostic::do_not_recommend]
                    impl #name for NoType {}
                });
                let clause = generics.make_where_clause();
                clause
                    .predicates
                    .push(syn::parse_quote!(__T: #refused::#name));
            }
            let (impl_generics, _, clause) = generics.split_for_impl();
            impls.extend(quote! {
                impl #impl_generics #dm::stored_form::Supports<#dm::stored_form::#question, __T>
                    for #marker #ty_generics #clause {}
            });
        }
        let module = (!traits.is_empty()).then(|| {
            quote! {
                #[allow(
                    dead_code, missing_docs, non_camel_case_types, non_snake_case, unreachable_pub
                )]
                mod #refused { pub struct NoType; #traits }
            }
        });
        super::at(self.span, quote!(#module #impls))
    }

    /// Returns the reason why the stored form does not answer a question.
    fn refusal(&self, question: &str) -> Option<Refusal> {
        let (field, form) = (self.field, self.stored_as);
        let stored = match (form, self.function) {
            (StoredAs::Number | StoredAs::ExactNumber, _) => "as a number".to_owned(),
            (StoredAs::Text, _) => "as text".to_owned(),
            (StoredAs::Bytes, _) => "as bytes".to_owned(),
            (StoredAs::Elements, _) => "as a set".to_owned(),
            (_, Some(function)) => format!("as `{}` writes it", module(function)),
            (_, None) => "as serde writes it".to_owned(),
        };
        let known = form != StoredAs::Unknown;
        let unknown = |what: &str| format!("`{field}` is stored {stored}, {what}");
        let (answered, message, note): (&[StoredAs], _, _) = match question {
            "Order" => (
                &[
                    StoredAs::Number,
                    StoredAs::ExactNumber,
                    StoredAs::Text,
                    StoredAs::Bytes,
                ],
                unknown(if known {
                    "which has no order"
                } else {
                    "which is not known to sort"
                }),
                if known {
                    "ask for an element with `contains`, or compare its `size()`"
                } else {
                    "if it sorts as the values do, write `#[dynamo(sorts_as = number)]`, \
                     `#[dynamo(sorts_as = text)]` or `#[dynamo(sorts_as = bytes)]` on the field; \
                     the functions `dynamo_model::format::epoch_millis` and \
                     `dynamo_model::format::rfc3339_millis` are known to sort; otherwise compare \
                     with `eq`, `ne` or `is_in`"
                },
            ),
            "Beginning" => (
                &[StoredAs::Text],
                unknown(if known {
                    "which has no beginning"
                } else {
                    "which is not known to be text"
                }),
                if known {
                    "compare a number or bytes with `ge`, `lt` or `between`; of a set, ask for an \
                     element with `contains`"
                } else {
                    "if it is text that sorts as the values do, write `#[dynamo(sorts_as = text)]` \
                     on the field; otherwise compare with `eq`, `ne` or `is_in`"
                },
            ),
            "Contents" => (
                &[StoredAs::Text, StoredAs::Elements],
                unknown(if known {
                    "which has no contents"
                } else {
                    "and its contents are not known"
                }),
                "compare the whole value with `eq`, `ne` or `is_in`; or remove the function from \
                 the field, and give the elements a type of their own",
            ),
            "Elements" => (
                &[StoredAs::Elements],
                unknown("and its elements are not known"),
                "set the whole field with `.set(…)`; or remove the function from the field, and \
                 give the elements a type of their own",
            ),
            "Length" => (
                &[StoredAs::Text, StoredAs::Bytes, StoredAs::Elements],
                unknown(if known {
                    "which has no size"
                } else {
                    "and its size is not known"
                }),
                "compare the value with `eq`, `ne` or `is_in`",
            ),
            _ => (
                &[StoredAs::ExactNumber],
                unknown("which cannot be added to"),
                "set the new value",
            ),
        };
        let label = format!("the stored form of `{field}` does not allow this");
        (form != StoredAs::Anything && !answered.contains(&form)).then(|| Refusal {
            message,
            label,
            note: note.to_owned(),
        })
    }
}

/// A message that the compiler shows.
struct Refusal {
    message: String,
    label: String,
    note: String,
}
