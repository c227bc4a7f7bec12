//! Scans: filters, pages, limits, and counts.

use super::assert_send;
use super::canned::Canned;
use super::model::*;
use super::support::{self, Db, Outcome, db, store};
use dynamo_model::{Entity, ErrorKind};
use futures_util::{StreamExt, TryStreamExt};
use serde_json::json;

async fn typed() -> Outcome<Db> {
    let db = db::<Typed>().await;
    let users: Vec<User> = (0..20).map(|n| user(n, n)).collect();
    let orders: Vec<Order> = (0..20).map(|n| order("0", n)).collect();
    store(&db, &users).await?;
    store(&db, &orders).await?;
    Ok(db)
}

async fn plain() -> Outcome<Db> {
    let db = db::<Plain>().await;
    let cats: Vec<Cat> = (0..15).map(|n| cat(n, 9)).collect();
    let dogs: Vec<Dog> = (0..15).map(dog).collect();
    store(&db, &cats).await?;
    store(&db, &dogs).await?;
    Ok(db)
}

fn ages(users: &[User]) -> Vec<u32> {
    let mut ages: Vec<u32> = users.iter().map(|user| user.age).collect();
    ages.sort_unstable();
    ages
}

#[tokio::test]
async fn a_scan_returns_only_items_of_its_entity() -> Outcome {
    let db = typed().await?;
    assert_eq!(
        ages(&User::scan().all(&db).await?),
        (0..20).collect::<Vec<_>>()
    );
    assert_eq!(Order::scan().consistent().count(&db).await?, 20);

    let db = plain().await?;
    let cats = Cat::scan().all(&db).await?;
    assert_eq!(cats.len(), 15);
    assert!(cats.iter().all(|cat| cat.name == format!("c{}", cat.n)));
    assert_eq!(Dog::scan().count(&db).await?, 15);
    Ok(())
}

#[tokio::test]
async fn several_filters_must_all_pass() -> Outcome {
    let db = typed().await?;
    let adults = || User::scan().filter(|user| user.age().ge(5));
    assert_eq!(adults().count(&db).await?, 15);
    let some = adults().filter(|user| user.age().lt(8)).all(&db).await?;
    assert_eq!(ages(&some), [5, 6, 7]);
    // Without keys the result is empty, and no request is sent.
    let canned = Canned::new(|_, _| (200, json!({})));
    let nobody = User::scan().filter(|user| user.age().is_in([0_u32; 0]));
    assert_eq!(nobody.count(&canned.db()).await?, 0);
    assert!(canned.requests().is_empty());
    Ok(())
}

/// Pages of every size, on both kinds of table: together they contain every item once.
#[tokio::test]
async fn pages_return_every_item_once() -> Outcome {
    let (typed, plain) = (typed().await?, plain().await?);
    for (limit, page_size) in [(1, None), (3, Some(2)), (7, Some(50)), (40, Some(1))] {
        let mut keys = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let mut scan = User::scan().limit(limit);
            scan = page_size.map_or(scan.clone(), |size| scan.page_size(size));
            scan = cursor.map_or(scan.clone(), |cursor| scan.after(cursor));
            let page = assert_send(scan.page(&typed)).await?;
            assert!(page.items.len() <= limit);
            assert!(page.items.len() == limit || page.next.is_none());
            assert!(page.consumed_capacity > 0.0 && page.scanned >= page.items.len());
            for user in &page.items {
                keys.push(user.primary_key()?.to_string());
            }
            let Some(next) = page.next else { break };
            cursor = Some(next);
        }
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 20, "{limit} {page_size:?}");
    }
    let mut cursor: Option<String> = None;
    let mut cats = Vec::new();
    loop {
        let scan = Cat::scan().limit(4);
        let page = match cursor {
            Some(cursor) => scan.after(cursor).page(&plain).await?,
            None => scan.page(&plain).await?,
        };
        cats.extend(page.items.into_iter().map(|cat| cat.n));
        let Some(next) = page.next else { break };
        cursor = Some(next);
    }
    cats.sort_unstable();
    assert_eq!(cats, (0..15).collect::<Vec<_>>());
    Ok(())
}

