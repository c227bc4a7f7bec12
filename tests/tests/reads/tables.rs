//! Creating, deleting and comparing tables.

use crate::support::{self, Db, Outcome};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};
use dynamo_model::{DynamoTable, ErrorKind, Table};
use dynamo_model_examples::{
    booking, exam::ExamStudyApp, q, shogi::ShogiProject, shop::DynamoDbShop,
};
use std::error::Error;

#[derive(DynamoTable)]
#[table(name = "Plain", pk = "PK", sk = N("number"))]
#[gsi1(name = "ByOwner", pk = "owner", sk = "PK")]
#[gsi2(name = "ByDay", pk = "day", projection = keys_only)]
struct Plain;

#[tokio::test]
async fn a_table_comes_and_goes() -> Outcome {
    let db = support::bare();
    assert!(!Plain::exists(&db).await?);
    Plain::create(&db).await?;
    assert!(Plain::exists(&db).await?);
    Plain::verify(&db).await?;

    let again = Plain::create(&db).await.unwrap_err();
    let refused = ErrorKind::Service {
        code: "ResourceInUseException".into(),
    };
    assert_eq!(again.kind(), &refused);

    Plain::delete(&db).await?;
    assert!(!Plain::exists(&db).await?);
    Plain::delete(&db).await?;
    Ok(())
}

macro_rules! create_and_verify {
    ($db:expr, $($table:ty),* $(,)?) => {$(
        <$table>::create($db).await?;
        <$table>::verify($db).await?;
    )*};
}

/// With everything the five schemas declare: LSIs, projections, streams, TTL, encryption, recovery.
#[tokio::test]
async fn the_tables_of_the_documents() -> Outcome {
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
async fn a_table_that_is_not_there_does_not_verify() {
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
async fn missing_indexes_are_named() -> Outcome {
    let db = support::bare();
    deploy(&db, &[], Vec::new()).await?;
    let expected = "index ByOwner: declared owner (S) + PK (S), ALL, deployed none\n\
                    index ByDay: declared day (S), KEYS_ONLY, deployed none";
    assert_eq!(differences(&db).await, expected);
    Ok(())
}

/// findings §1: "`verify` fails on an extra index"
#[tokio::test]
async fn an_index_more_than_declared_is_not_a_difference() -> Outcome {
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
    Plain::create(&db).await?;
    Plain::verify_exactly(&db).await?;
    Ok(())
}

#[tokio::test]
async fn an_index_with_another_key_is_named() -> Outcome {
    let db = support::bare();
    let indexes = vec![
        index("ByOwner", "owner", Some("number"), ProjectionType::All),
        index("ByDay", "day", None, ProjectionType::All),
    ];
    deploy(&db, &["owner", "day"], indexes).await?;
    let expected = "index ByOwner: declared owner (S) + PK (S), ALL, deployed owner (S) + number (N), ALL\n\
                    index ByDay: declared day (S), KEYS_ONLY, deployed day (S), ALL";
    assert_eq!(differences(&db).await, expected);
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Plain", pk = "PK", sk = "number")]
struct TextKey;

#[tokio::test]
async fn a_key_of_another_type_is_named() -> Outcome {
    let db = support::bare();
    TextKey::create(&db).await?;
    let found = differences(&db).await;
    let first = found.lines().next();
    assert_eq!(
        first,
        Some("key: declared PK (S) + number (N), deployed PK (S) + number (S)")
    );
    Ok(())
}
