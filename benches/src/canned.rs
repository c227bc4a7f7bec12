//! A mock DynamoDB with one canned response: no socket, no waiting, so that only the work of the
//! client is measured. The SDK signs, serializes and reads as usual.

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Region};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// A canned response: an operation of DynamoDB, and the body.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// As the header `x-amz-target` names it, without the service's version: `GetItem`.
    pub(crate) operation: &'static str,
    /// DynamoDB JSON. A clone of it is another handle to the same bytes.
    pub(crate) body: Bytes,
}

/// The requests that were sent, oldest first.
pub(crate) type Requests = Arc<Mutex<Vec<Value>>>;

#[derive(Debug, Clone)]
struct Canned {
    answer: Answer,
    /// Only for tests; measurements record nothing.
    requests: Option<Requests>,
}

/// Returns the same client for every library.
#[must_use]
pub(crate) fn client(answer: Answer) -> Client {
    build(Canned {
        answer,
        requests: None,
    })
}

/// Returns the same recording the requests.
#[must_use]
pub(crate) fn recording_client(answer: Answer) -> (Client, Requests) {
    let requests = Requests::default();
    let client = build(Canned {
        answer,
        requests: Some(requests.clone()),
    });
    (client, requests)
}

/// Returns the SDK's defaults, except for credentials, region and network, which it would read from
/// the machine.
fn build(canned: Canned) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("ap-northeast-1"))
        .credentials_provider(Credentials::new("bench", "bench", None, None, "bench"))
        .http_client(canned)
        .build();
    Client::from_conf(config)
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
        HttpConnectorFuture::ready(self.respond(&request))
    }
}

impl Canned {
    fn respond(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        if target.rsplit('.').next() != Some(self.answer.operation) {
            let unexpected = format!("no canned response for `{target}`");
            return Err(ConnectorError::user(unexpected.into()));
        }
        if let Some(requests) = &self.requests {
            let body = request.body().bytes().unwrap_or_default();
            let body = serde_json::from_slice(body).unwrap_or_default();
            let mut requests = requests.lock().unwrap_or_else(PoisonError::into_inner);
            requests.push(body);
        }
        let body = SdkBody::from(self.answer.body.clone());
        let status = 200_u16
            .try_into()
            .map_err(|_| ConnectorError::user("200 is a status".into()))?;
        let mut response = HttpResponse::new(status, body);
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        headers.insert(
            "x-amzn-requestid",
            "BENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCH1",
        );
        Ok(response)
    }
}
