//! "3.5 Notifications".

use super::{BookingId, UserId};
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// "3.5 Notifications", the table. The document leaves the name of the TTL attribute open.
#[derive(DynamoTable, Debug)]
#[table(
    name = "studio-booking-notifications",
    pk = "PK",
    sk = "SK",
    ttl = "expiresAt",
    items = NotificationItem
)]
#[table(point_in_time_recovery, billing = on_demand, stream = new_and_old_images, no_scan)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct Notifications;

/// "3.5 Notifications", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Notifications)]
#[pk("USER#<user_id>")]
#[sk("NOTIFICATION#<created_at:s>")]
#[gsi1(pk = "TYPE#<notification_type>", sk = "<created_at:s>", as = by_type)]
#[allow(missing_docs)]
pub struct Notification {
    #[dynamo(key_only)]
    pub user_id: UserId,
    pub title: String,
    pub content: String,
    #[serde(rename = "type")]
    pub notification_type: String,
    pub is_read: bool,
    pub related_entity_id: Option<BookingId>,
    pub created_at: Timestamp,
    #[dynamo(null)]
    pub read_at: Option<Timestamp>,
    /// Old notifications expire if it is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[dynamo(ttl)]
    pub expires_at: Option<u64>,
}

/// The number of unread notifications of a user ("7. Streams"). The document does not say where it
/// is stored. Here it is beside the notifications, so that a new notification writes no other item
/// of the user.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Notifications)]
#[pk("USER#<user_id>")]
#[sk("UNREAD")]
#[allow(missing_docs)]
pub struct UnreadCount {
    #[dynamo(key_only)]
    pub user_id: UserId,
    pub unread: u32,
    #[dynamo(version)]
    pub version: u64,
}

/// The items in the partition of a user.
#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = Notifications)]
#[allow(missing_docs)]
pub enum NotificationItem {
    Notification(Notification),
    Unread(UnreadCount),
}
