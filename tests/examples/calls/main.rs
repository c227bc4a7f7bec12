//! A million calls on the lean transport, eight at a time: memory does not grow, nothing is forgotten.
//! A connector answers at once; one request in a thousand fails, and is repeated through the SDK. The
//! credentials change every few seconds.
//!
//! ```console
//! $ cargo run --profile long -p dynamo-model-tests --example calls            # a million calls
//! $ cargo run --profile long -p dynamo-model-tests --example calls -- 100000
//! ```
//!
//! Results, the transport and memory are asserted, time is only shown.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic, missing_docs)]

mod canned;

use canned::{Canned, Rotating};
use dynamo_model::prelude::*;
use serde::{Deserialize, Serialize};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const TASKS: u64 = 8;
const SAMPLES: u64 = 10;
/// What a cache of the runtime or of the SDK may add after the first sample.
const SLACK: i64 = 64 << 10;

#[derive(DynamoTable)]
#[table(name = "Things", pk = "PK", sk = "SK")]
struct Things;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Things)]
#[pk("OWNER#<owner>")]
#[sk("THING#<id:03>")]
struct Thing {
    owner: u64,
    id: u32,
    name: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let calls = std::env::args().nth(1).map(|it| it.parse()).transpose()?;
    let calls: u64 = calls.unwrap_or(1_000_000);
    let canned = Canned::default();
    let rotating = Rotating::default();
    let db = Dynamo::new(canned::client(canned.clone(), rotating.clone()));
    println!("| calls | failed attempts | credentials | per second | heap, KB |");
    println!("| --- | --- | --- | --- | --- |");
    let (mut first, mut began) = (None, Instant::now());
    for sample in 1..=SAMPLES {
        let tasks: Vec<_> = (0..TASKS)
            .map(|_| tokio::spawn(several(db.clone(), calls / SAMPLES / TASKS)))
            .collect();
        for task in tasks {
            task.await?;
        }
        // The last call may have found new credentials, from which the next one learns.
        several(db.clone(), 3).await;
        assert!(format!("{db:?}").contains("transport: lean"), "{db:?}");
        let heap = alive();
        let rate = calls as f64 / SAMPLES as f64 / began.elapsed().as_secs_f64();
        println!(
            "| {} | {} | {} | {rate:.0} | {:.1} |",
            calls / SAMPLES * sample,
            canned.failed(),
            rotating.made(),
            heap as f64 / 1024.0
        );
        let first = *first.get_or_insert(heap);
        assert!(heap - first <= SLACK, "{heap} bytes, {first} at first");
        began = Instant::now();
    }
    Ok(())
}

/// Makes calls of three kinds, one after the other.
async fn several(db: Dynamo, calls: u64) {
    let thing = |id| Thing {
        owner: 1,
        id,
        name: format!("thing {id}"),
    };
    let all: Vec<_> = (0..10).map(thing).collect();
    for call in 0..calls {
        match call % 3 {
            0 => {
                let found = Thing::get(1, 0).send(&db).await.unwrap();
                assert_eq!(found.as_ref(), all.first());
            }
            1 => all[1].put().send(&db).await.unwrap(),
            _ => assert_eq!(Thing::query(1).all(&db).await.unwrap(), all),
        }
    }
}

/// Returns the bytes on the heap.
fn alive() -> i64 {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated as i64 - stats.bytes_deallocated as i64
}
