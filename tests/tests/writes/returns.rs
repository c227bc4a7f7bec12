//! Results of a write: the item before, the item after, or the changed attributes.

use crate::support::{self, Db, Outcome};
use dynamo_model::batch::IntoKey;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Address {
    city: String,
    zip: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App)]
#[pk("TENANT#<tenant>")]
#[sk("USER#<id:04>")]
#[gsi1(pk = "TEAM#<team>", as = by_team)]
struct User {
    #[dynamo(key_only)]
    tenant: String,
    id: u32,
    team: String,
    points: u32,
    note: Option<String>,
    #[dynamo(nested)]
    address: Address,
    tags: Vec<String>,
}

fn user(points: u32) -> User {
    User {
        tenant: "t".into(),
        id: 7,
        team: "red".into(),
        points,
        note: None,
        address: Address {
            city: "京都".into(),
            zip: 600,
        },
        tags: vec!["a".into()],
    }
}

async fn users() -> Outcome<Db> {
    let db = support::db::<App>().await;
    user(1).create().send(&db).await?;
    Ok(db)
}

#[tokio::test]
async fn create_and_put_return_the_new_item() -> Outcome {
    let db = support::db::<App>().await;
    assert_eq!(user(1).create().return_new().send(&db).await?, user(1));
    assert_eq!(user(2).put().return_new().send(&db).await?, user(2));
    Ok(())
}

#[tokio::test]
async fn put_returns_the_old_item() -> Outcome {
    let db = support::db::<App>().await;
    assert_eq!(user(1).put().return_old().send(&db).await?, None);
    assert_eq!(user(2).put().return_old().send(&db).await?, Some(user(1)));
    Ok(())
}

#[tokio::test]
async fn delete_returns_the_old_item() -> Outcome {
    let db = users().await?;
    assert_eq!(
        User::delete("t", 7).return_old().send(&db).await?,
        Some(user(1))
    );
    assert_eq!(User::delete("t", 7).return_old().send(&db).await?, None);
    assert_eq!(user(1).delete().return_old().send(&db).await?, None);
    Ok(())
}

#[tokio::test]
async fn update_returns_the_item_before_or_after() -> Outcome {
    let db = users().await?;
    let add = || User::update("t", 7).add(|user| user.points(), 1_u32);
    assert_eq!(add().return_old().send(&db).await?, Some(user(1)));
    assert_eq!(add().return_new().send(&db).await?, user(3));
    let loaded = user(3);
    let add = || loaded.update().add(|user| user.points(), 1_u32);
    assert_eq!(add().return_old().send(&db).await?, Some(user(3)));
    assert_eq!(add().return_new().send(&db).await?, user(5));
    Ok(())
}

#[tokio::test]
async fn upsert_returns_the_item_before_or_after() -> Outcome {
    let db = support::db::<App>().await;
    let upsert = || {
        User::upsert("t", 7)
            .set(|user| user.team(), "red")
            .add(|user| user.points(), 1_u32)
            .set(|user| user.address(), user(0).address)
            .append(|user| user.tags(), ["a"])
    };
    assert_eq!(upsert().return_old().send(&db).await?, None);
    let new = upsert().return_new().send(&db).await?;
    assert_eq!(
        (new.tenant.as_str(), new.points, new.tags.len()),
        ("t", 2, 2)
    );
    assert_eq!(upsert().return_old().send(&db).await?, Some(new));
    Ok(())
}

#[tokio::test]
async fn upsert_returns_the_changed_attributes() -> Outcome {
    let db = users().await?;
    let upsert = || {
        User::upsert("t", 7)
            .set(|user| user.team(), "red")
            .add(|user| user.points(), 1_u32)
            .set(|user| user.address(), user(0).address)
            .set(|user| user.tags(), vec![])
    };
    let new = upsert().return_updated_new().send(&db).await?;
    assert_eq!(new.get(|user| user.points())?, Some(2));
    let old = upsert().return_updated_old().send(&db).await?;
    assert_eq!(old.get(|user| user.points())?, Some(2));
    Ok(())
}

