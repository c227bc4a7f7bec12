//! The fuzz targets, each on its corpus and on inputs derived by a seed. `HOSTILE_ROUNDS` sets
//! their number, `HOSTILE_SEED` the seed. A failing input is stored in the directory for temporary
//! files.

use dynamo_model_fuzz::{TARGETS, mutate};
use std::panic;

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name);
    given.map_or(default, |given| given.parse().unwrap())
}

fn run(name: &str) {
    let target = TARGETS.into_iter().find(|it| it.name == name).unwrap();
    let (seed, rounds) = (number("HOSTILE_SEED", 1), number("HOSTILE_ROUNDS", 10_000));
    let mut last = Vec::new();
    let ran = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        mutate::run(&target, seed, rounds as usize, |input| {
            last = input.to_vec();
        })
    }));
    if let Err(failure) = ran {
        let file = std::env::temp_dir().join(format!("hostile-{name}-{seed}"));
        std::fs::write(&file, &last).unwrap();
        eprintln!("the input is in {}", file.display());
        panic::resume_unwind(failure);
    }
}

#[test]
fn keys() {
    run("keys");
}

#[test]
fn wire() {
    run("wire");
}

#[test]
fn cursor() {
    run("cursor");
}

#[test]
fn template() {
    run("template");
}

#[test]
fn stream() {
    run("stream");
}

#[test]
fn lock() {
    run("lock");
}
