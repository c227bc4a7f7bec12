//! A request in one line, with the names and values in their places.

use crate::recorder::Sent;
use serde_json::Value;

/// `Query ExamStudyApp GSI1: GSI1PK = "QUESTION#FE-2023-01"`.
pub(crate) fn line(sent: &Sent) -> String {
    let Sent { operation, body } = sent;
    let what = match operation.as_str() {
        "TransactWriteItems" | "TransactGetItems" => together(&body["TransactItems"]),
        "BatchGetItem" | "BatchWriteItem" => batch(&body["RequestItems"]),
        _ => one(body),
    };
    format!("{operation} {what}")
}

/// The operations of a transaction.
fn together(operations: &Value) -> String {
    let operations = operations.as_array().into_iter().flatten();
    let lines = operations.flat_map(|operation| {
        let kinds = operation.as_object().into_iter().flatten();
        kinds.map(|(kind, body)| format!("{kind} {}", one(body)))
    });
    lines.collect::<Vec<_>>().join("; ")
}

fn batch(tables: &Value) -> String {
    let tables = tables.as_object().into_iter().flatten();
    let tables = tables.map(|(table, requests)| {
        let keys = requests["Keys"].as_array().or(requests.as_array());
        format!("{table}: {} items", keys.map_or(0, Vec::len))
    });
    tables.collect::<Vec<_>>().join(", ")
}

/// One request, or one operation of a transaction.
fn one(body: &Value) -> String {
    let table = body["TableName"].as_str().unwrap_or_default();
    let index = body["IndexName"].as_str();
    let mut line = table.to_owned();
    if let Some(index) = index {
        line += &format!(" {index}");
    }
    let mut parts = Vec::new();
    let key = &body["Key"];
    if key.is_object() {
        parts.push(attributes(key));
    }
    let expressions = [
        ("KeyConditionExpression", ""),
        ("UpdateExpression", ""),
        ("ConditionExpression", "if "),
        ("FilterExpression", "filter "),
        ("ProjectionExpression", "only "),
    ];
    for (name, label) in expressions {
        if let Some(text) = body[name].as_str() {
            parts.push(format!("{label}{}", resolved(text, body)));
        }
    }
    if body["ScanIndexForward"] == Value::Bool(false) {
        parts.push("newest first".into());
    }
    if let Some(limit) = body["Limit"].as_u64() {
        parts.push(format!("at most {limit}"));
    }
    if !parts.is_empty() {
        line += &format!(": {}", parts.join(", "));
    }
    line
}

fn attributes(item: &Value) -> String {
    let mut attributes: Vec<_> = item.as_object().into_iter().flatten().collect();
    attributes.sort_by_key(|(name, _)| name.as_str());
    let attributes = attributes.into_iter();
    let texts = attributes.map(|(name, value)| format!("{name} = {}", shown(value)));
    texts.collect::<Vec<_>>().join(", ")
}

/// An expression with the aliases replaced by what they stand for.
fn resolved(expression: &str, body: &Value) -> String {
    let (names, values) = (
        &body["ExpressionAttributeNames"],
        &body["ExpressionAttributeValues"],
    );
    let is_alias = |c: char| c.is_ascii_alphanumeric() || c == '#' || c == ':' || c == '_';
    let (mut out, mut rest) = (String::new(), expression);
    while let Some(start) = rest.find(['#', ':']) {
        out += &rest[..start];
        let alias = &rest[start..];
        let end = alias.find(|c| !is_alias(c)).unwrap_or(alias.len());
        let (alias, after) = alias.split_at(end);
        match (names[alias].as_str(), &values[alias]) {
            (Some(name), _) => out += name,
            (None, Value::Null) => out += alias,
            (None, value) => out += &shown(value),
        }
        rest = after;
    }
    out + rest
}

/// A value of DynamoDB as a person would write it.
fn shown(value: &Value) -> String {
    const LONG: usize = 60;
    let mut kinds = value.as_object().into_iter().flatten();
    let text = match kinds.next() {
        Some((kind, inner)) => match (kind.as_str(), inner) {
            ("S", Value::String(text)) => format!("{text:?}"),
            ("N", Value::String(number)) => number.clone(),
            (_, inner) => inner.to_string(),
        },
        None => value.to_string(),
    };
    match text.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
