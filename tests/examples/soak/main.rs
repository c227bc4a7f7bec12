//! Many operations of every kind on one handle, compared with a model in memory: reads return what
//! was written, and memory does not grow with the number of operations.
//!
//! ```console
//! $ cargo run --profile long -p dynamo-model-tests --example soak            # 20 000 operations: seconds
//! $ MALLOC_ARENA_MAX=1 cargo run --profile long -p dynamo-model-tests --example soak -- 1000000 # minutes
//! ```
//!
//! Contents and memory are asserted, time is only shown.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic, missing_docs)]

mod bank;
mod client;
mod memory;
#[allow(dead_code)]
#[path = "../../tests/support/random.rs"]
mod random;

use client::Client;
use dynamo_model::{Dynamo, Table};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The result of the program; an error is printed and ends it.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

#[tokio::main]
async fn main() -> Outcome {
    let operations = std::env::args().nth(1).map(|it| it.parse()).transpose()?;
    let operations: u64 = operations.unwrap_or(20_000);
    let db = Dynamo::embedded()?;
    bank::Bank::create_table(&db).await?;
    let mut client = Client::new(db).await?;
    println!("| operations | transactions | per second | heap, MB | process, MB |");
    println!("| --- | --- | --- | --- | --- |");
    let mut memory = memory::Memory::default();
    let mut began = Instant::now();
    for done in 1..=operations {
        client.step().await?;
        if done % (operations / 10).max(1) == 0 {
            client.verify().await?;
            memory.sample(client.recent_transactions());
            let rate = operations as f64 / 10.0 / began.elapsed().as_secs_f64();
            println!(
                "| {done} | {} | {rate:.0} | {} |",
                client.transactions(),
                memory.shown()
            );
            began = Instant::now();
        }
    }
    memory.assert_flat();
    println!("\n{}", client.counts());
    Ok(())
}
