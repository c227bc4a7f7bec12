//! Counts how often each contender allocates: `allocs keys/string-2 1` for us, and with the rival's name
//! for the others.
//!
//! A program of its own, as a counting allocator would slow what `ratios` measures.

use dynamo_model_benches::cases;
use dynamo_model_benches::measure::rows::label;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    for case in cases() {
        for contender in case.contenders() {
            // What is done once is not what a call costs.
            (contender.run)();
            let region = Region::new(ALLOCATOR);
            (contender.run)();
            let change = region.change();
            let count = change.allocations + change.reallocations;
            println!("allocs {} {count}", label(case.name, contender.name));
        }
    }
}
