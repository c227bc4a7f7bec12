//! What is never sent.

use super::canned::Canned;
use super::members::{member, visit};
use super::model::*;
use super::support::{Outcome, db};
use dynamo_model::{Dynamo, DynamoEntity, Entity, ErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::json;

fn nothing_is_sent() -> (Dynamo, Canned) {
    let canned = Canned::new(|_, _| (200, json!({})));
    (canned.db(), canned)
}

#[tokio::test]
async fn two_operations_on_one_item_are_refused() {
    let (db, canned) = nothing_is_sent();
    let ann = user("ann", 30);
    let older = || User::update("ann").add(|user| user.age(), 1_u32);
    let twice = [
        (db.transaction().create(&ann).create(&ann), "create"),
        (db.transaction().put(&ann).update(older()), "put"),
        (
            db.transaction()
                .update(older())
                .update(ann.update().set(|it| it.age(), 1_u32)),
            "update",
        ),
        (db.transaction().delete(&ann).create(&ann), "delete"),
        (
            db.transaction()
                .check_exists(User::key("ann"))
                .update(older()),
            "check",
        ),
        (
            db.transaction()
                .upsert(User::upsert("ann").add(|it| it.age(), 1_u32))
                .delete(&ann),
            "upsert",
        ),
    ];
    for (transaction, other) in twice {
        let transaction = transaction.create(&order("ann", 1));
        let error = transaction.send().await.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::SameItem { other });
        assert_eq!(
            (error.entity(), error.key_text()),
            ("User", Some("USER#ann/PROFILE"))
        );
    }
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn two_items_that_take_the_same_value_are_refused() {
    let (db, canned) = nothing_is_sent();
    let transaction = db.transaction();
    let transaction = transaction
        .create(&member("a", "x"))
        .create(&member("b", "x"));
    let error = transaction.send().await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::SameItem { other: "create" });
    assert_eq!(error.key_text(), Some("MEMBER#b/MEMBER"));
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn more_than_a_hundred_operations_are_refused_with_their_number() {
    let (db, canned) = nothing_is_sent();
    let orders = (0..103).map(|number| order("u", number));
    let transaction = orders.fold(db.transaction(), |it, order| it.create(&order));
    assert_eq!(transaction.len(), 103);
    let error = transaction.send().await.unwrap_err();
    let (keys, max) = (103, 100);
    assert_eq!(error.kind(), &ErrorKind::TooMany { keys, max });
    assert_eq!(
        error.to_string(),
        "transaction Order: 103 items in one transaction, where DynamoDB takes 100; use a batch, or several transactions"
    );

    // Those of unique constraints count.
    let members = (0..51).map(|n| member(&n.to_string(), &n.to_string()));
    let transaction = members.fold(db.transaction(), |it, member| it.create(&member));
    assert_eq!(transaction.len(), 102);
    let error = transaction.send().await.unwrap_err();
    let (keys, max) = (102, 100);
    assert_eq!(error.kind(), &ErrorKind::TooMany { keys, max });
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn a_hundred_operations_are_done() -> Outcome {
    let db = db::<Typed>().await;
    let orders: [Order; 100] = std::array::from_fn(|n| order("u", n as u32));
    let transaction = db.transaction().each(orders, |it, order| it.create(&order));
    transaction.send().await?;
    assert_eq!(Order::query("u").count(&db).await?, 100);
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = Typed, entity_type = "PAGE", former)]
#[pk("PAGE#<id>")]
#[sk("PAGE")]
struct Page {
    id: u32,
    text: String,
}

#[tokio::test]
async fn more_than_four_megabytes_are_refused_with_their_number() {
    let (db, canned) = nothing_is_sent();
    let text = "x".repeat(390 * 1024);
    let page = |id| Page {
        id,
        text: text.clone(),
    };
    let update = |id: u32| Page::update(id).set(|page| page.text(), &text);
    let transactions = [
        (0..11)
            .map(page)
            .fold(db.transaction(), |it, page| it.put(&page)),
        (0..11)
            .map(update)
            .fold(db.transaction(), |it, update| it.update(update)),
    ];
    for transaction in transactions {
        let error = transaction.send().await.unwrap_err();
        let ErrorKind::TooLarge { bytes, max } = *error.kind() else {
            panic!("{error}");
        };
        assert_eq!(max, 4 * 1024 * 1024);
        // The texts, and little else.
        assert!(
            (11 * 390 * 1024..11 * 391 * 1024).contains(&bytes),
            "{bytes}"
        );
    }

    let large = "x".repeat(401 * 1024);
    let update = Page::update(1_u32).set(|page| page.text(), &large);
    let error = update.send(&db).await.unwrap_err();
    let (bytes, max) = ("text".len() + 401 * 1024, 400 * 1024);
    assert_eq!(error.kind(), &ErrorKind::TooLarge { bytes, max });
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn the_first_operation_that_cannot_be_written_is_the_error() {
    let (db, canned) = nothing_is_sent();
    let transaction = db.transaction().create(&visit("a", 1)).create(&user("", 1));
    let transaction = transaction
        .delete(Order::delete("", 1))
        .check_exists(User::key("b"));
    let error = transaction.send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)));
    assert_eq!(error.entity(), "User");
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn no_operations_are_no_request() -> Outcome {
    let (db, canned) = nothing_is_sent();
    assert!(db.transaction().is_empty());
    db.transaction().send().await?;
    assert!(canned.requests().is_empty());
    Ok(())
}
