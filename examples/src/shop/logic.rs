//! The functions of the shop: prices and stock change together with their logs, which are read by
//! time.

use super::{
    AccessLog, ActivityLog, ChangeType, DailyActivity, Fraction, InventoryLog, PriceHistory,
    Product, ProductId, SensorId, SensorReading, ShardedActivity, ShopError, UserId,
};
use crate::retry::{ATTEMPTS, pause};
use crate::whole_seconds;
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Page, Transaction};
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
    let mut at = at;
    for _ in 1..=ATTEMPTS {
        let entry = PriceHistory {
            product_id: product_id.clone(),
            price: new_price,
            changed_by: changed_by.into(),
            reason: None,
            created_at: whole_seconds(at),
            fraction: Fraction::of(at),
        };
        let product = Product::update(product_id).set(|product| product.price(), new_price);
        let changed = Transaction::new()
            .add(product)
            .add(entry.create())
            .send(db)
            .await;
        match changed {
            Ok(()) => return Ok(entry),
            Err(error) if *error.kind() == ErrorKind::AlreadyExists => {
                at += SignedDuration::from_nanos(1);
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
/// The stock that was read is the lock. The document gives up when it has changed; here it is read
/// again.
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
            .keep_updated_at()
            .condition(|now| now.stock().eq(entry.previous_stock));
        match Transaction::new()
            .add(update)
            .add(entry.create())
            .send(db)
            .await
        {
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

/// Returns the entry in the log, with the stock that the change leaves.
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
        created_at: whole_seconds(change.at),
        fraction: Fraction::of(change.at),
    })
}

fn no_product(error: Error, product_id: &ProductId) -> ShopError {
    match error.kind() {
        ErrorKind::NotFound => ShopError::NoSuchProduct(product_id.clone()),
        _ => error.into(),
    }
}

/// `GetByDateRange`: oldest first. Both ends belong to it with their whole second, as the
/// document's `"Z"` after the end means it.
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

/// Returns the newest price in the history.
pub async fn latest_price(
    db: &Dynamo,
    product_id: &ProductId,
) -> Result<Option<PriceHistory>, Error> {
    let prices = PriceHistory::query(product_id).descending();
    prices.first(db).await
}

/// `GetPaginated`: newest first, a page at a time.
pub async fn prices_page(
    db: &Dynamo,
    product_id: &ProductId,
    limit: usize,
    cursor: Option<String>,
) -> Result<Page<PriceHistory>, Error> {
    let prices = PriceHistory::query(product_id).descending().limit(limit);
    prices.after(cursor).page(db).await
}

/// Returns the changes of stock in a time, oldest first. Both ends belong to it with their whole
/// second.
pub async fn stock_log(
    db: &Dynamo,
    product_id: &ProductId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<InventoryLog>, Error> {
    let entries = InventoryLog::query(product_id).created_at_in(from..=to);
    entries.all(db).await
}

/// Stores that a user did something. An entry has only its second, so a repeated one is stored
/// once.
pub async fn log_activity(db: &Dynamo, user_id: &UserId, at: Timestamp) -> Result<(), Error> {
    let activity = ActivityLog {
        user_id: user_id.clone(),
        created_at: at,
    };
    activity.put().send(db).await
}

/// Returns the recent activity of a user, newest first.
pub async fn recent_activity(
    db: &Dynamo,
    user_id: &UserId,
    limit: usize,
) -> Result<Vec<ActivityLog>, Error> {
    let activity = ActivityLog::query(user_id).descending().limit(limit);
    activity.all(db).await
}

/// "Hot partitions", cure 1: returns the activity of a product on the day of `at`, in order.
pub async fn activity_on_day(
    db: &Dynamo,
    product_id: &ProductId,
    at: Timestamp,
) -> Result<Vec<DailyActivity>, Error> {
    DailyActivity::query(product_id, at).all(db).await
}

/// "Hot partitions", cure 2: returns the activity of a product in the write shard of a user, in
/// order. It contains all users of the shard.
pub async fn activity_in_shard(
    db: &Dynamo,
    product_id: &ProductId,
    user_id: &UserId,
) -> Result<Vec<ShardedActivity>, Error> {
    ShardedActivity::query(product_id, user_id).all(db).await
}

/// "Hot partitions", cure 2: returns the activity of a product in all shards, in order. Ten
/// queries, merged.
pub async fn activity_of_all_shards(
    db: &Dynamo,
    product_id: &ProductId,
) -> Result<Vec<ShardedActivity>, Error> {
    ShardedActivity::across(product_id).all(db).await
}

/// The same as the document reads it: "all suffixes, by Parallel Scan", in ten segments. It reads,
/// and pays for, the whole table, where [`activity_of_all_shards`] reads the ten partitions of the
/// product.
pub async fn activity_by_parallel_scan(
    db: &Dynamo,
    product_id: &ProductId,
) -> Result<Vec<ShardedActivity>, Error> {
    let mut activity = ShardedActivity::scan().segments(10).all(db).await?;
    activity.retain(|it| it.product_id == *product_id);
    // Segments have no common order.
    activity.sort_by(|a, b| (a.created_at, &a.user_id.0).cmp(&(b.created_at, &b.user_id.0)));
    Ok(activity)
}

/// Notes that a user looked at a product.
pub async fn log_access(
    db: &Dynamo,
    product_id: &ProductId,
    user_id: &UserId,
    at: Timestamp,
) -> Result<(), Error> {
    let access = AccessLog {
        product_id: product_id.clone(),
        user_id: user_id.clone(),
        accessed_at: at,
    };
    access.put().send(db).await
}

/// Returns the accesses to a product in a time range, oldest first. Both ends are included.
pub async fn accesses_between(
    db: &Dynamo,
    product_id: &ProductId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<AccessLog>, Error> {
    let accesses = AccessLog::query(product_id).accessed_at_in(from..=to);
    accesses.all(db).await
}

/// Stores a measurement of a sensor; a second value in one second replaces the first.
pub async fn measure(
    db: &Dynamo,
    sensor_id: &SensorId,
    at: Timestamp,
    celsius: f64,
) -> Result<SensorReading, Error> {
    let reading = SensorReading {
        sensor_id: sensor_id.clone(),
        measured_at: whole_seconds(at),
        celsius,
    };
    reading.put().send(db).await?;
    Ok(reading)
}

/// Returns the measurements of a sensor in a time range, oldest first. Both ends are included.
pub async fn measurements_between(
    db: &Dynamo,
    sensor_id: &SensorId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<SensorReading>, Error> {
    let readings = SensorReading::query(sensor_id).measured_at_in(from..=to);
    readings.all(db).await
}
