//! Batch gets: order, unprocessed keys, partial reads, and failures.

use super::assert_send;
use super::canned::{Canned, no_answer, refusal};
use super::model::*;
use super::support::{self, Outcome, db, store};
use dynamo_model::batch::BatchRead;
use dynamo_model::{BatchGet, Dynamo, ErrorKind};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::error::Error as _;

const TABLE: &str = "Typed";

fn ids(users: &[Option<User>]) -> Vec<Option<&str>> {
    users
        .iter()
        .map(|user| user.as_ref().map(|user| user.user_id.as_str()))
        .collect()
}

/// Returns the keys of a request, in order.
fn keys(request: &Value) -> &Vec<Value> {
    request["RequestItems"][TABLE]["Keys"].as_array().unwrap()
}

fn user_json(key: &Value) -> Value {
    let id = key["PK"]["S"].as_str().unwrap().replace("USER#", "");
    json!({
        "PK": key["PK"], "SK": key["SK"], "type": { "S": "USER" },
        "user_id": { "S": id }, "age": { "N": "20" },
    })
}

/// Reads the first `read` keys and leaves the others.
fn answer(request: &Value, read: usize) -> (u16, Value) {
    let keys = keys(request);
    let (read, unread) = keys.split_at(read.min(keys.len()));
    // DynamoDB promises no order.
    let items: Vec<Value> = read.iter().rev().map(user_json).collect();
    let unprocessed = match unread {
        [] => json!({}),
        unread => json!({ TABLE: { "Keys": unread } }),
    };
    (
        200,
        json!({ "Responses": { TABLE: items }, "UnprocessedKeys": unprocessed }),
    )
}

#[tokio::test]
async fn items_are_returned_in_the_order_of_the_keys() -> Outcome {
    let db = db::<Typed>().await;
    let users: Vec<User> = (0..250).map(|n| user(n, n)).collect();
    store(&db, &users).await?;

    let asked: Vec<u32> = (0..300).rev().collect();
    let found = BatchGet::new(asked.iter().map(|n| User::key(n.to_string())))
        .consistent()
        .send(&db)
        .await?;
    assert_eq!(found.len(), 300);
    for (n, found) in asked.iter().zip(&found) {
        let expected = (*n < 250).then(|| user(n, *n));
        assert_eq!(*found, expected);
    }
    Ok(())
}

#[tokio::test]
async fn a_repeated_key_returns_its_item_twice() -> Outcome {
    let db = db::<Typed>().await;
    store(&db, &[user("a", 1), user("b", 2)]).await?;
    let asked = ["b", "a", "x", "b", "x", "b"].map(User::key);
    let found = BatchGet::new(asked).send(&db).await?;
    let (a, b) = (Some("a"), Some("b"));
    assert_eq!(ids(&found), [b, a, None, b, None, b]);
    Ok(())
}

#[tokio::test]
async fn keys_are_taken_built_borrowed_or_as_results() -> Outcome {
    let db = db::<Plain>().await;
    store(&db, &[cat(-3, 9), cat(10, 1)]).await?;
    let built = [Cat::key("c-3", -3)?, Cat::key("c10", 10)?];
    let borrowed = BatchGet::new(&built).send(&db).await?;
    assert_eq!(borrowed, [Some(cat(-3, 9)), Some(cat(10, 1))]);
    assert_eq!(BatchGet::new(built).send(&db).await?, borrowed);
    Ok(())
}

#[tokio::test]
async fn an_invalid_key_fails_before_any_request() {
    let canned = Canned::new(|_, request| answer(request, 100));
    let asked = ["a", "", "b"].map(User::key);
    let error = BatchGet::new(asked).send(&canned.db()).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(key) if key.field() == Some("user_id")));
    assert_eq!(
        error.to_string(),
        "batch get User: the key could not be built"
    );
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn an_empty_list_of_keys_sends_no_request() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, 100));
    let none: [dynamo_model::Key<User>; 0] = [];
    assert!(BatchGet::new(none).send(&canned.db()).await?.is_empty());
    assert!(canned.requests().is_empty());
    Ok(())
}

