//! Syntax → spanned values: the options inside an attribute.
//!
//! Every attribute of ours is a list of `name`, `name = value` and `name(values)`. This module
//! reads all of them into [`Opt`]s; [`table`], [`entity`] and [`items`] decide what the names mean.
//! [`serde`] reads serde's attributes.

mod constant;
mod doc;
pub(crate) mod entity;
mod index;
pub(crate) mod items;
pub(crate) mod optional;
pub(crate) mod projection;
pub(crate) mod serde;
pub(crate) mod table;
mod text;
pub(crate) mod vector;

pub(crate) use doc::doc_comment;
pub(crate) use index::{IndexId, index_id};
pub(crate) use text::{Text, Written};

use crate::ctxt::Ctxt;
use crate::stored_as::{SORTS_AS, StoredAs};
use crate::suggest;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
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

/// The value after an option's name.
#[derive(Clone)]
pub(crate) enum Value {
    /// An option without a value.
    Flag,
    /// A string.
    Str(LitStr),
    /// A number.
    Int(LitInt),
    /// A name of a type or one of ours. A type may have arguments.
    Path(Path),
    /// `name("…", "…")`, `name(read = 5)`.
    Call(Ident, Vec<Opt>),
    /// Anything else. No option takes it, and the error names what the option takes.
    Other(TokenStream),
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
        // So is the path of a type, as in `shares_key_with(accounts::User)`.
        if input.peek(Token![::]) || input.peek(Ident::peek_any) && input.peek2(Token![::]) {
            let path = input.call(Path::parse_mod_style)?;
            return Ok(Self {
                name: Ident::new("_", path.span()),
                value: Value::Path(path),
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
        // The names of its arguments are in quotes; see `constant::read`.
        if name == "constant" && input.peek(syn::token::Paren) {
            return Ok(Self {
                name,
                value: Value::Other(rest_of_option(input)),
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
        let fork = input.fork();
        let Ok(path) = fork.call(Path::parse_mod_style) else {
            return Ok(Value::Other(rest_of_option(input)));
        };
        // As in `concat!("…", "…")`.
        if fork.peek(Token![!]) {
            return Ok(Value::Other(rest_of_option(input)));
        }
        if fork.peek(Token![<]) {
            let whole = input.fork();
            if let Ok(path) = whole.parse() {
                input.advance_to(&whole);
                return Ok(Value::Path(path));
            }
        }
        input.advance_to(&fork);
        match path.get_ident() {
            Some(name) if input.peek(syn::token::Paren) => {
                Ok(Value::Call(name.clone(), arguments(input)?))
            }
            _ => Ok(Value::Path(path)),
        }
    }
}

/// Returns the tokens before the next comma.
fn rest_of_option(input: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend(input.parse::<TokenTree>());
    }
    tokens
}

fn arguments(input: ParseStream<'_>) -> syn::Result<Vec<Opt>> {
    let content;
    syn::parenthesized!(content in input);
    Ok(Punctuated::<Opt, Token![,]>::parse_terminated(&content)?
        .into_iter()
        .collect())
}

/// The options whose value is the path of a type or crate, and never text.
const TAKE_PATHS: &[&str] = &["table", "of", "crate", "in"];

impl Opt {
    pub(crate) fn name(&self) -> String {
        self.name.unraw().to_string()
    }

    pub(crate) fn span(&self) -> Span {
        self.name.span()
    }

    /// Returns the span of the value, or of the name without a value.
    pub(crate) fn value_span(&self) -> Span {
        match &self.value {
            Value::Flag => self.name.span(),
            Value::Str(text) => text.span(),
            Value::Int(number) => number.span(),
            Value::Path(path) => path.span(),
            Value::Call(name, _) => name.span(),
            Value::Other(tokens) => match tokens.clone().into_iter().next() {
                Some(token) => token.span(),
                None => self.name.span(),
            },
        }
    }

    /// Returns the tokens after `=`, unchanged.
    pub(crate) fn value_tokens(&self) -> Option<TokenStream> {
        match &self.value {
            Value::Str(text) => Some(text.to_token_stream()),
            Value::Int(number) => Some(number.to_token_stream()),
            Value::Path(path) => Some(path.to_token_stream()),
            Value::Other(tokens) => Some(tokens.clone()),
            Value::Flag | Value::Call(..) => None,
        }
    }

    pub(crate) fn string(&self, cx: &Ctxt) -> Option<LitStr> {
        match &self.value {
            Value::Str(text) if !text.value().is_empty() => Some(text.clone()),
            value => {
                let name = self.name();
                let text = match value {
                    Value::Path(path) => path.to_token_stream().to_string(),
                    _ => "…".into(),
                };
                cx.error(
                    self.value_span(),
                    format!("`{name}` takes a text; write `{name} = \"{text}\"`"),
                );
                None
            }
        }
    }

    pub(crate) fn path(&self, cx: &Ctxt) -> Option<Path> {
        let path = self.type_path(cx)?;
        if has_arguments(&path) {
            let (name, last) = (self.name(), path.segments.last()?.ident.unraw());
            let message = format!("`{name}` takes a name alone; write `{name} = {last}`");
            cx.error_on(&path, message);
            return None;
        }
        Some(path)
    }

    /// Returns a path that may have type arguments.
    pub(crate) fn type_path(&self, cx: &Ctxt) -> Option<Path> {
        match &self.value {
            Value::Path(path) => Some(path.clone()),
            value => {
                let name = self.name();
                let text = match value {
                    Value::Str(text) if !text.value().is_empty() => text.value(),
                    Value::Other(tokens) => tokens.to_string(),
                    _ => "…".into(),
                };
                cx.error(
                    self.value_span(),
                    format!("`{name}` takes a name, without quotes; write `{name} = {text}`"),
                );
                None
            }
        }
    }

    /// Returns an argument that names a type, as in
    /// `shares_key_with(Organization, accounts::User)`.
    pub(crate) fn as_path(&self) -> Option<Path> {
        match &self.value {
            Value::Flag => Some(self.name.clone().into()),
            Value::Path(path) if self.name == "_" => Some(path.clone()),
            _ => None,
        }
    }

    /// Returns a path of one name.
    pub(crate) fn ident(&self, cx: &Ctxt) -> Option<Ident> {
        let path = self.path(cx)?;
        if path.get_ident().is_none() {
            let (name, last) = (self.name(), path.segments.last()?.ident.unraw());
            cx.error_on(
                &path,
                format!("`{name}` takes one name, not a path; write `{name} = {last}`"),
            );
        }
        path.get_ident().cloned()
    }

    /// Returns one of our own words or calls.
    pub(crate) fn word(&self) -> Option<(String, &[Opt])> {
        match &self.value {
            Value::Path(path) => path
                .get_ident()
                .map(|ident| (ident.unraw().to_string(), &[][..])),
            Value::Call(name, arguments) => Some((name.unraw().to_string(), arguments)),
            Value::Str(text) => Some((text.value(), &[])),
            Value::Flag | Value::Int(_) | Value::Other(_) => None,
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

    /// Returns the form that `sorts_as` names.
    pub(crate) fn stored_as(&self, cx: &Ctxt) -> StoredAs {
        let word = self.word().filter(|(_, arguments)| arguments.is_empty());
        let form = word.and_then(|(word, _)| StoredAs::of_word(&word));
        form.unwrap_or_else(|| {
            self.invalid(cx, "form that sorts", SORTS_AS, "`number`, `text`, `bytes`");
            StoredAs::Anything
        })
    }

    /// Reports text in place of `name = "text"`.
    pub(crate) fn is_unnamed_text(&self) -> bool {
        self.name == "_" && matches!(self.value, Value::Str(_))
    }

    /// Reports an option that does not exist.
    pub(crate) fn unknown(&self, cx: &Ctxt, attribute: &str, valid: &[&str]) {
        if let (Value::Str(text), true, Some(first)) = (
            &self.value,
            self.is_unnamed_text(),
            valid
                .iter()
                .find(|name| !TAKE_PATHS.contains(name))
                .or(valid.first()),
        ) {
            let quoted = text.to_token_stream().to_string();
            let value = if TAKE_PATHS.contains(first) {
                text.value()
            } else {
                quoted.clone()
            };
            let message = format!(
                "`{quoted}` needs its name in `#[{attribute}]`; write `{first} = {value}`; valid: \
                 {}",
                suggest::list(valid)
            );
            cx.error(self.span(), message);
            return;
        }
        let (shown, name) = (self.name(), self.name());
        cx.error(
            self.span(),
            format!(
                "`{shown}` is not an option of `#[{attribute}]`; {}",
                suggest::hint(&name, valid)
            ),
        );
    }

    /// Reports an option that exists, but in another place.
    pub(crate) fn elsewhere(&self, cx: &Ctxt, place: &str, example: &str) {
        let name = self.name();
        cx.error(
            self.span(),
            format!("`{name}` belongs on {place}, not here; write `{example}` there"),
        );
    }

    /// Reports a value that the option does not take.
    pub(crate) fn invalid(&self, cx: &Ctxt, what: &str, words: &[&str], valid: &str) {
        let word = self.word().map(|(word, _)| word).unwrap_or_default();
        let near = suggest::nearest(&word, words.iter().copied()).filter(|near| *near != word);
        let near = near
            .map(|near| format!("did you mean `{near}`? "))
            .unwrap_or_default();
        let complaint = if words.contains(&word.as_str()) {
            format!("`{word}` is not written like this")
        } else if word.is_empty() {
            format!("`{}` has no {what}", self.name())
        } else {
            format!("`{word}` is not a valid {what}")
        };
        cx.error(
            self.value_span(),
            format!("{complaint}; {near}valid: {valid}"),
        );
    }
}

/// Returns a path as users write it, without the spaces between tokens.
pub(crate) fn shown(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// Returns whether the path has type arguments: `Order<String>`, not `Order`.
pub(crate) fn has_arguments(path: &Path) -> bool {
    let mut segments = path.segments.iter();
    segments.any(|segment| !segment.arguments.is_none())
}

/// The names of all options, including the malformed ones. A malformed option was reported already,
/// so it must not be reported as missing too.
#[derive(Default)]
pub(crate) struct Said(Vec<String>);

impl Said {
    pub(crate) fn note(&mut self, option: &Opt, valid: &[&str]) {
        let name = option.name();
        let meant = suggest::nearest(&name, valid.iter().copied()).map(str::to_owned);
        self.0.push(meant.unwrap_or(name));
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|said| said == name)
    }
}

/// Returns the options of one attribute without repeated ones; errors go to `cx`.
pub(crate) fn options(cx: &Ctxt, attribute: &Attribute) -> Vec<Opt> {
    if matches!(attribute.meta, syn::Meta::Path(_)) {
        return Vec::new();
    }
    let parsed = attribute.parse_args_with(|input: ParseStream<'_>| Ok(parse_options(cx, input)));
    let mut seen: Vec<String> = Vec::new();
    let mut options = Vec::new();
    for option in cx.ok(parsed).into_iter().flatten() {
        let name = option.name();
        if name != "_" && seen.contains(&name) {
            cx.error(option.span(), format!("`{name}` is given twice; keep one"));
            continue;
        }
        seen.push(name);
        options.push(option);
    }
    options
}

/// Continues after a mistake at the next comma, because the other options are still known.
fn parse_options(cx: &Ctxt, input: ParseStream<'_>) -> Vec<Opt> {
    let mut options = Vec::new();
    while !input.is_empty() {
        let mut option = cx.ok(input.parse::<Opt>());
        let rest = rest_of_option(input);
        match (&mut option, rest.clone().into_iter().next()) {
            // As in `table App`. The code that uses the option reports what it takes.
            (Some(option), Some(_)) if matches!(option.value, Value::Flag) => {
                option.value = Value::Other(rest);
            }
            (Some(_), Some(token)) => cx.error(
                token.span(),
                format!(
                    "`{token}` is not expected here; write options as `name = value`, with a comma \
                     between"
                ),
            ),
            // An unreadable option was reported already.
            _ => {}
        }
        options.extend(option);
        // The comma, or nothing.
        let _ = input.parse::<Token![,]>();
    }
    options
}

/// Sets an option that may come once over all attributes.
pub(crate) fn set<T>(cx: &Ctxt, slot: &mut Option<T>, option: &Opt, value: Option<T>) {
    if slot.is_some() {
        cx.error(
            option.span(),
            format!("`{}` is given twice; keep one", option.name()),
        );
    } else if value.is_some() {
        *slot = value;
    }
}

/// Sets a flag that may come once over all attributes.
pub(crate) fn set_flag(cx: &Ctxt, slot: &mut bool, option: &Opt) {
    set(cx, &mut slot.then_some(()), option, Some(()));
    *slot = option.flag(cx);
}
