//! The shop.

use crate::support::{Outcome, as_service, at, at_once, database, without_isolation};
use dynamo_model::{BatchWrite, Dynamo, Entity, Table};
use dynamo_model_examples::shop::{
    ChangeType, DailyActivity, DynamoDbShop, InventoryLog, PriceHistory, Product, ProductId,
    ShardedActivity, ShopError, StockChange, UserId, activity_in_shard, activity_on_day,
    adjust_stock, latest_price, log_activity, prices_between, prices_on, prices_page, product,
    recent_activity, stock_log, update_price,
};
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};

const NOON: &str = "2024-01-15T12:00:00Z";

/// One product, of which there are 90.
async fn shop() -> Outcome<Dynamo> {
    let db = database()?;
    DynamoDbShop::create_table(&db).await?;
    product()?.create().send(&db).await?;
    Ok(as_service("shop", db))
}

fn p001() -> ProductId {
    ProductId("p001".into())
}

fn change(change_type: ChangeType, quantity: i32) -> StockChange {
    StockChange {
        product_id: p001(),
        change_type,
        quantity,
        reason: "棚卸調整".into(),
        order_id: None,
        at: at(NOON),
    }
}

async fn current(db: &Dynamo) -> Outcome<Product> {
    Ok(Product::get(p001()).consistent().send(db).await?.unwrap())
}

fn prices(history: &[PriceHistory]) -> Vec<u64> {
    history.iter().map(|entry| entry.price).collect()
}

#[tokio::test]
async fn a_price_change_writes_its_history() -> Outcome {
    let now: Timestamp = at(NOON);
    let db = shop().await?.with_clock(move || now.into());
    let entry = update_price(&db, &p001(), 980, "admin", now).await?;
    let product = current(&db).await?;
    assert_eq!((product.price, product.updated_at), (980, now));
    assert_eq!(PriceHistory::query(p001()).all(&db).await?, [entry]);

    let unknown = ProductId("p999".into());
    let refused = update_price(&db, &unknown, 1, "admin", now)
        .await
        .unwrap_err();
    assert_eq!(refused.to_string(), "product p999 does not exist");
    assert_eq!(PriceHistory::query(&unknown).count(&db).await?, 0);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_price_changes_at_one_instant_are_fifty_entries() -> Outcome {
    if without_isolation() {
        return Ok(());
    }
    let db = shop().await?;
    let changes = at_once(50, |number| {
        let db = db.clone();
        async move { update_price(&db, &p001(), number as u64, "admin", at(NOON)).await }
    });
    for entry in changes.await {
        entry.unwrap();
    }
    let mut prices = prices(&PriceHistory::query(p001()).all(&db).await?);
    prices.sort_unstable();
    assert!(prices.into_iter().eq(0..50));
    Ok(())
}

#[tokio::test]
async fn a_stock_change_writes_its_log() -> Outcome {
    let db = shop().await?;
    let order_id = Some("o001".to_owned());
    let order = StockChange {
        order_id,
        ..change(ChangeType::Out, -40)
    };
    let sold = adjust_stock(&db, order).await?;
    assert_eq!(
        (sold.previous_stock, sold.quantity, sold.new_stock),
        (90, -40, 50)
    );
    let bought = adjust_stock(&db, change(ChangeType::In, 25)).await?;
    assert_eq!((bought.previous_stock, bought.new_stock), (50, 75));
    assert_eq!(current(&db).await?.stock, 75);
    // Both at one instant: neither is lost.
    assert_eq!(InventoryLog::query(p001()).all(&db).await?, [sold, bought]);
    Ok(())
}

#[tokio::test]
async fn stock_is_never_below_zero() -> Outcome {
    let db = shop().await?;
    let refused = adjust_stock(&db, change(ChangeType::Out, -91))
        .await
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the stock is 90; it cannot change by -91"
    );
    let all = adjust_stock(&db, change(ChangeType::Out, -90)).await?;
    assert_eq!(all.new_stock, 0);
    let refused = adjust_stock(&db, change(ChangeType::Adjust, -1))
        .await
        .unwrap_err();
    assert!(matches!(
        refused,
        ShopError::InsufficientStock {
            stock: 0,
            quantity: -1
        }
    ));
    assert_eq!(current(&db).await?.stock, 0);
    assert_eq!(InventoryLog::query(p001()).count(&db).await?, 1);
    Ok(())
}

