//! `#[dynamo(immutable)]`: set at creation, never changed by an update, and compared by writes of
//! the whole item.

use crate::support::{self, Db, Outcome, put_json, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::migrate::Migration;
use dynamo_model::{
    BatchWrite, DynamoEntity, DynamoItems, DynamoTable, Entity, Error, ErrorKind, Transaction,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "people", pk = "PK", items = PeopleItem)]
#[gsi1(name = "by-app-id", pk = "appId")]
struct People;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People)]
#[pk("PERSON#<id>")]
#[gsi1(pk = "<app_id>", as = by_app_id)]
#[serde(rename_all = "camelCase")]
struct Person {
    id: u32,
    #[dynamo(immutable)]
    app_id: String,
    #[dynamo(immutable)]
    country: Option<String>,
    #[dynamo(immutable)]
    #[serde(alias = "tags")]
    roles: BTreeSet<String>,
    name: String,
    visits: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People)]
#[pk("CARD#<id>")]
#[unique("NUMBER#<number>")]
struct Card {
    id: u32,
    #[dynamo(immutable)]
    number: u64,
    #[dynamo(immutable, sensitive)]
    pin: String,
    #[dynamo(version)]
    version: u64,
}

#[derive(DynamoItems)]
#[items(table = People)]
enum PeopleItem {
    Person(Person),
    Card(Card),
}

fn person() -> Person {
    Person {
        id: 1,
        app_id: "ann_1".into(),
        country: Some("JP".into()),
        roles: BTreeSet::from(["admin".into()]),
        name: "Ann".into(),
        visits: 0,
    }
}

fn card() -> Card {
    Card {
        id: 1,
        number: 4711,
        pin: "0000".into(),
        version: 0,
    }
}

async fn db() -> Outcome<Db> {
    let db = support::db::<People>().await;
    person().create().send(&db).await?;
    Ok(db)
}

fn refused(error: &Error, attribute: &str, stored: Option<&str>, given: Option<&str>) {
    let kind = ErrorKind::Immutable {
        attribute: attribute.into(),
        stored: stored.map(Into::into),
        given: given.map(Into::into),
    };
    assert_eq!(error.kind(), &kind, "{error}");
    assert!(error.is_immutable() && error.is_condition_failed());
}

#[tokio::test]
async fn put_and_merge_replace_an_item_with_the_same_values() -> Outcome {
    let db = db().await?;
    let mut changed = person();
    changed.name = "Anna".into();
    changed.put().send(&db).await?;
    changed.visits = 7;
    changed.merge().send(&db).await?;
    Transaction::new().add(changed.put()).send(&db).await?;
    changed.put().must_exist().send(&db).await?;
    assert_eq!(Person::get(1).send(&db).await?.unwrap(), changed);
    // A free key accepts any values.
    let other = Person { id: 2, ..changed };
    other.put().send(&db).await?;
    Person { id: 3, ..other }.merge().send(&db).await?;
    assert_eq!(Person::by_app_id("ann_1").all(&db).await?.len(), 3);
    Ok(())
}

