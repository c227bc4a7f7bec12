//! Checks that every link of the guide and of the repository's pages leads somewhere.

use super::{Book, markdown};
use crate::Outcome;
use pulldown_cmark::{Event, Parser, Tag};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Pages of the repository that are checked besides the book.
const PAGES: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "benches/README.md",
    "benches/RESULTS.md",
    "examples/README.md",
];

/// How many links there are, and what is wrong.
pub(crate) fn check(book: &Book) -> Outcome<(usize, Vec<String>)> {
    let repository = normal(&book.root.join(".."));
    let mut checker = Checker {
        repository,
        links: 0,
        problems: Vec::new(),
        anchors: BTreeMap::new(),
    };
    checker.chapters_are_listed(book)?;
    let mut pages: Vec<PathBuf> = book
        .chapters()
        .map(|chapter| normal(&book.source(&chapter.file)))
        .collect();
    pages.extend(PAGES.iter().map(|page| checker.repository.join(page)));
    let mut docs = markdown_files(&checker.repository.join("docs"))?;
    docs.sort();
    pages.append(&mut docs);
    for page in pages.iter().filter(|page| page.exists()) {
        checker.page(page)?;
    }
    Ok((checker.links, checker.problems))
}

struct Checker {
    repository: PathBuf,
    links: usize,
    problems: Vec<String>,
    /// The anchors of the pages that were read.
    anchors: BTreeMap<PathBuf, BTreeSet<String>>,
}

impl Checker {
    /// Every file is in SUMMARY.md and is a test; every page of SUMMARY.md exists, or it could not
    /// have been read.
    fn chapters_are_listed(&mut self, book: &Book) -> Outcome<()> {
        let listed: BTreeSet<PathBuf> = book
            .chapters()
            .map(|chapter| normal(&book.source(&chapter.file)))
            .collect();
        let tests = fs::read_to_string(book.root.join("rust/lib.rs"))?;
        for file in markdown_files(&book.root.join("src"))? {
            let file = normal(&file);
            let name = file
                .file_stem()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if name == "SUMMARY" {
                continue;
            }
            if !listed.contains(&file) {
                self.problems
                    .push(format!("{name}.md is not in SUMMARY.md"));
            }
            if !tests.lines().any(|line| line.trim() == name) {
                self.problems
                    .push(format!("{name}.md is not a test; add it to rust/lib.rs"));
            }
        }
        Ok(())
    }

    fn page(&mut self, page: &Path) -> Outcome<()> {
        let text = fs::read_to_string(page)?;
        let parser = Parser::new_ext(&text, markdown::options()).into_offset_iter();
        for (event, at) in parser {
            let (Event::Start(Tag::Link { dest_url, .. })
            | Event::Start(Tag::Image { dest_url, .. })) = event
            else {
                continue;
            };
            self.links += 1;
            if let Err(problem) = self.link(page, &dest_url) {
                let line = 1 + text[..at.start].matches('\n').count();
                let page = page.strip_prefix(&self.repository).unwrap_or(page);
                self.problems
                    .push(format!("{}:{line}: {dest_url}: {problem}", page.display()));
            }
        }
        Ok(())
    }

    fn link(&mut self, page: &Path, link: &str) -> Result<(), String> {
        if link.starts_with("https://") || link.starts_with("http://localhost") {
            return Ok(());
        }
        if link.contains("://") {
            return Err("is not https".into());
        }
        let (file, anchor) = link
            .split_once('#')
            .map_or((link, None), |(f, a)| (f, Some(a)));
        let target = match file {
            "" => page.to_path_buf(),
            file => normal(&page.parent().unwrap_or(page).join(file)),
        };
        if !target.exists() {
            return Err("does not exist".into());
        }
        if !target.starts_with(&self.repository) {
            return Err("is outside of the repository".into());
        }
        let Some(anchor) = anchor else { return Ok(()) };
        if !self.anchors_of(&target)?.contains(anchor) {
            return Err(format!("has no heading `#{anchor}`"));
        }
        Ok(())
    }

    fn anchors_of(&mut self, page: &Path) -> Result<&BTreeSet<String>, String> {
        if !self.anchors.contains_key(page) {
            let text = fs::read_to_string(page).map_err(|error| error.to_string())?;
            let headings = markdown::headings(&text).into_iter();
            let anchors = headings.map(|heading| heading.anchor).collect();
            self.anchors.insert(page.into(), anchors);
        }
        self.anchors.get(page).ok_or_else(String::new)
    }
}

fn markdown_files(directory: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    Ok(files)
}

/// Without `..`, and without asking the file system.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            component => normal.push(component),
        }
    }
    normal
}
