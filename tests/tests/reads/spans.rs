//! The trace of a read: its cost, and no value of an item.

use crate::support::trace::{Recorder, alone};
use crate::support::{self, Outcome, put_json};
use dynamo_model::BatchGet;
use dynamo_model::transaction::TransactGet;
use dynamo_model_examples::exam::{ExamStudyApp, User};
use serde_json::json;

#[tokio::test]
async fn a_request_has_a_span_without_values() -> Outcome {
    if !alone("spans::a_request_has_a_span_without_values") {
        return Ok(());
    }
    let db = support::db::<ExamStudyApp>().await;
    put_json::<ExamStudyApp>(
        &db,
        json!({
            "PK": "USER#u-secret", "SK": "PROFILE", "EntityType": "USER", "userId": "u-secret",
            "email": "u@example.com", "displayName": "山田太郎",
            "createdAt": "2025-06-01T09:00:00Z", "updatedAt": "2025-06-01T09:00:00Z",
        }),
    )
    .await?;
    let recorder = Recorder::default();
    let guard = tracing::subscriber::set_default(recorder.clone());
    User::get("u-secret").send(&db).await?;
    User::query("u-secret").all(&db).await?;
    BatchGet::new([User::key("u-secret")]).send(&db).await?;
    TransactGet::new((User::key("u-secret"),)).send(&db).await?;
    drop(guard);

    let text = recorder.text();
    for operation in ["get", "query", "batch get", "transact get"] {
        assert!(
            text.contains(&format!("operation={operation:?}")),
            "{operation}: {text}"
        );
    }
    assert!(
        text.contains("entity=\"User\"") && text.contains("items=1"),
        "{text}"
    );
    assert!(
        text.contains("ExamStudyApp") && text.contains("consumed_capacity="),
        "{text}"
    );
    assert!(
        !text.contains("u-secret") && !text.contains("山田"),
        "{text}"
    );
    Ok(())
}
