//! Measures the embedded engine as data grows: pages of large items, writes with a stream,
//! transactions.
//!
//! ```console
//! $ cargo run --profile long -p dynamo-model-tests --example engine            # 10 000 operations: seconds
//! $ cargo run --profile long -p dynamo-model-tests --example engine -- 100000  # minutes
//! ```
//!
//! The peak of memory is asserted, time is only shown.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, Entity, Table, Transaction};
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
    Notes::create_table(&db).await?;
    for from in (0..items).step_by(25) {
        let notes: Vec<_> = (from..items.min(from + 25))
            .map(|it| note(it, 100_000))
            .collect();
        BatchWrite::new().puts(&notes).send(&db).await?;
    }
    // The engine alone: the same pages, without the SDK.
    let start = Instant::now();
    let query = db.client().query().table_name("Notes");
    let query = query
        .key_condition_expression("PK = :pk")
        .expression_attribute_values(":pk", AttributeValue::S("USER#u1".into()));
    let mut pages = query.into_paginator().send();
    let mut raw = 0;
    while let Some(page) = pages.next().await {
        raw += page?.count();
    }
    let raw_seconds = start.elapsed().as_secs_f64();
    println!("read {raw} items of 100 KB with the SDK alone in {raw_seconds:.2} s");

    let before = alive();
    let start = Instant::now();
    let (mut read, mut peak) = (0, 0);
    let mut stream = std::pin::pin!(Note::query("u1").stream(&db));
    while stream.try_next().await?.is_some() {
        read += 1;
        peak = peak.max(alive() - before);
    }
    println!(
        "streamed {read} items of 100 KB in {:.2} s, {:.2} times as long, {} KB alive at most",
        start.elapsed().as_secs_f64(),
        start.elapsed().as_secs_f64() / raw_seconds,
        peak / 1024,
    );
    assert!(read == items && peak < 100 * 1024 * 1024);
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// A thousand queries at once: how long the first, the middle and the last of them take, and how
/// long other work on blocking threads waits meanwhile.
async fn queries(count: usize) -> Outcome {
    let db = Dynamo::embedded()?;
    Notes::create_table(&db).await?;
    let notes: Vec<_> = (0..100).map(|it| note(it, 100)).collect();
    BatchWrite::new().puts(&notes).send(&db).await?;
    let start = Instant::now();
    let queries = (0..count).map(|_| {
        let db = db.clone();
        tokio::spawn(async move {
            let found = Note::query("u1")
                .all(&db)
                .await
                .map_err(|it| it.to_string())?;
            Ok::<_, String>((found.len(), start.elapsed().as_secs_f64()))
        })
    });
    let queries: Vec<_> = queries.collect();
    let mut waited: f64 = 0.0;
    while queries.iter().any(|it| !it.is_finished()) {
        let asked = Instant::now();
        tokio::task::spawn_blocking(|| {}).await?;
        waited = waited.max(asked.elapsed().as_secs_f64());
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let mut seconds = Vec::new();
    let mut order_kept = 0;
    for query in queries {
        let (found, at) = query.await??;
        assert_eq!(found, 100);
        order_kept += usize::from(seconds.last().is_none_or(|last| *last <= at));
        seconds.push(at);
    }
    seconds.sort_by(f64::total_cmp);
    println!(
        "{count} queries at once: done after {:.2} s, {:.2} s, {:.2} s (first, middle, last); \
         {order_kept} after the one before them; other blocking work waited {:.0} ms at most",
        seconds[0],
        seconds[count / 2],
        seconds[count - 1],
        waited * 1000.0,
    );
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
    queries(1_000).await?;
    let db = Dynamo::embedded()?;
    Notes::create_table(&db).await?;
    fifths("puts into a table with a stream", operations, |number| {
        let db = db.clone();
        async move { Ok(note(number, 100).put().send(&db).await?) }
    })
    .await?;
    let db = Dynamo::embedded()?;
    Notes::create_table(&db).await?;
    fifths("transactions", operations, |number| {
        let db = db.clone();
        async move {
            Ok(Transaction::new()
                .add(note(number, 100).put())
                .send(&db)
                .await?)
        }
    })
    .await
}
