//! When requests go around the SDK's orchestrator, and when they do not.

use super::calls::Rotated;
use super::model::{OPERATIONS, THING, Thing, call};
use super::recorder::{Clock, Recorder, assert_lean, config, refusal, response, way};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::endpoint::{Endpoint, EndpointFuture, Params, ResolveEndpoint};
use aws_sdk_dynamodb::config::interceptors::InterceptorContext;
use aws_sdk_dynamodb::config::retry::{ClassifyRetry, RetryAction, RetryConfig};
use aws_sdk_dynamodb::config::{Builder, IdentityCache, Intercept};
use dynamo_model::{Dynamo, Entity};
use std::sync::atomic::{AtomicUsize, Ordering};

fn handle(config: Builder) -> Dynamo {
    Dynamo::new(Client::from_conf(config.build()))
}

/// Makes a few calls; returns the way they take in the end.
async fn settled(db: &Dynamo) -> String {
    for _ in 0..3 {
        call(db, "PutItem").await.unwrap();
    }
    way(db)
}

fn recorded() -> Builder {
    config().http_client(Recorder::succeeding())
}

#[tokio::test]
async fn plain_client_takes_the_lean_way_after_its_first_request() {
    let db = handle(recorded());
    assert_eq!(way(&db), "SDK (until the first request)");
    call(&db, "Scan").await.unwrap();
    assert_lean(&db);
    assert_lean(&db.clone());
}

#[tokio::test]
async fn every_operation_shows_enough() {
    for operation in OPERATIONS {
        let db = handle(recorded());
        call(&db, operation).await.unwrap();
        assert_lean(&db);
    }
}

#[tokio::test]
async fn embedded_engine_is_used_in_the_lean_way() {
    let db = Dynamo::embedded().unwrap();
    <super::model::Things as dynamo_model::Table>::create_table(&db)
        .await
        .unwrap();
    THING.put().send(&db).await.unwrap();
    assert_lean(&db);
    assert_eq!(Thing::get(1).send(&db).await.unwrap(), Some(THING));
}

#[tokio::test]
async fn sdk_is_used_where_it_was_chosen() {
    let lean = handle(recorded());
    let sdk = lean.clone().with_sdk_transport();
    assert_eq!(settled(&sdk).await, "SDK (it was chosen)");
    assert_eq!(settled(&lean).await, "lean");
}

/// Does nothing.
#[derive(Debug)]
struct Foreign;

impl Intercept for Foreign {
    fn name(&self) -> &'static str {
        "Foreign"
    }
}

impl ClassifyRetry for Foreign {
    fn classify_retry(&self, _: &InterceptorContext) -> RetryAction {
        RetryAction::NoActionIndicated
    }

    fn name(&self) -> &'static str {
        "Foreign"
    }
}

impl ResolveEndpoint for Foreign {
    fn resolve_endpoint<'a>(&'a self, _: &'a Params) -> EndpointFuture<'a> {
        EndpointFuture::ready(Ok(Endpoint::builder().url("http://other").build()))
    }
}

#[tokio::test]
async fn foreign_parts_of_the_client_keep_requests_with_the_sdk() {
    let adaptive = RetryConfig::adaptive();
    for (config, reason) in [
        (
            recorded().interceptor(Foreign),
            "SDK (the client has interceptors)",
        ),
        (
            recorded().retry_classifier(Foreign),
            "SDK (the client has retry classifiers)",
        ),
        (
            recorded().retry_config(adaptive),
            "SDK (retries are adaptive)",
        ),
    ] {
        assert_eq!(settled(&handle(config)).await, reason);
    }
    let resolver = settled(&handle(recorded().endpoint_resolver(Foreign))).await;
    assert!(
        resolver.starts_with("SDK (the client has another endpoint resolver"),
        "{resolver}"
    );
    let http_only = handle(recorded().interceptor(Foreign)).with_http_only_interceptors();
    assert_eq!(
        settled(&http_only).await,
        "SDK (the client has interceptors)"
    );
}

#[tokio::test]
async fn handle_on_the_client_of_another_handle_is_lean_too() {
    let first = handle(recorded());
    assert_eq!(settled(&first).await, "lean");
    let second = Dynamo::new(first.client().clone());
    assert_eq!(settled(&second).await, "lean");
}

#[tokio::test]
async fn arn_as_table_name_is_sent_by_the_sdk() {
    let recorder = Recorder::succeeding();
    let db = handle(config().http_client(recorder.clone()));
    assert_eq!(settled(&db).await, "lean");
    let arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/Things";
    let by_arn = db.with_table_names(move |_| arn.to_owned());
    call(&by_arn, "GetItem").await.unwrap();
    let sent = recorder.last();
    assert_eq!(
        sent.uri,
        "https://123456789012.ddb.eu-west-1.amazonaws.com/"
    );
}

