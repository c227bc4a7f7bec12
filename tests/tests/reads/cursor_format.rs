//! The contents of a cursor: pinned, so that no release refuses clients' cursors by accident, and
//! valid for one query only.
//!
//! Cursors are about the library and not about an engine, and their table's name is part of them:
//! these tests run on the embedded engine.

use crate::support::Outcome;
use dynamo_model::{
    Dynamo, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Entity, Error, Page, Table,
};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Pinned", pk = "PK", sk = "SK", ttl = "ttl", items = PinnedItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Pinned;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Pinned)]
#[pk("USER#<user>")]
#[sk("NOTE#<number:04>")]
#[gsi1(pk = "FOLDER#<folder>", sk = "<number:04>", as = by_folder)]
struct Note {
    user: String,
    number: u32,
    folder: String,
    #[dynamo(sensitive)]
    pin: String,
    stars: u32,
}

/// An entity of the same table, which has no entity types.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Pinned)]
#[pk("USER#<user>")]
#[sk("MEMO#<number:04>")]
struct Memo {
    user: String,
    number: u32,
    pin: String,
    stars: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Pinned)]
#[pk("DAY#<at:%Y-%m-%d>#<id:shard(2)>")]
#[sk("<at:s>#<id>")]
struct Event {
    id: String,
    at: jiff::Timestamp,
}

#[derive(DynamoTable)]
#[table(name = "Leases", pk = "PK", sk = "SK", ttl = "ttl")]
struct Leases;

/// Has a TTL, which `unexpired` needs.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Leases)]
#[pk("USER#<user>")]
#[sk("LEASE#<number:04>")]
struct Lease {
    user: String,
    number: u32,
    #[dynamo(ttl)]
    ttl: Option<u64>,
}

#[derive(DynamoItems)]
#[items(table = Pinned)]
#[allow(dead_code)]
enum PinnedItem {
    Note(Note),
    Memo(Memo),
    Event(Event),
}

#[derive(DynamoItems)]
#[items(table = Pinned)]
#[allow(dead_code)]
enum FewerItems {
    Note(Note),
    Memo(Memo),
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Note)]
struct Stars {
    number: u32,
    stars: u32,
}

async fn pinned() -> Outcome<Dynamo> {
    let db = Dynamo::embedded()?;
    Pinned::create_table(&db).await?;
    for number in 0..4 {
        let note = Note {
            user: "u1".into(),
            number,
            folder: "inbox".into(),
            pin: "1234".into(),
            stars: 5,
        };
        note.put().send(&db).await?;
        let memo = Memo {
            user: "u1".into(),
            number,
            pin: "1234".into(),
            stars: 5,
        };
        memo.put().send(&db).await?;
        for id in ["a", "b", "c"] {
            let at = format!("2025-06-0{}T00:00:00Z", number + 1).parse()?;
            let id = id.into();
            Event { id, at }.put().send(&db).await?;
        }
    }
    Ok(db)
}

fn cursor<T>(page: Result<Page<T>, Error>) -> Outcome<String> {
    Ok(page?.next.expect("more items"))
}

fn previous<T>(page: Result<Page<T>, Error>) -> Outcome<String> {
    Ok(page?.previous.expect("a page before"))
}

/// Of the first of two segments, before its first item.
fn segment(db: &Dynamo) -> Outcome<String> {
    let stream = Note::scan().segments(2).stream(db);
    let first = stream.cursors().into_iter().next().flatten();
    Ok(first.expect("a cursor"))
}

fn june() -> Outcome<std::ops::RangeInclusive<jiff::Timestamp>> {
    Ok("2025-06-01T00:00:00Z".parse()?..="2025-06-30T00:00:00Z".parse()?)
}

/// Finding: "No test pins the format"; §6: "Renaming the variant `SortCondition::BeginsWith`
/// invalidated live cursors while 345 tests still passed."
#[tokio::test]
async fn cursors_of_this_release_are_pinned() -> Outcome {
    let db = pinned().await?;
    let signed = db.clone().with_signed_cursors("key");
    let query = || Note::query("u1").limit(1);
    let collection = || PinnedItem::collection(Note::partition_key("u1")).limit(1);
    let one = cursor(query().page(&db).await)?;
    let two = cursor(Event::across(june()?).limit(2).page(&db).await)?;
    let found = [
        cursor(query().page(&db).await)?,
        cursor(
            Note::query("u1")
                .number_in(1..)
                .descending()
                .limit(1)
                .page(&db)
                .await,
        )?,
        cursor(query().filter(|it| it.stars().eq(5_u32)).page(&db).await)?,
        cursor(query().project::<Stars>().page(&db).await)?,
        cursor(Note::by_folder("inbox").limit(1).page(&db).await)?,
        cursor(Event::across(june()?).limit(2).page(&db).await)?,
        cursor(Note::scan().limit(1).page(&db).await)?,
        cursor(collection().page(&db).await)?,
        cursor(query().page(&signed).await)?,
        // Before the first item, and of a segment.
        Note::query("u1").stream(&db).cursor().expect("a cursor"),
        segment(&db)?,
        // To the page before.
        previous(query().after(one).page(&db).await)?,
        previous(Event::across(june()?).limit(2).after(two).page(&db).await)?,
    ];
    assert_eq!(found, PINNED, "{found:#?}");
    // They are valid for their query.
    assert_eq!(Note::query("u1").after(PINNED[0]).all(&db).await?.len(), 3);
    let events = Event::across(june()?).after(PINNED[5]).all(&db).await?;
    assert_eq!(events.len(), 10);
    let rest = Note::query("u1").after(PINNED[8]).all(&signed).await?;
    assert_eq!(rest.len(), 3);
    let back = query().after(PINNED[11]).page(&db).await?;
    assert_eq!((back.items.len(), back.previous), (1, None));
    let back = Event::across(june()?).limit(5).after(PINNED[12]);
    assert_eq!(back.page(&db).await?.items.len(), 2);
    Ok(())
}

