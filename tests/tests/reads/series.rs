//! One query over many partitions: time buckets one after the other, write shards merged.

use crate::support::{self, Db, Outcome};
use dynamo_model::error::KeyErrorKind;
use dynamo_model::{BatchWrite, DynamoEntity, DynamoTable, ErrorKind};
use futures_util::TryStreamExt;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Events", pk = "PK", sk = "SK", ttl = "expires", items = EventsItem)]
#[gsi1(name = "ByDay", pk = "GSI1PK", sk = "GSI1SK")]
struct Events;

/// A partition a day, without the day in the sort key.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Events)]
#[pk("DAILY#<name>#<at:%Y-%m-%d>")]
#[sk("AT#<at:%H:%M:%S>#<number:04>")]
struct Daily {
    name: String,
    at: Timestamp,
    number: u32,
}

/// Four shards.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Events)]
#[pk("SHARDED#<name>#<number:shard(4)>")]
#[sk("AT#<at:s>#<number:04>")]
struct Sharded {
    name: String,
    at: Timestamp,
    number: u32,
}

/// Both: by hour in the table, by day in the index. The time is stored only in the keys.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Events)]
#[pk("HOURLY#<at:%Y-%m-%dT%H>#<number:shard(3)>")]
#[sk("<at:s>#<number:04>")]
#[gsi1(pk = "DAY#<at:%Y-%m-%d>", sk = "<number:04>", as = by_day)]
struct Hourly {
    #[dynamo(key_only)]
    at: Timestamp,
    number: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[dynamo(ttl)]
    expires: Option<u64>,
}

#[derive(dynamo_model::DynamoItems, Debug)]
#[items(table = Events)]
enum EventsItem {
    Unpadded(Unpadded),
    Daily(Daily),
    Sharded(Sharded),
    Hourly(Hourly),
}

