//! The access patterns, each with the call and the requests it becomes.

use super::text::{escaped, inline};
use crate::Model;
use crate::{AccessPattern, Request};

/// How many requests of a pattern are shown.
const SHOWN: usize = 4;

pub(super) fn section(model: &Model) -> String {
    if model.patterns.is_empty() {
        return String::new();
    }
    let patterns: String = model.patterns.iter().map(pattern).collect();
    format!(
        "<section id=\"patterns\">\n<h2>Access patterns</h2>\n<ol \
         class=\"patterns\">\n{patterns}</ol>\n</section>\n"
    )
}

fn pattern(pattern: &AccessPattern) -> String {
    let requests: String = pattern.requests.iter().take(SHOWN).map(request).collect();
    let more = pattern.requests.len().saturating_sub(SHOWN);
    let more = if more > 0 {
        format!("<p class=\"dim\">and {more} more</p>\n")
    } else {
        String::new()
    };
    let call = match pattern.call.as_str() {
        "" => String::new(),
        call => format!("<pre class=\"call\"><code>{}</code></pre>\n", escaped(call)),
    };
    format!(
        "<li>\n<h3><span class=\"number\">{}</span> {}</h3>\n{call}{requests}{more}</li>\n",
        escaped(&pattern.number),
        inline(&pattern.name),
    )
}

fn request(request: &Request) -> String {
    let line = request.to_string();
    let (operation, rest) = line.split_once(' ').unwrap_or((&line, ""));
    let kind = if request.writes() { "write" } else { "read" };
    let body = format!("{:#}", request.shortened());
    format!(
        "<details class=\"request\">\n<summary><span class=\"op {kind}\">{}</span> <code>{}</code></summary>\n\
         <pre><code>{}</code></pre>\n</details>\n",
        escaped(operation),
        escaped(rest),
        escaped(&body),
    )
}
