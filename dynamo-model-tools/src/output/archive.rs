//! A bucket for exports of tables, and the policy that an exporting role needs.

use super::encryption;
use crate::Model;
use serde_json::{Value, json};

/// Where the bucket and the tables are, in a template's own language.
pub(super) struct Place {
    /// The ARN of the bucket.
    pub(super) bucket: Value,
    /// The ARN of each thing in it.
    pub(super) objects: Value,
    /// The ARN of each table.
    pub(super) tables: Vec<Value>,
    /// The ARN of each table's exports.
    pub(super) exports: Vec<Value>,
}

/// Returns the policy for exports: starting and following one, and writing to the bucket. DynamoDB
/// writes with the permissions of the caller.
pub(super) fn policy(place: &Place) -> Value {
    let statement = |sid: &str, actions: &[&str], resource: Value| json!({ "Sid": sid, "Effect": "Allow", "Action": actions, "Resource": resource });
    json!({
        "Version": "2012-10-17",
        "Statement": [
            statement(
                "Export",
                &["dynamodb:DescribeTable", "dynamodb:ExportTableToPointInTime"],
                json!(place.tables),
            ),
            statement("Follow", &["dynamodb:DescribeExport"], json!(place.exports)),
            statement(
                "Write",
                &["s3:AbortMultipartUpload", "s3:PutObject", "s3:PutObjectAcl"],
                place.objects.clone(),
            ),
        ],
    })
}

/// Returns the policy of the bucket, which refuses unencrypted requests.
pub(super) fn bucket_policy(place: &Place) -> Value {
    json!({
        "Version": "2012-10-17",
        "Statement": [{
            "Sid": "EncryptedTransport",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": [place.bucket, place.objects],
            "Condition": { "Bool": { "aws:SecureTransport": "false" } },
        }],
    })
}

/// Returns the tables with point-in-time recovery: only they can be exported.
pub(super) fn tables(model: &Model) -> Vec<&'static str> {
    let tables = model.tables.iter().map(|it| it.schema);
    let recoverable = tables.filter(|it| it.point_in_time_recovery);
    recoverable.map(|it| it.name).collect()
}

/// Returns the permission for the key of a template, for a role that exports encrypted tables.
pub(super) fn key_statement(key: Value) -> Value {
    json!({
        "Sid": "TableKey",
        "Effect": "Allow",
        "Action": encryption::TABLE_ACTIONS,
        "Resource": key,
    })
}
