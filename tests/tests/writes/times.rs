//! Times that the library keeps, from a clock that the tests set; and when items expire.

use crate::support::{self, Db, Outcome, assert_keys_as_put, raw};
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

#[derive(DynamoTable)]
#[table(name = "Posts", pk = "PK", sk = "SK", ttl = "expires")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "updated")]
#[gsi3(name = "GSI3", pk = "GSI3PK", sk = "GSI3SK")]
struct Posts;

/// A clock that goes only when told.
#[derive(Clone, Default)]
struct Hands(Arc<AtomicU64>);

impl Hands {
    fn set(&self, millis: u64) {
        self.0.store(millis, Ordering::SeqCst);
    }
}

async fn posts() -> (Db, Dynamo, Hands) {
    let (db, hands) = (support::db::<Posts>().await, Hands::default());
    let clock = hands.clone();
    let dynamo = (*db)
        .clone()
        .with_clock(move || UNIX_EPOCH + Duration::from_millis(clock.0.load(Ordering::SeqCst)));
    (db, dynamo, hands)
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap()
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Posts)]
#[pk("POST#<id>")]
#[sk("POST")]
#[gsi1(pk = "BY#<author>", sk = "<updated_at:ms>", as = by_author)]
struct Post {
    id: String,
    author: String,
    text: String,
    #[dynamo(created_at)]
    created_at: Timestamp,
    #[dynamo(updated_at)]
    updated_at: Timestamp,
}

fn post(created: i64, updated: i64) -> Post {
    Post {
        id: "p".into(),
        author: "a".into(),
        text: "t".into(),
        created_at: at(created),
        updated_at: at(updated),
    }
}

#[tokio::test]
async fn create_sets_both_whatever_they_were() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(5_000);
    let new = db.create(&post(1, 2)).return_new().send().await?;
    assert_eq!(new, post(5_000, 5_000));
    assert_eq!(Post::get("p").send(&db).await?, Some(new));
    assert_keys_as_put(&db, Post::key("p")).await
}

#[tokio::test]
async fn put_keeps_one_and_sets_the_other() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(5_000);
    db.put(&post(1_000, 2_000)).send().await?;
    assert_eq!(Post::get("p").send(&db).await?, Some(post(1_000, 5_000)));
    assert_keys_as_put(&db, Post::key("p")).await
}

#[tokio::test]
async fn update_moves_the_index_that_the_time_stands_in() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000);
    let old = db.create(&post(0, 0)).return_new().send().await?;
    hands.set(2_500);
    let loaded = old.update().set(|post| post.text(), "u").return_new();
    assert_eq!(loaded.send(&db).await?.updated_at, at(2_500));
    assert_keys_as_put(&db, Post::key("p")).await?;
    hands.set(3_500);
    // The author stands beside it, so it has to be said.
    Post::update("p", "a")
        .set(|post| post.text(), "v")
        .send(&db)
        .await?;
    assert_keys_as_put(&db, Post::key("p")).await?;
    let found = Post::by_author("a")
        .updated_at_in(at(3_500)..)
        .one(&db)
        .await?;
    assert_eq!((found.text.as_str(), found.created_at), ("v", at(1_000)));
    Ok(())
}

#[tokio::test]
async fn a_wrong_neighbour_is_a_conflict() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000);
    db.create(&post(0, 0)).send().await?;
    let error = Post::update("p", "z")
        .set(|post| post.text(), "v")
        .send(&db)
        .await
        .unwrap_err();
    let attribute = "author".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    assert_eq!(
        Post::get("p").send(&db).await?,
        Some(Post {
            ..post(1_000, 1_000)
        })
    );
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Posts)]
#[pk("NOTE#<id>")]
#[sk("NOTE")]
#[gsi2(pk = "NOTES", sk = "<updated>", as = recent)]
#[gsi3(pk = "NOTES", sk = "<created:012>", as = oldest)]
struct Note {
    id: String,
    text: String,
    #[dynamo(created_at)]
    created: u64,
    #[dynamo(updated_at)]
    updated: String,
}

