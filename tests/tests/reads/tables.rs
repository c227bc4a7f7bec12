//! Creating, deleting and comparing tables.

use crate::canned::{Canned, refusal};
use crate::support::{self, Db, Outcome};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};
use dynamo_model::{DynamoTable, ErrorKind, Table};
use dynamo_model_examples::{
    booking, exam::ExamStudyApp, q, shogi::ShogiProject, shop::DynamoDbShop,
};
use serde_json::json;
use std::error::Error;

#[derive(DynamoTable)]
#[table(name = "Plain", pk = "PK", sk = N("number"))]
#[gsi1(name = "ByOwner", pk = "owner", sk = "PK")]
#[gsi2(name = "ByDay", pk = "day", projection = keys_only)]
struct Plain;

#[tokio::test]
async fn a_table_is_created_and_dropped() -> Outcome {
    let db = support::bare();
    assert!(!Plain::exists(&db).await?);
    Plain::create_table(&db).await?;
    assert!(Plain::exists(&db).await?);
    Plain::verify(&db).await?;

    let again = Plain::create_table(&db).await.unwrap_err();
    let refused = ErrorKind::Service {
        code: "ResourceInUseException".into(),
    };
    assert_eq!(again.kind(), &refused);

    Plain::drop_table(&db).await?;
    assert!(!Plain::exists(&db).await?);
    Plain::drop_table(&db).await?;
    Ok(())
}

macro_rules! create_and_verify {
    ($db:expr, $($table:ty),* $(,)?) => {$(
        <$table>::create_table($db).await?;
        <$table>::verify($db).await?;
    )*};
}

/// With all settings that the five schemas declare: LSIs, projections, streams, TTL, encryption,
/// recovery.
#[tokio::test]
async fn the_tables_of_the_documents_verify() -> Outcome {
    let db = support::bare();
    create_and_verify!(&db, ExamStudyApp, ShogiProject, DynamoDbShop);
    create_and_verify!(&db, booking::Bookings, booking::Calendar, booking::Options);
    create_and_verify!(&db, booking::Notifications, booking::Users);
    create_and_verify!(&db, booking::TermsOfService, booking::UserAgreements);
    let db = support::bare();
    create_and_verify!(
        &db,
        q::Answers,
        q::Reactions,
        q::Reports,
        q::NgWords,
        q::AdminLogs
    );
    create_and_verify!(
        &db,
        q::DailyQuestions,
        q::Questions,
        q::UserQuestionSubmissions
    );
    create_and_verify!(&db, q::Follows, q::Blocks, q::Users, q::PushTokens);
    Ok(())
}

#[tokio::test]
async fn a_missing_table_does_not_verify() {
    let db = support::bare();
    let error = Plain::verify(&db).await.unwrap_err();
    assert!(error.is_missing_table());
    let name = db.table_name(&Plain::SCHEMA);
    let expected = format!(
        "verify table Plain: table `{name}` does not exist; create it, or check its name and region"
    );
    assert_eq!(error.to_string(), expected);
}

fn key(pk: &str, sk: Option<&str>) -> Vec<KeySchemaElement> {
    let element = |name: &str, key_type| {
        let element = KeySchemaElement::builder()
            .attribute_name(name)
            .key_type(key_type);
        element.build().unwrap()
    };
    let sk = sk.map(|sk| element(sk, KeyType::Range));
    [element(pk, KeyType::Hash)].into_iter().chain(sk).collect()
}

fn index(
    name: &str,
    pk: &str,
    sk: Option<&str>,
    projection: ProjectionType,
) -> GlobalSecondaryIndex {
    GlobalSecondaryIndex::builder()
        .index_name(name)
        .set_key_schema(Some(key(pk, sk)))
        .projection(Projection::builder().projection_type(projection).build())
        .build()
        .unwrap()
}

