//! The pages of the site: a chapter between the table of contents and the way to the next one.

use super::highlight::escape;
use super::{Book, Chapter, Entry, markdown};
use crate::Outcome;
use pulldown_cmark::HeadingLevel;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Writes all pages to a directory that is made anew.
pub(crate) fn write(book: &Book, to: &Path) -> Outcome<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    fs::write(to.join("style.css"), include_str!("style.css"))?;
    fs::write(to.join("search.js"), include_str!("search.js"))?;
    let chapters: Vec<&Chapter> = book.chapters().collect();
    let mut repository = BTreeSet::new();
    let mut index = Vec::new();
    for (place, chapter) in chapters.iter().enumerate() {
        let page = markdown::render(&chapter.text);
        let before = place.checked_sub(1).map(|before| chapters[before]);
        let html = page_html(
            book,
            chapter,
            &page,
            before,
            chapters.get(place + 1).copied(),
        );
        fs::write(to.join(chapter.page()), &html)?;
        if place == 0 {
            fs::write(to.join("index.html"), &html)?;
        }
        index.push(index_entry(chapter, &page));
        repository.extend(page.repository);
    }
    fs::write(
        to.join("search-index.js"),
        format!("window.pages = [{}];\n", index.join(",\n")),
    )?;
    for file in &repository {
        copy(
            &book.root.join("..").join(file),
            &to.join("repository").join(file),
        )?;
    }
    Ok(())
}

/// Copies a file of the repository, as plain text that a browser shows.
fn copy(from: &Path, to: &Path) -> Outcome<()> {
    if from.is_dir() {
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(from)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        fs::create_dir_all(to)?;
        fs::write(to.join("index.txt"), names.join("\n"))?;
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display()))?;
    Ok(())
}

fn page_html(
    book: &Book,
    chapter: &Chapter,
    page: &markdown::Page,
    before: Option<&Chapter>,
    after: Option<&Chapter>,
) -> String {
    let (title, book_title) = (escape(&chapter.title), escape(&book.title));
    let contents = contents(book, chapter);
    let sections = sections(page);
    let (html, ways) = (&page.html, ways(before, after));
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · {book_title}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<input type="checkbox" id="menu" aria-label="Table of contents">
<label class="menu" for="menu" aria-hidden="true">☰</label>
<nav class="contents" aria-label="Chapters">
<a class="title" href="index.html">{book_title}</a>
<input type="search" id="search" placeholder="Search (press s)" aria-label="Search">
<ol id="found" hidden></ol>
{contents}</nav>
<main id="text">
<article>
{html}</article>
{ways}</main>
{sections}<script src="search-index.js" defer></script>
<script src="search.js" defer></script>
</body>
</html>
"##
    )
}

/// Returns all chapters, this one marked.
fn contents(book: &Book, current: &Chapter) -> String {
    let mut html = String::from("<ul>\n");
    for entry in &book.entries {
        match entry {
            Entry::Part(title) => {
                html.push_str(&format!("<li class=\"part\">{}</li>\n", escape(title)));
            }
            Entry::Chapter(chapter) => {
                let mark = match chapter.file == current.file {
                    true => " aria-current=\"page\"",
                    false => "",
                };
                let number = chapter
                    .number
                    .map_or(String::new(), |number| format!("{number}."));
                let (page, title) = (chapter.page(), escape(&chapter.title));
                html.push_str(&format!(
                    "<li><a href=\"{page}\"{mark}><span>{number}</span> {title}</a></li>\n"
                ));
            }
        }
    }
    html.push_str("</ul>\n");
    html
}

/// Returns the headings of this page, for wide screens.
fn sections(page: &markdown::Page) -> String {
    let wanted = |heading: &&markdown::Heading| heading.level == HeadingLevel::H2;
    if page.headings.iter().filter(wanted).count() < 2 {
        return String::new();
    }
    let mut html = String::from("<nav class=\"sections\" aria-label=\"On this page\">\n<ul>\n");
    for heading in page.headings.iter().filter(wanted) {
        let (anchor, text) = (&heading.anchor, escape(&heading.text));
        html.push_str(&format!("<li><a href=\"#{anchor}\">{text}</a></li>\n"));
    }
    html.push_str("</ul>\n</nav>\n");
    html
}

fn ways(before: Option<&Chapter>, after: Option<&Chapter>) -> String {
    let way = |chapter: Option<&Chapter>, class: &str, arrow: &str| {
        chapter.map_or(String::new(), |chapter| {
            let (page, title) = (chapter.page(), escape(&chapter.title));
            format!("<a class=\"{class}\" href=\"{page}\"><small>{arrow}</small> {title}</a>\n")
        })
    };
    let (before, after) = (
        way(before, "before", "Previous"),
        way(after, "after", "Next"),
    );
    format!(
        "<nav class=\"ways\" aria-label=\"Chapters before and after\">\n{before}{after}</nav>\n"
    )
}

/// What the search of the site knows of a page, as JavaScript.
fn index_entry(chapter: &Chapter, page: &markdown::Page) -> String {
    let sections: Vec<String> = page
        .headings
        .iter()
        .map(|heading| format!("[{},{}]", quoted(&heading.anchor), quoted(&heading.text)))
        .collect();
    let (title, file) = (quoted(&chapter.title), quoted(&chapter.page()));
    let text = quoted(
        &chapter
            .text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
    );
    format!("[{title},{file},[{}],{text}]", sections.join(","))
}

/// A text as a JavaScript literal that is also safe within a script element.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '<' => quoted.push_str("\\u003c"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
