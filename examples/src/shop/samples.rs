//! One item an entity, around the document's product `p001` and its times of 2024-01-15.

use super::{
    AccessLog, ActivityLog, ChangeType, DailyActivity, Fraction, InventoryLog, PriceHistory,
    Product, ProductActivity, ProductId, SensorId, SensorReading, ShardedActivity, UserId,
};
use crate::{Result, Sample};
use jiff::Timestamp;

fn product_id() -> ProductId {
    ProductId("p001".into())
}

fn user_id() -> UserId {
    UserId("u001".into())
}

/// Returns a time with all nine digits, which RFC3339Nano writes as the key does.
fn changed_at() -> Result<Timestamp> {
    Ok("2024-01-15T10:30:00.123456789Z".parse()?)
}

fn active_at() -> Result<Timestamp> {
    Ok("2024-01-15T10:00:00Z".parse()?)
}

/// Returns the product with the changing price and stock.
pub fn product() -> Result<Product> {
    Ok(Product {
        product_id: product_id(),
        price: 1200,
        stock: 90,
        updated_at: crate::whole_seconds(changed_at()?),
    })
}

/// "Price history".
pub fn price_history() -> Result<PriceHistory> {
    Ok(PriceHistory {
        product_id: product_id(),
        price: 1200,
        changed_by: "admin".into(),
        reason: None,
        created_at: crate::whole_seconds(changed_at()?),
        fraction: Fraction::of(changed_at()?),
    })
}

/// "Stock log".
pub fn inventory_log() -> Result<InventoryLog> {
    Ok(InventoryLog {
        product_id: product_id(),
        change_type: ChangeType::Out,
        quantity: -10,
        previous_stock: 100,
        new_stock: 90,
        reason: "注文".into(),
        order_id: Some("o001".into()),
        created_at: crate::whole_seconds(changed_at()?),
        fraction: Fraction::of(changed_at()?),
    })
}

/// "Activity log".
pub fn activity_log() -> Result<ActivityLog> {
    Ok(ActivityLog {
        user_id: user_id(),
        created_at: active_at()?,
    })
}

/// "Hot partitions", before.
pub fn product_activity() -> Result<ProductActivity> {
    Ok(ProductActivity {
        product_id: product_id(),
        created_at: active_at()?,
    })
}

/// "Hot partitions", cure 1.
pub fn daily_activity() -> Result<DailyActivity> {
    Ok(DailyActivity {
        product_id: product_id(),
        created_at: active_at()?,
    })
}

/// "Hot partitions", cure 2.
pub fn sharded_activity() -> Result<ShardedActivity> {
    Ok(ShardedActivity {
        product_id: product_id(),
        user_id: user_id(),
        created_at: active_at()?,
    })
}

/// "Unix Epoch": the document's millisecond, `1705315800123`.
pub fn access_log() -> Result<AccessLog> {
    Ok(AccessLog {
        product_id: product_id(),
        user_id: user_id(),
        accessed_at: Timestamp::from_millisecond(1_705_315_800_123)?,
    })
}

/// "Unix Epoch": the document's second, `1705315800`.
pub fn sensor_reading() -> Result<SensorReading> {
    Ok(SensorReading {
        sensor_id: SensorId("s001".into()),
        measured_at: Timestamp::from_second(1_705_315_800)?,
        celsius: 4.5,
    })
}

/// One item an entity, with its key.
pub fn samples() -> Result<Vec<Sample>> {
    Ok(vec![
        Sample::of(&product()?, |key| Product::key(key.product_id)).done(),
        Sample::of(&price_history()?, |key| {
            let at: Timestamp = key.created_at.start().unwrap_or_default();
            PriceHistory::key(key.product_id, at, key.fraction)
        })
        .done(),
        Sample::of(&inventory_log()?, |key| {
            let at: Timestamp = key.created_at.start().unwrap_or_default();
            InventoryLog::key(key.product_id, at, key.fraction)
        })
        .done(),
        Sample::of(&activity_log()?, |key| {
            ActivityLog::key(key.user_id, key.created_at)
        })
        .done(),
        Sample::of(&product_activity()?, |key| {
            ProductActivity::key(key.product_id, key.created_at)
        })
        .done(),
        Sample::of(&daily_activity()?, |key| {
            // The day and the time of day are in the two halves; together they are the instant.
            let at: Timestamp = key.created_at.start().unwrap_or_default();
            DailyActivity::key(key.product_id, at)
        })
        .done(),
        Sample::of(&sharded_activity()?, |key| {
            ShardedActivity::key(key.product_id, key.user_id, key.created_at)
        })
        .done(),
        Sample::of(&access_log()?, |key| {
            AccessLog::key(key.product_id, key.accessed_at, key.user_id)
        })
        .done(),
        Sample::of(&sensor_reading()?, |key| {
            SensorReading::key(key.sensor_id, key.measured_at)
        })
        .done(),
    ])
}