/// Returns times every 7 hours from the first of June 2025, for ten days.
fn times() -> impl Iterator<Item = (u32, Timestamp)> {
    let start: Timestamp = "2025-06-01T00:30:00Z".parse().unwrap();
    (0..34_u32).map(move |number| {
        (
            number,
            start + SignedDuration::from_hours(7 * i64::from(number)),
        )
    })
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

async fn events() -> Outcome<Db> {
    let db = support::db::<Events>().await;
    let daily = times().map(|(number, at)| Daily {
        name: "a".into(),
        at,
        number,
    });
    let sharded = times().map(|(number, at)| Sharded {
        name: "a".into(),
        at,
        number,
    });
    let hourly = times().map(|(number, at)| Hourly {
        at,
        number,
        expires: number.is_multiple_of(2).then_some(1_000_000_000),
    });
    BatchWrite::new().load(daily).send(&db).await?;
    BatchWrite::new().load(sharded).send(&db).await?;
    BatchWrite::new().load(hourly).send(&db).await?;
    Ok(db)
}

fn numbers_in(from: Timestamp, to: Timestamp) -> Vec<u32> {
    let inside = times().filter(|(_, at)| (from..to).contains(at));
    inside.map(|(number, _)| number).collect()
}

/// Ranges that begin and end within a bucket, between two, at their edges, and outside all of them.
fn ranges() -> Vec<(Timestamp, Timestamp)> {
    let ends = [
        "2025-05-31T12:00:00Z",
        "2025-06-01T00:30:00Z",
        "2025-06-02T00:00:00Z",
        "2025-06-03T11:30:00Z",
        "2025-06-03T11:30:01Z",
        "2025-06-08T23:59:59.999Z",
        "2025-06-12T00:00:00Z",
    ];
    let ends = ends.map(at);
    let pairs = ends
        .iter()
        .flat_map(|from| ends.iter().map(move |to| (*from, *to)));
    pairs.collect()
}

#[tokio::test]
async fn buckets_are_visited_in_order_and_the_range_is_exact() -> Outcome {
    let db = events().await?;
    for (from, to) in ranges() {
        let mut expected = numbers_in(from, to);
        let daily = Daily::across("a", from..to).all(&db).await?;
        let found: Vec<u32> = daily.iter().map(|event| event.number).collect();
        assert_eq!(found, expected, "{from}..{to}");
        assert_eq!(
            Daily::across("a", from..to).count(&db).await?,
            expected.len()
        );

        // A request an hour: of longer ranges the days are enough.
        if to.duration_since(from) > SignedDuration::from_hours(4 * 24) {
            continue;
        }
        let hourly = Hourly::across(from..to).descending().all(&db).await?;
        let found: Vec<u32> = hourly.iter().map(|event| event.number).collect();
        expected.reverse();
        assert_eq!(found, expected, "{from}..{to}, newest first");
    }
    let one = at("2025-06-03T10:30:00Z");
    assert!(Daily::across("b", one..=one).all(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn both_ends_can_be_included() -> Outcome {
    let db = events().await?;
    let (first, second) = (at("2025-06-01T00:30:00Z"), at("2025-06-01T07:30:00Z"));
    assert_eq!(Hourly::across(first..=second).count(&db).await?, 2);
    assert_eq!(Hourly::across(first..second).count(&db).await?, 1);
    assert_eq!(Hourly::across(second..first).count(&db).await?, 0);
    Ok(())
}

#[tokio::test]
async fn shards_are_merged_in_the_order_of_the_sort_key() -> Outcome {
    let db = events().await?;
    let numbers = |events: Vec<Sharded>| -> Vec<u32> {
        events.into_iter().map(|event| event.number).collect()
    };
    let all: Vec<u32> = (0..34).collect();
    assert_eq!(numbers(Sharded::across("a").all(&db).await?), all);
    let newest = Sharded::across("a").descending().limit(5).all(&db).await?;
    assert_eq!(numbers(newest), [33, 32, 31, 30, 29]);

    // The sort key can be narrowed as in any query, and so can the items.
    let (from, to) = (at("2025-06-03T00:00:00Z"), at("2025-06-05T00:00:00Z"));
    let range = || Sharded::across("a").at_in(from..to);
    assert_eq!(numbers(range().all(&db).await?), numbers_in(from, to));
    assert_eq!(range().count(&db).await?, numbers_in(from, to).len());
    let odd = range().filter(|event| event.number().is_in([9, 11, 13, 99]));
    assert_eq!(numbers(odd.page_size(1).all(&db).await?), [9, 11, 13]);
    Ok(())
}

#[tokio::test]
async fn one_cursor_covers_all_buckets_and_shards() -> Outcome {
    let db = events().await?;
    let (from, to) = (at("2025-06-01T05:00:00Z"), at("2025-06-09T00:00:00Z"));
    for (limit, size) in [(1, 1), (3, 2), (5, 100), (100, 1)] {
        for descending in [false, true] {
            let (mut cursor, mut found) = (None::<String>, Vec::new());
            loop {
                let mut query = Hourly::across(from..to).limit(limit).page_size(size);
                if descending {
                    query = query.descending();
                }
                if let Some(cursor) = cursor.take() {
                    query = query.after(cursor);
                }
                let page = query.page(&db).await?;
                assert!(page.items.len() <= limit);
                found.extend(page.items.into_iter().map(|event| event.number));
                cursor = page.next;
                if cursor.is_none() {
                    break;
                }
            }
            let mut expected = numbers_in(from, to);
            if descending {
                expected.reverse();
            }
            assert_eq!(found, expected, "{limit} at a time, {size} a request");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_another_range_is_refused() -> Outcome {
    let db = events().await?;
    let (from, to) = (at("2025-06-01T00:00:00Z"), at("2025-06-09T00:00:00Z"));
    let page = Daily::across("a", from..to).limit(2).page(&db).await?;
    let cursor = page.next.unwrap();
    let rest = Daily::across("a", from..to).after(&cursor).all(&db).await?;
    assert_eq!(rest.len() + 2, numbers_in(from, to).len());
    let longer = Daily::across("a", from..=to).after(&cursor).all(&db).await;
    assert!(longer.unwrap_err().is_cursor());
    let other = Daily::across("b", from..to).after(&cursor).all(&db).await;
    assert!(other.unwrap_err().is_cursor());
    let one = Daily::query("a", from).after(&cursor).all(&db).await;
    assert!(one.unwrap_err().is_cursor());
    Ok(())
}

#[tokio::test]
async fn a_stream_reads_only_buckets_that_are_needed() -> Outcome {
    let db = events().await?;
    let (from, to) = (at("2025-06-01T00:00:00Z"), at("2025-06-09T00:00:00Z"));
    let mut events = Daily::across("a", from..to).stream(&db);
    let first = events.try_next().await?.unwrap();
    assert_eq!(first.number, 0);
    // Items in a bucket that was not begun yet can still be deleted.
    Daily::delete("a", at("2025-06-08T00:30:00Z"), 24)
        .must_exist()
        .send(&db)
        .await?;
    let rest: Vec<Daily> = events.try_collect().await?;
    assert_eq!(rest.len() + 2, numbers_in(from, to).len());
    Ok(())
}

#[tokio::test]
async fn an_index_can_have_buckets() -> Outcome {
    let db = events().await?;
    let (from, to) = (at("2025-06-02T06:00:00Z"), at("2025-06-04T06:00:00Z"));
    let found = Hourly::by_day_across(from..to).all(&db).await?;
    let found: Vec<u32> = found.iter().map(|event| event.number).collect();
    assert_eq!(found, numbers_in(from, to));
    Ok(())
}

#[tokio::test]
async fn expired_items_can_be_hidden_across_buckets() -> Outcome {
    let db = events().await?;
    let (from, to) = (at("2025-06-01T00:00:00Z"), at("2025-06-03T00:00:00Z"));
    let all = Hourly::across(from..to).count(&db).await?;
    let left = Hourly::across(from..to).unexpired().all(&db).await?;
    assert!(left.iter().all(|event| event.number % 2 == 1) && left.len() == all / 2);
    assert_eq!(
        Hourly::across(from..to).unexpired().count(&db).await?,
        left.len()
    );
    let one = Hourly::by_day(from).unexpired().limit(1).all(&db).await?;
    assert_eq!(one[0].number, 1);
    assert_eq!(Hourly::scan().unexpired().count(&db).await?, 17);
    let get = || Hourly::get(at("2025-06-01T00:30:00Z"), 0);
    assert!(get().send(&db).await?.is_some() && get().unexpired().send(&db).await?.is_none());
    Ok(())
}

#[tokio::test]
async fn a_range_of_too_many_buckets_is_refused() -> Outcome {
    let db = support::bare();
    let (from, to) = (at("1990-01-01T00:00:00Z"), at("2025-01-01T00:00:00Z"));
    let error = Hourly::across(from..to).all(&db).await.unwrap_err();
    let dynamo_model::ErrorKind::Key(error) = error.kind() else {
        panic!("{error}")
    };
    assert_eq!(error.kind(), &KeyErrorKind::TooManyBuckets { max: 100_000 });
    Ok(())
}

#[tokio::test]
async fn explain_shows_the_first_request_and_how_many_partitions_there_are() -> Outcome {
    let db = support::bare();
    let (from, to) = (at("2025-06-01T05:30:00Z"), at("2025-06-01T07:30:00Z"));
    let explained = Hourly::across(from..to).explain(&db)?;
    assert_eq!(explained.partitions, 9); // three hours, three shards
    let text = explained.to_string();
    assert!(text.contains("HOURLY#2025-06-01T05#0"), "{text}");
    assert!(text.contains("BETWEEN \"2025-06-01T05:30:00Z"), "{text}");
    assert!(text.contains("9 partitions"), "{text}");
    Ok(())
}

/// Finding: "a range over several buckets on a query of one bucket reads only the first
/// bucket": such a query has no range, and `across` within one bucket is one request.
#[tokio::test]
async fn across_within_one_bucket_reads_that_bucket_alone() -> Outcome {
    let db = events().await?;
    let at = |text: &str| at(&format!("2025-06-01T{text}Z"));
    let seven = || Daily::across("a", at("07:00:00")..at("08:00:00"));
    let explained = seven().explain(&db)?.to_string();
    assert!(explained.contains("DAILY#a#2025-06-01"), "{explained}");
    assert!(!explained.contains("2025-06-02"), "{explained}");
    let found = seven().all(&db).await?;
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|it| it.at >= at("07:00:00") && it.at < at("08:00:00"))
    );
    let whole = Daily::query("a", at("00:00:00")).all(&db).await?;
    let inside = whole
        .iter()
        .filter(|it| it.at >= at("07:00:00") && it.at < at("08:00:00"));
    assert!(inside.eq(&found));
    assert!(found.len() < whole.len());
    Ok(())
}

#[tokio::test]
async fn across_refuses_a_range_of_a_sharded_field() -> Outcome {
    let db = events().await?;
    let seven = at("2025-06-01T07:30:00Z");
    let query = Hourly::query(seven, 1_u32).at(seven).number_in(0..100_u32);
    assert_eq!(query.all(&db).await?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_partition_key_may_have_2048_bytes() -> Outcome {
    let db = support::bare();
    let (from, to) = (at("2025-06-01T00:00:00Z"), at("2025-06-02T00:00:00Z"));
    let rest = "DAILY##2025-06-01".len();
    let across = |bytes: usize| Daily::across("x".repeat(bytes), from..to);
    assert!(across(2_048 - rest).explain(&db).is_ok());
    let error = across(2_049 - rest).explain(&db).unwrap_err();
    let ErrorKind::Key(key) = error.kind() else {
        return Err(error.into());
    };
    let (bytes, max) = (2_049, 2_048);
    assert_eq!(key.kind(), &KeyErrorKind::TooLong { bytes, max });
    Ok(())
}

#[tokio::test]
async fn a_page_adds_up_the_capacity_of_its_partitions() -> Outcome {
    let db = events().await?;
    let (from, to) = (at("2025-06-01T00:00:00Z"), at("2025-06-12T00:00:00Z"));
    let one = Sharded::query("a", 1_u32)
        .page(&db)
        .await?
        .consumed_capacity;
    let four = Sharded::across("a").page(&db).await?.consumed_capacity;
    let ten = Daily::across("a", from..to)
        .page(&db)
        .await?
        .consumed_capacity;
    assert!(
        one > 0.0 && four > 2.0 * one && ten > one,
        "{one} {four} {ten}"
    );
    Ok(())
}

#[tokio::test]
async fn a_limit_is_the_page_size_unless_most_items_are_filtered() -> Outcome {
    let db = support::bare();
    let (from, to) = (at("2025-06-01T01:00:00Z"), at("2025-06-01T02:00:00Z"));
    let size = |request: dynamo_model::read::Explain| request.page_size;
    let sharded = || Sharded::across("a").limit(5);
    assert_eq!(size(sharded().explain(&db)?), Some(5));
    let filtered = sharded().filter(|it| it.name().eq("b"));
    assert_eq!(size(filtered.explain(&db)?), None);
    // Of a day, an hour is wanted.
    let hour = Daily::across("a", from..to).limit(5);
    assert_eq!(size(hour.explain(&db)?), None);
    Ok(())
}

#[tokio::test]
async fn debug_of_a_read_names_it() -> Outcome {
    let db = support::bare();
    let open = format!("{:?}", Daily::query("a", at("2025-06-01T01:00:00Z")));
    assert!(open.contains("partitions: Ok(Partitions(1))"), "{open}");
    let stream = Sharded::across("a").stream(&db);
    assert_eq!(format!("{stream:?}"), "ItemStream { .. }");
    let segments = Daily::scan().segments(2).all(&db);
    assert_eq!(format!("{segments:?}"), "ReadingSegments { .. }");
    Ok(())
}

#[test]
fn debug_of_a_query_shows_its_kind_and_no_key() {
    let seven = at("2025-06-01T07:00:00Z");
    let open = || Hourly::query(seven, 1_u32).at(seven).number_in(1..);
    let query = format!("{:?}", open().query());
    assert!(query.starts_with("Query("), "{query}");
    for shown in [query, format!("{:?}", open())] {
        let keys = ["HOURLY#", "2025-06-01"];
        assert!(keys.iter().all(|key| !shown.contains(key)), "{shown}");
    }
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Events)]
#[pk("PLAIN#<name>")]
#[sk("N#<number>")]
struct Unpadded {
    name: String,
    number: u32,
}

/// Finding: "`.limit(1).descending()` on an unpadded number returns 9 before 10": a query that
/// no longer knows its sort key fails before the request.
#[tokio::test]
async fn descending_of_a_part_that_does_not_sort_is_an_error_on_any_query() -> Outcome {
    let db = events().await?;
    let query = Unpadded::query("a").limit(1).query().descending();
    let error = query.all(&db).await.unwrap_err();
    let ErrorKind::Key(key) = error.kind() else {
        return Err(error.into());
    };
    assert_eq!(
        (key.kind(), key.field()),
        (&KeyErrorKind::Unsorted, Some("number"))
    );
    // With the whole sort key, the order does not matter.
    let whole = Unpadded::query("a").number(1_u32).limit(1).descending();
    assert_eq!(whole.all(&db).await?, []);
    Ok(())
}

/// Only the number, without the name.
#[derive(dynamo_model::DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Unpadded, from(table))]
struct Number {
    number: u32,
}

/// Finding: no way around it by a projection, a generic query or the prefix of a
/// collection.
#[tokio::test]
async fn descending_of_a_part_that_does_not_sort_is_an_error_at_any_position() -> Outcome {
    async fn newest<E: dynamo_model::Entity>(
        db: &Db,
        query: dynamo_model::read::Query<E>,
    ) -> Result<usize, dynamo_model::Error> {
        query.descending().count(db).await
    }
    let db = events().await?;
    let prefix = || Unpadded::sort_key().build();
    let collection = || EventsItem::collection(Unpadded::partition_key("a"));
    let generic = newest(&db, Unpadded::query("a").query()).await;
    let projected = Unpadded::query("a").project::<Number>().descending();
    let projected = projected.all(&db).await.unwrap_err();
    let before = collection().descending().within(prefix()?).all(&db);
    let after = collection().within(prefix()?).descending().all(&db);
    let collections = [before.await.unwrap_err(), after.await.unwrap_err()];
    for error in collections
        .into_iter()
        .chain([projected, generic.unwrap_err()])
    {
        let ErrorKind::Key(key) = error.kind() else {
            return Err(error.into());
        };
        let reason = (key.kind(), key.field());
        assert_eq!(reason, (&KeyErrorKind::Unsorted, Some("number")));
    }
    let whole = Unpadded::sort_key().number(1_u32).build()?;
    let one = collection().within(whole).descending();
    assert!(one.all(&db).await?.is_empty(), "one key is in order");
    Ok(())
}
