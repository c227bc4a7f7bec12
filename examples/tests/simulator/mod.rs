//! A small simulation of IAM: whether a policy allows a request. It reads the request's JSON
//! independently of the code that makes the policies.
#![allow(dead_code)] // Each suite uses its own part.

mod users;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use dynamo_model::Dynamo;
use serde_json::Value;
use std::collections::BTreeSet;
pub(crate) use users::{PartitionKeys, allows_user};

/// A permission that a request needs: an action on a table or an index, for some partitions.
#[derive(Debug, PartialEq)]
struct Need {
    action: String,
    /// `table/App`, `table/App/index/GSI1`
    resource: String,
    /// Of a request of one item: the texts in its key, or in the item. The partition key is one of
    /// them.
    texts: Vec<String>,
}

impl Need {
    /// Returns whether a statement's condition holds: there is none, or it names the partition.
    fn meets(&self, condition: &Value) -> bool {
        let operators = condition.as_object().into_iter().flatten();
        let mut limits = operators.filter_map(|(_, keys)| keys.get("dynamodb:LeadingKeys"));
        let is_named = |keys: &Value| {
            self.texts
                .iter()
                .any(|text| any(keys, |it| matches(it, text)))
        };
        condition.is_null() || limits.any(|keys| keys.is_array() && is_named(keys))
    }
}

fn texts(of: &Value) -> Vec<String> {
    let attributes = ["Key", "Item"]
        .into_iter()
        .filter_map(|it| of[it].as_object());
    let texts = attributes
        .flatten()
        .filter_map(|(_, value)| value["S"].as_str());
    texts.map(str::to_owned).collect()
}

fn need(action: &str, table: &Value, index: &Value) -> Need {
    let table = table.as_str().unwrap();
    let index = index.as_str().map(|index| format!("/index/{index}"));
    Need {
        action: format!("dynamodb:{action}"),
        resource: format!("table/{table}{}", index.unwrap_or_default()),
        texts: Vec::new(),
    }
}

fn need_of_item(action: &str, body: &Value) -> Need {
    Need {
        texts: texts(body),
        ..need(action, &body["TableName"], &Value::Null)
    }
}

/// As AWS documents it: each operation of a transaction needs its own action, a batch the batch's.
fn needs(operation: &str, body: &Value) -> Vec<Need> {
    let none = Value::Null;
    match operation {
        "TransactWriteItems" | "TransactGetItems" => {
            let parts = body["TransactItems"].as_array().unwrap().iter();
            let parts = parts.flat_map(|part| part.as_object().unwrap());
            let action = |kind: &str| match kind {
                "ConditionCheck" => "ConditionCheckItem".to_owned(),
                kind => format!("{kind}Item"),
            };
            parts
                .map(|(kind, part)| need_of_item(&action(kind), part))
                .collect()
        }
        "BatchGetItem" | "BatchWriteItem" => {
            let tables = body["RequestItems"].as_object().unwrap().keys();
            tables
                .map(|table| need(operation, &table.as_str().into(), &none))
                .collect()
        }
        "Query" | "Scan" => vec![need(operation, &body["TableName"], &body["IndexName"])],
        _ => vec![need_of_item(operation, body)],
    }
}

/// `*` matches any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(rest) = text.strip_prefix(before) else {
        return false;
    };
    (0..=rest.len()).any(|i| rest.is_char_boundary(i) && matches(after, &rest[i..]))
}

fn any(of: &Value, matches: impl Fn(&str) -> bool) -> bool {
    match of {
        Value::Array(all) => all.iter().any(|one| matches(one.as_str().unwrap())),
        one => one.as_str().is_some_and(matches),
    }
}

/// Returns whether a statement without conditions on keys allows an action.
fn allows(
    policy: &Value,
    action: &str,
    resource: &str,
    condition: impl Fn(&Value) -> bool,
) -> bool {
    let statements = policy["Statement"].as_array().unwrap();
    statements.iter().any(|statement| {
        statement["Effect"] == "Allow"
            && any(&statement["Action"], |it| matches(it, action))
            && any(&statement["Resource"], |it| matches(it, resource))
            && condition(&statement["Condition"])
    })
}

/// The key that a template makes, by its alias, and the tables that it encrypts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableKey {
    pub(crate) alias: String,
    pub(crate) tables: BTreeSet<String>,
}

/// The actions of DynamoDB with a table's key, on behalf of the sender of a request.
const KEY_ACTIONS: [&str; 5] = [
    "kms:Decrypt",
    "kms:DescribeKey",
    "kms:Encrypt",
    "kms:GenerateDataKey",
    "kms:ReEncryptFrom",
];

