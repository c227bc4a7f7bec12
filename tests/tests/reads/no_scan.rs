//! `#[table(no_scan)]`: an entity can be scanned only if it declares the reason. Programs that must
//! not compile are in `ui/scan`.

use crate::support::{self, Outcome};
use dynamo_model::migrate::Migration;
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity, Table, Transaction};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "app", pk = "PK", sk = "SK", entity_type = "type", items = AppItem, no_scan)]
#[table(encryption = kms, point_in_time_recovery, ttl = "expires")]
#[table(require(encryption, point_in_time_recovery, ttl))]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
struct User {
    id: u32,
    name: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "DAY", scannable = "nightly export")]
#[pk("DAY#<day>")]
#[sk("SUMS")]
struct Day {
    day: String,
    users: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Day(Day),
}

#[tokio::test]
async fn only_a_scannable_entity_can_be_scanned() -> Outcome {
    let db = support::db::<App>().await;
    let day = Day {
        day: "2025-06-01".into(),
        users: 1,
    };
    let user = User {
        id: 1,
        name: "Ann".into(),
    };
    Transaction::new()
        .add(day.create())
        .add(user.create())
        .send(&db)
        .await?;
    assert_eq!(Day::scan().all(&db).await?, std::slice::from_ref(&day));
    assert_eq!(Day::scan().segments(2).all(&db).await?, [day]);
    assert_eq!(User::query(1).all(&db).await?, [user]);
    const { assert!(App::SCHEMA.no_scan) };
    assert_eq!(Day::SCHEMA.scannable, Some("nightly export"));
    Ok(())
}

/// A migration is an operator's task, and reads every item once.
#[tokio::test]
async fn a_migration_scans_any_table() -> Outcome {
    let db = support::db::<App>().await;
    let user = User {
        id: 1,
        name: "Ann".into(),
    };
    user.create().send(&db).await?;
    let report = Migration::rewrite::<User>("same").run(&db).await?;
    assert_eq!((report.read >= 1, report.already), (true, 1));
    Ok(())
}
