//! A missing feature is named. `TRYBUILD=overwrite` rewrites the messages.

/// The compiler that wrote the expected messages. Another version words some of them differently.
const WRITTEN_WITH: &str = "rustc 1.95.0 ";

/// Returns whether the messages are those of this compiler. Prints why the test is skipped if not.
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

/// Finding: "A disabled feature (`embedded`, `endpoint`, `jiff`) gives unrelated advice".
#[test]
fn a_missing_feature_is_named() {
    if !is_the_compiler_of_the_messages() {
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
}
