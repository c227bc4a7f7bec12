#![allow(clippy::unwrap_used)]

//! Programs that must not compile, each with its message. Programs that must compile are in
//! `pass/`.
//!
//! `ui/` has a folder for each kind of mistake, with a file named for each mistake.
//! `TRYBUILD=overwrite cargo test -p dynamo-model-tests --test ui` rewrites the messages.

/// The compiler that wrote the expected messages. Another version words some of them differently.
const WRITTEN_WITH: &str = "rustc 1.95.0 ";

/// Whether the messages are this compiler's; says why the test is skipped if they are not.
fn is_the_compiler_of_the_messages() -> bool {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = std::process::Command::new(rustc).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = version.unwrap_or_default();
    if version.starts_with(WRITTEN_WITH) || std::env::var_os("TRYBUILD").is_some() {
        return true;
    }
    eprintln!("skipped: the messages are those of {WRITTEN_WITH}, and this is {version}");
    false
}

/// One test, because `trybuild` then checks all cases in one run of Cargo.
#[test]
fn declarations() {
    if !is_the_compiler_of_the_messages() {
        return;
    }
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
