//! Times as numbers since 1970: in text keys, and as keys of type N.

use crate::support::{self, Outcome, put_json, raw, store};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::error::KeyErrorKind;
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::error::Error as _;

#[derive(DynamoTable)]
#[table(name = "Epochs", pk = "PK", sk = "SK", items = EpochsItem)]
#[gsi1(name = "Latest", pk = "GSI1PK", sk = "GSI1SK")]
struct Epochs;

/// As the shop document stores its orders: `ORDER#1705315800`.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Epochs)]
#[pk("EVENT#<name>#<at:%Y-%m-%d>")]
#[sk("AT#<at:epoch_s>#<number:04>")]
#[gsi1(pk = "LATEST#<name>", sk = "<at:epoch_ms+desc>", as = latest)]
struct Event {
    name: String,
    at: Timestamp,
    number: u32,
}

#[derive(DynamoItems, Debug)]
#[items(table = Epochs)]
enum EpochsItem {
    Event(Event),
}

fn event(at: &str, number: u32) -> Event {
    Event {
        name: "a".into(),
        at: at.parse().unwrap(),
        number,
    }
}

fn events() -> [Event; 5] {
    [
        event("2001-09-09T01:46:39.999Z", 1),
        event("2001-09-09T01:46:40Z", 2),
        event("2024-01-15T10:50:00Z", 3),
        event("2024-01-15T10:50:00.123Z", 4),
        event("2024-01-16T00:00:00Z", 5),
    ]
}

/// Finding, the shop document: `1705315800`, `1705315800123`.
#[tokio::test]
async fn text_keys_have_the_digits_of_seconds_and_milliseconds() -> Outcome {
    let db = support::db::<Epochs>().await;
    let event = &events()[3];
    event.put().send(&db).await?;
    let stored = raw(&db, event.primary_key()).await?.unwrap();
    let text = |name: &str| stored[name].as_s().unwrap().as_str();
    assert_eq!(text("PK"), "EVENT#a#2024-01-15");
    assert_eq!(text("SK"), "AT#1705315800#0004");
    assert_eq!(
        text("GSI1SK"),
        "8294684199876",
        "the nines' complement of 1705315800123"
    );
    Ok(())
}

#[tokio::test]
async fn ranges_and_buckets_of_epoch_times_follow_the_times() -> Outcome {
    let db = support::db::<Epochs>().await;
    let all = events();
    store(&db, &all).await?;
    let at = |text: &str| -> Timestamp { text.parse().unwrap() };
    let (from, to) = (at("2024-01-14T00:00:00Z"), at("2024-01-16T00:00:00Z"));
    let within = Event::across("a", from..to).all(&db).await?;
    assert_eq!(within, &all[2..4]);
    let newest = Event::across("a", from..=to).descending().all(&db).await?;
    assert_eq!(
        newest.iter().map(|it| it.number).collect::<Vec<_>>(),
        [5, 4, 3]
    );
    let day = at("2024-01-15T00:00:00Z");
    let noon = at("2024-01-15T12:00:00Z");
    assert_eq!(Event::across("a", day..noon).all(&db).await?, &all[2..4]);
    assert!(Event::across("a", noon..to).all(&db).await?.is_empty());
    let latest = Event::latest("a").at_in(all[1].at..).all(&db).await?;
    assert_eq!(
        latest.iter().map(|it| it.number).collect::<Vec<_>>(),
        [5, 4, 3, 2]
    );
    let of_minute = Event::query("a", day)
        .at_prefix("17053158")
        .count(&db)
        .await?;
    assert_eq!(of_minute, 2);
    Ok(())
}

/// Finding: "an item can be read at one key and written at another": the error names the spec
/// to write.
#[tokio::test]
async fn a_stored_time_of_another_form_is_a_mismatch_that_names_the_spec() -> Outcome {
    let db = support::db::<Epochs>().await;
    let item = json!({
        "PK": "EVENT#a#2024-01-15", "SK": "AT#1705315800000#0001", "name": "a",
        "at": "2024-01-15T10:50:00Z", "number": 1,
    });
    put_json::<Epochs>(&db, item).await?;
    let error = Event::scan().all(&db).await.unwrap_err();
    assert!(
        error.to_string().contains("write `<at:epoch_ms>`"),
        "{error}"
    );
    Ok(())
}

