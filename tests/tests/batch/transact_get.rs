//! Transactional gets.

use super::assert_send;
use super::canned::{Canned, refusal};
use super::model::*;
use super::support::{self, Outcome, db, store};
use dynamo_model::transaction::TransactGet;
use dynamo_model::{Dynamo, ErrorKind};
use serde_json::{Value, json};

#[tokio::test]
async fn a_tuple_of_keys_returns_a_tuple_of_items() -> Outcome {
    let db = db::<Typed>().await;
    store(&db, &[user("u1", 30)]).await?;
    store(&db, &[order("u1", 7)]).await?;
    let key = User::key("u1")?;
    let read = assert_send(TransactGet::new((
        &key,
        Order::key("u1", 7),
        Order::key("u1", 8),
    )));
    assert_eq!(
        read.send(&db).await?,
        (Some(user("u1", 30)), Some(order("u1", 7)), None)
    );
    let (same,) = TransactGet::new((key,)).send(&db).await?;
    assert_eq!(same, Some(user("u1", 30)));
    Ok(())
}

#[tokio::test]
async fn twelve_keys_of_two_tables_are_read_together() -> Outcome {
    let db = db::<Typed>().await;
    <Plain as dynamo_model::Table>::create_table(&db).await?;
    store(&db, &[user("u1", 30)]).await?;
    store(&db, &[cat(1, 9)]).await?;
    let (user, .., cat) = TransactGet::new((
        User::key("u1"),
        Order::key("u1", 1),
        Order::key("u1", 2),
        Order::key("u1", 3),
        Order::key("u1", 4),
        Order::key("u1", 5),
        Order::key("u1", 6),
        Order::key("u1", 7),
        Order::key("u1", 8),
        Order::key("u1", 9),
        Dog::key("d1", 1),
        Cat::key("c1", 1),
    ))
    .send(&db)
    .await?;
    assert_eq!((user.unwrap().age, cat.unwrap().lives), (30, 9));
    Ok(())
}

#[tokio::test]
async fn a_repeated_key_is_requested_once() -> Outcome {
    let db = db::<Typed>().await;
    store(&db, &[user("a", 1), user("b", 2)]).await?;
    let keys = (User::key("a"), User::key("b"), User::key("a"));
    let found = TransactGet::new(keys).send(&db).await?;
    let (a, b) = (Some(user("a", 1)), Some(user("b", 2)));
    assert_eq!((&found.0, &found.1, &found.2), (&a, &b, &a));

    let found = TransactGet::all(["b", "x", "a", "b"].map(User::key));
    let found = assert_send(found).send(&db).await?;
    assert_eq!(found, [Some(user("b", 2)), None, a, b]);
    Ok(())
}

#[tokio::test]
async fn a_hundred_items_are_read() -> Outcome {
    if support::skip("a transaction of over 25 reads") {
        return Ok(());
    }
    let db = db::<Typed>().await;
    store(&db, &[user(99, 1)]).await?;
    let keys = |n: u32| (0..n).map(|n| User::key(n.to_string()));
    let found = TransactGet::all(keys(100).chain(keys(50)))
        .send(&db)
        .await?;
    assert_eq!(found.len(), 150);
    assert_eq!(found[99], Some(user(99, 1)));
    Ok(())
}

#[tokio::test]
async fn more_than_a_hundred_items_are_refused_before_any_request() -> Outcome {
    let keys = |n: u32| (0..n).map(|n| User::key(n.to_string()));
    let canned = Canned::new(|_, _| (200, json!({})));
    let error = TransactGet::all(keys(101))
        .send(&canned.db())
        .await
        .unwrap_err();
    assert_eq!(
        error.kind(),
        &ErrorKind::TooMany {
            keys: 101,
            max: 100
        }
    );
    assert_eq!(
        error.to_string(),
        "transact get User: 101 items exceed DynamoDB's limit of 100 in one transaction; use a \
         batch, or several transactions"
    );
    let db = canned.db();
    let error = TransactGet::new((User::key("a"), Order::key("", 1)))
        .send(&db)
        .await;
    let error = error.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)));
    assert_eq!(error.entity(), "Order");
    let none: Vec<dynamo_model::Key<User>> = Vec::new();
    assert!(TransactGet::all(none).send(&canned.db()).await?.is_empty());
    assert!(canned.requests().is_empty());
    Ok(())
}

fn cancelled(reasons: &'static [&'static str]) -> Dynamo {
    let answer = move |_, _: &Value| {
        let reasons: Vec<Value> = reasons.iter().map(|code| json!({ "Code": code })).collect();
        refusal(
            "TransactionCanceledException",
            json!({ "Message": "cancelled", "CancellationReasons": reasons }),
        )
    };
    Canned::new(answer).db()
}

#[tokio::test]
async fn a_cancelled_transaction_names_the_item_and_the_reason() {
    let db = cancelled(&["None", "TransactionConflict"]);
    let error = TransactGet::new((User::key("a"), Order::key("a", 7)));
    let error = error.send(&db).await.unwrap_err();
    assert_eq!(
        (error.entity(), error.key_text()),
        ("Order", Some("USER#a/ORDER#000007"))
    );
    let code = "TransactionConflict".into();
    assert_eq!(error.kind(), &ErrorKind::Service { code });

    let db = cancelled(&["ProvisionedThroughputExceeded"]);
    let error = TransactGet::new((User::key("a"),))
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_throttled(), "{error}");

    let error = TransactGet::new((User::key("a"),))
        .send(&support::bare())
        .await;
    assert!(error.unwrap_err().is_missing_table());
}

#[tokio::test]
async fn an_item_of_another_entity_is_named_in_the_error() -> Outcome {
    let db = db::<Typed>().await;
    let other = json!({ "PK": "USER#b", "SK": "PROFILE", "type": "ORDER" });
    support::put_json::<Typed>(&db, other).await?;
    let error = TransactGet::new((User::key("b"),))
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_decode());
    assert_eq!(error.key_text(), Some("USER#b/PROFILE"));
    Ok(())
}
