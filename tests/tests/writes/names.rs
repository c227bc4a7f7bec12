//! Names and values that look like expressions are only names and values.

use crate::support::{self, Outcome};
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity, ErrorKind, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "Odd", pk = "key", sk = "range")]
#[gsi1(name = "GSI1", pk = "value", sk = "a.b")]
struct Odd;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Inner {
    #[serde(rename = "x.y")]
    dotted: u32,
    #[serde(rename = "SET")]
    set: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Odd)]
#[pk("<key>")]
#[sk("<range>")]
#[gsi1(pk = "V#<status>", sk = "<dotted>", as = by_status)]
struct Thing {
    key: String,
    range: String,
    #[serde(rename = "status")]
    status: String,
    #[serde(rename = "a.b")]
    dotted: String,
    #[serde(rename = "size")]
    size: u32,
    #[serde(rename = ":v0")]
    value: String,
    #[serde(rename = "#n0")]
    name: String,
    #[serde(rename = "名 前[0]")]
    japanese: Vec<String>,
    #[serde(rename = "attribute_exists(key)")]
    function: bool,
    #[dynamo(nested)]
    #[serde(rename = "and")]
    and: Inner,
    #[serde(rename = "or")]
    or: BTreeMap<String, u32>,
}

fn thing() -> Thing {
    Thing {
        key: ":v0".into(),
        range: "#n0 = :v0".into(),
        status: "status".into(),
        dotted: "a.b".into(),
        size: 1,
        value: "x OR attribute_exists(key)".into(),
        name: "if_not_exists(#n0, :v0)".into(),
        japanese: vec!["REMOVE key".into()],
        function: true,
        and: Inner {
            dotted: 1,
            set: "SET a = b".into(),
        },
        or: [("a.b[0]".to_owned(), 1)].into(),
    }
}

#[tokio::test]
async fn every_reserved_word_is_changed_as_an_attribute() -> Outcome {
    let db = support::db::<Odd>().await;
    thing().create().send(&db).await?;
    let new = thing()
        .update()
        .add(|t| t.size(), 1_u32)
        .set(|t| t.value(), "y")
        .set(|t| t.name(), ":v0, #n1 = :v1")
        .append(|t| t.japanese(), ["DELETE"])
        .set(|t| t.function(), false)
        .add(|t| t.and().dotted(), 1_u32)
        .set(|t| t.and().set(), "z")
        .add(|t| t.or().entry("a.b[0]"), 1_u32)
        .set(|t| t.or().entry("#n0"), 5_u32)
        .set(|t| t.status(), "t")
        .set(|t| t.dotted(), "c.d")
        .return_new()
        .send(&db)
        .await?;
    let expected = Thing {
        size: 2,
        value: "y".into(),
        name: ":v0, #n1 = :v1".into(),
        japanese: vec!["REMOVE key".into(), "DELETE".into()],
        function: false,
        and: Inner {
            dotted: 2,
            set: "z".into(),
        },
        or: [("a.b[0]".to_owned(), 2), ("#n0".to_owned(), 5)].into(),
        status: "t".into(),
        dotted: "c.d".into(),
        ..thing()
    };
    assert_eq!(new, expected);
    assert_eq!(
        Thing::by_status("t").dotted("c.d").all(&db).await?,
        [expected]
    );
    Ok(())
}

#[tokio::test]
async fn conditions_may_name_reserved_words() -> Outcome {
    let db = support::db::<Odd>().await;
    thing().create().send(&db).await?;
    let update = |value: &'static str| {
        Thing::update(":v0", "#n0 = :v0")
            .add(|t| t.size(), 0_u32)
            .condition(move |t| {
                t.value().eq(value)
                    & t.name().begins_with("if_not_exists(")
                    & t.function().eq(true)
                    & t.and().dotted().eq(1)
                    & t.or().entry("a.b[0]").eq(1)
                    & t.japanese().contains("REMOVE key")
            })
            .send(&db)
    };
    update("x OR attribute_exists(key)").await?;
    let error = update("x").await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    Ok(())
}

/// A guarded delete cannot be talked out of its guard.
#[tokio::test]
async fn a_value_cannot_widen_a_condition() -> Outcome {
    let db = support::db::<Odd>().await;
    thing().create().send(&db).await?;
    for value in [
        "x OR attribute_exists(#n0)",
        ":v0",
        "x\" OR \"1\" = \"1",
        "') OR (1 = 1",
    ] {
        let delete = Thing::delete(":v0", "#n0 = :v0").condition(|t| t.value().eq(value));
        let error = delete.send(&db).await.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::ConditionFailed, "{value}");
    }
    assert_eq!(
        Thing::get(":v0", "#n0 = :v0").send(&db).await?,
        Some(thing())
    );
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Secrets", pk = "PK")]
struct Secrets;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Secrets)]
#[pk("USER#<id>")]
struct Secret {
    id: String,
    #[dynamo(sensitive)]
    password: String,
}

/// Neither the stored item nor the compared value.
#[tokio::test]
async fn no_error_shows_a_sensitive_value() -> Outcome {
    let db = support::db::<Secrets>().await;
    let secret = Secret {
        id: "u1".into(),
        password: "hunter2".into(),
    };
    secret.create().send(&db).await?;
    let create = secret.create().send(&db).await.unwrap_err();
    let update = Secret::update("u1").set(|it| it.password(), "hunter2");
    let update = update.condition(|it| it.password().ne("hunter2"));
    let update = update.send(&db).await.unwrap_err();
    let transaction = Transaction::new()
        .add(secret.create())
        .send(&db)
        .await
        .unwrap_err();
    for error in [create, update, transaction] {
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
        assert_eq!(error.item::<Secret>()?.as_ref(), Some(&secret));
    }
    Ok(())
}
