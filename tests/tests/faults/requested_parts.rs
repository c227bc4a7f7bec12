//! Optional parts of responses that requests ask for: consumed capacity, and the item on which a
//! condition failed.

use super::script::{Script, ScriptedResponse};
use super::support::trace::{Recorder, alone};
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, BatchWrite, Dynamo, DynamoEntity, DynamoTable, Entity, Error, Transaction,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(DynamoTable)]
#[table(name = "Users", pk = "PK")]
struct Users;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Users)]
#[pk("USER#<id>")]
struct User {
    id: String,
    name: String,
}

fn user() -> User {
    User {
        id: "u1".into(),
        name: "太郎".into(),
    }
}

/// Every operation once.
async fn all(db: &Dynamo) -> Result<(), Error> {
    User::get("u1").send(db).await?;
    User::query("u1").all(db).await?;
    User::scan().all(db).await?;
    BatchGet::new([User::key("u1")]).send_partial(db).await?;
    TransactGet::new((User::key("u1"),)).send(db).await?;
    user().put().send(db).await?;
    User::update("u1").set(|it| it.name(), "x").send(db).await?;
    User::delete("u1").send(db).await?;
    BatchWrite::new().put(&user()).send(db).await?;
    Transaction::new().add(user().put()).send(db).await
}

/// Returns the bodies of the requests.
async fn bodies(
    is_typed: bool,
    change: impl FnOnce(Dynamo) -> Dynamo,
    calls: impl AsyncFnOnce(&Dynamo) -> Result<(), Error>,
) -> Vec<Value> {
    let script = Script::of(vec![ScriptedResponse::Whole(200, "{}".into())]);
    calls(&change(script.db(is_typed))).await.unwrap();
    script.asked().into_iter().map(|(_, body)| body).collect()
}

fn asks_capacity(body: &Value) -> bool {
    body["ReturnConsumedCapacity"] == "TOTAL"
}

#[tokio::test]
async fn capacity_is_not_requested_without_a_consumer() {
    if !alone("requested_parts::capacity_is_not_requested_without_a_consumer") {
        return;
    }
    for is_typed in [false, true] {
        let bodies = bodies(is_typed, |db| db, all).await;
        assert_eq!(bodies.len(), 10);
        for body in bodies {
            assert!(!asks_capacity(&body), "{body}");
        }
    }
    let recorder = Recorder::default();
    let guard = tracing::subscriber::set_default(recorder.clone());
    for is_typed in [false, true] {
        for body in bodies(is_typed, |db| db, all).await {
            assert!(asks_capacity(&body), "{body}");
        }
    }
    drop(guard);
    // A span a request, and no other.
    let transactions = "operation=\"transaction\"";
    assert_eq!(recorder.text().matches(transactions).count(), 2);
}

#[tokio::test]
async fn with_consumed_capacity_requests_it_always() {
    for is_typed in [false, true] {
        for body in bodies(is_typed, Dynamo::with_consumed_capacity, all).await {
            assert!(asks_capacity(&body), "{body}");
        }
    }
}

#[tokio::test]
async fn a_page_requests_its_consumed_capacity() {
    for is_typed in [false, true] {
        let pages = bodies(
            is_typed,
            |db| db,
            async |db| {
                User::query("u1").page(db).await?;
                User::scan().page(db).await.map(drop)
            },
        );
        for body in pages.await {
            assert!(asks_capacity(&body), "{body}");
        }
    }
}

#[tokio::test]
async fn the_old_item_is_requested_only_if_a_failed_condition_can_return_one() {
    for is_typed in [false, true] {
        let asked = bodies(
            is_typed,
            |db| db,
            async |db| {
                let update = || User::update("u1").set(|it| it.name(), "x");
                // It can only fail without an item.
                update().send(db).await?;
                update().condition(|it| it.name().eq("y")).send(db).await?;
                user().create().send(db).await
            },
        );
        let old = |body: &Value| body["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD";
        let asked: Vec<bool> = asked.await.iter().map(old).collect();
        assert_eq!(asked, [false, true, true]);
    }
}