/// A table named as `Plain` is, with its key but other indexes.
async fn deploy(db: &Db, attributes: &[&str], indexes: Vec<GlobalSecondaryIndex>) -> Outcome {
    let mut request = db
        .client()
        .create_table()
        .table_name(db.table_name(&Plain::SCHEMA))
        .billing_mode(BillingMode::PayPerRequest)
        .set_key_schema(Some(key("PK", Some("number"))))
        .set_global_secondary_indexes(Some(indexes).filter(|indexes| !indexes.is_empty()));
    for name in ["PK", "number"].iter().chain(attributes) {
        let scalar = match *name {
            "number" => ScalarAttributeType::N,
            _ => ScalarAttributeType::S,
        };
        let definition = AttributeDefinition::builder().attribute_name(*name);
        request = request.attribute_definitions(definition.attribute_type(scalar).build()?);
    }
    request.send().await?;
    Ok(())
}

async fn differences(db: &Db) -> String {
    let error = Plain::verify(db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Mismatch);
    let name = db.table_name(&Plain::SCHEMA);
    let expected = format!("verify table Plain: table `{name}` is not as declared");
    assert_eq!(error.to_string(), expected);
    error.source().unwrap().to_string()
}

#[tokio::test]
async fn missing_indexes_are_named_in_the_error() -> Outcome {
    let db = support::bare();
    deploy(&db, &[], Vec::new()).await?;
    let expected = "index ByOwner: declared owner (S) + PK (S), ALL, deployed none\nindex ByDay: \
                    declared day (S), KEYS_ONLY, deployed none";
    assert_eq!(differences(&db).await, expected);
    Ok(())
}

/// Finding: "`verify` fails on an extra index"
#[tokio::test]
async fn an_additional_index_is_not_a_difference() -> Outcome {
    let db = support::bare();
    let indexes = vec![
        index("ByOwner", "owner", Some("PK"), ProjectionType::All),
        index("ByDay", "day", None, ProjectionType::KeysOnly),
        index("ByNight", "night", None, ProjectionType::KeysOnly),
    ];
    deploy(&db, &["owner", "day", "night"], indexes).await?;
    Plain::verify(&db).await?;

    let error = Plain::verify_exactly(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Mismatch);
    assert_eq!(
        error.source().unwrap().to_string(),
        "index ByNight: declared none, deployed night (S), KEYS_ONLY"
    );
    Ok(())
}

#[tokio::test]
async fn a_table_as_declared_verifies_exactly() -> Outcome {
    let db = support::bare();
    Plain::create_table(&db).await?;
    Plain::verify_exactly(&db).await?;
    Ok(())
}

