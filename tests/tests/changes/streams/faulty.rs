//! A reader loses no record: "with two shards, when the second answers with an error,
//! `read()` fails and the records of the first are never returned again; a `read_available()`
//! future that is dropped near its end loses what it had read".

use super::shards::{Shard, Stream, answer, numbers, shard};
use crate::canned::{self, Canned};
use crate::support::Outcome;
use crate::support::random::Random;
use dynamo_model::stream::StreamReader;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

/// Returns a stream whose responses fail as the function decides.
fn failing(
    shards: Vec<Shard>,
    fails: impl Fn(&Value) -> Option<(u16, Value)> + Send + Sync + 'static,
) -> Stream {
    let shards = Arc::new(Mutex::new(shards));
    let own = shards.clone();
    let canned = Canned::new(move |_, request| match fails(request) {
        Some(failure) => failure,
        None => answer(&own.lock().unwrap(), request),
    });
    Stream { shards, canned }
}

fn is_of_shard(request: &Value, shard: &str) -> bool {
    let iterator = request["ShardIterator"].as_str();
    iterator.is_some_and(|it| it.starts_with(&format!("{shard}:")))
}

#[tokio::test(start_paused = true)]
async fn a_failed_shard_does_not_lose_the_records_of_another() -> Outcome {
    let fails = Arc::new(AtomicBool::new(true));
    let now = fails.clone();
    let stream = failing(
        vec![
            shard("a", None, 0..3, false),
            shard("b", None, 10..13, false),
        ],
        move |request| {
            let fails = now.load(Ordering::Relaxed) && is_of_shard(request, "b");
            fails.then(|| (500, json!({})))
        },
    );
    let mut reader = stream.reader();
    assert_eq!(numbers(&reader.read_available().await?), [0]);
    let saved = reader.position();
    assert_eq!(numbers(&reader.read().await?), [1]);
    assert_eq!(numbers(&reader.read().await?), [2]);
    // Only the error remains.
    reader.read().await.unwrap_err();
    reader.read_available().await.unwrap_err();
    fails.store(false, Ordering::Relaxed);
    assert_eq!(numbers(&reader.read_available().await?), [10, 11, 12]);
    // A restart continues after the returned records.
    let mut again = stream.reader().resume(saved);
    let mut found = numbers(&again.read_available().await?);
    found.sort_unstable();
    assert_eq!(found, [1, 2, 10, 11, 12]);
    Ok(())
}

/// Requests take 5 ms each, so that the future is dropped at every one of them.
#[tokio::test(start_paused = true)]
async fn a_dropped_future_loses_no_record() -> Outcome {
    for millis in 1..60 {
        let stream = failing(
            vec![
                shard("a", None, 0..2, true),
                shard("b", Some("a"), 10..13, false),
            ],
            |_| None,
        );
        let mut reader = stream.reader();
        let dropped = tokio::time::timeout(Duration::from_millis(millis), reader.read_available());
        let mut found = match dropped.await {
            Ok(read) => numbers(&read?),
            Err(_) => Vec::new(),
        };
        assert_eq!(
            found.is_empty(),
            reader.position().shards.is_empty(),
            "{millis}"
        );
        found.extend(numbers(&reader.read_available().await?));
        assert_eq!(found, [0, 1, 10, 11, 12], "after {millis} ms");
    }
    Ok(())
}

/// Polls a future so many times, then drops it.
async fn dropped_after<F: Future>(polls: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut done = 0;
    poll_fn(|context| match done == polls {
        true => Poll::Ready(None),
        false => {
            done += 1;
            future.as_mut().poll(context).map(Some)
        }
    })
    .await
}

/// Both reads, dropped at each of their await points: two shards, the second of which is found once
/// the first one ends, and iterators that expire.
#[tokio::test(start_paused = true)]
async fn a_read_dropped_at_any_await_point_loses_no_record() -> Outcome {
    for reads_all in [true, false] {
        let mut polls = 0;
        loop {
            polls += 1;
            let expired = Mutex::new(HashSet::new());
            let stream = failing(
                vec![
                    shard("a", None, 0..2, true),
                    shard("b", Some("a"), 10..13, false),
                ],
                move |request| {
                    // The second iterator of each shard, once.
                    let iterator = request["ShardIterator"].as_str()?;
                    let expires = iterator.ends_with(":1")
                        && expired.lock().unwrap().insert(iterator.to_owned());
                    expires.then(|| canned::refusal("ExpiredIteratorException", json!({})))
                },
            );
            let mut reader = stream.reader();
            let read = async {
                match reads_all {
                    true => reader.read_available().await,
                    false => reader.read().await,
                }
            };
            let done = dropped_after(polls, read).await;
            let is_done = done.is_some();
            let mut found = numbers(&done.transpose()?.unwrap_or_default());
            found.extend(numbers(&reader.read_available().await?));
            assert_eq!(found, [0, 1, 10, 11, 12], "after {polls} polls");
            if is_done {
                break;
            }
        }
        assert!(polls > 4, "{polls}");
    }
    Ok(())
}

