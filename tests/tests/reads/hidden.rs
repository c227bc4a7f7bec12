//! `#[dynamo(hide_expired)]`: every read hides expired items, by the clock of the handle.

use crate::support::{self, Fault, Outcome, raw};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, Dynamo, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Entity, ErrorKind,
};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use std::time::{Duration, UNIX_EPOCH};

#[derive(DynamoTable)]
#[table(name = "Carts", pk = "PK", sk = "SK", ttl = "expires", items = CartItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK", projection = keys_only)]
#[gsi3(name = "GSI3", pk = "GSI3PK", sk = "GSI3SK", projection = include("expires"))]
struct Carts;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Carts, hide_expired)]
#[pk("USER#<user>")]
#[sk("LINE#<number:03>")]
#[gsi1(pk = "PRODUCT#<product>", sk = "<number:03>", as = by_product)]
#[gsi2(pk = "SHOP", sk = "<number:03>", as = by_number)]
#[gsi3(pk = "SHELF", sk = "<number:03>", as = by_shelf)]
struct Line {
    user: String,
    number: u32,
    product: String,
    #[dynamo(ttl)]
    expires: Option<u64>,
}

/// Has a TTL and does not hide expired items.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Carts)]
#[pk("USER#<user>")]
#[sk("VISIT#<number:03>")]
#[gsi2(pk = "VISITS", sk = "<number:03>", as = visits)]
struct Visit {
    user: String,
    number: u32,
    #[dynamo(ttl)]
    expires: u64,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = Carts)]
enum CartItem {
    Line(Line),
    Visit(Visit),
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Line)]
struct Product {
    product: String,
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Line, from(table, gsi3))]
struct Expires {
    expires: Option<u64>,
}

const NOW: u64 = 1_700_000_000;

fn line(number: u32) -> Line {
    Line {
        user: "u".into(),
        number,
        product: "p".into(),
        // Lines 1 and 4 have expired, 2 and 5 never expire, 3 and 6 expire later.
        expires: match number % 3 {
            0 => Some(NOW + 60),
            1 => Some(NOW - 60),
            _ => None,
        },
    }
}

fn visit() -> Visit {
    Visit {
        user: "u".into(),
        number: 1,
        expires: NOW - 60,
    }
}

fn at(db: &Dynamo, seconds: u64) -> Dynamo {
    db.clone()
        .with_clock(move || UNIX_EPOCH + Duration::from_secs(seconds))
}

async fn stored() -> Outcome<(support::Db, Dynamo)> {
    let db = support::db::<Carts>().await;
    let now = at(&db, NOW);
    for number in 1..=6 {
        line(number).put().send(&now).await?;
    }
    visit().put().send(&now).await?;
    Ok((db, now))
}

/// Finding: "An entity can exclude expired items from all its reads"
#[tokio::test]
async fn no_read_returns_an_expired_item() -> Outcome {
    let (_tables, db) = stored().await?;
    let left: Vec<Line> = [2, 3, 5, 6].map(line).into();
    assert_eq!(Line::query("u").all(&db).await?, left);
    assert_eq!(Line::by_product("p").all(&db).await?, left);
    assert_eq!(Line::query("u").count(&db).await?, 4);
    assert_eq!(Line::query("u").first(&db).await?, Some(line(2)));
    assert_eq!(Line::query("u").limit(3).all(&db).await?, left[..3]);
    assert_eq!(Line::scan().count(&db).await?, 4);
    assert_eq!(Line::scan().all(&db).await?.len(), 4);
    assert_eq!(Line::get("u", 1).send(&db).await?, None);
    assert_eq!(Line::get("u", 2).send(&db).await?, Some(line(2)));
    let keys = || (1..=3).map(|number| Line::key("u", number));
    let expected = [None, Some(line(2)), Some(line(3))];
    assert_eq!(BatchGet::new(keys()).send(&db).await?, expected);
    let partial = BatchGet::new(keys()).send_partial(&db).await?;
    let items: Vec<_> = partial.items.into_iter().map(|(_, item)| item).collect();
    assert_eq!(items, expected);
    let asked = (Line::key("u", 1), Line::key("u", 2), Visit::key("u", 1));
    let found = TransactGet::new(asked).send(&db).await?;
    assert_eq!(found, (None, Some(line(2)), Some(visit())));
    Ok(())
}

#[tokio::test]
async fn pages_continue_past_expired_items() -> Outcome {
    let (_tables, db) = stored().await?;
    let page = Line::query("u").limit(2).page(&db).await?;
    assert_eq!(page.items, [line(2), line(3)]);
    let cursor = page.next.clone().ok_or("no cursor")?;
    let page = Line::query("u").limit(2).after(cursor).page(&db).await?;
    assert_eq!(page.items, [line(5), line(6)]);
    Ok(())
}

