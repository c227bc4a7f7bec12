//! A partition of over 3 MB, read in every way: no item is lost or doubled, wherever an engine cuts
//! its pages.

use crate::support::{self, Db, Outcome, store};
use dynamo_model::{DynamoEntity, DynamoTable};
use futures_util::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Logs", pk = "PK", sk = "SK")]
#[gsi1(name = "ByKind", pk = "GSI1PK", sk = "GSI1SK")]
#[lsi1(name = "ByDay", sk = "LSI1SK")]
struct Logs;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Logs)]
#[pk("USER#<user_id>")]
#[sk("LOG#<number:06>")]
#[gsi1(pk = "KIND#<kind>", sk = "DAY#<day:03>", as = by_kind)]
#[lsi1(sk = "DAY#<day:03>", as = by_day)]
struct Log {
    user_id: String,
    number: u32,
    kind: String,
    /// Fifty items a day: in the indexes, fifty with the same sort key.
    day: u32,
    body: String,
}

const ITEMS: u32 = 200;

fn log(user_id: &str, number: u32, bytes: usize) -> Log {
    Log {
        user_id: user_id.into(),
        number,
        kind: "debug".into(),
        day: number / 50,
        body: "記".repeat(bytes / 3),
    }
}

/// 200 items of 16 KB, and a neighbouring partition whose key has a common prefix.
async fn large() -> Outcome<Db> {
    let db = support::durable::<Logs>().await;
    fill(&db, 16_500).await?;
    Ok(db)
}

async fn small() -> Outcome<Db> {
    let db = support::db::<Logs>().await;
    fill(&db, 30).await?;
    Ok(db)
}

async fn fill(db: &Db, bytes: usize) -> Outcome {
    let logs: Vec<_> = (0..ITEMS).map(|number| log("1", number, bytes)).collect();
    store(db, &logs).await?;
    let other = Log {
        kind: "trace".into(),
        ..log("10", 7, bytes)
    };
    store(db, &[other]).await
}

fn rising() -> Vec<u32> {
    (0..ITEMS).collect()
}

fn falling() -> Vec<u32> {
    (0..ITEMS).rev().collect()
}

fn numbers(logs: &[Log]) -> Vec<u32> {
    logs.iter().map(|log| log.number).collect()
}

#[tokio::test]
async fn all_returns_every_item_in_order() -> Outcome {
    let db = large().await?;
    assert_eq!(numbers(&Log::query("1").all(&db).await?), rising());
    let newest = Log::query("1").descending().all(&db).await?;
    assert_eq!(numbers(&newest), falling());
    assert_eq!(Log::query("1").count(&db).await?, ITEMS as usize);
    Ok(())
}

#[tokio::test]
async fn pages_continue_after_a_restart() -> Outcome {
    let mut db = large().await?;
    for descending in [false, true] {
        let (mut found, mut pages, mut cursor) = (Vec::new(), 0, None::<String>);
        loop {
            let mut query = Log::query("1").query();
            if descending {
                query = query.descending();
            }
            if let Some(cursor) = cursor.take() {
                query = query.after(cursor);
            }
            let page = query.page(&db).await?;
            found.extend(numbers(&page.items));
            pages += 1;
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
            db.restart();
        }
        // A page ends after 1 MB at the latest.
        assert!(pages >= 4, "{pages} pages");
        let expected = if descending { falling() } else { rising() };
        assert_eq!(found, expected);
    }
    Ok(())
}

#[tokio::test]
async fn a_stream_returns_every_item_in_order() -> Outcome {
    let db = large().await?;
    let all: Vec<Log> = Log::query("1").stream(&db).try_collect().await?;
    assert_eq!(numbers(&all), rising());
    let stream = Log::query("1").descending().page_size(17).stream(&db);
    let some: Vec<_> = stream.take(50).try_collect().await?;
    assert_eq!(numbers(&some), falling()[..50]);
    Ok(())
}

