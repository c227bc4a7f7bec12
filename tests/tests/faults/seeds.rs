//! Seeds: how many are tried, and how one of them is tried again.

use super::support::Outcome;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of seeds of the longest test, unless `FAULT_SEEDS` is set.
const SEEDS: u64 = 60;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name} is a number, not {text}")))
}

/// Runs a test for so many of 100 of the seeds, several at a time; or for one, by `FAULT_SEED`.
pub fn each<F: Future<Output = Outcome>>(test: &str, percent: u64, run: impl Fn(u64) -> F + Sync) {
    let first = number("FAULT_SEED");
    let end = match first {
        Some(seed) => seed + 1,
        None => (number("FAULT_SEEDS").unwrap_or(SEEDS) * percent).div_ceil(100),
    };
    let next = AtomicU64::new(first.unwrap_or(0));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return;
            }
            if let Err(error) = alone(run(seed)) {
                next.store(end, Ordering::Relaxed);
                let command = "cargo test -p dynamo-model-tests --test faults";
                panic!("seed {seed}: {error}\nagain: FAULT_SEED={seed} {command} {test}");
            }
        }
    };
    // A seed waits for the engine's thread about as often as it works.
    let threads = std::thread::available_parallelism().map_or(1, |all| 4 * all.get().min(8));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
}

/// Runs with a paused clock, which advances only while the runtime is idle.
fn alone<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build().unwrap();
    runtime.block_on(future)
}