const PINNED: [&str; 13] = [
    "BABC_x7FuEjL8KohT-Zl2oghAlMAB1VTRVIjdTFTAAlOT1RFIzAwMDA",
    "BAANl8rRrx1xihGEEpEGp-sHAlMAB1VTRVIjdTFTAAlOT1RFIzAwMDM",
    "BADzf5Y4V8_feBhb19KohFzzAlMAB1VTRVIjdTFTAAlOT1RFIzAwMDA",
    "BADwfOMBlWHV1EDeRqN5siWhAlMAB1VTRVIjdTFTAAlOT1RFIzAwMDA",
    "BACXwUEsdNjGf8ema5DbIFQ_AlMAB1VTRVIjdTFTAAlOT1RFIzAwMDBTAAxGT0xERVIjaW5ib3hTAAQwMDAw",
    "BADcWMQNXmIrIdP6vjBlko1BAgAAAABAUwAQREFZIzIwMjUtMDYtMDEjMFMAFjIwMjUtMDYtMDFUMDA6MDA6MDBaI2Ix",
    "BAAboSL54cqvkciewLBMUqEHAlMAB1VTRVIjdTFTAAlOT1RFIzAwMDA",
    "BACLZS06Y5qky_8ZrxXLFjhxAlMAB1VTRVIjdTFTAAlNRU1PIzAwMDA",
    "BAEOSSAgkpgjvGI2g76k8kU8qiFP5mXaiCECUwAHVVNFUiN1MVMACU5PVEUjMDAwMA",
    "BAAHubeKmtTZLaohT-Zl2oghAC0AAC0AAA",
    "BADJywwK4pH1LHm02kJgBz9eAC0AAC0AAA",
    "BABsJeJqyIByl6ohT-Zl2oghA1MAB1VTRVIjdTFTAAlOT1RFIzAwMDE",
    "BABSXV0jsP9wNtP6vjBlko1BAwAAAB1AUwAQREFZIzIwMjUtMDYtMDEjMFMAFjIwMjUtMDYtMDFUMDA6MDA6MDBaI2Mw",
];

fn assert_refused<T>(read: Result<T, Error>, query: &str) {
    let Err(error) = read else {
        panic!("{query} took the cursor of another query")
    };
    assert!(
        error.to_string().contains("belongs to another query"),
        "{query}: {error}"
    );
}

/// Finding: "Two queries that differ only in the value of a sensitive filter accept each
/// other's cursors, because the fingerprint is computed from masked text."
#[tokio::test]
async fn a_cursor_of_another_sensitive_value_is_refused() -> Outcome {
    let db = pinned().await?;
    let with = |pin: &str| Note::query("u1").filter(|it| it.pin().eq(pin)).limit(1);
    let page = cursor(with("1234").page(&db).await)?;
    assert_eq!(with("1234").after(&page).page(&db).await?.items.len(), 1);
    assert_refused(with("9999").after(&page).page(&db).await, "another pin");
    Ok(())
}

/// Finding: "`Note::scan`'s cursor is accepted by `Memo::scan` in a table without entity type
/// (20 of 40 items, no error)".
#[tokio::test]
async fn a_cursor_of_another_entity_is_refused() -> Outcome {
    let db = pinned().await?;
    let page = cursor(Note::scan().limit(1).page(&db).await)?;
    assert_eq!(Note::scan().after(&page).all(&db).await?.len(), 3);
    assert_refused(Memo::scan().after(&page).all(&db).await, "another scan");
    assert_refused(Memo::query("u1").after(&page).all(&db).await, "a query");
    Ok(())
}

/// Finding: "`unexpired()` is not part of the fingerprint".
#[tokio::test]
async fn a_cursor_is_refused_where_expired_items_are_left_out() -> Outcome {
    let db = Dynamo::embedded()?;
    Leases::create_table(&db).await?;
    for number in 0..4 {
        let (user, ttl) = ("u1".into(), None);
        Lease { user, number, ttl }.put().send(&db).await?;
    }
    let page = &cursor(Lease::query("u1").limit(1).page(&db).await)?;
    let on = || Lease::query("u1").after(page);
    assert_eq!(on().all(&db).await?.len(), 3);
    assert_refused(on().unexpired().all(&db).await, "unexpired");
    Ok(())
}

