//! What DynamoDB says of a throttled request: in the error, in the trace, and in how long a batch
//! waits.

use super::model::*;
use super::script::{Script, ScriptedResponse};
use super::support::Outcome;
use super::support::network::error;
use super::support::socket::{Answer, Server};
use super::support::trace::{Recorder, alone};
use dynamo_model::throttling::{ThrottledAccess, ThrottledTarget, ThrottlingLimit};
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchGet, BatchWrite, Dynamo, Entity, Error, ErrorKind, Transaction};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;
use tracing::Level;

const INDEX: &str = "arn:aws:dynamodb:eu-west-1:123456789012:table/Faults/index/GSI1";
const TABLE: &str = "arn:aws:dynamodb:eu-west-1:123456789012:table/Faults";

fn refusal(code: &str, reasons: &[(&str, &str)]) -> ScriptedResponse {
    let reasons: Vec<_> = reasons
        .iter()
        .map(|(reason, resource)| json!({ "reason": reason, "resource": resource }))
        .collect();
    // As the SDK's types have it.
    let list = match code {
        "ThrottlingException" => "throttlingReasons",
        _ => "ThrottlingReasons",
    };
    let body = json!({
        "__type": format!("com.amazonaws.dynamodb.v20120810#{code}"),
        "message": "too fast",
        list: reasons,
    });
    ScriptedResponse::Whole(400, body.to_string())
}

fn hot_index() -> ScriptedResponse {
    let reason = "IndexWriteKeyRangeThroughputExceeded";
    refusal("ThrottlingException", &[(reason, INDEX)])
}

fn full_table() -> ScriptedResponse {
    let reason = "TableReadProvisionedThroughputExceeded";
    refusal("ProvisionedThroughputExceededException", &[(reason, TABLE)])
}

/// Returns the errors of all kinds of calls.
async fn errors(db: &Dynamo) -> Vec<Error> {
    let add = || Counter::update(1).add(|it| it.value(), 1_u64);
    vec![
        Counter::get(1).send(db).await.unwrap_err(),
        Entry::query(1).all(db).await.unwrap_err(),
        Entry::scan().all(db).await.unwrap_err(),
        counter(1, 7).create().send(db).await.unwrap_err(),
        counter(1, 7).put().send(db).await.unwrap_err(),
        add().send(db).await.unwrap_err(),
        Counter::delete(1).send(db).await.unwrap_err(),
        Transaction::new().add(add()).send(db).await.unwrap_err(),
        TransactGet::new((Counter::key(1),))
            .send(db)
            .await
            .unwrap_err(),
        BatchGet::new([Counter::key(1)]).send(db).await.unwrap_err(),
    ]
}

