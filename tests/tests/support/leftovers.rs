//! Requests that are done in part: batches with leftovers, pages that end early.

use super::random::Random;
use serde_json::{Map, Value, json};

/// The part of a request that is left unprocessed.
pub struct Left {
    /// The field of the response that lists it; empty for a page.
    pub name: &'static str,
    pub requests: Value,
    pub nothing_remains: bool,
}

pub fn can_be_in_part(operation: &str) -> bool {
    matches!(
        operation,
        "BatchWriteItem" | "BatchGetItem" | "Query" | "Scan"
    )
}

/// Takes some of it out of a request.
pub fn take(operation: &str, body: &mut Value, random: &mut Random) -> Left {
    if !operation.starts_with("Batch") {
        let limit = body["Limit"].as_u64().unwrap_or(1000);
        body["Limit"] = json!(limit.min(1 + random.below(4)));
        return Left {
            name: "",
            requests: Value::Null,
            nothing_remains: false,
        };
    }
    let is_write = operation == "BatchWriteItem";
    // Sometimes all items are left unprocessed.
    let percent = random.one_of(&[100, 50, 10]);
    let mut left = Map::new();
    let tables = body["RequestItems"].as_object_mut().unwrap();
    for (table, requests) in &mut *tables {
        let requests = match is_write {
            true => requests,
            false => &mut requests["Keys"],
        };
        let all = requests.as_array().unwrap().clone();
        let (taken, kept) = all.into_iter().partition(|_| random.chance(percent));
        *requests = Value::Array(kept);
        let taken: Vec<Value> = taken;
        if !taken.is_empty() {
            let taken = match is_write {
                true => Value::Array(taken),
                false => json!({ "Keys": taken }),
            };
            left.insert(table.clone(), taken);
        }
    }
    tables.retain(|_, requests| match is_write {
        true => requests.as_array().is_some_and(|it| !it.is_empty()),
        false => requests["Keys"].as_array().is_some_and(|it| !it.is_empty()),
    });
    Left {
        name: if is_write {
            "UnprocessedItems"
        } else {
            "UnprocessedKeys"
        },
        nothing_remains: tables.is_empty(),
        requests: Value::Object(left),
    }
}
