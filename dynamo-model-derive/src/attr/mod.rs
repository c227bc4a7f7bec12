//! Syntax → spanned values: the options inside an attribute.
//!
//! Every attribute of ours is a list of `name`, `name = value` and `name(values)`. It is read into
//! [`Opt`]s here once, for all of them; what the names mean is decided by [`table`], [`entity`] and
//! [`items`]. What is not ours, serde's attributes, is read by [`serde`].

pub(crate) mod entity;
pub(crate) mod items;
pub(crate) mod serde;
pub(crate) mod table;

use crate::ctxt::Ctxt;
use crate::suggest;
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, LitInt, LitStr, Path, Token};

/// One option of an attribute.
#[derive(Clone)]
pub(crate) struct Opt {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

/// What stands after an option's name.
#[derive(Clone)]
pub(crate) enum Value {
    /// Nothing.
    Flag,
    /// A string.
    Str(LitStr),
    /// A number.
    Int(LitInt),
    /// A name, a type's or one of ours.
    Path(Path),
    /// `name("…", "…")`, `name(read = 5)`.
    Call(Ident, Vec<Opt>),
}

impl Parse for Opt {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // A bare string, as in `include("a", "b")`, is an option without a name.
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            return Ok(Self {
                name: Ident::new("_", text.span()),
                value: Value::Str(text),
            });
        }
        let name = Ident::parse_any(input)?;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            return Ok(Self {
                name,
                value: input.parse()?,
            });
        }
        if input.peek(syn::token::Paren) {
            let arguments = arguments(input)?;
            return Ok(Self {
                name: name.clone(),
                value: Value::Call(name, arguments),
            });
        }
        Ok(Self {
            name,
            value: Value::Flag,
        })
    }
}

impl Parse for Value {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            return input.parse().map(Value::Str);
        }
        if input.peek(LitInt) {
            return input.parse().map(Value::Int);
        }
        let path: Path = input.call(Path::parse_mod_style)?;
        match path.get_ident() {
            Some(name) if input.peek(syn::token::Paren) => {
                Ok(Value::Call(name.clone(), arguments(input)?))
            }
            _ => Ok(Value::Path(path)),
        }
    }
}

fn arguments(input: ParseStream<'_>) -> syn::Result<Vec<Opt>> {
    let content;
    syn::parenthesized!(content in input);
    Ok(Punctuated::<Opt, Token![,]>::parse_terminated(&content)?
        .into_iter()
        .collect())
}

impl Opt {
    pub(crate) fn name(&self) -> String {
        self.name.unraw().to_string()
    }

    pub(crate) fn span(&self) -> Span {
        self.name.span()
    }

    /// Where the value stands, or the name if there is none.
    pub(crate) fn value_span(&self) -> Span {
        match &self.value {
            Value::Flag => self.name.span(),
            Value::Str(text) => text.span(),
            Value::Int(number) => number.span(),
            Value::Path(path) => path.span(),
            Value::Call(name, _) => name.span(),
        }
    }

    pub(crate) fn string(&self, cx: &Ctxt) -> Option<LitStr> {
        match &self.value {
            Value::Str(text) if !text.value().is_empty() => Some(text.clone()),
            _ => {
                let name = self.name();
                cx.error(
                    self.value_span(),
                    format!("`{name}` takes a text; write `{name} = \"…\"`"),
                );
                None
            }
        }
    }

    pub(crate) fn path(&self, cx: &Ctxt) -> Option<Path> {
        match &self.value {
            Value::Path(path) => Some(path.clone()),
            _ => {
                let name = self.name();
                cx.error(
                    self.value_span(),
                    format!("`{name}` takes a name, without quotes; write `{name} = …`"),
                );
                None
            }
        }
    }

