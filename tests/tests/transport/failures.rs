//! Failures by a script: the same error after the same attempts, and as long a backoff.

use super::model::call;
use super::recorder::{Recorder, Sent, assert_lean, both, config, refusal, response};
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition, TokenBucket};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use dynamo_model::Error;
use http_body::Frame;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

type Answered = Result<HttpResponse, ConnectorError>;
type Script = &'static [fn() -> Answered];

fn ok() -> Answered {
    Ok(response(200, "{}"))
}

fn throttled() -> Answered {
    Ok(refusal("ProvisionedThroughputExceededException"))
}

fn refused() -> Answered {
    Ok(refusal("ValidationException"))
}

fn condition() -> Answered {
    Ok(refusal("ConditionalCheckFailedException"))
}

fn in_progress() -> Answered {
    Ok(refusal("TransactionInProgressException"))
}

fn broken() -> Answered {
    Err(ConnectorError::io("the connection broke".into()))
}

fn too_late() -> Answered {
    Err(ConnectorError::timeout("no answer".into()))
}

fn no_connection() -> Answered {
    Err(ConnectorError::user("a wrong request".into()))
}

fn error_500() -> Answered {
    Ok(response(
        500,
        r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}"#,
    ))
}

fn error_503() -> Answered {
    Ok(response(503, "busy"))
}

fn redirect() -> Answered {
    let mut redirect = response(302, "");
    redirect.headers_mut().insert("location", "http://other");
    Ok(redirect)
}

fn html() -> Answered {
    let mut page = response(200, "<html></html>");
    page.headers_mut().insert("content-type", "text/html");
    page.headers_mut().remove("x-amzn-requestid");
    Ok(page)
}

fn not_json() -> Answered {
    Ok(response(200, "{\"Item\":"))
}

fn empty() -> Answered {
    Ok(response(200, ""))
}

fn encoded() -> Answered {
    let mut encoded = response(200, "{}");
    encoded.headers_mut().insert("content-encoding", "gzip");
    Ok(encoded)
}

fn too_short() -> Answered {
    let mut short = response(200, "{}");
    short.headers_mut().insert("content-length", "3");
    Ok(short)
}

fn changed() -> Answered {
    let mut changed = response(200, "{ }");
    changed.headers_mut().insert("x-amz-crc32", "2745614147");
    Ok(changed)
}

fn status_201() -> Answered {
    Ok(response(201, "{}"))
}

/// Breaks off after its first bytes.
struct Torn(Option<Bytes>);

impl http_body::Body for Torn {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        let first = self.0.take().map(|first| Ok(Frame::data(first)));
        let broken = || Err(std::io::ErrorKind::UnexpectedEof.into());
        Poll::Ready(Some(first.unwrap_or_else(broken)))
    }
}

fn torn() -> Answered {
    let mut torn = response(200, "");
    *torn.body_mut() = SdkBody::from_body_1_x(Torn(Some(Bytes::from_static(b"{\"It"))));
    Ok(torn)
}

fn torn_error() -> Answered {
    let mut error = response(400, "");
    *error.body_mut() = torn()?.into_body();
    Ok(error)
}

const SCRIPTS: &[(&str, Script)] = &[
    ("throttled once", &[throttled, ok]),
    ("throttled", &[throttled, throttled, throttled, ok]),
    ("refused", &[refused, ok]),
    ("condition", &[condition, ok]),
    ("in progress", &[in_progress, ok]),
    ("broken once", &[broken, ok]),
    ("broken", &[broken, broken, broken, ok]),
    ("too late", &[too_late, throttled, ok]),
    ("a wrong request", &[no_connection, ok]),
    ("status 500", &[error_500, error_500, ok]),
    ("status 503", &[error_503, ok]),
    ("always 503", &[error_503, error_503, error_503, ok]),
    ("redirect", &[redirect, ok]),
    ("HTML", &[html, ok]),
    ("no JSON", &[not_json, ok]),
    ("empty", &[empty, ok]),
    ("encoded", &[encoded, ok]),
    ("too short", &[too_short, ok]),
    ("changed", &[changed, ok]),
    ("always changed", &[changed, changed, changed, ok]),
    ("status 201", &[status_201, ok]),
    ("torn", &[torn, ok]),
    ("always torn", &[torn, torn, torn, ok]),
    ("torn error", &[torn_error, ok]),
    ("all kinds", &[error_500, broken, refused, ok]),
];

/// Reads, writes that may be repeated, and writes that must not be.
const OPERATIONS: [&str; 6] = [
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "BatchWriteItem",
    "TransactWriteItems",
];

/// Without what differs between two calls: the ids of requests, and times.
fn shown(result: &Result<(), Error>) -> String {
    match result {
        Ok(()) => "Ok".into(),
        Err(error) => {
            let mut shown = format!("{:?} {:?} {error}", error.kind(), error.outcome());
            let mut cause = std::error::Error::source(error);
            while let Some(error) = cause {
                shown += &format!(": {error}");
                cause = error.source();
            }
            shown
        }
    }
}

