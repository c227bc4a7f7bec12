//! The document has key patterns, and the items of two transactions as code.

use crate::support::{assert_attributes, assert_entity, assert_keys};
use dynamo_model::Entity;
use dynamo_model::key::KeyValue;
use dynamo_model_examples::shop::{
    AccessLog, ActivityLog, DailyActivity, Fraction, InventoryLog, PriceHistory, Product,
    ProductActivity, ShardedActivity, ShopItem, access_log, activity_log, daily_activity,
    inventory_log, price_history, product, product_activity, sensor_reading, sharded_activity,
};
use jiff::Timestamp;

const CHANGED: &str = "2024-01-15T10:30:00.123456789Z";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn items_have_the_keys_of_the_document() {
    assert_keys(
        &product().unwrap(),
        &[("PK", "PRODUCT#p001"), ("SK", "METADATA")],
    );
    let price = format!("PRICE#{CHANGED}");
    assert_keys(
        &price_history().unwrap(),
        &[("PK", "PRODUCT#p001"), ("SK", &price)],
    );
    let log = format!("INVLOG#{CHANGED}");
    assert_keys(
        &inventory_log().unwrap(),
        &[("PK", "PRODUCT#p001"), ("SK", &log)],
    );

    let activity = ("SK", "ACTIVITY#2024-01-15T10:00:00Z");
    assert_keys(&activity_log().unwrap(), &[("PK", "USER#u001"), activity]);
    assert_keys(
        &product_activity().unwrap(),
        &[("PK", "PRODUCT#p001"), activity],
    );
    assert_keys(
        &daily_activity().unwrap(),
        &[
            ("PK", "PRODUCT#p001#2024-01-15"),
            ("SK", "ACTIVITY#10:00:00Z"),
        ],
    );
    assert_keys(
        &sharded_activity().unwrap(),
        &[
            ("PK", "PRODUCT#p001#3"),
            ("SK", "ACTIVITY#2024-01-15T10:00:00Z#u001"),
        ],
    );
}

/// "Unix Epoch": `1705315800` and `1705315800123`.
#[test]
fn times_since_1970_have_the_keys_of_the_document() {
    assert_keys(
        &access_log().unwrap(),
        &[("PK", "PRODUCT#p001"), ("SK", "ACCESS#1705315800123#u001")],
    );
    let key = AccessLog::parse_key("PRODUCT#p001", "ACCESS#1705315800123#u001").unwrap();
    assert_eq!(key.accessed_at.as_millisecond(), 1_705_315_800_123);
    let reading = sensor_reading().unwrap().primary_key().unwrap();
    assert_eq!(reading.to_string(), "s001/1705315800");
    assert!(matches!(reading.sk(), Some(KeyValue::N(_))));
}

#[test]
fn keys_parse_back() {
    let key = Product::parse_key("PRODUCT#p001", "METADATA").unwrap();
    assert_eq!(key.product_id.0, "p001");
    let second: Timestamp = at("2024-01-15T10:30:00Z");
    let key = PriceHistory::parse_key("PRODUCT#p001", format!("PRICE#{CHANGED}").as_str()).unwrap();
    assert_eq!(
        (key.product_id.0.as_str(), key.created_at.start()),
        ("p001", Some(second))
    );
    assert_eq!(key.fraction.within(second), at(CHANGED));
    let key = InventoryLog::parse_key("PRODUCT#p001", format!("INVLOG#{CHANGED}").as_str());
    let key = key.unwrap();
    assert_eq!(key.created_at.start(), Some(second));
    assert_eq!(key.fraction, Fraction::of(at(CHANGED)));

    let ten = at("2024-01-15T10:00:00Z");
    let key = ActivityLog::parse_key("USER#u001", "ACTIVITY#2024-01-15T10:00:00Z").unwrap();
    assert_eq!((key.user_id.0.as_str(), key.created_at), ("u001", ten));
    let key = ProductActivity::parse_key("PRODUCT#p001", "ACTIVITY#2024-01-15T10:00:00Z");
    assert_eq!(key.unwrap().created_at, ten);
    let key = DailyActivity::parse_key("PRODUCT#p001#2024-01-15", "ACTIVITY#10:00:00Z").unwrap();
    assert_eq!(key.created_at.start(), Some(ten));
    let key =
        ShardedActivity::parse_key("PRODUCT#p001#3", "ACTIVITY#2024-01-15T10:00:00Z#u001").unwrap();
    assert_eq!(
        (key.product_id.0.as_str(), key.user_id.0.as_str()),
        ("p001", "u001")
    );
}

