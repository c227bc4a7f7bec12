//! A key changes: one transaction deletes the old item and creates the new one.

use super::at_once;
use super::model::{App, NewOrder, OldOrder, old_order, stored};
use crate::support::{self, Outcome};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::migrate::Migration;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Table};
use serde::{Deserialize, Serialize};

pub(super) fn moved<'m>() -> Migration<'m, OldOrder, NewOrder> {
    Migration::new("move", NewOrder::from).concurrency(at_once(8) as usize)
}

#[tokio::test]
async fn every_item_moves_to_its_new_key_in_one_transaction() -> Outcome {
    let db = support::db::<App>().await;
    for number in 0..30 {
        old_order(number).create().send(&db).await?;
    }
    let (watched, faulty) = db.faulty(RetryConfig::disabled(), |_, _| support::Fault::None);
    let report = moved().segments(at_once(4)).run(&watched).await?;
    assert_eq!(report.migrated, 30);
    let transactions = faulty.bodies("TransactWriteItems");
    assert_eq!(transactions.len(), 30);
    for body in transactions {
        let operations = body["TransactItems"].as_array().unwrap();
        assert_eq!(operations.len(), 2);
        assert!(operations[0]["Delete"].is_object() && operations[1]["Put"].is_object());
    }
    assert_eq!(
        OldOrder::scan()
            .filter(|order| order.total().ge(0_u32))
            .count(&db)
            .await?,
        30
    );
    assert_eq!(stored(&db).await?.len(), 30);
    for number in 0..30 {
        let order = NewOrder::by_number(number).one(&db).await?;
        assert_eq!(order, NewOrder::from(old_order(number)));
    }
    assert_eq!(moved().run(&db).await?.already, 30);
    Ok(())
}

#[tokio::test]
async fn a_migration_never_overwrites_a_taken_key() -> Outcome {
    let db = support::db::<App>().await;
    old_order(7).create().send(&db).await?;
    let there = NewOrder {
        total: 1,
        ..NewOrder::from(old_order(7))
    };
    there.create().send(&db).await?;
    let before = stored(&db).await?;
    let error = moved().run(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(error.key_text(), Some("ORDERS#u7/ORDER#000007"));
    let mut after = stored(&db).await?;
    after.retain(|key, _| !key.contains("#migration"));
    assert_eq!(after, before);
    Ok(())
}

/// The same order, with one more index: nothing else changes.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "ORDER", former)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number>")]
#[gsi1(pk = "TOTAL", sk = "<total:010>", as = by_total)]
struct Indexed {
    user_id: String,
    number: u32,
    total: u32,
}

#[tokio::test]
async fn a_new_index_is_filled() -> Outcome {
    let db = support::db::<App>().await;
    for number in 0..10 {
        old_order(number).create().send(&db).await?;
    }
    let migration = || {
        Migration::new("index", |old: OldOrder| Indexed {
            user_id: old.user_id,
            number: old.number,
            total: old.total,
        })
    };
    assert_eq!(migration().run(&db).await?.migrated, 10);
    let totals: Vec<_> = Indexed::by_total().all(&db).await?;
    assert_eq!(totals.len(), 10);
    assert!(totals.is_sorted_by_key(|order| order.total));
    let again = migration().run(&db).await?;
    assert_eq!((again.migrated, again.already), (0, 10));
    Ok(())
}

#[derive(DynamoTable, Debug)]
#[table(name = "archive", pk = "id")]
struct Archive;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Archive)]
#[pk("<id>")]
struct Archived {
    id: String,
    total: u32,
}

#[tokio::test]
async fn items_move_to_another_table() -> Outcome {
    let db = support::db::<App>().await;
    Archive::create_table(&db).await?;
    for number in 0..5 {
        old_order(number).create().send(&db).await?;
    }
    let migration = Migration::new("archive", |old: OldOrder| Archived {
        id: format!("{}-{}", old.user_id, old.number),
        total: old.total,
    });
    assert_eq!(migration.run(&db).await?.migrated, 5);
    assert_eq!(Archived::scan().count(&db).await?, 5);
    assert!(stored(&db).await?.is_empty());
    assert_eq!(migration.run(&db).await?.migrated, 0);
    Ok(())
}

/// Items without a type, recognised by their keys.
#[derive(DynamoTable, Debug)]
#[table(name = "plain", pk = "PK", sk = "SK", items = PlainItem)]
struct Plain;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Plain, former)]
#[pk("A#<id>")]
#[sk("A")]
struct Before {
    id: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Plain)]
#[pk("B#<id:06>")]
#[sk("B")]
struct After {
    id: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Plain)]
#[pk("OTHER#<id>")]
#[sk("A")]
#[unique("SEEN#<id>")]
struct Bystander {
    id: u32,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Plain)]
enum PlainItem {
    After(After),
    Bystander(Bystander),
}

#[tokio::test]
async fn items_without_a_type_are_recognised_by_their_keys() -> Outcome {
    let db = support::db::<Plain>().await;
    for id in 0..6 {
        Before { id }.create().send(&db).await?;
        Bystander { id }.create().send(&db).await?;
    }
    let migration = Migration::new("plain", |old: Before| After { id: old.id });
    let report = migration.segments(at_once(2)).run(&db).await?;
    // A moved item may be read again, further on.
    assert_eq!(report.migrated, 6);
    assert!(report.read >= 18);
    assert_eq!(After::scan().count(&db).await?, 6);
    assert_eq!(Before::scan().count(&db).await?, 0);
    assert_eq!(Bystander::scan().count(&db).await?, 6);
    let migration = Migration::new("plain", |old: Before| After { id: old.id });
    let again = migration.run(&db).await?;
    assert_eq!((again.migrated, again.already), (0, 6));
    Ok(())
}
