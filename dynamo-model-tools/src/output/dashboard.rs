//! A CloudWatch dashboard: of each table a row with capacity, throttled requests, latency and
//! errors; of each of its global indexes a row with capacity and throttled requests.

use super::alarms::{READS, WRITES};
use crate::{Model, TableModel};
use dynamo_model::__tools::CreateTable;
use serde_json::{Value, json};

/// The width of a dashboard; its widgets are placed on a grid.
const WIDTH: u64 = 24;
const HEIGHT: u64 = 6;

/// Returns the body of a dashboard. `deployed` returns the text for a table's deployed name.
pub(super) fn body(model: &Model, region: &str, deployed: impl Fn(&TableModel) -> String) -> Value {
    let mut rows = Rows {
        region,
        widgets: Vec::new(),
        y: 0,
    };
    for table in &model.tables {
        let name = deployed(table);
        rows.title(&format!("## {}", table.schema.name));
        let create = CreateTable::of(&table.schema);
        let provisioned = create.throughput.is_some();
        rows.add(table_row(&name, provisioned));
        for index in create.global {
            rows.add(index_row(&name, index.name, provisioned));
        }
    }
    json!({ "widgets": rows.widgets })
}

/// A widget: its title, its statistic, its metrics.
type Widget = (String, &'static str, Vec<Value>);

struct Rows<'r> {
    region: &'r str,
    widgets: Vec<Value>,
    y: u64,
}

impl Rows<'_> {
    fn title(&mut self, markdown: &str) {
        self.widgets.push(json!({
            "type": "text",
            "x": 0, "y": self.y, "width": WIDTH, "height": 1,
            "properties": { "markdown": markdown },
        }));
        self.y += 1;
    }

    fn add(&mut self, row: Vec<Widget>) {
        let width = WIDTH / row.len().max(1) as u64;
        for (i, (title, stat, metrics)) in row.into_iter().enumerate() {
            self.widgets.push(json!({
                "type": "metric",
                "x": i as u64 * width, "y": self.y, "width": width, "height": HEIGHT,
                "properties": {
                    "title": title,
                    "region": self.region,
                    "view": "timeSeries",
                    "stat": stat,
                    "period": 300,
                    "metrics": metrics,
                },
            }));
        }
        self.y += HEIGHT;
    }
}

fn table_row(table: &str, provisioned: bool) -> Vec<Widget> {
    let metric = |name: &str| json!(["AWS/DynamoDB", name, "TableName", table]);
    let by_operation = |name: &str| {
        let operations = READS.into_iter().chain(WRITES);
        let metrics =
            operations.map(|it| json!(["AWS/DynamoDB", name, "TableName", table, "Operation", it]));
        metrics.collect::<Vec<_>>()
    };
    let mut errors = by_operation("SystemErrors");
    errors.push(metric("ConditionalCheckFailedRequests"));
    errors.push(metric("TransactionConflict"));
    // CloudWatch counts these for the account.
    errors.push(json!(["AWS/DynamoDB", "UserErrors"]));
    let mut row = capacity("Table: ", provisioned, metric);
    let throttled = [
        throttles(metric).to_vec(),
        by_operation("ThrottledRequests"),
    ];
    row.push(("Throttled requests".into(), "Sum", throttled.concat()));
    row.push((
        "Latency (ms)".into(),
        "Average",
        by_operation("SuccessfulRequestLatency"),
    ));
    row.push(("Errors".into(), "Sum", errors));
    row
}

fn index_row(table: &str, index: &str, provisioned: bool) -> Vec<Widget> {
    let metric = |name: &str| {
        let of_index = "GlobalSecondaryIndexName";
        json!(["AWS/DynamoDB", name, "TableName", table, of_index, index])
    };
    let mut row = capacity(&format!("{index}: "), provisioned, metric);
    let title = format!("{index}: throttled requests");
    row.push((title, "Sum", throttles(metric).to_vec()));
    row
}

/// Returns the consumed capacity, and the provisioned one of a provisioned table. The first is a
/// sum over the period and the second a number a second, so they need separate widgets.
fn capacity(of: &str, provisioned: bool, metric: impl Fn(&str) -> Value) -> Vec<Widget> {
    let units =
        |what: &str| ["Read", "Write"].map(|kind| metric(&format!("{what}{kind}CapacityUnits")));
    let consumed = (format!("{of}capacity"), "Sum", units("Consumed").to_vec());
    let provisioned = provisioned.then(|| {
        let units = units("Provisioned").to_vec();
        (format!("{of}provisioned capacity"), "Average", units)
    });
    [consumed].into_iter().chain(provisioned).collect()
}

fn throttles(metric: impl Fn(&str) -> Value) -> [Value; 2] {
    ["ReadThrottleEvents", "WriteThrottleEvents"].map(metric)
}
