//! A database with sample data, and items as the SDK has them.

use crate::simulator::as_tester;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{Dynamo, Table};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) type Item = HashMap<String, AttributeValue>;
pub(crate) type Outcome<T = ()> = Result<T, dynamo_model_examples::Failure>;

/// Returns separate tables: on the embedded engine, or on the one that `DYNAMO_ENDPOINT` names,
/// where they stay.
pub(crate) fn database() -> Outcome<Dynamo> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let Some(url) = endpoint() else {
        return Ok(Dynamo::embedded()?);
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    Ok(Dynamo::endpoint(url).with_table_prefix(format!("t{now:x}-{next}-")))
}

/// Returns the same tables, with the rights of the service's role. Other engines have prefixed
/// tables, so the policy is not for them.
pub(crate) fn as_service(schema: &str, db: Dynamo) -> Dynamo {
    match endpoint() {
        Some(_) => db,
        None => crate::simulator::as_service(schema, &db, ""),
    }
}

/// Returns the same tables, with the rights of the role that migrates.
pub(crate) fn as_operator(schema: &str, db: Dynamo) -> Dynamo {
    match endpoint() {
        Some(_) => db,
        None => crate::simulator::as_role(schema, "migration-policy.json", &db, ""),
    }
}

pub(crate) fn endpoint() -> Option<String> {
    let url = std::env::var("DYNAMO_ENDPOINT").ok();
    url.filter(|url| !url.is_empty())
}

/// Returns whether transactions are not isolated, so concurrent ones cannot be tested: in moto, a
/// refused one restores its tables, and undoes concurrent writes of others.
pub(crate) fn without_isolation() -> bool {
    if is_moto() {
        eprintln!("skipped on moto: transactions at the same time");
    }
    is_moto()
}

pub(crate) fn is_moto() -> bool {
    std::env::var("DYNAMO_ENGINE").is_ok_and(|engine| engine == "moto")
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Does the same for every number below `count`, all at once; in the order of the numbers.
pub(crate) async fn at_once<T, F>(count: usize, task: impl Fn(usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let tasks: Vec<_> = (0..count)
        .map(|number| tokio::spawn(task(number)))
        .collect();
    let mut results = Vec::with_capacity(count);
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}

/// Converts a JSON object to an item, to store the documents' items unchanged.
pub(crate) fn item(json: Value) -> Item {
    match attribute(json) {
        AttributeValue::M(item) => item,
        other => panic!("an item is an object, not {other:?}"),
    }
}

fn attribute(json: Value) -> AttributeValue {
    match json {
        Value::Null => AttributeValue::Null(true),
        Value::Bool(value) => AttributeValue::Bool(value),
        Value::Number(number) => AttributeValue::N(number.to_string()),
        Value::String(text) => AttributeValue::S(text),
        Value::Array(values) => AttributeValue::L(values.into_iter().map(attribute).collect()),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            AttributeValue::M(fields.map(|(name, it)| (name, attribute(it))).collect())
        }
    }
}

/// Stores an item unchanged.
pub(crate) async fn put_raw<T: Table>(db: &Dynamo, item: Item) -> Outcome {
    let request = db.client().put_item();
    let request = request.table_name(db.table_name(&T::SCHEMA));
    request.set_item(Some(item)).send().await?;
    Ok(())
}

/// Returns the number of items of a small table, also of one that is declared `no_scan`.
pub(crate) async fn stored<T: Table>(db: &Dynamo) -> Outcome<usize> {
    let request = db.client().scan().table_name(db.table_name(&T::SCHEMA));
    Ok(as_tester(request.send())
        .await?
        .items
        .unwrap_or_default()
        .len())
}

/// Returns the stored item with the key of this one.
pub(crate) async fn get_raw<T: Table>(db: &Dynamo, item: &Item) -> Outcome<Item> {
    let keys = [Some(T::SCHEMA.pk), T::SCHEMA.sk].into_iter().flatten();
    let key = keys.map(|key| (key.name.to_owned(), item[key.name].clone()));
    let request = db.client().get_item();
    let request = request.table_name(db.table_name(&T::SCHEMA));
    let found = request.set_key(Some(key.collect())).send().await?;
    Ok(found.item.unwrap_or_default())
}
