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

/// A newcomer reads the list of the crate root, so it stays short; everything else is in a module.
#[test]
fn the_crate_root_has_at_most_40_names() {
    let root = include_str!("../../dynamo-model/src/lib.rs");
    let names = root_names(root);
    assert!(names.contains("Dynamo") && names.contains("prelude"));
    assert!(names.len() <= 40, "{} names: {names:?}", names.len());
}

/// The public names of the root, without those that the documentation hides.
fn root_names(root: &str) -> std::collections::BTreeSet<&str> {
    let items = root.split_inclusive(';').filter_map(|item| {
        let at = item.find("\npub ")?;
        let is_hidden = item[..at].contains("#[doc(hidden)]");
        (!is_hidden).then(|| {
            item[at..]
                .trim()
                .trim_start_matches("pub ")
                .trim_end_matches(';')
        })
    });
    let names = items.flat_map(|item| match item.split_once(' ') {
        Some(("mod", name)) => vec![name],
        Some(("use", path)) => {
            let list = path
                .split_once('{')
                .map(|(_, list)| list.trim_end_matches('}'));
            let list = list.unwrap_or_else(|| path.rsplit("::").next().unwrap_or(path));
            let names = list
                .split(',')
                .map(|name| name.rsplit(" as ").next().unwrap_or(name).trim());
            names.filter(|name| !name.is_empty()).collect()
        }
        _ => vec![item],
    });
    names.collect()
}
