//! Units, costs, and partitions that get too hot.

use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};
use dynamo_model_tools::{AccessPattern, Capacity, CapacityReport, Model, Prices, Rate, Request};
use serde_json::{Value, json};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "Status", pk = "GSI1PK", sk = "SK")]
#[gsi2(name = "Keys", pk = "GSI2PK", projection = keys_only)]
struct App;

#[derive(KeyPart, serde::Serialize, serde::Deserialize)]
#[allow(dead_code)]
enum Status {
    Open,
    Done,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("TASK#<number:04>")]
#[gsi1(pk = "STATUS#<status>", sk = sk, as = by_status)]
#[gsi2(pk = "NUMBER#<number:04>", as = by_number)]
struct Task {
    user_id: String,
    number: u32,
    status: Status,
    text: String,
}

fn model() -> Model {
    let task = Task {
        user_id: "u1".into(),
        number: 1,
        status: Status::Open,
        text: "x".repeat(2_000),
    };
    Model::new("app").entity::<Task>().sample(&task).unwrap()
}

fn report(model: &Model, capacity: Capacity) -> CapacityReport {
    model.capacity(&capacity).unwrap()
}

fn units(call: &str, rate: Rate) -> (f64, f64) {
    let report = report(&model(), Capacity::new().rate(call, rate));
    (
        report.patterns[0].read_units,
        report.patterns[0].write_units,
    )
}

#[test]
fn declared_calls_are_counted_in_units() {
    let once = Rate::per_second(1.0);
    assert_eq!(units("Task::get", once), (0.5, 0.0));
    // Some 2100 bytes each: ten are six times four kilobytes.
    assert_eq!(units("Task::query", once.items(10)), (3.0, 0.0));
    // Three kilobytes for the table, three for the index with all attributes, one for the KEYS_ONLY
    // index.
    assert_eq!(units("Task::put", once), (0.0, 7.0));
    assert_eq!(units("Task::by_number", once.items(10)), (0.5, 0.0));
}

fn of_request(operation: &str, body: Value) -> (f64, f64) {
    let model = model().pattern(AccessPattern::new("1", "").request(Request::new(operation, body)));
    let pattern = &report(&model, Capacity::new()).patterns[0];
    (pattern.read_units, pattern.write_units)
}

#[test]
fn requests_are_counted_in_units() {
    let key = json!({ "PK": { "S": "USER#u1" }, "SK": { "S": "TASK#0001" } });
    let get = json!({ "TableName": "App", "Key": key, "ConsistentRead": true });
    assert_eq!(of_request("GetItem", get), (1.0, 0.0));
    let one = json!({ "Get": { "TableName": "App", "Key": key } });
    assert_eq!(
        of_request("TransactGetItems", json!({ "TransactItems": [one, one] })),
        (4.0, 0.0)
    );
    let delete = json!({ "Delete": { "TableName": "App", "Key": key } });
    // Twice the table, once each index.
    assert_eq!(
        of_request("TransactWriteItems", json!({ "TransactItems": [delete] })),
        (0.0, 10.0)
    );
    let keys = json!({ "RequestItems": { "App": { "Keys": [key, key, key] } } });
    assert_eq!(of_request("BatchGetItem", keys), (1.5, 0.0));
    let put = json!({ "PutRequest": { "Item": key } });
    assert_eq!(
        of_request(
            "BatchWriteItem",
            json!({ "RequestItems": { "App": [put, put] } })
        ),
        (0.0, 14.0)
    );
}

#[test]
fn a_declared_size_counts_before_samples() {
    let report = report(
        &model(),
        Capacity::new()
            .size("Task", 40_000)
            .rate("Task::get", Rate::per_second(1.0)),
    );
    assert_eq!(
        (report.sizes["Task"], report.patterns[0].read_units),
        (40_000, 5.0)
    );
}

#[test]
fn costs_of_a_month_are_computed() {
    let prices = Prices {
        read_million: 1.0,
        write_million: 10.0,
        storage_gb_month: 2.0,
    };
    let capacity = Capacity::new()
        .prices(prices)
        .size("Task", 900)
        .stored("Task", 1_000_000);
    let report = report(&model(), capacity.rate("Task::get", Rate::per_second(2.0)));
    // 730 hours; a thousand bytes a million times, in the table and two indexes.
    assert!((report.patterns[0].month.unwrap() - 2.0 * 730.0 * 3600.0 * 0.5 / 1e6).abs() < 1e-9);
    assert_eq!(report.storage, 3_000_000_000);
    assert!(
        (report.month() - (2.628 + 6.0)).abs() < 1e-9,
        "{}",
        report.month()
    );
}

#[test]
fn hot_partitions_are_listed() {
    let capacity = Capacity::new().size("Task", 1_000);
    let cool = report(
        &model(),
        capacity
            .clone()
            .rate("Task::put", Rate::per_second(1_900.0)),
    );
    assert!(cool.hot.is_empty(), "{:?}", cool.hot);
    // Half of all statuses, at the least, are one of two.
    let hot = report(
        &model(),
        capacity
            .clone()
            .rate("Task::put", Rate::per_second(2_500.0)),
    );
    assert_eq!(
        hot.hot[0].to_string(),
        "`STATUS#<status>` in App Status: 0 read and 1250 write units a second in one partition, \
         by Task::put; 2 shards cure it, as in `STATUS#<status>#<…:shard(2)>`"
    );
    let peak = capacity.rate(
        "Task::get",
        Rate::per_second(1_000.0).hottest(0.9).peak(10.0),
    );
    let peak = report(&model(), peak);
    assert_eq!((peak.hot[0].index.clone(), peak.hot[0].shards), (None, 2));
}

#[test]
fn an_unknown_pattern_is_named() {
    let error = model()
        .capacity(&Capacity::new().rate("Task::by_nme", Rate::per_day(1.0)))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no access pattern `Task::by_nme`"),
        "{error}"
    );
}

#[derive(DynamoTable)]
#[table(name = "Views", pk = "PK", sk = "SK")]
struct Views;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Views)]
#[pk("VIEWS#<status>#<user_id:shard(4)>")]
#[sk("<user_id>")]
struct View {
    user_id: String,
    status: Status,
}

/// Two statuses in four shards: an eighth of 6000 writes, where a half would be too much for a
/// partition.
#[test]
fn sharded_partitions_are_listed_with_and_without_shards() {
    let model = Model::new("views").entity::<View>();
    let once = |rate: f64| {
        let capacity = Capacity::new().size("View", 1_000);
        report(&model, capacity.rate("View::put", Rate::per_second(rate)))
    };
    let cured = once(6_000.0);
    assert!(cured.hot.is_empty(), "{:?}", cured.hot);
    let row = "| `VIEWS#<status>#<user_id:shard(4)>` in Views | 4 | 0 read, 3000 write | 0 read, \
               750 write | View::put |";
    assert!(cured.to_string().contains(row), "{cured}");
    // Not hot even without shards, and hot in spite of them.
    assert!(once(1_000.0).cured.is_empty());
    let hot = once(9_000.0);
    assert_eq!((hot.hot.len(), hot.cured.len()), (1, 0));
}
