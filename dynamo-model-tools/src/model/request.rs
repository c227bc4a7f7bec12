//! A request to DynamoDB: the tables and indexes that it uses, and its readable form.

use core::fmt;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// A request, as sent to DynamoDB.
///
/// ```
/// use dynamo_model_tools::Request;
/// use serde_json::json;
///
/// let request = Request::new("Query", json!({
///     "TableName": "App",
///     "IndexName": "GSI1",
///     "KeyConditionExpression": "#n0 = :v0",
///     "ExpressionAttributeNames": { "#n0": "GSI1PK" },
///     "ExpressionAttributeValues": { ":v0": { "S": "USER#u1" } },
/// }));
/// assert_eq!(request.to_string(), "Query App GSI1: GSI1PK = \"USER#u1\"");
/// assert_eq!(request.targets()[0].action, "Query");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// As DynamoDB calls it.
    pub operation: String,
    /// The JSON body.
    pub body: Value,
}

/// The use of one table or index by a request.
///
/// ```
/// use dynamo_model_tools::Request;
/// use serde_json::json;
///
/// let delete = json!({ "Delete": { "TableName": "App", "Key": { "PK": { "S": "USER#u1" } } } });
/// let request = Request::new("TransactWriteItems", json!({ "TransactItems": [delete] }));
/// let target = &request.targets()[0];
/// assert_eq!((target.action.as_str(), target.table.as_str()), ("DeleteItem", "App"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Target {
    /// The IAM action that it needs: `PutItem` for a put, in a transaction or alone.
    pub action: String,
    /// The table.
    pub table: String,
    /// The index, where it is not the table itself.
    pub index: Option<String>,
}

impl Request {
    /// Makes a request.
    pub fn new(operation: impl Into<String>, body: Value) -> Self {
        Self {
            operation: operation.into(),
            body,
        }
    }

    /// Returns the tables and indexes that it uses: for each operation of a transaction, for each
    /// table of a batch.
    #[must_use]
    pub fn targets(&self) -> Vec<Target> {
        let target = |action: &str, table: &str, index: Option<&str>| Target {
            action: action.to_owned(),
            table: table.to_owned(),
            index: index.map(str::to_owned),
        };
        let name = |body: &Value| body["TableName"].as_str().unwrap_or_default().to_owned();
        match self.operation.as_str() {
            "TransactWriteItems" | "TransactGetItems" => self
                .transacted()
                .map(|(kind, body)| target(&action(kind), &name(body), None))
                .collect(),
            "BatchGetItem" | "BatchWriteItem" => {
                let tables = self.body["RequestItems"].as_object().into_iter().flatten();
                tables
                    .map(|(table, _)| target(&self.operation, table, None))
                    .collect()
            }
            operation => {
                let index = self.body["IndexName"].as_str();
                vec![target(operation, &name(&self.body), index)]
            }
        }
    }

    /// Returns whether it changes an item.
    #[must_use]
    pub fn writes(&self) -> bool {
        let reads = [
            "GetItem",
            "BatchGetItem",
            "TransactGetItems",
            "Query",
            "Scan",
        ];
        !reads.contains(&self.operation.as_str())
    }

    /// Returns a readable form of the request: of a long batch or transaction the first few
    /// operations.
    #[must_use]
    pub fn shortened(&self) -> Value {
        const SHOWN: usize = 3;
        let mut body = self.body.clone();
        let tables = body["RequestItems"].as_object_mut().into_iter().flatten();
        for (_, requests) in tables {
            let list = match requests {
                Value::Object(keys) => keys.get_mut("Keys").and_then(Value::as_array_mut),
                other => other.as_array_mut(),
            };
            if let Some(list) = list {
                list.truncate(SHOWN);
            }
        }
        if let Some(list) = body["TransactItems"].as_array_mut() {
            list.truncate(SHOWN);
        }
        // Asking for a field puts a null in its place.
        if let Some(fields) = body.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        body
    }

    /// Returns the operations of a transaction: `Put`, and its contents.
    pub(crate) fn transacted(&self) -> impl Iterator<Item = (&str, &Value)> {
        let operations = self.body["TransactItems"].as_array().into_iter().flatten();
        operations.flat_map(|operation| {
            let kinds = operation.as_object().into_iter().flatten();
            kinds.map(|(kind, body)| (kind.as_str(), body))
        })
    }
}

/// A long batch is shortened.
impl Serialize for Request {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = json!({
            "operation": self.operation,
            "text": self.to_string(),
            "body": self.shortened(),
        });
        value.serialize(serializer)
    }
}

/// Returns the IAM action of an operation of a transaction.
fn action(kind: &str) -> String {
    match kind {
        "ConditionCheck" => "ConditionCheckItem".into(),
        kind => format!("{kind}Item"),
    }
}

/// In one line, with the names and values in their places:
/// `Query ExamStudyApp GSI1: GSI1PK = "QUESTION#FE-2023-01"`.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.operation.as_str() {
            "TransactWriteItems" | "TransactGetItems" => {
                let lines = self
                    .transacted()
                    .map(|(kind, body)| format!("{kind} {}", one(body)));
                lines.collect::<Vec<_>>().join("; ")
            }
            "BatchGetItem" | "BatchWriteItem" => batch(&self.body["RequestItems"]),
            _ => one(&self.body),
        };
        write!(f, "{} {what}", self.operation)
    }
}

fn batch(tables: &Value) -> String {
    let tables = tables.as_object().into_iter().flatten();
    let tables = tables.map(|(table, requests)| {
        let keys = requests["Keys"].as_array().or(requests.as_array());
        format!("{table}: {} items", keys.map_or(0, Vec::len))
    });
    tables.collect::<Vec<_>>().join(", ")
}

/// Returns one request, or one operation of a transaction.
fn one(body: &Value) -> String {
    let table = body["TableName"].as_str().unwrap_or_default();
    let mut line = table.to_owned();
    if let Some(index) = body["IndexName"].as_str() {
        line += &format!(" {index}");
    }
    let mut parts = Vec::new();
    if body["Key"].is_object() {
        parts.push(attributes(&body["Key"]));
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

/// Returns an expression with its aliases resolved.
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

/// Returns a value of DynamoDB as people write it, cut if it is long.
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
