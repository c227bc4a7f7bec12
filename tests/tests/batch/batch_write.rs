//! Batch writes and loads: requests, unprocessed items, and failures.

use super::assert_send;
use super::canned::{Canned, refusal};
use super::model::*;
use super::support::{self, Fault, Outcome, db, store};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::batch::Progress;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchGet, BatchWrite, Dynamo, DynamoEntity, ErrorKind, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Writes only so many items of each table.
fn answer(request: &Value, of_each: usize) -> (u16, Value) {
    let tables = request["RequestItems"].as_object().unwrap().iter();
    let left = tables.filter_map(|(table, writes)| {
        let writes = writes.as_array().unwrap();
        let left = &writes[of_each.min(writes.len())..];
        (!left.is_empty()).then(|| (table.clone(), Value::from(left)))
    });
    let left: serde_json::Map<_, _> = left.collect();
    (200, json!({ "UnprocessedItems": left }))
}

/// Returns how many items a request has.
fn size(request: &Value) -> usize {
    let tables = request["RequestItems"].as_object().unwrap().values();
    tables.map(|writes| writes.as_array().unwrap().len()).sum()
}

fn sizes(canned: &Canned) -> Vec<usize> {
    let mut sizes: Vec<_> = canned.requests().iter().map(size).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

fn users(n: u32) -> Vec<User> {
    (0..n).map(|n| user(n, n)).collect()
}

async fn ids(db: &Dynamo) -> Outcome<Vec<u32>> {
    let users = User::scan().consistent().all(db).await?;
    let mut ids: Vec<u32> = users.iter().map(|user| user.age).collect();
    ids.sort_unstable();
    Ok(ids)
}

#[tokio::test]
async fn a_batch_writes_several_entities_and_tables() -> Outcome {
    let db = db::<Typed>().await;
    Plain::create_table(&db).await?;
    store(&db, &[cat(1, 9), cat(2, 9)]).await?;
    store(&db, &[order("u", 1)]).await?;
    let kept = Cat::key("c2", 2)?;
    BatchWrite::new()
        .puts(&users(30))
        .put(&order("u", 2))
        .put(&dog(7))
        .put(&cat(3, 1))
        .delete(Cat::key("c1", 1))
        .deletes([Order::key("u", 1)?])
        .send(&db)
        .await?;
    assert_eq!(ids(&db).await?, (0..30).collect::<Vec<_>>());
    let (first, second) = TransactGet::new((Order::key("u", 1), Order::key("u", 2)))
        .send(&db)
        .await?;
    assert_eq!((first, second), (None, Some(order("u", 2))));
    let cats = BatchGet::new([Cat::key("c1", 1)?, kept, Cat::key("c3", 3)?]);
    assert_eq!(
        cats.send(&db).await?,
        [None, Some(cat(2, 9)), Some(cat(3, 1))]
    );
    assert_eq!(Dog::get("d7", 7).send(&db).await?, Some(dog(7)));
    Ok(())
}

#[tokio::test]
async fn a_put_replaces_the_stored_item() -> Outcome {
    let db = db::<Typed>().await;
    store(&db, &[user("a", 1)]).await?;
    BatchWrite::new().put(&user("a", 2)).send(&db).await?;
    assert_eq!(User::get("a").send(&db).await?, Some(user("a", 2)));
    Ok(())
}

#[tokio::test]
async fn a_repeated_item_is_refused_before_any_request() {
    let canned = Canned::new(|_, request| answer(request, 25));
    let db = canned.db();
    let twice = [
        BatchWrite::new().put(&user("a", 1)).put(&user("a", 2)),
        BatchWrite::new().puts(&users(60)).delete(User::key("7")),
        BatchWrite::new().deletes(["a", "b", "a"].map(User::key)),
    ];
    let keys = ["USER#a/PROFILE", "USER#7/PROFILE", "USER#a/PROFILE"];
    for (batch, key) in twice.into_iter().zip(keys) {
        let error = batch.send(&db).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::SameItem { .. }));
        assert_eq!((error.entity(), error.key_text()), ("User", Some(key)));
    }
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn equal_keys_in_two_tables_or_of_two_types_are_different_items() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, 25));
    let batch = BatchWrite::new();
    let batch = batch.put(&cat(1, 9)).put(&dog(1)).delete(User::key("1"));
    batch
        .put(&order("1", 1))
        .put(&order("1", 11))
        .send(&canned.db())
        .await?;
    assert_eq!(sizes(&canned), [5]);
    Ok(())
}

