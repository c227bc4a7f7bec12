//! Items that were stored without the items of their unique values, by another program or before
//! the constraint: another item can take the value, and keeps it.

use crate::support::random::Random;
use crate::support::{self, Db, Outcome};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", ttl = "expires")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
#[unique("EMAIL#<email>")]
struct User {
    id: u32,
    email: String,
    points: u32,
    #[dynamo(ttl)]
    expires: Option<u64>,
}

fn user(id: u32, email: &str) -> User {
    User {
        id,
        email: email.into(),
        points: 0,
        expires: None,
    }
}

/// The values that are taken, and the keys of the items that have them.
async fn taken(db: &Db) -> Outcome<BTreeMap<String, String>> {
    let mut taken = BTreeMap::new();
    for item in support::everything::<App>(db).await? {
        if let Some(AttributeValue::L(owner)) = item.get("unique_owner") {
            let text = |value: &AttributeValue| value.as_s().unwrap().clone();
            taken.insert(text(&item["PK"]), text(&owner[0]));
        }
    }
    Ok(taken)
}

async fn store_legacy(db: &Db, user: &User) -> Outcome {
    support::put::<App>(db, support::stored(user)?).await
}

/// A legacy user 1 and a user 2 that took its value.
async fn duplicate() -> Outcome<Db> {
    let db = support::db::<App>().await;
    store_legacy(&db, &user(1, "a@x")).await?;
    user(2, "a@x").create().send(&db).await?;
    Ok(db)
}

async fn assert_kept_by_the_other(db: &Db) -> Outcome {
    let expected = BTreeMap::from([("EMAIL#a@x".to_owned(), "USER#2".to_owned())]);
    assert_eq!(taken(db).await?, expected);
    let error = user(3, "a@x").create().send(db).await.unwrap_err();
    assert!(error.is_not_unique(), "{error}");
    assert_eq!(User::get(2).send(db).await?, Some(user(2, "a@x")));
    Ok(())
}

/// Finding: "A legacy item without its unique item: another item takes the value, then the
/// legacy item cannot be deleted"
#[tokio::test]
async fn a_legacy_item_can_be_deleted_after_another_took_its_value() -> Outcome {
    let db = duplicate().await?;
    User::delete(1).send(&db).await?;
    assert_eq!(User::get(1).send(&db).await?, None);
    assert_kept_by_the_other(&db).await?;

    let db = duplicate().await?;
    let old = user(1, "a@x").delete().return_old().send(&db).await?;
    assert_eq!(old, Some(user(1, "a@x")));
    assert_kept_by_the_other(&db).await
}

/// Finding, in the other order: the item that took the value goes first.
#[tokio::test]
async fn the_value_is_free_once_the_item_that_took_it_is_deleted() -> Outcome {
    let db = duplicate().await?;
    User::delete(2).send(&db).await?;
    assert!(taken(&db).await?.is_empty());
    User::delete(1).send(&db).await?;
    assert!(taken(&db).await?.is_empty());
    user(3, "a@x").create().send(&db).await?;
    Ok(())
}

/// Finding: the same for updates and puts of the legacy item
#[tokio::test]
async fn a_legacy_item_can_be_changed_after_another_took_its_value() -> Outcome {
    let db = duplicate().await?;
    let legacy = user(1, "a@x");
    legacy
        .update()
        .add(|it| it.points(), 1_u32)
        .send(&db)
        .await?;
    assert_kept_by_the_other(&db).await?;
    legacy
        .update()
        .set(|it| it.expires(), 2_000_000_000_u64)
        .send(&db)
        .await?;
    assert_kept_by_the_other(&db).await?;
    let legacy = User::get(1).send(&db).await?.unwrap();
    assert_eq!((legacy.points, legacy.expires), (1, Some(2_000_000_000)));
    legacy
        .update()
        .set(|it| it.email(), "b@x")
        .send(&db)
        .await?;
    let mut expected = BTreeMap::from([("EMAIL#a@x".to_owned(), "USER#2".to_owned())]);
    expected.insert("EMAIL#b@x".to_owned(), "USER#1".to_owned());
    assert_eq!(taken(&db).await?, expected);

    let db = duplicate().await?;
    user(1, "b@x").put().send(&db).await?;
    assert_eq!(taken(&db).await?, expected);
    // It may not go back.
    let error = user(1, "a@x").put().send(&db).await.unwrap_err();
    assert!(error.is_not_unique(), "{error}");
    assert_eq!(taken(&db).await?, expected);
    Ok(())
}

