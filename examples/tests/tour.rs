//! The `tour` binary, as a user calls it.
#![allow(clippy::unwrap_used)]

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
fn all_keys_are_right() {
    let output = tour(&[]);
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    assert!(!out.contains('✗') && !out.contains('\x1b'), "{out}");
    let checked = out.lines().filter(|line| line.ends_with('✓')).count();
    let summary = out.lines().last().unwrap();
    assert!(
        summary.contains(&format!("{checked} of {checked} keys")),
        "{summary}"
    );
    assert!(output.stderr.is_empty());
}

#[test]
fn one_schema() {
    for arguments in [&["--schema", "shogi"][..], &["--schema=shogi"]] {
        let output = tour(arguments);
        let out = text(&output.stdout);
        assert!(
            out.starts_with("shogi: ") && !out.contains("booking"),
            "{out}"
        );
        assert!(
            out.contains("kifu#scode#lkihofkwif4tF + kid#fdsaj9d9s0 ✓"),
            "{out}"
        );
    }
}

#[test]
fn help() {
    let output = tour(&["--help"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("--schema NAME"));
}

#[test]
fn misuse_says_what_is_valid() {
    for (arguments, expected) in [
        (
            &["--schema", "chess"][..],
            "no schema `chess`; there are exam, shop, booking, shogi, q",
        ),
        (
            &["--schema"],
            "`--schema` needs a name: exam, shop, booking, shogi, q",
        ),
        (
            &["--all"],
            "no option `--all`; there are `--schema NAME` and `--help`",
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
    let mut child = command(&[])
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
