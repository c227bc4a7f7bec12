//! Reads whose cost must not depend on the size of the table.

use crate::counting::Counting;
use crate::load::start;
use crate::{ALLOCATOR, Outcome};
use dynamo_model::Dynamo;
use dynamo_model_examples::shop::{DailyActivity, ShardedActivity, UserId};
use jiff::SignedDuration;
use stats_alloc::Region;

/// The cost of one read.
#[derive(Debug, Clone)]
pub struct Cost {
    name: &'static str,
    items: usize,
    scanned: usize,
    requests: usize,
    bytes: usize,
    /// By this side of the wire and, because it is in the same process, by the engine.
    allocations: usize,
}

/// Runs the read once to warm up, and once to count.
macro_rules! cost {
    ($costs:ident, $counting:ident, $name:literal, $read:expr) => {{
        let (items, scanned): (usize, usize) = $read;
        $counting.take();
        let region = Region::new(ALLOCATOR);
        let again: (usize, usize) = $read;
        let change = region.change();
        let wire = $counting.take();
        assert_eq!((items, scanned), again);
        $costs.push(Cost {
            name: $name,
            items,
            scanned,
            requests: wire.requests,
            bytes: wire.bytes,
            allocations: change.allocations,
        });
    }};
}

pub async fn run(db: &Dynamo, counting: &Counting) -> Outcome<Vec<Cost>> {
    let (from, to) = (start(), start() + SignedDuration::from_hours(1));
    let mut costs = Vec::new();
    cost!(costs, counting, "get one", {
        let found = ShardedActivity::get("p0", UserId("user-0".into()), from)
            .send(db)
            .await?;
        (usize::from(found.is_some()), 1)
    });
    cost!(costs, counting, "the first 50 of a day", {
        let page = DailyActivity::query("p0", from).limit(50).page(db).await?;
        (page.items.len(), page.scanned)
    });
    // The sort key has only the time of day, so the whole day is read.
    cost!(costs, counting, "an hour of a day", {
        let hour = DailyActivity::across("p0", from..to);
        let page = hour.limit(100).page(db).await?;
        (page.items.len(), page.scanned)
    });
    cost!(costs, counting, "the first 10 of ten shards", {
        let page = ShardedActivity::across("p0").limit(10).page(db).await?;
        (page.items.len(), page.scanned)
    });
    cost!(costs, counting, "both pages of them", {
        let page = ShardedActivity::across("p0").limit(10).page(db).await?;
        let after = page.next.ok_or("there is more")?;
        let page = ShardedActivity::across("p0")
            .limit(10)
            .after(after)
            .page(db)
            .await?;
        (page.items.len(), page.scanned)
    });
    cost!(costs, counting, "an hour of ten shards", {
        let hour = ShardedActivity::across("p1").created_at_in(from..to);
        let page = hour.limit(100).page(db).await?;
        (page.items.len(), page.scanned)
    });
    Ok(costs)
}

/// Shows both, and asserts that the larger table costs no more.
pub fn compare(small: &[Cost], large: &[Cost]) {
    println!("| read | items | requests | items read | bytes | allocations an item |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (small, large) in small.iter().zip(large) {
        let each = |cost: &Cost| cost.allocations / cost.items.max(1);
        println!(
            "| {} | {} | {} → {} | {} → {} | {} → {} | {} → {} |",
            small.name,
            small.items,
            small.requests,
            large.requests,
            small.scanned,
            large.scanned,
            small.bytes,
            large.bytes,
            each(small),
            each(large),
        );
        assert!(small.items > 0, "{}", small.name);
        assert_eq!(small.items, large.items, "{}", small.name);
        assert_eq!(small.requests, large.requests, "{}", small.name);
        assert_eq!(small.scanned, large.scanned, "{}", small.name);
        // The last page of a shard has no start key, and some buffers grow once.
        assert!(
            large.bytes <= small.bytes + small.bytes / 10 + 2_000,
            "{}",
            small.name
        );
        assert!(
            each(large) <= each(small) + each(small) / 10 + 20,
            "{}",
            small.name
        );
    }
}
