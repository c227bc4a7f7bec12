//! Why a transaction was not done, by operation.

use super::canned::{Canned, refusal};
use super::members::*;
use super::model::*;
use super::support::{self, Outcome, db, store};
use dynamo_model::batch::IntoKey;
use dynamo_model::{Dynamo, Entity, ErrorKind, Table, Transaction};
use serde_json::{Value, json};
use std::error::Error as _;

#[tokio::test]
async fn each_cancellation_reason_names_its_operation() -> Outcome {
    let db = db::<Typed>().await;
    store(&db, &[user("a", 1), user("b", 2)]).await?;
    let error = Transaction::new()
        .add(order("a", 1).create())
        .add(
            User::update("b")
                .set(|it| it.age(), 9_u32)
                .condition(|it| it.age().eq(3)),
        )
        .add(Order::key("b", 5).must_not_exist())
        .add(user("a", 7).create())
        .add(User::delete("c").must_exist())
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(
        (error.entity(), error.key_text()),
        ("User", Some("USER#b/PROFILE"))
    );
    assert_eq!(error.item::<User>()?, Some(user("b", 2)));
    assert!(error.source().is_some());
    // Items may be sensitive, and errors appear in logs.
    assert!(!format!("{error:?}").contains("user_id"));

    let others = error.cancellations();
    let kinds: Vec<_> = others.iter().map(|it| it.kind().clone()).collect();
    assert_eq!(kinds, [ErrorKind::AlreadyExists, ErrorKind::NotFound]);
    assert_eq!(others[0].key_text(), Some("USER#a/PROFILE"));
    assert_eq!(others[0].item::<User>()?, Some(user("a", 1)));
    assert_eq!(others[1].key_text(), Some("USER#c/PROFILE"));
    assert_eq!(others[1].item::<User>()?, None);
    assert!(
        others[1]
            .to_string()
            .starts_with("delete User USER#c/PROFILE: the item does not exist")
    );

    // No operation was done.
    assert_eq!(Order::get("a", 1).send(&db).await?, None);
    assert_eq!(User::get("b").send(&db).await?, Some(user("b", 2)));
    Ok(())
}

#[tokio::test]
async fn versions_and_unique_values_have_separate_errors() -> Outcome {
    let db = club(&[("a", "a@x"), ("b", "b@x")]).await;
    let read = Member::get("a").send(&db).await?.unwrap();
    read.put().send(&db).await?;
    let error = Transaction::new()
        .add(visit("a", 1).create())
        .add(read.update().set(|member| member.phone(), "1"))
        .add(member("c", "b@x").create())
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_conflict(), "{error}");
    assert_eq!(error.item::<Member>()?.unwrap().version, 2);
    let [other] = error.cancellations() else {
        panic!("{error:?}");
    };
    let constraint = "EMAIL#<email>";
    assert_eq!(other.kind(), &ErrorKind::NotUnique { constraint });
    assert_eq!(
        (other.entity(), other.key_text()),
        ("Member", Some("MEMBER#c/MEMBER"))
    );
    assert_eq!(taken(&db).await?, ["EMAIL#a@x", "EMAIL#b@x"]);
    Ok(())
}

fn cancelled(reasons: &'static [&'static str]) -> Dynamo {
    let answer = move |_, _: &Value| {
        let reasons: Vec<Value> = reasons.iter().map(|code| json!({ "Code": code })).collect();
        refusal(
            "TransactionCanceledException",
            json!({ "CancellationReasons": reasons }),
        )
    };
    Canned::new(answer).db()
}

#[tokio::test]
async fn other_cancellation_reasons_are_named() {
    let cases: [(&[&str], ErrorKind, &str); 3] = [
        (
            &["None", "ItemCollectionSizeLimitExceeded"],
            ErrorKind::Service {
                code: "ItemCollectionSizeLimitExceeded".into(),
            },
            "USER#b/PROFILE",
        ),
        (
            &["ValidationError", "None"],
            ErrorKind::Service {
                code: "ValidationError".into(),
            },
            "USER#a/PROFILE",
        ),
        // A condition that failed will fail again, conflict or not.
        (
            &["ConditionalCheckFailed", "TransactionConflict"],
            ErrorKind::AlreadyExists,
            "USER#a/PROFILE",
        ),
    ];
    for (reasons, kind, key) in cases {
        let db = cancelled(reasons);
        let transaction = Transaction::new()
            .add(user("a", 1).create())
            .add(user("b", 2).create());
        let error = transaction.send(&db).await.unwrap_err();
        assert_eq!(error.kind(), &kind);
        assert_eq!(error.key_text(), Some(key));
    }
}

#[tokio::test]
async fn a_missing_table_is_an_error_of_the_whole_transaction() {
    let db = support::bare();
    let error = Transaction::new()
        .add(user("a", 1).create())
        .send(&db)
        .await;
    assert!(error.unwrap_err().is_missing_table());
}

#[tokio::test]
async fn several_tables_are_written_together_or_not_at_all() -> Outcome {
    let db = db::<Typed>().await;
    Plain::create_table(&db).await?;
    Club::create_table(&db).await?;
    let transaction = || {
        let transaction = Transaction::new()
            .add(cat(1, 9).create())
            .add(user("u", 1).put());
        transaction.add(member("m", "m@x").create())
    };
    let sent = super::assert_send(transaction().send(&db));
    sent.await?;
    assert_eq!(Cat::get("c1", 1).send(&db).await?, Some(cat(1, 9)));
    assert_eq!(User::get("u").send(&db).await?, Some(user("u", 1)));
    assert_eq!(version(&db, "m").await?, Some(1));

    let error = transaction().add(dog(1).put()).send(&db).await.unwrap_err();
    let entities: Vec<_> = error.cancellations().iter().map(|it| it.entity()).collect();
    assert_eq!(
        (error.entity(), &*entities),
        ("Cat", &["Member", "Member"][..])
    );
    assert_eq!(Dog::get("d1", 1).send(&db).await?, None);
    Ok(())
}
