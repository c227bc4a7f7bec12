//! The embedded engine: DynamoDB in the process, behind the SDK's own HTTP interface.
//!
//! The SDK signs, serializes and retries as always; only the last step, sending the request, is ours: it
//! is handed to the engine by the operation its `x-amz-target` header names. The choice of engine is known
//! to this file alone.
//!
//! The engine works on the thread that calls it, so calls go to tokio's blocking threads.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use dynoxide::actions::get_records::GetRecordsRequest;
use dynoxide::actions::query::QueryRequest;
use dynoxide::actions::scan::ScanRequest;
use dynoxide::actions::update_item::{UpdateItemRequest, UpdateItemResponse};
use dynoxide::errors::DynoxideError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::path::Path;

/// What a page is read from. Without a limit the engine reads all that is left of the table, or of the partition, and keeps
/// what fits into 1 MB: a table would be read as often as it has pages. Items so small that more of them fit have hardly more
/// than a key; of those, a page ends here.
const MAX_ITEMS_READ: usize = 32 * 1024;

/// The engine; a clone is another handle to the same data.
#[derive(Clone)]
pub(crate) struct Engine {
    database: dynoxide::Database,
}

impl Engine {
    /// Data in memory, gone with the last handle.
    pub(crate) fn in_memory() -> Result<Self, String> {
        let database = dynoxide::Database::memory().map_err(|error| error.to_string())?;
        Ok(Self { database })
    }

    /// Data in a file, made if it is not there.
    pub(crate) fn on_file(path: &Path) -> Result<Self, String> {
        let path = path.to_str().ok_or("the path is not UTF-8")?;
        let database = dynoxide::Database::new(path).map_err(|error| error.to_string())?;
        Ok(Self { database })
    }

    /// Deletes what has expired, as DynamoDB does some time later; returns how many.
    pub(crate) fn sweep_expired(&self) -> Result<usize, String> {
        self.database.sweep_ttl().map_err(|error| error.to_string())
    }

    /// Status and body of the answer to one request.
    fn answer(&self, target: &str, body: &str) -> (u16, String) {
        let operation = target.rsplit('.').next().unwrap_or(target);
        match dispatch(&self.database, operation, body) {
            Some(Ok(json)) => (200, json),
            Some(Err(error)) if error.status_code() >= 500 => (500, failure(&error)),
            Some(Err(error)) => (error.status_code(), error.to_json()),
            None => (400, unknown(operation)),
        }
    }
}

/// A code of its own: a full disk is a failure of the embedded engine, not of DynamoDB.
fn failure(error: &DynoxideError) -> String {
    serde_json::json!({
        "__type": format!("com.amazon.coral.service#{}", crate::error::ENGINE_FAILURE),
        "message": error.to_string(),
    })
    .to_string()
}

/// What DynamoDB answers where it has no such operation.
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

type Answer = Result<String, DynoxideError>;

/// `None` where the engine has no such operation.
fn dispatch(db: &dynoxide::Database, operation: &str, body: &str) -> Option<Answer> {
    Some(match operation {
        "CreateTable" => run(body, |request| db.create_table(request)),
        "DeleteTable" => run(body, |request| db.delete_table(request)),
        "DescribeTable" => run(body, |request| db.describe_table(request)),
        "ListTables" => run(body, |request| db.list_tables(request)),
        "UpdateTable" => run(body, |request| db.update_table(request)),
        "PutItem" => run(body, |request| db.put_item(request)),
        "GetItem" => run(body, |request| db.get_item(request)),
        "DeleteItem" => run(body, |request| db.delete_item(request)),
        "UpdateItem" => run(body, |request| update_item(db, request)),
        "Query" => run(body, |mut request: QueryRequest| {
            request.limit.get_or_insert(MAX_ITEMS_READ);
            db.query(request)
        }),
        "Scan" => run(body, |mut request: ScanRequest| {
            request.limit.get_or_insert(MAX_ITEMS_READ);
            db.scan(request)
        }),
        "BatchGetItem" => run(body, |request| db.batch_get_item(request)),
        "BatchWriteItem" => run(body, |request| db.batch_write_item(request)),
        "TransactWriteItems" => run(body, |request| db.transact_write_items(request)),
        "TransactGetItems" => run(body, |request| db.transact_get_items(request)),
        "UpdateTimeToLive" => run(body, |request| db.update_time_to_live(request)),
        "DescribeTimeToLive" => run(body, |request| db.describe_time_to_live(request)),
        "ListStreams" => run(body, |request| db.list_streams(request)),
        "DescribeStream" => run(body, |request| db.describe_stream(request)),
        "GetShardIterator" => run(body, |request| db.get_shard_iterator(request)),
        "GetRecords" => run(body, |request| get_records(db, request)),
        "TagResource" => run_unit(body, |request| db.tag_resource(request)),
        "UntagResource" => run_unit(body, |request| db.untag_resource(request)),
        "ListTagsOfResource" => run(body, |request| db.list_tags_of_resource(request)),
        _ => return None,
    })
}

/// Of an item that was not there, the engine returns the key as the old item; DynamoDB returns nothing.
fn update_item(
    db: &dynoxide::Database,
    request: UpdateItemRequest,
) -> Result<UpdateItemResponse, DynoxideError> {
    let key = request.key.clone();
    let wants_old = request.return_values.as_deref() == Some("ALL_OLD");
    let mut response = db.update_item(request)?;
    response.attributes = response.attributes.filter(|old| !wants_old || *old != key);
    Ok(response)
}

/// Who deleted an item is told in the words of Lambda's events; DynamoDB's own interface writes them otherwise.
fn get_records(
    db: &dynoxide::Database,
    request: GetRecordsRequest,
) -> Result<serde_json::Value, DynoxideError> {
    let mut response = serde_json::to_value(db.get_records(request)?)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))?;
    let records = response["Records"].as_array_mut().into_iter().flatten();
    for identity in records.filter_map(|record| record.get_mut("userIdentity")) {
        *identity = serde_json::json!({
            "PrincipalId": identity["principalId"].take(),
            "Type": identity["type"].take(),
        });
    }
    Ok(response)
}

/// Reads the request, runs it, writes the response.
fn run<Q: DeserializeOwned, A: Serialize>(
    body: &str,
    operation: impl FnOnce(Q) -> Result<A, DynoxideError>,
) -> Answer {
    let request = serde_json::from_str(body)
        .map_err(|error| DynoxideError::ValidationException(error.to_string()))?;
    serde_json::to_string(&operation(request)?)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

/// Likewise, for an operation whose response is empty.
fn run_unit<Q: DeserializeOwned, A>(
    body: &str,
    operation: impl FnOnce(Q) -> Result<A, DynoxideError>,
) -> Answer {
    run(body, |request| {
        operation(request).map(|_| serde_json::json!({}))
    })
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
        let engine = self.clone();
        HttpConnectorFuture::new(async move {
            let target = request
                .headers()
                .get("x-amz-target")
                .unwrap_or_default()
                .to_owned();
            let body = request.body().bytes().unwrap_or_default().to_vec();
            let answer = tokio::task::spawn_blocking(move || {
                engine.answer(&target, &String::from_utf8_lossy(&body))
            });
            let (status, body) = answer
                .await
                .map_err(|error| ConnectorError::other(error.into(), None))?;
            let status = StatusCode::try_from(status)
                .map_err(|error| ConnectorError::other(error.into(), None))?;
            let mut response = HttpResponse::new(status, SdkBody::from(body));
            response
                .headers_mut()
                .insert("content-type", "application/x-amz-json-1.0");
            Ok(response)
        })
    }
}
