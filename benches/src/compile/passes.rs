//! Where the compiler's time goes.

use super::seconds::{Package, run};
use std::collections::BTreeMap;
use std::io;

/// What is told apart: a name for it, and the compiler's own names, none of which contains another.
const PASSES: [(&str, &[&str]); 6] = [
    ("parsing", &["parse_crate"]),
    ("macros", &["macro_expand_crate"]),
    ("names", &["late_resolve_crate", "resolve_crate"]),
    (
        "types",
        &["type_check_crate", "coherence_checking", "wf_checking"],
    ),
    ("borrows", &["MIR_borrow_checking", "MIR_effect_checking"]),
    ("lints", &["misc_checking_3"]),
];

impl Package {
    /// Seconds of `cargo check` by what is done in them; what is not listed is `other`.
    pub(super) fn passes(&self, program: &str) -> io::Result<Vec<(String, f64)>> {
        self.touch(program)?;
        let output = run(self
            .cargo("rustc")
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["--profile", "check", "--example", program])
            .args(["--", "-Ztime-passes", "-Ztime-passes-format=json"]))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(grouped(&text))
    }
}

fn grouped(text: &str) -> Vec<(String, f64)> {
    let times: BTreeMap<String, f64> = text.lines().filter_map(pass).collect();
    let total = times.get("total").copied().unwrap_or_default();
    let of = |names: &[&str]| -> f64 {
        let known = names.iter().filter_map(|name| times.get(*name));
        known.sum()
    };
    let mut passes: Vec<(String, f64)> = PASSES
        .iter()
        .map(|(name, passes)| ((*name).to_owned(), of(passes)))
        .collect();
    let other = total - passes.iter().map(|(_, seconds)| seconds).sum::<f64>();
    passes.push(("other".into(), other.max(0.0)));
    passes
}

/// `time: {"pass":"total","time":0.5,…}`
fn pass(line: &str) -> Option<(String, f64)> {
    let json = &line[line.find('{')?..];
    let pass: serde_json::Value = serde_json::from_str(json).ok()?;
    Some((pass["pass"].as_str()?.to_owned(), pass["time"].as_f64()?))
}
