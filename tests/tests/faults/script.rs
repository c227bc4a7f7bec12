//! A mock DynamoDB with scripted responses, which records its requests.

use super::support::network::{cut_off, response};
use super::support::typed::typed;
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region, RuntimeComponents};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynamo_model::Dynamo;
use serde_json::Value;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A scripted response.
#[derive(Debug, Clone)]
pub enum ScriptedResponse {
    /// Status and body.
    Whole(u16, String),
    /// It breaks off in the middle.
    Torn(u16, String),
    /// The connection breaks before the response.
    Nothing,
}

/// A recorded request: the operation, and the body.
pub type SentRequest = (String, Value);

type Respond = dyn Fn(usize, &str, &Value) -> ScriptedResponse + Send + Sync;

#[derive(Clone)]
pub struct Script {
    answer: Arc<Respond>,
    asked: Arc<Mutex<Vec<SentRequest>>>,
}

impl Script {
    /// Answers the nth request, from 0, by a function.
    pub fn new(
        answer: impl Fn(usize, &str, &Value) -> ScriptedResponse + Send + Sync + 'static,
    ) -> Self {
        Self {
            answer: Arc::new(answer),
            asked: Arc::default(),
        }
    }

    /// Answers in this order, and at the end with the last.
    pub fn of(answers: Vec<ScriptedResponse>) -> Self {
        Self::new(move |nth, _, _| answers[nth.min(answers.len() - 1)].clone())
    }

    pub fn db(&self, is_typed: bool) -> Dynamo {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("script-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("local"))
            .credentials_provider(Credentials::new("local", "local", None, None, "local"))
            .endpoint_url("http://script.invalid")
            .retry_partition(RetryPartition::new(name))
            .retry_config(RetryConfig::standard().with_max_attempts(3))
            .http_client(self.clone());
        let db = Dynamo::new(aws_sdk_dynamodb::Client::from_conf(config.build()));
        if is_typed { typed(&db) } else { db }
    }

    pub fn asked(&self) -> Vec<SentRequest> {
        self.asked.lock().unwrap().clone()
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").finish_non_exhaustive()
    }
}

impl HttpClient for Script {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Script {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let body = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let mut asked = self.asked.lock().unwrap();
        let said = (self.answer)(asked.len(), &operation, &body);
        asked.push((operation, body));
        HttpConnectorFuture::ready(match said {
            ScriptedResponse::Whole(status, body) => Ok(response(status, body)),
            ScriptedResponse::Torn(status, body) => Ok(cut_off(response(status, body))),
            ScriptedResponse::Nothing => Err(ConnectorError::io("the connection broke".into())),
        })
    }
}
