//! Settings, and permissions to see records.

use super::{KifuId, ShogiProject, Username};
use dynamo_model::DynamoEntity;
use serde::{Deserialize, Serialize};

/// "2. User settings".
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = ShogiProject)]
#[pk("users")]
#[sk("uname#<username>")]
#[gsi1(pk = sk, sk = pk, as = by_username)]
#[allow(missing_docs)]
pub struct UserSettings {
    #[dynamo(key_only)]
    pub username: Username,
    pub kifu_max: u32,
    pub tag_max: u32,
}

/// "3. System settings": one item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = ShogiProject)]
#[pk("system")]
#[sk("none")]
#[gsi1(pk = sk, sk = pk, as = swapped)]
#[allow(missing_docs)]
pub struct SystemSettings {
    pub kifu_max: u32,
    pub tag_max: u32,
}

/// "6. Access to a kifu": this user may see this record. SwapIndex lists the records that a user
/// may see.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = ShogiProject)]
#[pk("kallowed#kid#<kifu_id>")]
#[sk("uname#<username>")]
#[gsi1(pk = sk, sk = pk, as = by_username)]
#[allow(missing_docs)]
pub struct AllowedKifu {
    #[dynamo(key_only)]
    pub kifu_id: KifuId,
    #[dynamo(key_only)]
    pub username: Username,
}

/// "7. Access to all of a user": the second may see all records of the first.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = ShogiProject)]
#[pk("uallowed#uname#<username>")]
#[sk("uname#<allowed_username>")]
#[gsi1(pk = sk, sk = pk, as = by_allowed_username)]
#[allow(missing_docs)]
pub struct AllowedUser {
    #[dynamo(key_only)]
    pub username: Username,
    #[dynamo(key_only)]
    pub allowed_username: Username,
}
