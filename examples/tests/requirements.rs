//! The pages under `requirements/`: each row quotes its document and names declarations, tests and
//! patterns that exist.
#![allow(clippy::unwrap_used)]

#[path = "../../tests/tests/support/named_tests.rs"]
mod named_tests;

use dynamo_model_examples::requirements::{Requirement, Totals, parse};
use dynamo_model_examples::{Pattern, SCHEMAS, Schema};
use named_tests::Repository;
use std::path::{Path, PathBuf};

/// A schema that has a document, and the page of it.
struct Page {
    schema: Schema,
    letter: char,
    requirements: Vec<Requirement>,
}

fn pages() -> Vec<Page> {
    let letters = ['E', 'S', 'B', 'G', 'Q'];
    let documents = SCHEMAS.into_iter().filter(|it| it.requirements.is_some());
    let pages = documents.zip(letters).map(|(schema, letter)| {
        let requirements = parse(schema.requirements.unwrap());
        let requirements = requirements.map_err(|why| format!("{}.md: {why}", schema.name));
        let requirements = requirements.unwrap();
        Page {
            schema,
            letter,
            requirements,
        }
    });
    pages.collect()
}

/// Asserts that a check finds no fault in any row of all pages.
fn assert_rows(mut fault: impl FnMut(&Page, &Requirement) -> Vec<String>) {
    let mut wrong = Vec::new();
    for page in pages() {
        for requirement in &page.requirements {
            let faults = fault(&page, requirement);
            let which = format!("{} of {}.md", requirement.id, page.schema.name);
            wrong.extend(faults.into_iter().map(|fault| format!("{which}: {fault}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_totals_count_every_row() {
    let mut totals = Totals::default();
    for page in pages() {
        let mut of_page = Totals::default();
        of_page.add(&page.requirements);
        println!("{}: {of_page}", page.schema.name);
        totals.add(&page.requirements);
    }
    println!("{totals}");
    let rows: usize = pages().iter().map(|it| it.requirements.len()).sum();
    assert_eq!(totals.all(), rows);
}

#[test]
fn every_document_has_a_page_with_rows() {
    let pages = pages();
    let names: Vec<_> = pages.iter().map(|it| it.schema.name).collect();
    assert_eq!(names, ["exam", "shop", "booking", "shogi", "q"]);
    for page in pages {
        assert!(!page.requirements.is_empty(), "{}.md", page.schema.name);
    }
}

#[test]
fn ids_are_consecutive() {
    for page in pages() {
        let ids = page.requirements.iter().map(|it| it.id.clone());
        let expected = (1..).map(|number| format!("{}-{number}", page.letter));
        for (found, expected) in ids.zip(expected) {
            assert_eq!(found, expected, "{}.md", page.schema.name);
        }
    }
}

#[test]
fn no_requirement_is_listed_twice() {
    for page in pages() {
        let rows = &page.requirements;
        for (at, row) in rows.iter().enumerate() {
            let same = |other: &&Requirement| {
                (&other.section, &other.quote, &other.text) == (&row.section, &row.quote, &row.text)
            };
            let twin = rows[..at].iter().find(same);
            assert_eq!(
                twin.map(|it| &it.id),
                None,
                "{} of {}.md",
                row.id,
                page.schema.name
            );
        }
    }
}

#[test]
fn declarations_exist() {
    let mut repository = Repository::of_package(env!("CARGO_MANIFEST_DIR"));
    assert_rows(|_, row| {
        let missing = row
            .declared_in
            .iter()
            .filter(|it| !is_declared(&mut repository, it));
        missing
            .map(|it| format!("`{it}` is not declared"))
            .collect()
    });
}

/// Returns whether the file is there, and has the item's name in it.
fn is_declared(repository: &mut Repository, reference: &str) -> bool {
    let (path, item) = reference.split_once("::").unwrap_or((reference, ""));
    repository
        .text(path)
        .is_some_and(|text| text.contains(item))
}

#[test]
fn proofs_exist() {
    let mut repository = Repository::of_package(env!("CARGO_MANIFEST_DIR"));
    assert_rows(|page, row| {
        let patterns = (page.schema.patterns)();
        let missing = row.proved_by.iter().filter(|it| !match (
            it.strip_prefix("pattern "),
            it.split_once("::"),
        ) {
            (Some(name), _) => patterns.iter().any(|pattern| is_named(pattern, name)),
            (None, Some((file, test))) => repository.has_test(file, test),
            (None, None) => repository.has_refused_program(it),
        });
        missing.map(|it| format!("`{it}` does not exist")).collect()
    });
}

/// Compares by number, or by number and name if several have the number. A name is written without
/// its backticks.
fn is_named(pattern: &Pattern, name: &str) -> bool {
    let of_pattern = pattern.name.replace('`', "");
    let rest = name.strip_prefix(pattern.number);
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(' ') == Some(of_pattern.as_str()))
}

#[test]
fn every_access_pattern_is_named() {
    for page in pages() {
        let named = |pattern: &Pattern| {
            let mut proofs = page.requirements.iter().flat_map(|it| &it.proved_by);
            proofs.any(|it| {
                it.strip_prefix("pattern ")
                    .is_some_and(|it| is_named(pattern, it))
            })
        };
        let patterns = (page.schema.patterns)();
        let missing = patterns.iter().filter(|pattern| !named(pattern));
        let missing: Vec<_> = missing.map(|it| (it.number, it.name)).collect();
        assert_eq!(missing, [], "{}.md", page.schema.name);
    }
}

/// The documents are beside the checkout, one file each, in the order of the schemas.
fn documents() -> Option<Vec<String>> {
    let parents = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder = parents
        .map(|it| it.join("shared/seeds"))
        .find(|it| it.is_dir())?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.sort();
    Some(
        files
            .iter()
            .map(|it| std::fs::read_to_string(it).unwrap())
            .collect(),
    )
}

#[test]
fn quotes_are_in_their_section() {
    let Some(documents) = documents() else {
        println!("skipped: the documents do not lie beside the checkout");
        return;
    };
    let letters = ['E', 'S', 'B', 'G', 'Q'];
    assert_eq!(documents.len(), letters.len());
    assert_rows(|page, row| {
        let at = letters.iter().position(|it| *it == page.letter).unwrap();
        let sections = sections(&documents[at], &row.section);
        if sections.is_empty() {
            vec![format!("the document has no section `{}`", row.section)]
        } else if !sections.iter().any(|it| has_quote(it, &row.quote)) {
            vec![format!(
                "the section `{}` has no `{}`",
                row.section, row.quote
            )]
        } else {
            Vec::new()
        }
    });
}

/// Returns the text of all sections with this heading, each with its subsections.
fn sections(document: &str, heading: &str) -> Vec<String> {
    let mut sections = Vec::new();
    // The level and text of the sections that the line is in.
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut in_code = false;
    for line in document.lines() {
        in_code ^= line.starts_with("```");
        let level = line.chars().take_while(|it| *it == '#').count();
        if level > 0 && !in_code {
            let (closed, still): (Vec<_>, Vec<_>) = open.into_iter().partition(|it| it.0 >= level);
            sections.extend(closed.into_iter().map(|it| it.1));
            open = still;
            if plain(&line[level..]) == plain(heading) {
                open.push((level, String::new()));
            }
        }
        open.iter_mut().for_each(|(_, text)| text.push_str(line));
    }
    sections.extend(open.into_iter().map(|it| it.1));
    sections
}

/// Returns whether the parts of a quote occur in a text, in this order.
fn has_quote(text: &str, quote: &str) -> bool {
    let text = plain(text);
    let mut rest = text.as_str();
    quote
        .split('…')
        .all(|part| match rest.split_once(&plain(part)) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
}

/// Without white space and the marks of Markdown.
fn plain(text: &str) -> String {
    let counts = |it: &char| !it.is_whitespace() && !matches!(it, '*' | '`' | '|' | '\\');
    text.chars().filter(counts).collect()
}

#[test]
fn a_section_ends_at_the_next_heading_of_its_level() {
    let document = "# A\n## B\none\n```\n# two\n```\n### C\nthree\n## D\nfour";
    assert_eq!(sections(document, "B"), ["## Bone```# two```### Cthree"]);
    assert_eq!(sections(document, "two"), [""; 0]);
    let of_c = &sections(document, "C")[0];
    assert!(
        has_quote(of_c, "C…th r`ee`") && !has_quote(of_c, "four") && !has_quote(of_c, "three…C")
    );
}
