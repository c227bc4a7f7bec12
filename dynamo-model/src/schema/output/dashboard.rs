//! A CloudWatch dashboard: of each table a row with capacity, throttled requests, latency and errors; of each of its global
//! indexes a row with capacity and throttled requests.

use super::alarms::{READS, WRITES};
use crate::schema::create::CreateTable;
use crate::schema::{Model, TableModel};
use serde_json::{Value, json};

/// The width of a dashboard; its widgets are placed on a grid.
const WIDTH: u64 = 24;
const HEIGHT: u64 = 6;

/// The body of a dashboard. `deployed` gives the text that stands for a table's deployed name.
pub(super) fn body(model: &Model, region: &str, deployed: impl Fn(&TableModel) -> String) -> Value {
    let mut rows = Rows {
        region,
        widgets: Vec::new(),
        y: 0,
    };
    for table in &model.tables {
        let name = deployed(table);
        rows.title(&format!("## {}", table.schema.name));
        rows.add(table_row(&name));
        for index in CreateTable::of(&table.schema).global {
            rows.add(index_row(&name, index.name));
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

fn table_row(table: &str) -> Vec<Widget> {
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
    vec![
        (
            "Capacity".into(),
            "Sum",
            capacity(|name| metric(name)).to_vec(),
        ),
        (
            "Throttled requests".into(),
            "Sum",
            throttles(|name| metric(name)).to_vec(),
        ),
        (
            "Latency (ms)".into(),
            "Average",
            by_operation("SuccessfulRequestLatency"),
        ),
        ("Errors".into(), "Sum", errors),
    ]
}

fn index_row(table: &str, index: &str) -> Vec<Widget> {
    let metric = |name: &str| {
        let of_index = "GlobalSecondaryIndexName";
        json!(["AWS/DynamoDB", name, "TableName", table, of_index, index])
    };
    vec![
        (
            format!("{index}: capacity"),
            "Sum",
            capacity(metric).to_vec(),
        ),
        (
            format!("{index}: throttled requests"),
            "Sum",
            throttles(metric).to_vec(),
        ),
    ]
}

fn capacity(metric: impl Fn(&str) -> Value) -> [Value; 2] {
    ["ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"].map(metric)
}

fn throttles(metric: impl Fn(&str) -> Value) -> [Value; 2] {
    ["ReadThrottleEvents", "WriteThrottleEvents"].map(metric)
}
