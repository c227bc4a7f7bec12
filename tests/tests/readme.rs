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

/// The README of the repository and the front page of the crate's documentation show one program.
#[test]
fn the_readme_and_the_crate_show_the_same_program() {
    let program = |text: &str| {
        let rest = text.split("```rust\n").nth(1)?;
        rest.split("```").next().map(str::to_owned)
    };
    let readme = program(include_str!("../../README.md"));
    assert!(readme.is_some());
    assert_eq!(
        readme,
        program(include_str!("../../dynamo-model/README.md"))
    );
}

#[test]
fn the_readme_has_at_most_200_lines() {
    assert!(include_str!("../../README.md").lines().count() <= 200);
}
