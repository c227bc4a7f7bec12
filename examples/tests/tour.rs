//! The `tour` binary, as a user calls it.
#![allow(clippy::unwrap_used, clippy::panic)]

use dynamo_model_examples::SCHEMAS;
use std::io::Read;
use std::process::{Command, Output, Stdio};

fn tour(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tour"));
    command.args(arguments);
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn every_access_pattern_has_its_expected_result() {
    let output = tour(&[]);
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    assert!(!out.contains('✗') && !out.contains('\x1b'), "{out}");
    for schema in [
        "exam: ",
        "shop: ",
        "booking: ",
        "shogi: ",
        "q: ",
        "hosting: ",
    ] {
        assert!(out.lines().any(|line| line.starts_with(schema)), "{schema}");
    }
    let checked = out.lines().filter(|line| line.starts_with("  ✓")).count();
    let lines: Vec<_> = out.lines().collect();
    let [.., documents, own, requirements] = lines[..] else {
        panic!("{out}")
    };
    let documented = SCHEMAS
        .iter()
        .filter(|schema| schema.requirements.is_some());
    let of_documents: usize = documented.map(|schema| (schema.patterns)().len()).sum();
    let rest = checked - of_documents;
    assert!(of_documents >= 163, "{of_documents}");
    assert_eq!(
        documents,
        format!(
            "✓ {of_documents} of {of_documents} access patterns do what their document promises"
        )
    );
    assert_eq!(
        own,
        format!("✓ {rest} of {rest} access patterns of hosting do what it promises")
    );
    assert!(requirements.ends_with(" deliberately different"), "{out}");
    assert!(output.stderr.is_empty());
}

#[test]
fn the_tour_shows_one_schema_with_its_requests() {
    for arguments in [&["--schema", "exam"][..], &["--schema=exam"]] {
        let output = tour(arguments);
        let out = text(&output.stdout);
        assert!(
            out.starts_with("exam: ") && !out.contains("booking"),
            "{out}"
        );
        let query = r#"→ Query ExamStudyApp GSI1: GSI1PK = "QUESTION#FE-2023-01" AND begins_with(GSI1SK, "USER#")"#;
        assert!(out.contains(query), "{out}");
    }
    let output = tour(&["--schema", "exam", "--explain"]);
    assert!(text(&output.stdout).contains("\"KeyConditionExpression\": \"#n0 = :v0"));
}

#[test]
fn json_prints_one_object_per_line() {
    let output = tour(&["--schema=exam", "--json"]);
    let lines = text(&output.stdout).lines();
    let lines: Vec<serde_json::Value> = lines.map(|it| serde_json::from_str(it).unwrap()).collect();
    let (summary, patterns) = lines.split_last().unwrap();
    assert_eq!(summary["patterns"], patterns.len());
    assert!(
        patterns
            .iter()
            .all(|it| it["as_promised"] == true && it["schema"] == "exam")
    );
    assert_eq!(patterns[0]["requests"][0]["operation"], "GetItem");
    assert!(patterns[0]["capacity_units"].as_f64().unwrap() > 0.0);
}

#[test]
fn an_unreachable_endpoint_fails_the_tour() {
    let output = tour(&["--schema=exam", "--endpoint=http://127.0.0.1:9"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("✗"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn every_sample_has_its_documented_keys() {
    let output = tour(&["--keys"]);
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    let checked = out.lines().filter(|line| line.ends_with('✓')).count();
    let summary = out.lines().last().unwrap();
    assert!(
        summary.contains(&format!("{checked} of {checked} keys")),
        "{summary}"
    );
    let output = tour(&["--keys", "--schema=shogi"]);
    let out = text(&output.stdout);
    assert!(
        out.contains("kifu#scode#lkihofkwif4tF + kid#fdsaj9d9s0 ✓"),
        "{out}"
    );
}

#[test]
fn help_lists_the_options() {
    let output = tour(&["--help"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("--schema NAME"));
}

#[test]
fn an_invalid_option_lists_the_valid_ones() {
    for (arguments, expected) in [
        (
            &["--schema", "chess"][..],
            "no schema `chess`; there are exam, shop, booking, shogi, q, hosting",
        ),
        (
            &["--schema"],
            "`--schema` needs a name: exam, shop, booking, shogi, q, hosting",
        ),
        (
            &["--all"],
            "no option `--all`; there are `--schema NAME`, `--endpoint URL`",
        ),
    ] {
        let output = tour(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(expected),
            "{}",
            text(&output.stderr)
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = command(&["--keys"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut errors = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(errors, "");
}
