//! Timeouts and stalls: calls end in both ways alike, and after the same time.

use super::model::call;
use super::recorder::{Recorder, TokioClock, both, config, response};
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{Builder, StalledStreamProtectionConfig};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use dynamo_model::Error;
use dynamo_model::error::Outcome;
use http_body::Frame;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// The end of a call.
#[derive(Debug)]
struct End {
    error: Option<Error>,
    after: Duration,
    requests: usize,
}

impl End {
    fn text(&self) -> String {
        let mut text = String::new();
        let mut cause = self.error.as_ref().map(|it| it as &dyn std::error::Error);
        while let Some(error) = cause {
            text += &format!("{error}: ");
            cause = error.source();
        }
        text
    }
}

/// Makes a call in both ways; after the calls to learn from, every request gets this answer.
async fn ends(
    name: &'static str,
    operation: &str,
    answer: impl Fn() -> Option<Result<HttpResponse, ConnectorError>> + Send + Sync + 'static,
    configure: impl Fn(Builder) -> Builder,
) -> [End; 2] {
    let learned = Arc::new(AtomicBool::new(false));
    let is_learned = Arc::clone(&learned);
    let recorder = Recorder::new(move |_| match is_learned.load(Ordering::SeqCst) {
        true => answer(),
        false => Some(Ok(response(200, "{}"))),
    });
    let config = config()
        .retry_config(RetryConfig::standard().with_max_attempts(2))
        .retry_partition(RetryPartition::new(name))
        .time_source(TokioClock::new())
        .http_client(recorder.clone());
    let handles = both(configure(config)).await;
    learned.store(true, Ordering::SeqCst);
    let mut ends = Vec::new();
    for db in &handles {
        let (start, before) = (Instant::now(), recorder.sent().len());
        let error = call(db, operation).await.err();
        ends.push(End {
            error,
            after: start.elapsed(),
            requests: recorder.sent().len() - before,
        });
    }
    let [lean, sdk] = <[End; 2]>::try_from(ends).unwrap();
    assert_eq!(lean.text(), sdk.text(), "{name}");
    assert_eq!(lean.requests, sdk.requests, "{name}");
    let outcome = |end: &End| end.error.as_ref().map(Error::outcome);
    assert_eq!(outcome(&lean), outcome(&sdk), "{name}");
    [lean, sdk]
}

/// Backoff is random, up to a second before the second attempt.
const BACKOFF: Duration = Duration::from_millis(1100);

fn limited(operation: Option<u64>, attempt: Option<u64>) -> impl Fn(Builder) -> Builder {
    move |config| {
        let timeouts = TimeoutConfig::builder()
            .set_operation_timeout_(operation)
            .set_attempt_timeout_(attempt);
        config.timeout_config(timeouts.build())
    }
}

/// Timeouts in milliseconds.
trait Timeouts {
    fn set_operation_timeout_(self, millis: Option<u64>) -> Self;
    fn set_attempt_timeout_(self, millis: Option<u64>) -> Self;
}

impl Timeouts for aws_sdk_dynamodb::config::timeout::TimeoutConfigBuilder {
    fn set_operation_timeout_(mut self, millis: Option<u64>) -> Self {
        self.set_operation_timeout(millis.map(Duration::from_millis));
        self
    }

    fn set_attempt_timeout_(mut self, millis: Option<u64>) -> Self {
        self.set_operation_attempt_timeout(millis.map(Duration::from_millis));
        self
    }
}

#[tokio::test(start_paused = true)]
async fn attempt_that_takes_too_long_is_followed_by_another() {
    for operation in ["GetItem", "PutItem"] {
        let [lean, sdk] = ends("attempt", operation, || None, limited(None, Some(2500))).await;
        assert_eq!(lean.requests, 2);
        let range = Duration::from_millis(5000)..Duration::from_millis(5000) + BACKOFF;
        assert!(
            range.contains(&lean.after) && range.contains(&sdk.after),
            "{:?} {:?}",
            lean.after,
            sdk.after
        );
        let text = "operation attempt timeout (single attempt) occurred after 2.5s";
        assert!(lean.text().contains(text), "{}", lean.text());
    }
}

#[tokio::test(start_paused = true)]
async fn write_that_must_not_be_repeated_ends_with_its_attempt() {
    let [lean, _] = ends("add", "UpdateItem", || None, limited(None, Some(2500))).await;
    assert_eq!(lean.requests, 1);
    assert_eq!(lean.after.as_millis(), 2500);
    assert_eq!(lean.error.unwrap().outcome(), Outcome::Uncertain);
}

