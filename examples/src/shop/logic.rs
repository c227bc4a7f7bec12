//! What the shop does: prices and stock change together with their logs, which are read by time.

use super::{
    ActivityLog, ChangeType, DailyActivity, InventoryLog, PriceHistory, Product, ProductId,
    ShardedActivity, ShopError, UserId,
};
use crate::retry::{ATTEMPTS, pause};
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Page};
use jiff::{SignedDuration, Timestamp, civil::Date};

/// `UpdatePrice`: the new price, and an entry in the history, both or neither.
///
/// Two changes at one instant are two entries: the later one moves on by a nanosecond.
pub async fn update_price(
    db: &Dynamo,
    product_id: &ProductId,
    new_price: u64,
    changed_by: &str,
    at: Timestamp,
) -> Result<PriceHistory, ShopError> {
    let mut entry = PriceHistory {
        product_id: product_id.clone(),
        price: new_price,
        changed_by: changed_by.into(),
        reason: None,
        created_at: at,
    };
    for _ in 1..=ATTEMPTS {
        let product = Product::update(product_id).set(|product| product.price(), new_price);
        let changed = db.transaction().update(product).create(&entry).send().await;
        match changed {
            Ok(()) => return Ok(entry),
            Err(error) if *error.kind() == ErrorKind::AlreadyExists => {
                entry.created_at += SignedDuration::from_nanos(1);
            }
            Err(error) => return Err(no_product(error, product_id)),
        }
    }
    Err(ShopError::Busy)
}

/// A change of stock, as [`adjust_stock`] takes it.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub struct StockChange {
    pub product_id: ProductId,
    pub change_type: ChangeType,
    /// More, or less.
    pub quantity: i32,
    pub reason: String,
    /// Where the change is an order's.
    pub order_id: Option<String>,
    pub at: Timestamp,
}

/// `AdjustStock`: the new stock, and an entry in the log, both or neither. Never below zero.
///
/// The stock that was read is the lock. The document gives up when it has changed; here it is read again.
pub async fn adjust_stock(db: &Dynamo, change: StockChange) -> Result<InventoryLog, ShopError> {
    check_quantity(&change)?;
    let mut change = change;
    for attempt in 1..=ATTEMPTS {
        let product = Product::get(&change.product_id)
            .consistent()
            .send(db)
            .await?;
        let product = product.ok_or_else(|| ShopError::NoSuchProduct(change.product_id.clone()))?;
        let entry = entry(&product, &change)?;
        let update = product
            .update()
            .set(|product| product.stock(), entry.new_stock)
            .condition(|now| now.stock().eq(entry.previous_stock));
        match db.transaction().update(update).create(&entry).send().await {
            Ok(()) => return Ok(entry),
            Err(error) if *error.kind() == ErrorKind::AlreadyExists => {
                change.at += SignedDuration::from_nanos(1);
            }
            Err(error) if *error.kind() == ErrorKind::ConditionFailed => pause(attempt).await,
            Err(error) => return Err(no_product(error, &change.product_id)),
        }
    }
    Err(ShopError::Busy)
}

fn check_quantity(change: &StockChange) -> Result<(), ShopError> {
    let fits = match change.change_type {
        ChangeType::In => change.quantity > 0,
        ChangeType::Out => change.quantity < 0,
        ChangeType::Adjust => change.quantity != 0,
    };
    if fits {
        Ok(())
    } else {
        Err(ShopError::WrongQuantity(change.change_type))
    }
}

/// The entry in the log, with the stock that the change leaves.
fn entry(product: &Product, change: &StockChange) -> Result<InventoryLog, ShopError> {
    let (stock, quantity) = (product.stock, change.quantity);
    let new_stock = stock.checked_add_signed(quantity).ok_or(if quantity < 0 {
        ShopError::InsufficientStock { stock, quantity }
    } else {
        ShopError::TooMuchStock
    })?;
    Ok(InventoryLog {
        product_id: change.product_id.clone(),
        change_type: change.change_type,
        quantity,
        previous_stock: stock,
        new_stock,
        reason: change.reason.clone(),
        order_id: change.order_id.clone(),
        created_at: change.at,
    })
}

fn no_product(error: Error, product_id: &ProductId) -> ShopError {
    match error.kind() {
        ErrorKind::NotFound => ShopError::NoSuchProduct(product_id.clone()),
        _ => error.into(),
    }
}

/// `GetByDateRange`: oldest first. Both ends belong to it.
pub async fn prices_between(
    db: &Dynamo,
    product_id: &ProductId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<PriceHistory>, Error> {
    let prices = PriceHistory::query(product_id).created_at_in(from..=to);
    prices.all(db).await
}

/// "Prefix": the prices of one day, oldest first.
pub async fn prices_on(
    db: &Dynamo,
    product_id: &ProductId,
    day: Date,
) -> Result<Vec<PriceHistory>, Error> {
    let prices = PriceHistory::query(product_id).created_at_prefix(day.to_string());
    prices.all(db).await
}

/// The newest price in the history.
pub async fn latest_price(
    db: &Dynamo,
    product_id: &ProductId,
) -> Result<Option<PriceHistory>, Error> {
    let prices = PriceHistory::query(product_id).newest_first();
    prices.first(db).await
}

/// `GetPaginated`: newest first, a page at a time.
pub async fn prices_page(
    db: &Dynamo,
    product_id: &ProductId,
    limit: usize,
    cursor: Option<&str>,
) -> Result<Page<PriceHistory>, Error> {
    let prices = PriceHistory::query(product_id).newest_first().limit(limit);
    let prices = match cursor {
        Some(cursor) => prices.after(cursor),
        None => prices,
    };
    prices.page(db).await
}

/// The changes of stock in a time, oldest first.
pub async fn stock_log(
    db: &Dynamo,
    product_id: &ProductId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<InventoryLog>, Error> {
    let entries = InventoryLog::query(product_id).created_at_in(from..=to);
    entries.all(db).await
}

/// Notes that a user did something. An entry has nothing but its second, so that twice is once.
pub async fn log_activity(db: &Dynamo, user_id: &UserId, at: Timestamp) -> Result<(), Error> {
    let activity = ActivityLog {
        user_id: user_id.clone(),
        created_at: at,
    };
    db.put(&activity).send().await
}

/// What a user did last, newest first.
pub async fn recent_activity(
    db: &Dynamo,
    user_id: &UserId,
    limit: usize,
) -> Result<Vec<ActivityLog>, Error> {
    let activity = ActivityLog::query(user_id).newest_first().limit(limit);
    activity.all(db).await
}

/// "Hot partitions", cure 1: what happened around a product on the day of `at`, in order.
pub async fn activity_on_day(
    db: &Dynamo,
    product_id: &ProductId,
    at: Timestamp,
) -> Result<Vec<DailyActivity>, Error> {
    DailyActivity::query(product_id, at).all(db).await
}

/// "Hot partitions", cure 2: what happened around a product in the write shard of a user, in order. It is
/// of all users of the shard.
pub async fn activity_in_shard(
    db: &Dynamo,
    product_id: &ProductId,
    user_id: &UserId,
) -> Result<Vec<ShardedActivity>, Error> {
    ShardedActivity::query(product_id, user_id).all(db).await
}
