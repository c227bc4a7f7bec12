//! Unique constraints: each value has one owner, also under concurrent writes.

use crate::support::{self, Db, Outcome, assert_keys_as_put, everything, store};
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
#[gsi1(pk = "TEAM#<team>", as = by_team)]
#[unique("USER_EMAIL#<email:lower>")]
#[unique("USER_PHONE#<phone>")]
#[unique("TEAM_NICK#<team>#<nick>")]
struct User {
    id: String,
    email: String,
    phone: Option<String>,
    team: String,
    nick: String,
    points: u32,
}

fn user(id: &str, email: &str) -> User {
    User {
        id: id.into(),
        email: email.into(),
        phone: None,
        team: "red".into(),
        nick: format!("nick-{id}"),
        points: 0,
    }
}

async fn users(users: &[User]) -> Outcome<Db> {
    let db = support::db::<App>().await;
    for user in users {
        user.create().send(&db).await?;
    }
    Ok(db)
}

async fn get(db: &Db, id: &str) -> Outcome<Option<User>> {
    Ok(User::get(id).consistent().send(db).await?)
}

/// The values that are taken, in order.
async fn taken(db: &Db) -> Outcome<Vec<String>> {
    let items = everything::<App>(db).await?;
    let keys = items.iter().map(|item| item["PK"].as_s().unwrap().clone());
    let mut keys: Vec<_> = keys.filter(|key| !key.starts_with("USER#")).collect();
    keys.sort();
    Ok(keys)
}

/// Exactly the values of the stored users are taken: none too many, none too few.
async fn assert_consistent(db: &Db) -> Outcome {
    let mut expected = Vec::new();
    for user in User::scan().consistent().all(db).await? {
        expected.push(format!("USER_EMAIL#{}", user.email.to_lowercase()));
        expected.extend(user.phone.map(|phone| format!("USER_PHONE#{phone}")));
        expected.push(format!("TEAM_NICK#{}#{}", user.team, user.nick));
    }
    expected.sort();
    assert_eq!(taken(db).await?, expected);
    Ok(())
}

fn assert_taken<T: std::fmt::Debug>(
    result: Result<T, dynamo_model::Error>,
    constraint: &'static str,
) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotUnique { constraint });
    assert_eq!(error.entity(), "User");
    let text = error.to_string();
    let end = format!(
        "another item has this value of the unique constraint `{constraint}`; choose another value"
    );
    assert!(
        text.ends_with(&end) && text.contains(" User USER#"),
        "{text}"
    );
}

const EMAIL: &str = "USER_EMAIL#<email:lower>";
const PHONE: &str = "USER_PHONE#<phone>";
const NICK: &str = "TEAM_NICK#<team>#<nick>";

#[tokio::test]
async fn a_unique_value_can_be_taken_once() -> Outcome {
    let db = users(&[user("1", "a@x")]).await?;
    assert_consistent(&db).await?;
    assert_taken(user("2", "A@x").create().send(&db).await, EMAIL);
    assert_eq!(get(&db, "2").await?, None);
    user("2", "b@x").create().send(&db).await?;
    assert_consistent(&db).await
}

#[tokio::test]
async fn creating_the_same_item_again_already_exists() -> Outcome {
    let db = users(&[user("1", "a@x")]).await?;
    let error = user("1", "a@x").create().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(error.item::<User>()?, Some(user("1", "a@x")));
    let error = user("1", "new@x").create().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_consistent(&db).await
}

#[tokio::test]
async fn an_optional_value_is_reserved_only_if_set() -> Outcome {
    let phone = |id, phone: Option<&str>| User {
        phone: phone.map(String::from),
        ..user(id, &format!("{id}@x"))
    };
    let db = users(&[phone("1", None), phone("2", None), phone("3", Some("110"))]).await?;
    assert_consistent(&db).await?;
    assert_taken(phone("4", Some("110")).create().send(&db).await, PHONE);
    let one = get(&db, "1").await?.unwrap();
    assert_taken(
        one.update().set(|user| user.phone(), "110").send(&db).await,
        PHONE,
    );
    one.update()
        .set(|user| user.phone(), "119")
        .send(&db)
        .await?;
    assert_consistent(&db).await?;
    let three = get(&db, "3").await?.unwrap();
    three.update().remove(|user| user.phone()).send(&db).await?;
    assert_consistent(&db).await?;
    phone("4", Some("110")).create().send(&db).await?;
    assert_consistent(&db).await
}

