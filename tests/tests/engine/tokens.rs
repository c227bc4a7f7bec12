//! Tokens of transactions, which the adapter keeps itself.

use crate::{Note, Notes, Outcome, note};
use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem};
use dynamo_model::{Dynamo, Entity, Table};

fn put(db: &Dynamo, text: &str) -> TransactWriteItem {
    let s = |text: &str| AttributeValue::S(text.into());
    let put = Put::builder()
        .table_name(db.table_name(&Notes::SCHEMA))
        .item("PK", s("USER#u1"))
        .item("SK", s("NOTE#000001"))
        .item("user", s("u1"))
        .item("number", AttributeValue::N("1".into()))
        .item("text", s(text));
    TransactWriteItem::builder()
        .put(put.build().unwrap())
        .build()
}

async fn send(db: &Dynamo, token: &str, text: &str) -> Result<(), String> {
    let request = db
        .client()
        .transact_write_items()
        .client_request_token(token);
    let sent = request.transact_items(put(db, text)).send().await;
    sent.map(drop)
        .map_err(|error| format!("{:?}", error.into_service_error()))
}

#[tokio::test]
async fn a_transaction_with_the_same_token_is_done_once() -> Outcome {
    let db = Dynamo::embedded()?;
    Notes::create_table(&db).await?;
    send(&db, "t1", "first").await?;
    note(1, "since then").put().send(&db).await?;
    send(&db, "t1", "first").await?;
    assert_eq!(
        Note::get("u1", 1).send(&db).await?,
        Some(note(1, "since then"))
    );
    let error = send(&db, "t1", "other").await.unwrap_err();
    assert!(error.contains("IdempotentParameterMismatch"), "{error}");
    send(&db, "t2", "other").await?;
    assert_eq!(Note::get("u1", 1).send(&db).await?, Some(note(1, "other")));
    let error = send(&db, &"t".repeat(37), "x").await.unwrap_err();
    assert!(error.contains("less than or equal to 36"), "{error}");
    Ok(())
}

/// A failed transaction may be sent again with its token.
#[tokio::test]
async fn a_token_of_a_failed_transaction_can_be_reused() -> Outcome {
    let db = Dynamo::embedded()?;
    assert!(send(&db, "t1", "first").await.is_err());
    Notes::create_table(&db).await?;
    send(&db, "t1", "first").await?;
    assert_eq!(Note::get("u1", 1).send(&db).await?, Some(note(1, "first")));
    Ok(())
}
