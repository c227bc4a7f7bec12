//! Game records (kifu) of shogi players in one table: an inverted index, an index that reuses the
//! table's sort key, four local indexes.
//!
//! Most fields that identify an item (user, record, tag, share code, slug) are stored only in its
//! keys: `#[dynamo(key_only)]`. Every item has `pk` and `sk`, so every item is in SwapIndex.
//!
//! The document looks share codes up on SwapIndex, as `sk`. They are written to `cgsi_pk`, so it is
//! CommonGSI that finds them: [`Kifu::by_share_code_key`].

mod error;
mod generated;
mod kifu;
pub mod logic;
mod patterns;
mod samples;
pub mod spread;
mod stream;
mod users;
pub mod versions;

pub use error::ShogiError;
pub use kifu::{Analysis, AnalysisStatus, GameResult, Kifu, KifuTag, Side, Tag};
pub use patterns::{load, patterns};
pub use samples::{
    allowed_kifu, allowed_user, analysis, kifu, kifu_tag, samples, system_settings, tag,
    user_settings,
};
pub use stream::{on_record, on_records};
pub use users::{AllowedKifu, AllowedUser, SystemSettings, UserSettings};

use dynamo_model::{DynamoItems, DynamoTable, KeyPart};
use serde::{Deserialize, Serialize};

/// "Indexes". The document names the table like the project.
#[derive(DynamoTable, Debug)]
#[table(name = "ShogiProject", pk = "pk", sk = "sk", ttl = "expired", items = ShogiItem)]
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
pub struct ShogiProject;

/// `username`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct Username(pub String);

/// `kifu_id`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct KifuId(pub String);

/// `tag_id`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct TagId(pub String);

/// Every kind of item in the table.
#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = ShogiProject)]
#[allow(missing_docs)]
pub enum ShogiItem {
    Kifu(Kifu),
    UserSettings(UserSettings),
    SystemSettings(SystemSettings),
    Tag(Tag),
    KifuTag(KifuTag),
    AllowedKifu(AllowedKifu),
    AllowedUser(AllowedUser),
    Analysis(Analysis),
}
