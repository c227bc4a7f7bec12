//! The programs of the guide, as doc tests, and the check that each prints what its chapter shows.
//!
//! A chapter's program has two hidden lines: `use dynamo_model_guide::println;`, which records
//! what it prints, and `dynamo_model_guide::printed("queries", 1)`, which compares that with the
//! chapter's first block marked `text,output`. `UPDATE_EXPECT=1` rewrites the block instead.

use std::sync::Mutex;
use std::{env, fs, path};

/// What the running program has printed.
static PRINTED: Mutex<String> = Mutex::new(String::new());

/// Prints a line, and records it for [`printed`].
#[macro_export]
macro_rules! println {
    () => { $crate::record("") };
    ($($arguments:tt)*) => { $crate::record(&format!($($arguments)*)) };
}

/// Prints a line, and records it.
#[doc(hidden)]
pub fn record(line: &str) {
    std::println!("{line}");
    let mut printed = PRINTED.lock().unwrap_or_else(|error| error.into_inner());
    printed.push_str(line);
    printed.push('\n');
}

/// Compares what the program has printed with the chapter's block of output number `block`,
/// counted from 1. With `UPDATE_EXPECT=1` it writes the block.
///
/// # Panics
///
/// If they differ, or the chapter has no such block.
#[track_caller]
pub fn printed(chapter: &str, block: usize) {
    let printed = PRINTED.lock().unwrap_or_else(|error| error.into_inner());
    let file = path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/{chapter}.md"));
    let text = fs::read_to_string(&file).unwrap_or_default();
    let Some((before, shown, after)) = output_block(&text, block) else {
        panic_with(&format!(
            "{chapter}.md has no block of output number {block}"
        ));
    };
    if shown == *printed {
        return;
    }
    if env::var_os("UPDATE_EXPECT").is_none() {
        let (shown, printed) = (shown.trim_end(), printed.trim_end());
        panic_with(&format!(
            "{chapter}.md shows:\n{shown}\n\nthe program prints:\n{printed}"
        ));
    }
    if let Err(error) = fs::write(&file, format!("{before}{printed}{after}")) {
        panic_with(&error.to_string());
    }
}

/// Returns the text before a block of output, the block, and the text after it.
fn output_block(text: &str, block: usize) -> Option<(&str, &str, &str)> {
    const FENCE: &str = "```text,output\n";
    let (start, _) = text.match_indices(FENCE).nth(block.checked_sub(1)?)?;
    let (before, rest) = text.split_at(start + FENCE.len());
    let end = rest.find("```")?;
    Some((before, &rest[..end], &rest[end..]))
}

#[allow(clippy::panic)] // Only a test calls it.
#[track_caller]
fn panic_with(message: &str) -> ! {
    panic!("{message}")
}

/// The README's programs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// One module for each chapter. `.ci/guide` checks that none is missing.
macro_rules! chapters {
    ($($name:ident)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../src/", stringify!($name), ".md"))]
            mod $name {}
        )*
    };
}

chapters! {
    introduction
    getting_started
    declarations
    key_templates
    queries
    writes
    transactions
    batches
    collections
    indexes
    pagination
    time_series
    locking_and_unique
    ttl
    vectors
    patterns
    errors
    testing
    streams
    migrations
    infrastructure
    studio
    security
    performance
    generic_code
    existing_tables
    coming_from
    case_studies
    attributes
    glossary
}
