//! The outputs of the six schemas in `generated/` are current.
//! `UPDATE_EXPECT=1 cargo test -p dynamo-model-examples --test generated` rewrites the files.
#![allow(clippy::unwrap_used)]

use dynamo_model_examples::outputs::{OUTPUTS, Output, find};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(schema: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("generated")
        .join(schema)
}

/// Where two texts part, a few lines of each.
fn difference(expected: &str, found: &str) -> String {
    let same = expected
        .lines()
        .zip(found.lines())
        .take_while(|(a, b)| a == b)
        .count();
    let around = |text: &str| {
        text.lines()
            .skip(same)
            .take(3)
            .collect::<Vec<_>>()
            .join("\n")
    };
    format!(
        "line {}:\nkept:\n{}\nmade:\n{}",
        same + 1,
        around(expected),
        around(found)
    )
}

async fn check(name: &str) {
    let (schema, settings) = find(name).unwrap();
    let model = schema.model(&settings).await.unwrap();
    let folder = folder(name);
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    if update {
        std::fs::create_dir_all(&folder).unwrap();
    }
    // The lock explains a change for stored items; the other files only differ.
    model.verify_lock(folder.join("schema.lock")).unwrap();
    let kept = |output: &&Output| output.name != "lock" && output.is_of(&settings);
    for output in OUTPUTS.iter().filter(kept) {
        let (file, text) = (
            folder.join(output.file),
            output.render(&model, &settings).unwrap(),
        );
        if update {
            std::fs::write(&file, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            kept == text,
            "{} is not what the declarations make; {}\nrun this test with UPDATE_EXPECT=1",
            file.display(),
            difference(&kept, &text)
        );
    }
}

macro_rules! current {
    ($($schema:ident)*) => {$(
        #[tokio::test]
        async fn $schema() {
            check(stringify!($schema)).await;
        }
    )*};
}

current!(exam shop booking shogi q hosting);

fn schema(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_schema"))
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_command_prints_every_output() {
    let (code, out, _) = schema(&["exam", "mermaid"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        out,
        std::fs::read_to_string(folder("exam").join("diagram.mmd")).unwrap()
    );
}

#[test]
fn the_command_lists_schemas_and_outputs() {
    let (code, out, _) = schema(&["--help"]);
    assert_eq!(code, Some(0));
    assert!(
        OUTPUTS.iter().all(|output| out.contains(output.name)),
        "{out}"
    );
    for (arguments, expected) in [
        (
            &["chess", "html"][..],
            "no schema `chess`; there are exam, shop, booking, shogi, q, hosting",
        ),
        (
            &["exam", "yaml"],
            "no output `yaml`; there are model, create-table, cloudformation",
        ),
        (&["exam"], "as in `schema booking cloudformation`"),
    ] {
        let (code, out, errors) = schema(arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""));
        assert!(errors.contains(expected), "{errors}");
    }
}
