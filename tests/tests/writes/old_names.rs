//! Updates of items that are stored under an old name of a field: `#[serde(alias = "…")]`.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity, ErrorKind, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "OldNames", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct OldNames;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Address {
    #[serde(alias = "town", alias = "place")]
    city: String,
    #[serde(alias = "visits")]
    count: u8,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = OldNames)]
#[pk("USER#<id>")]
#[gsi1(pk = "TEAM#<team>", as = by_team)]
struct User {
    id: String,
    #[serde(alias = "group")]
    team: String,
    #[serde(alias = "title", alias = "label")]
    name: Option<String>,
    #[serde(alias = "score")]
    points: u8,
    #[serde(alias = "comments")]
    notes: Vec<String>,
    #[serde(alias = "labels")]
    tags: BTreeSet<String>,
    #[serde(alias = "home")]
    address: Address,
    #[serde(alias = "made")]
    #[dynamo(created_at)]
    created_at: u64,
    #[serde(alias = "revision")]
    #[dynamo(version)]
    version: u64,
}

const OLD: [(&str, &str); 7] = [
    ("name", "label"),
    ("points", "score"),
    ("notes", "comments"),
    ("tags", "labels"),
    ("address", "home"),
    ("created_at", "made"),
    ("version", "revision"),
];

fn user() -> User {
    User {
        id: "u1".into(),
        team: "red".into(),
        name: Some("Ann".into()),
        points: 250,
        notes: vec!["a".into()],
        tags: BTreeSet::from(["x".into()]),
        address: Address {
            city: "Bern".into(),
            count: 3,
        },
        created_at: 0,
        version: 0,
    }
}

/// Stores the item with these attributes under their old names.
async fn stored(
    old: &[(&str, &str)],
) -> Result<(support::Db, User), Box<dyn std::error::Error + Send + Sync>> {
    let db = support::db::<OldNames>().await;
    user().put().send(&db).await?;
    let mut item = raw(&db, User::key("u1")).await?.unwrap();
    for (name, old) in old {
        let value = item.remove(*name).unwrap();
        item.insert((*old).into(), value);
    }
    support::put::<OldNames>(&db, item).await?;
    let user = User::get("u1").send(&db).await?.unwrap();
    Ok((db, user))
}

/// Finding: `set` wrote the new name beside the old one, and serde failed to
/// read the item.
#[tokio::test]
async fn update_of_an_item_under_old_names_leaves_one_name_and_the_right_values() -> Outcome {
    if support::skip("a function as operand of if_not_exists") {
        return Ok(());
    }
    let (db, before) = stored(&OLD).await?;
    let user = User::update("u1")
        .set(|user| user.name(), "Bea")
        .add(|user| user.points(), 5_u8)
        .append(|user| user.notes(), ["b"])
        .set(|user| user.tags(), BTreeSet::from(["y".to_owned()]))
        .set(|user| user.address(), before.address.clone())
        .return_new()
        .send(&db)
        .await?;
    let expected = User {
        name: Some("Bea".into()),
        points: 255,
        notes: vec!["a".into(), "b".into()],
        tags: BTreeSet::from(["y".into()]),
        version: before.version + 1,
        ..before
    };
    assert_eq!(user, expected);
    assert_eq!(User::get("u1").send(&db).await?.unwrap(), expected);
    let item = raw(&db, User::key("u1")).await?.unwrap();
    for (_, old) in OLD.iter().filter(|(name, _)| *name != "created_at") {
        assert_eq!(item.get(*old), None, "{old}");
    }
    // An update does not write the time of creation, so it stays under its old name.
    assert!(item.contains_key("made") && item.contains_key("GSI1PK"));
    Ok(())
}

/// Finding: the sum of a value under the old name must fit, too.
#[tokio::test]
async fn add_checks_the_range_of_a_number_under_its_old_name() -> Outcome {
    if support::skip("a function as operand of if_not_exists") {
        return Ok(());
    }
    let (db, before) = stored(&OLD).await?;
    let error = User::update("u1")
        .add(|user| user.points(), 6_u8)
        .send(&db)
        .await
        .unwrap_err();
    let ErrorKind::OutOfRange { stored, .. } = error.kind() else {
        panic!("{error}")
    };
    assert_eq!(stored.as_deref(), Some("250"));
    // The absent new name would count as 0, from which nothing can be subtracted.
    User::update("u1")
        .subtract(|user| user.points(), 6_u8)
        .send(&db)
        .await?;
    let user = User::get("u1").send(&db).await?.unwrap();
    assert_eq!((user.points, user.name), (244, before.name));
    Ok(())
}

