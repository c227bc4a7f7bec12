//! The alarms that the design documents ask for, as metrics and thresholds: CloudFormation and Terraform
//! write the same ones.
//!
//! SystemErrors and SuccessfulRequestLatency are counted for each operation of a table and not for the table,
//! so their alarms add the operations up; an alarm on the bare metric would never have any data.

use crate::schema::create::CreateTable;
use crate::schema::{Model, TableModel};
use std::collections::BTreeSet;

/// When an alarm is raised. The defaults are the documents' thresholds.
///
/// ```
/// use dynamo_model::schema::Alarms;
///
/// let alarms = Alarms::default();
/// assert_eq!((alarms.throttles, alarms.latency_millis), (5, 200));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alarms {
    /// More system errors than this in five minutes.
    pub system_errors: u32,
    /// More requests than this in five minutes that DynamoDB refuses as wrong (HTTP 400), of the account in this region:
    /// CloudWatch does not count them by table. Throttled requests and failed conditions are not among them.
    pub user_errors: u32,
    /// So many throttled requests in five minutes, of the table or of one of its indexes.
    pub throttles: u32,
    /// So many percent of the capacity, for five minutes.
    pub usage_percent: u32,
    /// Fewer requests than this, in percent, succeed in a minute.
    pub success_percent: u32,
    /// A longer average than this, of any operation.
    pub latency_millis: u32,
    /// What counts as the whole capacity of a table that is paid by request, in units a second: the
    /// account's quota, unless you know better.
    pub on_demand_units: u32,
}

impl Default for Alarms {
    fn default() -> Self {
        Self {
            system_errors: 5,
            user_errors: 5,
            throttles: 5,
            usage_percent: 80,
            success_percent: 95,
            latency_millis: 200,
            on_demand_units: 40_000,
        }
    }
}

/// One alarm.
#[derive(Debug)]
pub(super) struct Alarm {
    /// `SystemErrors`, `ThrottlesGSI1`
    pub(super) name: String,
    pub(super) description: String,
    pub(super) metrics: Vec<Metric>,
    /// Over the metrics by their ids.
    pub(super) expression: String,
    pub(super) label: &'static str,
    pub(super) comparison: &'static str,
    pub(super) threshold: u64,
}

/// One metric of a table.
#[derive(Debug)]
pub(super) struct Metric {
    pub(super) id: String,
    pub(super) name: &'static str,
    pub(super) statistic: &'static str,
    pub(super) period: u32,
    /// Besides the table.
    pub(super) dimension: Option<(&'static str, String)>,
}

const FIVE_MINUTES: u32 = 300;
const ABOVE: &str = "GreaterThanThreshold";
const AT_LEAST: &str = "GreaterThanOrEqualToThreshold";
const BELOW: &str = "LessThanThreshold";

impl Alarms {
    /// Those of one table.
    pub(super) fn of(&self, model: &Model, table: &TableModel) -> Vec<Alarm> {
        let operations = operations(model, table);
        let mut alarms = vec![
            self.system_errors(&operations),
            self.latency(&operations),
            self.throttles(None),
        ];
        alarms.extend(self.success("Read", &operations));
        alarms.extend(self.success("Write", &operations));
        let create = CreateTable::of(&table.schema);
        alarms.extend(
            create
                .global
                .iter()
                .map(|index| self.throttles(Some(index.name))),
        );
        let (read, write) = create.throughput.unzip();
        alarms.push(self.usage("Read", "ConsumedReadCapacityUnits", read));
        alarms.push(self.usage("Write", "ConsumedWriteCapacityUnits", write));
        alarms
    }