#[tokio::test(start_paused = true)]
async fn every_call_says_what_was_throttled_and_why() -> Outcome {
    for maps in [false, true] {
        let script = Script::of(vec![hot_index()]);
        for error in errors(&script.db(maps)).await {
            assert!(error.is_throttled() && error.is_hot_partition(), "{error}");
            let [reason] = error.throttling() else {
                panic!("{error:?}");
            };
            assert_eq!(reason.code(), "IndexWriteKeyRangeThroughputExceeded");
            assert_eq!(reason.target(), Some(ThrottledTarget::Index));
            assert_eq!(reason.access(), Some(ThrottledAccess::Write));
            assert_eq!(reason.limit(), Some(ThrottlingLimit::HotPartition));
            assert_eq!(reason.table(), Some("Faults"));
            assert_eq!(reason.index(), Some("GSI1"));
        }
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn the_message_names_the_limit_and_the_fix() -> Outcome {
    let message = async |said: ScriptedResponse| {
        let db = Script::of(vec![said]).db(false);
        let error = Counter::get(1).send(&db).await.unwrap_err();
        error.to_string()
    };
    let code = "ProvisionedThroughputExceededException";
    let with = |reason: &str, arn: &str| refusal(code, &[(reason, arn)]);
    let before = "get Counter COUNTER#001/COUNTER: ";
    for (said, text) in [
        (
            hot_index(),
            "index `GSI1` of table `Faults` took no more writes: one of its partitions is hot; \
             spread the items over more partition keys, as with `shard(n)` (ThrottlingException: \
             too fast)",
        ),
        (
            full_table(),
            "table `Faults` took no more reads: its provisioned capacity is used up; try later, or \
             give it more capacity (ProvisionedThroughputExceededException: too fast)",
        ),
        (
            with("TableWriteMaxOnDemandThroughputExceeded", TABLE),
            "table `Faults` took no more writes: its maximum on-demand throughput is reached; try \
             later, or raise the maximum (ProvisionedThroughputExceededException: too fast)",
        ),
        (
            refusal(
                "RequestLimitExceeded",
                &[("IndexReadAccountLimitExceeded", INDEX)],
            ),
            "index `GSI1` of table `Faults` took no more reads: the account's quota for one table \
             is used up; try later, or ask AWS for a higher quota (RequestLimitExceeded: too fast)",
        ),
        (
            with("TableReadPhaseOfTheMoon", TABLE),
            "table `Faults` took no more reads; try later, or give it more capacity \
             (ProvisionedThroughputExceededException: too fast)",
        ),
        (
            ScriptedResponse::Whole(400, error(code)),
            "table `Faults` throttled all attempts; retry later, or raise its capacity \
             (ProvisionedThroughputExceededException: by the plan)",
        ),
    ] {
        assert_eq!(message(said).await, format!("{before}{text}"));
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_transaction_has_codes_and_no_reasons() -> Outcome {
    let body = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "CancellationReasons": [{ "Code": "ThrottlingError", "Message": "too fast" }],
    });
    let db = Script::of(vec![ScriptedResponse::Whole(400, body.to_string())]).db(false);
    let sent = Transaction::new().add(counter(1, 7).put()).send(&db).await;
    let error = sent.unwrap_err();
    assert!(error.is_throttled());
    assert!(error.throttling().is_empty() && !error.is_hot_partition());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_gives_up_says_why_it_was_throttled() -> Outcome {
    let script = Script::of(vec![full_table()]);
    let sent = BatchWrite::new()
        .put(&counter(1, 7))
        .send(&script.db(false))
        .await;
    let error = sent.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Unwritten { items: 1 });
    let codes: Vec<_> = error.throttling().iter().map(ToString::to_string).collect();
    assert_eq!(codes, ["TableReadProvisionedThroughputExceeded"]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_batch_get_goes_on_after_a_throttled_request() -> Outcome {
    let found = json!({ "Responses": { "Faults": [] }, "UnprocessedKeys": {} });
    for maps in [false, true] {
        // Each attempt of ours is three of the SDK's.
        let mut said = vec![full_table(); 6];
        said.push(ScriptedResponse::Whole(200, found.to_string()));
        let script = Script::of(said);
        let read = BatchGet::new([Counter::key(1)])
            .send(&script.db(maps))
            .await?;
        assert_eq!(read, [None]);
        assert_eq!(script.asked().len(), 7);
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_batch_waits_longer_for_a_hot_partition() -> Outcome {
    // The waits between our attempts, without the SDK's own: each attempt of ours is three of the
    // SDK's.
    let waited = async |said: ScriptedResponse| {
        let times = Arc::new(Mutex::new(Vec::new()));
        let noted = times.clone();
        let script = Script::new(move |_, _, _| {
            noted.lock().unwrap().push(Instant::now());
            said.clone()
        });
        let sent = BatchWrite::new()
            .put(&counter(1, 7))
            .send(&script.db(false))
            .await;
        assert!(sent.is_err());
        let times = times.lock().unwrap();
        assert_eq!(times.len(), 24);
        (1..8)
            .map(|at| times[3 * at] - times[3 * at - 1])
            .sum::<Duration>()
    };
    // Half of 200, 400, 800, 1600, 3200, 5000 and 5000 ms at least.
    assert!(waited(hot_index()).await >= Duration::from_millis(8_100));
    // All of 50, 100, 200, 400, 800, 1600 and 3200 ms at most, and the timer's milliseconds.
    assert!(waited(full_table()).await <= Duration::from_millis(6_400));
    Ok(())
}

#[tokio::test]
async fn reasons_come_over_a_socket_too() -> Outcome {
    let ScriptedResponse::Whole(_, body) = hot_index() else {
        panic!("a whole answer");
    };
    let headers = ["content-type: application/x-amz-json-1.0"];
    let server = Server::start(Answer::http("400 Bad Request", &headers, body)).await;
    let db = Dynamo::endpoint(server.url());
    let error = Counter::get(1).send(&db).await.unwrap_err();
    assert!(error.is_hot_partition(), "{error}");
    assert_eq!(server.requests(), 3);
    Ok(())
}

#[test]
fn a_throttled_attempt_is_traced_though_the_call_succeeds() {
    if !alone("throttling::a_throttled_attempt_is_traced_though_the_call_succeeds") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let recorder = Recorder::of_everything(Level::WARN);
    tracing::subscriber::with_default(recorder.clone(), || {
        let script = Script::of(vec![hot_index(), ScriptedResponse::Whole(200, "{}".into())]);
        let found = runtime.block_on(async { Counter::get(1).send(&script.db(false)).await });
        assert_eq!(found.unwrap(), None);
    });
    let text = recorder.text();
    let warned = "reason=\"IndexWriteKeyRangeThroughputExceeded\" table=\"Faults\" index=\"GSI1\"";
    assert_eq!(text.matches(warned).count(), 1, "{text}");
}