#[tokio::test]
async fn a_change_of_stock_has_the_sign_of_its_type() -> Outcome {
    let db = shop().await?;
    for (change_type, quantity) in [
        (ChangeType::In, 0),
        (ChangeType::In, -1),
        (ChangeType::Out, 1),
        (ChangeType::Adjust, 0),
    ] {
        let refused = adjust_stock(&db, change(change_type, quantity))
            .await
            .unwrap_err();
        assert!(
            matches!(refused, ShopError::WrongQuantity(of) if of == change_type),
            "{refused}"
        );
    }
    let unknown = StockChange {
        product_id: ProductId("p999".into()),
        ..change(ChangeType::In, 1)
    };
    let refused = adjust_stock(&db, unknown).await.unwrap_err();
    assert!(matches!(refused, ShopError::NoSuchProduct(_)), "{refused}");

    let full = Product {
        stock: u32::MAX,
        ..product()?
    };
    full.put().send(&db).await?;
    let refused = adjust_stock(&db, change(ChangeType::In, 1))
        .await
        .unwrap_err();
    assert!(matches!(refused, ShopError::TooMuchStock), "{refused}");
    assert_eq!(InventoryLog::query(p001()).count(&db).await?, 0);
    Ok(())
}

/// 50 buyers want 3 each of 90: 30 get them, and every sale is logged once.
#[tokio::test(flavor = "multi_thread")]
async fn fifty_simultaneous_buyers_never_oversell() -> Outcome {
    if without_isolation() {
        return Ok(());
    }
    let db = shop().await?;
    let sales = at_once(50, |number| {
        let db = db.clone();
        // Each at a different instant: only the stock can conflict.
        let at = at(NOON) + SignedDuration::from_millis(number as i64);
        let order = StockChange {
            order_id: Some(format!("o{number:03}")),
            at,
            ..change(ChangeType::Out, -3)
        };
        async move { adjust_stock(&db, order).await }
    });
    let sales = sales.await;
    let sold: Vec<_> = sales.iter().flatten().collect();
    assert_eq!(sold.len(), 30);
    for refused in sales.iter().filter_map(|sale| sale.as_ref().err()) {
        let expected = ShopError::InsufficientStock {
            stock: 0,
            quantity: -3,
        };
        assert_eq!(refused.to_string(), expected.to_string());
    }
    assert_eq!(current(&db).await?.stock, 0);

    // The log is a chain from 90 to 0, with every order once.
    let mut log = InventoryLog::query(p001()).all(&db).await?;
    log.sort_by_key(|entry| std::cmp::Reverse(entry.previous_stock));
    let stocks: Vec<_> = log
        .iter()
        .map(|entry| (entry.previous_stock, entry.new_stock))
        .collect();
    assert!(
        stocks
            .into_iter()
            .eq((1..=30).rev().map(|n| (3 * n, 3 * (n - 1))))
    );
    let mut orders: Vec<_> = log.into_iter().filter_map(|entry| entry.order_id).collect();
    orders.sort_unstable();
    orders.dedup();
    assert_eq!(orders.len(), 30);
    Ok(())
}

/// A price a day in January, at noon, and some at odd times.
async fn january() -> Outcome<Dynamo> {
    let db = shop().await?;
    for day in 1..=31 {
        let noon = at(&format!("2024-01-{day:02}T12:00:00Z"));
        update_price(&db, &p001(), day, "admin", noon).await?;
    }
    for (price, time) in [
        (100, "2024-01-31T23:59:59.5Z"),
        (101, "2024-02-01T00:00:00Z"),
    ] {
        update_price(&db, &p001(), price, "admin", at(time)).await?;
    }
    Ok(db)
}

