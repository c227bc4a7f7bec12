//! "Data migration": a record gets a new attribute, in stages, and each item has the version of its
//! schema.
//!
//! 1. **Backward compatible.** [`VersionedKifu`] reads items of both versions; the document's items
//!    are version 1. The old release reads items of version 2 as well: it ignores the new
//!    attribute, and its updates keep it.
//! 2. **Side by side.** Both releases write. [`save`] stores version 2. If the old release replaces
//!    a whole item, that is version 1 again.
//! 3. **Migrated.** [`to_version_2`] updates every item of version 1. It can be run again until
//!    [`versions`] finds no other version, and the old release is not running any more.

use super::spread::NextProject;
use super::{GameResult, Kifu, KifuId, Side, Username};
use dynamo_model::migrate::Migration;
use dynamo_model::{Dynamo, DynamoEntity, Entity, Error};
use futures_util::TryStreamExt;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::pin::pin;

/// The version that [`save`] and [`to_version_2`] store.
pub const VERSION: u32 = 2;

/// "KIF/KI2": how a record is written. The document leaves it to the reader to find out.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum KifuFormat {
    Kif,
    Ki2,
}

impl KifuFormat {
    /// KI2 marks the side of each move; KIF numbers the moves.
    #[must_use]
    pub fn of(kifu: &str) -> Self {
        match kifu.contains(['▲', '△', '☗', '☖']) {
            true => Self::Ki2,
            false => Self::Kif,
        }
    }
}

/// [`Kifu`], with the attribute of version 2.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = NextProject)]
#[pk("kifu#uname#<username>")]
#[sk("kid#<kifu_id>")]
#[gsi1(pk = sk, sk = pk, as = by_kifu_id)]
#[gsi2(pk = "kifu#scode#<share_code>", sk = sk, as = by_share_code)]
#[lsi1(sk = "slug#<slug>", as = by_slug)]
#[lsi2(sk = "<created:s>", as = by_created)]
#[lsi3(sk = "<latest_access:s>", as = by_latest_access)]
#[lsi4(sk = "<latest_update:s>", as = by_latest_update)]
#[allow(missing_docs)]
pub struct VersionedKifu {
    #[dynamo(key_only)]
    pub username: Username,
    #[dynamo(key_only)]
    pub kifu_id: KifuId,
    #[dynamo(key_only)]
    pub share_code: Option<String>,
    #[dynamo(key_only)]
    pub slug: Option<String>,
    pub kifu: String,
    /// Since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<KifuFormat>,
    pub first_or_second: Side,
    pub result: GameResult,
    pub memo: String,
    pub public: bool,
    pub share: bool,
    pub created: Timestamp,
    pub latest_access: Timestamp,
    pub latest_update: Timestamp,
    /// The document's items have no version; they are version 1.
    #[serde(default = "first_version")]
    pub schema_version: u32,
}

fn first_version() -> u32 {
    1
}

impl From<Kifu> for VersionedKifu {
    fn from(old: Kifu) -> Self {
        Self {
            format: Some(KifuFormat::of(&old.kifu)),
            username: old.username,
            kifu_id: old.kifu_id,
            share_code: old.share_code,
            slug: old.slug,
            kifu: old.kifu,
            first_or_second: old.first_or_second,
            result: old.result,
            memo: old.memo,
            public: old.public,
            share: old.share,
            created: old.created,
            latest_access: old.latest_access,
            latest_update: old.latest_update,
            schema_version: VERSION,
        }
    }
}

impl VersionedKifu {
    /// Returns the same in version 2, whichever was stored.
    #[must_use]
    pub fn current(self) -> Self {
        Self {
            format: Some(self.format.unwrap_or_else(|| KifuFormat::of(&self.kifu))),
            schema_version: self.schema_version.max(VERSION),
            ..self
        }
    }
}

/// Returns a record of either version, in version 2.
pub async fn load(
    db: &Dynamo,
    username: &Username,
    kifu_id: &KifuId,
) -> Result<Option<VersionedKifu>, Error> {
    let found = VersionedKifu::get(username, kifu_id).send(db).await?;
    Ok(found.map(VersionedKifu::current))
}

/// Stores a record in version 2.
pub async fn save(db: &Dynamo, kifu: VersionedKifu) -> Result<VersionedKifu, Error> {
    let current = kifu.current();
    current.put().send(db).await?;
    Ok(current)
}

/// Brings every record of version 1 to version 2.
pub fn to_version_2<'m>() -> Migration<'m, Kifu, VersionedKifu> {
    Migration::new("kifu-version-2", VersionedKifu::from)
        .done_if_new(|kifu| kifu.schema_version >= VERSION)
}

/// Returns how many records there are of each version: an operator's question, so it reads the
/// whole table.
pub async fn versions(db: &Dynamo) -> Result<BTreeMap<u32, usize>, Error> {
    let mut all = pin!(VersionedKifu::scan().stream(db));
    let mut counts = BTreeMap::new();
    while let Some(kifu) = all.try_next().await? {
        *counts.entry(kifu.schema_version).or_default() += 1;
    }
    Ok(counts)
}
