//! An HTTP client that records requests and answers by a script.

use super::model::call;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{
    BehaviorVersion, Builder, Config, Credentials, Region, RuntimeComponents,
};
use aws_smithy_async::time::TimeSource;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use dynamo_model::Dynamo;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A request as the connector got it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub method: String,
    pub uri: String,
    /// Sorted by name.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// When it was sent, on tokio's clock.
    pub at: tokio::time::Instant,
}

impl Sent {
    pub fn header(&self, name: &str) -> &str {
        let header = self.headers.iter().find(|(own, _)| own == name);
        header.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    pub fn operation(&self) -> &str {
        self.header("x-amz-target").rsplit('.').next().unwrap()
    }
}

type Answered = Result<HttpResponse, ConnectorError>;
type Answer = dyn Fn(usize) -> Option<Answered> + Send + Sync;

#[derive(Clone)]
pub struct Recorder {
    answer: Arc<Answer>,
    sent: Arc<Mutex<Vec<Sent>>>,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

impl Recorder {
    /// Answers the nth request, from 0; `None` is no answer for ever.
    pub fn new(answer: impl Fn(usize) -> Option<Answered> + Send + Sync + 'static) -> Self {
        Self {
            answer: Arc::new(answer),
            sent: Arc::default(),
        }
    }

    /// Every request succeeds, without a result.
    pub fn succeeding() -> Self {
        Self::new(|_| Some(Ok(response(200, "{}"))))
    }

    pub fn sent(&self) -> Vec<Sent> {
        self.sent.lock().unwrap().clone()
    }

    pub fn last(&self) -> Sent {
        self.sent().pop().unwrap()
    }
}

impl HttpClient for Recorder {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Recorder {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let mut headers: Vec<_> = request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        headers.sort();
        let mut sent = self.sent.lock().unwrap();
        let number = sent.len();
        sent.push(Sent {
            method: request.method().to_owned(),
            uri: request.uri().to_owned(),
            headers,
            body: request.body().bytes().unwrap().to_vec(),
            at: tokio::time::Instant::now(),
        });
        drop(sent);
        match (self.answer)(number) {
            Some(answer) => HttpConnectorFuture::ready(answer),
            None => HttpConnectorFuture::new(std::future::pending()),
        }
    }
}

pub fn response(status: u16, body: &str) -> HttpResponse {
    let body = SdkBody::from(body);
    let mut response = HttpResponse::new(status.try_into().unwrap(), body);
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    headers.insert("x-amzn-requestid", "ID");
    response
}

pub fn refusal(code: &str) -> HttpResponse {
    let body = format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"no"}}"#);
    response(400, &body)
}

/// A client with static credentials.
pub fn config() -> Builder {
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-west-1"))
        .credentials_provider(Credentials::new("AKID", "secret", None, None, "test"))
}

/// The same client on both ways, each after a first call.
pub async fn both(config: Builder) -> [Dynamo; 2] {
    let client = Client::from_conf(config.build());
    let lean = Dynamo::new(client.clone());
    let sdk = Dynamo::new(client).with_sdk_transport();
    let _ = call(&lean, "GetItem").await;
    assert_lean(&lean);
    let _ = call(&sdk, "GetItem").await;
    assert!(way(&sdk).starts_with("SDK"), "{sdk:?}");
    [lean, sdk]
}

/// The way that requests take, as a handle shows it.
pub fn way(db: &Dynamo) -> String {
    let debug = format!("{db:?}");
    let way = debug.strip_prefix("Dynamo { transport: ").unwrap();
    way.strip_suffix(", .. }").unwrap().to_owned()
}

#[track_caller]
pub fn assert_lean(db: &Dynamo) {
    assert_eq!(way(db), "lean");
}

/// A clock that stands still until it is set.
#[derive(Debug, Clone)]
pub struct Clock(Arc<AtomicU64>);

impl Clock {
    pub fn at(seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seconds)))
    }

    pub fn set(&self, seconds: u64) {
        self.0.store(seconds, Ordering::Relaxed);
    }
}

impl TimeSource for Clock {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::Relaxed))
    }
}

/// The time of tokio's clock, which a test can stop. The protection from stalls needs both clocks
/// to be the same.
#[derive(Debug, Clone)]
pub struct TokioClock(SystemTime, tokio::time::Instant);

impl TokioClock {
    pub fn new() -> Self {
        Self(SystemTime::now(), tokio::time::Instant::now())
    }
}

impl TimeSource for TokioClock {
    fn now(&self) -> SystemTime {
        self.0 + self.1.elapsed()
    }
}
