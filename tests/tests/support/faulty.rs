//! A connection that breaks on demand: before a request is sent, or before its response arrives.

use super::Db;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{RuntimeComponents, SharedHttpClient};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynamo_model::Dynamo;
use serde_json::Value;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The fate of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    None,
    /// It is never sent.
    NotSent,
    /// It is done, and the response is lost.
    AnswerLost,
}

/// A request, by the name of its operation.
#[derive(Debug, Clone)]
pub struct Request {
    pub operation: String,
    pub body: Value,
}

type Decide = dyn Fn(usize, &Request) -> Fault + Send + Sync;

/// The connection, which records its requests.
#[derive(Clone)]
pub struct Faulty {
    inner: SharedHttpClient,
    decide: Arc<Decide>,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Faulty {
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns the bodies of the requests of one operation.
    pub fn bodies(&self, operation: &str) -> Vec<Value> {
        let requests = self.requests().into_iter();
        let own = requests.filter(|request| request.operation == operation);
        own.map(|request| request.body).collect()
    }
}

impl Db {
    /// Returns the same tables, through a connection that breaks by the number of the request, from
    /// 0, and its operation. The SDK retries only as configured.
    pub fn faulty(
        &self,
        retries: RetryConfig,
        decide: impl Fn(usize, &Request) -> Fault + Send + Sync + 'static,
    ) -> (Dynamo, Faulty) {
        let config = self.direct.client().config();
        let faulty = Faulty {
            inner: config.http_client().unwrap(),
            decide: Arc::new(decide),
            requests: Arc::default(),
        };
        let config = config.to_builder().retry_config(retries);
        let client =
            aws_sdk_dynamodb::Client::from_conf(config.http_client(faulty.clone()).build());
        let db = Dynamo::new(client).with_table_prefix(self.prefix.as_str());
        (db, faulty)
    }
}

impl fmt::Debug for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faulty").finish_non_exhaustive()
    }
}

impl HttpClient for Faulty {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            inner: self.inner.http_connector(settings, components),
            faulty: self.clone(),
        })
    }
}

#[derive(Debug)]
struct Connector {
    inner: SharedHttpConnector,
    faulty: Faulty,
}

impl HttpConnector for Connector {
    fn call(&self, http: HttpRequest) -> HttpConnectorFuture {
        let target = http.headers().get("x-amz-target").unwrap_or_default();
        let request = Request {
            operation: target.rsplit('.').next().unwrap_or_default().to_owned(),
            body: serde_json::from_slice(http.body().bytes().unwrap_or_default()).unwrap(),
        };
        let fault = {
            let mut requests = self.faulty.requests.lock().unwrap();
            let fault = (self.faulty.decide)(requests.len(), &request);
            requests.push(request);
            fault
        };
        let broken = || ConnectorError::io("the connection broke".into());
        if fault == Fault::NotSent {
            return HttpConnectorFuture::ready(Err(broken()));
        }
        let answer = self.inner.call(http);
        HttpConnectorFuture::new(async move {
            let answer = answer.await;
            match fault {
                Fault::AnswerLost => Err(broken()),
                _ => answer,
            }
        })
    }
}
