//! Killed at any point and run again: the result is the same, and no item is lost.

use super::keys::moved;
use super::model::{App, NewOrder, old_order, old_user, stored};
use super::rename::renamed;
use super::{at_once, is_embedded};
use crate::support::{self, Db, Fault, Item, Outcome};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::{Dynamo, ErrorKind};
use std::collections::BTreeMap;

const ORDERS: u32 = 60;
const USERS: u32 = 20;

/// Numbers that are the same in every run.
pub(super) struct Seeded(u64);

impl Seeded {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

async fn fill(db: &Db) -> Outcome {
    let orders: Vec<_> = (0..ORDERS).map(old_order).collect();
    let users: Vec<_> = (0..USERS).map(old_user).collect();
    support::store(db, &orders).await?;
    support::store(db, &users).await
}

async fn migrate(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    moved()
        .segments(at_once(3))
        .page_size(7)
        .concurrency(at_once(3) as usize)
        .run(db)
        .await?;
    renamed().segments(at_once(2)).page_size(5).run(db).await?;
    Ok(())
}

async fn undisturbed() -> Outcome<BTreeMap<String, Item>> {
    let db = support::db::<App>().await;
    fill(&db).await?;
    migrate(&db).await?;
    stored(&db).await
}

/// Breaks the connection from a certain request on; the request in flight may have been done or
/// not.
async fn killed_after(
    db: &Db,
    requests: u64,
    answer_lost: bool,
) -> Result<(), dynamo_model::Error> {
    let (dying, _) = db.faulty(RetryConfig::disabled(), move |number, _| {
        match (number as u64).cmp(&requests) {
            std::cmp::Ordering::Less => Fault::None,
            std::cmp::Ordering::Equal if answer_lost => Fault::AnswerLost,
            _ => Fault::NotSent,
        }
    });
    migrate(&dying).await
}

#[tokio::test]
async fn a_run_killed_at_any_request_can_be_repeated() -> Outcome {
    let expected = undisturbed().await?;
    for seed in 0..if is_embedded() { 12 } else { 1 } {
        let mut seeded = Seeded::new(seed + 1);
        let db = support::db::<App>().await;
        fill(&db).await?;
        let mut kills = 0;
        while killed_after(&db, 3 + seeded.below(60), seeded.below(2) == 0)
            .await
            .is_err()
        {
            kills += 1;
            // Every item is there, once, in one form or the other.
            let mut there = stored(&db).await?;
            there.retain(|key, _| !key.contains("#migration"));
            assert_eq!(there.len(), expected.len(), "seed {seed}, after {kills}");
            assert!(kills < 100);
        }
        assert!(kills > 0);
        assert_eq!(stored(&db).await?, expected, "seed {seed}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_run_can_be_repeated() -> Outcome {
    let expected = undisturbed().await?;
    for seed in 0..if is_embedded() { 6 } else { 1 } {
        let mut seeded = Seeded::new(seed + 100);
        let db = support::db::<App>().await;
        fill(&db).await?;
        for _ in 0..4 {
            let handle = Dynamo::clone(&db);
            let run = tokio::spawn(async move { migrate(&handle).await });
            tokio::time::sleep(std::time::Duration::from_millis(seeded.below(60))).await;
            run.abort();
            let _ = run.await;
        }
        migrate(&db).await?;
        // A request in flight at the end of a run has finished now.
        assert_eq!(stored(&db).await?, expected, "seed {seed}");
    }
    Ok(())
}

#[tokio::test]
async fn a_repeated_run_continues_from_the_checkpoint() -> Outcome {
    let db = support::db::<App>().await;
    fill(&db).await?;
    let one_by_one = || moved().page_size(5).concurrency(1);
    // A scan, the page's transactions, the checkpoint: so the tenth page is not reached.
    let (dying, _) = db.faulty(RetryConfig::disabled(), |number, _| match number {
        0..30 => Fault::None,
        _ => Fault::NotSent,
    });
    let error = one_by_one().run(&dying).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Network);

    let (watched, faulty) = db.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    let report = one_by_one().segments(at_once(4)).run(&watched).await?;
    assert!(report.resumed);
    // The number of the first run, regardless of the new setting: where segments begin depends on
    // how many there are.
    assert_eq!(report.segments, 1);
    let first = &faulty.bodies("Scan")[0];
    assert!(first["ExclusiveStartKey"].is_object(), "{first}");
    assert_eq!(NewOrder::scan().count(&db).await?, ORDERS as usize);
    Ok(())
}

#[tokio::test]
async fn a_run_stops_when_another_takes_over() -> Outcome {
    let db = support::db::<App>().await;
    fill(&db).await?;
    let other = Dynamo::clone(&db);
    let mut taken = false;
    let (first, faulty) = db.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let slow = moved()
        .page_size(5)
        .concurrency(1)
        .on_progress(move |report| {
            if report.read > 0 && !std::mem::replace(&mut taken, true) {
                let _ = sender.send(());
            }
        });
    let second = async {
        receiver.recv().await;
        moved().run(&other).await
    };
    let (first, second) = tokio::join!(slow.run(&first), second);
    second?;
    // It stopped at its next checkpoint, unless it was done before the other began.
    if let Err(error) = first {
        assert!(matches!(error.kind(), ErrorKind::TakenOver), "{error}");
    }
    assert!(!faulty.requests().is_empty());
    assert_eq!(NewOrder::scan().count(&db).await?, ORDERS as usize);
    assert_eq!(stored(&db).await?.len(), (ORDERS + USERS) as usize);
    Ok(())
}
