//! Unique constraints are kept: given back, taken, or handed over.

use super::at_once;
use crate::support::{self, Outcome, everything};
use dynamo_model::migrate::Migration;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable, Debug)]
#[table(name = "people", pk = "PK", sk = "SK", entity_type = "type")]
struct People;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People, entity_type = "PERSON", former)]
#[pk("PERSON#<id>")]
#[sk("A")]
#[unique("EMAIL#<email>")]
#[unique("PHONE#<phone>")]
struct Old {
    id: u32,
    email: String,
    phone: Option<String>,
}

/// The phone is no longer unique, the name is; the address still is.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People, entity_type = "PERSON", former)]
#[pk("PERSON#<id>")]
#[sk("A")]
#[unique("EMAIL#<email>")]
#[unique("NAME#<name>")]
struct InPlace {
    id: u32,
    email: String,
    phone: Option<String>,
    name: String,
}

/// The same, with another key.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People, entity_type = "PERSON")]
#[pk("HUMAN#<id>")]
#[sk("A")]
#[unique("EMAIL#<email>")]
struct Elsewhere {
    id: u32,
    email: String,
}

fn old(id: u32) -> Old {
    Old {
        id,
        email: format!("{id}@x"),
        phone: id.is_multiple_of(2).then(|| format!("0{id}")),
    }
}

/// The values that are taken.
async fn taken(db: &dynamo_model::Dynamo) -> Outcome<Vec<String>> {
    let items = everything::<People>(db).await?.into_iter();
    let own = items.filter(|item| item.contains_key("unique_owner"));
    let mut taken: Vec<_> = own.map(|item| item["PK"].as_s().unwrap().clone()).collect();
    taken.sort();
    Ok(taken)
}

#[tokio::test]
async fn a_migration_in_place_keeps_unchanged_unique_values() -> Outcome {
    let db = support::db::<People>().await;
    for id in 0..4 {
        old(id).create().send(&db).await?;
    }
    let migration = Migration::new("names", |old: Old| InPlace {
        id: old.id,
        name: format!("n{}", old.id),
        email: old.email,
        phone: old.phone,
    });
    assert_eq!(
        migration
            .concurrency(at_once(8) as usize)
            .run(&db)
            .await?
            .migrated,
        4
    );
    let expected = [
        "EMAIL#0@x",
        "EMAIL#1@x",
        "EMAIL#2@x",
        "EMAIL#3@x",
        "NAME#n0",
        "NAME#n1",
        "NAME#n2",
        "NAME#n3",
    ];
    assert_eq!(taken(&db).await?, expected);
    // They belong to the items: deleting one gives its values back.
    let item = InPlace::get(1).send(&db).await?.ok_or("gone")?;
    dynamo_model::Entity::delete(&item).send(&db).await?;
    assert_eq!(taken(&db).await?.len(), 6);
    Ok(())
}

#[tokio::test]
async fn a_migration_to_new_keys_changes_the_owners_of_unique_values() -> Outcome {
    let db = support::db::<People>().await;
    for id in 0..4 {
        old(id).create().send(&db).await?;
    }
    let migration = Migration::new("humans", |old: Old| Elsewhere {
        id: old.id,
        email: old.email,
    });
    assert_eq!(
        migration
            .segments(at_once(2))
            .concurrency(at_once(8) as usize)
            .run(&db)
            .await?
            .migrated,
        4
    );
    assert_eq!(
        taken(&db).await?,
        ["EMAIL#0@x", "EMAIL#1@x", "EMAIL#2@x", "EMAIL#3@x"]
    );
    let thief = Elsewhere {
        id: 9,
        email: "1@x".into(),
    };
    let error = thief.create().send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotUnique { .. }));
    // The new owner can give it back, and then it is free.
    let item = Elsewhere::get(1).send(&db).await?.ok_or("gone")?;
    dynamo_model::Entity::delete(&item).send(&db).await?;
    thief.create().send(&db).await?;
    Ok(())
}

#[tokio::test]
async fn a_new_constraint_reports_items_that_share_a_value() -> Outcome {
    let db = support::db::<People>().await;
    for id in 0..4 {
        old(id).create().send(&db).await?;
    }
    let migration = Migration::new("names", |old: Old| InPlace {
        id: old.id,
        name: format!("n{}", old.id % 3),
        email: old.email,
        phone: old.phone,
    });
    let error = migration
        .concurrency(at_once(8) as usize)
        .run(&db)
        .await
        .unwrap_err();
    let constraint = "NAME#<name>";
    assert_eq!(error.kind(), &ErrorKind::NotUnique { constraint });
    assert!(
        ["PERSON#0/A", "PERSON#3/A"].contains(&error.key_text().unwrap()),
        "{error}"
    );
    Ok(())
}

/// Finding: "A migration to a new `#[unique]` stops at the first duplicate, but its dry run
/// reports no problem"
#[tokio::test]
async fn a_dry_run_reports_the_values_that_two_items_share() -> Outcome {
    let db = support::db::<People>().await;
    for id in 0..6 {
        old(id).create().send(&db).await?;
    }
    let migration = Migration::new("names", |old: Old| InPlace {
        id: old.id,
        name: format!("n{}", old.id % 4),
        email: old.email,
        phone: old.phone,
    });
    let report = migration.dry_run(&db).await?;
    assert_eq!((report.migrated, report.problems.len()), (4, 2));
    let mut shared = Vec::new();
    for problem in &report.problems {
        assert!(problem.is_not_unique(), "{problem}");
        let source = std::error::Error::source(problem).ok_or("no source")?;
        shared.push((
            problem.key_text().unwrap_or("?").to_owned(),
            source.to_string(),
        ));
    }
    shared.sort_by(|(_, a), (_, b)| a.cmp(b));
    for ((key, text), (value, items)) in shared.iter().zip([
        ("NAME#n0", ["PERSON#0/A", "PERSON#4/A"]),
        ("NAME#n1", ["PERSON#1/A", "PERSON#5/A"]),
    ]) {
        // Which of the two is read first is not known.
        let other = items.iter().find(|item| **item != key).ok_or("?")?;
        assert!(items.contains(&key.as_str()), "{key}");
        let expected = format!("`{value}` is the value of {other}; change one of the two items");
        assert_eq!(text, &expected);
    }
    assert!(
        taken(&db)
            .await?
            .iter()
            .all(|value| !value.starts_with("NAME#"))
    );
    // Stored values are found too.
    let error = migration.concurrency(1).run(&db).await.unwrap_err();
    assert!(error.is_not_unique());
    Ok(())
}
