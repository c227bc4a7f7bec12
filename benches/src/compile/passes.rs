//! Splits the compiler's time by pass.

use super::rustc::Rustc;
use std::collections::BTreeMap;
use std::io;

/// Groups of passes: a name, and the compiler's names, none of which is a part of another.
const PASSES: [(&str, &[&str]); 6] = [
    ("parsing", &["parse_crate"]),
    ("macros", &["macro_expand_crate"]),
    ("names", &["resolve_crate"]),
    ("types", &["type_check_crate"]),
    ("borrows", &["MIR_borrow_checking"]),
    ("lints", &["misc_checking_1", "misc_checking_3"]),
];

impl Rustc {
    /// Returns the seconds of `cargo check` by group of passes; passes that are not listed are
    /// `other`.
    pub(super) fn passes(&self) -> io::Result<Vec<(String, f64)>> {
        let text = self.run("-Ztime-passes -Ztime-passes-format=json")?;
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
