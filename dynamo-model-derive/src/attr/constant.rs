//! Reads `constant("__edb_v__" = "1", "revision" = 3)` on an entity.

use super::{Opt, Value};
use crate::ast::{Constant, ConstantValue};
use crate::ctxt::Ctxt;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Lit, LitStr, Token};

const EXAMPLE: &str = "write `constant(\"__edb_v__\" = \"1\")`";

/// Reads the constants of one option.
pub(super) fn read(cx: &Ctxt, option: &Opt) -> Vec<Constant> {
    let Some(arguments) = arguments(option) else {
        let message = format!("`constant` takes names and their values; {EXAMPLE}");
        cx.error(option.span(), message);
        return Vec::new();
    };
    let parse = |input: ParseStream<'_>| Punctuated::<Argument, Token![,]>::parse_terminated(input);
    let parsed = syn::parse::Parser::parse2(parse, arguments);
    let arguments = cx.ok(parsed).into_iter().flatten();
    arguments.filter_map(|it| it.constant(cx)).collect()
}

/// Returns the tokens in the parentheses.
fn arguments(option: &Opt) -> Option<TokenStream> {
    let Value::Other(tokens) = &option.value else {
        return None;
    };
    match tokens.clone().into_iter().next()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            Some(group.stream()).filter(|it| !it.is_empty())
        }
        _ => None,
    }
}

struct Argument {
    name: LitStr,
    negative: bool,
    value: Lit,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let fail = |span: Span, what: &str| syn::Error::new(span, format!("{what}; {EXAMPLE}"));
        let Ok(name) = input.parse::<LitStr>() else {
            let what = "the name of a constant is an attribute in quotes";
            return Err(fail(input.span(), what));
        };
        if input.parse::<Token![=]>().is_err() {
            return Err(fail(name.span(), "a constant needs a value"));
        }
        let negative = input.parse::<Option<Token![-]>>()?.is_some();
        let Ok(value) = input.parse() else {
            let span = if input.is_empty() {
                name.span()
            } else {
                input.span()
            };
            return Err(fail(span, VALUE));
        };
        Ok(Self {
            name,
            negative,
            value,
        })
    }
}

const VALUE: &str = "the value of a constant is a text, a number or a bool";

impl Argument {
    fn constant(self, cx: &Ctxt) -> Option<Constant> {
        let sign = if self.negative { "-" } else { "" };
        let value = match &self.value {
            Lit::Str(text) if !self.negative => ConstantValue::Text(text.value()),
            Lit::Bool(value) if !self.negative => ConstantValue::Bool(value.value),
            Lit::Int(number) if number.suffix().is_empty() => {
                ConstantValue::Number(format!("{sign}{}", number.base10_digits()))
            }
            Lit::Float(number) if number.suffix().is_empty() => {
                ConstantValue::Number(format!("{sign}{}", number.base10_digits()))
            }
            other => {
                cx.error(other.span(), format!("{VALUE}; {EXAMPLE}"));
                return None;
            }
        };
        let name = self.name;
        if name.value().is_empty() {
            cx.error(
                name.span(),
                format!("the name of a constant is empty; {EXAMPLE}"),
            );
            return None;
        }
        Some(Constant { name, value })
    }
}
