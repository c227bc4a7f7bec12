//! Counts what each of our cases allocates: `allocs keys/string-2 1`.
//!
//! A program of its own, as a counting allocator would slow what `ratios` measures.

use dynamo_model_benches::keys::{CASES, Values};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::hint::black_box;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let values = Values::ordinary();
    for case in CASES {
        let region = Region::new(ALLOCATOR);
        (case.ours.run)(black_box(&values));
        let change = region.change();
        println!(
            "allocs {} {}",
            case.name,
            change.allocations + change.reallocations
        );
    }
}
