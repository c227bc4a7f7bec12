//! Items that are older than the declaration: a rewrite stores their entity type, their index keys
//! and the items of their unique values.

use crate::support::{self, Db, Fault, Item, Outcome, everything, put_json};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::migrate::Migration;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The table before it had entity types.
#[derive(DynamoTable, Debug)]
#[table(name = "people", pk = "PK", sk = "SK")]
struct FormerPeople;

#[derive(DynamoTable, Debug)]
#[table(name = "people", pk = "PK", sk = "SK", entity_type = "type")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct People;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = FormerPeople, former)]
#[pk("PERSON#<id>")]
#[sk("A")]
struct FormerPerson {
    id: u32,
    email: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People, entity_type = "PERSON", untyped)]
#[pk("PERSON#<id>")]
#[sk("A")]
#[gsi1(pk = "TEAM#<team>", as = by_team)]
#[unique("EMAIL#<email>")]
struct Person {
    id: u32,
    #[serde(alias = "mail")]
    email: String,
    #[serde(default)]
    team: u32,
    #[dynamo(version)]
    #[serde(default)]
    version: u64,
}

/// The same items, read by an entity whose items all have a type.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People, entity_type = "PERSON", former)]
#[pk("PERSON#<id>")]
#[sk("A")]
struct Typed {
    id: u32,
    email: String,
}

fn person(id: u32) -> Person {
    Person {
        id,
        email: format!("{id}@x"),
        team: 0,
        version: 0,
    }
}

/// An item without type, index key and unique item.
async fn store_legacy(db: &Db, id: u32, email: &str) -> Outcome {
    let key = format!("PERSON#{id}");
    let item = json!({ "PK": key, "SK": "A", "id": id, "email": email });
    put_json::<People>(db, item).await
}

/// Legacy items from 1 to `count`, one item as the entity stores it, and one of another program.
async fn legacy(count: u32) -> Outcome<Db> {
    let db = support::db::<People>().await;
    for id in 1..=count {
        store_legacy(&db, id, &format!("{id}@x")).await?;
    }
    person(0).create().send(&db).await?;
    put_json::<People>(&db, json!({ "PK": "NOTE#1", "SK": "N", "text": "!" })).await?;
    Ok(db)
}

async fn stored(db: &Db) -> Outcome<BTreeMap<String, Item>> {
    let items = everything::<People>(db).await?.into_iter();
    Ok(items
        .map(|item| (item["PK"].as_s().unwrap().clone(), item))
        .collect())
}

async fn assert_rewritten(db: &Db, count: u32) -> Outcome {
    let stored = stored(db).await?;
    assert_eq!(stored.len(), 2 * (count as usize + 1) + 1);
    for id in 0..=count {
        let item = &stored[&format!("PERSON#{id}")];
        assert_eq!(item["type"].as_s().unwrap(), "PERSON");
        assert_eq!(item["GSI1PK"].as_s().unwrap(), "TEAM#0");
        assert_eq!(item["version"].as_n().unwrap(), "1");
        let owner = stored[&format!("EMAIL#{id}@x")]["unique_owner"].as_l();
        assert_eq!(owner.unwrap()[0].as_s().unwrap(), &format!("PERSON#{id}"));
    }
    Ok(())
}

/// Finding: "Backfilling the entity type with a migration is rejected as ambiguous", and the
/// unique items of items that were stored before the constraint
#[tokio::test]
async fn a_rewrite_stores_type_index_keys_and_unique_items() -> Outcome {
    let db = legacy(3).await?;
    let before = stored(&db).await?;
    let rewrite = || Migration::rewrite::<Person>("types");
    let preview = rewrite().dry_run(&db).await?;
    assert_eq!((preview.migrated, preview.already), (3, 1));
    assert!(preview.problems.is_empty(), "{:?}", preview.problems);
    assert_eq!(stored(&db).await?, before);

    let report = rewrite().run(&db).await?;
    assert_eq!((report.migrated, report.already), (3, 1));
    assert_rewritten(&db, 3).await?;
    let after = stored(&db).await?;
    for untouched in ["PERSON#0", "EMAIL#0@x", "NOTE#1"] {
        assert_eq!(after[untouched], before[untouched]);
    }
    let report = rewrite().run(&db).await?;
    assert_eq!((report.migrated, report.already), (0, 4));
    assert_eq!(stored(&db).await?, after);
    assert_eq!(Person::by_team(0).all(&db).await?.len(), 4);
    Ok(())
}

/// Finding: each item shows by itself whether it is done, so that a run can be interrupted
/// anywhere.
#[tokio::test]
async fn a_killed_rewrite_can_be_repeated() -> Outcome {
    let db = legacy(6).await?;
    let rewrite = || {
        Migration::rewrite::<Person>("types")
            .page_size(2)
            .concurrency(1)
    };
    let mut killed = 0;
    for requests in 2..40 {
        let (dying, _) = db.faulty(RetryConfig::disabled(), move |number, _| {
            match number.cmp(&requests) {
                std::cmp::Ordering::Less => Fault::None,
                std::cmp::Ordering::Equal => Fault::AnswerLost,
                std::cmp::Ordering::Greater => Fault::NotSent,
            }
        });
        if rewrite().run(&dying).await.is_ok() {
            break;
        }
        killed += 1;
    }
    assert!(killed > 3, "{killed}");
    rewrite().run(&db).await?;
    assert_rewritten(&db, 6).await
}

