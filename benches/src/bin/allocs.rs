//! Counts how often each contender allocates: `allocs keys/string-2 1` for us, and with the rival's
//! name for the others.
//!
//! A separate program, because a counting allocator would slow the code that `ratios` measures.

use dynamo_model_benches::cases;
use dynamo_model_benches::measure::rows::label;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    for case in cases() {
        for contender in case.contenders() {
            // One-time work is not part of a call.
            (contender.run)();
            let region = Region::new(ALLOCATOR);
            (contender.run)();
            let change = region.change();
            let count = change.allocations + change.reallocations;
            println!("allocs {} {count}", label(case.name, contender.name));
        }
    }
}