#[test]
fn a_key_with_another_shard_does_not_parse() {
    for shard in (0..10).filter(|&shard| shard != 3) {
        let pk = format!("PRODUCT#p001#{shard}");
        let key = ShardedActivity::parse_key(pk.as_str(), "ACTIVITY#2024-01-15T10:00:00Z#u001");
        assert!(key.is_err(), "{pk}");
    }
}

#[test]
fn items_have_the_attributes_of_the_document() {
    assert_attributes(&product().unwrap(), "Price Stock UpdatedAt");
    assert_attributes(
        &price_history().unwrap(),
        "ProductId Price ChangedBy CreatedAt",
    );
    assert_attributes(
        &inventory_log().unwrap(),
        "ChangeType Quantity PreviousStock NewStock Reason OrderId CreatedAt",
    );
    assert_attributes(&activity_log().unwrap(), "CreatedAt");
    assert_attributes(&product_activity().unwrap(), "CreatedAt");
    assert_attributes(&daily_activity().unwrap(), "CreatedAt");
    assert_attributes(&sharded_activity().unwrap(), "CreatedAt");
    assert_attributes(&access_log().unwrap(), "AccessedAt");
    // Both are keys, and separate attributes.
    assert_attributes(&sensor_reading().unwrap(), "SensorId MeasuredAt Celsius");
}

#[test]
fn a_product_partition_distinguishes_its_entities() {
    let activity = "ACTIVITY#2024-01-15T10:00:00Z";
    for (pk, sk, entity) in [
        ("PRODUCT#p001", "METADATA", "Product"),
        (
            "PRODUCT#p001",
            "PRICE#2024-01-15T10:30:00.123456789Z",
            "PriceHistory",
        ),
        (
            "PRODUCT#p001",
            "INVLOG#2024-01-15T10:30:00.123456789Z",
            "InventoryLog",
        ),
        ("USER#u001", activity, "ActivityLog"),
        ("PRODUCT#p001", activity, "ProductActivity"),
        (
            "PRODUCT#p001#2024-01-15",
            "ACTIVITY#10:00:00Z",
            "DailyActivity",
        ),
        (
            "PRODUCT#p001#3",
            "ACTIVITY#2024-01-15T10:00:00Z#u001",
            "ShardedActivity",
        ),
        ("PRODUCT#p001", "ACCESS#1705315800123#u001", "AccessLog"),
    ] {
        assert_entity::<ShopItem>(pk, sk, entity);
    }
}

/// `.5Z` sorts before `Z`, so the times of RFC3339Nano are out of order.
#[test]
fn prices_sort_by_time() {
    let times = [
        "2024-01-15T10:30:00Z",
        "2024-01-15T10:30:00.5Z",
        "2024-01-15T10:30:01Z",
    ];
    assert!(!times.is_sorted());
    let keys = times.map(|time| {
        PriceHistory::key("p001", at(time), Fraction::of(at(time)))
            .unwrap()
            .sk()
            .unwrap()
            .clone()
    });
    assert!(keys.is_sorted());
}

/// "Unix Epoch: efficient storage", beside the 30 characters of RFC3339Nano.
#[test]
fn times_since_1970_are_shorter() {
    let length = |key: KeyValue| key.as_str().unwrap().len();
    let price = price_history().unwrap().primary_key().unwrap();
    let access = access_log().unwrap().primary_key().unwrap();
    let reading = sensor_reading().unwrap().primary_key().unwrap();
    let lengths = [
        length(price.sk().unwrap().clone()) - "PRICE#".len(),
        length(access.sk().unwrap().clone()) - "ACCESS##u001".len(),
        length(reading.sk().unwrap().clone()),
    ];
    assert_eq!(lengths, [30, 13, 10]);
}
