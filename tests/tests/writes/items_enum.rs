//! Items enums can be written, alone and in transactions.

use crate::support::{self, Outcome, raw};
use dynamo_model::read::UnknownItem;
use dynamo_model::{
    Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, ErrorKind, Items, Transaction,
};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
#[unique("EMAIL#<email>")]
struct User {
    id: String,
    email: String,
    #[dynamo(version)]
    version: u64,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "ORDER")]
#[pk("USER#<user>")]
#[sk("ORDER#<number:03>")]
struct Order {
    user: String,
    number: u32,
}

#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = App)]
enum AppItem {
    User(User),
    Order(Order),
    #[items(unknown)]
    Unknown(UnknownItem),
}

fn user() -> User {
    User {
        id: "u1".into(),
        email: "a@example.com".into(),
        version: 0,
    }
}

fn order(number: u32) -> Order {
    Order {
        user: "u1".into(),
        number,
    }
}

#[tokio::test]
async fn put_of_an_items_enum_stores_the_entity() -> Outcome {
    let db = support::db::<App>().await;
    AppItem::Order(order(1)).put().send(&db).await?;
    let stored = raw(&db, Order::key("u1", 1)).await?.unwrap();
    assert_eq!(stored, support::stored(&order(1))?);
    Ok(())
}

#[tokio::test]
async fn create_of_an_items_enum_keeps_unique_values_and_versions() -> Outcome {
    let db = support::db::<App>().await;
    AppItem::User(user()).create().send(&db).await?;
    let stored = User::get("u1").send(&db).await?.unwrap();
    assert_eq!(stored.version, 1);

    let other = User {
        id: "u2".into(),
        ..user()
    };
    let error = AppItem::User(other).create().send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotUnique { .. }));
    assert_eq!(
        (error.entity(), error.key_text()),
        ("User", Some("USER#u2/PROFILE"))
    );

    let error = AppItem::User(user()).put().send(&db).await.unwrap_err();
    assert!(error.is_conflict());
    Ok(())
}

#[tokio::test]
async fn merge_of_an_items_enum_keeps_other_attributes() -> Outcome {
    let db = support::db::<App>().await;
    order(1).create().send(&db).await?;
    AppItem::Order(order(1))
        .merge()
        .must_exist()
        .send(&db)
        .await?;
    let missing = AppItem::Order(order(2)).merge().must_exist();
    assert!(missing.send(&db).await.unwrap_err().is_not_found());
    Ok(())
}

#[tokio::test]
async fn delete_of_an_items_enum_releases_unique_values() -> Outcome {
    let db = support::db::<App>().await;
    AppItem::User(user()).create().send(&db).await?;
    let stored = AppItem::User(User::get("u1").send(&db).await?.unwrap());
    stored.delete().send(&db).await?;
    assert_eq!(User::get("u1").send(&db).await?, None);
    AppItem::User(user()).create().send(&db).await?;
    Ok(())
}

#[tokio::test]
async fn items_of_several_entities_are_written_in_one_transaction() -> Outcome {
    let db = support::db::<App>().await;
    let items = [AppItem::User(user()), AppItem::Order(order(1))];
    let all = Transaction::new().add_all(items.iter().map(AppItem::create));
    all.send(&db).await?;
    assert!(User::get("u1").send(&db).await?.is_some());

    let again = Transaction::new().add_all(items.iter().map(AppItem::create));
    let error = again.send(&db).await.unwrap_err();
    assert_eq!((error.entity(), error.position()), ("User", Some(0)));
    Ok(())
}

#[tokio::test]
async fn an_unknown_item_cannot_be_written() -> Outcome {
    let db = support::db::<App>().await;
    order(1).create().send(&db).await?;
    let mut item = raw(&db, Order::key("u1", 1)).await?.unwrap();
    for (name, value) in [("SK", "BADGE#gold"), ("type", "BADGE")] {
        let value = aws_sdk_dynamodb::types::AttributeValue::S(value.into());
        item.insert(name.into(), value);
    }
    support::put::<App>(&db, item).await?;
    let items = AppItem::collection(User::partition_key("u1"))
        .all(&db)
        .await?;
    let unknown = items
        .iter()
        .find(|it| matches!(it, AppItem::Unknown(_)))
        .unwrap();
    for error in [
        unknown.put().send(&db).await.unwrap_err(),
        unknown.delete().send(&db).await.unwrap_err(),
    ] {
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert!(
            source.contains("an unknown item cannot be written"),
            "{source}"
        );
    }
    Ok(())
}

#[test]
fn explain_of_an_items_enum_is_that_of_the_entity() -> Outcome {
    let db = Dynamo::embedded()?;
    let own = order(1).put().explain(&db)?;
    assert_eq!(AppItem::Order(order(1)).put().explain(&db)?, own);
    Ok(())
}
