//! Measures reads as a table grows: a time series of the shop schema, in buckets and in shards, on
//! the embedded engine.
//!
//! ```console
//! $ cargo run -p dynamo-model-tests --example scale                   # 20 000 items, grown 10 times: seconds
//! $ cargo run --profile long -p dynamo-model-tests --example scale -- 1000000 100    # a million, grown 100 times: minutes
//! $ cargo run --profile long -p dynamo-model-tests --example scale -- 1000000 100 4  # and streamed in 4 segments: an hour
//! ```
//!
//! Counts are asserted, time is only shown.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod counting;
mod load;
mod probes;
mod whole;

use counting::Counting;
use dynamo_model::{Dynamo, Table};
use dynamo_model_examples::shop::DynamoDbShop;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// As many are scanned in segments: the engine sorts the whole table for each page of a segment.
const SCANNED: usize = 100_000;

/// The result of the program; an error is printed and ends it.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1).map(|it| it.parse::<usize>());
    let items = arguments.next().transpose()?.unwrap_or(20_000);
    let factor = arguments.next().transpose()?.unwrap_or(10).max(2);
    let (db, counting) = Counting::around(&Dynamo::embedded()?);
    DynamoDbShop::create_table(&db).await?;

    let segments = arguments.next().transpose()?;

    let small = items / factor;
    load::load(&db, 0..small).await?;
    let before = probes::run(&db, &counting).await?;
    let scanned = items.min(SCANNED).max(small);
    load::load(&db, small..scanned).await?;
    println!("\nA scan of {scanned} items:\n");
    whole::scans(&db, &counting, scanned).await?;
    load::load(&db, scanned..items).await?;
    let after = probes::run(&db, &counting).await?;
    println!("\nThe same reads at {small} and at {items} items:\n");
    probes::compare(&before, &after);
    whole::streams(&db, items).await?;
    if let Some(segments) = segments {
        whole::streams_in_segments(&db, items, u32::try_from(segments)?).await?;
    }
    whole::scans_over_a_network().await
}