#[tokio::test(start_paused = true)]
async fn call_ends_when_its_time_is_over_in_the_first_attempt() {
    let [lean, sdk] = ends("call", "UpdateItem", || None, limited(Some(1700), None)).await;
    assert_eq!(
        (lean.requests, lean.after, sdk.after.as_millis()),
        (1, sdk.after, 1700)
    );
    let text = "operation timeout (all attempts including retries) occurred after 1.7s";
    assert!(lean.text().contains(text), "{}", lean.text());
    assert_eq!(lean.error.unwrap().outcome(), Outcome::Uncertain);
}

#[tokio::test(start_paused = true)]
async fn call_ends_when_its_time_is_over_in_a_later_attempt() {
    let limits = limited(Some(4000), Some(2500));
    let [lean, sdk] = ends("later", "GetItem", || None, limits).await;
    assert_eq!((lean.after, lean.after.as_millis()), (sdk.after, 4000));
    assert_eq!(lean.requests, 2);
}

#[tokio::test(start_paused = true)]
async fn request_that_no_connection_takes_ends_as_stalled() {
    let [lean, sdk] = ends("upload", "UpdateItem", || None, |config| config).await;
    assert!(
        lean.text().contains("minimum throughput"),
        "{}",
        lean.text()
    );
    assert!(
        lean.after.abs_diff(sdk.after) <= Duration::from_millis(200),
        "{:?} {:?}",
        lean.after,
        sdk.after
    );
}

#[tokio::test(start_paused = true)]
async fn grace_period_of_stalls_is_that_of_the_client() {
    for grace in [0, 300, 5000] {
        let stalls = StalledStreamProtectionConfig::enabled()
            .grace_period(Duration::from_millis(grace))
            .build();
        let configure = |config: Builder| config.stalled_stream_protection(stalls.clone());
        let [lean, sdk] = ends("upload", "UpdateItem", || None, configure).await;
        assert!(
            lean.after.abs_diff(sdk.after) <= Duration::from_millis(200),
            "{:?} {:?}",
            lean.after,
            sdk.after
        );
    }
}

/// A body that sends a piece, waits, and so on.
struct Slow {
    pieces: Vec<Bytes>,
    pause: Duration,
    timer: Pin<Box<Sleep>>,
}

impl http_body::Body for Slow {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        // It may be polled after its end.
        if self.pieces.is_empty() {
            return Poll::Ready(None);
        }
        std::task::ready!(self.timer.as_mut().poll(context));
        let next = Instant::now() + self.pause;
        self.timer.as_mut().reset(next);
        let piece = self.pieces.pop();
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }
}

fn slow(pieces: &[&'static [u8]], millis: u64) -> Option<Result<HttpResponse, ConnectorError>> {
    let mut response = response(200, "");
    let pieces = pieces.iter().rev().copied().map(Bytes::from_static);
    let pause = Duration::from_millis(millis);
    *response.body_mut() = SdkBody::from_body_1_x(Slow {
        pieces: pieces.collect(),
        pause,
        timer: Box::pin(tokio::time::sleep(pause)),
    });
    Some(Ok(response))
}

#[tokio::test(start_paused = true)]
async fn response_that_stalls_ends_alike() {
    let minute = 60_000;
    for operation in ["GetItem", "UpdateItem"] {
        let stalls = move || slow(&[b"{", b" ", b"}"], minute);
        let [lean, sdk] = ends("download", operation, stalls, |config| config).await;
        assert!(
            lean.text().contains("minimum throughput"),
            "{}",
            lean.text()
        );
        let difference = lean.after.abs_diff(sdk.after);
        assert!(difference <= BACKOFF, "{:?} {:?}", lean.after, sdk.after);
    }
}

#[tokio::test(start_paused = true)]
async fn slow_response_is_read_to_its_end() {
    let pieces: &[&[u8]] = &[
        b"{\"Attributes\"",
        b":{\"PK\":{\"S\":\"THI",
        b"NG#1\"}",
        b"}}",
    ];
    for millis in [0, 1, 50, 400, 900] {
        let [lean, sdk] = ends("slow", "PutItem", move || slow(pieces, millis), |it| it).await;
        assert!(
            lean.error.is_none() && sdk.error.is_none(),
            "{millis}: {lean:?}"
        );
        assert_eq!(lean.after, sdk.after);
    }
}

#[tokio::test(start_paused = true)]
async fn stalls_are_waited_for_without_the_protection() {
    let off = StalledStreamProtectionConfig::disabled();
    let configure = |config: Builder| config.stalled_stream_protection(off.clone());
    let [lean, sdk] = ends("off", "GetItem", || slow(&[b"{", b"}"], 60_000), configure).await;
    assert!(lean.error.is_none() && sdk.error.is_none(), "{lean:?}");
    assert_eq!(lean.after.as_secs(), 120);
    assert_eq!(lean.after, sdk.after);
}
