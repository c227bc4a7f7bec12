//! Reads serde's attributes, which name the fields in DynamoDB.
//!
//! Reads only the options that matter here. serde reports mistakes in its own attributes.

use crate::case::Case;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, LitStr, Token};

/// serde's options of a field, a variant or a container.
#[derive(Default, Clone)]
pub(crate) struct Serde {
    pub(crate) rename: Option<String>,
    /// Whether the names for reading and writing differ.
    pub(crate) split_rename: bool,
    pub(crate) rename_all: Option<Case>,
    pub(crate) skip: bool,
    pub(crate) flatten: bool,
    /// The function that writes the field.
    pub(crate) function: Option<syn::Path>,
    /// Whether a function reads the field: `with` or `deserialize_with`.
    pub(crate) reads_with: bool,
    /// Whether an absent value is read as a default.
    pub(crate) default: bool,
    /// Further names for reading.
    pub(crate) aliases: Vec<String>,
    /// Every option, in order.
    pub(crate) options: Vec<(String, Span)>,
    /// `into`, `from` and `try_from`, with the type each names.
    pub(crate) conversions: Vec<(String, Span, String)>,
}

impl Serde {
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let mut this = Self::default();
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"))
        {
            // serde reports an error here.
            let _ = attribute.parse_nested_meta(|meta| this.read(&meta));
        }
        this
    }

    fn read(&mut self, meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<()> {
        let name = meta
            .path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        self.options.push((name.clone(), meta.path.span()));
        match name.as_str() {
            "rename" => self.rename = self.one_of_two(meta)?,
            "rename_all" => {
                let rule = self.one_of_two(meta)?;
                self.rename_all = rule.as_deref().and_then(Case::parse);
            }
            "skip" | "skip_serializing" | "skip_deserializing" => self.skip = true,
            "flatten" => self.flatten = true,
            "with" | "serialize_with" => {
                let text: LitStr = meta.value()?.parse()?;
                let mut function: syn::Path = text.parse()?;
                if name == "with" {
                    self.reads_with = true;
                    function.segments.push(syn::parse_quote!(serialize));
                }
                self.function = Some(function);
            }
            "into" | "from" | "try_from" => {
                let ty = meta.value()?.parse::<LitStr>()?.value();
                self.conversions.push((name, meta.path.span(), ty));
            }
            "deserialize_with" => {
                self.reads_with = true;
                skip_value(meta)?;
            }
            "alias" => self.aliases.push(meta.value()?.parse::<LitStr>()?.value()),
            "default" => {
                self.default = true;
                skip_value(meta)?;
            }
            _ => skip_value(meta)?,
        }
        Ok(())
    }

    /// Reads the name for writing from `= "x"`, or from `(serialize = "x", deserialize = "y")`.
    fn one_of_two(&mut self, meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<Option<String>> {
        if meta.input.peek(Token![=]) {
            return Ok(Some(meta.value()?.parse::<LitStr>()?.value()));
        }
        let (mut write, mut read) = (None, None);
        meta.parse_nested_meta(|inner| {
            let value = inner.value()?.parse::<LitStr>()?.value();
            if inner.path.is_ident("serialize") {
                write = Some(value);
            } else {
                read = Some(value);
            }
            Ok(())
        })?;
        self.split_rename |= write != read;
        Ok(write)
    }

    /// Returns the first of these options that is set.
    pub(crate) fn first(&self, names: &[&str]) -> Option<(&str, Span)> {
        let mut options = self.options.iter();
        let (name, span) = options.find(|(name, _)| names.contains(&name.as_str()))?;
        Some((name, *span))
    }

    /// Returns the attribute's name: the renamed one, or the name by the container's rule.
    pub(crate) fn field_name(&self, field: &str, container: &Serde) -> String {
        self.rename
            .clone()
            .unwrap_or_else(|| match container.rename_all {
                Some(case) => case.field(field),
                None => field.into(),
            })
    }

    pub(crate) fn variant_name(&self, variant: &str, container: &Serde) -> String {
        self.rename
            .clone()
            .unwrap_or_else(|| match container.rename_all {
                Some(case) => case.variant(variant),
                None => variant.into(),
            })
    }
}

/// Skips `= value` or `(…)` of an option that does not matter here.
fn skip_value(meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<()> {
    while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
        meta.input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