    fn system_errors(&self, operations: &[&'static str]) -> Alarm {
        let limit = self.system_errors;
        Alarm {
            name: "SystemErrors".into(),
            description: format!("More than {limit} system errors in five minutes"),
            metrics: by_operation(operations, "e", "SystemErrors", "Sum", FIVE_MINUTES),
            expression: "SUM(METRICS())".into(),
            label: "System errors",
            comparison: ABOVE,
            threshold: limit.into(),
        }
    }

    fn latency(&self, operations: &[&'static str]) -> Alarm {
        let limit = self.latency_millis;
        let name = "SuccessfulRequestLatency";
        Alarm {
            name: "Latency".into(),
            description: format!("An operation takes more than {limit} ms on average"),
            metrics: by_operation(operations, "l", name, "Average", FIVE_MINUTES),
            expression: "MAX(METRICS())".into(),
            label: "Slowest operation (ms)",
            comparison: ABOVE,
            threshold: limit.into(),
        }
    }

    /// Requests that DynamoDB refuses as wrong. CloudWatch counts them for the account, and not for a table.
    pub(super) fn user_errors(&self) -> Alarm {
        let limit = self.user_errors;
        Alarm {
            name: "UserErrors".into(),
            description: format!(
                "DynamoDB refuses more than {limit} requests of the account in five minutes"
            ),
            metrics: vec![Metric {
                id: "u".into(),
                name: "UserErrors",
                statistic: "Sum",
                period: FIVE_MINUTES,
                dimension: None,
            }],
            expression: "FILL(u,0)".into(),
            label: "Refused requests",
            comparison: ABOVE,
            threshold: limit.into(),
        }
    }

    /// An alarm takes ten metrics, and each operation has two: so reads and writes, five operations each, have an
    /// alarm of their own.
    fn success(&self, what: &str, operations: &[&'static str]) -> Option<Alarm> {
        let limit = self.success_percent;
        let of_this_kind = |it: &&&str| READS.contains(*it) == (what == "Read");
        let operations: Vec<_> = operations.iter().filter(of_this_kind).copied().collect();
        let operations = operations.as_slice();
        let errors = by_operation(operations, "e", "SystemErrors", "Sum", 60);
        let fine = by_operation(
            operations,
            "s",
            "SuccessfulRequestLatency",
            "SampleCount",
            60,
        );
        let sum = |metrics: &[Metric]| {
            let ids = metrics
                .iter()
                .map(|metric| format!("FILL({},0)", metric.id));
            ids.collect::<Vec<_>>().join("+")
        };
        let (failed, succeeded) = (sum(&errors), sum(&fine));
        let all = format!("{succeeded}+{failed}");
        (!operations.is_empty()).then(|| Alarm {
            name: format!("{what}SuccessRate"),
            description: format!(
                "Fewer than {limit} % of the {}s of a minute succeed",
                what.to_lowercase()
            ),
            expression: format!("IF({all}>0,100*({succeeded})/({all}),100)"),
            metrics: fine.into_iter().chain(errors).collect(),
            label: "Requests that succeed (%)",
            comparison: BELOW,
            threshold: limit.into(),
        })
    }

    fn throttles(&self, index: Option<&str>) -> Alarm {
        let limit = self.throttles;
        let metric = |id: &str, name| Metric {
            id: id.into(),
            name,
            statistic: "Sum",
            period: FIVE_MINUTES,
            dimension: index.map(|index| ("GlobalSecondaryIndexName", index.to_owned())),
        };
        let of = index
            .map(|index| format!(" of {index}"))
            .unwrap_or_default();
        Alarm {
            name: format!("Throttles{}", super::pascal(index.unwrap_or_default())),
            description: format!("{limit} or more throttled requests{of} in five minutes"),
            metrics: vec![
                metric("r", "ReadThrottleEvents"),
                metric("w", "WriteThrottleEvents"),
            ],
            expression: "FILL(r,0)+FILL(w,0)".into(),
            label: "Throttled requests",
            comparison: AT_LEAST,
            threshold: limit.into(),
        }
    }

    fn usage(&self, what: &str, metric: &'static str, provisioned: Option<u32>) -> Alarm {
        let percent = self.usage_percent;
        let units = provisioned.unwrap_or(self.on_demand_units);
        let whole = if provisioned.is_some() {
            "provisioned"
        } else {
            "quota of"
        };
        let what_units = what.to_lowercase();
        Alarm {
            name: format!("{what}Usage"),
            description: format!(
                "{percent} % or more of the {whole} {units} {what_units} units a second, for five minutes"
            ),
            metrics: vec![Metric {
                id: "c".into(),
                name: metric,
                statistic: "Sum",
                period: FIVE_MINUTES,
                dimension: None,
            }],
            expression: format!("100*c/PERIOD(c)/{units}"),
            label: "Capacity in use (%)",
            comparison: AT_LEAST,
            threshold: percent.into(),
        }
    }
}

fn by_operation(
    operations: &[&'static str],
    id: &str,
    name: &'static str,
    statistic: &'static str,
    period: u32,
) -> Vec<Metric> {
    let metric = |(i, operation): (usize, &&'static str)| Metric {
        id: format!("{id}{i}"),
        name,
        statistic,
        period,
        dimension: Some(("Operation", (*operation).to_owned())),
    };
    operations.iter().enumerate().map(metric).collect()
}

/// The operations that read items.
const READS: [&str; 5] = [
    "GetItem",
    "Query",
    "BatchGetItem",
    "TransactGetItems",
    "Scan",
];

/// The operations that write items.
const WRITES: [&str; 5] = [
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
];

/// The operations on the table: those of its access patterns, or else all. There are ten, as many metrics as an alarm
/// takes.
fn operations(model: &Model, table: &TableModel) -> Vec<&'static str> {
    let requests = model.patterns.iter().flat_map(|pattern| &pattern.requests);
    let of_table = requests.filter(|request| {
        let targets = request.targets();
        targets.iter().any(|it| it.table == table.schema.name)
    });
    let used: BTreeSet<_> = of_table.map(|it| it.operation.as_str()).collect();
    let all = READS.into_iter().chain(WRITES);
    let known: Vec<_> = all.clone().filter(|it| used.contains(it)).collect();
    match known.is_empty() {
        true => all.collect(),
        false => known,
    }
}
