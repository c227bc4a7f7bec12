//! What the embedded engine costs as data collects: pages of large items, writes with a stream, transactions.
//!
//! ```console
//! $ cargo run --profile long -p dynamo-model-tests --example engine            # 10 000 operations: seconds
//! $ cargo run --profile long -p dynamo-model-tests --example engine -- 100000  # minutes
//! ```
//!
//! The peak of memory is asserted, time is only shown.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[derive(DynamoTable, Debug)]
#[table(name = "Notes", pk = "PK", sk = "SK", stream = new_and_old_images)]
struct Notes;

#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = Notes)]
#[pk("USER#<user>")]
#[sk("NOTE#<number:06>")]
struct Note {
    user: String,
    number: u32,
    text: String,
}

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn note(number: usize, bytes: usize) -> Note {
    Note {
        user: "u1".into(),
        number: u32::try_from(number).unwrap(),
        text: "x".repeat(bytes),
    }
}

/// Shows the time of each fifth of the operations.
async fn fifths<F: Future<Output = Outcome>>(
    what: &str,
    operations: usize,
    operation: impl Fn(usize) -> F,
) -> Outcome {
    let mut seconds = Vec::new();
    for fifth in 0..5 {
        let start = Instant::now();
        for number in fifth * operations / 5..(fifth + 1) * operations / 5 {
            operation(number).await?;
        }
        seconds.push(format!("{:.2} s", start.elapsed().as_secs_f64()));
    }
    println!("{operations} {what}, each fifth: {}", seconds.join(", "));
    Ok(())
}

async fn large_items(items: usize) -> Outcome {
    let folder = std::env::temp_dir().join(format!("dynamo-model-engine-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let db = Dynamo::embedded_on_file(folder.join("large.db"))?;
    Notes::create(&db).await?;
    for from in (0..items).step_by(25) {
        let notes: Vec<_> = (from..items.min(from + 25))
            .map(|it| note(it, 100_000))
            .collect();
        db.batch_write().puts(&notes).send().await?;
    }
    let before = alive();
    let start = Instant::now();
    let (mut read, mut peak) = (0, 0);
    let mut stream = std::pin::pin!(Note::query("u1").stream(&db));
    while stream.try_next().await?.is_some() {
        read += 1;
        peak = peak.max(alive() - before);
    }
    println!(
        "streamed {read} items of 100 KB in {:.2} s, {} KB alive at most",
        start.elapsed().as_secs_f64(),
        peak / 1024,
    );
    assert!(read == items && peak < 100 * 1024 * 1024);
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// Bytes that are allocated now.
fn alive() -> isize {
    let stats = ALLOCATOR.stats();
    isize::try_from(stats.bytes_allocated).unwrap()
        - isize::try_from(stats.bytes_deallocated).unwrap()
}

#[tokio::main]
async fn main() -> Outcome {
    let operations = std::env::args().nth(1).map(|it| it.parse()).transpose()?;
    let operations: usize = operations.unwrap_or(10_000);
    large_items(operations / 10).await?;
    let db = Dynamo::embedded()?;
    Notes::create(&db).await?;
    fifths("puts into a table with a stream", operations, |number| {
        let db = db.clone();
        async move { Ok(db.put(&note(number, 100)).send().await?) }
    })
    .await?;
    let db = Dynamo::embedded()?;
    Notes::create(&db).await?;
    fifths("transactions", operations, |number| {
        let db = db.clone();
        async move { Ok(db.transaction().put(&note(number, 100)).send().await?) }
    })
    .await
}
