//! Code in colour: a tokenizer that knows enough of Rust for examples.

/// Replaces the characters that HTML gives a meaning.
pub(crate) fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c => html.push(c),
        }
    }
    html
}

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "self", "Self", "static", "struct", "super", "trait", "true", "type", "use", "where",
    "while",
];

/// Rust code as HTML.
pub(crate) fn rust(code: &str) -> String {
    let mut html = String::new();
    let mut rest = code;
    while !rest.is_empty() {
        let (class, length) = token(rest);
        let (text, after) = rest.split_at(length);
        match class {
            "" => html.push_str(&escape(text)),
            class => html.push_str(&format!("<span class=\"{class}\">{}</span>", escape(text))),
        }
        rest = after;
    }
    html
}

/// Returns the class and the length of the first token.
fn token(code: &str) -> (&'static str, usize) {
    if code.starts_with("//") {
        return ("comment", code.find('\n').unwrap_or(code.len()));
    }
    if let Some(quoted) = code.strip_prefix('"') {
        return ("string", 1 + string_length(quoted));
    }
    if code.starts_with("#[") {
        // The strings within, which are the templates, have their own colour.
        return ("attribute", 2);
    }
    let word = code
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(code.len());
    if word == 0 {
        return ("", code.chars().next().map_or(1, char::len_utf8));
    }
    let text = &code[..word];
    let first = text.chars().next().unwrap_or(' ');
    let class = match first {
        _ if KEYWORDS.contains(&text) => "keyword",
        '0'..='9' => "number",
        'A'..='Z' => "type",
        _ if code[word..].starts_with('!') => "macro",
        _ if code[word..].starts_with('(') => "call",
        _ => "",
    };
    (class, word)
}

/// Returns the length of the rest of a string, its closing quote included.
fn string_length(quoted: &str) -> usize {
    let mut escaped = false;
    for (at, c) in quoted.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    quoted.len()
}

/// Returns an error of the compiler: its first line, and what it underlines.
pub(crate) fn error(text: &str) -> String {
    let mut html = String::new();
    for line in text.lines() {
        let shown = escape(line);
        let marks = line.contains('^') && line.trim_start().starts_with('|');
        match line {
            _ if line.starts_with("error") => {
                html.push_str(&format!("<span class=\"first\">{shown}</span>"));
            }
            _ if marks => html.push_str(&format!("<span class=\"marks\">{shown}</span>")),
            _ => html.push_str(&shown),
        }
        html.push('\n');
    }
    html
}

#[cfg(test)]
mod tests {
    use super::rust;

    #[test]
    fn strings_keywords_and_comments_have_a_class() {
        let html = rust("let a = \"<b\\\"\"; // c\n");
        assert!(
            html.contains("<span class=\"keyword\">let</span>"),
            "{html}"
        );
        assert!(
            html.contains("<span class=\"string\">&quot;&lt;b\\&quot;&quot;</span>"),
            "{html}"
        );
        assert!(
            html.contains("<span class=\"comment\">// c</span>\n"),
            "{html}"
        );
    }
}
