#![allow(clippy::unwrap_used)]

//! What user trials and other libraries' bugs found, and the test that keeps each of them fixed.
//!
//! A row is a finding in short words and the tests that fail if it comes back. `reads/pages::a_limit_of_zero` is a test
//! function in `tests/tests/reads/pages.rs`, `ui/spec/unknown` a program that must not compile, `pass/specs` one that
//! must; a path that begins with `dynamo-model` is a unit test of that crate. Renaming or deleting one without changing
//! its row fails here.

mod classes;
mod messages;
mod peers;
mod reads;
mod stored;
mod writes;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A finding, and what keeps it fixed.
type Row = (&'static str, &'static [&'static str]);

const TABLES: &[(&str, &[Row])] = &[
    ("data: absent, NULL, unknown, foreign", stored::ROWS),
    ("reads that return wrong items", reads::ROWS),
    ("writes and their errors", writes::ROWS),
    (
        "declarations and calls that were not expressible",
        reads::EXPRESSIBLE,
    ),
    ("messages", messages::ROWS),
    ("other libraries", peers::ROWS),
    ("classes of mistakes that must not compile", classes::ROWS),
];

/// The repository's files, read once each.
#[derive(Default)]
struct Files(HashMap<PathBuf, Option<String>>);

impl Files {
    fn text(&mut self, path: PathBuf) -> Option<&str> {
        let read = |path: &PathBuf| std::fs::read_to_string(path).ok();
        let text = self.0.entry(path.clone()).or_insert_with(|| read(&path));
        text.as_deref()
    }

    /// Whether what a row names is in the tree.
    fn has(&mut self, kept_by: &str) -> bool {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = tests.parent().unwrap();
        match kept_by.split_once("::") {
            Some((file, test)) => {
                let folder = match file.starts_with("dynamo-model") {
                    true => root.to_owned(),
                    false => tests.join("tests"),
                };
                let text = self.text(folder.join(file).with_extension("rs"));
                text.is_some_and(|text| has_test(text, test))
            }
            None if kept_by.starts_with("pass/") => self
                .text(tests.join(kept_by).with_extension("rs"))
                .is_some(),
            None => {
                let program = tests.join(kept_by);
                let has = |extension| program.with_extension(extension).is_file();
                has("rs") && has("stderr")
            }
        }
    }
}

/// Whether a file has a test of this name: the function comes within a few lines after the attribute.
fn has_test(text: &str, name: &str) -> bool {
    let function = format!("fn {name}(");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.iter().enumerate().any(|(at, line)| {
        let before = &lines[at.saturating_sub(4)..at];
        let is_test = |line: &&str| *line == "#[test]" || line.starts_with("#[tokio::test");
        line.contains(&function) && before.iter().any(is_test)
    })
}

#[test]
fn every_finding_has_a_test_that_exists() {
    let mut files = Files::default();
    let mut wrong = Vec::new();
    for (table, rows) in TABLES {
        for (finding, kept_by) in *rows {
            if kept_by.is_empty() {
                wrong.push(format!("{table}: nothing keeps `{finding}` fixed"));
            }
            for kept_by in kept_by.iter().filter(|kept_by| !files.has(kept_by)) {
                wrong.push(format!(
                    "{table}: `{finding}` names `{kept_by}`, which does not exist"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_finding_has_one_row() {
    for (table, rows) in TABLES {
        let mut findings: Vec<_> = rows.iter().map(|(finding, _)| finding).collect();
        findings.sort_unstable();
        let repeated = findings.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(repeated, None, "{table}");
    }
}

#[test]
fn every_class_of_mistakes_has_two_programs_that_must_not_compile() {
    for (class, kept_by) in classes::ROWS {
        let programs = kept_by.iter().filter(|it| !it.contains("::")).count();
        assert!(programs >= 2, "{class}: {programs}");
    }
}

#[test]
fn a_test_is_a_function_with_the_attribute() {
    let text =
        "#[tokio::test]\nasync fn one() {}\nfn two() {}\n\n\n\n#[test]\n/// Doc.\nfn three() {}";
    assert!(has_test(text, "one") && has_test(text, "three"));
    assert!(!has_test("fn two() {}", "two") && !has_test(text, "on"));
}
