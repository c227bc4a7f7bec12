//! Reads doc comments, which the schema carries into every output.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Returns the text of a doc comment, without the space at the start of each line. Skips text from
/// elsewhere, such as `#[doc = include_str!("…")]`: only rustdoc can read it.
pub(crate) fn doc_comment(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) if pair.path.is_ident("doc") => Some(text.value()),
            _ => None,
        }
    });
    let lines: Vec<_> = lines
        .map(|line| {
            line.strip_prefix(' ')
                .unwrap_or(&line)
                .trim_end()
                .to_owned()
        })
        .collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::doc_comment;
    use syn::{DeriveInput, parse_quote};

    #[test]
    fn lines_are_joined() {
        let input: DeriveInput = parse_quote! {
            /// A user.
            ///
            /// Never deleted.
            #[doc = include_str!("user.md")]
            #[allow(dead_code)]
            struct User;
        };
        assert_eq!(doc_comment(&input.attrs), "A user.\n\nNever deleted.");
    }
}
