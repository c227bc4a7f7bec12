//! Reads the whole table: in segments, and as a stream in constant memory.

use crate::counting::{Counting, Totals};
use crate::{ALLOCATOR, Outcome};
use dynamo_model::bounds::IndexedBy;
use dynamo_model::index::Primary;
use dynamo_model::read::Scan;
use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, Table};
use dynamo_model_examples::shop::{DailyActivity, ShardedActivity};
use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};
use std::pin::pin;
use std::time::{Duration, Instant};

const SEGMENTS: [u32; 4] = [1, 2, 4, 8];
/// As within a region.
const LATENCY: Duration = Duration::from_millis(20);
/// Enough pages to see them read side by side.
const SCATTERED: usize = 4_000;
const PAGE: u32 = 50;
/// More than this may not be alive while a table is streamed, however large it is: a page, as JSON
/// and as items.
const MOST_ALIVE: usize = 24 << 20;

/// Scans in segments, and counts the requests and those that must run in sequence. On a network the
/// latter determine the time; in this process they do not, because the engine has one lock.
async fn in_segments<E: IndexedBy<Primary>>(
    (db, counting): (&Dynamo, &Counting),
    scan: impl Fn() -> Scan<E>,
    items: usize,
) -> Outcome<Vec<Totals>> {
    println!("| segments | requests | one after the other | at the same time | seconds |");
    println!("| --- | --- | --- | --- | --- |");
    let mut all = Vec::new();
    for segments in SEGMENTS {
        counting.take();
        let began = Instant::now();
        let count = scan().segments(segments).count(db).await?;
        let took = began.elapsed().as_secs_f64();
        let wire = counting.take();
        assert_eq!(count, items);
        println!(
            "| {segments} | {} | {} | {} | {took:.1} |",
            wire.requests,
            wire.in_a_row(),
            wire.at_once,
        );
        all.push(wire);
    }
    Ok(all)
}

pub async fn scans(db: &Dynamo, counting: &Counting, items: usize) -> Outcome {
    in_segments((db, counting), DailyActivity::scan, items / 2).await?;
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Scattered", pk = "PK")]
struct Scattered;

/// Each in a separate partition, so that the segments have equal shares.
#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = Scattered)]
#[pk("ITEM#<id>")]
struct ScatteredItem {
    id: usize,
}

/// The same through a connection with the latency of a network.
pub async fn scans_over_a_network() -> Outcome {
    let db = Dynamo::embedded()?;
    Scattered::create_table(&db).await?;
    let items = (0..SCATTERED).map(|id| ScatteredItem { id });
    BatchWrite::new().load(items).send(&db).await?;
    let (db, counting) = Counting::slow(&db, LATENCY);
    println!(
        "\nA scan of {SCATTERED} items, {PAGE} a page, {} ms an answer:\n",
        LATENCY.as_millis()
    );
    let scan = || ScatteredItem::scan().page_size(PAGE);
    let all = in_segments((&db, &counting), scan, SCATTERED).await?;
    for (segments, wire) in SEGMENTS.into_iter().zip(all) {
        let share = wire.requests.div_ceil(segments as usize);
        assert!(wire.in_a_row() <= share + share / 4 + 2, "{wire:?}");
        assert_eq!(wire.at_once, segments as usize);
    }
    Ok(())
}

/// Returns the live bytes on the heap, without SQLite's.
fn alive() -> usize {
    let stats = ALLOCATOR.stats();
    stats
        .bytes_allocated
        .saturating_sub(stats.bytes_deallocated)
}

/// Returns the size of the process, if the system reports it.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

async fn drain<T>(
    stream: impl Stream<Item = Result<T, dynamo_model::Error>>,
    most: &mut usize,
) -> Outcome<usize> {
    let mut stream = pin!(stream);
    let mut count = 0;
    while let Some(item) = stream.next().await {
        item?;
        count += 1;
        if count % 500 == 0 {
            *most = alive().max(*most);
        }
    }
    Ok(count)
}

/// Streams the whole table in segments, which are read side by side.
pub async fn streams_in_segments(db: &Dynamo, items: usize, segments: u32) -> Outcome {
    let (before, began, mut most) = (alive(), Instant::now(), 0);
    let daily = DailyActivity::scan().segments(segments).stream(db);
    let daily = drain(daily, &mut most).await?;
    let sharded = ShardedActivity::scan().segments(segments).stream(db);
    let sharded = drain(sharded, &mut most).await?;
    assert_eq!(daily + sharded, items / 2 * 2);
    let (most, took) = (most.saturating_sub(before), began.elapsed().as_secs_f64());
    println!(
        "streamed {} items in {segments} segments in {took:.1} s, at most {} KB alive",
        daily + sharded,
        most >> 10
    );
    assert!(most < segments as usize * MOST_ALIVE, "{most} bytes");
    Ok(())
}

pub async fn streams(db: &Dynamo, items: usize) -> Outcome {
    let (before, began, mut most) = (alive(), Instant::now(), 0);
    let size = resident();
    let daily = drain(DailyActivity::scan().stream(db), &mut most).await?;
    let sharded = drain(ShardedActivity::scan().stream(db), &mut most).await?;
    assert_eq!(daily + sharded, items / 2 * 2);
    let (most, took) = (most.saturating_sub(before), began.elapsed().as_secs_f64());
    println!(
        "\nstreamed {} items in {took:.1} s, at most {} KB alive",
        daily + sharded,
        most >> 10
    );
    if let (Some(before), Some(after)) = (size, resident()) {
        println!("the process had {before} KB before, and {after} KB after");
    }
    assert!(most < MOST_ALIVE, "{most} bytes");
    Ok(())
}
