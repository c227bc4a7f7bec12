#![allow(clippy::unwrap_used)]

//! Findings of user trials and bugs of other libraries, and the test that keeps each of them fixed.
//!
//! A row is a short finding and the tests that fail if it returns. `reads/pages::a_limit_of_zero`
//! is a test function in `tests/tests/reads/pages.rs`, `ui/spec/unknown` a program that must not
//! compile, `pass/specs` one that must; a path that begins with `dynamo-model` is a unit test of
//! that crate. Renaming or deleting one without changing its row fails here.

mod classes;
mod messages;
#[path = "../support/named_tests.rs"]
mod named_tests;
mod peers;
mod reads;
mod reliability;
mod rules;
mod stored;
mod writes;

use named_tests::Repository;
use std::path::{Path, PathBuf};

/// A finding, and the tests that keep it fixed.
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
    ("docs/data-rules.md", rules::ROWS),
];

/// Returns whether the test of a row exists.
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

/// A section of the page without a row is a promise that no test keeps.
#[test]
fn every_section_of_the_data_rules_has_a_row() {
    let page = include_str!("../../../docs/data-rules.md");
    let sections = page.lines().filter_map(|line| line.strip_prefix("## "));
    let sections: Vec<_> = sections.filter(|it| *it != "Contents").collect();
    let rows: Vec<_> = rules::ROWS.iter().map(|(section, _)| *section).collect();
    let without_row: Vec<_> = sections.iter().filter(|it| !rows.contains(it)).collect();
    let gone: Vec<_> = rows.iter().filter(|it| !sections.contains(it)).collect();
    assert!(
        without_row.is_empty() && gone.is_empty(),
        "tests/tests/findings/rules.rs lacks {without_row:?}, and has {gone:?}, which the page \
         lacks"
    );
}

/// Finding: "Messages show `wrong::_::Message_seq` and `__SortKey<OpenQuery<..>>`"
#[test]
fn no_message_shows_a_hidden_module_or_type() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for folder in ["ui", "features/ui", "features/key-only/ui"] {
        for message in messages_below(&tests.join(folder)) {
            let text = std::fs::read_to_string(&message).unwrap();
            // The compiler names a method of a derive `_::<impl User>::get`, and a rule `_::_`.
            let text = text.replace("_::<impl ", "").replace("_::_` failed", "");
            let hidden = ["__private", "_::", "__SortKey", "__refused"];
            let found = hidden.into_iter().filter(|it| text.contains(it));
            wrong.extend(found.map(|it| format!("{} shows `{it}`", message.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn messages_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let entries = entries.map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let is_message = |path: &PathBuf| path.extension().is_some_and(|it| it == "stderr");
    let own = files.into_iter().filter(is_message);
    let below = folders.iter().flat_map(|folder| messages_below(folder));
    own.chain(below).collect()
}
