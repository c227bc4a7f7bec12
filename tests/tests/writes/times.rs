//! Times that the library keeps, from a clock that the tests set; and when items expire.

use crate::support::{self, Db, Outcome, assert_keys_as_put, raw};
use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind, Transaction};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

#[derive(DynamoTable)]
#[table(name = "Posts", pk = "PK", sk = "SK", ttl = "expires", items = PostsItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "updated")]
#[gsi3(name = "GSI3", pk = "GSI3PK", sk = "GSI3SK")]
struct Posts;

/// A clock that advances only when it is set.
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
async fn create_stamps_unset_times() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(5_000);
    let new = post(0, 0).create().return_new().send(&db).await?;
    assert_eq!(new, post(5_000, 5_000));
    assert_eq!(Post::get("p").send(&db).await?, Some(new));
    assert_keys_as_put(&db, Post::key("p")).await
}

#[tokio::test]
async fn put_keeps_created_at_and_stamps_updated_at() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(5_000);
    post(1_000, 2_000).put().send(&db).await?;
    assert_eq!(Post::get("p").send(&db).await?, Some(post(1_000, 5_000)));
    assert_keys_as_put(&db, Post::key("p")).await
}

#[tokio::test]
async fn an_update_changes_the_index_key_with_updated_at() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000);
    let old = post(0, 0).create().return_new().send(&db).await?;
    hands.set(2_500);
    let loaded = old.update().set(|post| post.text(), "u").return_new();
    assert_eq!(loaded.send(&db).await?.updated_at, at(2_500));
    assert_keys_as_put(&db, Post::key("p")).await?;
    hands.set(3_500);
    // The author is a sibling, so it must be given.
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
async fn a_wrong_sibling_of_updated_at_is_a_conflict() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000);
    post(0, 0).create().send(&db).await?;
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
async fn times_in_keys_are_texts_or_numbers() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_700_000_000_123);
    let note = Note {
        id: "n".into(),
        text: String::new(),
        created: 0,
        updated: String::new(),
    };
    let note = note.create().return_new().send(&db).await?;
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
    stored.put().send(&db).await?;
    assert_eq!(
        Note::get("n").send(&db).await?.unwrap().created,
        1_700_000_000
    );
    assert_keys_as_put(&db, Note::key("n")).await
}

/// Only DynamoDB knows whether the item is new, and so its key in the index.
#[tokio::test]
async fn an_upsert_of_created_at_in_an_index_is_incomplete() {
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
async fn optional_times_are_stamped() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(7_000);
    let new = task().put().return_new().send(&db).await?;
    assert_eq!((new.created, new.changed), (Some(at(7_000)), Some(7)));
    hands.set(8_000);
    let new = new.put().return_new().send(&db).await?;
    assert_eq!((new.created, new.changed), (Some(at(7_000)), Some(8)));
    Ok(())
}

#[tokio::test]
async fn upsert_stamps_created_at_only_once() -> Outcome {
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
async fn created_at_in_the_primary_key_is_stamped() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(4_321);
    let entry = Entry {
        id: "l".into(),
        at: at(0),
        text: String::new(),
    };
    let new = entry.create().return_new().send(&db).await?;
    assert_eq!(new.at, at(4_321));
    assert_eq!(Entry::get("l", at(4_321)).send(&db).await?, Some(new));
    Ok(())
}

/// The attribute equals the time in the key.
#[tokio::test]
async fn an_upsert_takes_created_at_from_the_key() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(9_000);
    let upsert = Entry::upsert("l", at(1_000))
        .set(|entry| entry.text(), "x")
        .return_new();
    assert_eq!(upsert.send(&db).await?.at, at(1_000));
    assert_keys_as_put(&db, Entry::key("l", at(1_000))).await
}

#[tokio::test]
async fn expires_takes_a_duration_or_a_time() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000_000);
    task().create().send(&db).await?;
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
        other.put().return_new().send(&db).await?.expires,
        Some(1_005)
    );
    Ok(())
}

