//! Seeds: how many are tried, and how one of them is tried again.

use super::support::Outcome;

/// Runs a test for each of so many seeds, or as `FAULT_SEEDS` says; for one alone, by `FAULT_SEED`.
pub async fn each<F: Future<Output = Outcome>>(
    test: &str,
    seeds: u64,
    run: impl Fn(u64) -> F,
) -> Outcome {
    let number = |name: &str| {
        let text = std::env::var(name).ok()?;
        Some(
            text.parse::<u64>()
                .unwrap_or_else(|_| panic!("{name} is a number, not {text}")),
        )
    };
    if let Some(seed) = number("FAULT_SEED") {
        return run(seed).await;
    }
    // `FAULT_SEEDS` is for the longest test; the others keep their proportion to it.
    let seeds = number("FAULT_SEEDS").map_or(seeds, |all| (all * seeds).div_ceil(300));
    for seed in 0..seeds {
        if let Err(error) = run(seed).await {
            let command =
                format!("FAULT_SEED={seed} cargo test -p dynamo-model-tests --test faults {test}");
            panic!("seed {seed} of {test}: {error}\nagain: {command}");
        }
    }
    Ok(())
}
