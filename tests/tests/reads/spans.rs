//! What a trace says of a read: enough to see what it cost, and no value of an item.

use crate::support::{self, Outcome, put_json};
use dynamo_model_examples::exam::{ExamStudyApp, User};
use serde_json::json;
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Writes down the fields of our own spans.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<String>>);

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{field}={value:?} ");
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("dynamo_model")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Fields(&mut self.0.lock().unwrap()));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Fields(&mut self.0.lock().unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn a_request_has_a_span_without_values() -> Outcome {
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
    db.batch_get([User::key("u-secret")]).send().await?;
    db.transact_get((User::key("u-secret"),)).await?;
    drop(guard);

    let text = recorder.0.lock().unwrap().clone();
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
