//! What must not compile, each mistake with its message, and what must.
//!
//! `ui/` has a folder for each kind of mistake, and in it a file named for each mistake; `ui-pass/` has
//! what is unusual and right. `TRYBUILD=overwrite cargo test -p dynamo-model-tests --test ui` writes the
//! messages anew.

/// One test, because `trybuild` then builds all cases in one run of Cargo.
#[test]
fn declarations() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/*.rs");
    cases.pass("ui-pass/*.rs");
}