/// The iterator of an `only_new` reader expires before its first record: records written meanwhile
/// are read.
#[tokio::test(start_paused = true)]
async fn only_new_survives_an_expired_iterator() -> Outcome {
    let expired = Arc::new(AtomicBool::new(false));
    let now = expired.clone();
    let stream = failing(vec![shard("a", None, [], false)], move |request| {
        let expires = is_of_shard(request, "a") && now.swap(false, Ordering::Relaxed);
        expires.then(|| canned::refusal("ExpiredIteratorException", json!({})))
    });
    let mut reader = stream.reader().only_new();
    assert!(reader.read_available().await?.is_empty());
    stream.shards.lock().unwrap()[0].numbers.extend([7, 8]);
    expired.store(true, Ordering::Relaxed);
    assert_eq!(numbers(&reader.read_available().await?), [7, 8]);
    Ok(())
}

/// A stream that grows and splits, its faults, and a reader that is cancelled and restarted, all by
/// a seed.
struct Model {
    random: Random,
    stream: Stream,
    faults: Arc<Mutex<(Random, bool)>>,
    next: u32,
    found: Vec<u32>,
}

impl Model {
    fn new(seed: u64) -> Self {
        let faults = Arc::new(Mutex::new((Random::new(!seed), true)));
        let own = faults.clone();
        let stream = failing(
            vec![shard("s0", None, [], false), shard("s1", None, [], false)],
            move |request| {
                let (random, on) = &mut *own.lock().unwrap();
                if !*on || !random.chance(15) {
                    return None;
                }
                let of_records = request["ShardIterator"].is_string();
                Some(match random.below(3) {
                    0 if of_records => canned::refusal("ExpiredIteratorException", json!({})),
                    1 => canned::no_answer(),
                    _ => (500, json!({})),
                })
            },
        );
        let random = Random::new(seed);
        Self {
            random,
            stream,
            faults,
            next: 0,
            found: Vec::new(),
        }
    }

    /// Writes a record, or splits a shard into one or two.
    fn write(&mut self) {
        let mut shards = self.stream.shards.lock().unwrap();
        let open: Vec<_> = (0..shards.len()).filter(|it| !shards[*it].closed).collect();
        let at = self.random.one_of(&open);
        if self.random.chance(15) {
            shards[at].closed = true;
            let parent = shards[at].id.clone();
            for _ in 0..=self.random.below(2) {
                let id = format!("s{}", shards.len());
                shards.push(shard(&id, Some(&parent), [], false));
            }
        } else {
            shards[at].numbers.push(self.next);
            self.next += 1;
        }
    }

    /// Reads, perhaps only for a while, and perhaps with a new reader.
    async fn read(&mut self, reader: &mut StreamReader) {
        if self.random.chance(15) {
            *reader = self.stream.reader().resume(reader.position());
        }
        let millis = Duration::from_millis(1 + self.random.below(80));
        let read = async {
            match self.random.chance(50) {
                true => reader.read().await,
                false => reader.read_available().await,
            }
        };
        if let Ok(Ok(records)) = tokio::time::timeout(millis, read).await {
            self.found.extend(numbers(&records));
        }
    }

    /// Every record once, and after those before it in its shard and in the parents of its shard.
    fn check(&self, seed: u64) {
        let mut sorted = self.found.clone();
        sorted.sort_unstable();
        assert_eq!(
            sorted,
            (0..self.next).collect::<Vec<_>>(),
            "FAULT_SEED={seed}"
        );
        let place = |number: &u32| self.found.iter().position(|it| it == number).unwrap();
        let shards = self.stream.shards.lock().unwrap();
        for shard in shards.iter() {
            assert!(shard.numbers.is_sorted_by_key(place), "FAULT_SEED={seed}");
            let parent = shards
                .iter()
                .find(|it| Some(&it.id) == shard.parent.as_ref());
            let before = parent.and_then(|it| it.numbers.iter().map(place).max());
            let first = shard.numbers.iter().map(place).min();
            assert!(first.is_none() || before < first, "FAULT_SEED={seed}");
        }
    }

    async fn run(mut self, seed: u64) -> Outcome {
        let mut reader = self.stream.reader();
        for _ in 0..60 {
            match self.random.chance(50) {
                true => self.write(),
                false => self.read(&mut reader).await,
            }
        }
        self.faults.lock().unwrap().1 = false;
        let rest = reader.read_available().await?;
        self.found.extend(numbers(&rest));
        self.check(seed);
        Ok(())
    }
}

/// `FAULT_SEEDS=2000 cargo test --profile long -p dynamo-model-tests --test changes no_record_is_lost`,
/// or one of them with `FAULT_SEED`.
#[tokio::test(start_paused = true)]
async fn no_record_is_lost_or_doubled() -> Outcome {
    let number = |name| {
        std::env::var(name)
            .ok()
            .and_then(|it| it.parse::<u64>().ok())
    };
    let seeds = match number("FAULT_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("FAULT_SEEDS").unwrap_or(50),
    };
    for seed in seeds {
        Model::new(seed).run(seed).await?;
    }
    Ok(())
}
