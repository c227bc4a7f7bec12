//! Text in a page.

use dynamo_model::schema::Template;

/// Escapes all markup in a text.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // No part of HTML.
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Writes a key template with its placeholders marked.
pub(super) fn template(template: &Template) -> String {
    let mut out = escaped(template.head);
    for part in template.parts {
        let spec = part.spec.to_string();
        let spec = if spec.is_empty() {
            spec
        } else {
            format!(":{spec}")
        };
        out += &format!("<b>&lt;{}{}&gt;</b>", escaped(part.field), escaped(&spec));
        out += &escaped(part.after);
    }
    out
}

/// Returns a unique name for a link to a thing of one kind.
pub(super) fn id(kind: &str, name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    format!("{kind}-{name}")
}

/// Writes a doc comment: paragraphs, and code in backticks.
pub(super) fn doc(text: &str) -> String {
    let paragraphs = text.split("\n\n").filter(|it| !it.trim().is_empty());
    paragraphs
        .map(|it| format!("<p class=\"doc\">{}</p>\n", inline(it)))
        .collect()
}

pub(super) fn inline(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let text = words.join(" ");
    let pieces = text.split('`').enumerate();
    let last = text.matches('`').count();
    let pieces = pieces.map(|(i, piece)| match i % 2 {
        // An unpaired backtick at the end starts no code.
        1 if i < last => format!("<code>{}</code>", escaped(piece)),
        1 => format!("`{}", escaped(piece)),
        _ => escaped(piece),
    });
    pieces.collect()
}
