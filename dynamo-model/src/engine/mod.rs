//! The embedded engine: DynamoDB in the process, behind the SDK's own HTTP interface.
//!
//! The SDK signs, serializes and retries as usual. Only the last step, sending the request, is
//! replaced: the `x-amz-target` header names the operation, which goes to the engine. Only this
//! module knows the engine.
//!
//! The engine works on the thread that calls it, so it takes a few of tokio's blocking threads
//! ([`workers`]).

mod database;
mod file;
mod operations;
mod page;
pub(crate) mod sweep;
mod tokens;
mod workers;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use dynoxide::errors::DynoxideError;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use tokens::Tokens;
use workers::Workers;

/// The engine; a clone is another handle to the same data.
#[derive(Clone)]
pub(crate) struct Engine(Arc<Inner>);

struct Inner {
    database: database::Shared,
    tokens: Tokens,
    workers: Workers,
}

impl Engine {
    /// Opens a database in memory, which lives as long as its handles.
    pub(crate) fn in_memory() -> Result<Self, String> {
        database::in_memory().map(Self::new)
    }

    /// Opens a file, or creates it. Handles of one file share one engine, so that all of them see
    /// each other's tables. Fails if the file is not a database.
    pub(crate) fn on_file(path: &Path) -> Result<Self, String> {
        file::open(path)
    }

    fn new(database: database::Shared) -> Self {
        Self(Arc::new(Inner {
            database,
            tokens: Tokens::default(),
            workers: Workers::new(),
        }))
    }

    /// Deletes expired items, as DynamoDB does some time later; returns their number.
    pub(crate) fn sweep_expired(&self) -> Result<usize, String> {
        let swept = self.0.database.current().sweep_ttl();
        swept.map_err(|error| error.to_string())
    }
}

impl Inner {
    /// Returns the status and body of the response to one request.
    fn answer(&self, target: &str, body: &str) -> (u16, String) {
        let operation = target.rsplit('.').next().unwrap_or(target);
        match operations::dispatch(&self.database.current(), &self.tokens, operation, body) {
            Some(Ok(json)) => (200, json),
            Some(Err(error)) if error.status_code() >= 500 => (400, failure(&error)),
            Some(Err(error)) => (error.status_code(), error.to_json()),
            None => (400, unknown(operation)),
        }
    }
}

/// A full disk or a damaged file is a failure of the engine, not of DynamoDB, so it has a separate
/// code. The engine writes a whole request or none of it, so the failure is as certain as a
/// refusal. A file that another process holds is worth another attempt.
fn failure(error: &DynoxideError) -> String {
    let message = error.to_string();
    let code = match message.contains("database is locked") {
        true => "ThrottlingException",
        false => crate::error::ENGINE_FAILURE,
    };
    serde_json::json!({
        "__type": format!("com.amazon.coral.service#{code}"),
        "message": message,
    })
    .to_string()
}

/// DynamoDB's response to an unknown operation.
fn unknown(operation: &str) -> String {
    serde_json::json!({
        "__type": "com.amazon.coral.service#UnknownOperationException",
        "message": format!("the embedded engine has no operation `{operation}`"),
    })
    .to_string()
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl HttpClient for Engine {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Engine {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let engine = Arc::clone(&self.0);
        HttpConnectorFuture::new(async move {
            let target = request.headers().get("x-amz-target");
            let target = target.unwrap_or_default().to_owned();
            let body = request.body().bytes().unwrap_or_default().to_vec();
            let worker = Arc::clone(&engine);
            let answer = engine
                .workers
                .run(move || worker.answer(&target, &String::from_utf8_lossy(&body)));
            let (status, body) = answer
                .await
                .ok_or_else(|| ConnectorError::other("the embedded engine stopped".into(), None))?;
            let status = StatusCode::try_from(status)
                .map_err(|error| ConnectorError::other(error.into(), None))?;
            let mut response = HttpResponse::new(status, SdkBody::from(body));
            let headers = response.headers_mut();
            headers.insert("content-type", "application/x-amz-json-1.0");
            Ok(response)
        })
    }
}