#[tokio::test]
async fn times_as_texts_and_numbers_in_keys() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_700_000_000_123);
    let note = Note {
        id: "n".into(),
        text: String::new(),
        created: 0,
        updated: String::new(),
    };
    let note = db.create(&note).return_new().send().await?;
    assert_eq!(
        (note.created, note.updated.as_str()),
        (1_700_000_000, "2023-11-14T22:13:20.123Z")
    );
    assert_keys_as_put(&db, Note::key("n")).await?;
    hands.set(1_700_000_001_000);
    Note::update("n")
        .set(|note| note.text(), "x")
        .send(&db)
        .await?;
    let stored = Note::get("n").send(&db).await?.unwrap();
    assert_eq!(
        (stored.created, stored.updated.as_str()),
        (1_700_000_000, "2023-11-14T22:13:21.000Z")
    );
    assert_keys_as_put(&db, Note::key("n")).await?;
    hands.set(1_700_000_002_000);
    db.put(&stored).send().await?;
    assert_eq!(
        Note::get("n").send(&db).await?.unwrap().created,
        1_700_000_000
    );
    assert_keys_as_put(&db, Note::key("n")).await
}

/// Only DynamoDB knows whether the item is new, and so what its key in the index would be.
#[tokio::test]
async fn an_upsert_cannot_make_an_index_key_of_created_at() {
    let db = support::bare();
    let error = Note::upsert("n")
        .set(|note| note.text(), "x")
        .send(&db)
        .await
        .unwrap_err();
    let attributes = vec!["created".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Posts)]
#[pk("TASK#<id>")]
#[sk("TASK")]
struct Task {
    id: String,
    text: String,
    #[dynamo(created_at)]
    created: Option<Timestamp>,
    #[dynamo(updated_at)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changed: Option<u64>,
    #[dynamo(ttl)]
    expires: Option<u64>,
}

fn task() -> Task {
    Task {
        id: "t".into(),
        text: String::new(),
        created: None,
        changed: None,
        expires: None,
    }
}

#[tokio::test]
async fn optional_times_are_filled_in() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(7_000);
    let new = db.put(&task()).return_new().send().await?;
    assert_eq!((new.created, new.changed), (Some(at(7_000)), Some(7)));
    hands.set(8_000);
    let new = db.put(&new).return_new().send().await?;
    assert_eq!((new.created, new.changed), (Some(at(7_000)), Some(8)));
    Ok(())
}

#[tokio::test]
async fn upsert_sets_created_at_once() -> Outcome {
    let (_db, db, hands) = posts().await;
    let upsert = async |millis| {
        hands.set(millis);
        let upsert = Task::upsert("t").set(|task| task.text(), "x").return_new();
        upsert.send(&db).await
    };
    upsert(1_000).await?;
    let new = upsert(2_000).await?;
    assert_eq!((new.created, new.changed), (Some(at(1_000)), Some(2)));
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Posts)]
#[pk("LOG#<id>")]
#[sk("<at:ms>")]
struct Entry {
    id: String,
    #[dynamo(created_at)]
    at: Timestamp,
    text: String,
}

#[tokio::test]
async fn the_time_of_creation_in_the_primary_key() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(4_321);
    let entry = Entry {
        id: "l".into(),
        at: at(0),
        text: String::new(),
    };
    let new = db.create(&entry).return_new().send().await?;
    assert_eq!(new.at, at(4_321));
    assert_eq!(Entry::get("l", at(4_321)).send(&db).await?, Some(new));
    Ok(())
}

/// The key says when: the attribute says the same.
#[tokio::test]
async fn an_upsert_takes_the_time_of_creation_from_the_key() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(9_000);
    let upsert = Entry::upsert("l", at(1_000))
        .set(|entry| entry.text(), "x")
        .return_new();
    assert_eq!(upsert.send(&db).await?.at, at(1_000));
    assert_keys_as_put(&db, Entry::key("l", at(1_000))).await
}

