//! Calls that are dropped at any await point: the connections stay usable, and so does the handle.

use super::model::{THING, Thing, Things, call};
use super::recorder::assert_lean;
use super::sockets::{Served, client};
use dynamo_model::{Dynamo, Entity, Table};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

/// Polls a call so many times, and drops it. Returns whether it ended before.
async fn polled(times: usize, call: impl Future) -> bool {
    let mut call = pin!(call);
    for _ in 0..times {
        let mut context = Context::from_waker(Waker::noop());
        if call.as_mut().poll(&mut context).is_ready() {
            return true;
        }
        // The server and the connection go on meanwhile.
        tokio::time::sleep(std::time::Duration::from_micros(300)).await;
    }
    false
}

#[tokio::test]
async fn dropped_call_leaves_no_connection_in_a_bad_state() {
    let served = Served::start().await;
    let lean = Dynamo::new(client(&served.url()));
    for _ in 0..2 {
        Thing::get(1).send(&lean).await.unwrap();
    }
    assert_lean(&lean);
    let mut ended = 0;
    for times in 0..60 {
        for operation in ["GetItem", "PutItem"] {
            ended += usize::from(polled(times, call(&lean, operation)).await);
            // An answer of the dropped call would be taken for this one's.
            let thing = Thing::get(times as u32).send(&lean).await.unwrap();
            assert_eq!(thing.map(|it| it.id), Some(times as u32));
            assert_lean(&lean);
        }
    }
    assert!(
        (10..110).contains(&ended),
        "{ended} of 120 ended before they were dropped"
    );
}

#[tokio::test]
async fn dropped_calls_on_the_embedded_engine_are_done_or_not() {
    let lean = Dynamo::embedded().unwrap();
    Things::create_table(&lean).await.unwrap();
    THING.put().send(&lean).await.unwrap();
    assert_lean(&lean);
    for times in 0..40 {
        polled(times, call(&lean, "UpdateItem")).await;
    }
    let before = Thing::get(1).send(&lean).await.unwrap().unwrap();
    call(&lean, "UpdateItem").await.unwrap();
    let after = Thing::get(1).send(&lean).await.unwrap().unwrap();
    assert!((7..=47).contains(&before.value));
    assert!(after.value > before.value);
}
