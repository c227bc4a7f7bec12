//! Constant attributes: every write stores them, reads compare them, and no write replaces another
//! value unseen.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::schema::ConstantValue;
use dynamo_model::{
    BatchWrite, DynamoEntity, DynamoItems, DynamoTable, Entity, ErrorKind, Transaction,
};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
// An index can include a constant.
#[table(name = "Constants", pk = "PK", items = ConstantItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", projection = include("__edb_v__"))]
struct Constants;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Constants, constant("__edb_v__" = "1", "revision" = -3, "managed" = true))]
#[pk("USER#<id>")]
struct User {
    id: u32,
    name: String,
}

#[derive(DynamoItems)]
#[items(table = Constants)]
enum ConstantItem {
    User(User),
}

/// A stored item that another release of the entity wrote.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Constants, former, constant("__edb_v__" = "2"))]
#[pk("USER#<id>")]
struct NextUser {
    id: u32,
    name: String,
}

fn user(id: u32) -> User {
    User {
        id,
        name: "Ann".into(),
    }
}

/// Finding: "Cannot be declared: … constant attributes (`__edb_v__`)"
#[tokio::test]
async fn every_write_of_a_whole_item_stores_the_constants() -> Outcome {
    let db = support::db::<Constants>().await;
    user(1).put().send(&db).await?;
    user(2).create().send(&db).await?;
    user(3).merge().send(&db).await?;
    BatchWrite::new().put(&user(4)).send(&db).await?;
    BatchWrite::new().load(vec![user(5)]).send(&db).await?;
    let upsert = User::upsert(6).set(|it| it.name(), "Bea");
    upsert.send(&db).await?;
    Transaction::new()
        .add(user(7).put())
        .add(user(8).create())
        .add(user(9).merge())
        .send(&db)
        .await?;
    for id in 1..=9 {
        let item = raw(&db, User::key(id)).await?.unwrap();
        assert_eq!(item["__edb_v__"], AttributeValue::S("1".into()), "{id}");
        assert_eq!(item["revision"], AttributeValue::N("-3".into()), "{id}");
        assert_eq!(item["managed"], AttributeValue::Bool(true), "{id}");
    }
    assert_eq!(User::scan().all(&db).await?.len(), 9);
    Ok(())
}

/// Finding: "constant attributes": a differing value is never replaced silently.
#[tokio::test]
async fn another_value_of_a_constant_is_an_error() -> Outcome {
    let db = support::db::<Constants>().await;
    let next = NextUser {
        id: 1,
        name: "Ann".into(),
    };
    next.put().send(&db).await?;
    let error = User::get(1).send(&db).await.unwrap_err();
    let path = "__edb_v__".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Decode { path });
    assert_eq!((error.entity(), error.key_text()), ("User", Some("USER#1")));
    let source = error.to_string();
    assert!(
        source.contains("S \"2\"") && source.contains("S \"1\""),
        "{source}"
    );

    let other = ErrorKind::OtherConstant {
        attribute: "__edb_v__",
        declared: ConstantValue::Text("1"),
    };
    let errors = [
        user(1).put().send(&db).await.unwrap_err(),
        user(1).merge().send(&db).await.unwrap_err(),
        User::upsert(1)
            .set(|it| it.name(), "x")
            .send(&db)
            .await
            .unwrap_err(),
        Transaction::new()
            .add(user(1).put())
            .send(&db)
            .await
            .unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), &other, "{error}");
        assert_eq!(error.key_text(), Some("USER#1"));
    }
    assert_eq!(NextUser::get(1).send(&db).await?.unwrap(), next);
    Ok(())
}

/// Finding: "constant attributes": an item older than the declaration has none, and gets it.
#[tokio::test]
async fn an_item_without_the_constant_is_read_and_gets_it() -> Outcome {
    let db = support::db::<Constants>().await;
    user(1).put().send(&db).await?;
    let mut item = raw(&db, User::key(1)).await?.unwrap();
    item.remove("__edb_v__");
    item.insert("revision".into(), AttributeValue::N("-3.0".into()));
    support::put::<Constants>(&db, item).await?;
    let read = User::get(1).send(&db).await?.unwrap();
    read.merge().send(&db).await?;
    let item = raw(&db, User::key(1)).await?.unwrap();
    assert_eq!(item["__edb_v__"], AttributeValue::S("1".into()));
    Ok(())
}