/// `limit` bounds the result, `page_size` one request; the two are independent.
#[tokio::test]
async fn limits_and_page_sizes_bound_a_read() -> Outcome {
    let db = small().await?;
    for limit in [1, 75, 76, 200, 201] {
        for page_size in [1000, 75] {
            let query = || Log::query("1").limit(limit).page_size(page_size);
            let expected = &rising()[..limit.min(200)];
            assert_eq!(numbers(&query().page(&db).await?.items), expected);
            assert_eq!(numbers(&query().all(&db).await?), expected);
            let stream: Vec<Log> = query().stream(&db).try_collect().await?;
            assert_eq!(numbers(&stream), expected);
            assert_eq!(query().count(&db).await?, expected.len());
            let last = query().descending().all(&db).await?;
            assert_eq!(numbers(&last), falling()[..limit.min(200)]);
        }
    }
    Ok(())
}

#[tokio::test]
async fn pages_of_a_limit_return_every_item_once() -> Outcome {
    let db = small().await?;
    for (limit, page_size) in [(20, 1000), (20, 7), (50, 30), (100, 100), (200, 200)] {
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut query = Log::query("1")
                .limit(limit)
                .page_size(page_size)
                .descending();
            if let Some(cursor) = cursor.take() {
                query = query.after(cursor);
            }
            let page = query.page(&db).await?;
            assert!(page.items.len() <= limit);
            found.extend(numbers(&page.items));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(found, falling(), "limit {limit}, page size {page_size}");
    }
    Ok(())
}

/// The filter drops two of three; the pages are still full and complete.
#[tokio::test]
async fn a_limit_counts_items_after_the_filter() -> Outcome {
    let db = small().await?;
    let wanted: Vec<u32> = (0..ITEMS).filter(|number| number % 3 == 0).collect();
    for page_size in [1000, 41, 9] {
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let wanted = wanted.clone();
            let mut query = Log::query("1")
                .filter(|log| log.number().is_in(wanted))
                .limit(10)
                .page_size(page_size);
            if let Some(cursor) = cursor.take() {
                query = query.after(cursor);
            }
            let page = query.page(&db).await?;
            assert!(page.next.is_none() || page.items.len() == 10);
            assert!(page.scanned >= page.items.len());
            found.extend(numbers(&page.items));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(found, wanted, "page size {page_size}");
    }
    Ok(())
}

/// Fifty items have the same index key, so that pages end between equals.
#[tokio::test]
async fn pages_continue_between_equal_index_keys() -> Outcome {
    let db = small().await?;
    for page_size in [11, 50, 65] {
        let all = Log::by_kind("debug").page_size(page_size).all(&db).await?;
        assert_complete(&all);
        let newest = Log::by_kind("debug").descending().page_size(page_size);
        let mut newest = newest.all(&db).await?;
        newest.reverse();
        assert_complete(&newest);
        let local = Log::by_day("1").page_size(page_size).all(&db).await?;
        assert_complete(&local);
        let day = Log::by_kind("debug")
            .day(2)
            .page_size(page_size)
            .all(&db)
            .await?;
        assert_eq!(day.len(), 50);
    }
    Ok(())
}

/// All items, once each, in the order of their days.
fn assert_complete(logs: &[Log]) {
    assert!(logs.is_sorted_by_key(|log| log.day));
    let mut found = numbers(logs);
    found.sort_unstable();
    assert_eq!(found, rising());
}

/// A page cut between equal keys continues after the last returned item.
#[tokio::test]
async fn a_limit_on_an_index_counts_items_after_the_filter() -> Outcome {
    let db = small().await?;
    for descending in [false, true] {
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut query = Log::by_kind("debug")
                .filter(|log| log.number().ne(5))
                .limit(33)
                .page_size(60);
            if descending {
                query = query.descending();
            }
            if let Some(cursor) = cursor.take() {
                query = query.after(cursor);
            }
            let page = query.page(&db).await?;
            found.extend(numbers(&page.items));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        found.sort_unstable();
        let expected: Vec<_> = rising().into_iter().filter(|number| *number != 5).collect();
        assert_eq!(found, expected);
    }
    Ok(())
}

