//! "3.1 Users" and "3.11 PushTokens".

use super::{AppId, Bio, DisplayName, Email, ImageUrl, Reservations, UserId, Username};
use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// "3.1 Users", the table. The document marks `username-index` as future.
#[derive(DynamoTable, Debug)]
#[table(name = "Users", pk = "userId")]
#[table(point_in_time_recovery, billing = on_demand)]
#[gsi1(name = "GSI1_AppId", pk = "appId")]
#[gsi2(name = "email-index", pk = "email")]
#[gsi3(name = "username-index", pk = "username")]
pub struct Users;

/// `visibilityType`: mutual followers only, or all followers.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum VisibilityType {
    #[default]
    Mutual,
    Followers,
}

/// "3.1 Users", the item. Without a username it is not in `username-index`.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Users)]
#[pk("<user_id>")]
#[gsi1(pk = "<app_id>", as = by_app_id)]
#[gsi2(pk = "<email>", as = by_email)]
#[gsi3(pk = "<username>", as = by_username)]
#[unique("APP_ID#<app_id>", in = Reservations)]
#[unique("EMAIL#<email>", in = Reservations)]
#[unique("USERNAME#<username>", in = Reservations)]
#[allow(missing_docs)]
pub struct User {
    pub user_id: UserId,
    /// Set when the user signs up, and never again.
    #[dynamo(immutable)]
    pub app_id: AppId,
    /// Absent, never null: a key attribute of an index cannot be null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<Username>,
    /// Null until the user sets it.
    #[dynamo(null)]
    pub display_name: Option<DisplayName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bio: Option<Bio>,
    pub email: Email,
    pub birth_date: Date,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_image_url: Option<ImageUrl>,
    #[serde(default)]
    pub is_private: bool,
    pub visibility_type: VisibilityType,
    pub following_count: u64,
    pub follower_count: u64,
    pub is_banned: bool,
    #[serde(default)]
    pub is_admin: bool,
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// "3.11 PushTokens", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "PushTokens", pk = "userId", sk = "token")]
#[table(point_in_time_recovery, billing = on_demand)]
pub struct PushTokens;

/// `deviceType`.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum DeviceType {
    Ios,
    Android,
}

/// "3.11 PushTokens", the item: one a device.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = PushTokens)]
#[pk("<user_id>")]
#[sk("<token>")]
#[allow(missing_docs)]
pub struct PushToken {
    pub user_id: UserId,
    pub token: String,
    pub device_type: DeviceType,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}
