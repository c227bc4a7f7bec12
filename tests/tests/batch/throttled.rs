//! A hundred thousand items, and a table that takes only some of them each time.

use super::model::user;
use super::support::Outcome;
use super::throttling::Throttling;
use dynamo_model::BatchWrite;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const ITEMS: u32 = 100_000;
const CONCURRENCY: usize = 8;

#[tokio::test(start_paused = true)]
async fn a_hundred_thousand_items_are_written_once_each_in_flat_memory() -> Outcome {
    let taken = Arc::new(AtomicUsize::new(0));
    let table = Throttling::new(20_240_601, taken.clone());
    let users = (0..ITEMS).map(|n| {
        taken.fetch_add(1, Ordering::SeqCst);
        user(n, n)
    });
    let mut last = None;
    BatchWrite::new()
        .concurrency(CONCURRENCY)
        .on_progress(|progress| last = Some(progress))
        .load(users)
        .send(&table.db())
        .await?;

    let written = table.written();
    assert_eq!(written.len(), ITEMS as usize, "nothing is lost");
    assert!(
        written.values().all(|times| *times == 1),
        "nothing is doubled"
    );
    let last = last.unwrap();
    assert_eq!(last.written, ITEMS as usize);
    assert!(
        last.left_over > 0 && table.refusals() > 0,
        "it was throttled"
    );
    // Items in memory at a time: those of the requests in flight, and of the request being built.
    let ahead = table.most_ahead();
    assert!(ahead <= 25 * CONCURRENCY + 25, "{ahead} items ahead");
    Ok(())
}