#[tokio::test]
async fn a_limit_counts_only_items_of_the_entity() -> Outcome {
    let db = plain().await?;
    assert_eq!(Cat::scan().limit(6).all(&db).await?.len(), 6);
    assert_eq!(Cat::scan().limit(6).count(&db).await?, 6);
    assert_eq!(Cat::scan().limit(60).count(&db).await?, 15);
    let stream = Cat::scan().limit(6).page_size(2).stream(&db);
    assert_eq!(assert_send(stream).count().await, 6);
    let error = Cat::scan().limit(0).page(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ZeroLimit);
    Ok(())
}

#[tokio::test]
async fn a_page_without_a_limit_is_one_request() -> Outcome {
    let db = plain().await?;
    let page = Cat::scan().page_size(10).page(&db).await?;
    // One more item was read, to know whether a next page exists.
    assert_eq!(page.scanned, 11);
    let rest: Vec<Cat> = Cat::scan()
        .after(page.next.unwrap())
        .stream(&db)
        .try_collect()
        .await?;
    assert_eq!(page.items.len() + rest.len(), 15);
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_another_scan_is_refused() -> Outcome {
    let db = typed().await?;
    let page = User::scan().limit(1).page(&db).await?;
    let cursor = page.next.unwrap();
    let others = [
        User::scan().filter(|user| user.age().eq(1)).after(&cursor),
        User::scan().after(format!("{cursor}A")),
        User::scan().after(""),
    ];
    for other in others {
        let error = other.page(&db).await.unwrap_err();
        assert!(error.is_cursor(), "{error}");
    }
    let error = Order::scan().after(&cursor).page(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "scan Order: the cursor belongs to another query; start again from the first page"
    );
    let error = User::query("0").after(&cursor).page(&db).await.unwrap_err();
    assert!(error.is_cursor());
    Ok(())
}

#[tokio::test]
async fn an_unreadable_item_is_named_in_the_error() -> Outcome {
    let db = db::<Typed>().await;
    let broken = json!({ "PK": "USER#b", "SK": "PROFILE", "type": "USER", "user_id": "b" });
    support::put_json::<Typed>(&db, broken).await?;
    let error = User::scan().all(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Decode { .. }));
    assert_eq!(error.key_text(), Some("USER#b/PROFILE"));

    let error = User::scan().all(&support::bare()).await.unwrap_err();
    assert!(error.is_missing_table());
    Ok(())
}

#[tokio::test]
async fn explain_shows_the_request() -> Outcome {
    let canned = Canned::new(|_, _| (200, json!({})));
    let db = canned.db();
    let scan = User::scan().filter(|user| user.age().ge(18)).limit(5);
    assert_eq!(
        scan.page_size(9).consistent().explain(&db)?.to_string(),
        "Scan Typed\n  filter: ((type = \"USER\" OR attribute_not_exists(type)) AND age >= \
         18)\n  strongly consistent\n  at most 9 items a request"
    );
    let request = Cat::scan().limit(5).explain(&db)?;
    assert_eq!((request.filter, request.page_size), (None, Some(5)));
    let sdk = Cat::scan().page_size(3).into_sdk(&db)?;
    assert_eq!(sdk.get_limit(), &Some(3));
    assert!(canned.requests().is_empty());
    Ok(())
}

#[tokio::test]
async fn a_count_by_key_projects_only_keys() -> Outcome {
    let canned = Canned::new(|_, _| {
        let item = json!({ "PK": { "S": "CAT#c1" }, "n": { "N": "1" } });
        (
            200,
            json!({ "Items": [item], "Count": 1, "ScannedCount": 1 }),
        )
    });
    assert_eq!(Cat::scan().count(&canned.db()).await?, 1);
    assert_eq!(User::scan().count(&canned.db()).await?, 1);
    let requests = canned.requests();
    assert_eq!(requests[0]["ProjectionExpression"], "#n0, #n1");
    assert_eq!(requests[1]["Select"], "COUNT");
    Ok(())
}
