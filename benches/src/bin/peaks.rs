//! Measures the peak of allocated bytes in a call of each contender: `peak put/order 4711` for us,
//! and with the contender's name for the others.
//!
//! A separate program, because a program has one allocator, and `allocs` uses the counting one.

use dynamo_model_benches::cases;
use dynamo_model_benches::measure::rows::label;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    for case in cases() {
        for contender in case.contenders() {
            // One-time work is not part of a call.
            (contender.run)();
            ALLOCATOR.reset_peak_usage();
            let before = ALLOCATOR.current_usage();
            (contender.run)();
            let peak = ALLOCATOR.peak_usage().saturating_sub(before);
            println!("peak {} {peak}", label(case.name, contender.name));
        }
    }
}
