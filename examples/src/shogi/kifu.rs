//! Game records, their tags, and analyses by an engine.

use super::{KifuId, ShogiProject, TagId, Username};
use dynamo_model::DynamoEntity;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// `first_or_second`: the side that moved first.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Side {
    First,
    Second,
}

/// `result` of a game; sennichite is a draw by repetition.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum GameResult {
    Win,
    Lose,
    Draw,
    Sennichite,
}

/// "1. Kifu". Without a share code it is not in CommonGSI, without a slug not in CommonLSI.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = ShogiProject)]
#[pk("kifu#uname#<username>")]
#[sk("kid#<kifu_id>")]
#[gsi1(pk = sk, sk = pk, as = by_kifu_id)]
#[gsi2(pk = "kifu#scode#<share_code>", sk = sk, as = by_share_code)]
#[lsi1(sk = "slug#<slug>", as = by_slug)]
#[lsi2(sk = "<created:s>", as = by_created)]
#[lsi3(sk = "<latest_access:s>", as = by_latest_access)]
#[lsi4(sk = "<latest_update:s>", as = by_latest_update)]
#[allow(missing_docs)]
pub struct Kifu {
    #[dynamo(key_only)]
    pub username: Username,
    #[dynamo(key_only)]
    pub kifu_id: KifuId,
    #[dynamo(key_only)]
    pub share_code: Option<String>,
    #[dynamo(key_only)]
    pub slug: Option<String>,
    /// The record itself, as KIF or KI2.
    pub kifu: String,
    pub first_or_second: Side,
    pub result: GameResult,
    pub memo: String,
    pub public: bool,
    pub share: bool,
    pub created: Timestamp,
    pub latest_access: Timestamp,
    pub latest_update: Timestamp,
}

/// "4. Tag definition". Tag names are unique among a user's tags; CommonLSI shows them.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = ShogiProject)]
#[pk("tag#uname#<username>")]
#[sk("tid#<tag_id>")]
#[gsi1(pk = sk, sk = pk, as = by_tag_id)]
#[lsi1(sk = "tname#<tag_name>", as = by_name)]
#[lsi2(sk = "<created:s>", as = by_created)]
#[lsi3(sk = "<latest_access:s>", as = by_latest_access)]
#[lsi4(sk = "<latest_update:s>", as = by_latest_update)]
#[unique("tag#uname#<username>#tname#<tag_name>")]
#[allow(missing_docs)]
pub struct Tag {
    #[dynamo(key_only)]
    pub username: Username,
    #[dynamo(key_only)]
    pub tag_id: TagId,
    #[dynamo(key_only)]
    pub tag_name: String,
    pub created: Timestamp,
    pub latest_access: Timestamp,
    pub latest_update: Timestamp,
}

/// "5. Kifu to tag". SwapIndex lists the records of a tag.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = ShogiProject)]
#[pk("tag#kid#<kifu_id>")]
#[sk("tid#<tag_id>")]
#[gsi1(pk = sk, sk = pk, as = by_tag)]
#[allow(missing_docs)]
pub struct KifuTag {
    #[dynamo(key_only)]
    pub kifu_id: KifuId,
    #[dynamo(key_only)]
    pub tag_id: TagId,
}

/// `status` of an analysis.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum AnalysisStatus {
    Waiting,
    Succeeded,
    Error,
}

/// "8. Analysis". CommonGSI lists those of a user.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = ShogiProject)]
#[pk("analysis")]
#[sk("aid#<analysis_id>")]
#[gsi1(pk = sk, sk = pk, as = by_analysis_id)]
#[gsi2(pk = "analysis#uname#<username>", sk = sk, as = by_username)]
#[lsi2(sk = "<created:s>", as = by_created)]
#[allow(missing_docs)]
pub struct Analysis {
    #[dynamo(key_only)]
    pub analysis_id: String,
    #[dynamo(key_only)]
    pub username: Username,
    pub created: Timestamp,
    pub status: AnalysisStatus,
    /// The result or the error, as JSON; absent while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    #[dynamo(ttl)]
    pub expired: u64,
}
