//! The compile error in the README is the compiler's.

#[test]
fn the_compile_error_in_the_readme_is_current() {
    let readme = include_str!("../../README.md");
    let real = include_str!("../ui/placeholder/unknown-field.stderr");
    let shown = readme
        .split("```text\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let shown = shown.expect("an error in the README");
    let real = real.replace("ui/placeholder/unknown-field.rs", "src/main.rs");
    assert_eq!(shown.trim_end(), real.trim_end());
}
