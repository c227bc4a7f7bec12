//! "Scalability, 1.": the alternative for many users. The document has the settings of all users in
//! one partition, and all analyses in another; the hash of the user's name spreads both over
//! [`SHARDS`] partitions. A user's records and tags already have separate partitions.
//!
//! [`NextProject`] is a second declaration of the same table. [`spread_settings`] and
//! [`spread_analyses`] move the items while the application runs: until both are done,
//! [`settings_of`] and [`analysis`] find an item at either key.

use super::versions::VersionedKifu;
use super::{Analysis, AnalysisStatus, UserSettings, Username};
use dynamo_model::migrate::Migration;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Error};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How many partitions there are: as many as [`SpreadUserSettings`] and [`SpreadAnalysis`] declare.
/// Another number would be another migration.
pub const SHARDS: u32 = 16;

/// The table as the next release declares it, with the same keys and indexes.
#[derive(DynamoTable, Debug)]
#[table(name = "ShogiProject", pk = "pk", sk = "sk", ttl = "expired", items = NextItem)]
#[table(stream = new_and_old_images)]
#[gsi1(name = "SwapIndex", pk = "sk", sk = "pk")]
#[gsi2(name = "CommonGSI", pk = "cgsi_pk", sk = "sk")]
#[lsi1(name = "CommonLSI", sk = "clsi_sk", projection = include("cgsi_pk", "clsi_sk"))]
#[lsi2(name = "CreatedIndex", sk = "created", projection = include("cgsi_pk", "clsi_sk", "share"))]
#[lsi3(
    name = "LatestAccessIndex",
    sk = "latest_access",
    projection = include("cgsi_pk", "clsi_sk", "share")
)]
#[lsi4(
    name = "LatestUpdateIndex",
    sk = "latest_update",
    projection = include("cgsi_pk", "clsi_sk", "share")
)]
pub struct NextProject;

/// [`UserSettings`], in 16 partitions.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = NextProject)]
#[pk("users#<username:shard(16)>")]
#[sk("uname#<username>")]
#[gsi1(pk = sk, sk = pk, as = by_username)]
#[allow(missing_docs)]
pub struct SpreadUserSettings {
    #[dynamo(key_only)]
    pub username: Username,
    pub kifu_max: u32,
    pub tag_max: u32,
}

/// [`Analysis`], in 16 partitions. Its key now needs the user; SwapIndex finds it by its id.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = NextProject)]
#[pk("analysis#<username:shard(16)>")]
#[sk("aid#<analysis_id>")]
#[gsi1(pk = sk, sk = pk, as = by_analysis_id)]
#[gsi2(pk = "analysis#uname#<username>", sk = sk, as = by_username)]
#[lsi2(sk = "<created:s>", as = by_created)]
#[allow(missing_docs)]
pub struct SpreadAnalysis {
    #[dynamo(key_only)]
    pub analysis_id: String,
    #[dynamo(key_only)]
    pub username: Username,
    pub created: Timestamp,
    pub status: AnalysisStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    #[dynamo(ttl)]
    pub expired: u64,
}

/// The entities that the next release changes. All other items of the table stay.
#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = NextProject)]
#[allow(missing_docs)]
pub enum NextItem {
    Kifu(VersionedKifu),
    UserSettings(SpreadUserSettings),
    Analysis(SpreadAnalysis),
}

impl From<UserSettings> for SpreadUserSettings {
    fn from(old: UserSettings) -> Self {
        Self {
            username: old.username,
            kifu_max: old.kifu_max,
            tag_max: old.tag_max,
        }
    }
}

impl From<Analysis> for SpreadAnalysis {
    fn from(old: Analysis) -> Self {
        Self {
            analysis_id: old.analysis_id,
            username: old.username,
            created: old.created,
            status: old.status,
            response: old.response,
            expired: old.expired,
        }
    }
}

/// Moves the settings of all users: each is put at its new key and deleted at the old one, in one
/// transaction.
pub fn spread_settings<'m>() -> Migration<'m, UserSettings, SpreadUserSettings> {
    Migration::new("spread-settings", SpreadUserSettings::from)
}

/// Moves all analyses.
pub fn spread_analyses<'m>() -> Migration<'m, Analysis, SpreadAnalysis> {
    Migration::new("spread-analyses", SpreadAnalysis::from)
}

/// Returns the settings of a user, moved or not. Both keys are read in one transaction, so that a
/// move between two reads does not hide them.
pub async fn settings_of(
    db: &Dynamo,
    username: &Username,
) -> Result<Option<SpreadUserSettings>, Error> {
    let keys = (
        SpreadUserSettings::key(username),
        UserSettings::key(username),
    );
    let (moved, old) = TransactGet::new(keys).send(db).await?;
    Ok(moved.or(old.map(SpreadUserSettings::from)))
}

/// Returns an analysis of a user, moved or not.
pub async fn analysis(
    db: &Dynamo,
    username: &Username,
    analysis_id: &str,
) -> Result<Option<SpreadAnalysis>, Error> {
    let keys = (
        SpreadAnalysis::key(username, analysis_id),
        Analysis::key(analysis_id),
    );
    let (moved, old) = TransactGet::new(keys).send(db).await?;
    Ok(moved.or(old.map(SpreadAnalysis::from)))
}

/// Returns the settings of all users, from all partitions side by side, by name. The document has
/// one query for that.
pub async fn all_settings(db: &Dynamo) -> Result<Vec<SpreadUserSettings>, Error> {
    SpreadUserSettings::across().all(db).await
}
