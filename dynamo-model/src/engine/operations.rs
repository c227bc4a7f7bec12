//! The operations of DynamoDB by their names, with corrections where the engine differs from
//! DynamoDB.

use super::page;
use super::tokens::Tokens;
use dynoxide::actions::get_records::GetRecordsRequest;
use dynoxide::actions::query::QueryRequest;
use dynoxide::actions::scan::ScanRequest;
use dynoxide::actions::update_item::{UpdateItemRequest, UpdateItemResponse};
use dynoxide::errors::DynoxideError;
use serde::Serialize;
use serde::de::DeserializeOwned;

type Answer = Result<String, DynoxideError>;

/// Returns `None` for an operation that the engine does not have.
pub(super) fn dispatch(
    db: &dynoxide::Database,
    tokens: &Tokens,
    operation: &str,
    body: &str,
) -> Option<Answer> {
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
        "Query" => page::read::<QueryRequest>(db, body),
        "Scan" => page::read::<ScanRequest>(db, body),
        "BatchGetItem" => run(body, |request| db.batch_get_item(request)),
        "BatchWriteItem" => run(body, |request| db.batch_write_item(request)),
        "TransactWriteItems" => run(body, |request| tokens.transact_write(db, request)),
        "TransactGetItems" => run(body, |request| db.transact_get_items(request)),
        "SearchVectors" => run(body, |request| db.search_vectors(request)),
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

/// Updates an item. For an item that did not exist, the engine returns the key as the old item, and
/// DynamoDB returns nothing.
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

/// Reads stream records. The engine names the deleter of an item as Lambda's events do; DynamoDB's
/// API uses other names.
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
    write(&operation(parse(body)?)?)
}

pub(super) fn parse<Q: DeserializeOwned>(body: &str) -> Result<Q, DynoxideError> {
    serde_json::from_str(body)
        .map_err(|error| DynoxideError::ValidationException(error.to_string()))
}

pub(super) fn write(response: &impl Serialize) -> Answer {
    serde_json::to_string(response)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

/// Runs an operation whose response is empty.
fn run_unit<Q: DeserializeOwned, A>(
    body: &str,
    operation: impl FnOnce(Q) -> Result<A, DynoxideError>,
) -> Answer {
    run(body, |request| {
        operation(request).map(|_| serde_json::json!({}))
    })
}
