//! Sensitive values in logs: none up to DEBUG, of any target; whole requests and responses at
//! TRACE, where the SDK writes them.

use crate::support::Outcome;
use crate::support::network::{Fault, Network};
use crate::support::socket::{Answer, Server};
use crate::support::trace::{Recorder, alone};
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchGet, Dynamo, DynamoEntity, DynamoTable, Entity, Table, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tracing::Level;

/// In every sensitive value, and in keys of sensitive maps.
const HUSH: &str = "hush";

#[derive(DynamoTable)]
#[table(name = "Safes", pk = "PK", sk = "SK", entity_type = "type")]
struct Safes;

#[derive(DynamoEntity, Serialize, Deserialize, Clone, PartialEq)]
#[dynamo(table = Safes, entity_type = "SAFE")]
#[pk("SAFE#<number>")]
#[sk("SAFE")]
#[unique("PIN#<pin>")]
struct Safe {
    #[dynamo(sensitive)]
    number: String,
    #[dynamo(sensitive)]
    pin: String,
    #[dynamo(sensitive)]
    codes: Option<BTreeMap<String, String>>,
    #[dynamo(version)]
    version: u64,
}

fn safe(number: &str) -> Safe {
    Safe {
        number: number.into(),
        pin: format!("hush-pin-{number}"),
        codes: Some([("hush-key".to_owned(), "hush-code".to_owned())].into()),
        version: 0,
    }
}

/// Every kind of call, and errors of most kinds.
async fn calls(db: &Dynamo) {
    let own = safe("hush-1");
    for _ in 0..2 {
        let _ = own.create().send(db).await;
        let _ = Safe {
            number: "hush-2".into(),
            ..own.clone()
        }
        .create()
        .send(db)
        .await;
        let _ = own.put().any_version().send(db).await;
    }
    let _ = Safe::get("hush-1").send(db).await;
    let _ = Safe::query("hush-1")
        .filter(|it| it.pin().eq("hush"))
        .all(db)
        .await;
    let _ = Safe::scan()
        .filter(|it| it.codes().entry("hush-key").eq("hush"))
        .all(db)
        .await;
    let _ = BatchGet::new([Safe::key("hush-1")]).send(db).await;
    let _ = TransactGet::new((Safe::key("hush-1"), Safe::key("hush-2")))
        .send(db)
        .await;
    let update = Safe::update("hush-1").set(|it| it.codes().entry("hush-key"), "hush");
    let _ = update.condition(|it| it.pin().eq("hush")).send(db).await;
    let _ = own.update().set(|it| it.pin(), "hush-other").send(db).await;
    let _ = Transaction::new().add(own.create()).send(db).await;
    let _ = own.delete().send(db).await;
    let _ = Safe::delete("hush-1")
        .condition(|it| it.pin().eq("hush"))
        .send(db)
        .await;
}

/// A server on a real socket that answers as DynamoDB does, with items in refusals and answers.
async fn over_sockets() -> Outcome {
    let item = r#"{"PK":{"S":"SAFE#hush-1"},"SK":{"S":"SAFE"},"type":{"S":"SAFE"},"number":{"S":"hush-1"},"pin":{"S":"hush"}}"#;
    let failed = format!(
        r#"{{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"hush","Item":{item}}}"#
    );
    let found = format!(r#"{{"Item":{item},"Items":[{item}],"Count":1,"ScannedCount":1}}"#);
    let json = &["content-type: application/x-amz-json-1.0"][..];
    let answers = [
        Answer::http("400 Bad Request", json, failed),
        Answer::http("200 OK", json, found),
        Answer::http(
            "500 Internal Server Error",
            json,
            r#"{"__type":"InternalServerError","message":"hush"}"#,
        ),
        Answer::http("200 OK", &["content-type: text/html"], "<p>hush</p>"),
        Answer::Close,
    ];
    for answer in answers {
        let server = Server::start(answer).await;
        let db = &Dynamo::endpoint(server.url());
        let _ = Safe::get("hush-1").send(db).await;
        let _ = Safe::query("hush-1").all(db).await;
        let update = Safe::update("hush-1").set(|it| it.codes().entry("hush-key"), "hush");
        let _ = update.condition(|it| it.pin().eq("hush")).send(db).await;
        assert!(server.requests() >= 3);
    }
    Ok(())
}

/// On the embedded engine, through faults as well, and over sockets.
async fn everywhere() -> Outcome {
    let db = Dynamo::embedded()?;
    calls(&db).await;
    Safes::create_table(&db).await?;
    calls(&db).await;
    let done = true;
    let faults = [
        Fault::ServerError { done },
        Fault::Broken { done },
        Fault::CutOff,
        Fault::Garbled,
        Fault::Conflict,
        Fault::Refused("ThrottlingException"),
    ];
    for operation in ["PutItem", "UpdateItem", "Query", "TransactWriteItems"] {
        let network = Network::scripted(&db, operation, &faults);
        calls(&network.handle(&db, 2)).await;
    }
    over_sockets().await
}

#[tokio::test]
async fn no_event_of_any_target_at_debug_shows_a_sensitive_value() -> Outcome {
    if !alone("logs::no_event_of_any_target_at_debug_shows_a_sensitive_value") {
        return Ok(());
    }
    let recorder = Recorder::of_everything(Level::DEBUG);
    let guard = tracing::subscriber::set_default(recorder.clone());
    everywhere().await?;
    drop(guard);
    let text = recorder.text();
    // Events of the SDK and of the HTTP client are among them.
    for event in [
        "beginning attempt #1",
        "encountered orchestrator error",
        "connected to 127.0.0.1",
    ] {
        assert!(text.contains(event), "{event}");
    }
    let at = text.find(HUSH);
    let shown = at.map(|at| {
        text[at.saturating_sub(600)..]
            .chars()
            .take(700)
            .collect::<String>()
    });
    assert_eq!(shown, None);
    Ok(())
}

/// As documented in docs/reliability.md: with TRACE for the SDK, items are in the log.
#[tokio::test]
async fn at_trace_the_sdk_logs_whole_requests_and_responses() -> Outcome {
    if !alone("logs::at_trace_the_sdk_logs_whole_requests_and_responses") {
        return Ok(());
    }
    let db = Dynamo::embedded()?;
    Safes::create_table(&db).await?;
    let recorder = Recorder::of_everything(Level::TRACE);
    let guard = tracing::subscriber::set_default(recorder.clone());
    calls(&db).await;
    drop(guard);
    let text = recorder.text();
    assert!(text.contains("transmitting request"));
    assert!(text.contains("hush-pin-hush-1") && text.contains("hush-code"));
    Ok(())
}