#[tokio::test]
async fn a_hundred_keys_are_one_request() -> Outcome {
    let canned = Canned::new(|_, request| answer(request, 100));
    let asked = (0..201)
        .chain(0..201)
        .map(|n: u32| User::key(n.to_string()));
    let found = BatchGet::new(asked).consistent().send(&canned.db()).await?;
    assert_eq!(found.iter().flatten().count(), 402);
    let requests = canned.requests();
    let mut sizes: Vec<usize> = requests.iter().map(|request| keys(request).len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 100, 100]);
    assert_eq!(requests[0]["RequestItems"][TABLE]["ConsistentRead"], true);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn unprocessed_keys_are_requested_again() -> Outcome {
    // Half of the requested keys, each time.
    let canned = Canned::new(|_, request| answer(request, keys(request).len().div_ceil(2)));
    let asked: Vec<String> = (0..80).map(|n| n.to_string()).collect();
    let found = BatchGet::new(asked.iter().map(User::key))
        .send(&canned.db())
        .await?;
    let expected: Vec<_> = asked.iter().map(|id| Some(id.as_str())).collect();
    assert_eq!(ids(&found), expected);
    let sizes: Vec<usize> = canned.requests().iter().map(|r| keys(r).len()).collect();
    assert_eq!(sizes, [80, 40, 20, 10, 5, 2, 1]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn keys_unprocessed_after_all_retries_are_listed_in_the_error() {
    let started = tokio::time::Instant::now();
    let canned = Canned::new(|n, request| answer(request, if n == 0 { 1 } else { 0 }));
    let asked = ["a", "b", "c"].map(User::key);
    let error = BatchGet::new(asked).send(&canned.db()).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Unprocessed { keys: 2 });
    assert_eq!(
        error.to_string(),
        "batch get User: 2 keys remained unread after all retries; read them again"
    );
    let source = error.source().unwrap().to_string();
    assert_eq!(source, "unread: USER#b/PROFILE, USER#c/PROFILE");
    assert_eq!(canned.requests().len(), 8);
    // Seven waits, of 50 ms at most, then 100 ms, … 3.2 s.
    assert!(started.elapsed().as_millis() < 6_500, "{started:?}");
}

#[tokio::test(start_paused = true)]
async fn retries_wait_for_random_times() {
    let mut waited = HashSet::new();
    for _ in 0..5 {
        let started = tokio::time::Instant::now();
        let canned = Canned::new(|_, request| answer(request, 0));
        let error = BatchGet::new([User::key("a")]).send(&canned.db()).await;
        assert!(error.is_err());
        waited.insert(started.elapsed());
    }
    assert!(waited.len() > 1, "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn concurrency_limits_the_requests_in_flight() -> Outcome {
    async fn most(read: impl AsyncFnOnce(Dynamo) -> Outcome) -> Outcome<usize> {
        let canned = Canned::new(|_, request| answer(request, 100));
        read(canned.db()).await?;
        assert_eq!(canned.requests().len(), 10);
        Ok(canned.most_under_way())
    }
    let asked = || (0..1000).map(|n| User::key(n.to_string()));
    let unless_said = most(async |db| {
        assert_eq!(BatchGet::new(asked()).send(&db).await?.len(), 1000);
        Ok(())
    });
    assert_eq!(unless_said.await?, 4);
    for (given, expected) in [(1, 1), (7, 7), (0, 1), (50, 10)] {
        let said = most(async |db| {
            BatchGet::new(asked()).concurrency(given).send(&db).await?;
            Ok(())
        });
        assert_eq!(said.await?, expected);
    }
    Ok(())
}

#[tokio::test]
async fn a_refused_request_reports_the_items_already_read() {
    let canned = Canned::new(|_, _| refusal("ProvisionedThroughputExceededException", Value::Null));
    let error = BatchGet::new([User::key("a")]).send(&canned.db()).await;
    let error = error.unwrap_err();
    assert!(error.is_throttled());
    assert_eq!(error.entity(), "User");

    let db = support::bare();
    let error = BatchGet::new([User::key("a")]).send(&db).await.unwrap_err();
    assert!(error.is_missing_table(), "{error}");
}

#[tokio::test]
async fn an_item_of_another_entity_is_named_in_the_error() -> Outcome {
    let db = db::<Typed>().await;
    store(&db, &[user("a", 1)]).await?;
    let broken =
        json!({ "PK": "USER#b", "SK": "PROFILE", "type": "USER", "user_id": "b", "age": "x" });
    support::put_json::<Typed>(&db, broken).await?;
    let error = BatchGet::new(["a", "b"].map(User::key)).send(&db).await;
    let error = error.unwrap_err();
    assert_eq!(error.key_text(), Some("USER#b/PROFILE"));
    assert_eq!(error.kind(), &ErrorKind::Decode { path: "age".into() });
    Ok(())
}

#[tokio::test]
async fn the_future_is_send() -> Outcome {
    let db = db::<Typed>().await;
    let read = assert_send(BatchGet::new([User::key("a")]).send(&db));
    assert_eq!(read.await?, [None]);
    Ok(())
}

fn shown<E>(keys: &[dynamo_model::Key<E>]) -> Vec<String> {
    keys.iter().map(ToString::to_string).collect()
}

/// Returns which of these keys were read, by their numbers.
fn numbers(batch: &BatchRead<User>) -> Vec<u32> {
    let users = batch.items.iter().flat_map(|(_, user)| user);
    users.map(|user| user.user_id.parse().unwrap()).collect()
}

#[tokio::test]
async fn a_complete_partial_read_has_no_errors() -> Outcome {
    let db = db::<Typed>().await;
    store(&db, &[user("a", 1), user("b", 2)]).await?;
    let asked = ["b", "x", "a", "b"].map(User::key);
    let batch = BatchGet::new(asked.clone()).send_partial(&db).await?;
    let (keys, users): (Vec<_>, Vec<_>) = batch.items.into_iter().unzip();
    assert_eq!(keys, asked.into_iter().collect::<Result<Vec<_>, _>>()?);
    assert_eq!(ids(&users), [Some("b"), None, Some("a"), Some("b")]);
    assert!(batch.unread.is_empty() && batch.errors.is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_partial_read_returns_items_and_remaining_keys() -> Outcome {
    // Of the first request two, and afterwards none until the batch is sent again.
    let read = |n| if (1..8).contains(&n) { 0 } else { 2 };
    let canned = Canned::new(move |n, request| answer(request, read(n)));
    let asked = ["1", "2", "3", "4", "3"].map(User::key);
    let batch = BatchGet::new(asked).send_partial(&canned.db()).await?;
    assert_eq!(numbers(&batch), [1, 2]);
    assert_eq!(shown(&batch.unread), ["USER#3/PROFILE", "USER#4/PROFILE"]);
    let [error] = &batch.errors[..] else {
        panic!("{:?}", batch.errors)
    };
    assert_eq!(error.kind(), &ErrorKind::Unprocessed { keys: 2 });

    let rest = BatchGet::new(&batch.unread)
        .send_partial(&canned.db())
        .await?;
    assert_eq!(numbers(&rest), [3, 4]);
    assert!(rest.unread.is_empty() && rest.errors.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_failed_request_does_not_cancel_the_others() -> Outcome {
    for (concurrency, failure) in [(1, no_answer()), (4, no_answer()), (4, throttled())] {
        let canned = Canned::new(move |_, request| {
            let second = keys(request).iter().any(|key| key["PK"]["S"] == "USER#150");
            if second {
                failure.clone()
            } else {
                answer(request, 100)
            }
        });
        let asked = || (0..350).map(|n: u32| User::key(n.to_string()));
        let batch = BatchGet::new(asked()).concurrency(concurrency);
        let batch = batch.send_partial(&canned.db()).await?;
        assert_eq!(
            numbers(&batch),
            (0..100).chain(200..350).collect::<Vec<_>>()
        );
        let unread: Vec<_> = (100..200).map(|n| format!("USER#{n}/PROFILE")).collect();
        assert_eq!(shown(&batch.unread), unread);
        let [error] = &batch.errors[..] else {
            panic!("{:?}", batch.errors)
        };
        let kind = error.kind();
        assert!(
            matches!(kind, ErrorKind::Network | ErrorKind::Throttled),
            "{kind:?}"
        );

        // `send` fails with the same error.
        let error = BatchGet::new(asked()).send(&canned.db()).await.unwrap_err();
        assert_eq!(error.kind(), kind);
    }
    Ok(())
}

fn throttled() -> (u16, Value) {
    refusal("ProvisionedThroughputExceededException", Value::Null)
}

#[tokio::test]
async fn send_stops_at_the_first_failure() {
    let canned = Canned::new(|_, _| no_answer());
    let asked = (0..1000).map(|n: u32| User::key(n.to_string()));
    let read = BatchGet::new(asked).concurrency(1).send(&canned.db()).await;
    assert_eq!(read.unwrap_err().kind(), &ErrorKind::Network);
    assert_eq!(canned.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn items_read_before_a_failed_retry_are_kept() -> Outcome {
    let canned = Canned::new(|n, request| {
        if n == 0 {
            answer(request, 2)
        } else {
            no_answer()
        }
    });
    let asked = ["1", "2", "3"].map(User::key);
    let batch = BatchGet::new(asked).send_partial(&canned.db()).await?;
    assert_eq!(numbers(&batch), [1, 2]);
    assert_eq!(shown(&batch.unread), ["USER#3/PROFILE"]);
    assert_eq!(batch.errors[0].kind(), &ErrorKind::Network);
    assert_eq!(canned.requests().len(), 2);
    Ok(())
}

#[tokio::test]
async fn each_returns_an_error_for_an_unreadable_item() -> Outcome {
    let db = db::<Typed>().await;
    store(&db, &[user("1", 1), user("3", 1)]).await?;
    let broken =
        json!({ "PK": "USER#2", "SK": "PROFILE", "type": "USER", "user_id": "2", "age": "x" });
    support::put_json::<Typed>(&db, broken).await?;
    let asked = ["1", "2", "3"].map(User::key);
    let batch = assert_send(BatchGet::new(asked).send_partial(&db)).await?;
    assert_eq!(numbers(&batch), [1, 3]);
    assert!(batch.unread.is_empty());
    assert_eq!(
        batch.errors[0].to_string(),
        "batch get User USER#2/PROFILE: age: expected N, found S; change the item, or the type \
         that reads it"
    );
    Ok(())
}

#[tokio::test]
async fn a_partial_read_with_an_invalid_key_sends_nothing() {
    let canned = Canned::new(|_, request| answer(request, 100));
    let asked = ["a", ""].map(User::key);
    let read = BatchGet::new(asked).send_partial(&canned.db()).await;
    assert!(matches!(read.unwrap_err().kind(), ErrorKind::Key(_)));
    assert!(canned.requests().is_empty());
}
