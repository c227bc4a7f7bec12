//! Instructions, as `valgrind` counts them: they hardly vary, whatever else the machine does.

use crate::{Contender, contender};
use std::env;
use std::process::Command;

/// How the program that counts starts itself under `valgrind`.
const CALL: &str = "--call";

/// Instructions of one call that takes so many nanoseconds, which say how many are worth counting. `None`
/// without `valgrind`.
#[must_use]
pub fn count(case: &str, contender: &str, nanoseconds: f64) -> Option<u64> {
    // Some milliseconds are enough for an average; fifty times that is what `valgrind` takes.
    let calls = (2e6 / nanoseconds).clamp(1.0, 1_000.0) as u64;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        // Nothing but what happens in there.
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
    (collected > 0).then_some(collected / calls)
}

/// What [`count`] starts: whether these were its arguments.
#[must_use]
pub fn was_call(arguments: &[&str]) -> bool {
    let [CALL, case, name, calls] = arguments else {
        return false;
    };
    if let Some(contender) = contender(case, name) {
        // What is done once is not what a call costs.
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
