//! The customer-managed key of the tables and the alarms' topic, with its key policy.
//!
//! A key policy that names only the account leaves the rest to IAM: each role needs the actions in
//! its own policy ([`role_statement`]). CloudWatch has no such policy, so it needs a statement in
//! the key policy.

use crate::Model;
use serde_json::{Value, json};

/// The actions of DynamoDB with a table's key, on behalf of a user of the table.
pub(super) const TABLE_ACTIONS: [&str; 5] = [
    "kms:Decrypt",
    "kms:DescribeKey",
    "kms:Encrypt",
    "kms:GenerateDataKey*",
    "kms:ReEncrypt*",
];

/// The actions of an alarm with the key of its topic.
const ALARM_ACTIONS: [&str; 2] = ["kms:Decrypt", "kms:GenerateDataKey*"];

/// The name of the key that a template makes. Policies refer to the key by it, since its id is not
/// known before.
pub(super) fn alias(model: &Model) -> String {
    format!("alias/{}-tables", model.name)
}

/// Where a template is deployed, in its own language.
pub(super) struct Place {
    pub(super) root: Value,
    pub(super) account: Value,
    /// `dynamodb.<region>.amazonaws.com`
    pub(super) service: Value,
}

/// Allows the key to administrators by IAM, to users of the tables only through DynamoDB, and to
/// CloudWatch's alarms.
pub(super) fn key_policy(place: Place) -> Value {
    let Place {
        root,
        account,
        service,
    } = place;
    json!({
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "Account",
                "Effect": "Allow",
                "Principal": { "AWS": root },
                "Action": "kms:*",
                "Resource": "*",
            },
            {
                "Sid": "Tables",
                "Effect": "Allow",
                "Principal": { "AWS": "*" },
                "Action": TABLE_ACTIONS.iter().chain(&["kms:CreateGrant"]).collect::<Vec<_>>(),
                "Resource": "*",
                "Condition": {
                    "StringEquals": { "kms:CallerAccount": account, "kms:ViaService": service },
                },
            },
            {
                "Sid": "Alarms",
                "Effect": "Allow",
                "Principal": { "Service": "cloudwatch.amazonaws.com" },
                "Action": ALARM_ACTIONS,
                "Resource": "*",
                "Condition": { "StringEquals": { "aws:SourceAccount": account } },
            },
        ],
    })
}

/// Returns the permissions of a role that uses tables with a customer-managed key: a key by its
/// ARN, or by the alias of a template.
pub(super) fn role_statement(sid: &str, region: &str, key: Key<'_>) -> Value {
    let mut condition = json!({
        "StringLike": { "kms:ViaService": format!("dynamodb.{region}.amazonaws.com") },
    });
    let resource = match key {
        Key::Arn(arn) => arn.to_owned(),
        Key::Alias { account, alias } => {
            condition["ForAnyValue:StringEquals"] = json!({ "kms:ResourceAliases": alias });
            format!("arn:aws:kms:{region}:{account}:key/*")
        }
    };
    json!({
        "Sid": sid,
        "Effect": "Allow",
        "Action": TABLE_ACTIONS,
        "Resource": resource,
        "Condition": condition,
    })
}

/// A key as a policy names it.
pub(super) enum Key<'a> {
    Arn(&'a str),
    Alias { account: &'a str, alias: &'a str },
}
