//! Daily backups with AWS Backup, as CloudFormation resources.

use super::cloud_formation::resource;
use super::pascal;
use crate::Model;
use serde_json::{Map, Value, json};

/// Returns a vault, a plan that runs each night and keeps its backups for `days`, the tables, and
/// the role.
pub(super) fn resources(model: &Model, days: u16) -> Map<String, Value> {
    let tables = model.tables.iter();
    let arns = tables.map(|table| json!({ "Fn::GetAtt": [pascal(table.schema.name), "Arn"] }));
    let managed = |name: &str| {
        let arn = format!("arn:${{AWS::Partition}}:iam::aws:policy/service-role/{name}");
        json!({ "Fn::Sub": arn })
    };
    let mut vault = resource(
        "AWS::Backup::BackupVault",
        json!({ "BackupVaultName": { "Fn::Sub": "${AWS::StackName}-tables" } }),
    );
    vault["DeletionPolicy"] = json!("Retain");
    vault["UpdateReplacePolicy"] = json!("Retain");
    let plan = json!({
        "BackupPlan": {
            "BackupPlanName": { "Fn::Sub": "${AWS::StackName}-tables" },
            "BackupPlanRule": [{
                "RuleName": "daily",
                "TargetBackupVault": { "Ref": "BackupVault" },
                "ScheduleExpression": "cron(0 18 * * ? *)",
                "Lifecycle": { "DeleteAfterDays": days },
            }],
        },
    });
    let selection = json!({
        "BackupPlanId": { "Ref": "BackupPlan" },
        "BackupSelection": {
            "SelectionName": "tables",
            "IamRoleArn": { "Fn::GetAtt": ["BackupRole", "Arn"] },
            "Resources": arns.collect::<Vec<_>>(),
        },
    });
    let role = json!({
        "AssumeRolePolicyDocument": {
            "Version": "2012-10-17",
            "Statement": [{
                "Effect": "Allow",
                "Principal": { "Service": "backup.amazonaws.com" },
                "Action": "sts:AssumeRole",
            }],
        },
        "ManagedPolicyArns": [
            managed("AWSBackupServiceRolePolicyForBackup"),
            managed("AWSBackupServiceRolePolicyForRestores"),
        ],
    });
    [
        ("BackupVault", vault),
        ("BackupPlan", resource("AWS::Backup::BackupPlan", plan)),
        (
            "BackupSelection",
            resource("AWS::Backup::BackupSelection", selection),
        ),
        ("BackupRole", resource("AWS::IAM::Role", role)),
    ]
    .map(|(name, resource)| (name.to_owned(), resource))
    .into_iter()
    .collect()
}
