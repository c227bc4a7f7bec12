//! The book as it lies on disk: the table of contents, and the chapters' text.

mod highlight;
pub(crate) mod links;
mod markdown;
pub(crate) mod pages;
pub(crate) mod reference;
pub(crate) mod server;

use crate::Outcome;
use std::fs;
use std::path::{Path, PathBuf};

/// The whole book.
pub(crate) struct Book {
    /// The directory of `book.toml`.
    pub(crate) root: PathBuf,
    pub(crate) title: String,
    /// What SUMMARY.md lists, in its order.
    pub(crate) entries: Vec<Entry>,
}

/// A line of the table of contents.
pub(crate) enum Entry {
    Part(String),
    Chapter(Chapter),
}

/// A page of the book.
pub(crate) struct Chapter {
    pub(crate) title: String,
    /// As SUMMARY.md names it: `queries.md`.
    pub(crate) file: String,
    /// Its Markdown, with what it includes.
    pub(crate) text: String,
    /// Its number; chapters outside of a list have none.
    pub(crate) number: Option<usize>,
}

impl Chapter {
    /// Returns the name of its page: `queries.html`.
    pub(crate) fn page(&self) -> String {
        page_of(&self.file)
    }
}

/// Returns the page of a Markdown file.
pub(crate) fn page_of(file: &str) -> String {
    match file.strip_suffix(".md") {
        Some(name) => format!("{name}.html"),
        None => file.into(),
    }
}

impl Book {
    pub(crate) fn read(root: &Path) -> Outcome<Self> {
        let settings = fs::read_to_string(root.join("book.toml"))?;
        let title = settings
            .lines()
            .find_map(|line| line.strip_prefix("title = "));
        let mut book = Self {
            root: root.into(),
            title: title.unwrap_or("Guide").trim_matches('"').into(),
            entries: Vec::new(),
        };
        let summary = fs::read_to_string(book.source("SUMMARY.md"))?;
        let mut number = 0;
        for line in summary.lines().skip(1) {
            let entry = book.entry(line.trim(), &mut number)?;
            book.entries.extend(entry);
        }
        Ok(book)
    }

    /// Returns the path of a file of the book's source.
    pub(crate) fn source(&self, file: &str) -> PathBuf {
        self.root.join("src").join(file)
    }

    pub(crate) fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Chapter(chapter) => Some(chapter),
            Entry::Part(_) => None,
        })
    }

    fn entry(&self, line: &str, number: &mut usize) -> Outcome<Option<Entry>> {
        if let Some(part) = line.strip_prefix("# ") {
            return Ok(Some(Entry::Part(part.into())));
        }
        let listed = line.strip_prefix("- ");
        let link = listed.unwrap_or(line).strip_prefix('[');
        let Some((title, file)) = link.and_then(|link| link.split_once("](")) else {
            return Ok(None);
        };
        let file = file.trim_end_matches(')');
        if listed.is_some() {
            *number += 1;
        }
        Ok(Some(Entry::Chapter(Chapter {
            title: title.into(),
            file: file.into(),
            text: self.text(file)?,
            number: listed.map(|_| *number),
        })))
    }

    /// A chapter's Markdown. A line `{{#include path}}` is replaced by that file.
    fn text(&self, file: &str) -> Outcome<String> {
        let path = self.source(file);
        let read = |path: &Path| {
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let mut text = String::new();
        for line in read(&path)?.lines() {
            let included = line.strip_prefix("{{#include ");
            match included.and_then(|rest| rest.strip_suffix("}}")) {
                Some(include) => text.push_str(read(&self.source(include))?.trim_end()),
                None => text.push_str(line),
            }
            text.push('\n');
        }
        Ok(text)
    }
}
