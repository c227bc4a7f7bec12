//! Checks that the page of attributes names every option of the derives.

use super::Book;
use crate::Outcome;
use std::fs;

/// Where the derives list the options that they know.
const SOURCES: &[&str] = &["entity.rs", "items.rs", "table.rs"];

/// The options that attributes.md does not name.
pub(crate) fn check(book: &Book) -> Outcome<Vec<String>> {
    let page = fs::read_to_string(book.source("attributes.md"))?;
    let mut problems = Vec::new();
    for source in SOURCES {
        let path = book
            .root
            .join("../dynamo-model-derive/src/attr")
            .join(source);
        let code = fs::read_to_string(path)?;
        let options = options(&code);
        if options.is_empty() {
            problems.push(format!(
                "{source} has no list of options; correct book/reference.rs"
            ));
        }
        for option in options
            .into_iter()
            .filter(|option| !is_named(&page, option))
        {
            problems.push(format!("attributes.md does not name `{option}`"));
        }
    }
    Ok(problems)
}

/// The texts in the code's lists: `const OPTIONS: &[&str] = &["table", "crate"];`.
fn options(code: &str) -> Vec<&str> {
    let lists = code.split(": &[&str] = &[").skip(1);
    let texts = lists.filter_map(|list| list.split_once(']'));
    let words = texts.flat_map(|(list, _)| list.split('"').skip(1).step_by(2));
    words.collect()
}

/// Returns whether the page has the option as a word within code.
fn is_named(page: &str, option: &str) -> bool {
    let is_code = |line: &&str| line.contains('`');
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    page.lines()
        .filter(is_code)
        .any(|line| line.split(|c| !is_part(c)).any(|it| it == option))
}

#[cfg(test)]
mod tests {
    use super::{is_named, options};

    #[test]
    fn lists_of_options_are_found_in_code() {
        let code = "const A: &[&str] = &[\n    \"table\",\n    \"null\",\n];\nfn a() { \"b\"; }";
        assert_eq!(options(code), ["table", "null"]);
        assert!(is_named("| `null` | x |", "null") && !is_named("| `nulls` | x |", "null"));
    }
}