/// Plays a script in both ways; returns the requests of each.
async fn play(script: Script, operation: &str, retries: RetryConfig) -> [(String, Vec<Sent>); 2] {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    // Answers of the script are counted from the first call that is not for learning.
    let skipped = Arc::new(AtomicUsize::new(usize::MAX));
    let start = Arc::clone(&skipped);
    let recorder = Recorder::new(move |number| {
        let number = number.checked_sub(start.load(Ordering::SeqCst));
        Some(match number.map(|number| script.get(number)) {
            Some(Some(answer)) => answer(),
            _ => ok(),
        })
    });
    let name = format!("scripts-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let config = config()
        .retry_config(retries)
        .retry_partition(RetryPartition::new(name))
        .http_client(recorder.clone());
    let handles = both(config).await;
    assert_lean(&handles[0]);
    let mut played = Vec::new();
    for db in &handles {
        let before = recorder.sent().len();
        skipped.store(before, Ordering::SeqCst);
        let result = call(db, operation).await;
        played.push((shown(&result), recorder.sent().split_off(before)));
    }
    played.try_into().unwrap()
}

fn three_attempts() -> RetryConfig {
    RetryConfig::standard().with_max_attempts(3)
}

#[tokio::test(start_paused = true)]
async fn failures_end_alike_after_as_many_attempts() {
    for (name, script) in SCRIPTS {
        for operation in OPERATIONS {
            let [lean, sdk] = play(script, operation, three_attempts()).await;
            assert_eq!(lean.0, sdk.0, "{name}: {operation}");
            let attempts = |sent: &[Sent]| {
                let header = |it: &Sent| it.header("amz-sdk-request").to_owned();
                sent.iter().map(header).collect::<Vec<_>>()
            };
            assert_eq!(attempts(&lean.1), attempts(&sdk.1), "{name}: {operation}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_of_a_call_differ_only_in_time() {
    let [(_, lean), (_, sdk)] =
        play(&[error_500, throttled, ok], "GetItem", three_attempts()).await;
    for (own, theirs) in lean.iter().zip(&sdk) {
        let names = |sent: &Sent| {
            let names = sent.headers.iter().map(|(name, _)| name.clone());
            names.collect::<Vec<_>>()
        };
        assert_eq!(names(own), names(theirs));
        assert_eq!(own.uri, theirs.uri);
        assert_eq!(own.body, theirs.body);
    }
}

#[tokio::test(start_paused = true)]
async fn backoff_is_within_the_bounds_of_the_sdk() {
    let retries = || {
        RetryConfig::standard()
            .with_max_attempts(5)
            .with_initial_backoff(Duration::from_millis(100))
            .with_max_backoff(Duration::from_millis(300))
    };
    let script: Script = &[throttled, throttled, throttled, throttled, ok];
    let pauses = |sent: &[Sent]| {
        let pauses = sent
            .windows(2)
            .map(|pair| (pair[1].at - pair[0].at).as_millis());
        pauses.collect::<Vec<_>>()
    };
    let mut longest = [0; 4];
    for _ in 0..50 {
        let [lean, _] = play(script, "GetItem", retries()).await;
        for (longest, pause) in longest.iter_mut().zip(pauses(&lean.1)) {
            *longest = pause.max(*longest);
        }
        assert_eq!(lean.1.len(), 5);
    }
    // The SDK waits for a random part of these.
    for (longest, bound) in longest.into_iter().zip([100, 200, 300, 300]) {
        assert!(
            (bound / 2..=bound + 2).contains(&longest),
            "{longest} of {bound}"
        );
    }
}

/// Each retry takes tokens, and each success returns some.
#[tokio::test(start_paused = true)]
async fn token_bucket_rations_the_retries_of_both_ways() {
    let mut attempts_of = Vec::new();
    for is_lean in [true, false] {
        let recorder = Recorder::new(|number| match number {
            // To learn from, and successes between the failures.
            0 | 1 | 20..60 => Some(ok()),
            _ => Some(error_500()),
        });
        let bucket = TokenBucket::builder().capacity(40).build();
        let partition = RetryPartition::custom("rationed")
            .token_bucket(bucket)
            .build();
        let config = config()
            .retry_config(three_attempts())
            .retry_partition(partition)
            .http_client(recorder.clone());
        let [lean, sdk] = both(config).await;
        let db = if is_lean { lean } else { sdk };
        let mut attempts = Vec::new();
        for _ in 0..70 {
            let before = recorder.sent().len();
            let _ = call(&db, "GetItem").await;
            attempts.push(recorder.sent().len() - before);
        }
        attempts_of.push(attempts);
    }
    assert_eq!(attempts_of[0], attempts_of[1]);
    let retried = |calls: &[usize]| calls.iter().filter(|attempts| **attempts > 1).count();
    // The tokens were used up, and the successes returned some.
    assert!(retried(&attempts_of[0][..8]) < 8, "{attempts_of:?}");
    assert!(retried(&attempts_of[0][..20]) > 0, "{attempts_of:?}");
    assert!(retried(&attempts_of[0][50..]) > 0, "{attempts_of:?}");
}