/// Finding: "`Page::cursor` is `Some` after exactly the last item."
#[tokio::test]
async fn a_page_that_ends_with_the_last_item_has_no_cursor() -> Outcome {
    let db = small().await?;
    for page_size in [1000, 200, 100, 7] {
        for descending in [false, true] {
            let query = |limit| {
                let query = Log::query("1").limit(limit).page_size(page_size);
                if descending {
                    query.descending()
                } else {
                    query
                }
            };
            let page = query(199).page(&db).await?;
            assert_eq!((page.items.len(), page.next.is_some()), (199, true));
            let rest = query(1).after(page.next.unwrap()).page(&db).await?;
            assert_eq!((rest.items.len(), rest.next), (1, None));
            for limit in [200, 201] {
                let page = query(limit).page(&db).await?;
                assert_eq!((page.items.len(), page.next), (200, None), "{page_size}");
            }
        }
    }
    // Without a limit, DynamoDB itself reports more after the last item.
    let page = Log::query("1").page_size(200).page(&db).await?;
    assert_eq!((page.items.len(), page.next), (200, None));
    let page = Log::query("1").page_size(199).page(&db).await?;
    let rest = Log::query("1").page_size(199).after(page.next.unwrap());
    assert_eq!(numbers(&rest.all(&db).await?), [199]);
    Ok(())
}

/// The same of indexes, filters and scans.
#[tokio::test]
async fn the_last_page_of_every_read_has_no_cursor() -> Outcome {
    let db = small().await?;
    let index = Log::by_kind("debug").limit(200).page(&db).await?;
    assert_eq!((index.items.len(), index.next), (200, None));
    let local = Log::by_day("1").limit(200).page_size(200).page(&db).await?;
    assert_eq!((local.items.len(), local.next), (200, None));
    let scan = Log::scan().limit(201).page(&db).await?;
    assert_eq!((scan.items.len(), scan.next), (201, None));
    let filtered = || Log::query("1").filter(|log| log.number().lt(20_u32));
    // The other 180 are read, and none of them passes.
    let page = filtered().limit(20).page(&db).await?;
    assert_eq!((page.items.len(), page.next), (20, None));
    let page = filtered().limit(19).page(&db).await?;
    let rest = filtered().limit(1).after(page.next.unwrap());
    let rest = rest.page(&db).await?;
    assert_eq!((numbers(&rest.items), rest.next), (vec![19], None));
    Ok(())
}

/// A page is exact, also if its filter passes no more items. A budget bounds the items read for
/// that; then there is a cursor, which continues after them.
#[tokio::test]
async fn a_page_looks_ahead_until_an_item_passes_its_filter() -> Outcome {
    let db = small().await?;
    let filtered = || {
        Log::query("1")
            .filter(|log| log.number().lt(10_u32))
            .limit(10)
    };
    let page = filtered().page_size(10).page(&db).await?;
    assert_eq!((page.items.len(), page.scanned, page.next), (10, 200, None));
    let bounded = || filtered().max_items_read(11);
    let page = bounded().page_size(10).page(&db).await?;
    assert_eq!((page.items.len(), page.scanned), (10, 11));
    let rest = filtered().page_size(1000).after(page.next.unwrap());
    let rest = rest.page(&db).await?;
    assert_eq!((rest.items.len(), rest.next, rest.scanned), (0, None, 189));
    Ok(())
}

/// Finding: "`limit(0)` looks like the end."
#[tokio::test]
async fn a_limit_of_zero_is_an_error_before_the_request() -> Outcome {
    let db = support::bare();
    let error = Log::query("1").limit(0).page(&db).await.unwrap_err();
    assert_eq!(error.kind(), &dynamo_model::ErrorKind::ZeroLimit);
    assert_eq!(
        error.to_string(),
        "query Log: `limit(0)` returns no item; omit the limit, or set it to at least 1"
    );
    assert!(Log::query("1").limit(0).all(&db).await.is_err());
    assert!(Log::query("1").limit(0).count(&db).await.is_err());
    assert!(Log::query("1").limit(0).explain(&db).is_err());
    assert!(Log::scan().limit(0).page(&db).await.is_err());
    Ok(())
}
