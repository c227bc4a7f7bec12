#![allow(clippy::unwrap_used)]

//! Programs that must not compile, each with its message. Programs that must compile are in
//! `pass/`.
//!
//! `ui/` has a folder for each kind of mistake, with a file named for each mistake.
//! `TRYBUILD=overwrite cargo test -p dynamo-model-tests --test ui` rewrites the messages.

/// One test, because `trybuild` then checks all cases in one run of Cargo.
#[test]
fn declarations() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/*.rs");
}

/// A program without a target would never be compiled.
#[test]
fn every_program_that_must_compile_is_a_target() {
    let manifest = include_str!("../pass/Cargo.toml");
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/pass")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    for name in names.filter(|name| name.ends_with(".rs")) {
        assert!(manifest.contains(&format!("path = \"{name}\"")), "{name}");
    }
}