#[tokio::test]
async fn a_time_that_would_not_sort_is_refused_before_the_request() -> Outcome {
    let db = support::bare();
    for at in ["1969-12-31T23:59:59.999Z", "2286-11-20T17:46:40Z"] {
        let error = event(at, 1).primary_key().unwrap_err();
        assert!(
            matches!(error.kind(), KeyErrorKind::EpochOutOfRange),
            "{error}"
        );
    }
    assert!(event("1970-01-01T00:00:00Z", 1).primary_key().is_ok());
    assert!(event("2286-11-20T17:46:39.999Z", 1).primary_key().is_ok());
    let day: Timestamp = "2024-01-15T00:00:00Z".parse()?;
    let error = Event::query("a", day)
        .at_prefix("2024-01")
        .all(&db)
        .await
        .unwrap_err();
    assert!(
        error
            .source()
            .is_some_and(|it| it.to_string().contains("`at`")),
        "{error}"
    );
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Ticks", pk = "PK", sk = N("at"))]
#[gsi1(name = "ByMillis", pk = "GSI1PK", sk = N("GSI1SK"))]
struct Ticks;

/// The sort key of the table is the field itself; that of the index is not.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Ticks)]
#[pk("TICK#<name>")]
#[sk("<at:epoch_s>")]
#[gsi1(pk = "SEEN#<name>", sk = "<seen:epoch_ms>", as = by_seen)]
struct Tick {
    name: String,
    #[serde(with = "dynamo_model::format::epoch_seconds")]
    at: Timestamp,
    seen: Timestamp,
}

fn tick(seconds: i64) -> Tick {
    Tick {
        name: "a".into(),
        at: Timestamp::from_second(seconds).unwrap(),
        seen: Timestamp::from_millisecond(seconds * 1_000 - 86_400_123).unwrap(),
    }
}

#[tokio::test]
async fn keys_of_type_n_hold_the_number_itself() -> Outcome {
    let db = support::db::<Ticks>().await;
    let all = [0, 86_400, 999_999_999, 1_000_000_000, 1_705_315_800].map(tick);
    store(&db, &all).await?;
    let stored = raw(&db, all[0].primary_key()).await?.unwrap();
    assert_eq!(stored["at"], AttributeValue::N("0".into()), "no padding");
    assert_eq!(stored["GSI1SK"], AttributeValue::N("-86400123".into()));
    assert_eq!(Tick::query("a").all(&db).await?, all);
    let newest = Tick::query("a").descending().limit(1).all(&db).await?;
    assert_eq!(newest, &all[4..]);
    let range = Tick::query("a").at_in(all[1].at..all[4].at);
    assert_eq!(range.all(&db).await?, &all[1..4]);
    let seen = Tick::by_seen("a").seen_in(..=all[2].seen).all(&db).await?;
    assert_eq!(seen, &all[..3]);
    let one = Tick::query("a").at(all[0].at).one(&db).await?;
    assert_eq!(one.primary_key()?.parse()?.at, all[0].at);
    Ok(())
}

#[tokio::test]
async fn a_number_key_refuses_a_fraction_that_it_would_drop() -> Outcome {
    let db = support::db::<Ticks>().await;
    let mut finer = tick(5);
    finer.at = Timestamp::from_millisecond(5_001)?;
    let error = finer.put().send(&db).await.unwrap_err();
    let reason = error.source().map(ToString::to_string);
    assert!(
        reason.is_some_and(|it| it.contains("finer than the precision")),
        "{error}"
    );
    tick(5).put().send(&db).await?;
    let seen = Timestamp::from_millisecond(7)?;
    let update = tick(5).update().set(|it| it.seen(), seen);
    update.send(&db).await?;
    let found = Tick::by_seen("a").seen(seen).one(&db).await?;
    assert_eq!((found.at, found.seen), (tick(5).at, seen));
    Ok(())
}

/// The time is a number in the attribute and in both keys.
#[derive(DynamoTable)]
#[table(name = "Stamps", pk = "PK", sk = "SK")]
#[gsi1(name = "Newest", pk = "GSI1PK", sk = "GSI1SK")]
struct Stamps;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Stamps)]
#[pk("SENSOR#<name>")]
#[sk("<at:epoch_ms>")]
#[gsi1(pk = "ALL", sk = "<at:epoch_s+desc>#<name>", as = newest)]
struct Reading {
    name: String,
    #[serde(with = "dynamo_model::format::epoch_millis")]
    at: Timestamp,
    value: i32,
}

#[tokio::test]
async fn a_time_stored_as_a_number_is_queried_by_key_and_by_filter() -> Outcome {
    let db = support::db::<Stamps>().await;
    let all = [1_705_315_799_999, 1_705_315_800_000, 1_705_315_800_123].map(|millis| Reading {
        name: "a".into(),
        at: Timestamp::from_millisecond(millis).unwrap(),
        value: 0,
    });
    store(&db, &all).await?;
    let stored = raw(&db, all[2].primary_key()).await?.unwrap();
    assert_eq!(stored["SK"], AttributeValue::S("1705315800123".into()));
    assert_eq!(stored["at"], AttributeValue::N("1705315800123".into()));
    assert_eq!(stored["GSI1SK"], AttributeValue::S("8294684199#a".into()));
    let from = all[1].at;
    let query = || Reading::query("a").at_in(from..);
    assert_eq!(query().all(&db).await?, &all[1..]);
    let newest = query().descending().all(&db).await?;
    assert_eq!(newest, [all[2].clone(), all[1].clone()]);
    assert_eq!(Reading::query("a").at_in(..from).all(&db).await?, &all[..1]);
    let ascending = Reading::newest().all(&db).await?;
    assert_eq!(ascending[2], all[0], "the oldest is last");
    let later = Reading::scan().filter(|it| it.at().gt(from));
    assert_eq!(later.count(&db).await?, 1);
    // Read, updated and deleted at its own key.
    let read = Reading::get("a", all[2].at).send(&db).await?.unwrap();
    read.update().set(|it| it.value(), 7).send(&db).await?;
    Reading::delete("a", all[2].at)
        .must_exist()
        .send(&db)
        .await?;
    assert_eq!(Reading::query("a").count(&db).await?, 2);
    Ok(())
}