#[tokio::test]
async fn an_update_of_a_read_item_replaces_the_value() -> Outcome {
    let db = users(&[user("1", "a@x"), user("2", "b@x")]).await?;
    let one = get(&db, "1").await?.unwrap();
    assert_taken(
        one.update().set(|user| user.email(), "b@x").send(&db).await,
        EMAIL,
    );
    assert_eq!(get(&db, "1").await?, Some(one.clone()));
    one.update()
        .set(|user| user.email(), "c@x")
        .add(|user| user.points(), 1_u32)
        .send(&db)
        .await?;
    assert_eq!(
        get(&db, "1").await?,
        Some(User {
            points: 1,
            ..user("1", "c@x")
        })
    );
    assert_consistent(&db).await?;
    user("3", "a@x").create().send(&db).await?;
    assert_consistent(&db).await
}

#[tokio::test]
async fn update_by_key_requires_the_current_value() -> Outcome {
    let db = users(&[user("1", "a@x"), user("2", "b@x")]).await?;
    let update = |now: &'static str, new: &'static str| {
        User::update("1").set(|user| user.email(now), new).send(&db)
    };
    assert_taken(update("a@x", "b@x").await, EMAIL);
    let error = update("z@x", "c@x").await.unwrap_err();
    let attribute = "email".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    assert_eq!(error.item::<User>()?, Some(user("1", "a@x")));
    update("a@x", "c@x").await?;
    assert_eq!(get(&db, "1").await?, Some(user("1", "c@x")));
    assert_consistent(&db).await
}

#[tokio::test]
async fn other_changes_keep_the_value() -> Outcome {
    let db = users(&[user("1", "a@x")]).await?;
    User::update("1")
        .add(|user| user.points(), 1_u32)
        .send(&db)
        .await?;
    let one = get(&db, "1").await?.unwrap();
    one.update()
        .set(|user| user.email(), "a@x")
        .send(&db)
        .await?;
    one.update()
        .set(|user| user.email(), "A@X")
        .send(&db)
        .await?;
    assert_eq!(get(&db, "1").await?.unwrap().email, "A@X");
    assert_consistent(&db).await
}

#[tokio::test]
async fn changing_either_field_replaces_a_value_of_two_fields() -> Outcome {
    let nick = |id, team: &str| User {
        team: team.into(),
        nick: "n".into(),
        ..user(id, &format!("{id}@x"))
    };
    let db = users(&[nick("1", "red"), nick("2", "blue")]).await?;
    let one = get(&db, "1").await?.unwrap();
    assert_taken(
        one.update().set(|user| user.team(), "blue").send(&db).await,
        NICK,
    );
    one.update()
        .set(|user| user.team(), "green")
        .send(&db)
        .await?;
    assert_consistent(&db).await?;
    assert_keys_as_put(&db, User::key("1")).await?;
    let two = get(&db, "2").await?.unwrap();
    two.update().set(|user| user.nick(), "m").send(&db).await?;
    let by_key = User::update("2").set(|user| user.team("blue", "m"), "red");
    by_key.send(&db).await?;
    assert_keys_as_put(&db, User::key("2")).await?;
    assert_consistent(&db).await
}

#[tokio::test]
async fn a_sibling_changed_meanwhile_releases_no_value() -> Outcome {
    let db = users(&[user("1", "a@x")]).await?;
    let (ours, theirs) = (get(&db, "1").await?.unwrap(), get(&db, "1").await?.unwrap());
    theirs
        .update()
        .set(|user| user.nick(), "m")
        .send(&db)
        .await?;
    let error = ours
        .update()
        .set(|user| user.team(), "blue")
        .send(&db)
        .await
        .unwrap_err();
    let attribute = "nick".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    let error = ours.delete().send(&db).await.unwrap_err();
    assert!(error.is_conflict(), "{error}");
    assert_consistent(&db).await
}

#[tokio::test]
async fn a_put_over_an_item_replaces_its_values() -> Outcome {
    let db = users(&[user("1", "a@x"), user("2", "b@x")]).await?;
    assert_taken(user("1", "b@x").put().send(&db).await, EMAIL);
    let old = user("1", "c@x").put().return_old().send(&db).await?;
    assert_eq!(old, Some(user("1", "a@x")));
    assert_consistent(&db).await?;
    assert_eq!(user("3", "a@x").put().return_old().send(&db).await?, None);
    assert_consistent(&db).await?;
    user("3", "a@x").put().send(&db).await?;
    assert_consistent(&db).await
}

