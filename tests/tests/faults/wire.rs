//! Bad answers: the way straight to the structs, and the SDK's own with typed inputs and outputs,
//! make the same of them.

use super::model::*;
use super::script::{Script, ScriptedResponse};
use super::support::Outcome;
use super::support::network::error;
use dynamo_model::error::Outcome as Became;
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Transaction};
use serde_json::json;

/// The result with one codec: the value or the error, the outcome, the item of the error, and the
/// number of requests.
#[derive(Debug, PartialEq)]
struct Made {
    outcome: Result<String, (ErrorKind, Became, Option<Counter>)>,
    requests: usize,
}

async fn made(
    answers: &[ScriptedResponse],
    is_typed: bool,
    call: impl AsyncFn(Dynamo) -> Result<String, Error>,
) -> Made {
    let script = Script::of(answers.to_vec());
    let outcome = call(script.db(is_typed)).await;
    Made {
        outcome: outcome.map_err(|error| {
            let item = error.item().unwrap_or_default();
            (error.kind().clone(), error.outcome(), item)
        }),
        requests: script.asked().len(),
    }
}

/// Returns the results of both codecs.
async fn both(
    answers: &[ScriptedResponse],
    call: impl AsyncFn(Dynamo) -> Result<String, Error>,
) -> Made {
    let straight = made(answers, false, &call).await;
    let typed = made(answers, true, &call).await;
    assert_eq!(straight, typed, "{answers:?}");
    straight
}

async fn get(db: Dynamo) -> Result<String, Error> {
    let found = Counter::get(1).send(&db).await?;
    Ok(format!("{found:?}"))
}

async fn query(db: Dynamo) -> Result<String, Error> {
    let found = Entry::query(1).all(&db).await?;
    Ok(format!("{found:?}"))
}

async fn create(db: Dynamo) -> Result<String, Error> {
    let sent = counter(1, 7).create().send(&db).await;
    sent.map(|()| "created".into())
}

async fn add(db: Dynamo) -> Result<String, Error> {
    let add = Counter::update(1).add(|it| it.value(), 1_u64);
    add.send(&db).await.map(|()| "added".into())
}

async fn transact(db: Dynamo) -> Result<String, Error> {
    let add = Counter::update(1).add(|it| it.value(), 1_u64);
    let sent = Transaction::new().add(add).send(&db).await;
    sent.map(|()| "done".into())
}

fn item() -> serde_json::Value {
    json!({
        "PK": { "S": "COUNTER#001" }, "SK": { "S": "COUNTER" }, "type": { "S": "COUNTER" },
        "id": { "N": "1" }, "value": { "N": "7" },
    })
}

fn found() -> String {
    json!({ "Item": item(), "ConsumedCapacity": { "TableName": "Faults", "CapacityUnits": 0.5 } })
        .to_string()
}

fn whole(status: u16, body: impl Into<String>) -> ScriptedResponse {
    ScriptedResponse::Whole(status, body.into())
}

