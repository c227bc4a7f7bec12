//! Time series of a shop in one table, `DynamoDBShop`: price history, stock log, activity.
//!
//! The document writes times into keys as RFC3339Nano, which trims trailing zeros and so does not sort,
//! and adds a "Z" to the upper bound of a range to make up for it. A fixed precision (`:ns`, `:s`) sorts,
//! and needs no such help.

mod logic;
mod patterns;
mod refused;
mod sample_data;
mod samples;

pub use logic::{
    StockChange, activity_in_shard, activity_on_day, adjust_stock, latest_price, log_activity,
    prices_between, prices_on, prices_page, recent_activity, stock_log, update_price,
};
pub use patterns::patterns;
pub use refused::ShopError;
pub use sample_data::{LOADED, load};
pub use samples::{
    activity_log, daily_activity, inventory_log, price_history, product, product_activity, samples,
    sharded_activity,
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
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// "Price history".
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "PRICE_HISTORY")]
#[pk("PRODUCT#<product_id>")]
#[sk("PRICE#<created_at:ns>")]
#[allow(missing_docs)]
pub struct PriceHistory {
    pub product_id: ProductId,
    pub price: u64,
    pub changed_by: String,
    /// In the document's struct, but not in the item it writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub created_at: Timestamp,
}

/// "Stock log". The item that the document writes has the product in its key alone.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "PascalCase")]
#[dynamo(table = DynamoDbShop, entity_type = "INVENTORY_LOG")]
#[pk("PRODUCT#<product_id>")]
#[sk("INVLOG#<created_at:ns>")]
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
    pub created_at: Timestamp,
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

/// "Hot partitions", cure 2: ten partitions. The document takes a random suffix; one that follows from
/// the user spreads as well, and finds an item again. Users share a shard, so the sort key names them.
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
}
