//! Sets, as DynamoDB has them: of texts, numbers and binaries; here those that `serde_dynamo`
//! writes. Plain sets are in `plain_sets`.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};

#[derive(DynamoTable)]
#[table(name = "Sets", pk = "PK")]
struct Sets;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Sets)]
#[pk("S#<id>")]
struct Sample {
    id: u32,
    #[serde(
        default,
        with = "serde_dynamo::string_set",
        skip_serializing_if = "BTreeSet::is_empty"
    )]
    texts: BTreeSet<String>,
    #[serde(
        default,
        with = "serde_dynamo::number_set",
        skip_serializing_if = "HashSet::is_empty"
    )]
    numbers: HashSet<i64>,
    plain: BTreeSet<String>,
}

fn sample() -> Sample {
    Sample {
        id: 1,
        texts: ["a", "b"].map(String::from).into(),
        numbers: [1, -2].into(),
        plain: BTreeSet::new(),
    }
}

async fn sets() -> Outcome<support::Db> {
    let db = support::db::<Sets>().await;
    sample().create().send(&db).await?;
    Ok(db)
}

#[tokio::test]
async fn put_writes_sets_and_reads_them_back() -> Outcome {
    let db = sets().await?;
    let item = raw(&db, Sample::key(1)).await?.unwrap();
    assert!(matches!(&item["texts"], AttributeValue::Ss(texts) if texts.len() == 2));
    assert!(matches!(&item["numbers"], AttributeValue::Ns(numbers) if numbers.len() == 2));
    assert_eq!(Sample::get(1).send(&db).await?, Some(sample()));
    Ok(())
}

#[tokio::test]
async fn elements_are_added() -> Outcome {
    let db = sets().await?;
    let new = Sample::update(1)
        .add_to_set(|s| s.texts(), ["b", "c", "c"])
        .add_to_set(|s| s.numbers(), [3_i64, 3, 1])
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(new.texts, ["a", "b", "c"].map(String::from).into());
    assert_eq!(new.numbers, [1, -2, 3].into());
    let item = raw(&db, Sample::key(1)).await?.unwrap();
    assert!(item["texts"].is_ss() && item["numbers"].is_ns());
    Ok(())
}

#[tokio::test]
async fn elements_are_deleted() -> Outcome {
    let db = sets().await?;
    let new = Sample::update(1)
        .delete_from_set(|s| s.texts(), ["b", "z"])
        .delete_from_set(|s| s.numbers(), [-2_i64])
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(new.texts, ["a"].map(String::from).into());
    assert_eq!(new.numbers, [1].into());
    Ok(())
}

/// DynamoDB has no empty set: the attribute is removed, and stored again with the next element.
#[tokio::test]
async fn deleting_the_last_element_removes_the_attribute() -> Outcome {
    let db = sets().await?;
    Sample::update(1)
        .delete_from_set(|s| s.texts(), ["a", "b"])
        .send(&db)
        .await?;
    assert!(
        !raw(&db, Sample::key(1))
            .await?
            .unwrap()
            .contains_key("texts")
    );
    assert!(Sample::get(1).send(&db).await?.unwrap().texts.is_empty());
    Sample::update(1)
        .add_to_set(|s| s.texts(), ["z"])
        .send(&db)
        .await?;
    assert!(raw(&db, Sample::key(1)).await?.unwrap()["texts"].is_ss());
    Ok(())
}

#[tokio::test]
async fn adding_and_deleting_no_elements_sends_nothing() {
    let db = support::bare();
    let add = Sample::update(1).add_to_set(|s| s.texts(), [""; 0]);
    let error = add.send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Encode { .. }), "{error}");
    assert!(error.to_string().contains("texts"), "{error}");
    let delete = Sample::update(1).delete_from_set(|s| s.numbers(), [0_i64; 0]);
    assert!(matches!(
        delete.send(&db).await.unwrap_err().kind(),
        ErrorKind::Encode { .. }
    ));
}

#[tokio::test]
async fn a_condition_tests_an_element_of_a_set() -> Outcome {
    let db = sets().await?;
    let claim = || {
        Sample::update(1)
            .add_to_set(|s| s.texts(), ["claimed"])
            .condition(|s| !s.texts().contains("claimed"))
            .send(&db)
    };
    claim().await?;
    assert_eq!(
        claim().await.unwrap_err().kind(),
        &ErrorKind::ConditionFailed
    );
    Ok(())
}