#[tokio::test]
async fn a_deleted_item_releases_its_values() -> Outcome {
    let db = users(&[user("1", "a@x"), user("2", "b@x")]).await?;
    User::delete("1").send(&db).await?;
    assert_consistent(&db).await?;
    let old = user("2", "b@x").delete().return_old().send(&db).await?;
    assert_eq!(old, Some(user("2", "b@x")));
    assert!(everything::<App>(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn deleting_a_missing_item_succeeds() -> Outcome {
    let db = users(&[]).await?;
    User::delete("1").send(&db).await?;
    user("1", "a@x").delete().send(&db).await?;
    assert_eq!(
        user("1", "a@x").delete().return_old().send(&db).await?,
        None
    );
    let error = user("1", "a@x")
        .delete()
        .must_exist()
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    let error = User::delete("1").must_exist().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    Ok(())
}

#[tokio::test]
async fn a_failed_condition_changes_no_value() -> Outcome {
    let db = users(&[user("1", "a@x")]).await?;
    let one = user("1", "a@x");
    let update = one
        .update()
        .set(|user| user.email(), "c@x")
        .condition(|user| user.points().gt(0));
    let error = update.send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    let new = user("1", "c@x");
    let put = new
        .put()
        .condition(|user| user.points().gt(0))
        .send(&db)
        .await;
    assert_eq!(put.unwrap_err().kind(), &ErrorKind::ConditionFailed);
    let delete = User::delete("1")
        .condition(|user| user.points().gt(0))
        .send(&db)
        .await;
    assert_eq!(delete.unwrap_err().kind(), &ErrorKind::ConditionFailed);
    assert_eq!(get(&db, "1").await?, Some(one));
    assert_consistent(&db).await
}

#[tokio::test]
async fn an_update_that_replaces_a_value_returns_old_and_new() -> Outcome {
    let db = users(&[user("1", "a@x")]).await?;
    let update = |from: &'static str, to: &'static str| {
        User::update("1").set(move |user| user.email(from), to)
    };
    let old = update("a@x", "b@x").return_old().send(&db).await?;
    assert_eq!(old, Some(user("1", "a@x")));
    let new = update("b@x", "c@x").return_new().send(&db).await?;
    assert_eq!(new, user("1", "c@x"));
    let old = update("c@x", "d@x").return_updated_old().send(&db).await?;
    assert_eq!(old.get(|user| user.email())?.as_deref(), Some("c@x"));
    assert_eq!(old.get(|user| user.points())?, None);
    let new = update("d@x", "e@x").return_updated_new().send(&db).await?;
    assert_eq!(new.get(|user| user.email())?.as_deref(), Some("e@x"));
    assert_eq!(new.get(|user| user.points())?, None);
    Ok(())
}

#[tokio::test]
async fn of_many_creates_with_one_value_one_wins() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = users(&[]).await?;
    let creates: Vec<_> = (0..20)
        .map(|id| {
            let db = db.clone();
            tokio::spawn(async move {
                let result = user(&id.to_string(), "a@x").create().send(&db).await;
                result.map_err(|error| error.kind().clone())
            })
        })
        .collect();
    let mut won = 0;
    for create in creates {
        match create.await? {
            Ok(()) => won += 1,
            Err(kind) => assert_eq!(kind, ErrorKind::NotUnique { constraint: EMAIL }),
        }
    }
    assert_eq!(won, 1);
    assert_eq!(User::scan().count(&db).await?, 1);
    assert_consistent(&db).await
}

#[tokio::test]
async fn of_many_updates_to_one_value_one_wins() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let all: Vec<_> = (0..10)
        .map(|id| user(&id.to_string(), &format!("{id}@x")))
        .collect();
    let db = users(&all).await?;
    let updates: Vec<_> = all
        .into_iter()
        .map(|user| {
            let db = db.clone();
            tokio::spawn(async move {
                user.update()
                    .set(|user| user.email(), "a@x")
                    .send(&db)
                    .await
                    .is_ok()
            })
        })
        .collect();
    let mut won = 0;
    for update in updates {
        won += usize::from(update.await?);
    }
    assert_eq!(won, 1);
    assert_consistent(&db).await
}

#[tokio::test]
async fn puts_updates_and_deletes_at_once_leave_no_value_behind() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = users(&[user("1", "a@x"), user("2", "b@x")]).await?;
    let mut writers = Vec::new();
    for i in 0..24 {
        let db = db.clone();
        writers.push(tokio::spawn(async move {
            let (id, email) = (
                ["1", "2", "3"][i % 3],
                format!("{}@x", ["a", "b", "c", "d"][i % 4]),
            );
            let result = match i % 5 {
                0 => User::delete(id).send(&db).await,
                1 => user(id, &email).create().send(&db).await,
                2 => match User::get(id).consistent().send(&db).await.unwrap() {
                    Some(read) => {
                        read.update()
                            .set(|user| user.email(), email)
                            .send(&db)
                            .await
                    }
                    None => Ok(()),
                },
                _ => user(id, &email).put().send(&db).await,
            };
            if let Err(error) = result {
                assert!(error.is_condition_failed(), "{error} {error:?}");
            }
        }));
    }
    for writer in writers {
        writer.await?;
    }
    assert_consistent(&db).await
}