#[tokio::test]
async fn an_invalid_key_fails_before_any_request() {
    let canned = Canned::new(|_, request| answer(request, 25));
    let batch = BatchWrite::new().puts(&users(60));
    let error = batch
        .delete(User::key(""))
        .send(&canned.db())
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)));
    let batch = BatchWrite::new().put(&user("", 1));
    let error = batch.load(users(60)).send(&canned.db()).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)));
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn an_empty_batch_sends_no_request() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, 25));
    BatchWrite::new().send(&canned.db()).await?;
    BatchWrite::new().load(users(0)).send(&canned.db()).await?;
    assert!(canned.requests().is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn twenty_five_items_are_one_request() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, 25));
    let deletes = (100..141).map(|n: u32| User::key(n.to_string()));
    let batch = BatchWrite::new().puts(&users(60));
    batch.deletes(deletes).send(&canned.db()).await?;
    assert_eq!(sizes(&canned), [25, 25, 25, 25, 1]);
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = Typed, entity_type = "BLOB", former)]
#[pk("BLOB#<id>")]
#[sk("BLOB")]
struct Blob {
    id: u32,
    text: String,
}

#[tokio::test(start_paused = true)]
async fn a_request_has_at_most_sixteen_megabytes() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, 25));
    // 390 KB each, and six times that as JSON, which writes a control character as `\u0001`.
    let text = "\u{1}".repeat(390 * 1024);
    let blobs = (0..13).map(|id| Blob {
        id,
        text: text.clone(),
    });
    BatchWrite::new().load(blobs).send(&canned.db()).await?;
    assert_eq!(sizes(&canned), [6, 6, 1]);
    let bodies = canned.requests();
    assert!(bodies.iter().all(|it| it.to_string().len() <= 16 << 20));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn only_unprocessed_items_are_sent_again() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, size(request).div_ceil(3)));
    let batch = BatchWrite::new().puts(&users(12));
    batch
        .deletes([Cat::key("c1", 1)?])
        .send(&canned.db())
        .await?;
    let requests = canned.requests();
    let sizes: Vec<_> = requests.iter().map(size).collect();
    assert_eq!(sizes, [13, 7, 4, 2, 1]);
    // Each time those after the first third, as they were.
    let of = |n: usize| requests[n]["RequestItems"]["Typed"].as_array().unwrap();
    assert_eq!(of(1)[..], of(0)[5..]);
    assert_eq!(of(2)[..], of(1)[3..]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_throttled_request_is_sent_again() -> Outcome {
    let canned = Canned::new(|n, request| match n % 2 {
        0 => refusal("ProvisionedThroughputExceededException", Value::Null),
        _ => answer(request, 2),
    });
    BatchWrite::new().puts(&users(6)).send(&canned.db()).await?;
    assert_eq!(sizes(&canned), [6, 6, 4, 4, 2, 2]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_unknown_unprocessed_item_sends_the_whole_request_again() -> Outcome {
    let canned = Canned::new(|n, request| match n {
        0 => {
            let other = json!({ "PutRequest": { "Item": { "PK": { "S": "?" } } } });
            (200, json!({ "UnprocessedItems": { "Typed": [other] } }))
        }
        _ => answer(request, 25),
    });
    BatchWrite::new().puts(&users(3)).send(&canned.db()).await?;
    assert_eq!(sizes(&canned), [3, 3]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn unwritten_items_are_returned_and_can_be_written_again() -> Outcome {
    // Three items of each table, then none, for eight attempts.
    let canned = Canned::new(|n, request| match n {
        0 => answer(request, 3),
        1..8 => answer(request, 0),
        _ => answer(request, 25),
    });
    let db = canned.db();
    let batch = BatchWrite::new().puts(&users(5)).put(&cat(1, 9));
    let error = batch.delete(User::key("x")).send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Unwritten { items: 3 });
    assert_eq!(
        error.to_string(),
        "batch write User: 3 items remained unwritten after all retries; write those of \
         `into_unwritten` again"
    );
    assert_eq!(canned.requests().len(), 8);
    let unwritten = error.into_unwritten();
    let keys: Vec<_> = unwritten.iter().map(|it| it.key_text()).collect();
    assert_eq!(keys, ["USER#3/PROFILE", "USER#4/PROFILE", "USER#x/PROFILE"]);
    assert_eq!(unwritten[0].item::<User>()?, Some(user(3, 3)));
    assert_eq!(unwritten[2].item::<User>()?, None);

    BatchWrite::new().again(unwritten.clone()).send(&db).await?;
    let requests = canned.requests();
    assert_eq!(requests[8]["RequestItems"], requests[7]["RequestItems"]);

    let twice = unwritten.iter().chain(&unwritten).cloned();
    let error = BatchWrite::new().again(twice).send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SameItem { .. }));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn no_request_starts_after_the_retries_of_another_end() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, 0));
    let batch = BatchWrite::new().concurrency(2);
    let error = batch
        .puts(&users(200))
        .send(&canned.db())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Unwritten { items: 200 });
    assert_eq!(canned.requests().len(), 2 * 8);
    assert_eq!(error.unwritten().len(), 200);

    let mut more = users(300).into_iter();
    let batch = BatchWrite::new().concurrency(2);
    let batch = batch.delete(User::key("x"));
    let error = batch.load(&mut more).send(&canned.db()).await.unwrap_err();
    // 50 at hand, of which one was there before; all others are still where they were.
    assert_eq!(error.unwritten().len(), 50);
    assert_eq!(more.next(), Some(user(49, 49)));
    Ok(())
}

