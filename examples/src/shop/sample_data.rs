//! The document's items, and a January of ten products and ten users. The same every time.

use super::{
    AccessLog, ActivityLog, ChangeType, DailyActivity, DynamoDbShop, Fraction, InventoryLog,
    PriceHistory, Product, ProductActivity, ProductId, SensorId, SensorReading, Sensors,
    ShardedActivity, UserId, samples,
};
use crate::{Failure, loading::Loading};
use dynamo_model::{Dynamo, Table};
use jiff::{SignedDuration, Timestamp};

/// How many items [`load`] writes.
pub const LOADED: usize = PRODUCTS * (1 + PRICES + LOGS)
    + USERS * ACTIVITIES
    + PRODUCT_ACTIVITIES
    + DAYS * A_DAY
    + SHARDED
    + ACCESSES
    + READINGS
    + 8;

const PRODUCTS: usize = 10;
const USERS: usize = 10;
const DAYS: usize = 31;
/// Of every product, two a day.
const PRICES: usize = 2 * DAYS;
/// Of every product, one a day.
const LOGS: usize = DAYS;
/// Of every user, one a day.
const ACTIVITIES: usize = DAYS;
const PRODUCT_ACTIVITIES: usize = 50;
/// Around the first product.
const A_DAY: usize = 8;
const SHARDED: usize = 200;
/// Of the first product, a second apart.
const ACCESSES: usize = 60;
/// Of the first sensor, an hour apart.
const READINGS: usize = 48;

/// 2024-01-01T00:00:00Z.
const JANUARY: Timestamp = Timestamp::constant(1_704_067_200, 0);

/// Creates the table and loads the data; `progress` is called with the number of items so far.
pub async fn load(db: &Dynamo, progress: &mut (dyn FnMut(usize) + Send)) -> Result<(), Failure> {
    DynamoDbShop::create_table(db).await?;
    Sensors::create_table(db).await?;
    let mut loading = Loading::new(db, JANUARY, progress);
    loading.create(&samples::price_history()?).await?;
    loading.create(&samples::inventory_log()?).await?;
    loading.create(&samples::activity_log()?).await?;
    loading.create(&samples::product_activity()?).await?;
    loading.create(&samples::daily_activity()?).await?;
    loading.create(&samples::sharded_activity()?).await?;
    loading.create(&samples::access_log()?).await?;
    loading.create(&samples::sensor_reading()?).await?;
    let products = || (1..=PRODUCTS).map(product);
    loading.write(|batch| batch.load(products())).await?;
    let prices = (1..=PRODUCTS).flat_map(|product| (0..PRICES).map(move |n| price(product, n)));
    loading.write(|batch| batch.load(prices)).await?;
    let logs = (1..=PRODUCTS).flat_map(|product| (0..LOGS).map(move |n| log(product, n)));
    loading.write(|batch| batch.load(logs)).await?;
    let activities = (1..=USERS).flat_map(|user| (0..ACTIVITIES).map(move |n| activity(user, n)));
    loading.write(|batch| batch.load(activities)).await?;
    let around = (0..PRODUCT_ACTIVITIES).map(product_activity);
    loading.write(|batch| batch.load(around)).await?;
    let daily = (0..DAYS * A_DAY).map(daily_activity);
    loading.write(|batch| batch.load(daily)).await?;
    loading
        .write(|batch| batch.load((0..SHARDED).map(sharded_activity)))
        .await?;
    loading
        .write(|batch| batch.load((0..ACCESSES).map(access)))
        .await?;
    loading
        .write(|batch| batch.load((0..READINGS).map(reading)))
        .await?;
    Ok(())
}

fn product_id(product: usize) -> ProductId {
    ProductId(format!("p{product:03}"))
}

fn user_id(user: usize) -> UserId {
    UserId(format!("u{user:03}"))
}

fn after(hours: usize, seconds: usize) -> Timestamp {
    JANUARY + SignedDuration::from_secs(hours as i64 * 3600 + seconds as i64)
}

pub(super) fn product(product: usize) -> Product {
    Product {
        product_id: product_id(product),
        price: 1000 + 100 * product as u64,
        stock: 100,
        updated_at: JANUARY,
    }
}

/// At six and at eighteen.
fn price(product: usize, number: usize) -> PriceHistory {
    PriceHistory {
        product_id: product_id(product),
        price: 1000 + (number as u64 * 37 + product as u64 * 11) % 500,
        changed_by: "admin".into(),
        reason: number.is_multiple_of(10).then(|| "セール".into()),
        created_at: after(6 + 12 * number, 0),
        fraction: Fraction::of(JANUARY),
    }
}

/// At noon: ten out, and ten in the next day.
fn log(product: usize, number: usize) -> InventoryLog {
    let back = number % 2 == 1;
    let (change_type, quantity, reason) = match back {
        true => (ChangeType::In, 10, "入荷"),
        false => (ChangeType::Out, -10, "注文"),
    };
    InventoryLog {
        product_id: product_id(product),
        change_type,
        quantity,
        previous_stock: if back { 90 } else { 100 },
        new_stock: if back { 100 } else { 90 },
        reason: reason.into(),
        order_id: (!back).then(|| format!("o{product:03}-{number:02}")),
        created_at: after(12 + 24 * number, 0),
        fraction: Fraction::of(JANUARY),
    }
}

fn activity(user: usize, number: usize) -> ActivityLog {
    ActivityLog {
        user_id: user_id(user),
        created_at: after(9 + 24 * number, user),
    }
}

fn product_activity(number: usize) -> ProductActivity {
    ProductActivity {
        product_id: product_id(1),
        created_at: after(11 + 12 * number, number),
    }
}

/// Returns activity every two hours from six on, a minute past the hour.
fn daily_activity(number: usize) -> DailyActivity {
    let (day, n) = (number / A_DAY, number % A_DAY);
    DailyActivity {
        product_id: product_id(1),
        created_at: after(24 * day + 6 + 2 * n, 60),
    }
}

fn sharded_activity(number: usize) -> ShardedActivity {
    ShardedActivity {
        product_id: product_id(1),
        user_id: user_id(number % 40 + 1),
        created_at: after(3 * number, 1),
    }
}

/// On the first of January, from noon on, each in another millisecond.
fn access(number: usize) -> AccessLog {
    AccessLog {
        product_id: product_id(1),
        user_id: user_id(number % USERS + 1),
        accessed_at: after(12, number) + SignedDuration::from_millis(number as i64),
    }
}

fn reading(number: usize) -> SensorReading {
    SensorReading {
        sensor_id: SensorId("s001".into()),
        measured_at: after(number, 0),
        celsius: 4.0 + (number % 8) as f64 / 4.0,
    }
}