/// The TTL is never before the requested time.
#[tokio::test]
async fn a_fraction_of_a_second_rounds_the_ttl_up() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000_900);
    assert_eq!(db.expires_in::<u64>(Duration::from_secs(60)), 1_061);
    assert_eq!(db.expires_in::<u64>(Duration::from_millis(100)), 1_001);
    task().create().send(&db).await?;
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
async fn a_ttl_can_be_removed() -> Outcome {
    let (_db, db, _) = posts().await;
    task().create().send(&db).await?;
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
async fn a_ttl_set_twice_sends_nothing() {
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

/// Like a temporary booking: an index finds the next to expire.
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

#[derive(dynamo_model::DynamoItems)]
#[items(table = Posts)]
enum PostsItem {
    Post(Post),
    Note(Note),
    Task(Task),
    Entry(Entry),
    Hold(Hold),
    Page(Page),
}

#[tokio::test]
async fn an_update_of_the_ttl_changes_its_index_key() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000_000);
    let hold = Hold {
        id: "h".into(),
        room: "r".into(),
        expires: None,
    };
    hold.create().send(&db).await?;
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

/// The key does not contain the room, so no index key can be built, and no request is sent.
#[tokio::test]
async fn a_ttl_in_an_index_requires_its_siblings() -> Outcome {
    let db = support::bare();
    let update = Hold::update("h").expires_in(Duration::from_secs(60));
    let error = update.send(&db).await.unwrap_err();
    let attributes = vec!["room".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    Ok(())
}

/// Milliseconds since 1970, as another program wants them.
mod millis {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        time.as_millisecond().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        let millis = i64::deserialize(from)?;
        Timestamp::from_millisecond(millis).map_err(serde::de::Error::custom)
    }
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Posts)]
#[pk("PAGE#<id>")]
#[sk("PAGE")]
struct Page {
    id: u32,
    views: u32,
    title: String,
    #[dynamo(created_at)]
    #[serde(with = "millis")]
    created: Timestamp,
    #[dynamo(updated_at)]
    #[serde(with = "millis")]
    changed: Timestamp,
    #[dynamo(version)]
    version: u64,
}

fn page(id: u32, created: i64) -> Page {
    Page {
        id,
        views: 0,
        title: String::new(),
        created: at(created),
        changed: at(0),
        version: 0,
    }
}

/// Finding: "`#[dynamo(updated_at)]` with `#[serde(with = <epoch millis>)]` writes text"
#[tokio::test]
async fn stamps_are_written_as_serde_writes_the_field() -> Outcome {
    let (_db, db, hands) = posts().await;
    let number = |millis: &str| aws_sdk_dynamodb::types::AttributeValue::N(millis.to_owned());
    let times = async |id| -> Outcome<_> {
        let item = raw(&db, Page::key(id)).await?.unwrap();
        Ok((item["created"].clone(), item["changed"].clone()))
    };
    hands.set(1_500);
    page(1, 0).create().send(&db).await?;
    Transaction::new().add(page(2, 0).put()).send(&db).await?;
    Page::upsert(3)
        .set(|page| page.title(), "x")
        .set(|page| page.views(), 0_u32)
        .send(&db)
        .await?;
    for id in 1..=3 {
        assert_eq!(times(id).await?, (number("1500"), number("1500")));
    }
    hands.set(2_500);
    let changed = Page::update(1).set(|page| page.title(), "y").return_new();
    let changed = changed.send(&db).await?;
    assert_eq!((changed.created, changed.changed), (at(1_500), at(2_500)));
    assert_eq!(times(1).await?, (number("1500"), number("2500")));
    assert_eq!(Page::scan().all(&db).await?.len(), 3);
    Ok(())
}

/// Finding: "`created_at`: `put`, `batch_write`, `load` and a transactional `put` store the
/// struct's value (1970); `create` always overwrites it, so imports cannot use it"
#[tokio::test]
async fn created_at_is_stamped_when_unset_and_kept_when_set_by_every_write() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(9_000);
    for (set, expected) in [(0, 9_000), (4_000, 4_000)] {
        let entry = |id: &str| Post {
            id: id.into(),
            ..post(set, 0)
        };
        entry("put").put().send(&db).await?;
        entry("create").create().send(&db).await?;
        BatchWrite::new().put(&entry("batch")).send(&db).await?;
        BatchWrite::new().load([entry("load")]).send(&db).await?;
        let transaction = Transaction::new().add(entry("transactional put").put());
        let transaction = transaction.add(entry("transactional create").create());
        transaction.send(&db).await?;
        let stored = Post::scan().all(&db).await?;
        assert_eq!(stored.len(), 6);
        for stored in stored {
            let times = (stored.created_at, stored.updated_at);
            assert_eq!(times, (at(expected), at(9_000)), "{}", stored.id);
            assert_keys_as_put(&db, Post::key(&stored.id)).await?;
            stored.delete().send(&db).await?;
        }
    }
    Ok(())
}

