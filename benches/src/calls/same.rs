//! Compares two requests by meaning: libraries name their placeholders differently, and some
//! request the consumed capacity.

use serde_json::{Map, Value};

/// Describes the effect of requests, independently of the library.
pub(super) fn meaning(requests: &[Value]) -> String {
    let requests: Vec<_> = requests.iter().map(plain).collect();
    Value::Array(requests).to_string()
}

/// Fields without an effect on the table.
const SIDE: [&str; 5] = [
    "ClientRequestToken",
    "ReturnConsumedCapacity",
    "ReturnItemCollectionMetrics",
    "ReturnValues",
    "ReturnValuesOnConditionCheckFailure",
];

fn plain(request: &Value) -> Value {
    match request {
        Value::Object(fields) => Value::Object(plain_fields(fields)),
        Value::Array(values) => values.iter().map(plain).collect(),
        other => other.clone(),
    }
}

fn plain_fields(fields: &Map<String, Value>) -> Map<String, Value> {
    let placeholder = |name: &str| name.starts_with("ExpressionAttribute");
    let kept = fields.iter();
    let kept = kept.filter(|(name, _)| !SIDE.contains(&name.as_str()) && !placeholder(name));
    kept.map(|(name, value)| {
        let value = match value.as_str() {
            Some(text) if name.ends_with("Expression") => Value::Array(clauses(text, fields)),
            _ => plain(value),
        };
        (name.clone(), value)
    })
    .collect()
}

/// `SET #a = :b, c = :d` as `["SET address = …", "SET c = …"]`, in alphabetical order.
fn clauses(expression: &str, fields: &Map<String, Value>) -> Vec<Value> {
    let mut clauses = Vec::new();
    let (mut keyword, mut clause) = (String::new(), String::new());
    let close = |keyword: &str, clause: &mut String, clauses: &mut Vec<String>| {
        if !clause.is_empty() {
            clauses.push(format!("{keyword}{clause}"));
        }
        clause.clear();
    };
    for token in tokens(expression) {
        match token.as_str() {
            "SET" | "ADD" | "REMOVE" | "DELETE" => {
                close(&keyword, &mut clause, &mut clauses);
                keyword = format!("{token} ");
            }
            "," => close(&keyword, &mut clause, &mut clauses),
            _ => clause.push_str(&known(&token, fields)),
        }
    }
    close(&keyword, &mut clause, &mut clauses);
    clauses.sort();
    clauses.into_iter().map(Value::String).collect()
}

/// Returns words, and every other character separately, without spaces.
fn tokens(expression: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for character in expression.chars() {
        let word = character.is_alphanumeric() || "_#:".contains(character);
        match tokens.last_mut() {
            Some(last) if word && in_word => last.push(character),
            _ if character.is_whitespace() => {}
            _ => tokens.push(character.into()),
        }
        in_word = word;
    }
    tokens
}

/// Returns a placeholder's name or value.
fn known(token: &str, fields: &Map<String, Value>) -> String {
    let names = fields.get("ExpressionAttributeNames");
    let values = fields.get("ExpressionAttributeValues");
    let name = names.and_then(|names| names[token].as_str());
    let value = values.and_then(|values| values.get(token));
    let value = value.map(Value::to_string);
    name.map(str::to_owned)
        .or(value)
        .unwrap_or_else(|| token.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_are_compared_without_their_placeholder_names() {
        let one = json!({
            "UpdateExpression": "SET #a = :a, paid=:b",
            "ExpressionAttributeNames": { "#a": "address" },
            "ExpressionAttributeValues": { ":a": { "S": "x" }, ":b": { "BOOL": true } },
            "ReturnConsumedCapacity": "TOTAL",
        });
        let other = json!({
            "UpdateExpression": "SET paid = :0, address = :1",
            "ExpressionAttributeValues": { ":1": { "S": "x" }, ":0": { "BOOL": true } },
        });
        let third = json!({
            "UpdateExpression": "SET paid = :0, address = :1",
            "ExpressionAttributeValues": { ":1": { "S": "y" }, ":0": { "BOOL": true } },
        });
        assert_eq!(meaning(std::slice::from_ref(&one)), meaning(&[other]));
        assert_ne!(meaning(&[one]), meaning(&[third]));
    }
}