#[tokio::test]
async fn put_and_merge_of_another_value_change_nothing() -> Outcome {
    let db = db().await?;
    let other = Person {
        app_id: "bea_1".into(),
        name: "Bea".into(),
        ..person()
    };
    let (stored, given) = (Some("\"ann_1\""), Some("\"bea_1\""));
    let error = other.put().send(&db).await.unwrap_err();
    refused(&error, "appId", stored, given);
    assert_eq!(
        (error.entity(), error.key_text()),
        ("Person", Some("PERSON#1"))
    );
    assert_eq!(error.item::<Person>()?.unwrap(), person());
    assert_eq!(
        error.to_string(),
        "put Person PERSON#1: `appId` is immutable, and the stored item has \"ann_1\", and this \
         write has \"bea_1\"; read the item and keep its value, or change it with a migration"
    );
    let error = other.merge().send(&db).await.unwrap_err();
    refused(&error, "appId", stored, given);
    let error = other.put().must_exist().send(&db).await.unwrap_err();
    refused(&error, "appId", stored, given);
    let error = Transaction::new()
        .add(other.put())
        .send(&db)
        .await
        .unwrap_err();
    refused(&error, "appId", stored, given);
    let merge = Transaction::new().add(other.merge().condition(|it| it.visits().eq(0)));
    refused(&merge.send(&db).await.unwrap_err(), "appId", stored, given);
    assert_eq!(Person::get(1).send(&db).await?.unwrap(), person());
    assert!(Person::by_app_id("bea_1").all(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn an_unset_field_stays_unset_and_a_set_one_stays_set() -> Outcome {
    let db = db().await?;
    let none = Person {
        country: None,
        ..person()
    };
    let error = none.put().send(&db).await.unwrap_err();
    refused(&error, "country", Some("\"JP\""), None);
    Person { id: 2, ..none }.create().send(&db).await?;
    let some = Person { id: 2, ..person() };
    let error = some.merge().send(&db).await.unwrap_err();
    refused(&error, "country", None, Some("\"JP\""));
    let stored_null = json!({
        "PK": "PERSON#3", "id": 3, "appId": "c", "country": null, "roles": [], "name": "C", "visits": 0
    });
    put_json::<People>(&db, stored_null).await?;
    let mut read = Person::get(3).send(&db).await?.unwrap();
    read.visits = 1;
    // A set is compared in its stored form: here an empty list, which is not a set.
    let error = read.put().send(&db).await.unwrap_err();
    refused(&error, "roles", Some("L([])"), None);
    Ok(())
}

#[tokio::test]
async fn sets_and_old_names_are_compared_as_they_are_stored() -> Outcome {
    let db = db().await?;
    let mut other = person();
    other.roles.insert("guest".into());
    let error = other.put().send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Immutable { attribute, .. } if attribute == "roles"));
    let mut item = raw(&db, Person::key(1)).await?.unwrap();
    let roles = item.remove("roles").unwrap();
    assert_eq!(roles, AttributeValue::Ss(vec!["admin".into()]));
    item.insert("tags".into(), roles);
    support::put::<People>(&db, item).await?;
    let error = other.merge().send(&db).await.unwrap_err();
    assert!(error.is_immutable(), "{error}");
    let read = Person::get(1).send(&db).await?.unwrap();
    read.merge().send(&db).await?;
    let item = raw(&db, Person::key(1)).await?.unwrap();
    assert!(item.contains_key("roles") && !item.contains_key("tags"));
    // Under neither name is a value the same as none.
    let none = Person {
        roles: BTreeSet::new(),
        ..person()
    };
    assert!(none.put().send(&db).await.unwrap_err().is_immutable());
    Ok(())
}

#[tokio::test]
async fn an_upsert_creates_with_the_value_and_refuses_another_one() -> Outcome {
    let db = support::db::<People>().await;
    let upsert = |app_id: &str, name: &str| {
        Person::upsert(1)
            .set(|it| it.app_id(), app_id)
            .set(|it| it.country(), "JP")
            .set(|it| it.roles(), BTreeSet::from(["admin".to_owned()]))
            .set(|it| it.name(), name)
            .add(|it| it.visits(), 1_u32)
    };
    upsert("ann_1", "Ann").send(&db).await?;
    upsert("ann_1", "Anna").send(&db).await?;
    let stored = Person::by_app_id("ann_1").one(&db).await?;
    assert_eq!((stored.name.as_str(), stored.visits), ("Anna", 2));
    let error = upsert("bea_1", "Bea").send(&db).await.unwrap_err();
    refused(&error, "appId", Some("\"ann_1\""), Some("\"bea_1\""));
    let sent = Transaction::new()
        .add(upsert("bea_1", "Bea"))
        .send(&db)
        .await;
    refused(
        &sent.unwrap_err(),
        "appId",
        Some("\"ann_1\""),
        Some("\"bea_1\""),
    );
    // Fields that are not set are not compared; a required field must be set, because the item may
    // be new.
    let error = Person::upsert(1)
        .set(|it| it.name(), "Ann")
        .add(|it| it.visits(), 1_u32)
        .send(&db)
        .await
        .unwrap_err();
    let attributes = vec!["app_id".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    assert_eq!(Person::get(1).send(&db).await?.unwrap(), stored);
    Ok(())
}

#[tokio::test]
async fn an_update_never_touches_an_immutable_field() -> Outcome {
    let db = db().await?;
    let mut read = Person::get(1).send(&db).await?.unwrap();
    // Changing the struct does not change the item.
    read.country = Some("FR".into());
    let update = read.update().set(|it| it.name(), "Anna").return_new();
    let stored = update.send(&db).await?;
    assert_eq!(stored.country, Some("JP".into()));
    Person::update(1)
        .add(|it| it.visits(), 1_u32)
        .send(&db)
        .await?;
    let item = raw(&db, Person::key(1)).await?.unwrap();
    assert_eq!(item["appId"], AttributeValue::S("ann_1".into()));
    Ok(())
}

#[tokio::test]
async fn unique_values_and_versions_are_kept_beside_an_immutable_field() -> Outcome {
    let db = support::db::<People>().await;
    let stored = card().put().return_new().send(&db).await?;
    let other = Card {
        number: 4712,
        ..stored.clone()
    };
    let error = other.put().send(&db).await.unwrap_err();
    refused(&error, "number", Some("4711"), Some("4712"));
    let error = Transaction::new()
        .add(other.put())
        .send(&db)
        .await
        .unwrap_err();
    refused(&error, "number", Some("4711"), Some("4712"));
    // The refused number is free.
    Card { id: 2, ..other }.create().send(&db).await?;
    // Without telling a sensitive value.
    let error = Card {
        pin: "1234".into(),
        ..stored
    }
    .put()
    .send(&db)
    .await
    .unwrap_err();
    refused(&error, "pin", None, None);
    assert!(!format!("{error} {error:?}").contains("1234"));
    Ok(())
}

#[tokio::test]
async fn an_import_stores_immutable_fields_unchecked() -> Outcome {
    let db = db().await?;
    let other = Person {
        app_id: "bea_1".into(),
        ..person()
    };
    BatchWrite::new()
        .load(vec![other.clone()])
        .send(&db)
        .await?;
    assert_eq!(Person::get(1).send(&db).await?.unwrap(), other);
    BatchWrite::new().delete(Person::key(1)).send(&db).await?;
    Ok(())
}

/// As it was stored before `app_id` was declared.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People, former)]
#[pk("PERSON#<id>")]
#[serde(rename_all = "camelCase")]
struct FormerPerson {
    id: u32,
    name: String,
}

#[tokio::test]
async fn a_migration_sets_an_immutable_field() -> Outcome {
    let db = support::db::<People>().await;
    let former = FormerPerson {
        id: 1,
        name: "Ann".into(),
    };
    former.put().send(&db).await?;
    let migration = Migration::new("app-id", |old: FormerPerson| Person {
        app_id: format!("ann_{}", old.id),
        name: old.name,
        id: old.id,
        ..person()
    });
    migration.run(&db).await?;
    assert_eq!(Person::get(1).send(&db).await?.unwrap(), person());
    let other = Person {
        app_id: "x".into(),
        ..person()
    };
    assert!(other.put().send(&db).await.unwrap_err().is_immutable());
    Ok(())
}
