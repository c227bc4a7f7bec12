//! The alarms of the design documents, as metrics and thresholds: CloudFormation and Terraform
//! write the same ones.
//! CloudWatch counts SystemErrors and SuccessfulRequestLatency for each operation of a table, and
//! not for the table. So their alarms add the operations; an alarm on the bare metric would never
//! have data.

use crate::TableModel;
use dynamo_model::__tools::CreateTable;

/// The thresholds of the alarms. The defaults are those of the documents.
///
/// ```
/// use dynamo_model_tools::Alarms;
///
/// let alarms = Alarms::default();
/// assert_eq!((alarms.throttles, alarms.latency_millis), (5, 200));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alarms {
    /// The number of system errors in five minutes that may not be exceeded.
    pub system_errors: u32,
    /// The number of refused requests (HTTP 400) in five minutes that may not be exceeded, of the
    /// account in this region: CloudWatch does not count them by table. Throttled requests and
    /// failed conditions are excluded.
    pub user_errors: u32,
    /// The number of throttled requests in five minutes that raises the alarm, of the table or of
    /// one of its indexes.
    pub throttles: u32,
    /// The percentage of the capacity, for five minutes, that raises the alarm.
    pub usage_percent: u32,
    /// The percentage of requests that must succeed in a minute.
    pub success_percent: u32,
    /// The average latency of any operation that may not be exceeded.
    pub latency_millis: u32,
    /// The capacity of an on-demand table, in units per second. The default is the account's quota.
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
    /// As in `SystemErrors` or `ThrottlesGSI1`.
    pub(super) name: String,
    pub(super) description: String,
    pub(super) metrics: Vec<Metric>,
    /// The expression over the metrics, by their ids.
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
    /// The dimension besides the table.
    pub(super) dimension: Option<(&'static str, String)>,
}

const FIVE_MINUTES: u32 = 300;
const ABOVE: &str = "GreaterThanThreshold";
const AT_LEAST: &str = "GreaterThanOrEqualToThreshold";
const BELOW: &str = "LessThanThreshold";

impl Alarms {
    /// Returns the alarms of one table.
    pub(super) fn of(&self, table: &TableModel) -> Vec<Alarm> {
        // All ten, not only those of the access patterns, because an application also has other
        // functions.
        let operations = [READS, WRITES].concat();
        let mut alarms = vec![
            self.system_errors(&operations),
            self.latency(&operations),
            self.throttles(None),
            self.success("Read", &READS),
            self.success("Write", &WRITES),
        ];
        let create = CreateTable::of(&table.schema);
        alarms.extend(
            create
                .global
                .iter()
                .map(|index| self.throttles(Some(index.name))),
        );
        let provisioned = create.throughput.is_some();
        alarms.push(self.usage("Read", provisioned));
        alarms.push(self.usage("Write", provisioned));
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

    /// Returns the alarm of refused requests. CloudWatch counts them for the account, and not for a
    /// table.
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

    /// Returns an alarm of the success rate. An alarm takes ten metrics, and each operation has
    /// two, so reads and writes, five operations each, have separate alarms.
    fn success(&self, what: &str, operations: &[&'static str]) -> Alarm {
        let limit = self.success_percent;
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
        Alarm {
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
        }
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

    /// Returns an alarm of the used capacity. It compares with the provisioned capacity, which
    /// scaling changes, or with the quota of the account for on-demand tables.
    fn usage(&self, what: &str, provisioned: bool) -> Alarm {
        let percent = self.usage_percent;
        let metric = |id: &str, name, statistic| Metric {
            id: id.into(),
            name,
            statistic,
            period: FIVE_MINUTES,
            dimension: None,
        };
        let names = match what {
            "Read" => ["ConsumedReadCapacityUnits", "ProvisionedReadCapacityUnits"],
            _ => [
                "ConsumedWriteCapacityUnits",
                "ProvisionedWriteCapacityUnits",
            ],
        };
        let mut metrics = vec![metric("c", names[0], "Sum")];
        let units = what.to_lowercase();
        let (whole, of) = match provisioned {
            true => {
                metrics.push(metric("p", names[1], "Average"));
                ("p".into(), format!("the provisioned {units} units"))
            }
            false => {
                let quota = self.on_demand_units;
                let of = format!("the quota of {quota} {units} units a second");
                (quota.to_string(), of)
            }
        };
        Alarm {
            name: format!("{what}Usage"),
            description: format!("{percent} % or more of {of}, for five minutes"),
            metrics,
            expression: format!("100*c/PERIOD(c)/{whole}"),
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

/// The operations that read items. An alarm takes ten metrics, so there is no room for PartiQL's.
pub(super) const READS: [&str; 5] = [
    "GetItem",
    "Query",
    "BatchGetItem",
    "TransactGetItems",
    "Scan",
];

/// The operations that write items.
pub(super) const WRITES: [&str; 5] = [
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
];
