#![allow(clippy::unwrap_used)]

//! What user trials and other libraries' bugs found, and the test that keeps each of them fixed.
//!
//! A row is a finding in short words and the tests that fail if it comes back. `reads/pages::a_limit_of_zero` is a test
//! function in `tests/tests/reads/pages.rs`, `ui/spec/unknown` a program that must not compile, `pass/specs` one that
//! must; a path that begins with `dynamo-model` is a unit test of that crate. Renaming or deleting one without changing
//! its row fails here.

mod classes;
mod messages;
#[path = "../support/named_tests.rs"]
mod named_tests;
mod peers;
mod reads;
mod reliability;
mod stored;
mod writes;

use named_tests::Repository;

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
    ("reliability", reliability::ROWS),
    ("other libraries", peers::ROWS),
    ("classes of mistakes that must not compile", classes::ROWS),
];

/// Whether what a row names is in the tree.
fn has(repository: &mut Repository, kept_by: &str) -> bool {
    match kept_by.split_once("::") {
        Some((file, test)) if file.starts_with("dynamo-model") => {
            repository.has_test(&format!("{file}.rs"), test)
        }
        Some((file, test)) => repository.has_test(&format!("tests/tests/{file}.rs"), test),
        None if kept_by.starts_with("pass/") => {
            repository.text(&format!("tests/{kept_by}.rs")).is_some()
        }
        None => repository.has_refused_program(&format!("tests/{kept_by}.rs")),
    }
}

#[test]
fn every_finding_has_a_test_that_exists() {
    let mut repository = Repository::of_package(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for (table, rows) in TABLES {
        for (finding, kept_by) in *rows {
            if kept_by.is_empty() {
                wrong.push(format!("{table}: nothing keeps `{finding}` fixed"));
            }
            for kept_by in kept_by.iter().filter(|it| !has(&mut repository, it)) {
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
