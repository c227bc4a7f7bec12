//! Items that the shop document's own program writes: read, changed and deleted at their own keys,
//! and found by the ranges of its queries.

use crate::simulator::as_tester;
use crate::support::{Item, Outcome, as_service, at, database, get_raw, item, put_raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{BatchWrite, Dynamo, Entity, Table};
use dynamo_model_examples::Recorder;
use dynamo_model_examples::shop::{
    AccessLog, ChangeType, DynamoDbShop, InventoryLog, PriceHistory, Product, ProductId, SensorId,
    Sensors, ShardedActivity, StockChange, UserId, accesses_between, activity_by_parallel_scan,
    activity_of_all_shards, adjust_stock, log_access, measure, measurements_between,
    prices_between, update_price,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

/// Fractions of Go's RFC3339Nano within one second: it omits trailing zeros.
const FRACTIONS: [&str; 6] = [".123456789Z", ".12345678Z", ".123456Z", ".123Z", ".5Z", "Z"];

async fn shop() -> Outcome<Dynamo> {
    let db = database()?;
    DynamoDbShop::create_table(&db).await?;
    Sensors::create_table(&db).await?;
    Ok(as_service("shop", db))
}

fn p001() -> ProductId {
    ProductId("p001".into())
}

fn price(time: &str, price: u64) -> Item {
    let second = format!("{}Z", &time[..19]);
    item(json!({
        "PK": "PRODUCT#p001", "SK": format!("PRICE#{time}"), "EntityType": "PRICE_HISTORY",
        "ProductId": "p001", "Price": price, "ChangedBy": "admin", "CreatedAt": second,
    }))
}

async fn stored(db: &Dynamo) -> Outcome<Vec<String>> {
    let found = db.client().scan();
    let found = found.table_name(db.table_name(&DynamoDbShop::SCHEMA));
    let found = as_tester(found.send()).await?.items.unwrap_or_default();
    let mut keys: Vec<_> = found
        .iter()
        .map(|it| it["SK"].as_s().unwrap().clone())
        .collect();
    keys.sort();
    Ok(keys)
}

#[tokio::test]
async fn a_price_of_the_document_is_read_changed_and_deleted_at_its_own_key() -> Outcome {
    let db = shop().await?;
    for fraction in FRACTIONS {
        let time = format!("2024-01-15T10:30:00{fraction}");
        let shown = price(&time, 1200);
        put_raw::<DynamoDbShop>(&db, shown.clone()).await?;

        let found = PriceHistory::query(p001()).all(&db).await?;
        assert_eq!(found.len(), 1, "{time}");
        assert_eq!(found[0].changed_at(), at(&time));
        assert_eq!(found[0].created_at, at("2024-01-15T10:30:00Z"));
        let key = (found[0].created_at, &found[0].fraction);
        let got = PriceHistory::get(p001(), key.0, key.1).send(&db).await?;
        assert_eq!(got.as_ref(), Some(&found[0]));

        found[0]
            .update()
            .set(|it| it.reason(), "訂正")
            .send(&db)
            .await?;
        let mut expected = shown.clone();
        expected.insert("Reason".into(), AttributeValue::S("訂正".into()));
        assert_eq!(get_raw::<DynamoDbShop>(&db, &shown).await?, expected);

        found[0].put().send(&db).await?;
        assert_eq!(get_raw::<DynamoDbShop>(&db, &shown).await?, shown);
        assert_eq!(stored(&db).await?, [format!("PRICE#{time}")]);

        found[0].delete().send(&db).await?;
        assert_eq!(stored(&db).await?, [""; 0]);
    }
    Ok(())
}

/// The document's transaction writes no `OrderId`, and the product only in the key.
#[tokio::test]
async fn a_stock_log_of_the_document_is_read_changed_and_deleted_at_its_own_key() -> Outcome {
    let db = shop().await?;
    for fraction in FRACTIONS {
        let time = format!("2024-01-15T10:30:00{fraction}");
        let shown = item(json!({
            "PK": "PRODUCT#p001", "SK": format!("INVLOG#{time}"), "EntityType": "INVENTORY_LOG",
            "ChangeType": "ADJUST", "Quantity": -10, "PreviousStock": 100, "NewStock": 90,
            "Reason": "棚卸調整", "CreatedAt": "2024-01-15T10:30:00Z",
        }));
        put_raw::<DynamoDbShop>(&db, shown.clone()).await?;
        let found = InventoryLog::query(p001()).all(&db).await?;
        assert_eq!((found.len(), found[0].changed_at()), (1, at(&time)));
        assert_eq!(found[0].change_type, ChangeType::Adjust);

        found[0]
            .update()
            .set(|it| it.order_id(), "o001")
            .send(&db)
            .await?;
        let mut expected = shown.clone();
        expected.insert("OrderId".into(), AttributeValue::S("o001".into()));
        assert_eq!(get_raw::<DynamoDbShop>(&db, &shown).await?, expected);

        found[0].put().send(&db).await?;
        assert_eq!(get_raw::<DynamoDbShop>(&db, &shown).await?, shown);
        found[0].delete().send(&db).await?;
        assert_eq!(stored(&db).await?, [""; 0]);
    }
    Ok(())
}

/// The items that `UpdatePrice` and `AdjustStock` of the document write, attribute by attribute.
#[tokio::test]
async fn both_transactions_write_the_items_of_the_document() -> Outcome {
    const NOW: &str = "2024-01-15T10:30:00.123456789Z";
    let db = shop().await?.with_clock(|| at(NOW).into());
    let product = json!({
        "PK": "PRODUCT#p001", "SK": "METADATA", "EntityType": "PRODUCT", "Price": 1500, "Stock": 100,
        "UpdatedAt": "2024-01-01T00:00:00Z",
    });
    put_raw::<DynamoDbShop>(&db, item(product.clone())).await?;

    update_price(&db, &p001(), 1200, "admin", at(NOW)).await?;
    let history = price(NOW, 1200);
    assert_eq!(get_raw::<DynamoDbShop>(&db, &history).await?, history);
    let mut expected = item(product);
    expected.extend(item(
        json!({ "Price": 1200, "UpdatedAt": "2024-01-15T10:30:00Z" }),
    ));
    assert_eq!(get_raw::<DynamoDbShop>(&db, &expected).await?, expected);

    let later = db.clone().with_clock(|| at("2024-01-16T00:00:00Z").into());
    let change = StockChange {
        product_id: p001(),
        change_type: ChangeType::Out,
        quantity: -10,
        reason: "注文".into(),
        order_id: None,
        at: at(NOW),
    };
    adjust_stock(&later, change).await?;
    let log = item(json!({
        "PK": "PRODUCT#p001", "SK": format!("INVLOG#{NOW}"), "EntityType": "INVENTORY_LOG",
        "ChangeType": "OUT", "Quantity": -10, "PreviousStock": 100, "NewStock": 90, "Reason": "注文",
        "CreatedAt": "2024-01-15T10:30:00Z",
    }));
    assert_eq!(get_raw::<DynamoDbShop>(&db, &log).await?, log);
    // Only `SET Stock = :newStock`.
    expected.extend(item(json!({ "Stock": 90 })));
    assert_eq!(get_raw::<DynamoDbShop>(&db, &expected).await?, expected);
    Ok(())
}

/// The keys that the document's `GetByDateRange` finds: the end's second belongs to it.
async fn between_as_documented(db: &Dynamo, from: &str, to: &str) -> Outcome<Vec<String>> {
    let text = |text: String| AttributeValue::S(text);
    let found = db.client().query();
    let found = found
        .table_name(db.table_name(&DynamoDbShop::SCHEMA))
        .key_condition_expression("PK = :pk AND SK BETWEEN :from AND :to")
        .expression_attribute_values(":pk", text("PRODUCT#p001".into()))
        .expression_attribute_values(":from", text(format!("PRICE#{from}")))
        .expression_attribute_values(":to", text(format!("PRICE#{to}Z")));
    let found = as_tester(found.send()).await?.items.unwrap_or_default();
    Ok(found
        .iter()
        .map(|it| it["SK"].as_s().unwrap().clone())
        .collect())
}

fn keys(history: &[PriceHistory]) -> Vec<String> {
    let key = |it: &PriceHistory| {
        it.primary_key()
            .unwrap()
            .sk()
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned()
    };
    history.iter().map(key).collect()
}

#[tokio::test]
async fn a_range_includes_the_second_of_its_end_as_documented() -> Outcome {
    let db = shop().await?;
    let (from, to) = ("2024-01-01T00:00:00Z", "2024-01-31T23:59:59Z");
    let within = [
        from,
        "2024-01-15T10:30:00.5Z",
        "2024-01-31T23:59:59.123456789Z",
        "2024-01-31T23:59:59.5Z",
        to,
    ];
    let outside = [
        "2023-12-31T23:59:59.999999999Z",
        "2024-02-01T00:00:00Z",
        "2024-02-01T00:00:00.5Z",
    ];
    for time in within.iter().chain(&outside) {
        put_raw::<DynamoDbShop>(&db, price(time, 1)).await?;
    }
    let expected = within.map(|time| format!("PRICE#{time}"));
    let found = prices_between(&db, &p001(), at(from), at(to)).await?;
    assert_eq!(keys(&found), expected);
    assert_eq!(between_as_documented(&db, from, to).await?, expected);

    // Its start is also text, and `.5Z` sorts before `Z`: the document's query misses the rest of
    // the first second.
    let early = "2024-01-01T00:00:00.5Z";
    put_raw::<DynamoDbShop>(&db, price(early, 1)).await?;
    assert_eq!(between_as_documented(&db, from, to).await?, expected);
    let found = prices_between(&db, &p001(), at(from), at(to)).await?;
    assert_eq!(
        (keys(&found).len(), keys(&found)[0].as_str()),
        (6, "PRICE#2024-01-01T00:00:00.5Z")
    );
    Ok(())
}

/// Ten activities a second apart around each of two products.
async fn sharded(db: &Dynamo) -> Outcome<Vec<ShardedActivity>> {
    let activity = |product: &str, number: i64| ShardedActivity {
        product_id: ProductId(product.into()),
        user_id: UserId(format!("u{number}")),
        created_at: at("2024-01-15T10:00:00Z") + SignedDuration::from_secs(number),
    };
    let of_p001: Vec<_> = (0..10).map(|number| activity("p001", number)).collect();
    let of_p002 = (0..10).map(|number| activity("p002", number));
    BatchWrite::new().load(of_p001.clone()).send(db).await?;
    BatchWrite::new()
        .load(of_p002.collect::<Vec<_>>())
        .send(db)
        .await?;
    Ok(of_p001)
}

#[tokio::test]
async fn all_shards_are_read_by_parallel_scan_and_by_queries() -> Outcome {
    let db = shop().await?;
    let expected = sharded(&db).await?;
    let recorder = Recorder::default();
    let recorded = recorder.record(&db);

    assert_eq!(activity_of_all_shards(&recorded, &p001()).await?, expected);
    let (queries, _) = recorder.take();
    assert!(queries.iter().all(|it| it.operation == "Query"));
    let mut shards: Vec<_> = queries
        .iter()
        .map(|it| it.body["ExpressionAttributeValues"].to_string())
        .collect();
    shards.sort();
    shards.dedup();
    assert_eq!((queries.len(), shards.len()), (10, 10));

    assert_eq!(
        activity_by_parallel_scan(&recorded, &p001()).await?,
        expected
    );
    let (scans, _) = recorder.take();
    let mut segments: Vec<_> = scans.iter().map(|it| it.body["Segment"].as_u64()).collect();
    segments.sort();
    assert!(segments.into_iter().eq((0..10).map(Some)));
    assert!(
        scans
            .iter()
            .all(|it| it.operation == "Scan" && it.body["TotalSegments"] == 10)
    );
    Ok(())
}

/// "Unix Epoch": `1705315800123` as text in a key, and as a number in the attribute.
#[tokio::test]
async fn times_in_milliseconds_sort_in_a_key_of_type_s() -> Outcome {
    let db = shop().await?;
    let first = Timestamp::from_millisecond(1_705_315_800_123)?;
    let user = UserId("u001".into());
    for millis in [0, 9, 10, 1_000, 100_000] {
        log_access(
            &db,
            &p001(),
            &user,
            first + SignedDuration::from_millis(millis),
        )
        .await?;
    }
    let shown = item(json!({
        "PK": "PRODUCT#p001", "SK": "ACCESS#1705315800123#u001", "EntityType": "ACCESS",
        "AccessedAt": 1_705_315_800_123_u64,
    }));
    assert_eq!(get_raw::<DynamoDbShop>(&db, &shown).await?, shown);

    let to = first + SignedDuration::from_millis(1_000);
    let found = accesses_between(&db, &p001(), first, to).await?;
    let millis: Vec<_> = found
        .iter()
        .map(|it| it.accessed_at.as_millisecond() - 1_705_315_800_123)
        .collect();
    assert_eq!(millis, [0, 9, 10, 1_000]);
    let newest = AccessLog::query(p001())
        .descending()
        .first(&db)
        .await?
        .unwrap();
    assert_eq!(
        newest.accessed_at,
        first + SignedDuration::from_millis(100_000)
    );
    newest.delete().send(&db).await?;
    assert_eq!(AccessLog::query(p001()).count(&db).await?, 4);
    Ok(())
}

/// "Unix Epoch": `1705315800` as the number that is the sort key.
#[tokio::test]
async fn times_in_seconds_sort_in_a_key_of_type_n() -> Outcome {
    let db = shop().await?;
    let (first, sensor) = (
        Timestamp::from_second(1_705_315_800)?,
        SensorId("s001".into()),
    );
    // Before 2001 a number of seconds has nine digits: as numbers, they still sort.
    let early = Timestamp::from_second(999_999_999)?;
    for (time, celsius) in [
        (first, 4.5),
        (early, 3.0),
        (first + SignedDuration::from_secs(60), 5.0),
    ] {
        measure(&db, &sensor, time, celsius).await?;
    }
    let shown = item(json!({ "SensorId": "s001", "MeasuredAt": 1_705_315_800, "Celsius": 4.5 }));
    assert_eq!(get_raw::<Sensors>(&db, &shown).await?, shown);

    let found = measurements_between(&db, &sensor, early, first).await?;
    let celsius: Vec<_> = found.iter().map(|it| it.celsius).collect();
    assert_eq!(celsius, [3.0, 4.5]);
    found[1]
        .update()
        .set(|it| it.celsius(), 4.25)
        .send(&db)
        .await?;
    let corrected = measurements_between(&db, &sensor, first, first).await?;
    assert_eq!(corrected[0].celsius, 4.25);
    Ok(())
}

#[tokio::test]
async fn an_item_without_a_product_gets_no_price() -> Outcome {
    let db = shop().await?;
    // The document's update has no condition: it would create a product with only a price.
    let refused = update_price(&db, &p001(), 1, "admin", at("2024-01-15T10:30:00Z")).await;
    assert!(refused.is_err());
    assert_eq!(Product::get(p001()).send(&db).await?, None);
    assert_eq!(stored(&db).await?, [""; 0]);
    Ok(())
}
