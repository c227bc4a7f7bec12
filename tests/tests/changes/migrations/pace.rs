//! A migration keeps its rate limit.

use super::at_once;
use super::keys::moved;
use super::model::{App, old_order};
use crate::support::{self, Outcome};
use dynamo_model::Entity;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_run_keeps_its_limit_of_items_a_second() -> Outcome {
    let db = support::db::<App>().await;
    for number in 0..20 {
        old_order(number).create().send(&db).await?;
    }
    let start = Instant::now();
    moved()
        .segments(at_once(4))
        .items_per_second(50)
        .run(&db)
        .await?;
    assert!(start.elapsed() >= Duration::from_millis(370));
    Ok(())
}

#[tokio::test]
async fn a_run_keeps_its_limit_of_write_units_a_second() -> Outcome {
    let db = support::db::<App>().await;
    for number in 0..10 {
        old_order(number).create().send(&db).await?;
    }
    let start = Instant::now();
    // Two writes in a transaction are four units.
    moved()
        .segments(at_once(2))
        .write_units_per_second(100)
        .run(&db)
        .await?;
    assert!(start.elapsed() >= Duration::from_millis(350));
    Ok(())
}