/// Finding: the same in transactions, also under a token, whose repetition changes nothing
#[tokio::test]
async fn transactions_keep_the_value_of_the_item_that_took_it() -> Outcome {
    let db = duplicate().await?;
    let delete = || {
        let legacy = Transaction::new().add(user(1, "a@x").delete());
        legacy.add(user(9, "c@x").create()).token("once")
    };
    delete().send(&db).await?;
    assert_eq!(User::get(1).send(&db).await?, None);
    let expected = [("EMAIL#a@x", "USER#2"), ("EMAIL#c@x", "USER#9")];
    let expected = expected.map(|(value, owner)| (value.to_owned(), owner.to_owned()));
    assert_eq!(taken(&db).await?, BTreeMap::from(expected.clone()));
    if !support::skip("the same request token twice") {
        delete().send(&db).await?;
    }

    let db = duplicate().await?;
    let delete = Transaction::new().add(User::delete(1));
    let update = user(2, "a@x").update().add(|it| it.points(), 1_u32);
    delete
        .add(update)
        .add(user(9, "c@x").create())
        .send(&db)
        .await?;
    assert_eq!(taken(&db).await?, BTreeMap::from(expected));

    // Other failures stay failures, without effect.
    let db = duplicate().await?;
    let delete = Transaction::new().add(User::delete(1));
    let error = delete
        .add(user(2, "x@x").create())
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(User::get(1).send(&db).await?, Some(user(1, "a@x")));
    assert_kept_by_the_other(&db).await
}

async fn step(db: &Db, mut random: Random) -> Outcome {
    for _ in 0..12 {
        let id = u32::try_from(random.below(4))?;
        let email = ["a@x", "b@x", "c@x"][usize::try_from(random.below(3))?];
        let result = match random.below(4) {
            0 => user(id, email).create().send(db).await,
            1 => User::delete(id).send(db).await,
            2 => user(id, email).put().send(db).await,
            _ => match User::get(id).consistent().send(db).await? {
                Some(it) => it.update().set(|it| it.email(), email).send(db).await,
                None => Ok(()),
            },
        };
        if let Err(error) = result {
            let expected =
                error.is_condition_failed() || matches!(error.kind(), ErrorKind::InProgress);
            assert!(expected, "{error}");
        }
    }
    Ok(())
}

/// Finding: under concurrent writes, each reserved value belongs to its owner, and each item
/// that the library stored has its value.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_stay_with_their_owners_under_concurrent_writes() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    for seed in 0..6 {
        let db = support::db::<App>().await;
        store_legacy(&db, &user(0, "a@x")).await?;
        store_legacy(&db, &user(1, "a@x")).await?;
        let steps = (0..3).map(|task| step(&db, Random::new(1_000 * seed + task)));
        for result in futures_util::future::join_all(steps).await {
            result?;
        }
        let taken = taken(&db).await?;
        let users = User::scan().consistent().all(&db).await?;
        for (value, owner) in &taken {
            let email = value.strip_prefix("EMAIL#").unwrap();
            let has = |it: &&User| format!("USER#{}", it.id) == *owner && it.email == email;
            assert!(
                users.iter().any(|it| has(&it)),
                "seed {seed}: {value} of {owner}: {users:?}"
            );
        }
        // Only the two legacy items can lack one.
        let lacks = |it: &&User| {
            taken.get(&format!("EMAIL#{}", it.email)) != Some(&format!("USER#{}", it.id))
        };
        let lacking: Vec<_> = users.iter().filter(lacks).collect();
        assert!(
            lacking.iter().all(|it| it.id < 2 && it.email == "a@x"),
            "seed {seed}: {lacking:?}"
        );
    }
    Ok(())
}
