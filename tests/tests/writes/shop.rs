//! The writes of the shop document: a price with its history, and a change of stock with its log,
//! each in one transaction.

use crate::support::{self, Db, Outcome};
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Transaction};
use dynamo_model_examples::shop::{
    ChangeType, DynamoDbShop, Fraction, InventoryLog, PriceHistory, Product, ProductId, product,
};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Returns a different time for each change: the document uses the nanosecond.
fn at(nanosecond: i64) -> Timestamp {
    Timestamp::from_nanosecond(1_705_314_600_000_000_000 + i128::from(nanosecond)).unwrap()
}

async fn shop(stock: u32) -> Outcome<Db> {
    let db = support::db::<DynamoDbShop>().await;
    let product = Product {
        stock,
        ..product()?
    };
    product.create().send(&db).await?;
    Ok(db)
}

/// "UpdatePrice".
async fn update_price(db: &Dynamo, price: u64, now: Timestamp) -> Result<(), Error> {
    let history = PriceHistory {
        product_id: ProductId("p001".into()),
        price,
        changed_by: "admin".into(),
        reason: None,
        created_at: now,
        fraction: Fraction::of(now),
    };
    let product = Product::update("p001").set(|product| product.price(), price);
    Transaction::new()
        .add(product)
        .add(history.create())
        .send(db)
        .await
}

/// "AdjustStock": read, and written on condition that the stock is still the one that was read.
async fn adjust_stock(db: &Dynamo, quantity: i32, now: Timestamp) -> Result<bool, Error> {
    loop {
        let product = Product::get("p001").consistent().send(db).await?.unwrap();
        let Some(stock) = product.stock.checked_add_signed(quantity) else {
            return Ok(false);
        };
        let log = InventoryLog {
            product_id: product.product_id,
            change_type: if quantity < 0 {
                ChangeType::Out
            } else {
                ChangeType::In
            },
            quantity,
            previous_stock: product.stock,
            new_stock: stock,
            reason: "order".into(),
            order_id: None,
            created_at: now,
            fraction: Fraction::of(now),
        };
        let update = Product::update("p001")
            .set(|it| it.stock(), stock)
            .condition(|it| it.stock().eq(product.stock));
        match Transaction::new()
            .add(update)
            .add(log.create())
            .send(db)
            .await
        {
            Ok(()) => return Ok(true),
            Err(error) if *error.kind() == ErrorKind::ConditionFailed => {}
            Err(error) => return Err(error),
        }
    }
}

async fn stock(db: &Db) -> Outcome<u32> {
    Ok(Product::get("p001")
        .consistent()
        .send(db)
        .await?
        .unwrap()
        .stock)
}

async fn logs(db: &Db) -> Outcome<Vec<InventoryLog>> {
    Ok(InventoryLog::query("p001").consistent().all(db).await?)
}

#[tokio::test]
async fn a_price_and_its_history_change_together() -> Outcome {
    let db = shop(90).await?;
    update_price(&db, 1_500, at(1)).await?;
    update_price(&db, 1_400, at(2)).await?;
    let product = Product::get("p001").send(&db).await?.unwrap();
    assert_eq!((product.price, product.stock), (1_400, 90));
    let history = PriceHistory::query("p001").descending().all(&db).await?;
    let prices: Vec<_> = history.iter().map(|it| it.price).collect();
    assert_eq!(prices, [1_400, 1_500]);
    Ok(())
}

#[tokio::test]
async fn a_price_of_a_missing_product_is_not_stored() -> Outcome {
    let db = support::db::<DynamoDbShop>().await;
    let error = update_price(&db, 1_500, at(1)).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert_eq!(error.key_text(), Some("PRODUCT#p001/METADATA"));
    assert_eq!(PriceHistory::query("p001").count(&db).await?, 0);
    Ok(())
}

/// Two changes in one nanosecond: the second fails, and the price stays that of the first.
#[tokio::test]
async fn a_history_entry_is_never_overwritten() -> Outcome {
    let db = shop(90).await?;
    update_price(&db, 1_500, at(1)).await?;
    let error = update_price(&db, 1_600, at(1)).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(error.entity(), "PriceHistory");
    assert_eq!(Product::get("p001").send(&db).await?.unwrap().price, 1_500);
    Ok(())
}

#[tokio::test]
async fn a_stock_change_is_logged() -> Outcome {
    let db = shop(100).await?;
    assert!(adjust_stock(&db, -10, at(1)).await?);
    assert!(adjust_stock(&db, 5, at(2)).await?);
    assert!(!adjust_stock(&db, -96, at(3)).await?);
    assert_eq!(stock(&db).await?, 95);
    let logged: Vec<_> = logs(&db)
        .await?
        .iter()
        .map(|log| (log.previous_stock, log.new_stock))
        .collect();
    assert_eq!(logged, [(100, 90), (90, 95)]);
    Ok(())
}

/// 50 writers at once: never below zero, and every change logged exactly once, in a chain without
/// gaps.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_writers_never_oversell_the_stock() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = shop(60).await?;
    let writers: Vec<_> = (0..50)
        .map(|i| {
            let db = db.clone();
            let quantity = if i % 10 == 0 { 3 } else { -2 };
            tokio::spawn(
                async move { (quantity, adjust_stock(&db, quantity, at(i)).await.unwrap()) },
            )
        })
        .collect();
    let mut done = Vec::new();
    for writer in writers {
        let (quantity, written) = writer.await?;
        done.extend(written.then_some(quantity));
    }
    let sum: i32 = done.iter().sum();
    assert_eq!(i64::from(stock(&db).await?), 60 + i64::from(sum));
    assert_logged(&logs(&db).await?, 60, stock(&db).await?, done.len());
    Ok(())
}

/// Each change goes from where another one ended.
fn assert_logged(logs: &[InventoryLog], from: u32, to: u32, changes: usize) {
    assert_eq!(logs.len(), changes);
    for log in logs {
        assert_eq!(
            log.previous_stock.checked_add_signed(log.quantity),
            Some(log.new_stock)
        );
    }
    // As a walk along the changes: every stock is left as often as it is reached, except for the
    // two ends.
    let left = |stock| {
        logs.iter()
            .filter(|log| log.previous_stock == stock)
            .count()
    };
    let reached = |stock| logs.iter().filter(|log| log.new_stock == stock).count();
    let stocks: BTreeSet<u32> = logs
        .iter()
        .flat_map(|log| [log.previous_stock, log.new_stock])
        .collect();
    for stock in stocks {
        let (left, reached) = (
            left(stock) + usize::from(stock == to),
            reached(stock) + usize::from(stock == from),
        );
        assert_eq!(left, reached, "stock {stock}");
    }
}

/// The same without reading: DynamoDB subtracts, on condition that there is enough.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_conditional_updates_never_oversell() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = shop(30).await?;
    let writers: Vec<_> = (0..50_u32)
        .map(|_| {
            let db = db.clone();
            tokio::spawn(async move {
                let take = Product::update("p001")
                    .subtract(|product| product.stock(), 1_u32)
                    .condition(|product| product.stock().ge(1));
                match take.send(&db).await {
                    Ok(()) => true,
                    Err(error) => {
                        assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
                        assert_eq!(error.item::<Product>().unwrap().unwrap().stock, 0);
                        false
                    }
                }
            })
        })
        .collect();
    let mut taken = 0;
    for writer in writers {
        taken += usize::from(writer.await?);
    }
    assert_eq!((taken, stock(&db).await?), (30, 0));
    Ok(())
}
