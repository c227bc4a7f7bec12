//! Transactions that are never sent.

use super::canned::Canned;
use super::members::{member, visit};
use super::model::*;
use super::support::{Outcome, db};
use dynamo_model::batch::IntoKey;
use dynamo_model::{Dynamo, DynamoEntity, Entity, ErrorKind, Transaction};
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
        (
            Transaction::new().add(ann.create()).add(ann.create()),
            "create",
        ),
        (Transaction::new().add(ann.put()).add(older()), "put"),
        (
            Transaction::new()
                .add(older())
                .add(ann.update().set(|it| it.age(), 1_u32)),
            "update",
        ),
        (
            Transaction::new().add(ann.delete()).add(ann.create()),
            "delete",
        ),
        (
            Transaction::new()
                .add(User::key("ann").must_exist())
                .add(older()),
            "check",
        ),
        (
            Transaction::new()
                .add(User::upsert("ann").add(|it| it.age(), 1_u32))
                .add(ann.delete()),
            "upsert",
        ),
    ];
    for (transaction, other) in twice {
        let transaction = transaction.add(order("ann", 1).create());
        let error = transaction.send(&db).await.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::SameItem { other });
        assert_eq!(
            (error.entity(), error.key_text()),
            ("User", Some("USER#ann/PROFILE"))
        );
    }
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn two_items_with_one_unique_value_are_refused() {
    let (db, canned) = nothing_is_sent();
    let transaction = Transaction::new();
    let transaction = transaction
        .add(member("a", "x").create())
        .add(member("b", "x").create());
    let error = transaction.send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::SameItem { other: "create" });
    assert_eq!(error.key_text(), Some("MEMBER#b/MEMBER"));
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn more_than_a_hundred_operations_are_refused_with_their_number() {
    let (db, canned) = nothing_is_sent();
    let orders = (0..103).map(|number| order("u", number));
    let transaction = orders.fold(Transaction::new(), |it, order| it.add(order.create()));
    assert_eq!(transaction.len(), 103);
    let error = transaction.send(&db).await.unwrap_err();
    let (keys, max) = (103, 100);
    assert_eq!(error.kind(), &ErrorKind::TooMany { keys, max });
    assert_eq!(
        error.to_string(),
        "transaction Order: 103 items exceed DynamoDB's limit of 100 in one transaction; use a \
         batch, or several transactions"
    );

    // Those of unique constraints count.
    let members = (0..51).map(|n| member(&n.to_string(), &n.to_string()));
    let transaction = members.fold(Transaction::new(), |it, member| it.add(member.create()));
    assert_eq!(transaction.len(), 51);
    let error = transaction.send(&db).await.unwrap_err();
    let (keys, max) = (102, 100);
    assert_eq!(error.kind(), &ErrorKind::TooMany { keys, max });
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn a_hundred_operations_are_done() -> Outcome {
    let db = db::<Typed>().await;
    let orders: [Order; 100] = std::array::from_fn(|n| order("u", n as u32));
    let transaction = Transaction::new().add_each(orders.map(|order| order.create()));
    transaction.send(&db).await?;
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
            .fold(Transaction::new(), |it, page| it.add(page.put())),
        (0..11)
            .map(update)
            .fold(Transaction::new(), |it, update| it.add(update)),
    ];
    for transaction in transactions {
        let error = transaction.send(&db).await.unwrap_err();
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
async fn the_first_invalid_operation_is_the_error() {
    let (db, canned) = nothing_is_sent();
    let transaction = Transaction::new()
        .add(visit("a", 1).create())
        .add(user("", 1).create());
    let transaction = transaction
        .add(Order::delete("", 1))
        .add(User::key("b").must_exist());
    let error = transaction.send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)));
    assert_eq!(error.entity(), "User");
    assert!(canned.requests().is_empty());
}

#[tokio::test]
async fn an_empty_transaction_sends_no_request() -> Outcome {
    let (db, canned) = nothing_is_sent();
    assert!(Transaction::new().is_empty());
    Transaction::new().send(&db).await?;
    assert!(canned.requests().is_empty());
    Ok(())
}
