//! Reads the text of a template: a literal, or the literals in `concat!` and `stringify!`.
//!
//! A derive sees tokens and not values, so it evaluates these two macros itself. Each literal keeps
//! its span, so that an error underlines the right one.

use crate::ctxt::Ctxt;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, LitStr, Macro, Token};

/// A text, and the span of each of its pieces.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    value: String,
    /// The span of the whole text.
    span: Span,
    /// The byte at which each piece begins in `value`, with its span.
    pieces: Vec<(usize, Span)>,
}

impl Text {
    pub(crate) fn of(literal: &LitStr) -> Self {
        Self {
            value: literal.value(),
            span: literal.span(),
            pieces: Vec::new(),
        }
    }

    /// Text that stands for names, each with the byte at which it begins.
    pub(crate) fn of_pieces(value: &str, span: Span, pieces: Vec<(usize, Span)>) -> Self {
        Self {
            value: value.to_owned(),
            span,
            pieces,
        }
    }

    pub(crate) fn value(&self) -> &str {
        &self.value
    }

    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// Returns the span of the literal that has this byte of the text.
    pub(crate) fn span_at(&self, byte: usize) -> Span {
        let mut pieces = self.pieces.iter().rev();
        let piece = pieces.find(|(start, _)| *start <= byte);
        piece.map_or(self.span, |(_, span)| *span)
    }

    fn push(&mut self, text: &str, span: Span) {
        self.pieces.push((self.value.len(), span));
        self.value.push_str(text);
    }
}

/// The tokens in the place of a template.
pub(crate) enum Written {
    Text(Text),
    /// A macro with a mistake, which was reported already.
    Reported,
    /// Neither a literal nor a macro.
    Other,
}

impl Written {
    pub(crate) fn read(cx: &Ctxt, tokens: TokenStream) -> Self {
        if let Ok(literal) = syn::parse2::<LitStr>(tokens.clone()) {
            return Self::Text(Text::of(&literal));
        }
        let Ok(call) = syn::parse2::<Macro>(tokens) else {
            return Self::Other;
        };
        let mut text = Text {
            value: String::new(),
            span: call.delimiter.span().join(),
            pieces: Vec::new(),
        };
        match push_macro(cx, &call, &mut text) {
            true => Self::Text(text),
            false => Self::Reported,
        }
    }
}

/// Appends the text of a macro. Reports a text that cannot be known, and returns false.
fn push_macro(cx: &Ctxt, call: &Macro, text: &mut Text) -> bool {
    let is = |name: &str| call.path.segments.last().is_some_and(|it| it.ident == name);
    if is("concat") {
        let pieces = Punctuated::<Expr, Token![,]>::parse_terminated;
        let Some(pieces) = cx.ok(pieces.parse2(call.tokens.clone())) else {
            return false;
        };
        let mut is_known = true;
        for piece in &pieces {
            is_known &= push_piece(cx, piece, text);
        }
        return is_known;
    }
    if is("stringify") {
        return push_token(cx, call, text);
    }
    cx.error_on(
        call,
        "a template can be put together by `concat!` and `stringify!` alone; write its text in \
         quotes",
    );
    false
}

/// Appends one argument of `concat!`. Returns false after an error.
fn push_piece(cx: &Ctxt, piece: &Expr, text: &mut Text) -> bool {
    let literal = match piece {
        Expr::Lit(literal) => &literal.lit,
        Expr::Macro(call) => return push_macro(cx, &call.mac, text),
        Expr::Group(group) => return push_piece(cx, &group.expr, text),
        _ => {
            let message = match piece {
                Expr::Path(path) => format!(
                    "a derive cannot see the value of `{}`; write its text in quotes",
                    super::shown(&path.path)
                ),
                _ => "`concat!` in a template takes literals; write the text in quotes".into(),
            };
            cx.error_on(piece, message);
            return false;
        }
    };
    let value = match literal {
        Lit::Str(text) => text.value(),
        Lit::Char(character) => character.value().to_string(),
        Lit::Int(number) => number.base10_digits().to_owned(),
        Lit::Bool(value) => value.value.to_string(),
        _ => {
            cx.error_on(
                literal,
                "`concat!` in a template takes text, characters, whole numbers and booleans; write \
                 the text in quotes",
            );
            return false;
        }
    };
    text.push(&value, literal.span());
    true
}

/// Appends `stringify!(name)`. Accepts one token only, because the compiler chooses the spaces
/// between several.
fn push_token(cx: &Ctxt, call: &Macro, text: &mut Text) -> bool {
    let one = |input: ParseStream<'_>| input.parse::<TokenTree>();
    let span = call.delimiter.span().join();
    match one.parse2(call.tokens.clone()) {
        Ok(token @ (TokenTree::Ident(_) | TokenTree::Literal(_))) => {
            text.push(&token.to_string(), span);
            true
        }
        _ => {
            cx.error_on(
                call,
                "`stringify!` in a template takes one name or literal; write the text in quotes",
            );
            false
        }
    }
}
