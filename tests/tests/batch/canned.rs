//! A mock DynamoDB with scripted responses, which records its requests.

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{
    BehaviorVersion, Builder, Config, Credentials, Region, RuntimeComponents,
};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use dynamo_model::Dynamo;
use serde_json::{Value, json};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Answer = dyn Fn(usize, &Value) -> (u16, Value) + Send + Sync;

/// Answers the nth request, from 0, by a function.
#[derive(Clone)]
pub struct Canned {
    answer: Arc<Answer>,
    requests: Arc<Mutex<Vec<Value>>>,
    under_way: Arc<AtomicUsize>,
    most_under_way: Arc<AtomicUsize>,
}

impl Canned {
    pub fn new(answer: impl Fn(usize, &Value) -> (u16, Value) + Send + Sync + 'static) -> Self {
        Self {
            answer: Arc::new(answer),
            requests: Arc::default(),
            under_way: Arc::default(),
            most_under_way: Arc::default(),
        }
    }

    pub fn db(&self) -> Dynamo {
        let config = config().http_client(self.clone());
        Dynamo::new(aws_sdk_dynamodb::Client::from_conf(config.build()))
    }

    pub fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }

    pub fn most_under_way(&self) -> usize {
        self.most_under_way.load(Ordering::SeqCst)
    }

    fn receive(&self, body: Value) -> (u16, Value) {
        let mut requests = self.requests.lock().unwrap();
        let answer = (self.answer)(requests.len(), &body);
        requests.push(body);
        answer
    }
}

/// Returns a client that sends each request once.
pub fn config() -> Builder {
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .credentials_provider(Credentials::new("local", "local", None, None, "local"))
        .endpoint_url("http://canned.invalid")
        .retry_config(RetryConfig::disabled())
}

impl fmt::Debug for Canned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canned").finish_non_exhaustive()
    }
}

impl HttpClient for Canned {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Canned {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let this = self.clone();
        HttpConnectorFuture::new(async move {
            let now = this.under_way.fetch_add(1, Ordering::SeqCst) + 1;
            this.most_under_way.fetch_max(now, Ordering::SeqCst);
            // Long enough for the others to be sent meanwhile.
            tokio::time::sleep(Duration::from_millis(5)).await;
            let body = request.body().bytes().unwrap_or_default();
            let (status, answer) = this.receive(serde_json::from_slice(body).unwrap());
            this.under_way.fetch_sub(1, Ordering::SeqCst);
            if status == NO_ANSWER {
                return Err(ConnectorError::io("the line is dead".into()));
            }
            let body = SdkBody::from(answer.to_string());
            Ok(HttpResponse::new(status.try_into().unwrap(), body))
        })
    }
}

const NO_ANSWER: u16 = 0;

/// Breaks the connection.
pub fn no_answer() -> (u16, Value) {
    (NO_ANSWER, Value::Null)
}

/// Returns a refusal, by its code.
pub fn refusal(code: &str, more: Value) -> (u16, Value) {
    let mut body = json!({ "__type": format!("com.amazonaws.dynamodb.v20120810#{code}") });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().cloned().unwrap_or_default());
    (400, body)
}
