//! "3.6 TermsOfService" and "3.7 UserAgreements".

use super::{TermsVersion, UserId};
use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// "3.6 TermsOfService", the table. Its index is over plain attributes.
#[derive(DynamoTable, Debug)]
#[table(name = "studio-booking-terms-of-service", pk = "PK")]
#[table(point_in_time_recovery, billing = on_demand, no_scan)]
#[gsi1(name = "GSI1", pk = "STATUS", sk = "effectiveDate")]
pub struct TermsOfService;

/// `STATUS` of the terms.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum TermsStatus {
    Active,
    Inactive,
}

/// "3.6 TermsOfService", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = TermsOfService)]
#[pk("TERMS#<version>")]
#[gsi1(pk = "<status>", sk = "<effective_date:s>", as = by_status)]
#[allow(missing_docs)]
pub struct Terms {
    #[serde(rename = "STATUS")]
    pub status: TermsStatus,
    pub version: TermsVersion,
    pub title: String,
    pub content: String,
    pub effective_date: Timestamp,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// "3.7 UserAgreements", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "studio-booking-user-agreements", pk = "PK", sk = "SK")]
#[table(point_in_time_recovery, billing = on_demand, no_scan)]
pub struct UserAgreements;

/// "3.7 UserAgreements", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = UserAgreements)]
#[pk("USER#<user_id>")]
#[sk("TERMS#<version>")]
#[allow(missing_docs)]
pub struct UserAgreement {
    #[dynamo(key_only)]
    pub user_id: UserId,
    #[dynamo(key_only)]
    pub version: TermsVersion,
    pub agreed_at: Timestamp,
}