#[tokio::test]
async fn prices_are_found_by_time() -> Outcome {
    let db = january().await?;
    let between = async |from, to| -> Outcome<Vec<u64>> {
        Ok(prices(
            &prices_between(&db, &p001(), at(from), at(to)).await?,
        ))
    };
    assert_eq!(
        between("2024-01-03T12:00:00Z", "2024-01-05T12:00:00Z").await?,
        [3, 4, 5]
    );
    assert_eq!(
        between("2024-01-03T12:00:01Z", "2024-01-05T11:59:59Z").await?,
        [4]
    );
    // As the document's "Z" after the end means it: the half second after it belongs to its second.
    assert_eq!(
        between("2024-01-31T00:00:00Z", "2024-01-31T23:59:59Z").await?,
        [31, 100]
    );
    let backwards = between("2024-01-05T00:00:00Z", "2024-01-04T00:00:00Z");
    assert!(backwards.await?.is_empty());

    assert_eq!(
        prices(&prices_on(&db, &p001(), date(2024, 1, 31)).await?),
        [31, 100]
    );
    assert_eq!(
        prices(&prices_on(&db, &p001(), date(2024, 2, 1)).await?),
        [101]
    );
    assert_eq!(latest_price(&db, &p001()).await?.unwrap().price, 101);
    assert_eq!(latest_price(&db, &ProductId("p00".into())).await?, None);
    Ok(())
}

#[tokio::test]
async fn prices_are_read_page_by_page() -> Outcome {
    let db = january().await?;
    let first = prices_page(&db, &p001(), 30, None).await?;
    assert_eq!(prices(&first.items)[..3], [101, 100, 31]);
    let second = prices_page(&db, &p001(), 30, first.next.clone()).await?;
    assert_eq!(prices(&second.items), [3, 2, 1]);
    assert_eq!(second.next, None);
    let back = prices_page(&db, &p001(), 30, second.previous).await?;
    assert_eq!(prices(&back.items), prices(&first.items));
    assert_eq!(back.previous, None);
    let foreign = prices_page(&db, &ProductId("p002".into()), 30, first.next).await;
    assert!(foreign.unwrap_err().is_cursor());
    Ok(())
}

#[tokio::test]
async fn the_stock_log_is_read_by_time() -> Outcome {
    let db = shop().await?;
    for hour in 0..10 {
        let at = at(NOON) + SignedDuration::from_hours(hour);
        adjust_stock(
            &db,
            StockChange {
                at,
                ..change(ChangeType::Out, -1)
            },
        )
        .await?;
    }
    let (from, to) = (at("2024-01-15T13:00:00Z"), at("2024-01-15T15:00:00Z"));
    let log = stock_log(&db, &p001(), from, to).await?;
    let stocks: Vec<_> = log.iter().map(|entry| entry.new_stock).collect();
    assert_eq!(stocks, [88, 87, 86]);
    Ok(())
}

#[tokio::test]
async fn activity_of_users_and_products_is_found() -> Outcome {
    let db = shop().await?;
    let (u1, u10) = (UserId("u1".into()), UserId("u10".into()));
    for second in [1, 2, 3, 3] {
        log_activity(&db, &u1, at(&format!("2024-01-15T10:00:0{second}Z"))).await?;
    }
    log_activity(&db, &u10, at(NOON)).await?;
    let recent = recent_activity(&db, &u1, 2).await?;
    let seconds: Vec<_> = recent.iter().map(|it| it.created_at.to_string()).collect();
    assert_eq!(seconds, ["2024-01-15T10:00:03Z", "2024-01-15T10:00:02Z"]);
    assert_eq!(recent_activity(&db, &u1, 10).await?.len(), 3);
    Ok(())
}

#[tokio::test]
async fn hot_partitions_are_read_from_all_shards() -> Outcome {
    let db = shop().await?;
    let times = [
        "2024-01-14T23:59:59Z",
        "2024-01-15T00:00:00Z",
        "2024-01-15T23:59:59Z",
    ]
    .map(at);
    let daily = times.map(|created_at| DailyActivity {
        product_id: p001(),
        created_at,
    });
    BatchWrite::new().puts(&daily).send(&db).await?;
    assert_eq!(activity_on_day(&db, &p001(), at(NOON)).await?, daily[1..]);

    let users: Vec<_> = (0..40).map(|n| UserId(format!("u{n}"))).collect();
    let sharded: Vec<_> = users
        .iter()
        .map(|user_id| ShardedActivity {
            product_id: p001(),
            user_id: user_id.clone(),
            created_at: at(NOON),
        })
        .collect();
    BatchWrite::new().puts(&sharded).send(&db).await?;
    for user in &users {
        let shard = activity_in_shard(&db, &p001(), user).await?;
        assert!(shard.iter().any(|it| it.user_id == *user));
        assert!(shard.len() < 20, "{} in one shard", shard.len());
    }
    Ok(())
}
