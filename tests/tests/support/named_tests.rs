//! Whether the tests that a table names exist: the tables of findings and of requirements are
//! checked with this.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The repository's files, read once each. Paths begin at its root.
pub(crate) struct Repository {
    root: PathBuf,
    texts: HashMap<String, Option<String>>,
}

impl Repository {
    /// The repository that has a package at `manifest_dir`, one folder below the root.
    pub(crate) fn of_package(manifest_dir: &str) -> Self {
        let root = Path::new(manifest_dir).parent().unwrap().to_owned();
        let texts = HashMap::new();
        Self { root, texts }
    }

    /// Returns the text of a file; `None` if it does not exist.
    pub(crate) fn text(&mut self, path: &str) -> Option<&str> {
        let read = || std::fs::read_to_string(self.root.join(path)).ok();
        let text = self.texts.entry(path.to_owned()).or_insert_with(read);
        text.as_deref()
    }

    /// Returns whether a file has a test of this name.
    pub(crate) fn has_test(&mut self, path: &str, name: &str) -> bool {
        self.text(path).is_some_and(|text| has_test(text, name))
    }

    /// Returns whether there is a program that must not compile, with the message that the compiler
    /// gives.
    pub(crate) fn has_refused_program(&mut self, path: &str) -> bool {
        let program = self.root.join(path);
        program.is_file() && program.with_extension("stderr").is_file()
    }
}

/// Returns whether a text has a test of this name: the function follows within a few lines after
/// the attribute.
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
fn a_test_is_a_function_with_the_attribute() {
    let text =
        "#[tokio::test]\nasync fn one() {}\nfn two() {}\n\n\n\n#[test]\n/// Doc.\nfn three() {}";
    assert!(has_test(text, "one") && has_test(text, "three"));
    assert!(!has_test("fn two() {}", "two") && !has_test(text, "on"));
}
