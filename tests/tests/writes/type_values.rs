//! An entity with several values of the type attribute: the first is written, all are read.

use crate::support::{self, Db, Outcome};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = ["USER", "Account", "account.v1"], check_type)]
#[pk("USER#<id>")]
#[sk("#<part>")]
#[gsi1(pk = "TEAM#<team>", as = by_team)]
struct User {
    id: String,
    part: u32,
    team: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = ["LOG", "Log"])]
#[pk("USER#<id>")]
#[sk("#LOG#<at>")]
#[gsi1(pk = "TEAM#<team>", as = by_team)]
struct Log {
    id: String,
    at: u32,
    team: String,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = App)]
enum AppItem {
    User(User),
    Log(Log),
}

fn user(part: u32) -> User {
    User {
        id: "u".into(),
        part,
        team: "red".into(),
    }
}

fn log(at: u32) -> Log {
    Log {
        id: "u".into(),
        at,
        team: "red".into(),
    }
}

/// Stores an item as another release wrote it.
async fn store(db: &Db, user: &User, entity_type: &str) -> Outcome {
    let mut item = support::stored(user)?;
    item.insert("type".into(), AttributeValue::S(entity_type.into()));
    support::put::<App>(db, item).await
}

/// The type of the stored item.
async fn stored_type(db: &Db, part: u32) -> Outcome<AttributeValue> {
    let item = support::raw(db, User::key("u", part)).await?;
    Ok(item.unwrap()["type"].clone())
}

async fn items() -> Outcome<Db> {
    let db = support::db::<App>().await;
    store(&db, &user(1), "USER").await?;
    store(&db, &user(2), "Account").await?;
    store(&db, &user(3), "account.v1").await?;
    log(1).create().send(&db).await?;
    Ok(db)
}

/// Finding: "Cannot be declared: … two type values for one entity"
#[tokio::test]
async fn every_read_returns_items_of_all_types() -> Outcome {
    let db = items().await?;
    let all = [user(1), user(2), user(3)];
    assert_eq!(User::get("u", 2).send(&db).await?, Some(user(2)));
    assert_eq!(User::query("u").all(&db).await?, all);
    assert_eq!(User::query("u").count(&db).await?, 3);
    let by_team = User::by_team("red").all(&db).await?;
    assert_eq!(by_team.len(), 3);
    assert_eq!(User::by_team("red").count(&db).await?, 3);
    assert_eq!(User::scan().count(&db).await?, 3);
    assert_eq!(User::scan().all(&db).await?.len(), 3);
    assert_eq!(Log::scan().all(&db).await?, [log(1)]);
    let collection = AppItem::collection(User::partition_key("u"))
        .all(&db)
        .await?;
    assert_eq!(collection.len(), 4);
    assert_eq!(collection[1], AppItem::User(user(2)));
    Ok(())
}

/// Finding: "Cannot be declared: … two type values for one entity"
#[tokio::test]
async fn writes_accept_every_type_and_store_the_first() -> Outcome {
    let db = items().await?;
    let team = |name: &'static str| user(2).update().set(|it| it.team(), name);
    team("blue").send(&db).await?;
    assert_eq!(
        stored_type(&db, 2).await?,
        AttributeValue::S("Account".into())
    );
    user(2).put().send(&db).await?;
    assert_eq!(stored_type(&db, 2).await?, AttributeValue::S("USER".into()));
    user(3).delete().send(&db).await?;
    assert_eq!(User::scan().count(&db).await?, 2);
    Ok(())
}