    /// One of our own words, or of our own calls.
    pub(crate) fn word(&self) -> Option<(String, &[Opt])> {
        match &self.value {
            Value::Path(path) => path
                .get_ident()
                .map(|ident| (ident.unraw().to_string(), &[][..])),
            Value::Call(name, arguments) => Some((name.unraw().to_string(), arguments)),
            Value::Str(text) => Some((text.value(), &[])),
            Value::Flag | Value::Int(_) => None,
        }
    }

    pub(crate) fn flag(&self, cx: &Ctxt) -> bool {
        if !matches!(self.value, Value::Flag) {
            let name = self.name();
            cx.error(
                self.value_span(),
                format!("`{name}` takes no value; write `{name}` alone"),
            );
        }
        true
    }

    /// An option that does not exist.
    pub(crate) fn unknown(&self, cx: &Ctxt, attribute: &str, valid: &[&str]) {
        let name = self.name();
        cx.error(
            self.span(),
            format!(
                "`{name}` is no option of `#[{attribute}]`; {}",
                suggest::hint(&name, valid)
            ),
        );
    }
}

/// The options of one attribute, without the repeated ones; errors go to `cx`.
pub(crate) fn options(cx: &Ctxt, attribute: &Attribute) -> Vec<Opt> {
    if matches!(attribute.meta, syn::Meta::Path(_)) {
        return Vec::new();
    }
    let parsed = attribute.parse_args_with(Punctuated::<Opt, Token![,]>::parse_terminated);
    let mut seen: Vec<String> = Vec::new();
    let mut options = Vec::new();
    for option in cx.ok(parsed).into_iter().flatten() {
        let name = option.name();
        if name != "_" && seen.contains(&name) {
            cx.error(option.span(), format!("`{name}` is said twice; keep one"));
            continue;
        }
        seen.push(name);
        options.push(option);
    }
    options
}

/// Sets an option that may come once over all attributes.
pub(crate) fn set<T>(cx: &Ctxt, slot: &mut Option<T>, option: &Opt, value: Option<T>) {
    if slot.is_some() {
        cx.error(
            option.span(),
            format!("`{}` is said twice; keep one", option.name()),
        );
    } else if value.is_some() {
        *slot = value;
    }
}

/// `gsi1` … `gsi20`, `lsi1` … `lsi5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndexId {
    Gsi(u8),
    Lsi(u8),
}

/// DynamoDB's default quota of global secondary indexes a table.
pub(crate) const MAX_GSI: u8 = 20;
/// DynamoDB's limit of local secondary indexes a table.
pub(crate) const MAX_LSI: u8 = 5;

impl std::fmt::Display for IndexId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IndexId::Gsi(number) => write!(f, "gsi{number}"),
            IndexId::Lsi(number) => write!(f, "lsi{number}"),
        }
    }
}

/// Whether an attribute is `#[gsiN]` or `#[lsiN]`, with N in range; out of range is an error.
pub(crate) fn index_id(cx: &Ctxt, attribute: &Attribute) -> Option<IndexId> {
    let name = attribute.path().get_ident()?.to_string();
    let (global, number) = match (name.strip_prefix("gsi"), name.strip_prefix("lsi")) {
        (Some(number), _) => (true, number),
        (_, Some(number)) => (false, number),
        _ => return None,
    };
    let (kind, max, long) = if global {
        ("gsi", MAX_GSI, "global")
    } else {
        ("lsi", MAX_LSI, "local")
    };
    match number.parse::<u8>() {
        Ok(number) if (1..=max).contains(&number) => Some(if global {
            IndexId::Gsi(number)
        } else {
            IndexId::Lsi(number)
        }),
        Ok(_) => {
            cx.error(
                attribute.path().span(),
                format!("a table has at most {max} {long} secondary indexes; use `{kind}1` to `{kind}{max}`, not `{name}`"),
            );
            None
        }
        Err(_) => {
            cx.error(
                attribute.path().span(),
                format!("an index needs its number; write `#[{kind}1(…)]`"),
            );
            None
        }
    }
}
