//! Reading everything: in segments, and as a stream in constant memory.

use crate::counting::Counting;
use crate::{ALLOCATOR, Outcome};
use dynamo_model::Dynamo;
use dynamo_model_examples::shop::{DailyActivity, ShardedActivity};
use futures_util::{Stream, StreamExt};
use std::pin::pin;
use std::time::Instant;

/// More than this may not be alive while a table is streamed, however large it is: a page, as JSON and as items.
const MOST_ALIVE: usize = 24 << 20;

pub async fn scans(db: &Dynamo, counting: &Counting, items: usize) -> Outcome {
    println!("| segments | requests | a segment | seconds |");
    println!("| --- | --- | --- | --- |");
    for segments in [1, 2, 4, 8] {
        counting.take();
        let began = Instant::now();
        let count = DailyActivity::scan().segments(segments).count(db).await?;
        let (requests, _) = counting.take();
        assert_eq!(count, items / 2);
        let each = requests as f64 / f64::from(segments);
        println!(
            "| {segments} | {requests} | {each:.1} | {:.1} |",
            began.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

/// Bytes that are alive on the heap; what SQLite has is its own.
fn alive() -> usize {
    let stats = ALLOCATOR.stats();
    stats
        .bytes_allocated
        .saturating_sub(stats.bytes_deallocated)
}

/// The size of the process, where the system says.
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
