//! What is in a table, from a sample of its items.

use super::Shared;
use super::api::Reply;
use crate::live::LiveItem;
use axum::Json;
use axum::extract::State;
use dynamo_model::Value as Attribute;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A sample ends after this many items, or after this time.
const ITEMS: usize = 20_000;
const TIME: Duration = Duration::from_secs(10);
/// How many partitions and findings of a kind are shown.
const SHOWN: usize = 10;

#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    table: String,
}

pub(super) async fn overview(State(shared): State<Arc<Shared>>, Json(body): Json<Wanted>) -> Reply {
    let table = shared.live.table(&body.table)?;
    let (started, mut sample) = (Instant::now(), Sample::default());
    let mut start = None;
    loop {
        let page = shared
            .live
            .scan(&shared.db, (table, None), (None, start))
            .await?;
        sample.capacity += page.consumed_capacity;
        let now = shared.db.now();
        let now = now
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        for item in &page.items {
            sample.add(&shared, item, now);
        }
        start = page.last;
        if start.is_none() || sample.items >= ITEMS || started.elapsed() >= TIME {
            return Ok(Json(sample.view(start.is_none())));
        }
    }
}

#[derive(Default)]
struct Sample {
    items: usize,
    bytes: usize,
    capacity: f64,
    expired: usize,
    /// Items, bytes, and the largest item, by entity; those of no entity under an empty name.
    entities: BTreeMap<&'static str, Counted>,
    /// By the text of the partition key.
    partitions: HashMap<String, Partition>,
    findings: BTreeMap<&'static str, Finding>,
}

#[derive(Default)]
struct Counted {
    items: usize,
    bytes: usize,
    largest: usize,
}

#[derive(Default)]
struct Partition {
    items: usize,
    bytes: usize,
    view: Value,
}

#[derive(Default)]
struct Finding {
    count: usize,
    examples: Vec<Value>,
}

impl Sample {
    fn add(&mut self, shared: &Shared, item: &LiveItem, now: u64) {
        let bytes = item.bytes();
        self.items += 1;
        self.bytes += bytes;
        let counted = self
            .entities
            .entry(item.entity().unwrap_or_default())
            .or_default();
        counted.items += 1;
        counted.bytes += bytes;
        counted.largest = counted.largest.max(bytes);
        if let Some((pk, _)) = item.key() {
            let partition = self.partitions.entry(pk.to_string()).or_insert_with(|| {
                let view = shared.partition_of(item);
                Partition {
                    view,
                    ..Partition::default()
                }
            });
            partition.items += 1;
            partition.bytes += bytes;
        }
        let ttl = item
            .table()
            .ttl
            .and_then(|name| item.attributes().get(name));
        let expires = ttl
            .and_then(Attribute::as_number)
            .map(|number| number.to_f64());
        self.expired += usize::from(expires.is_some_and(|at| at < now as f64));
        match (item.entity(), item.problem()) {
            (_, Some(problem)) => self.find("unreadable", shared, item, problem),
            (None, None) => self.find("undeclared", shared, item, ""),
            _ => {}
        }
    }

    fn find(&mut self, kind: &'static str, shared: &Shared, item: &LiveItem, problem: &str) {
        let finding = self.findings.entry(kind).or_default();
        finding.count += 1;
        if finding.examples.len() < SHOWN {
            let row = shared.row(item);
            let example = json!({ "row": row, "problem": problem });
            finding.examples.push(example);
        }
    }

    fn view(self, is_whole: bool) -> Value {
        let entities = self.entities.iter().map(|(name, it)| {
            json!({ "name": name, "items": it.items, "bytes": it.bytes, "largest": it.largest })
        });
        let mut partitions: Vec<_> = self.partitions.into_values().collect();
        partitions.sort_by_key(|it| std::cmp::Reverse((it.bytes, it.items)));
        let histogram = histogram(partitions.iter().map(|it| it.items));
        let count = partitions.len();
        let largest = partitions
            .into_iter()
            .take(SHOWN)
            .map(|it| json!({ "items": it.items, "bytes": it.bytes, "partition": it.view }));
        let findings = self
            .findings
            .into_iter()
            .map(|(kind, it)| json!({ "kind": kind, "count": it.count, "examples": it.examples }));
        json!({
            "isWhole": is_whole,
            "items": self.items,
            "bytes": self.bytes,
            "capacity": self.capacity,
            "expired": self.expired,
            "entities": entities.collect::<Vec<_>>(),
            "partitions": count,
            "histogram": histogram,
            "largest": largest.collect::<Vec<_>>(),
            "findings": findings.collect::<Vec<_>>(),
        })
    }
}

/// How many partitions have 1, 2–3, 4–7, 8–15 … items.
fn histogram(sizes: impl Iterator<Item = usize>) -> Vec<Value> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for size in sizes.filter(|size| *size > 0) {
        *counts.entry(size.ilog2()).or_default() += 1;
    }
    let last = counts.keys().next_back().copied();
    let all = (0..=last.unwrap_or_default()).filter(|_| last.is_some());
    let bars = all.map(|power| {
        let count = counts.get(&power).copied().unwrap_or_default();
        json!({ "from": 1_u64 << power, "to": (1_u64 << (power + 1)) - 1, "count": count })
    });
    bars.collect()
}

#[cfg(test)]
mod tests {
    use super::histogram;
    use serde_json::json;

    #[test]
    fn partitions_are_counted_by_powers_of_two() {
        let bars = histogram([1, 1, 2, 3, 9].into_iter());
        assert_eq!(bars[0], json!({ "from": 1, "to": 1, "count": 2 }));
        assert_eq!(bars[1], json!({ "from": 2, "to": 3, "count": 2 }));
        assert_eq!(bars[2], json!({ "from": 4, "to": 7, "count": 0 }));
        assert_eq!(bars[3], json!({ "from": 8, "to": 15, "count": 1 }));
        assert!(histogram([].into_iter()).is_empty());
    }
}
