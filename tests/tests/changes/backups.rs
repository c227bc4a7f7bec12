//! Backups, restoring them, and the test that they can be restored. The embedded engine has no
//! backups and returns an error; moto has them.

use crate::canned::{self, Canned};
use crate::support::{bare, db};
use dynamo_model::table::Backup;
use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Mutex;

#[derive(DynamoTable)]
#[table(name = "Backed", pk = "PK", sk = "SK", ttl = "expires", stream = new_image)]
#[table(point_in_time_recovery)]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct Backed;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Backed)]
#[pk("USER#<user>")]
#[sk("NOTE#<number:04>")]
#[gsi1(pk = "TAG#<tag>", as = by_tag)]
struct Note {
    user: String,
    number: u32,
    tag: String,
}

fn note(number: u32) -> Note {
    Note {
        user: "u1".into(),
        number,
        tag: "red".into(),
    }
}

/// Returns whether the engine under test has backups: DynamoDB and moto do.
fn has_backups() -> bool {
    let endpoint = std::env::var("DYNAMO_ENDPOINT").is_ok_and(|it| !it.is_empty());
    if !endpoint {
        eprintln!("skipped: the embedded engine has no backups");
    }
    endpoint
}

fn scratch(db: &Dynamo, name: &str) -> Dynamo {
    let prefix = db.table_name(&Backed::SCHEMA).replace("Backed", name);
    db.clone().with_table_prefix(prefix)
}