/// A page of expired items only is not returned, and the last page has no cursor.
#[tokio::test]
async fn a_page_of_one_item_continues_past_expired_items() -> Outcome {
    let (_tables, db) = stored().await?;
    let mut found = Vec::new();
    let mut query = Line::query("u").limit(1);
    loop {
        let page = query.page(&db).await?;
        assert_eq!(page.items.len(), 1);
        found.extend(page.items);
        let Some(cursor) = page.next else { break };
        query = Line::query("u").limit(1).after(cursor);
    }
    assert_eq!(found, [2, 3, 5, 6].map(line));
    Ok(())
}

/// Expired lines follow the last returned one: up to eight requests look past them.
#[tokio::test]
async fn expired_items_at_the_end_leave_no_cursor() -> Outcome {
    let (_tables, db) = stored().await?;
    for number in (7..40).filter(|number| number % 3 == 1) {
        line(number).put().send(&db).await?;
    }
    let page = Line::query("u").limit(4).page(&db).await?;
    assert_eq!(page.items, [2, 3, 5, 6].map(line));
    assert_eq!(page.next, None);
    Ok(())
}

/// The limit still sets the size of a request: an entity that hides expired items has few of them.
#[tokio::test]
async fn a_limit_does_not_read_the_whole_partition() -> Outcome {
    let (_tables, db) = stored().await?;
    let request = Line::query("u").limit(1).into_sdk(&db)?;
    assert_eq!(request.get_limit(), &Some(1));
    Ok(())
}

#[tokio::test]
async fn streams_and_each_hide_expired_items() -> Outcome {
    let (_tables, db) = stored().await?;
    let left: Vec<Line> = [2, 3, 5, 6].map(line).into();
    let query = || Line::query("u");
    assert_eq!(query().stream(&db).try_collect::<Vec<_>>().await?, left);
    let each = query().each().all(&db).await?;
    assert_eq!(each.into_iter().collect::<Result<Vec<_>, _>>()?, left);
    let first = query().limit(2).each().page(&db).await?.items;
    assert_eq!(first.into_iter().collect::<Result<Vec<_>, _>>()?, left[..2]);
    let scanned: Vec<Line> = Line::scan().stream(&db).try_collect().await?;
    assert_eq!(scanned.len(), 4);
    let keys = (1..=2).map(|number| Line::key("u", number));
    let each = BatchGet::new(keys).each().send(&db).await?;
    assert!(each[0].is_none() && each[1].is_some());
    let items = CartItem::collection(Line::partition_key("u"));
    let items: Vec<CartItem> = items.stream(&db).try_collect().await?;
    assert_eq!(items.len(), 5);
    Ok(())
}

/// The keys come from the index, the items from the table.
#[tokio::test]
async fn hydrate_hides_expired_items() -> Outcome {
    let (_tables, db) = stored().await?;
    let left: Vec<Line> = [2, 3, 5, 6].map(line).into();
    assert_eq!(Line::by_shelf().hydrate(&db).await?, left);
    assert_eq!(Line::by_shelf().limit(3).hydrate(&db).await?, left[..3]);
    assert_eq!(Line::by_shelf().each().hydrate(&db).await?.len(), 4);
    assert_eq!(Line::by_shelf().count(&db).await?, 4);
    assert!(Line::by_number().hydrate(&db).await.is_err());
    Ok(())
}

/// The request projects the TTL attribute also if the projection omits it, and names it once.
#[tokio::test]
async fn projections_hide_expired_items() -> Outcome {
    let (_tables, db) = stored().await?;
    let query = || Line::query("u").project::<Product>();
    assert_eq!(query().all(&db).await?.len(), 4);
    assert_eq!(query().limit(3).all(&db).await?.len(), 3);
    let explain = query().explain(&db)?;
    let projection = explain.projection.ok_or("no projection")?;
    let names: Vec<_> = projection.split(", ").collect();
    let asked = |name: &str| {
        names
            .iter()
            .filter(|it| explain.names[**it] == name)
            .count()
    };
    assert_eq!(asked("expires"), 1, "{projection}");
    let expires = Line::by_shelf().project::<Expires>().all(&db).await?;
    let expected = [2, 3, 5, 6].map(|number| line(number).expires);
    assert_eq!(expires, expected.map(|expires| Expires { expires }));
    Ok(())
}

#[tokio::test]
async fn a_collection_hides_only_entities_with_hide_expired() -> Outcome {
    let (_tables, db) = stored().await?;
    let items = CartItem::collection(Line::partition_key("u"))
        .all(&db)
        .await?;
    let mut expected: Vec<_> = [2, 3, 5, 6].map(|it| CartItem::Line(line(it))).into();
    expected.push(CartItem::Visit(visit()));
    assert_eq!(items, expected);
    assert_eq!(Visit::query("u").all(&db).await?, [visit()]);
    assert!(Visit::query("u").unexpired().all(&db).await?.is_empty());
    Ok(())
}

