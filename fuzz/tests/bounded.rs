//! Runs every target on its corpus and on derived inputs, and measures its memory. A separate
//! program with one test, because the allocator counts for all threads.

#![allow(clippy::unwrap_used)]

use dynamo_model_fuzz::{TARGETS, mutate};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The bytes that the library may allocate for an input, freed ones included: so many for each byte
/// of it, plus a constant.
const BYTES_EACH: usize = 2_000;
const BYTES_ANYWAY: usize = 200_000;

#[test]
fn no_input_takes_more_than_its_share_of_memory() {
    let rounds = std::env::var("HOSTILE_ROUNDS");
    let rounds = rounds.map_or(5_000, |rounds| rounds.parse().unwrap());
    for target in TARGETS {
        let (mut most, mut input, mut worst) = (0.0_f64, Vec::new(), Vec::new());
        let mut region = Region::new(ALLOCATOR);
        let ran = mutate::run(&target, 8, rounds, |next| {
            // The bytes allocated since the last input.
            let bytes = region.change().bytes_allocated;
            let share = bytes as f64 / (BYTES_ANYWAY + BYTES_EACH * input.len()) as f64;
            if share > most {
                (most, worst) = (share, input.clone());
            }
            input = next.to_vec();
            region = Region::new(ALLOCATOR);
        });
        let shown = String::from_utf8_lossy(&worst);
        assert!(
            most < 1.0,
            "{}: {most} of what it may, by {shown}",
            target.name
        );
        println!(
            "{}: {} inputs, at most {most:.3} of what it may",
            target.name,
            ran.unwrap()
        );
    }
}
