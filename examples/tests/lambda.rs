#![allow(clippy::unwrap_used)]

//! The Lambda function, with events as Lambda delivers them.

#[path = "../lambda/handler.rs"]
mod handler;

use dynamo_model::prelude::{Dynamo, Entity, Error, StreamEvent, Table};
use dynamo_model::stream::Change;
use dynamo_model_examples::booking::{Notification, Notifications, UserId, unread_count};
use serde_json::{Value, json};

type Outcome<T = ()> = Result<T, dynamo_model_examples::Failure>;

async fn database() -> Outcome<Dynamo> {
    let db = Dynamo::embedded()?;
    Notifications::create_table(&db).await?;
    Ok(db)
}

/// What the function answers to an event of `examples/lambda/events`, after the changes of the
/// event in the table.
async fn answer(db: &Dynamo, event: &str) -> Outcome<Value> {
    let path = format!("{}/lambda/events/{event}.json", env!("CARGO_MANIFEST_DIR"));
    let event: StreamEvent = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    // A record that cannot be read is not stored; the handler's answer names it.
    let _ = event.clone().for_each(|change, _| store(db, change)).await;
    Ok(serde_json::to_value(handler::handler(db, event).await)?)
}

async fn store(db: &Dynamo, change: Change<Notification>) -> Result<(), Error> {
    match change {
        Change::Inserted(new) | Change::Modified { new, .. } => new.put().send(db).await,
        Change::Removed(old) | Change::Expired(old) => old.delete().send(db).await,
    }
}

fn user() -> UserId {
    UserId("123e4567-e89b-12d3-a456-426614174000".parse().unwrap())
}

#[tokio::test]
async fn a_record_that_comes_twice_counts_once() -> Outcome {
    let db = database().await?;
    for _ in 0..2 {
        assert_eq!(
            answer(&db, "insert").await?,
            json!({ "batchItemFailures": [] })
        );
        assert_eq!(unread_count(&db, user()).await?, 1);
    }
    Ok(())
}

#[tokio::test]
async fn reading_and_expiry_take_the_notification_from_the_count() -> Outcome {
    for event in ["read", "expired"] {
        let db = database().await?;
        answer(&db, "insert").await?;
        assert_eq!(
            answer(&db, event).await?,
            json!({ "batchItemFailures": [] })
        );
        assert_eq!(unread_count(&db, user()).await?, 0, "{event}");
    }
    Ok(())
}

#[tokio::test]
async fn lambda_is_told_from_which_record_to_go_on() -> Outcome {
    let db = database().await?;
    let failures = json!({ "batchItemFailures": [{ "itemIdentifier": "400" }] });
    assert_eq!(answer(&db, "unreadable").await?, failures);
    // The record before it was handled.
    assert_eq!(unread_count(&db, user()).await?, 1);
    Ok(())
}
