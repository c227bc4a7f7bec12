//! What is sent: for every operation and many configurations, the same as the SDK sends.

use super::calls::{Rotated, signature};
use super::model::{OPERATIONS, call};
use super::recorder::{Clock, Recorder, Sent, assert_lean, both, config, way};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{
    AppName, Builder, Credentials, Region, StalledStreamProtectionConfig,
};
use dynamo_model::Dynamo;
use std::time::Duration;

/// 2026-11-19T23:59:50Z: the next day begins ten seconds later.
const EVENING: u64 = 1_795_132_790;

/// Without the headers that differ between any two requests, and without the body, which may
/// contain a random token.
fn comparable(sent: &Sent) -> (String, String, Vec<(String, String)>) {
    let headers = sent.headers.iter().filter(|(name, _)| {
        name != "authorization" && name != "amz-sdk-invocation-id" && name != "content-length"
    });
    let headers = headers.cloned().collect();
    (sent.method.clone(), sent.uri.clone(), headers)
}

/// Compares all operations, sent in both ways.
async fn compare(name: &str, config: Builder, credentials: &Credentials) {
    let recorder = Recorder::succeeding();
    let config = config
        .http_client(recorder.clone())
        .time_source(Clock::at(EVENING));
    let [lean, sdk] = both(config).await;
    for operation in OPERATIONS {
        let [own, theirs] = [&lean, &sdk].map(|db| {
            let recorder = recorder.clone();
            async move {
                call(db, operation).await.unwrap();
                recorder.last()
            }
        });
        let (own, theirs) = (own.await, theirs.await);
        assert_lean(&lean);
        assert_eq!(own.operation(), operation);
        assert_eq!(comparable(&own), comparable(&theirs), "{name}: {operation}");
        let scope = |sent: &Sent| {
            sent.header("authorization")
                .split("Signature=")
                .next()
                .map(str::to_owned)
        };
        assert_eq!(scope(&own), scope(&theirs));
        for sent in [own, theirs] {
            assert_eq!(sent.header("content-length"), sent.body.len().to_string());
            assert_eq!(
                sent.header("authorization"),
                signature(&sent, credentials),
                "{name}"
            );
        }
    }
}

fn credentials() -> Credentials {
    Credentials::new("AKID", "secret", None, None, "test")
}

#[tokio::test]
async fn requests_equal_those_of_the_sdk_in_every_configuration() {
    let timeouts = TimeoutConfig::builder()
        .operation_timeout(Duration::from_secs(9))
        .operation_attempt_timeout(Duration::from_secs(3))
        .read_timeout(Duration::from_secs(2));
    let configurations: Vec<(&str, Builder)> = vec![
        ("plain", config()),
        (
            "another region",
            config().region(Region::new("us-gov-west-1")),
        ),
        ("China", config().region(Region::new("cn-north-1"))),
        ("FIPS", config().use_fips(true)),
        ("dual stack", config().use_dual_stack(true)),
        ("both", config().use_fips(true).use_dual_stack(true)),
        ("endpoint", config().endpoint_url("http://localhost:8000")),
        (
            "endpoint with a path",
            config().endpoint_url("https://proxy.test/some/path/"),
        ),
        (
            "path with more than letters",
            config().endpoint_url("https://proxy.test/a%20b/~c-d_e.f"),
        ),
        (
            "default port",
            config().endpoint_url("https://proxy.test:443"),
        ),
        (
            "default port of http",
            config().endpoint_url("http://proxy.test:80/x"),
        ),
        (
            "port of another scheme",
            config().endpoint_url("https://proxy.test:80"),
        ),
        ("address", config().endpoint_url("http://[::1]:8000")),
        (
            "app name",
            config().app_name(AppName::new("an-app").unwrap()),
        ),
        ("no retries", config().retry_config(RetryConfig::disabled())),
        (
            "many retries",
            config().retry_config(RetryConfig::standard().with_max_attempts(12)),
        ),
        ("timeouts", config().timeout_config(timeouts.build())),
        (
            "no protection from stalls",
            config().stalled_stream_protection(StalledStreamProtectionConfig::disabled()),
        ),
    ];
    for (name, config) in configurations {
        compare(name, config, &credentials()).await;
    }
}