#[tokio::test]
async fn expiry_from_a_duration_or_a_time() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000_000);
    db.create(&task()).send().await?;
    let update = || Task::update("t").return_new();
    let new = update()
        .expires_in(Duration::from_secs(60))
        .send(&db)
        .await?;
    assert_eq!(new.expires, Some(1_060));
    let then = UNIX_EPOCH + Duration::from_secs(2_000);
    assert_eq!(
        update().expires_at(then).send(&db).await?.expires,
        Some(2_000)
    );
    let loaded = new
        .update()
        .expires_in(Duration::from_millis(500))
        .return_new();
    assert_eq!(loaded.send(&db).await?.expires, Some(1_001));
    let upsert = Task::upsert("t").set(|task| task.text(), "x");
    let upsert = upsert.expires_in(Duration::from_secs(1)).return_new();
    assert_eq!(upsert.send(&db).await?.expires, Some(1_001));
    let mut other = task();
    other.expires = db.expires_in(Duration::from_secs(5));
    assert_eq!(
        db.put(&other).return_new().send().await?.expires,
        Some(1_005)
    );
    Ok(())
}

/// The second is never before what was asked for.
#[tokio::test]
async fn nothing_expires_too_early() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000_900);
    assert_eq!(db.expires_in::<u64>(Duration::from_secs(60)), 1_061);
    assert_eq!(db.expires_in::<u64>(Duration::from_millis(100)), 1_001);
    db.create(&task()).send().await?;
    let then = UNIX_EPOCH + Duration::from_millis(2_000_001);
    let new = Task::update("t")
        .expires_at(then)
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(new.expires, Some(2_001));
    Ok(())
}

#[tokio::test]
async fn an_expiry_can_be_taken_back() -> Outcome {
    let (_db, db, _) = posts().await;
    db.create(&task()).send().await?;
    Task::update("t")
        .expires_in(Duration::from_secs(60))
        .send(&db)
        .await?;
    let new = Task::update("t")
        .remove(|task| task.expires())
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(new.expires, None);
    assert!(
        !raw(&db, Task::key("t"))
            .await?
            .unwrap()
            .contains_key("expires")
    );
    Ok(())
}

#[tokio::test]
async fn an_expiry_set_twice_sends_nothing() {
    let db = support::bare();
    let update = Task::update("t").set(|task| task.expires(), 5_u64);
    let error = update
        .expires_in(Duration::from_secs(1))
        .send(&db)
        .await
        .unwrap_err();
    let attribute = "expires".to_owned();
    assert_eq!(error.kind(), &ErrorKind::ChangedTwice { attribute });
}

/// As a temporary booking has it: what expires next is found through an index.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Posts)]
#[pk("HOLD#<id>")]
#[sk("HOLD")]
#[gsi3(pk = "HOLDS#<room>", sk = "<expires:012>", as = next)]
struct Hold {
    id: String,
    room: String,
    #[dynamo(ttl)]
    expires: Option<u64>,
}

#[tokio::test]
async fn an_expiry_moves_the_index_that_it_stands_in() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000_000);
    let hold = Hold {
        id: "h".into(),
        room: "r".into(),
        expires: None,
    };
    db.create(&hold).send().await?;
    hold.update()
        .expires_in(Duration::from_secs(60))
        .send(&db)
        .await?;
    assert_keys_as_put(&db, Hold::key("h")).await?;
    assert_eq!(Hold::next("r").one(&db).await?.expires, Some(1_060));
    let then = UNIX_EPOCH + Duration::from_secs(2_000);
    hold.update().expires_at(then).send(&db).await?;
    assert_keys_as_put(&db, Hold::key("h")).await
}

/// From the key alone the room is not known: no key could be made, so nothing is sent.
#[tokio::test]
async fn an_expiry_in_an_index_needs_its_neighbours() -> Outcome {
    let db = support::bare();
    let update = Hold::update("h").expires_in(Duration::from_secs(60));
    let error = update.send(&db).await.unwrap_err();
    let attributes = vec!["room".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    Ok(())
}
