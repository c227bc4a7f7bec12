//! Whether the policy of a user allows a request: its partition keys are compared with the caller's
//! own.

use super::{any, matches, needs};
use serde_json::Value;
use std::collections::BTreeMap;

/// The attribute of the partition key of each table and index, by resource: `table/App/index/GSI1`.
#[derive(Debug)]
pub(crate) struct PartitionKeys(BTreeMap<String, String>);

impl PartitionKeys {
    /// Of the tables in `create-table.json`; `prefix` is the prefix of their deployed names.
    pub(crate) fn new(create_table: &Value, prefix: &str) -> Self {
        let mut keys = BTreeMap::new();
        for table in create_table["CreateTable"].as_array().unwrap() {
            let resource = format!("table/{prefix}{}", table["TableName"].as_str().unwrap());
            let pk = |of: &Value| {
                let key = of["KeySchema"].as_array().unwrap().iter();
                let mut hash = key.filter(|it| it["KeyType"] == "HASH");
                hash.next().unwrap()["AttributeName"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            };
            for index in table["GlobalSecondaryIndexes"]
                .as_array()
                .into_iter()
                .flatten()
            {
                let name = index["IndexName"].as_str().unwrap();
                keys.insert(format!("{resource}/index/{name}"), pk(index));
            }
            keys.insert(resource, pk(table));
        }
        Self(keys)
    }

    /// The partition keys that a request names, of one kind of request: an item or a partition.
    pub(crate) fn of(&self, resource: &str, operation: &str, body: &Value) -> Vec<String> {
        let Some(pk) = self.0.get(resource) else {
            return Vec::new();
        };
        let text = |item: &Value| item[pk]["S"].as_str().map(str::to_owned);
        match operation {
            "Query" => queried(pk, body).into_iter().collect(),
            "TransactWriteItems" | "TransactGetItems" => {
                let parts = body["TransactItems"].as_array().unwrap().iter();
                let parts = parts.flat_map(|part| part.as_object().unwrap().values());
                let here =
                    parts.filter(|it| resource.split('/').nth(1) == it["TableName"].as_str());
                here.filter_map(|it| text(&it["Key"]).or(text(&it["Item"])))
                    .collect()
            }
            "BatchGetItem" | "BatchWriteItem" => {
                let table = resource.split('/').nth(1).unwrap();
                let requests = &body["RequestItems"][table];
                let all = requests["Keys"].as_array().or(requests.as_array());
                let all = all.into_iter().flatten();
                all.filter_map(|it| {
                    let written = [&it["PutRequest"]["Item"], &it["DeleteRequest"]["Key"], it];
                    written.into_iter().find_map(text)
                })
                .collect()
            }
            _ => text(&body["Key"])
                .or(text(&body["Item"]))
                .into_iter()
                .collect(),
        }
    }
}

/// Returns the value that a query compares the partition key with.
fn queried(pk: &str, body: &Value) -> Option<String> {
    let condition = body["KeyConditionExpression"].as_str()?;
    let equal = condition.split(" AND ").find_map(|it| {
        let (name, value) = it.split_once(" = ")?;
        let name = body["ExpressionAttributeNames"][name]
            .as_str()
            .unwrap_or(name);
        (name == pk).then_some(value)
    })?;
    body["ExpressionAttributeValues"][equal]["S"]
        .as_str()
        .map(str::to_owned)
}

/// Returns whether the policy allows a request of a user whose tag has this value.
pub(crate) fn allows_user(
    policy: &Value,
    keys: &PartitionKeys,
    user: &str,
    operation: &str,
    body: &Value,
) -> bool {
    needs(operation, body).iter().all(|need| {
        let arn = format!(
            "arn:aws:dynamodb:ap-northeast-1:123456789012:{}",
            need.resource
        );
        let named = keys.of(&need.resource, operation, body);
        let statements = policy["Statement"].as_array().unwrap();
        statements.iter().any(|statement| {
            any(&statement["Action"], |it| matches(it, &need.action))
                && any(&statement["Resource"], |it| matches(it, &arn))
                && own(&statement["Condition"], user, &named)
        })
    })
}

/// Returns whether the request names partition keys, and all are the caller's.
fn own(condition: &Value, user: &str, named: &[String]) -> bool {
    let Some(operators) = condition.as_object() else {
        return true;
    };
    !named.is_empty()
        && operators.iter().all(|(operator, compared)| {
            let allowed = &compared["dynamodb:LeadingKeys"];
            match operator.as_str() {
                "Null" => allowed == "false",
                "ForAllValues:StringEquals" | "ForAllValues:StringLike" => {
                    named.iter().all(|key| {
                        any(allowed, |it| {
                            let it = with_user(it, user);
                            match operator.ends_with("Like") {
                                true => matches(&it, key),
                                false => it == *key,
                            }
                        })
                    })
                }
                other => panic!("{other}"),
            }
        })
}

/// Returns the policy's variable with the caller in its place: `USER#${aws:PrincipalTag/sub}`.
fn with_user(text: &str, user: &str) -> String {
    match text.split_once("${aws:PrincipalTag/") {
        Some((before, rest)) => {
            let (_, after) = rest.split_once('}').unwrap();
            format!("{before}{user}{after}")
        }
        None => text.to_owned(),
    }
}
