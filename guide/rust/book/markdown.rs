//! Markdown to HTML: anchors on headings, links between pages, code in colour.

use super::{highlight, page_of};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;

/// A heading of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) level: HeadingLevel,
    pub(crate) anchor: String,
    pub(crate) text: String,
}

/// What the table of a page needs besides its HTML.
pub(crate) struct Page {
    pub(crate) html: String,
    pub(crate) headings: Vec<Heading>,
    /// Targets of links into the repository: `../../docs/data-rules.md`.
    pub(crate) repository: Vec<String>,
}

pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

/// Returns the anchors of a page's headings, in order, as mdBook and GitHub make them.
pub(crate) fn headings(text: &str) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut seen = BTreeMap::new();
    let mut current: Option<Heading> = None;
    for event in Parser::new_ext(text, options()) {
        match (event, &mut current) {
            (Event::Start(Tag::Heading { level, .. }), _) => {
                let (anchor, text) = (String::new(), String::new());
                current = Some(Heading {
                    level,
                    anchor,
                    text,
                });
            }
            (Event::Text(text) | Event::Code(text), Some(heading)) => heading.text.push_str(&text),
            (Event::End(TagEnd::Heading(_)), _) => {
                let Some(mut heading) = current.take() else {
                    continue;
                };
                heading.anchor = unique(anchor(&heading.text), &mut seen);
                headings.push(heading);
            }
            _ => {}
        }
    }
    headings
}

/// Returns the anchor of a heading: letters and digits in lower case, a hyphen for each space.
fn anchor(text: &str) -> String {
    let kept = text.chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// A second heading of the same text gets `-1`.
fn unique(anchor: String, seen: &mut BTreeMap<String, usize>) -> String {
    let count = seen.entry(anchor.clone()).or_default();
    *count += 1;
    match *count {
        1 => anchor,
        more => format!("{anchor}-{}", more - 1),
    }
}

/// Renders a chapter.
pub(crate) fn render(text: &str) -> Page {
    let headings = headings(text);
    let mut anchors = headings.iter().map(|heading| heading.anchor.clone());
    let mut repository = Vec::new();
    let mut code: Option<(String, String)> = None;
    let mut events = Vec::new();
    for event in Parser::new_ext(text, options()) {
        let event = match (event, &mut code) {
            (Event::Start(Tag::CodeBlock(kind)), _) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                code = Some((info, String::new()));
                continue;
            }
            (Event::Text(text), Some((_, block))) => {
                block.push_str(&text);
                continue;
            }
            (Event::End(TagEnd::CodeBlock), _) => {
                let (info, block) = code.take().unwrap_or_default();
                Event::Html(code_block(&info, &block).into())
            }
            (
                Event::Start(Tag::Heading {
                    level,
                    classes,
                    attrs,
                    ..
                }),
                _,
            ) => {
                let id = anchors.next().map(CowStr::from);
                Event::Start(Tag::Heading {
                    level,
                    id,
                    classes,
                    attrs,
                })
            }
            (
                Event::Start(Tag::Link {
                    link_type,
                    dest_url,
                    title,
                    id,
                }),
                _,
            ) => {
                let dest_url = target(&dest_url, &mut repository).into();
                Event::Start(Tag::Link {
                    link_type,
                    dest_url,
                    title,
                    id,
                })
            }
            (Event::Start(Tag::Table(columns)), _) => {
                events.push(Event::Html("<div class=\"table\">".into()));
                Event::Start(Tag::Table(columns))
            }
            (Event::End(TagEnd::Table), _) => {
                events.push(Event::End(TagEnd::Table));
                Event::Html("</div>".into())
            }
            (event, _) => event,
        };
        events.push(event);
    }
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    Page {
        html,
        headings,
        repository,
    }
}

/// Where a link leads on the site. A file of the repository lies in a copy there.
fn target(link: &str, repository: &mut Vec<String>) -> String {
    if link.contains("://") || link.starts_with('#') {
        return link.into();
    }
    let (file, anchor) = link
        .split_once('#')
        .map_or((link, None), |(f, a)| (f, Some(a)));
    let page = match file.strip_prefix("../../") {
        Some(path) => {
            repository.push(path.into());
            // The copy is plain text, and has no anchors.
            return format!("repository/{path}");
        }
        None => page_of(file),
    };
    match anchor {
        Some(anchor) => format!("{page}#{anchor}"),
        None => page,
    }
}

/// Returns a block of code. Lines that only the test needs are left out.
fn code_block(info: &str, block: &str) -> String {
    let language = info.split([',', ' ']).next().unwrap_or_default();
    if language == "rust" {
        let code = highlight::rust(&visible(block));
        return format!("<pre class=\"code\"><code>{code}</code></pre>\n");
    }
    let class = match info.contains("output") {
        true => "output",
        false if block.starts_with("error") => "error",
        false => "plain",
    };
    let code = match class {
        "error" => highlight::error(block),
        _ => highlight::escape(block),
    };
    format!("<pre class=\"{class}\"><code>{code}</code></pre>\n")
}

/// Returns the lines that a reader sees, as rustdoc hides the others.
pub(crate) fn visible(block: &str) -> String {
    let mut shown = String::new();
    for line in block.lines() {
        let trimmed = line.trim_start();
        if trimmed == "#" || trimmed.starts_with("# ") {
            continue;
        }
        match trimmed.strip_prefix("##") {
            Some(rest) => {
                let indent = &line[..line.len() - trimmed.len()];
                shown.push_str(&format!("{indent}#{rest}"));
            }
            None => shown.push_str(line),
        }
        shown.push('\n');
    }
    format!("{}\n", shown.trim_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::{headings, render, visible};

    #[test]
    fn anchors_are_those_of_mdbook() {
        let text = "# `None` means absent\n## What it *is*\n## What it is\n";
        let anchors: Vec<_> = headings(text).into_iter().map(|it| it.anchor).collect();
        assert_eq!(anchors, ["none-means-absent", "what-it-is", "what-it-is-1"]);
    }

    #[test]
    fn hidden_lines_are_left_out() {
        let block = "# use a;\n#[derive(B)]\nstruct C;\n#\n## kept\n";
        assert_eq!(visible(block), "#[derive(B)]\nstruct C;\n# kept\n");
    }

    #[test]
    fn links_lead_to_pages_and_to_the_copy_of_the_repository() {
        let page = render("[a](queries.md#ends) [b](../../docs/schema.md#lock) [c](https://d.e)");
        assert!(
            page.html.contains("href=\"queries.html#ends\""),
            "{}",
            page.html
        );
        assert!(
            page.html.contains("href=\"repository/docs/schema.md\""),
            "{}",
            page.html
        );
        assert!(page.html.contains("href=\"https://d.e\""), "{}", page.html);
        assert_eq!(page.repository, ["docs/schema.md"]);
    }
}
