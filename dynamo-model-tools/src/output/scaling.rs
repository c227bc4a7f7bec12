//! Auto scaling of provisioned tables and their global indexes, as plain data: CloudFormation and
//! Terraform write the same.

use super::pascal;
use crate::TableModel;
use dynamo_model::__tools::CreateTable;

/// How provisioned capacity follows the traffic, for the tables with `billing = provisioned(…)` and
/// each of their global indexes. The declared units are the least.
///
/// ```
/// use dynamo_model_tools::{AutoScaling, Deployment};
///
/// let scaling = AutoScaling { max_read: 500, ..AutoScaling::default() };
/// let deployment = Deployment::new().auto_scaling(scaling);
/// assert_eq!(deployment.auto_scaling, Some(scaling));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutoScaling {
    /// The most read units a second.
    pub max_read: u32,
    /// The most write units a second.
    pub max_write: u32,
    /// The percentage of the capacity that scaling aims for. It is below `Alarms::usage_percent`,
    /// so that the alarm means that scaling does not keep up.
    pub target_percent: u32,
}

impl Default for AutoScaling {
    fn default() -> Self {
        Self {
            max_read: 1_000,
            max_write: 1_000,
            target_percent: 70,
        }
    }
}

/// The read or the write units of a table or an index.
#[derive(Debug)]
pub(super) struct Scaled {
    /// `AppRead`, `AppGSI1Write`
    pub(super) name: String,
    /// The suffix of the table's name: `/index/GSI1`, or empty.
    pub(super) index: String,
    /// `Read` or `Write`
    pub(super) what: &'static str,
    /// `dynamodb:table:ReadCapacityUnits`
    pub(super) dimension: String,
    /// `DynamoDBReadCapacityUtilization`
    pub(super) metric: String,
    pub(super) min: u32,
    pub(super) max: u32,
}

impl AutoScaling {
    /// Returns those of one table; none if it is on demand.
    pub(super) fn of(&self, table: &TableModel) -> Vec<Scaled> {
        let create = CreateTable::of(&table.schema);
        let Some((read, write)) = create.throughput else {
            return Vec::new();
        };
        let indexes = create.global.iter().map(|index| Some(index.name));
        let places = [None].into_iter().chain(indexes);
        let each = places.flat_map(|index| {
            [
                ("Read", read, self.max_read),
                ("Write", write, self.max_write),
            ]
            .map(|(what, min, max)| scaled(table.schema.name, index, what, (min, max)))
        });
        each.collect()
    }
}

fn scaled(table: &str, index: Option<&str>, what: &'static str, (min, max): (u32, u32)) -> Scaled {
    let place = if index.is_some() { "index" } else { "table" };
    let of_index = index.map(|it| format!("/index/{it}"));
    Scaled {
        name: format!(
            "{}{}{what}",
            pascal(table),
            pascal(index.unwrap_or_default())
        ),
        index: of_index.unwrap_or_default(),
        what,
        dimension: format!("dynamodb:{place}:{what}CapacityUnits"),
        metric: format!("DynamoDB{what}CapacityUtilization"),
        min,
        // More is provisioned than is allowed to be scaled to: the declaration counts.
        max: max.max(min),
    }
}
