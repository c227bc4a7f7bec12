//! Create, put and delete: the stored item, and the error of a failure.

use crate::support::{self, Outcome, everything, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    name: String,
    age: u32,
}

fn user(name: &str, age: u32) -> User {
    User {
        user_id: "u1".into(),
        name: name.into(),
        age,
    }
}

#[tokio::test]
async fn create_stores_an_item_with_keys_and_type() -> Outcome {
    let db = support::db::<App>().await;
    user("太郎", 20).create().send(&db).await?;
    let stored = raw(&db, User::key("u1")).await?.unwrap();
    assert_eq!(stored, support::stored(&user("太郎", 20))?);
    Ok(())
}

#[tokio::test]
async fn create_over_an_item_returns_the_stored_item() -> Outcome {
    let db = support::db::<App>().await;
    user("太郎", 20).create().send(&db).await?;
    let error = user("次郎", 30).create().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(error.item::<User>()?, Some(user("太郎", 20)));
    assert_eq!(
        error.to_string(),
        "create User USER#u1/PROFILE: the item already exists; use `put` to replace it, or \
         `update` to change it"
    );
    assert_eq!(User::get("u1").send(&db).await?, Some(user("太郎", 20)));
    Ok(())
}

#[tokio::test]
async fn of_many_creates_at_once_one_wins() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = support::db::<App>().await;
    let creates = (0..20).map(|age| {
        let db = db.clone();
        tokio::spawn(async move { user("x", age).create().send(&db).await.is_ok() })
    });
    let mut won = 0;
    for create in creates.collect::<Vec<_>>() {
        won += usize::from(create.await?);
    }
    assert_eq!(won, 1);
    Ok(())
}

#[tokio::test]
async fn put_replaces_the_whole_item() -> Outcome {
    let db = support::db::<App>().await;
    let mut item = support::stored(&user("太郎", 20))?;
    item.insert("old".into(), AttributeValue::S("x".into()));
    support::put::<App>(&db, item).await?;
    user("次郎", 30).put().send(&db).await?;
    let stored = raw(&db, User::key("u1")).await?.unwrap();
    assert_eq!(stored, support::stored(&user("次郎", 30))?);
    Ok(())
}

#[tokio::test]
async fn put_must_exist_creates_nothing() -> Outcome {
    let db = support::db::<App>().await;
    let error = user("x", 1).put().must_exist().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert_eq!(error.entity(), "User");
    assert_eq!(error.key_text(), Some("USER#u1/PROFILE"));
    assert!(everything::<App>(&db).await?.is_empty());
    user("x", 1).create().send(&db).await?;
    user("y", 2).put().must_exist().send(&db).await?;
    assert_eq!(User::get("u1").send(&db).await?, Some(user("y", 2)));
    Ok(())
}

#[tokio::test]
async fn put_checks_its_condition() -> Outcome {
    let db = support::db::<App>().await;
    let put = async |age| {
        let user = user("太郎", age);
        user.put()
            .condition(|user| user.age().lt(30))
            .send(&db)
            .await
    };
    // The item does not exist, so its value is not below 30.
    assert_eq!(
        put(1).await.unwrap_err().kind(),
        &ErrorKind::ConditionFailed
    );
    user("太郎", 29).create().send(&db).await?;
    put(30).await?;
    let error = put(31).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(error.item::<User>()?, Some(user("太郎", 30)));
    assert_eq!(
        error.to_string(),
        "put User USER#u1/PROFILE: the item does not meet the condition"
    );
    Ok(())
}

