//! The settings of a deployment that no declaration contains.

use super::{Alarms, AutoScaling};
use crate::Model;
use dynamo_model::__tools::CreateTable;
use dynamo_model::schema::{Billing, TableSchema};

/// The settings of CloudFormation and Terraform that no declaration contains.
///
/// ```
/// use dynamo_model_tools::{Alarms, Deployment};
///
/// let deployment = Deployment::new()
///     .table_prefix("dev-q-")
///     .customer_key()
///     .daily_backups(30)
///     .alarms(Alarms { latency_millis: 50, ..Alarms::default() });
/// assert_eq!(deployment.table_prefix, "dev-q-");
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Deployment {
    /// The prefix of each table's declared name; a parameter of the template.
    pub table_prefix: String,
    /// Whether the template creates a key for tables with KMS encryption that declare no key.
    pub customer_key: bool,
    /// How many days a daily backup is kept, where there are daily backups.
    pub daily_backups: Option<u16>,
    /// The alarms and their thresholds.
    pub alarms: Alarms,
    /// How provisioned capacity follows the traffic.
    pub auto_scaling: Option<AutoScaling>,
    /// Whether there is a dashboard of the tables.
    pub dashboard: bool,
    /// After how many days an export moves to Glacier, where there is a bucket for exports.
    pub archive: Option<u32>,
}

impl Deployment {
    /// Creates a deployment with only the alarms of the design documents.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts this before each table's name, as `Dynamo::with_table_prefix` does.
    #[must_use]
    pub fn table_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.table_prefix = prefix.into();
        self
    }

    /// Makes a key for the tables with KMS encryption, instead of taking the account's own for
    /// DynamoDB.
    #[must_use]
    pub fn customer_key(mut self) -> Self {
        self.customer_key = true;
        self
    }

    /// Backs every table up each day, and keeps that for so many days.
    #[must_use]
    pub fn daily_backups(mut self, days: u16) -> Self {
        self.daily_backups = Some(days);
        self
    }

    /// Sets other thresholds.
    #[must_use]
    pub fn alarms(mut self, alarms: Alarms) -> Self {
        self.alarms = alarms;
        self
    }

    /// Scales the read and write units of provisioned tables and their global indexes.
    #[must_use]
    pub fn auto_scaling(mut self, scaling: AutoScaling) -> Self {
        self.auto_scaling = Some(scaling);
        self
    }

    /// Makes a dashboard: capacity, throttled requests, latency and errors of each table, and of
    /// its indexes.
    #[must_use]
    pub fn dashboard(mut self) -> Self {
        self.dashboard = true;
        self
    }

    /// Creates a bucket for exports of tables ([`Table::export`](dynamo_model::Table::export)) and
    /// a policy for exporting roles. Objects move to Glacier after so many days.
    #[must_use]
    pub fn archive(mut self, days_to_glacier: u32) -> Self {
        self.archive = Some(days_to_glacier);
        self
    }

    /// Returns the scaling of a table's units, if they are scaled. DynamoDB has no global table
    /// with a fixed number of write units.
    pub(super) fn scaling_of(&self, table: &TableSchema) -> Option<AutoScaling> {
        let is_provisioned = matches!(table.billing, Billing::Provisioned { .. });
        let must = is_provisioned && !table.replicas.is_empty();
        self.auto_scaling.or(must.then(AutoScaling::default))
    }

    /// Returns whether the template creates a key: it is requested, and a table uses it.
    pub(super) fn makes_key(&self, model: &Model) -> bool {
        let mut tables = model.tables.iter();
        self.customer_key && tables.any(|it| CreateTable::of(&it.schema).kms == Some(None))
    }
}