#[tokio::test]
async fn update_returns_old_and_new_values_of_changed_attributes() -> Outcome {
    let db = users().await?;
    let update = |note: &'static str, team: &'static str| {
        User::update("t", 7)
            .add(|user| user.points(), 1_u32)
            .set(|user| user.note(), note)
            .set(|user| user.team(), team)
    };
    let old = update("n", "blue").return_updated_old().send(&db).await?;
    assert_eq!(old.get(|user| user.points())?, Some(1));
    assert_eq!(old.get(|user| user.note())?, None);
    assert_eq!(old.get(|user| user.team())?.as_deref(), Some("red"));
    let new = update("m", "green").return_updated_new().send(&db).await?;
    assert_eq!(new.get(|user| user.points())?, Some(3));
    assert_eq!(new.get(|user| user.note())?.as_deref(), Some("m"));
    assert_eq!(new.get(|user| user.team())?.as_deref(), Some("green"));
    Ok(())
}

#[tokio::test]
async fn an_attribute_set_to_its_old_value_counts_as_changed() -> Outcome {
    if support::skip("an attribute set to the value it has") {
        return Ok(());
    }
    let db = users().await?;
    let update = || User::update("t", 7).set(|user| user.points(), 1_u32);
    let new = update().return_updated_new().send(&db).await?;
    assert_eq!(new.get(|user| user.points())?, Some(1));
    let old = update().return_updated_old().send(&db).await?;
    assert_eq!(old.get(|user| user.points())?, Some(1));
    Ok(())
}

#[tokio::test]
async fn unchanged_attributes_are_not_returned() -> Outcome {
    let db = users().await?;
    let update = || User::update("t", 7).add(|user| user.points(), 1_u32);
    let new = update().return_updated_new().send(&db).await?;
    assert_eq!(new.get(|user| user.team())?, None);
    assert_eq!(new.get(|user| user.tags())?, None);
    let old = update().return_updated_old().send(&db).await?;
    assert_eq!(old.get(|user| user.team())?, None);
    Ok(())
}

#[tokio::test]
async fn a_nested_value_of_a_changed_attribute_is_returned() -> Outcome {
    let db = users().await?;
    let move_to = |city: &'static str| User::update("t", 7).set(|user| user.address().city(), city);
    let old = move_to("奈良").return_updated_old().send(&db).await?;
    let city = old.get(|user| user.address().city())?;
    assert_eq!(city.as_deref(), Some("京都"));
    let new = move_to("大阪").return_updated_new().send(&db).await?;
    let city = new.get(|user| user.address().city())?;
    assert_eq!(city.as_deref(), Some("大阪"));
    Ok(())
}

#[tokio::test]
async fn a_removed_attribute_has_an_old_value_and_no_new_one() -> Outcome {
    let db = users().await?;
    User::update("t", 7)
        .set(|user| user.note(), "n")
        .send(&db)
        .await?;
    let old = User::update("t", 7)
        .remove(|user| user.note())
        .return_updated_old();
    assert_eq!(
        old.send(&db).await?.get(|user| user.note())?.as_deref(),
        Some("n")
    );
    User::update("t", 7)
        .set(|user| user.note(), "n")
        .send(&db)
        .await?;
    let new = User::update("t", 7)
        .remove(|user| user.note())
        .return_updated_new();
    assert_eq!(new.send(&db).await?.get(|user| user.note())?, None);
    Ok(())
}

/// The text is for logs: it names the operation, and shows no item.
#[test]
fn operations_show_their_names_when_debugged() {
    let user = user(1);
    let shown = [
        (format!("{:?}", user.put()), "put"),
        (format!("{:?}", user.create()), "create"),
        (format!("{:?}", user.merge()), "merge"),
        (format!("{:?}", User::key("t", 7).must_exist()), "Check"),
        (
            format!("{:?}", TransactGet::all([User::key("t", 7)])),
            "TransactGet",
        ),
    ];
    for (text, name) in shown {
        assert!(text.starts_with(name), "{text}");
        assert!(!text.contains("red"), "{text}");
    }
}
