//! Updates of fields in index keys: the stored index attributes equal those of a new put, or
//! nothing is written.

use crate::support::{self, Db, Outcome, assert_keys_as_put, put, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Bookings", pk = "PK", sk = "SK", entity_type = "type")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
#[gsi3(name = "GSI3", pk = "GSI3PK")]
#[gsi4(name = "Email", pk = "email")]
#[gsi5(name = "Swapped", pk = "SK", sk = "PK")]
#[lsi1(name = "ByPrice", sk = N("price"))]
#[lsi2(name = "ByTime", sk = "at")]
struct Bookings;

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
struct RoomId(String);

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Status {
    Pending,
    Confirmed,
}

/// Two indexes share `status`, one also has the time, one is the attribute itself.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Bookings, entity_type = "BOOKING")]
#[pk("USER#<user>")]
#[sk("BOOKING#<id:06>")]
#[gsi1(pk = "STATUS#<status>", sk = "<starts_at:ms>#<room>", as = by_status)]
#[gsi2(pk = "ROOM#<room>#<status>", sk = "USER#<user>", as = by_room)]
#[gsi3(pk = "FLOOR#<floor:03>", as = by_floor)]
#[gsi4(pk = "<email>", as = by_email)]
#[gsi5(pk = sk, sk = pk, as = swapped)]
#[lsi1(sk = "<price>", as = by_price)]
#[lsi2(sk = "<at:ms>", as = by_time)]
struct Booking {
    user: String,
    id: u32,
    status: Status,
    room: RoomId,
    starts_at: Timestamp,
    #[dynamo(key_only)]
    floor: i32,
    email: String,
    price: i64,
    at: Timestamp,
    guests: u32,
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn booking() -> Booking {
    Booking {
        user: "u1".into(),
        id: 1,
        status: Status::Pending,
        room: RoomId("r#1".into()),
        starts_at: time("2025-06-01T10:00:00.5Z"),
        floor: -2,
        email: "a@example.com".into(),
        price: 100,
        at: time("2025-01-01T00:00:00Z"),
        guests: 2,
    }
}

async fn bookings() -> Outcome<Db> {
    let db = support::db::<Bookings>().await;
    booking().create().send(&db).await?;
    Ok(db)
}

async fn stored(db: &Db) -> Outcome<Booking> {
    Ok(Booking::get("u1", 1).consistent().send(db).await?.unwrap())
}

/// Asserts that the item and its keys are as expected, by the engine and by a put.
async fn assert_stored(db: &Db, expected: Booking) -> Outcome {
    assert_eq!(stored(db).await?, expected);
    let item = raw(db, Booking::key("u1", 1)).await?.unwrap();
    let fresh = support::stored(&expected)?;
    let names = |item: &support::Item| {
        let mut names: Vec<_> = item.keys().cloned().collect();
        names.sort();
        names
    };
    assert_eq!(names(&item), names(&fresh));
    assert_keys_as_put(db, Booking::key("u1", 1)).await
}

/// `change => expected`, from an item that was read.
macro_rules! loaded {
    ($(|$update:ident| $changes:expr => |$booking:ident| $expected:expr),* $(,)?) => {$({
        let db = bookings().await?;
        let read = stored(&db).await?;
        let $update = read.update();
        $changes.send(&db).await?;
        let mut $booking = booking();
        { $expected; }
        assert_stored(&db, $booking).await?;
    })*};
}

#[tokio::test]
async fn an_update_of_a_read_item_updates_the_index_keys_of_each_field() -> Outcome {
    let later = time("2025-07-01T00:00:00Z");
    loaded! {
        |u| u.set(|b| b.status(), Status::Confirmed) => |b| b.status = Status::Confirmed,
        |u| u.set(|b| b.room(), "r2") => |b| b.room = RoomId("r2".into()),
        |u| u.set(|b| b.room(), RoomId("r3".into())) => |b| b.room = RoomId("r3".into()),
        |u| u.set(|b| b.starts_at(), later) => |b| b.starts_at = later,
        |u| u.set(|b| b.floor(), 12) => |b| b.floor = 12,
        |u| u.set(|b| b.email(), "b@example.com") => |b| b.email = "b@example.com".into(),
        |u| u.set(|b| b.price(), -5_i64) => |b| b.price = -5,
        |u| u.set(|b| b.at(), later) => |b| b.at = later,
        |u| u.add(|b| b.guests(), 1_u32) => |b| b.guests = 3,
        |u| u.set(|b| b.status(), Status::Pending) => |b| b.guests = 2,
    }
    Ok(())
}

#[tokio::test]
async fn an_update_of_several_fields_updates_all_index_keys() -> Outcome {
    let later = time("2025-07-01T00:00:00Z");
    loaded! {
        |u| u.set(|b| b.status(), Status::Confirmed)
            .set(|b| b.room(), "r2")
            .set(|b| b.starts_at(), later)
            .set(|b| b.floor(), 3)
            .set(|b| b.email(), "z@example.com")
            .set(|b| b.price(), 1_i64)
            .set(|b| b.at(), later)
            .add(|b| b.guests(), 1_u32)
        => |b| {
            b.status = Status::Confirmed;
            b.room = RoomId("r2".into());
            b.starts_at = later;
            b.floor = 3;
            b.email = "z@example.com".into();
            b.price = 1;
            b.at = later;
            b.guests = 3;
        },
    }
    Ok(())
}

#[tokio::test]
async fn every_index_finds_the_item_only_under_its_new_key() -> Outcome {
    let db = bookings().await?;
    let update = stored(&db).await?;
    let update = update
        .update()
        .set(|b| b.status(), Status::Confirmed)
        .set(|b| b.price(), 7_i64);
    let new = update
        .set(|b| b.email(), "b@example.com")
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(Booking::by_status(Status::Pending).count(&db).await?, 0);
    assert_eq!(
        Booking::by_status(Status::Confirmed).all(&db).await?,
        std::slice::from_ref(&new)
    );
    assert_eq!(
        Booking::by_room("r#1", Status::Pending).count(&db).await?,
        0
    );
    assert_eq!(
        Booking::by_room("r#1", Status::Confirmed).all(&db).await?,
        std::slice::from_ref(&new)
    );
    assert_eq!(Booking::by_email("a@example.com").count(&db).await?, 0);
    assert_eq!(
        Booking::by_email("b@example.com").all(&db).await?,
        std::slice::from_ref(&new)
    );
    assert_eq!(
        Booking::by_price("u1").price(7).all(&db).await?,
        std::slice::from_ref(&new)
    );
    assert_eq!(Booking::by_floor(-2).all(&db).await?, [new]);
    Ok(())
}

#[tokio::test]
async fn update_by_key_requires_the_siblings_of_an_index_field() -> Outcome {
    let db = bookings().await?;
    let old = booking();
    // In one index with the time and the room, in another with the room.
    let update = Booking::update("u1", 1);
    let update = update.set(|b| b.status("r#1", old.starts_at), Status::Confirmed);
    update.send(&db).await?;
    let mut expected = booking();
    expected.status = Status::Confirmed;
    assert_stored(&db, expected.clone()).await?;

    let update = Booking::update("u1", 1);
    let update = update.set(|b| b.room(Status::Confirmed, old.starts_at), "r2");
    update.send(&db).await?;
    expected.room = RoomId("r2".into());
    assert_stored(&db, expected.clone()).await?;

    // Alone in their keys.
    let update = Booking::update("u1", 1)
        .set(|b| b.floor(), 5)
        .set(|b| b.price(), 3_i64);
    let update = update
        .set(|b| b.email(), "c@example.com")
        .set(|b| b.at(), old.starts_at);
    update.send(&db).await?;
    (expected.floor, expected.price, expected.at) = (5, 3, old.starts_at);
    expected.email = "c@example.com".into();
    assert_stored(&db, expected).await
}

#[tokio::test]
async fn update_by_key_changes_several_fields_of_one_index() -> Outcome {
    let db = bookings().await?;
    let (old, later) = (booking(), time("2025-07-01T00:00:00Z"));
    Booking::update("u1", 1)
        .set(|b| b.status("r#1", old.starts_at), Status::Confirmed)
        .set(|b| b.starts_at(Status::Pending, "r#1"), later)
        .set(|b| b.room(Status::Pending, old.starts_at), "r9")
        .send(&db)
        .await?;
    let expected = Booking {
        status: Status::Confirmed,
        starts_at: later,
        room: RoomId("r9".into()),
        ..booking()
    };
    assert_stored(&db, expected).await
}

fn assert_conflict(error: &dynamo_model::Error, attribute: &str, now: &Booking) {
    let attribute = attribute.to_owned();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    assert_eq!(error.item::<Booking>().unwrap().as_ref(), Some(now));
    assert_eq!(error.entity(), "Booking");
    assert_eq!(error.key_text(), Some("USER#u1/BOOKING#000001"));
}

#[tokio::test]
async fn a_wrong_sibling_writes_nothing() -> Outcome {
    let db = bookings().await?;
    let old = booking();
    let update = Booking::update("u1", 1).add(|b| b.guests(), 1_u32);
    let update = update.set(|b| b.status("other", old.starts_at), Status::Confirmed);
    assert_conflict(&update.send(&db).await.unwrap_err(), "room", &old);
    let update = Booking::update("u1", 1);
    let update = update.set(|b| b.status("r#1", old.at), Status::Confirmed);
    assert_conflict(&update.send(&db).await.unwrap_err(), "startsAt", &old);
    assert_stored(&db, old).await
}

#[tokio::test]
async fn a_sibling_changed_meanwhile_writes_nothing() -> Outcome {
    let db = bookings().await?;
    let (ours, theirs) = (stored(&db).await?, stored(&db).await?);
    let now = theirs
        .update()
        .set(|b| b.room(), "r2")
        .return_new()
        .send(&db)
        .await?;
    let update = ours
        .update()
        .set(|b| b.status(), Status::Confirmed)
        .add(|b| b.guests(), 1_u32);
    assert_conflict(&update.send(&db).await.unwrap_err(), "room", &now);
    assert_stored(&db, now.clone()).await?;
    // A field whose siblings did not change can be changed.
    ours.update().add(|b| b.guests(), 1_u32).send(&db).await?;
    ours.update().set(|b| b.price(), 5_i64).send(&db).await?;
    Ok(())
}

/// Each writer changes another field of the same keys: a late writer gets a conflict, and no key is
/// wrong.
#[tokio::test]
async fn concurrent_changes_of_siblings_leave_correct_keys() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = bookings().await?;
    let read = stored(&db).await?;
    let mut writers = Vec::new();
    for i in 0..12 {
        let (db, read) = (db.clone(), read.clone());
        writers.push(tokio::spawn(async move {
            let update = read.update();
            let update = match i % 3 {
                0 => update.set(|b| b.status(), Status::Confirmed),
                1 => update.set(|b| b.room(), format!("r{i}")),
                _ => update.set(|b| b.starts_at(), time("2025-08-01T00:00:00Z")),
            };
            match update.send(&db).await {
                Ok(()) => 1,
                Err(error) if error.is_conflict() => 0,
                Err(error) => panic!("{error}"),
            }
        }));
    }
    let mut written = 0;
    for writer in writers {
        written += writer.await?;
    }
    assert!(written >= 1);
    let now = stored(&db).await?;
    assert_stored(&db, now).await
}

/// The sibling of two fields is given twice; if the values differ, one is wrong.
#[tokio::test]
async fn two_values_for_one_sibling_write_nothing() -> Outcome {
    let db = bookings().await?;
    let old = booking();
    for (first, second) in [("r#1", "r2"), ("r2", "r#1")] {
        let update = Booking::update("u1", 1)
            .set(|b| b.status(first, old.starts_at), Status::Confirmed)
            .set(|b| b.starts_at(Status::Pending, second), old.at);
        let error = update.send(&db).await.unwrap_err();
        let attribute = "room".to_owned();
        assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    }
    assert_stored(&db, old).await
}

#[tokio::test]
async fn a_key_field_changed_twice_sends_nothing() {
    let db = support::bare();
    let old = booking();
    let update = old.update().set(|b| b.room(), "a").set(|b| b.room(), "b");
    let error = update.send(&db).await.unwrap_err();
    let attribute = "room".to_owned();
    assert_eq!(error.kind(), &ErrorKind::ChangedTwice { attribute });
}

#[tokio::test]
async fn an_upsert_writes_every_index_key() -> Outcome {
    let db = support::db::<Bookings>().await;
    let new = booking();
    let upsert = || {
        Booking::upsert("u1", 1)
            .set(|b| b.status("", new.at), new.status)
            .set(|b| b.room(new.status, new.at), "r#1")
            .set(|b| b.starts_at(new.status, ""), new.starts_at)
            .set(|b| b.floor(), new.floor)
            .set(|b| b.email(), "a@example.com")
            .set(|b| b.price(), new.price)
            .set(|b| b.at(), new.at)
            .set(|b| b.guests(), new.guests)
    };
    upsert().send(&db).await?;
    assert_stored(&db, booking()).await?;
    upsert().send(&db).await?;
    assert_stored(&db, booking()).await
}

/// A field that is stored only in keys must be given.
#[tokio::test]
async fn an_upsert_without_a_field_of_an_index_sends_nothing() {
    let db = support::bare();
    let new = booking();
    let upsert = Booking::upsert("u1", 1)
        .set(|b| b.status("", new.at), new.status)
        .set(|b| b.room(new.status, new.at), "r#1")
        .set(|b| b.starts_at(new.status, ""), new.starts_at)
        .set(|b| b.email(), "a@example.com")
        .set(|b| b.price(), new.price)
        .set(|b| b.at(), new.at)
        .set(|b| b.guests(), new.guests);
    let error = upsert.send(&db).await.unwrap_err();
    let attributes = vec!["floor".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
}

/// Two fields in two indexes that share an attribute: it stays while one of them needs it.
#[tokio::test]
async fn an_update_corrects_a_wrong_index_key() -> Outcome {
    let db = bookings().await?;
    let mut item = raw(&db, Booking::key("u1", 1)).await?.unwrap();
    item.insert("GSI2PK".into(), AttributeValue::S("ROOM#stale".into()));
    put::<Bookings>(&db, item).await?;
    let read = stored(&db).await?;
    read.update()
        .set(|b| b.status(), Status::Confirmed)
        .send(&db)
        .await?;
    assert_keys_as_put(&db, Booking::key("u1", 1)).await
}

#[derive(DynamoTable)]
#[table(name = "Notes", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct Notes;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Notes)]
#[pk("NOTE#<id>")]
#[gsi1(pk = "FOLDER#<folder>", as = by_folder)]
struct Note {
    id: String,
    #[serde(default = "inbox")]
    folder: String,
    text: String,
}

fn inbox() -> String {
    "inbox".into()
}

/// The index key would not contain the default.
#[tokio::test]
async fn an_upsert_requires_a_defaulted_field_of_an_index() -> Outcome {
    let db = support::db::<Notes>().await;
    let upsert = || Note::upsert("n").set(|note| note.text(), "x");
    let error = upsert().send(&db).await.unwrap_err();
    let attributes = vec!["folder".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    upsert().set(|note| note.folder(), "f").send(&db).await?;
    assert_keys_as_put(&db, Note::key("n")).await
}
