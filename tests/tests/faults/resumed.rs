//! Reads that are dropped at every await point, and that fail: with their cursor, no item is lost
//! or repeated.

use super::kinds::{self, Bounds, Kind, Patience, ReadMethod, read};
use super::seeds;
use super::support::Outcome;
use super::support::network::{Fault, Network, THROTTLED};
use super::support::random::Random;
use dynamo_model::Dynamo;

const NEVER: Patience = Patience(None);

async fn filled() -> Outcome<Dynamo> {
    let db = Dynamo::embedded()?;
    kinds::fill(&db).await?;
    Ok(db)
}

async fn whole(db: &Dynamo, kind: Kind) -> Vec<u32> {
    let from = Bounds::default();
    read(db, kind, ReadMethod::All, &from, NEVER).await.numbers
}

/// Reads on, from a cursor to the end.
async fn rest(
    db: &Dynamo,
    kind: Kind,
    way: ReadMethod,
    mut cursor: Option<String>,
) -> Outcome<Vec<u32>> {
    let mut found = Vec::new();
    while cursor.is_some() {
        let part = read(db, kind, way, &Bounds::after(cursor), NEVER).await;
        if let Some(error) = part.error {
            return Err(error.into());
        }
        found.extend(part.numbers);
        cursor = part.cursor;
    }
    Ok(found)
}

/// Each request waits before it is sent and before its response arrives, so that a read can be
/// dropped at both points.
#[tokio::test(start_paused = true)]
async fn a_read_dropped_at_any_await_point_can_continue() -> Outcome {
    let db = filled().await?;
    for kind in Kind::ALL {
        let whole = whole(&db, kind).await;
        let operation = if kind == Kind::Scan { "Scan" } else { "Query" };
        for way in ReadMethod::ALL {
            let mut times = 0;
            // Between the waits of one request and those of the next one, a read in the other ways
            // is the same.
            let steps = if way == ReadMethod::Stream { 1 } else { 2 };
            for waits in (0..).step_by(steps) {
                let patience = Patience(Some(waits));
                let slow = Network::scripted(&db, operation, &[Fault::Slow; 100]).handle(&db, 1);
                let part = read(&slow, kind, way, &Bounds::default(), patience).await;
                assert!(part.error.is_none(), "{:?}", part.error);
                let rest = rest(&db, kind, way, part.cursor).await?;
                let found = [part.numbers, rest].concat();
                assert_eq!(
                    found, whole,
                    "{kind:?}, {way:?}, given up after {waits} waits"
                );
                times += usize::from(part.given_up);
                if !part.given_up {
                    break;
                }
            }
            let least = if way == ReadMethod::Page { 1 } else { 4 };
            assert!(
                times >= least,
                "{kind:?}, {way:?} was given up {times} times"
            );
        }
    }
    Ok(())
}

/// Awaited again, a read continues, and still has the items that it found.
#[tokio::test(start_paused = true)]
async fn a_reading_can_be_awaited_again_after_an_error() -> Outcome {
    let db = filled().await?;
    let network = Network::scripted(
        &db,
        "Query",
        &[Fault::None, THROTTLED, THROTTLED, Fault::None, THROTTLED],
    );
    let db = network.handle(&db, 1);
    let mut reading = kinds::Log::query("1").page_size(5).all(&db);
    let mut failed = 0;
    let found = loop {
        match (&mut reading).await {
            Ok(found) => break found,
            Err(error) => {
                assert!(error.is_throttled(), "{error}");
                assert_eq!(error.cursor(), None);
                failed += 1;
            }
        }
    };
    assert_eq!((failed, found.len()), (3, 24));
    Ok(())
}

async fn seeded(seed: u64) -> Outcome {
    let direct = filled().await?;
    let random = &mut Random::new(!seed);
    let network = Network::seeded(&direct, seed, 10 + random.below(40));
    let kind = random.one_of(&Kind::ALL);
    let whole = whole(&direct, kind).await;
    let (mut found, mut cursor) = (Vec::new(), None);
    for part in 0.. {
        // In the end the network is whole.
        let (db, waits) = match part < 200 {
            true => (network.handle(&direct, 1), random.below(60) as usize),
            false => (direct.clone(), 1000),
        };
        let way = random.one_of(&ReadMethod::ALL);
        let patience = Patience(random.chance(60).then_some(waits));
        let read = read(&db, kind, way, &Bounds::after(cursor), patience).await;
        found.extend(read.numbers);
        cursor = read.cursor;
        if cursor.is_none() {
            assert!(read.error.is_none(), "{kind:?}: {:?}", read.error);
            break;
        }
        if part > 300 {
            return Err(format!("{kind:?}: no end").into());
        }
    }
    match found == whole {
        true => Ok(()),
        false => Err(format!("{kind:?}: {found:?} instead of {whole:?}").into()),
    }
}

#[test]
fn reads_that_fail_and_are_given_up_by_a_seed_lose_nothing() {
    seeds::each("reads_that_fail_and_are_given_up_by_a_seed", 100, seeded);
}