#[tokio::test]
async fn requests_equal_those_of_the_sdk_with_all_kinds_of_credentials() {
    let session = Some("token/with+characters=".to_owned());
    let later = Some(std::time::UNIX_EPOCH + Duration::from_secs(EVENING + 3600));
    let with_account = Credentials::builder()
        .access_key_id("AKID")
        .secret_access_key("secret")
        .account_id("123456789012")
        .provider_name("test");
    for (name, own) in [
        (
            "temporary",
            Credentials::new("ASIA", "other", session, later, "test"),
        ),
        ("account", with_account.build()),
        (
            "access key with a slash",
            Credentials::new("A/K", "s/e+c", None, None, "test"),
        ),
    ] {
        compare(name, config().credentials_provider(own.clone()), &own).await;
    }
}

#[tokio::test]
async fn account_id_is_part_of_the_endpoint() {
    let recorder = Recorder::succeeding();
    let own = Credentials::builder()
        .access_key_id("AKID")
        .secret_access_key("secret")
        .account_id("123456789012")
        .provider_name("test");
    let config = config().credentials_provider(own.build());
    let [lean, _] = both(config.http_client(recorder.clone())).await;
    call(&lean, "GetItem").await.unwrap();
    let uri = recorder.last().uri;
    assert_eq!(uri, "https://123456789012.ddb.eu-west-1.amazonaws.com/");
}

#[tokio::test]
async fn signature_is_of_the_new_day_after_midnight() {
    let recorder = Recorder::succeeding();
    let clock = Clock::at(EVENING);
    let config = config().http_client(recorder.clone());
    let [lean, _] = both(config.time_source(clock.clone())).await;
    for (seconds, day) in [
        (0, "20261119"),
        (9, "20261119"),
        (10, "20261120"),
        (11, "20261120"),
    ] {
        clock.set(EVENING + seconds);
        call(&lean, "PutItem").await.unwrap();
        assert_lean(&lean);
        let sent = recorder.last();
        assert!(sent.header("x-amz-date").starts_with(day));
        assert!(
            sent.header("authorization")
                .contains(&format!("AKID/{day}/eu-west-1"))
        );
        assert_eq!(
            sent.header("authorization"),
            signature(&sent, &credentials())
        );
    }
}

#[tokio::test]
async fn new_credentials_are_used_as_soon_as_the_sdk_has_them() {
    let recorder = Recorder::succeeding();
    let clock = Clock::at(EVENING);
    let rotated = Rotated::new(EVENING);
    let config = config()
        .credentials_provider(rotated.clone())
        .time_source(clock.clone())
        .http_client(recorder.clone());
    let [lean, _] = both(config).await;
    for round in 1..5 {
        call(&lean, "GetItem").await.unwrap();
        assert_lean(&lean);
        let old = recorder.last();
        // They expire, so the next call gets others, and the one after it is lean again.
        clock.set(EVENING + round * 3600);
        rotated.set(EVENING + round * 3600);
        for _ in 0..2 {
            call(&lean, "GetItem").await.unwrap();
            assert_lean(&lean);
            let sent = recorder.last();
            assert_ne!(
                sent.header("x-amz-security-token"),
                old.header("x-amz-security-token")
            );
            assert_eq!(
                sent.header("authorization"),
                signature(&sent, &rotated.now())
            );
        }
    }
    // One request a call.
    assert_eq!(recorder.sent().len(), 2 + 4 * 3);
}

#[tokio::test]
async fn every_call_has_an_id_of_its_own() {
    let recorder = Recorder::succeeding();
    let [lean, _] = both(config().http_client(recorder.clone())).await;
    for _ in 0..20 {
        call(&lean, "Query").await.unwrap();
    }
    let sent = recorder.sent();
    let ids: std::collections::HashSet<_> = sent
        .iter()
        .map(|it| it.header("amz-sdk-invocation-id"))
        .collect();
    assert_eq!(ids.len(), sent.len());
}

#[tokio::test]
async fn client_without_a_region_fails_in_both_ways_alike() {
    let recorder = Recorder::succeeding();
    let config = config().region(None).http_client(recorder.clone());
    let client = Client::from_conf(config.build());
    let lean = Dynamo::new(client.clone());
    let sdk = Dynamo::new(client).with_sdk_transport();
    for _ in 0..2 {
        let (own, theirs) = (call(&lean, "GetItem").await, call(&sdk, "GetItem").await);
        assert_eq!(
            format!("{:?}", own.unwrap_err()),
            format!("{:?}", theirs.unwrap_err())
        );
    }
    assert_eq!(way(&lean), "SDK (until the first request)");
    assert!(recorder.sent().is_empty());
}