/// Returns the actions of a request that the policy of a service refuses, in the account and region
/// of the examples: on the table or index, and on the key of the table.
pub(crate) fn refused(
    policy: &Value,
    key: Option<&TableKey>,
    operation: &str,
    body: &Value,
) -> Vec<String> {
    let needs = needs(operation, body);
    let mut refused = Vec::new();
    for need in needs {
        let resource = format!(
            "arn:aws:dynamodb:ap-northeast-1:123456789012:{}",
            need.resource
        );
        if !allows(policy, &need.action, &resource, |it| need.meets(it)) {
            refused.push(format!("{} on {}", need.action, need.resource));
        }
        let table = need.resource.split('/').nth(1).unwrap_or_default();
        let encrypted = key.filter(|key| key.tables.contains(table));
        refused.extend(
            encrypted
                .into_iter()
                .flat_map(|key| refused_of_key(policy, key)),
        );
    }
    refused
}

/// Returns the actions on a key that a policy refuses to a caller of DynamoDB.
pub(crate) fn refused_of_key(policy: &Value, key: &TableKey) -> Vec<String> {
    let resource = "arn:aws:kms:ap-northeast-1:123456789012:key/0123";
    let by_dynamodb = |condition: &Value| {
        condition["StringLike"]["kms:ViaService"] == "dynamodb.ap-northeast-1.amazonaws.com"
            && condition["ForAnyValue:StringEquals"]["kms:ResourceAliases"] == *key.alias
    };
    let refused = KEY_ACTIONS.iter();
    let refused = refused.filter(|action| !allows(policy, action, resource, by_dynamodb));
    refused
        .map(|action| format!("{action} by {}", key.alias))
        .collect()
}

/// Sends only allowed requests; all others fail, as with IAM.
#[derive(Debug)]
struct Role {
    policy: Value,
    key: Option<TableKey>,
}

impl Intercept for Role {
    fn name(&self) -> &'static str {
        "Role"
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if OF_THE_TEST.try_with(|()| ()).is_ok() {
            return Ok(());
        }
        let request = context.request();
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default();
        let body = serde_json::from_slice(request.body().bytes().unwrap_or_default())?;
        match refused(&self.policy, self.key.as_ref(), operation, &body).as_slice() {
            [] => Ok(()),
            refused => Err(format!("the role may not {}", refused.join(", ")).into()),
        }
    }
}

tokio::task_local! {
    /// Set while the test itself sends requests.
    static OF_THE_TEST: ();
}

/// Sends the requests of a future with all rights: the test itself looks at whole tables.
pub(crate) async fn as_tester<F: IntoFuture>(requests: F) -> F::Output {
    OF_THE_TEST.scope((), requests.into_future()).await
}

/// Returns a generated file of a schema.
pub(crate) fn generated(schema: &str, file: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/generated");
    let file = format!("{folder}/{schema}/{file}");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The key that a schema's template makes, if it makes one.
pub(crate) fn table_key(schema: &str) -> Option<TableKey> {
    let template = generated(schema, "cloudformation.json");
    let resources = template["Resources"].as_object().unwrap().values();
    let mut aliases = resources
        .clone()
        .filter(|it| it["Type"] == "AWS::KMS::Alias");
    let alias = aliases.next()?["Properties"]["AliasName"].as_str()?;
    let tables = resources.map(|it| &it["Properties"]);
    let encrypted =
        tables.filter(|it| it["SSESpecification"]["KMSMasterKeyId"]["Ref"] == "TableKey");
    let name = |it: &Value| {
        let name = &it["TableName"];
        let name = name.as_str().or(name["Fn::Sub"].as_str());
        name.unwrap().replace("${TablePrefix}", "")
    };
    Some(TableKey {
        alias: alias.to_owned(),
        tables: encrypted.map(name).collect(),
    })
}

const SERVICE: &str = "service-policy.json";

/// Returns the same database, with the permissions of the service's role. `prefix` is the prefix of
/// the tables' names.
pub(crate) fn as_service(schema: &str, db: &Dynamo, prefix: &str) -> Dynamo {
    as_role(schema, SERVICE, db, prefix)
}

/// Returns the same with the rights of any generated role.
pub(crate) fn as_role(schema: &str, file: &str, db: &Dynamo, prefix: &str) -> Dynamo {
    with_policy(schema, &generated(schema, file), db, prefix)
}

/// Returns the service's role, with the statements of another policy.
pub(crate) fn as_service_with(schema: &str, db: &Dynamo, prefix: &str, more: &Value) -> Dynamo {
    let mut policy = generated(schema, SERVICE);
    let more = more["Statement"].as_array().unwrap().iter().cloned();
    policy["Statement"].as_array_mut().unwrap().extend(more);
    with_policy(schema, &policy, db, prefix)
}

fn with_policy(schema: &str, policy: &Value, db: &Dynamo, prefix: &str) -> Dynamo {
    let policy = policy.to_string();
    let policy = policy.replace(":table/dev-q-", &format!(":table/{prefix}"));
    let deployed = |it: &String| format!("{prefix}{it}");
    let role = Role {
        policy: serde_json::from_str(&policy).unwrap(),
        key: table_key(schema).map(|key| TableKey {
            tables: key.tables.iter().map(deployed).collect(),
            ..key
        }),
    };
    let config = db.client().config().to_builder().interceptor(role);
    Dynamo::new(Client::from_conf(config.build()))
        .with_http_only_interceptors()
        .with_table_prefix(prefix)
}