/// A KEYS_ONLY index.
#[tokio::test]
async fn an_index_without_the_ttl_is_refused_before_the_request() -> Outcome {
    let (_tables, db) = stored().await?;
    let expected = ErrorKind::ExpiryNotProjected {
        index: "GSI2",
        attribute: "expires",
    };
    let error = Line::by_number().count(&db).await.unwrap_err();
    assert_eq!(error.kind(), &expected);
    let text = error.to_string();
    assert!(text.contains("`GSI2` does not project `expires`"), "{text}");
    let error = Visit::visits().unexpired().count(&db).await.unwrap_err();
    assert_eq!(error.kind(), &expected);
    assert_eq!(Visit::visits().count(&db).await?, 1);
    Ok(())
}

#[tokio::test]
async fn the_clock_of_the_handle_decides() -> Outcome {
    let (db, _) = stored().await?;
    assert_eq!(Line::query("u").count(&at(&db, NOW - 3_600)).await?, 6);
    assert_eq!(Line::query("u").count(&at(&db, NOW + 3_600)).await?, 2);
    Ok(())
}

/// DynamoDB: an item has expired when its TTL is less than the current time. Reads and the sweep
/// agree.
#[tokio::test]
async fn an_item_expires_in_the_second_after_its_ttl() -> Outcome {
    let (db, _) = stored().await?;
    let visible = async |second: u64| Line::get("u", 3).send(&at(&db, second)).await;
    let expires = line(3).expires.ok_or("no TTL")?;
    assert_eq!(visible(expires).await?, Some(line(3)));
    assert_eq!(Line::query("u").count(&at(&db, expires)).await?, 4);
    assert_eq!(visible(expires + 1).await?, None);
    assert_eq!(Line::query("u").count(&at(&db, expires + 1)).await?, 2);
    if std::env::var_os("DYNAMO_ENDPOINT").is_none() {
        at(&db, expires).sweep_expired().await?;
        assert!(raw(&db, Line::key("u", 3)).await?.is_some());
        at(&db, expires + 1).sweep_expired().await?;
        assert!(raw(&db, Line::key("u", 3)).await?.is_none());
    }
    Ok(())
}

/// Another program stored a fraction of a second.
#[tokio::test]
async fn an_item_with_a_fractional_ttl_expires() -> Outcome {
    let (db, _) = stored().await?;
    let mut item = raw(&db, Line::key("u", 2)).await?.unwrap();
    let ttl = AttributeValue::N(format!("{}.5", NOW - 1));
    item.insert("expires".to_owned(), ttl);
    support::put::<Carts>(&db, item).await?;
    let left = [3, 5, 6].map(line);
    assert_eq!(Line::query("u").all(&at(&db, NOW)).await?, left);
    assert_eq!(Line::get("u", 2).send(&at(&db, NOW)).await?, None);
    // A second earlier it has not expired, so it is read; and a fraction is not a TTL of this
    // entity.
    let early = Line::get("u", 2).send(&at(&db, NOW - 1)).await;
    assert!(early.is_err());
    Ok(())
}

/// Finding: "`sweep_expired` ignores `with_clock`"
#[tokio::test]
async fn a_sweep_uses_the_clock_of_the_handle() -> Outcome {
    let (db, _) = stored().await?;
    let before = at(&db, NOW - 3_600).sweep_expired().await?;
    let swept = at(&db, NOW).sweep_expired().await?;
    // Only the embedded engine is swept; two lines and the visit have expired.
    let embedded = std::env::var_os("DYNAMO_ENDPOINT").is_none();
    assert_eq!((before, swept), (0, if embedded { 3 } else { 0 }));
    if !embedded {
        return Ok(());
    }
    assert_eq!(Line::scan().count(&at(&db, NOW - 3_600)).await?, 4);
    assert_eq!(at(&db, NOW + 3_600).sweep_expired().await?, 2);
    Ok(())
}

/// Declaring `hide_expired` refuses no cursor: a read with `unexpired()` is the same read.
#[tokio::test]
async fn hiding_expired_items_does_not_change_cursors() -> Outcome {
    let (_tables, db) = stored().await?;
    let page = Line::query("u").unexpired().limit(2).page(&db).await?;
    let cursor = page.next.ok_or("no cursor")?;
    let rest = Line::query("u").after(cursor).all(&db).await?;
    assert_eq!(rest, [line(5), line(6)]);
    Ok(())
}

#[tokio::test]
async fn each_further_request_past_expired_items_reads_twice_as_many() -> Outcome {
    let db = support::db::<Carts>().await;
    let line = |number: u32| Line {
        user: "u".into(),
        number,
        product: "p".into(),
        expires: (number < 300).then_some(1_000_000_000),
    };
    support::store(&db, &(0..301).map(line).collect::<Vec<_>>()).await?;
    let (recorded, log) = db.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    assert_eq!(Line::query("u").first(&recorded).await?, Some(line(300)));
    let requests = log.bodies("Query").len();
    assert!((2..=12).contains(&requests), "{requests}");
    Ok(())
}
