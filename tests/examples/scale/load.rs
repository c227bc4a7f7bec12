//! The items, and loading them with a progress bar.

use crate::Outcome;
use dynamo_model::batch::Progress;
use dynamo_model::{BatchWrite, Dynamo};
use dynamo_model_examples::shop::{DailyActivity, ProductId, ShardedActivity, UserId};
use jiff::{SignedDuration, Timestamp};
use std::io::{IsTerminal, Write, stderr};
use std::ops::Range;
use std::time::Instant;

const PRODUCTS: usize = 2;
const USERS: usize = 97;
const WIDTH: usize = 40;

pub fn start() -> Timestamp {
    "2025-01-01T00:00:00Z".parse().unwrap()
}

fn product(i: usize) -> ProductId {
    ProductId(format!("p{}", i % PRODUCTS))
}

/// Every product has an event each three minutes: 480 a day.
fn time(i: usize) -> Timestamp {
    start() + SignedDuration::from_mins(3 * (i / PRODUCTS) as i64)
}

/// In a partition a day.
pub fn daily(i: usize) -> DailyActivity {
    DailyActivity {
        product_id: product(i),
        created_at: time(i),
    }
}

/// In ten partitions by the user.
pub fn sharded(i: usize) -> ShardedActivity {
    ShardedActivity {
        product_id: product(i),
        user_id: UserId(format!("user-{}", i % USERS)),
        created_at: time(i),
    }
}

/// Half of each kind.
pub async fn load(db: &Dynamo, items: Range<usize>) -> Outcome {
    let range = items.start / 2..items.end / 2;
    let began = Instant::now();
    let mut bar = Bar::new("days", range.len());
    let batch = BatchWrite::new().on_progress(|progress| bar.show(progress));
    batch.load(range.clone().map(daily)).send(db).await?;
    let mut bar = Bar::new("shards", range.len());
    let batch = BatchWrite::new().on_progress(|progress| bar.show(progress));
    batch.load(range.clone().map(sharded)).send(db).await?;
    let (items, took) = (2 * range.len(), began.elapsed().as_secs_f64());
    println!(
        "loaded {items} items in {took:.1} s, {:.0} a second",
        items as f64 / took
    );
    Ok(())
}

/// Redrawn in place on a terminal; elsewhere a line for every tenth.
struct Bar {
    what: &'static str,
    items: usize,
    shown: usize,
}

impl Bar {
    fn new(what: &'static str, items: usize) -> Self {
        let shown = 0;
        Self { what, items, shown }
    }

    fn show(&mut self, progress: Progress) {
        let (steps, is_terminal) = (
            if stderr().is_terminal() { WIDTH } else { 10 },
            stderr().is_terminal(),
        );
        let step = progress.written * steps / self.items.max(1);
        if step == self.shown {
            return;
        }
        self.shown = step;
        let full = progress.written * WIDTH / self.items.max(1);
        let bar = format!(
            "{}{}",
            "#".repeat(full),
            "-".repeat(WIDTH.saturating_sub(full))
        );
        let (begin, end) = if is_terminal { ("\r", "") } else { ("", "\n") };
        let last = if is_terminal && step == steps {
            "\n"
        } else {
            end
        };
        let _ = write!(
            stderr(),
            "{begin}{:>7} [{bar}] {}/{}{last}",
            self.what,
            progress.written,
            self.items
        );
    }
}