#[tokio::test]
async fn nothing_is_learned_from_the_request_of_an_arn() {
    let db = handle(recorded());
    let arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/Things";
    let by_arn = db.clone().with_table_names(move |_| arn.to_owned());
    call(&by_arn, "GetItem").await.unwrap();
    assert_eq!(way(&db), "SDK (until the first request)");
    assert_eq!(settled(&db).await, "lean");
}

#[tokio::test]
async fn credentials_that_are_not_cached_are_used_as_the_sdk_does() {
    let recorder = Recorder::succeeding();
    let rotated = Rotated::new(0);
    let config = config()
        .identity_cache(IdentityCache::no_cache())
        .credentials_provider(rotated.clone())
        .http_client(recorder.clone());
    let db = handle(config);
    for round in 0..6 {
        rotated.set(round / 2);
        call(&db, "GetItem").await.unwrap();
        let token = format!("token {}", round / 2);
        assert_eq!(recorder.last().header("x-amz-security-token"), token);
        assert_lean(&db);
    }
}

const NOW: u64 = 1_795_132_790;

/// The service's clock is ten minutes ahead.
#[tokio::test(start_paused = true)]
async fn wrong_clock_is_left_to_the_sdk() {
    let clock = Clock::at(NOW);
    let wrong = AtomicUsize::new(0);
    let recorder = Recorder::new(move |number| {
        let is_late = number > 2 && wrong.fetch_add(1, Ordering::SeqCst) == 0;
        let mut answer = match is_late {
            true => refusal("InvalidSignatureException"),
            false => response(200, "{}"),
        };
        let date = match number > 2 {
            true => "Fri, 20 Nov 2026 00:09:50 GMT",
            false => "Thu, 19 Nov 2026 23:59:50 GMT",
        };
        answer.headers_mut().insert("date", date);
        Some(Ok(answer))
    });
    let db = handle(
        config()
            .time_source(clock.clone())
            .http_client(recorder.clone()),
    );
    assert_eq!(settled(&db).await, "lean");
    call(&db, "PutItem").await.unwrap();
    // The first attempt had the old time, and the SDK corrected the next.
    let dates: Vec<_> = recorder.sent()[3..]
        .iter()
        .map(|sent| sent.header("x-amz-date").to_owned())
        .collect();
    assert_eq!(dates, ["20261119T235950Z", "20261120T000950Z"]);
    let reason = "SDK (for now: the clock is wrong, and the SDK corrects it)";
    assert_eq!(settled(&db).await, reason);
    // Someone sets the clock.
    clock.set(NOW + 600);
    assert_eq!(settled(&db).await, "lean");
}

/// Runs a test of this file in a process of its own, with these variables.
fn alone(test: &str, variables: &[(&str, &str)]) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--test-threads=1"]);
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

#[test]
fn trace_of_a_lambda_function_is_passed_on() {
    let test = "choice::in_a_lambda_function";
    let trace = "Root=1-5759e988;Parent=53995c3f42cd8ad8;\u{7f}é";
    alone(
        test,
        &[
            ("AWS_LAMBDA_FUNCTION_NAME", "f"),
            ("_X_AMZN_TRACE_ID", trace),
        ],
    );
}

#[tokio::test]
#[ignore = "in a process of its own, with variables of Lambda"]
async fn in_a_lambda_function() {
    let recorder = Recorder::succeeding();
    let db = handle(config().http_client(recorder.clone()));
    let sdk = db.clone().with_sdk_transport();
    assert_eq!(settled(&db).await, "lean");
    call(&db, "GetItem").await.unwrap();
    let lean = recorder.last();
    call(&sdk, "GetItem").await.unwrap();
    assert_eq!(
        lean.header("x-amzn-trace-id"),
        recorder.last().header("x-amzn-trace-id")
    );
    let trace = "Root=1-5759e988;Parent=53995c3f42cd8ad8;%7F%C3%A9";
    assert_eq!(lean.header("x-amzn-trace-id"), trace);
}

#[test]
fn metrics_are_left_to_the_sdk() {
    alone("choice::with_a_meter_provider", &[]);
}

#[derive(Debug)]
struct Meters;

impl aws_smithy_observability::meter::ProvideMeter for Meters {
    fn get_meter(
        &self,
        scope: &'static str,
        attributes: Option<&aws_smithy_observability::Attributes>,
    ) -> aws_smithy_observability::meter::Meter {
        let none = aws_smithy_observability::TelemetryProvider::noop();
        none.meter_provider().get_meter(scope, attributes)
    }
}

#[tokio::test]
#[ignore = "in a process of its own, with another meter provider"]
async fn with_a_meter_provider() {
    let db = handle(recorded());
    let early = handle(recorded());
    assert_eq!(settled(&early).await, "lean");
    let provider = aws_smithy_observability::TelemetryProvider::builder();
    let provider = provider.meter_provider(std::sync::Arc::new(Meters)).build();
    aws_smithy_observability::global::set_telemetry_provider(provider).unwrap();
    assert_eq!(settled(&db).await, "SDK (metrics are collected)");
}