/// A put of an item that was deleted meanwhile, with the version it was read with.
#[tokio::test]
async fn a_versioned_put_of_a_deleted_item_is_not_found() -> Outcome {
    let db = support::db::<App>().await;
    let page = |version| Page {
        id: "p".into(),
        slug: "s".into(),
        version,
    };
    let error = page(3).put().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert_eq!(page(0).put().return_new().send(&db).await?, page(1));
    assert!(page(0).put().send(&db).await.unwrap_err().is_conflict());
    page(1).put().send(&db).await?;
    let error = page(1).delete().send(&db).await.unwrap_err();
    assert!(error.is_conflict(), "{error}");
    page(2).delete().send(&db).await?;
    let error = page(2).delete().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert!(everything::<App>(&db).await?.is_empty());
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "PAGE")]
#[pk("PAGE#<id>")]
#[sk("PAGE")]
#[unique("PAGE#<slug>")]
struct Page {
    id: String,
    slug: String,
    #[dynamo(version)]
    version: u64,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = App)]
enum AppItem {
    User(User),
    Page(Page),
}

/// A unique item is returned by no read: neither by a scan nor by a query of its partition, even of
/// one with the same key.
#[tokio::test]
async fn unique_items_are_returned_by_no_read() -> Outcome {
    let db = users(&[user("1", "a@x")]).await?;
    let page = Page {
        id: "p".into(),
        slug: "p".into(),
        version: 0,
    };
    let page = page.create().return_new().send(&db).await?;
    assert_eq!(User::scan().all(&db).await?, [user("1", "a@x")]);
    assert_eq!(User::scan().count(&db).await?, 1);
    assert_eq!(Page::scan().all(&db).await?, std::slice::from_ref(&page));
    assert_eq!(
        Page::query("p").all(&db).await?,
        std::slice::from_ref(&page)
    );
    let partition = AppItem::collection(Page::partition_key("p"))
        .all(&db)
        .await?;
    assert_eq!(partition, [AppItem::Page(page)]);
    let limited = AppItem::collection(Page::partition_key("p"))
        .descending()
        .limit(1);
    assert_eq!(limited.all(&db).await?.len(), 1);
    Ok(())
}

/// The value of an item older than the constraint is not reserved; its next change reserves it.
#[tokio::test]
async fn items_older_than_the_constraint_can_be_changed() -> Outcome {
    let db = users(&[]).await?;
    store(&db, &[user("1", "a@x"), user("2", "b@x")]).await?;
    let one = get(&db, "1").await?.unwrap();
    one.update()
        .set(|user| user.email(), "c@x")
        .send(&db)
        .await?;
    assert_taken(user("3", "c@x").create().send(&db).await, EMAIL);
    User::delete("2").send(&db).await?;
    assert_eq!(taken(&db).await?, ["USER_EMAIL#c@x"]);
    Ok(())
}

#[tokio::test]
async fn an_empty_value_sends_nothing() {
    let db = support::bare();
    let error = user("1", "").create().send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)), "{error}");
    let update = user("1", "a@x");
    let error = update
        .update()
        .set(|user| user.email(), "")
        .send(&db)
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)), "{error}");
}

/// It is both halves of a key, and a sort key has 1024 bytes.
#[tokio::test]
async fn a_value_that_is_too_long_sends_nothing() {
    let db = support::bare();
    let error = user("1", &"x".repeat(1_500))
        .create()
        .send(&db)
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)), "{error}");
}

/// A value cannot reach into another: `red#` and `x` are not `red` and `#x`.
#[tokio::test]
async fn values_of_several_fields_do_not_collide() -> Outcome {
    let nick = |id, team: &str, nick: &str| User {
        team: team.into(),
        nick: nick.into(),
        ..user(id, &format!("{id}@x"))
    };
    let db = users(&[nick("1", "a#b", "c"), nick("2", "a", "b#c")]).await?;
    assert_taken(nick("3", "a", "b#c").create().send(&db).await, NICK);
    Ok(())
}