/// Finding: `remove` left the old name, so the value was still read.
#[tokio::test]
async fn remove_removes_the_old_names() -> Outcome {
    if support::skip("a function as operand of if_not_exists") {
        return Ok(());
    }
    let (db, before) = stored(&OLD).await?;
    before
        .update()
        .any_version()
        .remove(|user| user.name())
        .send(&db)
        .await?;
    assert_eq!(User::get("u1").send(&db).await?.unwrap().name, None);
    Ok(())
}

/// Finding: a value under the old name is not absent.
#[tokio::test]
async fn set_if_absent_keeps_the_value_of_an_old_name() -> Outcome {
    if support::skip("a function as operand of if_not_exists") {
        return Ok(());
    }
    let (db, before) = stored(&OLD).await?;
    User::update("u1")
        .set_if_absent(|user| user.name(), "Bea")
        .send(&db)
        .await?;
    let user = User::get("u1").send(&db).await?.unwrap();
    assert_eq!(user.name, before.name);
    let item = raw(&db, User::key("u1")).await?.unwrap();
    assert!(item.contains_key("name") && !item.contains_key("label"));
    Ok(())
}

/// Finding: an upsert and a merge keep the stored time of creation.
#[tokio::test]
async fn upsert_and_merge_replace_old_names_and_keep_the_time_of_creation() -> Outcome {
    if support::skip("a function as operand of if_not_exists") {
        return Ok(());
    }
    for merge in [false, true] {
        let (db, before) = stored(&OLD).await?;
        assert!(before.created_at > 0);
        if merge {
            let unset = User {
                created_at: 0,
                ..user()
            };
            unset.merge().any_version().send(&db).await?;
        } else {
            let user = user();
            User::upsert("u1")
                .set(|it| it.team(), "red")
                .set(|it| it.points(), 1_u8)
                .set(|it| it.notes(), user.notes)
                .set(|it| it.tags(), user.tags)
                .set(|it| it.address(), user.address)
                .send(&db)
                .await?;
        }
        let after = User::get("u1").send(&db).await?.unwrap();
        assert_eq!(after.created_at, before.created_at, "merge: {merge}");
        let item = raw(&db, User::key("u1")).await?.unwrap();
        assert!(!item.contains_key("made") && !item.contains_key("home"));
        assert!(item.contains_key("GSI1PK"));
    }
    Ok(())
}

/// Finding: `ADD` would make a second set beside the one under the old name.
#[tokio::test]
async fn elements_are_not_added_beside_a_set_under_its_old_name() -> Outcome {
    if support::skip("a function as operand of if_not_exists") {
        return Ok(());
    }
    let (db, before) = stored(&OLD).await?;
    let add = User::update("u1").add_to_set(|user| user.tags(), ["y"]);
    let error = add.send(&db).await.unwrap_err();
    let ErrorKind::OldName {
        attribute,
        old_name,
    } = error.kind()
    else {
        panic!("{error}")
    };
    assert_eq!((attribute.as_str(), old_name.as_str()), ("tags", "labels"));
    assert!(error.to_string().contains("`merge`"), "{error}");
    assert_eq!(User::get("u1").send(&db).await?.unwrap(), before);
    Ok(())
}

/// Finding: the same within a nested struct, also in a transaction.
#[tokio::test]
async fn changes_within_a_nested_struct_remove_its_old_names() -> Outcome {
    if support::skip("a function as operand of if_not_exists") {
        return Ok(());
    }
    let (db, before) = stored(&[]).await?;
    let mut item = raw(&db, User::key("u1")).await?.unwrap();
    let home = [
        ("place".to_owned(), AttributeValue::S("Bern".into())),
        ("visits".to_owned(), AttributeValue::N("3".into())),
    ];
    item.insert("address".into(), AttributeValue::M(home.into()));
    support::put::<OldNames>(&db, item).await?;
    assert_eq!(User::get("u1").send(&db).await?.unwrap(), before);
    let update = User::update("u1")
        .set(|user| user.address().fields().city(), "Basel")
        .add(|user| user.address().fields().count(), 1_u8);
    Transaction::new().add(update).send(&db).await?;
    let after = User::get("u1").send(&db).await?.unwrap();
    let expected = Address {
        city: "Basel".into(),
        count: 4,
    };
    assert_eq!(after.address, expected);
    Ok(())
}
