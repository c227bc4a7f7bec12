//! A missing feature is named. `TRYBUILD=overwrite` rewrites the messages.

/// findings §5: "A disabled feature (`embedded`, `endpoint`, `jiff`) gives unrelated advice".
#[test]
fn a_missing_feature_is_named() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
}
