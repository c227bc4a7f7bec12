//! How many times faster we are than each rival, one line a comparison: `keys/string-2/format 4.31`.
//!
//! With `--instructions`, also how many instructions each takes, as `valgrind` counts them.

use dynamo_model_benches::keys::{CASES, Values};
use std::env;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

/// Long enough for the clock, short enough that what else the machine does hits few batches.
const BATCH: u32 = 2_000;
const ROUNDS: usize = 1_500;
/// Calls under `valgrind`; the program's start is counted apart and taken off.
const COUNTED: u64 = 1_000;

type Run = fn(&Values);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => ratios(),
        ["--instructions"] => {
            ratios();
            instructions();
        }
        // What `--instructions` starts, under `valgrind`.
        ["--call", case, run, times] => call(case, run, times),
        _ => eprintln!("usage: ratios [--instructions]"),
    }
}

fn ratios() {
    let values = Values::ordinary();
    for case in CASES {
        let runs: Vec<Run> = [case.ours.run]
            .into_iter()
            .chain(case.rivals.iter().map(|rival| rival.run))
            .collect();
        let best = best_times(&values, &runs);
        for (rival, time) in case.rivals.iter().zip(&best[1..]) {
            let ratio = time.as_secs_f64() / best[0].as_secs_f64();
            println!("{}/{} {ratio:.2}", case.name, rival.name);
        }
    }
    allocations();
}

/// The fastest batch of each. They take turns, so that a slow moment is a slow moment for all, and
/// noise only ever adds, so that the minimum is what comes closest to the work itself.
fn best_times(values: &Values, runs: &[Run]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; runs.len()];
    for _ in 0..ROUNDS {
        for (run, best) in runs.iter().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..BATCH {
                run(black_box(values));
            }
            *best = start.elapsed().min(*best);
        }
    }
    best
}

/// Runs `allocs`, which `cargo run --bin ratios` does not build.
fn allocations() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let status = Command::new(cargo)
        .args([
            "run",
            "--quiet",
            "--release",
            "--bin",
            "allocs",
            "--manifest-path",
            manifest,
        ])
        .status();
    if !status.is_ok_and(|status| status.success()) {
        eprintln!("allocations are not counted: `cargo run --bin allocs` failed");
    }
}

fn instructions() {
    for case in CASES {
        let Some(ours) = count(case.name, case.ours.name) else {
            eprintln!("instructions are not counted: `valgrind` is missing or failed");
            return;
        };
        for rival in case.rivals {
            if let Some(theirs) = count(case.name, rival.name) {
                println!("instructions {}/{} {ours} {theirs}", case.name, rival.name);
            }
        }
    }
}

/// Instructions of one call.
fn count(case: &str, run: &str) -> Option<u64> {
    let whole = valgrind(case, run, COUNTED)?;
    let start = valgrind(case, run, 0)?;
    Some(whole.saturating_sub(start) / COUNTED)
}

/// Instructions of this program while it calls `run` so many times.
fn valgrind(case: &str, run: &str, times: u64) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().ok()?)
        .args(["--call", case, run, &times.to_string()])
        .output()
        .ok()?;
    // ==123== Collected : 456
    String::from_utf8(output.stderr)
        .ok()?
        .lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, number)| number.trim().parse().ok())
}

fn call(case: &str, run: &str, times: &str) {
    let Some(case) = CASES.iter().find(|known| known.name == case) else {
        return;
    };
    let rival = case.rivals.iter().find(|rival| rival.name == run);
    let run = rival.map_or(case.ours.run, |rival| rival.run);
    let values = Values::ordinary();
    for _ in 0..times.parse().unwrap_or(0) {
        run(black_box(&values));
    }
}
