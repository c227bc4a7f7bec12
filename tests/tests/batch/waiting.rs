//! Tables that are never created or deleted, and responses without an error code.

use super::canned::{Canned, refusal};
use super::model::*;
use dynamo_model::{ErrorKind, Table};
use serde_json::{Value, json};
use std::time::Duration;

/// The table has this status for the first so many requests, and then another.
fn table(status: &'static str, requests: usize, then: (u16, Value)) -> Canned {
    Canned::new(move |n, _| {
        if n < requests {
            let table = json!({ "TableStatus": status });
            (200, json!({ "Table": table, "TableDescription": table }))
        } else {
            then.clone()
        }
    })
}

fn gone() -> (u16, Value) {
    refusal("ResourceNotFoundException", Value::Null)
}

#[tokio::test(start_paused = true)]
async fn drop_table_waits_until_the_table_is_gone() {
    let canned = table("DELETING", 9, gone());
    Typed::drop_table(&canned.db()).await.unwrap();
    assert_eq!(canned.requests().len(), 10);
}

#[tokio::test(start_paused = true)]
async fn create_table_waits_until_the_table_is_active() {
    let active = json!({ "Table": { "TableStatus": "ACTIVE" } });
    let canned = table("CREATING", 9, (200, active));
    Typed::create_table(&canned.db()).await.unwrap();
    assert_eq!(canned.requests().len(), 10);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_table_times_out() {
    let started = tokio::time::Instant::now();
    let error = Typed::drop_table(&table("DELETING", usize::MAX, gone()).db()).await;
    let error = error.unwrap_err();
    let status = String::from("DELETING");
    assert_eq!(error.kind(), &ErrorKind::NotReady { status });
    assert_eq!(
        error.to_string(),
        "delete table Typed: table `Typed` is still DELETING after a long wait; wait longer, or \
         check it in the console"
    );
    let waited = started.elapsed();
    assert!((300..310).contains(&waited.as_secs()), "{waited:?}");

    let error = Typed::create_table(&table("CREATING", usize::MAX, gone()).db()).await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "create table Typed: table `Typed` is still CREATING after a long wait; wait longer, or \
         check it in the console"
    );
    assert!(started.elapsed() < Duration::from_secs(620));
}

#[tokio::test]
async fn a_response_without_an_error_code_is_named_by_its_status() {
    let empty_code = refusal("", Value::Null);
    for (answer, status) in [
        ((502, json!("<html>Bad Gateway</html>")), 502),
        ((400, json!({})), 400),
        (empty_code, 400),
    ] {
        let canned = Canned::new(move |_, _| answer.clone());
        let error = User::get("u1").send(&canned.db()).await.unwrap_err();
        let reason = "has no error code of DynamoDB".to_owned();
        let text = format!(
            "get User USER#u1/PROFILE: the response (HTTP {status}) {reason}; \
             check the proxies between this client and DynamoDB"
        );
        let kind = ErrorKind::UnreadableResponse { status, reason };
        assert_eq!(error.kind(), &kind);
        assert_eq!(error.to_string(), text);
    }
}
