//! "3.8 Reports", "3.10 NGWords" and "3.12 AdminLogs".

use super::{Email, LogId, ReportId, UserId, Word};
use dynamo_model::{DynamoEntity, DynamoTable, KeyPart, Value};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// "3.8 Reports", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "Reports", pk = "reportId")]
#[table(point_in_time_recovery, billing = on_demand)]
#[gsi1(name = "GSI1_Status", pk = "status", sk = "createdAt")]
pub struct Reports;

/// `targetType` of a report.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ReportTarget {
    User,
    Answer,
}

/// `category` of a report.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ReportCategory {
    Spam,
    Harassment,
    Inappropriate,
    Impersonation,
    Privacy,
    Other,
}

/// `status` of a report.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ReportStatus {
    Pending,
    Resolved,
    Dismissed,
}

/// "3.8 Reports", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Reports)]
#[pk("<report_id>")]
#[gsi1(pk = "<status>", sk = "<created_at:s>", as = by_status)]
#[allow(missing_docs)]
pub struct Report {
    pub report_id: ReportId,
    pub reporter_id: UserId,
    pub target_type: ReportTarget,
    /// A `userId` or an `answerId`.
    pub target_id: String,
    pub category: ReportCategory,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub status: ReportStatus,
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_by: Option<UserId>,
}

/// "3.10 NGWords", the table. Its stream keeps [`NgWordCache`](super::logic::NgWordCache) current.
#[derive(DynamoTable, Debug)]
#[table(name = "NGWords", pk = "word")]
#[table(point_in_time_recovery, billing = on_demand, stream = new_and_old_images)]
pub struct NgWords;

/// "3.10 NGWords", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = NgWords)]
#[pk("<word>")]
#[allow(missing_docs)]
pub struct NgWord {
    pub word: Word,
    pub created_at: Timestamp,
    pub created_by: UserId,
}

/// "3.12 AdminLogs", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "AdminLogs", pk = "pk", sk = "sk", ttl = "ttl")]
#[table(point_in_time_recovery, billing = on_demand)]
#[gsi1(name = "GSI1_Action", pk = "action", sk = "timestamp")]
#[gsi2(name = "GSI2_Admin", pk = "adminId", sk = "timestamp")]
pub struct AdminLogs;

/// `action` of an administrator.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs)]
pub enum AdminAction {
    AddNgWord,
    DeleteNgWord,
    CreateQuestion,
    SetDailyQuestion,
    UpdateReport,
    ReviewSubmission,
    BanUser,
    UnbanUser,
    ReviewFlaggedPost,
    /// Not in the document, which has the status `archived` and no action for it.
    ArchiveQuestion,
}

/// "3.12 AdminLogs", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = AdminLogs)]
#[pk("LOG")]
#[sk("<timestamp:s>#<log_id>")]
#[gsi1(pk = "<action>", sk = "<timestamp:s>", as = by_action)]
#[gsi2(pk = "<admin_id>", sk = "<timestamp:s>", as = by_admin)]
#[allow(missing_docs)]
pub struct AdminLog {
    pub log_id: LogId,
    pub admin_id: UserId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admin_email: Option<Email>,
    pub action: AdminAction,
    /// `ngWord`, `question`, `report` and others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_id: Option<String>,
    /// The document leaves its contents open: any value that DynamoDB stores.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<String>,
    pub timestamp: Timestamp,
    /// Ninety days after `timestamp`.
    #[dynamo(ttl)]
    pub ttl: u64,
}