#[tokio::test]
async fn an_index_with_another_key_is_named_in_the_error() -> Outcome {
    let db = support::bare();
    let indexes = vec![
        index("ByOwner", "owner", Some("number"), ProjectionType::All),
        index("ByDay", "day", None, ProjectionType::All),
    ];
    deploy(&db, &["owner", "day"], indexes).await?;
    let expected = "index ByOwner: declared owner (S) + PK (S), ALL, deployed owner (S) + number \
                    (N), ALL\nindex ByDay: declared day (S), KEYS_ONLY, deployed day (S), ALL";
    assert_eq!(differences(&db).await, expected);
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Plain", pk = "PK", sk = "number")]
struct TextKey;

#[tokio::test]
async fn a_key_of_another_type_is_named_in_the_error() -> Outcome {
    let db = support::bare();
    TextKey::create_table(&db).await?;
    let found = differences(&db).await;
    let first = found.lines().next();
    assert_eq!(
        first,
        Some("key: declared PK (S) + number (N), deployed PK (S) + number (S)")
    );
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Settings", pk = "PK", ttl = "expires", encryption = kms, deletion_protection)]
#[table(billing = provisioned(read = 5, write = 2))]
struct Settings;

#[derive(DynamoTable)]
#[table(name = "Settings", pk = "PK")]
struct Bare;

#[derive(DynamoTable)]
#[table(name = "Settings", pk = "PK", ttl = "expires", encryption = kms, deletion_protection)]
#[table(billing = provisioned(read = 9, write = 2))]
struct Larger;

fn lines(error: &dynamo_model::Error) -> Vec<String> {
    assert_eq!(error.kind(), &ErrorKind::Mismatch, "{error}");
    let source = error.source().unwrap().to_string();
    source.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn missing_settings_are_named_in_the_error() -> Outcome {
    let db = support::bare();
    Bare::create_table(&db).await?;
    Bare::verify_exactly(&db).await?;
    let expected = [
        "encryption: declared KMS, deployed a key of AWS",
        "billing: declared provisioned, 5 read and 2 write units, deployed on demand",
        "deletion protection: declared on, deployed off",
        "TTL: declared expires, deployed none",
    ];
    assert_eq!(lines(&Settings::verify(&db).await.unwrap_err()), expected);
    Ok(())
}

#[tokio::test]
async fn additional_protection_is_a_difference_only_for_verify_exactly() -> Outcome {
    let db = support::bare();
    Settings::create_table(&db).await?;
    Settings::verify_exactly(&db).await?;
    let differences = [
        "billing: declared on demand, deployed provisioned, 5 read and 2 write units",
        "TTL: declared none, deployed expires",
    ];
    assert_eq!(lines(&Bare::verify(&db).await.unwrap_err()), differences);
    let exactly = lines(&Bare::verify_exactly(&db).await.unwrap_err());
    assert_eq!(exactly[..2], differences);
    assert!(exactly[2].starts_with("encryption: declared a key of AWS, deployed KMS, arn:"));
    assert_eq!(exactly[3], "deletion protection: declared off, deployed on");

    // Auto scaling changes the units.
    Larger::verify(&db).await?;
    let units = "billing: declared provisioned, 9 read and 2 write units, deployed provisioned, 5 \
                 read and 2 write units";
    assert_eq!(
        lines(&Larger::verify_exactly(&db).await.unwrap_err()),
        [units]
    );
    let unprotect = db
        .client()
        .update_table()
        .deletion_protection_enabled(false);
    let name = db.table_name(&Settings::SCHEMA);
    unprotect.table_name(name).send().await?;
    Ok(())
}

const KEY: &str = "arn:aws:kms:eu-west-1:111122223333:key/0a1b";

#[derive(DynamoTable)]
#[table(name = "Keyed", pk = "PK", encryption = kms("0a1b"), point_in_time_recovery)]
struct ById;

#[derive(DynamoTable)]
#[table(name = "Keyed", pk = "PK", encryption = kms("alias/own"), point_in_time_recovery)]
struct ByAlias;

/// Returns the description by AWS of a table with this key and recovery.
fn described(key: &'static str, recovery: &'static str) -> Canned {
    Canned::new(move |request, _| {
        let answer = match request % 3 {
            0 => json!({ "Table": {
                "TableName": "Keyed",
                "TableStatus": "ACTIVE",
                "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
                "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
                "BillingModeSummary": { "BillingMode": "PAY_PER_REQUEST" },
                "SSEDescription": { "Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": key },
                "DeletionProtectionEnabled": false,
            } }),
            1 => json!({ "TimeToLiveDescription": { "TimeToLiveStatus": "DISABLED" } }),
            _ => json!({ "ContinuousBackupsDescription": {
                "ContinuousBackupsStatus": "ENABLED",
                "PointInTimeRecoveryDescription": { "PointInTimeRecoveryStatus": recovery },
            } }),
        };
        (200, answer)
    })
}

#[tokio::test]
async fn recovery_and_kms_key_are_compared_with_aws_descriptions() -> Outcome {
    let db = described(KEY, "ENABLED").db();
    ById::verify_exactly(&db).await?;
    // Only KMS knows the key of an alias.
    ByAlias::verify_exactly(&db).await?;

    let other = "arn:aws:kms:eu-west-1:111122223333:key/9z";
    let db = described(other, "DISABLED").db();
    let expected = [
        format!("encryption: declared KMS, 0a1b, deployed KMS, {other}"),
        "point-in-time recovery: declared on, deployed off".to_owned(),
    ];
    assert_eq!(lines(&ById::verify(&db).await.unwrap_err()), expected);
    assert_eq!(
        lines(&ByAlias::verify(&db).await.unwrap_err()),
        expected[1..]
    );
    Ok(())
}

#[tokio::test]
async fn verify_without_a_permission_names_it() {
    let canned = Canned::new(|request, _| match request {
        0 => (
            200,
            json!({ "Table": {
            "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
            "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
        } }),
        ),
        _ => refusal("AccessDeniedException", json!({ "message": "no" })),
    });
    let error = ById::verify(&canned.db()).await.unwrap_err();
    assert!(error.is_access_denied(), "{error}");
    assert!(
        error.to_string().starts_with("describe TTL of ById: "),
        "{error}"
    );
}

#[derive(DynamoTable)]
#[table(name = "Required", pk = "PK", encryption = kms, point_in_time_recovery)]
#[table(require(encryption, point_in_time_recovery))]
struct Required;

#[tokio::test]
async fn a_table_with_requirements_is_verified_as_it_is_created() -> Outcome {
    let db = support::bare();
    Required::create_table(&db).await?;
    assert_eq!(
        Required::SCHEMA.required,
        ["encryption", "point_in_time_recovery"]
    );
    Required::verify(&db).await?;
    Ok(())
}

/// DynamoDB Local accepts a key but never describes it, and has no continuous backups.
#[tokio::test]
async fn settings_unknown_to_dynamodb_local_are_not_compared() -> Outcome {
    let canned = Canned::new(|request, _| match request {
        0 => (
            200,
            json!({ "Table": {
            "TableArn": "arn:aws:dynamodb:ddblocal:000000000000:table/Keyed",
            "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
            "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
            "BillingModeSummary": { "BillingMode": "PAY_PER_REQUEST" },
        } }),
        ),
        1 => (
            200,
            json!({ "TimeToLiveDescription": { "TimeToLiveStatus": "DISABLED" } }),
        ),
        _ => refusal("UnknownOperationException", json!({})),
    });
    ById::verify_exactly(&canned.db()).await?;
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Global", pk = "PK", replicas("eu-west-1", "us-west-2"))]
#[table(require(stream))]
struct Global;

/// A deployment adds them, after the table is there.
#[tokio::test]
async fn a_table_with_replicas_is_created_without_them() -> Outcome {
    let db = support::bare();
    Global::create_table(&db).await?;
    // An engine on this machine has no regions; one that names some has no replicas in them.
    if let Err(error) = Global::verify(&db).await {
        let missing = "replicas: declared eu-west-1, us-west-2, deployed none";
        assert_eq!(lines(&error), [missing]);
    }
    Ok(())
}

/// What AWS answers of the table in Tokyo with replicas in these regions.
fn replicated(regions: &'static [&'static str]) -> Canned {
    Canned::new(move |request, _| {
        let regions = regions.iter().map(|it| json!({ "RegionName": it }));
        let answer = match request % 3 {
            0 => json!({ "Table": {
                "TableName": "Global",
                "TableArn": "arn:aws:dynamodb:ap-northeast-1:111122223333:table/Global",
                "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
                "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
                "BillingModeSummary": { "BillingMode": "PAY_PER_REQUEST" },
                "StreamSpecification": {
                    "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES",
                },
                "Replicas": regions.collect::<Vec<_>>(),
            } }),
            1 => json!({ "TimeToLiveDescription": { "TimeToLiveStatus": "DISABLED" } }),
            _ => json!({ "ContinuousBackupsDescription": {
                "ContinuousBackupsStatus": "ENABLED",
                "PointInTimeRecoveryDescription": { "PointInTimeRecoveryStatus": "DISABLED" },
            } }),
        };
        (200, answer)
    })
}

#[tokio::test]
async fn a_replica_that_is_missing_or_undeclared_is_named() -> Outcome {
    let own = replicated(&["us-west-2", "ap-northeast-1", "eu-west-1"]);
    Global::verify_exactly(&own.db()).await?;

    let missing = replicated(&["eu-west-1"]).db();
    assert_eq!(
        lines(&Global::verify(&missing).await.unwrap_err()),
        ["replicas: declared eu-west-1, us-west-2, deployed eu-west-1"]
    );
    let more = replicated(&["eu-west-1", "sa-east-1", "us-west-2"]).db();
    Global::verify(&more).await?;
    assert_eq!(
        lines(&Global::verify_exactly(&more).await.unwrap_err()),
        ["replicas: declared eu-west-1, us-west-2, deployed eu-west-1, sa-east-1, us-west-2"]
    );
    Ok(())
}