/// An item with correct type and index keys but without its unique item; and one under an alias.
#[tokio::test]
async fn a_rewrite_stores_a_missing_unique_item_and_moves_an_alias() -> Outcome {
    let db = support::db::<People>().await;
    support::put::<People>(&db, support::stored(&person(1))?).await?;
    let item = json!({ "PK": "PERSON#2", "SK": "A", "type": "PERSON", "id": 2, "mail": "2@x" });
    put_json::<People>(&db, item).await?;
    let report = Migration::rewrite::<Person>("uniques").run(&db).await?;
    assert_eq!((report.migrated, report.already), (2, 0));
    let stored = stored(&db).await?;
    assert!(stored.contains_key("EMAIL#1@x") && stored.contains_key("EMAIL#2@x"));
    assert!(!stored["PERSON#2"].contains_key("mail"));
    let error = Person { id: 9, ..person(1) }.create().send(&db).await;
    assert!(error.unwrap_err().is_not_unique());
    // The values belong to the items.
    let item = Person::get(1).send(&db).await?.ok_or("gone")?;
    item.delete().send(&db).await?;
    Person { id: 9, ..person(1) }.create().send(&db).await?;
    Ok(())
}

/// Finding: a legacy item whose value another item took: the dry run names both, the run stops.
#[tokio::test]
async fn a_rewrite_reports_values_that_another_item_has() -> Outcome {
    let db = legacy(1).await?;
    store_legacy(&db, 7, "0@x").await?;
    store_legacy(&db, 8, "1@x").await?;
    let rewrite = || Migration::rewrite::<Person>("types").concurrency(1);
    let report = rewrite().dry_run(&db).await?;
    assert_eq!((report.migrated, report.problems.len()), (1, 2));
    for problem in &report.problems {
        assert!(problem.is_not_unique(), "{problem}");
    }
    let mut pairs: Vec<_> = report.problems.iter().map(shared).collect();
    pairs.sort();
    // Which of items 1 and 8 is read first is not known.
    assert!(
        pairs[0].contains("PERSON#7/A") || pairs[1].contains("PERSON#7/A"),
        "{pairs:?}"
    );
    let has = |text: &str| pairs.iter().any(|pair| pair.contains(text));
    assert!(has("`EMAIL#0@x` is the value of PERSON#0/A"), "{pairs:?}");
    assert!(has("`EMAIL#1@x` is the value of PERSON#"), "{pairs:?}");
    assert!(rewrite().run(&db).await.unwrap_err().is_not_unique());
    Ok(())
}

/// Returns the key of the item that cannot be migrated, and what it shares with which other item.
fn shared(problem: &dynamo_model::Error) -> String {
    let source = std::error::Error::source(problem).map(ToString::to_string);
    let key = problem.key_text().unwrap_or_default();
    format!("{key}: {}", source.unwrap_or_default())
}

/// Finding: the old shape is that of the table before it had entity types.
#[tokio::test]
async fn a_former_table_without_entity_types_is_migrated_to_one_with_them() -> Outcome {
    let db = legacy(3).await?;
    let typed = || {
        Migration::new("types", |old: FormerPerson| Person {
            id: old.id,
            email: old.email,
            team: 0,
            version: 0,
        })
    };
    let before = stored(&db).await?;
    assert!(typed().dry_run(&db).await?.problems.is_empty());
    let report = typed().run(&db).await?;
    assert_eq!((report.migrated, report.already), (3, 1));
    assert_rewritten(&db, 3).await?;
    let after = stored(&db).await?;
    for untouched in ["PERSON#0", "EMAIL#0@x", "NOTE#1"] {
        assert_eq!(after[untouched], before[untouched]);
    }
    let report = typed().run(&db).await?;
    assert_eq!((report.migrated, report.already), (0, 4));
    Ok(())
}

/// An item without its type is not skipped silently.
#[tokio::test]
async fn an_item_without_its_type_stops_a_migration_of_a_typed_entity() -> Outcome {
    let db = legacy(1).await?;
    let migration = Migration::new("typed", |old: Typed| Person {
        id: old.id,
        email: old.email,
        team: 0,
        version: 0,
    });
    let report = migration.dry_run(&db).await?;
    let untyped = |error: &&dynamo_model::Error| {
        let is_untyped = matches!(error.kind(), ErrorKind::OtherEntity { found: None, .. });
        is_untyped && error.key_text() == Some("PERSON#1/A")
    };
    assert_eq!(report.problems.iter().filter(untyped).count(), 1);
    assert_eq!(report.problems.len(), 1, "{:?}", report.problems);
    Ok(())
}

/// The same shape with a new meaning: only the new entity has the distinguishing field.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People, entity_type = "PERSON", former)]
#[pk("PERSON#<id>")]
#[sk("A")]
struct Renamed {
    id: u32,
    email: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lowercase: bool,
}

/// Finding: "`done_if` receives the old shape, which lacks the new field"
#[tokio::test]
async fn done_if_new_recognises_a_field_of_the_new_entity() -> Outcome {
    let db = support::db::<People>().await;
    for id in 0..2 {
        let email = format!("{id}@X");
        Typed { id, email }.create().send(&db).await?;
    }
    let lower = || {
        Migration::new("lower", |old: Typed| Renamed {
            id: old.id,
            email: old.email.to_lowercase(),
            lowercase: true,
        })
    };
    let error = lower().run(&db).await.unwrap_err();
    assert!(error.to_string().contains("`done_if_new`"), "{error}");
    let told = || lower().done_if_new(|new| new.lowercase).drop_unknown();
    assert_eq!(told().run(&db).await?.migrated, 2);
    assert_eq!(told().run(&db).await?.already, 2);
    let item = Renamed::get(1).send(&db).await?.ok_or("gone")?;
    assert_eq!((item.email.as_str(), item.lowercase), ("1@x", true));
    Ok(())
}
