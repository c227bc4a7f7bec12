//! Time series of a shop in one table, `DynamoDBShop`: price history, stock log, activity.
//!
//! The document writes times into keys as RFC3339Nano, which trims trailing zeros and so does not
//! sort within a second, and adds a "Z" to the upper bound of a range, so that the second of the
//! end belongs to it. Here a key has its seconds and the [`Fraction`] after them as two parts: a
//! range of seconds includes both ends, and any item of the document is written back to its own
//! key.

mod fraction;
mod logic;
mod patterns;
mod refused;
mod sample_data;
mod samples;

pub use fraction::Fraction;
pub use logic::{
    StockChange, accesses_between, activity_by_parallel_scan, activity_in_shard,
    activity_of_all_shards, activity_on_day, adjust_stock, latest_price, log_access, log_activity,
    measure, measurements_between, prices_between, prices_on, prices_page, recent_activity,
    stock_log, update_price,
};
pub use patterns::patterns;
pub use refused::ShopError;
pub use sample_data::{LOADED, load};
pub use samples::{
    access_log, activity_log, daily_activity, inventory_log, price_history, product,
    product_activity, samples, sensor_reading, sharded_activity,
};

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The table of the document's calls.
#[derive(DynamoTable, Debug)]
#[table(
    name = "DynamoDBShop",
    pk = "PK",
    sk = "SK",
    entity_type = "EntityType",
    items = ShopItem
)]
pub struct DynamoDbShop;

/// `productId`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProductId(pub String);

/// `userId`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct UserId(pub String);

/// `ChangeType` of a stock log: in, out, or an adjustment.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs)]
pub enum ChangeType {
    In,
    Out,
    Adjust,
}

/// The item that both transactions of the document update, under `SK = METADATA`.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "PRODUCT")]
#[pk("PRODUCT#<product_id>")]
#[sk("METADATA")]
#[allow(missing_docs)]
pub struct Product {
    #[dynamo(key_only)]
    pub product_id: ProductId,
    pub price: u64,
    /// Also the lock: a change of stock is written on condition of the stock that was read.
    pub stock: u32,
    /// To the second.
    #[serde(with = "dynamo_model::format::rfc3339_seconds")]
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// "Price history".
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "PRICE_HISTORY")]
#[pk("PRODUCT#<product_id>")]
#[sk("PRICE#<created_at:%Y-%m-%dT%H:%M:%S><fraction:raw>")]
#[allow(missing_docs)]
pub struct PriceHistory {
    pub product_id: ProductId,
    pub price: u64,
    pub changed_by: String,
    /// In the document's struct, but not in the item it writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// To the second; the key is finer.
    #[serde(with = "dynamo_model::format::rfc3339_seconds")]
    pub created_at: Timestamp,
    /// The fraction of the time, only in the key.
    #[dynamo(key_only)]
    pub fraction: Fraction,
}

impl PriceHistory {
    /// When the price changed, to the nanosecond.
    #[must_use]
    pub fn changed_at(&self) -> Timestamp {
        self.fraction.within(self.created_at)
    }
}

/// "Stock log". The document's item has the product only in its key.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "INVENTORY_LOG")]
#[pk("PRODUCT#<product_id>")]
#[sk("INVLOG#<created_at:%Y-%m-%dT%H:%M:%S><fraction:raw>")]
#[allow(missing_docs)]
pub struct InventoryLog {
    #[dynamo(key_only)]
    pub product_id: ProductId,
    pub change_type: ChangeType,
    /// The change, up or down.
    pub quantity: i32,
    pub previous_stock: u32,
    pub new_stock: u32,
    pub reason: String,
    /// Where the change is an order's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// To the second; the key is finer.
    #[serde(with = "dynamo_model::format::rfc3339_seconds")]
    pub created_at: Timestamp,
    /// The fraction of the time, only in the key.
    #[dynamo(key_only)]
    pub fraction: Fraction,
}

