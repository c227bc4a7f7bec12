//! "3.1 Users".

use super::UserId;
use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// "3.1 Users", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "studio-booking-users", pk = "PK")]
#[table(encryption = kms, point_in_time_recovery, billing = on_demand)]
#[table(no_scan, require(encryption, point_in_time_recovery))]
#[table(stream = new_and_old_images)]
#[gsi1(name = "GSI1", pk = "email")]
pub struct Users;

/// "3.1 Users", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Users, scannable = "new terms are announced to all users")]
#[pk("USER#<user_id>")]
#[gsi1(pk = "<email>", as = by_email)]
#[allow(missing_docs)]
pub struct User {
    #[dynamo(key_only)]
    pub user_id: UserId,
    pub email: String,
    #[dynamo(sensitive)]
    pub hashed_password: String,
    pub full_name: String,
    pub company_name: String,
    #[dynamo(sensitive)]
    pub address: String,
    #[dynamo(sensitive)]
    pub phone: String,
    pub is_admin: bool,
    pub total_usage_minutes: u32,
    pub booking_count: u32,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}