#[tokio::test]
async fn an_engine_without_backups_returns_an_error() {
    if std::env::var_os("DYNAMO_ENDPOINT").is_some() {
        return;
    }
    let db = db::<Backed>().await;
    let error = Backed::backup(&db, "before-2.0").await.unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("back up") && text.contains("Backed"),
        "{text}"
    );
    assert!(
        matches!(error.kind(), ErrorKind::Service { .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_backup_with_an_invalid_name_is_refused() {
    let db = bare();
    for name in ["", "ab", "before 2.0", "früher", &"x".repeat(256)] {
        let error = Backed::backup(&db, name).await.unwrap_err();
        assert!(
            error.to_string().contains("cannot be the name of a backup"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_restore_test_never_deletes_an_existing_table() {
    let db = db::<Backed>().await;
    note(1).create().send(&db).await.unwrap();
    let backup = Backup::from_arn("arn:aws:dynamodb:local:000000000000:table/Backed/backup/1");
    let error = Backed::test_restore(&db, &backup, &db).await.unwrap_err();
    assert!(error.to_string().contains("a separate table"), "{error}");

    let other = scratch(&db, "other-");
    Backed::create_table(&other).await.unwrap();
    let error = Backed::test_restore(&db, &backup, &other)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("already exists"), "{error}");
    assert!(Backed::exists(&db).await.unwrap() && Backed::exists(&other).await.unwrap());
    Backed::drop_table(&other).await.unwrap();
}

#[tokio::test]
async fn a_backup_is_restored_counted_and_deleted() {
    if !has_backups() {
        return;
    }
    let db = db::<Backed>().await;
    let notes: Vec<_> = (0..40).map(note).collect();
    BatchWrite::new().puts(&notes).send(&db).await.unwrap();
    let backup = Backed::backup(&db, "before-2.0").await.unwrap();
    note(99).create().send(&db).await.unwrap();

    let tested = Backed::test_restore(&db, &backup, &scratch(&db, "tested-"))
        .await
        .unwrap();
    assert_eq!(tested.items, 40);
    assert!(!Backed::exists(&scratch(&db, "tested-")).await.unwrap());
}

#[tokio::test]
async fn a_restored_table_has_the_declared_settings() {
    if !has_backups() {
        return;
    }
    let db = db::<Backed>().await;
    note(1).create().send(&db).await.unwrap();
    let backup = Backed::backup(&db, "before-2.0").await.unwrap();
    let restored = scratch(&db, "restored-");
    Backed::restore(&restored, &backup).await.unwrap();
    Backed::verify_exactly(&restored).await.unwrap();
    let found = Note::query("u1").all(&restored).await.unwrap();
    assert_eq!(found, [note(1)]);
    let ttl = restored.client().describe_time_to_live();
    let ttl = ttl.table_name(restored.table_name(&Backed::SCHEMA));
    let ttl = ttl.send().await.unwrap().time_to_live_description.unwrap();
    assert_eq!(ttl.attribute_name(), Some("expires"));
    Backed::drop_table(&restored).await.unwrap();
}

#[derive(DynamoTable)]
#[table(name = "Plain", pk = "PK")]
struct Plain;

#[tokio::test]
async fn a_table_without_recovery_is_not_exported() {
    let error = Plain::export(&bare(), "archive", "2026").await.unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("`#[table(point_in_time_recovery)]`"),
        "{text}"
    );
}

#[tokio::test]
async fn an_export_can_be_awaited() {
    let arn = "arn:aws:dynamodb:local:1:table/Backed";
    let export_arn = format!("{arn}/export/1");
    let states = ["IN_PROGRESS", "COMPLETED", "FAILED"];
    let canned = Canned::new(move |n, _| {
        let export = |status: &str| {
            let failure = (status == "FAILED").then_some("no such bucket");
            json!({ "ExportDescription": {
                "ExportArn": export_arn, "ExportStatus": status, "FailureMessage": failure,
            } })
        };
        match n {
            0 => (
                200,
                json!({ "Table": { "TableArn": arn, "TableStatus": "ACTIVE" } }),
            ),
            1 => (200, export("IN_PROGRESS")),
            n => (200, export(states[n - 2])),
        }
    });
    let db = canned.db();
    let export = Backed::export(&db, "archive", "2026").await.unwrap();
    assert_eq!(export.arn, format!("{arn}/export/1"));
    assert_eq!(
        canned.requests()[1],
        json!({
            "TableArn": arn, "S3Bucket": "archive", "S3Prefix": "2026",
            "ExportFormat": "DYNAMODB_JSON", "ClientToken": canned.requests()[1]["ClientToken"],
        })
    );
    assert!(!export.is_done(&db).await.unwrap());
    assert!(export.is_done(&db).await.unwrap());
    let error = export.is_done(&db).await.unwrap_err();
    assert!(error.to_string().contains("no such bucket"), "{error}");
}

#[derive(DynamoTable)]
#[table(name = "Whole", pk = "PK", ttl = "expires", stream = new_and_old_images)]
#[table(point_in_time_recovery, deletion_protection, encryption = kms)]
#[table(tags(team = "exam"), replicas("eu-north-1"))]
struct Whole;

/// What a table restored by AWS has: provisioned units as when the backup was made, encryption, and
/// neither stream, TTL, recovery, protection nor tags.
#[derive(Default)]
struct Restored {
    exists: bool,
    is_counted: bool,
    table: serde_json::Map<String, Value>,
    ttl: Value,
    recovers: bool,
    tags: Value,
}

impl Restored {
    fn answer(&mut self, request: &Value) -> (u16, Value) {
        const SETTINGS: [&str; 3] = [
            "StreamSpecification",
            "BillingMode",
            "DeletionProtectionEnabled",
        ];
        let body = request.as_object().unwrap();
        if body.contains_key("BackupArn") {
            self.exists = true;
        } else if body.contains_key("Select") {
            self.is_counted = true;
            return (200, json!({ "Count": 3, "ScannedCount": 3 }));
        } else if body.contains_key("Tags") {
            self.tags = body["Tags"].clone();
        } else if let Some(ttl) = body.get("TimeToLiveSpecification") {
            self.ttl = ttl["AttributeName"].clone();
        } else if body.contains_key("PointInTimeRecoverySpecification") {
            self.recovers = true;
        } else if let Some(setting) = SETTINGS.iter().find(|it| body.contains_key(**it)) {
            self.table.insert((*setting).into(), body[*setting].clone());
        } else if body.contains_key("ResourceArn") {
            return (200, json!({ "Tags": self.tags }));
        } else if std::mem::take(&mut self.is_counted) {
            self.exists = false;
        } else if !self.exists {
            return canned::refusal("ResourceNotFoundException", json!({}));
        } else {
            return (200, self.described());
        }
        (200, json!({}))
    }

    /// One answer for the three descriptions.
    fn described(&self) -> Value {
        let of = |name: &str| self.table.get(name).cloned().unwrap_or_default();
        let billing = of("BillingMode");
        let billing = billing.as_str().unwrap_or("PROVISIONED");
        let ttl = if self.ttl.is_string() {
            "ENABLED"
        } else {
            "DISABLED"
        };
        let recovery = if self.recovers { "ENABLED" } else { "DISABLED" };
        json!({
            "Table": {
                "TableStatus": "ACTIVE",
                "TableArn": "arn:aws:dynamodb:eu-west-1:111122223333:table/Whole",
                "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
                "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
                "BillingModeSummary": { "BillingMode": billing },
                "ProvisionedThroughput": { "ReadCapacityUnits": 5, "WriteCapacityUnits": 5 },
                "StreamSpecification": of("StreamSpecification"),
                "DeletionProtectionEnabled": of("DeletionProtectionEnabled") == true,
                "SSEDescription": { "Status": "ENABLED", "SSEType": "KMS" },
            },
            "TimeToLiveDescription": { "TimeToLiveStatus": ttl, "AttributeName": self.ttl },
            "ContinuousBackupsDescription": {
                "ContinuousBackupsStatus": "ENABLED",
                "PointInTimeRecoveryDescription": { "PointInTimeRecoveryStatus": recovery },
            },
        })
    }
}

fn aws() -> Canned {
    let restored = Mutex::new(Restored::default());
    Canned::new(move |_, request| restored.lock().unwrap().answer(request))
}

/// Returns the fields of a request that changes the table.
fn changed(aws: &Canned) -> Vec<String> {
    let requests = aws.requests();
    let fields = requests
        .iter()
        .flat_map(|it| it.as_object().unwrap().keys());
    let other = ["TableName", "BackupArn", "TargetTableName", "ResourceArn"];
    let fields = fields.filter(|it| !other.contains(&it.as_str()));
    fields.cloned().collect()
}

const CHANGED: [&str; 5] = [
    "PointInTimeRecoverySpecification",
    "BillingMode",
    "Tags",
    "StreamSpecification",
    "TimeToLiveSpecification",
];

#[tokio::test(start_paused = true)]
async fn a_restored_table_gets_each_declared_setting_that_it_lacks() {
    let aws = aws();
    let backup = Backup::from_arn("arn:aws:dynamodb:eu-west-1:111122223333:table/Whole/backup/1");
    Whole::restore(&aws.db(), &backup).await.unwrap();
    assert_eq!(
        changed(&aws),
        [&["DeletionProtectionEnabled"], &CHANGED[..]].concat()
    );
}

/// The table of a test is deleted again, so it must not be protected, and a replica costs.
#[tokio::test(start_paused = true)]
async fn a_restore_test_adds_neither_protection_nor_replicas() {
    let aws = aws();
    let db = aws.db();
    let backup = Backup::from_arn("arn:aws:dynamodb:eu-west-1:111122223333:table/Whole/backup/1");
    let scratch = db.clone().with_table_prefix("scratch-");
    let tested = Whole::test_restore(&db, &backup, &scratch).await.unwrap();
    assert_eq!(tested.items, 3);
    let expected = [&CHANGED[..], &["ConsistentRead", "Select"]].concat();
    assert_eq!(changed(&aws), expected);
}
