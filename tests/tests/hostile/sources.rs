//! Requirements for every crate: no `unsafe`, the workspace's lints, a licence, and the oldest
//! supported Rust.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the manifests of the workspace, by the folders that it names.
fn manifests() -> Vec<(String, String)> {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = workspace
        .lines()
        .find(|line| line.starts_with("members = "))
        .unwrap();
    let folders = members.split('"').skip(1).step_by(2).map(String::from);
    let read =
        |folder: &String| fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    folders
        .map(|folder| (folder.clone(), read(&folder)))
        .collect()
}

#[test]
fn unsafe_code_is_forbidden_in_every_crate() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("[workspace.lints.rust]\nunsafe_code = \"forbid\""));
    let manifests = manifests();
    assert!(manifests.len() >= 6);
    for (folder, manifest) in manifests {
        // Programs that must compile are under other lints, and still under this one.
        let own = manifest.contains("[lints]\nworkspace = true");
        let alone = manifest.contains("unsafe_code = \"forbid\"");
        assert!(own || alone, "{folder}");
    }
}

#[test]
fn every_crate_declares_its_licence_and_rust_version() {
    for (folder, manifest) in manifests() {
        for said in ["license.workspace = true", "rust-version.workspace = true"] {
            assert!(manifest.contains(said), "{folder}: {said}");
        }
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let version = workspace.split("rust-version = \"").nth(1).unwrap();
    let version = version.split('"').next().unwrap();
    assert!(readme.contains(&format!("Rust {version} or later")));
}

/// Every kind of error must be documented.
#[test]
fn every_kind_of_error_is_documented() {
    let source = fs::read_to_string(root().join("dynamo-model/src/error/call.rs")).unwrap();
    let kinds = source.split("pub enum ErrorKind {\n").nth(1).unwrap();
    let kinds = kinds.split("\n}\n").next().unwrap().lines();
    let variant = |line: &str| {
        let name = line.strip_prefix("    ")?;
        let name: String = name
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        (!name.is_empty()).then_some(name)
    };
    let page = fs::read_to_string(root().join("docs/reliability.md")).unwrap();
    let table = page.split("### Each kind of error").nth(1).unwrap();
    let table = table.split("\n### ").next().unwrap();
    let kinds: Vec<String> = kinds.filter_map(variant).collect();
    assert!(kinds.len() > 30, "{kinds:?}");
    for kind in kinds {
        assert!(table.contains(&format!("`{kind}`")), "{kind}");
    }
}
