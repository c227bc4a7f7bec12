//! "3.5 Follows" and "3.6 Blocks": each with an index that reads it the other way round.

use super::UserId;
use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// "3.5 Follows", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "Follows", pk = "followerId", sk = "followeeId")]
#[table(point_in_time_recovery, billing = on_demand)]
#[gsi1(name = "GSI1_Followers", pk = "followeeId", sk = "followerId")]
pub struct Follows;

/// "3.5 Follows", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Follows)]
#[pk("<follower_id>")]
#[sk("<followee_id>")]
#[gsi1(pk = sk, sk = pk, as = followers)]
#[allow(missing_docs)]
pub struct Follow {
    pub follower_id: UserId,
    pub followee_id: UserId,
    pub created_at: Timestamp,
}

/// "3.6 Blocks", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "Blocks", pk = "blockerId", sk = "blockedId")]
#[table(point_in_time_recovery, billing = on_demand)]
#[gsi1(name = "GSI1_BlockedBy", pk = "blockedId", sk = "blockerId")]
pub struct Blocks;

/// "3.6 Blocks", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Blocks)]
#[pk("<blocker_id>")]
#[sk("<blocked_id>")]
#[gsi1(pk = sk, sk = pk, as = blocked_by)]
#[allow(missing_docs)]
pub struct Block {
    pub blocker_id: UserId,
    pub blocked_id: UserId,
    pub created_at: Timestamp,
}
