//! Unique values in a reservations table: a rewrite reserves those of older items.

use crate::support::{self, Outcome, everything, put_json};
use dynamo_model::migrate::Migration;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Table};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(DynamoTable)]
#[table(name = "Reservations", pk = "value")]
struct Reservations;

#[derive(DynamoTable)]
#[table(name = "Checkpoints", pk = "PK")]
struct Checkpoints;

/// Only migrations scan it.
#[derive(DynamoTable)]
#[table(name = "Users", pk = "userId", no_scan)]
struct Users;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Users)]
#[pk("<user_id>")]
#[unique("EMAIL#<email>", in = Reservations)]
#[serde(rename_all = "camelCase")]
struct User {
    user_id: String,
    email: String,
}

async fn legacy(emails: &[&str]) -> Outcome<support::Db> {
    let db = support::db::<Reservations>().await;
    Users::create_table(&db).await?;
    Checkpoints::create_table(&db).await?;
    for (id, email) in emails.iter().enumerate() {
        let item = json!({ "userId": format!("u{id}"), "email": email });
        put_json::<Users>(&db, item).await?;
    }
    Ok(db)
}

#[tokio::test]
async fn a_rewrite_reserves_the_values_of_older_items_once() -> Outcome {
    let db = legacy(&["a@x", "b@x", "c@x"]).await?;
    // A table with plain keys has no key for a checkpoint.
    let migration = || Migration::rewrite::<User>("addresses").checkpoint_in::<Checkpoints>();
    let dry = migration().dry_run(&db).await?;
    assert_eq!((dry.migrated, dry.problems.len()), (3, 0));
    assert!(everything::<Reservations>(&db).await?.is_empty());
    assert_eq!(migration().run(&db).await?.migrated, 3);
    let stored = everything::<Reservations>(&db).await?;
    assert_eq!(stored.len(), 3);
    let again = Migration::rewrite::<User>("addresses-2");
    let again = again.checkpoint_in::<Checkpoints>();
    assert_eq!(again.run(&db).await?.already, 3);
    let taken = User {
        user_id: "u9".into(),
        email: "b@x".into(),
    };
    assert!(taken.create().send(&db).await.unwrap_err().is_not_unique());
    User::delete("u1").send(&db).await?;
    taken.create().send(&db).await?;
    Ok(())
}

#[tokio::test]
async fn a_dry_run_names_both_items_that_share_a_value() -> Outcome {
    let db = legacy(&["a@x", "b@x", "a@x"]).await?;
    let dry = Migration::rewrite::<User>("addresses").dry_run(&db).await?;
    assert_eq!(dry.problems.len(), 1, "{:?}", dry.problems);
    let constraint = "EMAIL#<email>";
    assert_eq!(dry.problems[0].kind(), &ErrorKind::NotUnique { constraint });

    // One that has reserved its value is named by its table and key.
    let db = legacy(&["a@x"]).await?;
    let other = User {
        user_id: "other".into(),
        email: "a@x".into(),
    };
    other.create().send(&db).await?;
    let dry = Migration::rewrite::<User>("addresses").dry_run(&db).await?;
    let source = std::error::Error::source(&dry.problems[0]).unwrap();
    assert_eq!(
        source.to_string(),
        "`EMAIL#a@x` is the value of other of table `Users`; change one of the two items"
    );
    Ok(())
}