fn unreadable(status: u16, reason: &str) -> ErrorKind {
    ErrorKind::UnreadableResponse {
        status,
        reason: reason.into(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_truncated_success_of_a_read_is_requested_again() -> Outcome {
    let torn = ScriptedResponse::Torn(200, found());
    let made = both(&[torn.clone(), torn.clone(), whole(200, found())], get).await;
    assert_eq!(made.requests, 3);
    assert_eq!(made.outcome.unwrap(), format!("{:?}", Some(counter(1, 7))));
    // Finally it fails.
    let made = both(&[torn], get).await;
    assert_eq!(
        (made.requests, made.outcome),
        (
            3,
            Err((unreadable(200, "breaks off"), Became::NotDone, None))
        )
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_error_after_a_truncated_success_is_that_error() -> Outcome {
    let torn = ScriptedResponse::Torn(200, found());
    let missing = whole(400, error("ResourceNotFoundException"));
    let made = both(&[torn.clone(), missing], get).await;
    assert_eq!(
        (made.requests, made.outcome),
        (2, Err((ErrorKind::MissingTable, Became::NotDone, None)))
    );

    let mut other = item();
    other["value"] = json!({ "N": "8" });
    let refused = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", "Item": other,
    });
    let made = both(&[torn.clone(), whole(400, refused.to_string())], create).await;
    let expected = (ErrorKind::AlreadyExists, Became::Done, Some(counter(1, 8)));
    assert_eq!((made.requests, made.outcome), (2, Err(expected)));

    let own = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", "Item": item(),
    });
    let made = both(&[torn, whole(400, own.to_string())], create).await;
    assert_eq!((made.requests, made.outcome), (2, Ok("created".into())));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_success_without_a_dynamodb_body_is_unreadable() -> Outcome {
    let mut cut = found();
    cut.truncate(cut.len() / 2);
    for body in [
        "<html>",
        "[]",
        "null",
        "5",
        "{",
        "{\"Item\":5}",
        "{}{}",
        cut.as_str(),
    ] {
        for call in [0, 1, 2, 3] {
            let answers = [whole(200, body)];
            let (made, is_write) = match call {
                0 => (both(&answers, get).await, false),
                1 => (both(&answers, query).await, false),
                2 => (both(&answers, create).await, true),
                _ => (both(&answers, transact).await, true),
            };
            assert_eq!(made.requests, 1, "{body}");
            if let Err((kind, outcome, _)) = made.outcome {
                let reason = match body {
                    "<html>" => "is a page of HTML",
                    _ => "is not JSON of DynamoDB",
                };
                let became = match is_write {
                    true => Became::Done,
                    false => Became::NotDone,
                };
                assert_eq!((kind, outcome), (unreadable(200, reason), became), "{body}");
            }
        }
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_server_error_is_retried() -> Outcome {
    for body in [
        error("InternalServerError"),
        "<html>".into(),
        String::new(),
        "{".into(),
    ] {
        let failed = whole(500, body.clone());
        let made = both(&[failed.clone(), failed.clone(), whole(200, found())], get).await;
        assert_eq!((made.requests, made.outcome.is_ok()), (3, true), "{body}");
        let made = both(&[failed.clone(), whole(200, "{}")], transact).await;
        assert_eq!((made.requests, made.outcome.is_ok()), (2, true), "{body}");
        // A request that would take effect twice is not repeated.
        let made = both(&[failed, whole(200, "{}")], add).await;
        assert_eq!(made.requests, 1, "{body}");
        assert_eq!(made.outcome.unwrap_err().1, Became::Uncertain, "{body}");
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_error_without_json_has_its_status() -> Outcome {
    for body in ["<html>", "", "{", "[]"] {
        for (status, requests) in [(400, 1), (413, 1), (502, 3), (503, 3)] {
            let made = both(&[whole(status, body)], get).await;
            let reason = match body {
                "<html>" => "is a page of HTML",
                "" => "is empty",
                _ => "has no error code of DynamoDB",
            };
            let kind = unreadable(status, reason);
            assert_eq!(
                (made.requests, made.outcome),
                (requests, Err((kind, Became::NotDone, None))),
                "{status} {body}"
            );
        }
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_broken_connection_is_reopened() -> Outcome {
    let made = both(
        &[
            ScriptedResponse::Nothing,
            ScriptedResponse::Nothing,
            whole(200, found()),
        ],
        get,
    )
    .await;
    assert_eq!((made.requests, made.outcome.is_ok()), (3, true));
    let made = both(&[ScriptedResponse::Nothing], create).await;
    assert_eq!(
        (made.requests, made.outcome),
        (3, Err((ErrorKind::Network, Became::Uncertain, None)))
    );
    Ok(())
}

/// One codec reads an item on demand, the other on arrival: their errors differ in text.
#[tokio::test(start_paused = true)]
async fn an_invalid_attribute_is_refused_by_both_codecs() -> Outcome {
    let answers = [whole(200, "{\"Item\":{\"PK\":5}}")];
    let straight = made(&answers, false, get).await.outcome.unwrap_err();
    assert_eq!(straight.0, unreadable(200, "has a malformed item"));
    let typed = made(&answers, true, get).await.outcome.unwrap_err();
    assert_eq!(typed.0, unreadable(200, "is not JSON of DynamoDB"));
    Ok(())
}