#[tokio::test]
async fn a_cursor_is_refused_in_every_dimension() -> Outcome {
    let db = pinned().await?;
    let query = || Note::query("u1").limit(1);
    let page = &cursor(query().page(&db).await)?;
    assert_eq!(query().after(page).page(&db).await?.items.len(), 1);
    let on = || Note::query("u1").after(page);
    assert_refused(on().descending().all(&db).await, "the other direction");
    let range = Note::query("u1").number_in(0..).after(page).all(&db).await;
    assert_refused(range, "a range");
    assert_refused(
        on().filter(|it| it.stars().eq(5_u32)).all(&db).await,
        "a filter",
    );
    assert_refused(on().project::<Stars>().all(&db).await, "a projection");
    assert_refused(Note::query("u2").after(page).all(&db).await, "a partition");
    assert_refused(Note::by_folder("u1").after(page).all(&db).await, "an index");
    assert_refused(Note::scan().after(page).all(&db).await, "a scan");
    let other = db.clone().with_table_prefix("x-");
    assert_refused(on().all(&other).await, "another table");
    let whole = || PinnedItem::collection(Note::partition_key("u1"));
    assert_refused(whole().after(page).all(&db).await.map(drop), "a collection");
    let page = &cursor(whole().limit(1).page(&db).await)?;
    assert_eq!(whole().after(page).all(&db).await?.len(), 7);
    let fewer = FewerItems::collection(Note::partition_key("u1"));
    assert_refused(fewer.after(page).all(&db).await.map(drop), "fewer entities");
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_another_range_of_buckets_is_refused() -> Outcome {
    let db = pinned().await?;
    let page = &cursor(Event::across(june()?).limit(2).page(&db).await)?;
    let (from, to) = june()?.into_inner();
    let later = from + jiff::SignedDuration::from_secs(1);
    let read = Event::across(later..=to).after(page).all(&db).await;
    assert_refused(read, "a later start");
    let read = Event::across(from..to).after(page).all(&db).await;
    assert_refused(read, "an end that is excluded");
    let read = Event::across(from..=to).descending().after(page);
    assert_refused(read.all(&db).await, "the other direction");
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_an_older_release_is_named_as_such() -> Outcome {
    let db = pinned().await?;
    // Of versions 1 and 3.
    for old in [
        "AaP2u4969Yw4AAAAAAAAAAdTAAhVU0VSI-WxsUIAAgD_",
        "AwBIhTH7FxgGYaohT-Zl2oghUwAHVVNFUiN1MVMACU5PVEUjMDAwMA",
    ] {
        let error = Note::query("u1").after(old).all(&db).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "query Note: the cursor is of an older release; start again from the first page"
        );
    }
    Ok(())
}

/// Finding: "`Page::cursor` is `Some` after exactly the last item", over several partitions.
#[tokio::test]
async fn the_last_page_over_several_partitions_has_no_cursor() -> Outcome {
    let db = pinned().await?;
    let (from, _) = june()?.into_inner();
    let until = |day: i64| from..=from + jiff::SignedDuration::from_hours(24 * (day - 1));
    // Of four days with three events each, and four days without.
    for (day, limit, expected, more) in [
        (4, 12, 12, false),
        (8, 12, 12, false),
        (8, 11, 11, true),
        (8, 3, 3, true),
        (1, 3, 3, false),
        // Many empty days.
        (30, 12, 12, false),
    ] {
        for descending in [false, true] {
            let query = Event::across(until(day)).limit(limit);
            let query = if descending {
                query.descending()
            } else {
                query
            };
            let page = query.page(&db).await?;
            let seen = (page.items.len(), page.next.is_some());
            assert_eq!(seen, (expected, more), "{day} days, {limit}");
        }
    }
    // A budget ends the search. A cursor at the end ends the read.
    let page = Event::across(until(30)).limit(12).max_requests(16);
    let page = page.page(&db).await?;
    assert_eq!(page.items.len(), 12);
    let rest = Event::across(until(30)).limit(12).after(page.next.unwrap());
    let rest = rest.page(&db).await?;
    assert_eq!((rest.items.len(), rest.next), (0, None));
    Ok(())
}

/// The same of a collection.
#[tokio::test]
async fn the_last_page_of_a_collection_has_no_cursor() -> Outcome {
    let db = pinned().await?;
    let whole = || PinnedItem::collection(Note::partition_key("u1"));
    for (limit, more) in [(7, true), (8, false), (9, false)] {
        for page_size in [1, limit] {
            let query = whole().limit(limit).page_size(u32::try_from(page_size)?);
            let page = query.page(&db).await?;
            assert_eq!(page.items.len(), limit.min(8));
            assert_eq!(page.next.is_some(), more, "{limit}, {page_size}");
        }
    }
    Ok(())
}
