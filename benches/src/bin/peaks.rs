//! How many bytes each contender has at the height of a call, above what there was before it:
//! `peak put/order 4711` for us, and with the rival's name for the others.
//!
//! A program of its own, as there can be only one allocator, and `allocs` has the one that counts.

use dynamo_model_benches::cases;
use dynamo_model_benches::measure::rows::label;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    for case in cases() {
        for contender in case.contenders() {
            // What is done once is not what a call costs.
            (contender.run)();
            ALLOCATOR.reset_peak_usage();
            let before = ALLOCATOR.current_usage();
            (contender.run)();
            let peak = ALLOCATOR.peak_usage().saturating_sub(before);
            println!("peak {} {peak}", label(case.name, contender.name));
        }
    }
}
