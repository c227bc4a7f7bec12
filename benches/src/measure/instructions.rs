//! Instructions, counted by `valgrind`: they hardly vary with other load.

use crate::{Contender, contender};
use std::collections::HashMap;
use std::process::Command;
use std::{env, fs};

/// How the program that counts starts itself under `valgrind`.
const CALL: &str = "--call";

/// Instructions of one call.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    /// All of them.
    pub all: u64,
    /// The instructions that hash the signed text. A processor with instructions for SHA needs few;
    /// `valgrind` has none, and counts thousands for every 64 bytes.
    pub hashing: u64,
}

/// Counts the instructions of one call. Its time in nanoseconds determines how many calls are
/// counted. Returns `None` without `valgrind`.
#[must_use]
pub fn count(case: &str, contender: &str, nanoseconds: f64) -> Option<Counted> {
    // Some milliseconds are enough for an average; `valgrind` needs fifty times that.
    let calls = (2e6 / nanoseconds).clamp(1.0, 1_000.0) as u64;
    let profile = env::temp_dir().join(format!("instructions-{}", std::process::id()));
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", profile.display()))
        // Only that function.
        .arg("--toggle-collect=*counted_calls*")
        .arg(env::current_exe().ok()?)
        .args([CALL, case, contender, &calls.to_string()])
        .output()
        .ok()?;
    // ==123== Collected : 456
    let collected = String::from_utf8(output.stderr)
        .ok()?
        .lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, number)| number.trim().parse::<u64>().ok())?;
    let text = fs::read_to_string(&profile);
    let _ = fs::remove_file(&profile);
    (collected > 0).then(|| Counted {
        all: collected / calls,
        hashing: text.map_or(0, |text| hashing(&text)) / calls,
    })
}

/// Returns the cost of the compression function of SHA-256, from a profile in callgrind's format: a
/// function's own costs follow `fn=`, one a line, and those of its calls follow `calls=`.
fn hashing(profile: &str) -> u64 {
    let (mut names, mut sum) = (HashMap::new(), 0);
    let (mut hashes, mut called) = (false, false);
    for line in profile.lines() {
        if let Some((kind, name)) = line.split_once('=') {
            // A name is written once, and is a number from then on: `fn=(12) name`, `fn=(12)`.
            let (id, name) = name.split_once(' ').unwrap_or((name, ""));
            if kind.ends_with("fn") && !name.is_empty() {
                names.insert(id, name.contains("sha256"));
            }
            hashes = match kind {
                "fn" => names.get(id).copied().unwrap_or_default(),
                _ => hashes,
            };
            called = kind == "calls";
        } else if std::mem::take(&mut called) || !hashes {
            continue;
        } else if let Some(cost) = line.split(' ').nth(1) {
            sum += cost.parse::<u64>().unwrap_or_default();
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_instructions_of_hashing_are_counted() {
        let profile = "events: Ir\nfn=(1) main\n1 10\ncfn=(2) sha2::sha256::compress\ncalls=1 0\n1 500\n\n\
            fn=(2)\n1 400\n+2 90\ncfn=(3) memcpy\ncalls=1 0\n* 10\n\nfn=(3)\n1 10\n";
        assert_eq!(hashing(profile), 490);
    }
}

/// Runs the process that [`count`] starts; returns whether these were its arguments.
#[must_use]
pub fn was_call(arguments: &[&str]) -> bool {
    let [CALL, case, name, calls] = arguments else {
        return false;
    };
    if let Some(contender) = contender(case, name) {
        // One-time work is not part of a call.
        (contender.run)();
        counted_calls(&contender, calls.parse().unwrap_or(0));
    }
    true
}

#[inline(never)]
fn counted_calls(contender: &Contender, calls: u64) {
    for _ in 0..calls {
        (contender.run)();
    }
}