#[tokio::test]
async fn an_update_of_a_missing_item_is_not_found() -> Outcome {
    let db = support::db::<App>().await;
    let by_key = User::update("u1")
        .set(|user| user.age(), 3_u32)
        .send(&db)
        .await;
    assert_eq!(by_key.unwrap_err().kind(), &ErrorKind::NotFound);
    let loaded = user("x", 1)
        .update()
        .set(|user| user.age(), 3_u32)
        .send(&db)
        .await;
    let error = loaded.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert!(error.item::<User>()?.is_none());
    assert_eq!(
        error.to_string(),
        "update User USER#u1/PROFILE: the item does not exist; use `create` or `upsert` to create \
         it"
    );
    assert!(everything::<App>(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn delete_works_by_key_and_by_item() -> Outcome {
    let db = support::db::<App>().await;
    user("太郎", 20).create().send(&db).await?;
    User::delete("u1").send(&db).await?;
    assert!(everything::<App>(&db).await?.is_empty());
    user("太郎", 20).create().send(&db).await?;
    user("太郎", 20).delete().send(&db).await?;
    assert!(everything::<App>(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn deleting_a_missing_item_succeeds_unless_it_must_exist() -> Outcome {
    let db = support::db::<App>().await;
    User::delete("u1").send(&db).await?;
    user("x", 1).delete().send(&db).await?;
    let error = User::delete("u1").must_exist().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert!(
        error
            .to_string()
            .starts_with("delete User USER#u1/PROFILE: ")
    );
    Ok(())
}

#[tokio::test]
async fn delete_checks_its_condition() -> Outcome {
    let db = support::db::<App>().await;
    user("太郎", 20).create().send(&db).await?;
    let delete = |age| {
        User::delete("u1")
            .condition(move |user| user.age().eq(age))
            .send(&db)
    };
    let error = delete(21_u32).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(error.item::<User>()?, Some(user("太郎", 20)));
    delete(20).await?;
    // A deleted item meets no condition.
    assert_eq!(
        delete(20).await.unwrap_err().kind(),
        &ErrorKind::ConditionFailed
    );
    Ok(())
}

#[tokio::test]
async fn upsert_creates_first_and_changes_afterwards() -> Outcome {
    let db = support::db::<App>().await;
    let upsert = |name: &'static str| {
        User::upsert("u1")
            .set(|user| user.name(), name)
            .add(|user| user.age(), 1_u32)
            .send(&db)
    };
    upsert("太郎").await?;
    let stored = raw(&db, User::key("u1")).await?.unwrap();
    assert_eq!(stored, support::stored(&user("太郎", 1))?);
    upsert("次郎").await?;
    assert_eq!(User::get("u1").send(&db).await?, Some(user("次郎", 2)));
    Ok(())
}

#[tokio::test]
async fn upsert_checks_its_condition() -> Outcome {
    let db = support::db::<App>().await;
    let upsert = || {
        User::upsert("u1")
            .set(|user| user.name(), "太郎")
            .add(|user| user.age(), 1_u32)
            .condition(|user| user.age().not_exists() | user.age().lt(2))
            .send(&db)
    };
    upsert().await?;
    upsert().await?;
    let error = upsert().await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(error.item::<User>()?, Some(user("太郎", 2)));
    assert!(
        error
            .to_string()
            .starts_with("upsert User USER#u1/PROFILE: ")
    );
    Ok(())
}

#[tokio::test]
async fn an_incomplete_upsert_sends_nothing() {
    let db = support::bare(); // without a table: a request would fail otherwise
    let error = User::upsert("u1")
        .set(|user| user.name(), "x")
        .send(&db)
        .await
        .unwrap_err();
    let attributes = vec!["age".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    let text = error.to_string();
    assert!(
        text.starts_with("upsert User USER#u1/PROFILE: ") && text.contains("`age`"),
        "{text}"
    );
}

#[tokio::test]
async fn writes_check_that_the_item_belongs_to_their_entity() -> Outcome {
    let db = support::db::<App>().await;
    let mut item = support::stored(&user("太郎", 20))?;
    item.insert("type".into(), AttributeValue::S("ADMIN".into()));
    support::put::<App>(&db, item).await?;
    let error = user("太郎", 20).create().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert!(error.item::<User>().unwrap_err().is_decode());
    Ok(())
}

#[tokio::test]
async fn a_write_to_a_missing_table_names_it() {
    let db = support::bare();
    let error = user("x", 1).put().send(&db).await.unwrap_err();
    assert!(error.is_missing_table(), "{error}");
    let error = User::update("u1")
        .set(|user| user.age(), 1_u32)
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_missing_table(), "{error}");
    let error = User::delete("u1").send(&db).await.unwrap_err();
    assert!(error.is_missing_table(), "{error}");
}
