//! Items with attributes that no field declares, where the shapes have a `#[dynamo(rest)]` field.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::migrate::Migration;
use dynamo_model::value::Rest;
use dynamo_model::{DynamoEntity, DynamoTable, Entity};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable, Debug)]
#[table(name = "rest", pk = "PK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, former)]
#[pk("USER#<id>")]
struct OldUser {
    id: u32,
    name: String,
    #[dynamo(rest)]
    rest: Rest,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, constant("shape" = 2))]
#[pk("USER#<id>")]
struct User {
    id: u32,
    name: String,
    language: String,
    #[dynamo(rest)]
    rest: Rest,
}

fn migration<'m>() -> Migration<'m, OldUser, User> {
    Migration::new("language", |old: OldUser| User {
        id: old.id,
        name: old.name,
        language: "en".into(),
        rest: old.rest,
    })
}

/// Finding: "put drops attributes that the struct does not declare": a migration took them for
/// lost, and refused.
#[tokio::test]
async fn a_migration_keeps_undeclared_attributes_in_rest_fields() -> Outcome {
    let db = support::db::<App>().await;
    let old = OldUser {
        id: 1,
        name: "Ann".into(),
        rest: Rest::new(),
    };
    old.put().send(&db).await?;
    let mut item = raw(&db, User::key(1)).await?.unwrap();
    let set = AttributeValue::Ns(vec!["123456789012345678901234567890".into()]);
    item.insert("other".into(), set.clone());
    support::put::<App>(&db, item).await?;

    let report = migration().run(&db).await?;
    assert_eq!((report.migrated, report.already), (1, 0));
    let item = raw(&db, User::key(1)).await?.unwrap();
    assert_eq!(item["other"], set);
    assert_eq!(item["shape"], AttributeValue::N("2".into()));
    // The old shape reads the new attribute as undeclared, and is still distinguished.
    assert_eq!(OldUser::get(1).send(&db).await?.unwrap().rest.len(), 3);
    let report = migration().run(&db).await?;
    assert_eq!((report.migrated, report.already), (0, 1));
    Ok(())
}