#[tokio::test]
async fn a_broken_connection_returns_all_unwritten_items() -> Outcome {
    for fault in [Fault::NotSent, Fault::AnswerLost] {
        let own = db::<Typed>().await;
        let breaks = move |n, _: &_| if n == 2 { fault } else { Fault::None };
        let (db, faulty) = own.faulty(RetryConfig::disabled(), breaks);
        let batch = BatchWrite::new().concurrency(1).puts(&users(110));
        let error = batch.send(&db).await.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Network);
        // Two requests came through; no fourth was begun.
        assert_eq!(faulty.requests().len(), 3);
        let unwritten = error.into_unwritten();
        assert_eq!(unwritten.len(), 60);
        if fault == Fault::NotSent {
            assert_eq!(ids(&own).await?, (0..50).collect::<Vec<_>>());
        }
        BatchWrite::new().again(unwritten).send(&db).await?;
        assert_eq!(ids(&own).await?, (0..110).collect::<Vec<_>>());
    }
    Ok(())
}

#[tokio::test]
async fn puts_before_a_load_are_returned_as_unwritten() -> Outcome {
    let own = db::<Typed>().await;
    let (db, _) = own.faulty(RetryConfig::disabled(), |_, _| Fault::NotSent);
    let mut more = (100..200).map(|n| user(n, n));
    let batch = BatchWrite::new().concurrency(1).puts(&users(60));
    let error = batch.load(&mut more).send(&db).await.unwrap_err();
    assert_eq!(error.into_unwritten().len(), 60);
    assert_eq!(more.next(), Some(user(100, 100)));
    Ok(())
}

#[tokio::test]
async fn a_repeated_item_ends_a_load() -> Outcome {
    let db = db::<Typed>().await;
    let mut given = users(30).into_iter().chain([user(29, 1), user(99, 99)]);
    let error = BatchWrite::new()
        .load(&mut given)
        .send(&db)
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SameItem { .. }));
    assert_eq!(error.key_text(), Some("USER#29/PROFILE"));
    assert_eq!(ids(&db).await?, (0..30).collect::<Vec<_>>());
    assert_eq!(given.next(), Some(user(99, 99)));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn progress_counts_items_and_leftovers() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, 20));
    let mut seen = Vec::new();
    let batch = BatchWrite::new().concurrency(1).puts(&users(60));
    batch
        .on_progress(|progress| seen.push(progress))
        .send(&canned.db())
        .await?;
    let progress = |written, left_over| Progress { written, left_over };
    assert_eq!(seen, [progress(25, 5), progress(50, 10), progress(60, 10)]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn concurrency_limits_the_requests_in_flight() -> Outcome {
    for (given, expected) in [
        (None, 4),
        (Some(1), 1),
        (Some(7), 7),
        (Some(0), 1),
        (Some(50), 10),
    ] {
        let canned = Canned::new(|_, request| answer(request, 25));
        let mut batch = BatchWrite::new();
        if let Some(requests) = given {
            batch = batch.concurrency(requests);
        }
        batch.load(users(250)).send(&canned.db()).await?;
        assert_eq!(canned.requests().len(), 10);
        assert_eq!(canned.most_under_way(), expected);
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn requests_in_flight_finish_when_one_fails() -> Outcome {
    let canned = Canned::new(|n, request| match n {
        0 => refusal("AccessDeniedException", Value::Null),
        _ => answer(request, 25),
    });
    let batch = BatchWrite::new().concurrency(3);
    let error = batch
        .puts(&users(200))
        .send(&canned.db())
        .await
        .unwrap_err();
    assert!(error.is_access_denied());
    assert_eq!(canned.requests().len(), 3);
    assert_eq!(error.unwritten().len(), 150);
    Ok(())
}

#[tokio::test]
async fn a_missing_table_is_named_in_the_error() {
    let db = support::bare();
    let error = BatchWrite::new()
        .put(&user("a", 1))
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_missing_table(), "{error}");
    assert_eq!(error.unwritten().len(), 1);
}

#[tokio::test]
async fn the_future_is_send() -> Outcome {
    let db = db::<Typed>().await;
    let users = users(3);
    assert_send(BatchWrite::new().puts(&users).send(&db)).await?;
    let written = Arc::new(Mutex::new(0));
    let count = written.clone();
    let batch = BatchWrite::new();
    let batch = batch.on_progress(move |progress| *count.lock().unwrap() = progress.written);
    assert_send(batch.load(users)).send(&db).await?;
    assert_eq!(*written.lock().unwrap(), 3);
    Ok(())
}