/// An import keeps both times and the version; unset ones are filled in.
#[tokio::test]
async fn load_keeps_times_and_version_that_are_set() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(9_000);
    let old = Page {
        changed: at(5_000),
        version: 7,
        ..page(1, 4_000)
    };
    BatchWrite::new()
        .load([old.clone(), page(2, 0)])
        .send(&db)
        .await?;
    assert_eq!(Page::get(1).send(&db).await?, Some(old));
    let new = Page::get(2).send(&db).await?.unwrap();
    let times = (new.created, new.changed, new.version);
    assert_eq!(times, (at(9_000), at(9_000), 1));
    Ok(())
}

/// Finding: "every counter update raises the version and `updated_at`: starring a repository
/// makes a settings edit fail"
#[tokio::test]
async fn a_counter_can_keep_the_version_and_the_time() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000);
    let read = page(1, 0).create().return_new().send(&db).await?;
    hands.set(2_000);
    let view = || Page::update(1).add(|page| page.views(), 1_u32);
    view().keep_version().keep_updated_at().send(&db).await?;
    let again = read.update().add(|page| page.views(), 1_u32).keep_version();
    again.keep_updated_at().send(&db).await?;
    let edit = read.update().set(|page| page.title(), "new").return_new();
    let edited = edit.send(&db).await?;
    let seen = (edited.views, edited.version, edited.changed);
    assert_eq!(seen, (2, 2, at(2_000)));
    // Each alone.
    hands.set(3_000);
    let counted = view().keep_updated_at().return_new().send(&db).await?;
    assert_eq!((counted.version, counted.changed), (3, at(2_000)));
    let touched = view().keep_version().return_new().send(&db).await?;
    assert_eq!((touched.version, touched.changed), (3, at(3_000)));
    // An expected version is still checked.
    let late = view().keep_version().expect_version(1).send(&db).await;
    assert!(late.unwrap_err().is_conflict());
    let transaction = Transaction::new().add(view().keep_version());
    transaction.send(&db).await?;
    assert_eq!(Page::get(1).send(&db).await?.unwrap().version, 3);
    Ok(())
}

#[tokio::test]
async fn an_upsert_with_keep_version_creates_version_1() -> Outcome {
    let (_db, db, hands) = posts().await;
    let upsert = async |millis| {
        hands.set(millis);
        let upsert = Page::upsert(1)
            .set(|page| page.title(), "t")
            .add(|page| page.views(), 1_u32);
        let upsert = upsert.keep_version().keep_updated_at().return_new();
        upsert.send(&db).await
    };
    let new = upsert(1_000).await?;
    assert_eq!((new.version, new.changed, new.views), (1, at(1_000), 1));
    let again = upsert(2_000).await?;
    assert_eq!(
        (again.version, again.changed, again.views),
        (1, at(1_000), 2)
    );
    Ok(())
}

/// Finding: "transactions do not return stamped values"
#[tokio::test]
async fn a_transaction_returns_the_stored_items() -> Outcome {
    let (_db, db, hands) = posts().await;
    hands.set(1_000);
    page(3, 0).create().send(&db).await?;
    hands.set(2_000);
    let written = Transaction::new()
        .add(page(1, 0).create())
        .add(page(2, 500).put())
        .add(Page::update(3).set(|page| page.title(), "x"))
        .send_and_return(&db)
        .await?;
    let pages: Vec<Page> = written.all()?;
    let times: Vec<_> = pages
        .iter()
        .map(|it| (it.id, it.created, it.changed, it.version))
        .collect();
    let expected = [(1, 2_000, 1), (2, 500, 1), (3, 1_000, 2)];
    let expected = expected.map(|(id, created, version)| (id, at(created), at(2_000), version));
    assert_eq!(times, expected);
    for page in &pages {
        assert_eq!(Page::get(page.id).send(&db).await?.as_ref(), Some(page));
        assert_eq!(written.get(Page::key(page.id))?.as_ref(), Some(page));
    }
    assert_eq!(written.get(Page::key(9))?, None);
    assert!(written.all::<Task>()?.is_empty());
    Ok(())
}

/// Finding: "a token over 36 characters gives a bare ValidationException"
#[tokio::test]
async fn a_token_that_is_too_long_is_refused_before_the_request() {
    let db = support::bare();
    for token in [String::new(), "x".repeat(37)] {
        let transaction = Transaction::new().add(task().create()).token(token);
        let error = transaction.send(&db).await.unwrap_err();
        let attribute = "token".to_owned();
        assert_eq!(error.kind(), &ErrorKind::Encode { attribute }, "{error}");
    }
}