impl InventoryLog {
    /// When the stock changed, to the nanosecond.
    #[must_use]
    pub fn changed_at(&self) -> Timestamp {
        self.fraction.within(self.created_at)
    }
}

/// "Activity log", of one user. The document gives its key only.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "ACTIVITY")]
#[pk("USER#<user_id>")]
#[sk("ACTIVITY#<created_at:s>")]
#[allow(missing_docs)]
pub struct ActivityLog {
    #[dynamo(key_only)]
    pub user_id: UserId,
    pub created_at: Timestamp,
}

/// "Hot partitions", before: all activity around a product in one partition.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "PRODUCT_ACTIVITY")]
#[pk("PRODUCT#<product_id>")]
#[sk("ACTIVITY#<created_at:s>")]
#[allow(missing_docs)]
pub struct ProductActivity {
    #[dynamo(key_only)]
    pub product_id: ProductId,
    pub created_at: Timestamp,
}

/// "Hot partitions", cure 1: a partition a day.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "DAILY_ACTIVITY")]
#[pk("PRODUCT#<product_id>#<created_at:%Y-%m-%d>")]
#[sk("ACTIVITY#<created_at:%H:%M:%SZ>")]
#[allow(missing_docs)]
pub struct DailyActivity {
    #[dynamo(key_only)]
    pub product_id: ProductId,
    pub created_at: Timestamp,
}

/// "Hot partitions", cure 2: ten partitions. The document takes a random suffix; one that follows
/// from the user spreads as well, and finds an item again. Users share a shard, so the sort key
/// names them.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "SHARDED_ACTIVITY")]
#[pk("PRODUCT#<product_id>#<user_id:shard(10)>")]
#[sk("ACTIVITY#<created_at:s>#<user_id>")]
#[allow(missing_docs)]
pub struct ShardedActivity {
    #[dynamo(key_only)]
    pub product_id: ProductId,
    #[dynamo(key_only)]
    pub user_id: UserId,
    pub created_at: Timestamp,
}

/// "Unix Epoch", milliseconds, as text in a key: accesses to a product. The document names access
/// histories as an example of time series.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "ACCESS")]
#[pk("PRODUCT#<product_id>")]
#[sk("ACCESS#<accessed_at:epoch_ms>#<user_id>")]
#[allow(missing_docs)]
pub struct AccessLog {
    #[dynamo(key_only)]
    pub product_id: ProductId,
    #[dynamo(key_only)]
    pub user_id: UserId,
    /// A number, which programs can calculate with.
    #[serde(with = "dynamo_model::format::epoch_millis")]
    pub accessed_at: Timestamp,
}

/// Every kind of item in the table.
#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = DynamoDbShop)]
#[allow(missing_docs)]
pub enum ShopItem {
    Product(Product),
    Price(PriceHistory),
    Inventory(InventoryLog),
    Activity(ActivityLog),
    ProductActivity(ProductActivity),
    DailyActivity(DailyActivity),
    ShardedActivity(ShardedActivity),
    Access(AccessLog),
}

/// "Basic pattern": the id of a thing and a time, without prefixes. "Unix Epoch": the time is a
/// number.
#[derive(DynamoTable, Debug)]
#[table(name = "DynamoDBShopSensors", pk = "SensorId", sk = N("MeasuredAt"))]
pub struct Sensors;

/// `sensorId`, such as that of a thermometer in the storehouse.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct SensorId(pub String);

/// "Unix Epoch", seconds, as the number that is the sort key: measurements of a sensor. The
/// document names sensor data as an example of time series.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = Sensors)]
#[pk("<sensor_id>")]
#[sk("<measured_at:epoch_s>")]
#[allow(missing_docs)]
pub struct SensorReading {
    pub sensor_id: SensorId,
    #[serde(with = "dynamo_model::format::epoch_seconds")]
    pub measured_at: Timestamp,
    pub celsius: f64,
}
