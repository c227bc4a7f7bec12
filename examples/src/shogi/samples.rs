//! The document's "data patterns", item by item.

use super::{
    AllowedKifu, AllowedUser, Analysis, AnalysisStatus, GameResult, Kifu, KifuId, KifuTag, Side,
    SystemSettings, Tag, TagId, UserSettings, Username,
};
use crate::{Result, Sample};
use dynamo_model::index::{Gsi1, Gsi2, Lsi1, Lsi2, Lsi3, Lsi4};
use jiff::Timestamp;

pub(super) fn akira() -> Username {
    Username("h-akira".into())
}

pub(super) fn akira2() -> Username {
    Username("h-akira2".into())
}

pub(super) fn tag_id() -> TagId {
    TagId("jko2kdl".into())
}

/// `2025-12-31T11:11:31Z`.
const CREATED: Timestamp = Timestamp::constant(1_767_179_491, 0);

/// "1. Kifu".
#[must_use]
pub fn kifu() -> Kifu {
    Kifu {
        username: akira(),
        kifu_id: KifuId("fdsaj9d9s0".into()),
        share_code: Some("lkihofkwif4tF".into()),
        slug: Some("社団戦/2025/鈴木".into()),
        kifu: "手合割：平手\n先手：...".into(),
        first_or_second: Side::First,
        result: GameResult::Sennichite,
        memo: "序盤研究用の棋譜".into(),
        public: true,
        share: true,
        created: CREATED,
        latest_access: CREATED,
        latest_update: CREATED,
    }
}

/// "2. User settings".
#[must_use]
pub fn user_settings() -> UserSettings {
    UserSettings {
        username: akira(),
        kifu_max: 3000,
        tag_max: 50,
    }
}

/// "3. System settings".
#[must_use]
pub fn system_settings() -> SystemSettings {
    SystemSettings {
        kifu_max: 3000,
        tag_max: 50,
    }
}

/// "4. Tag definition".
#[must_use]
pub fn tag() -> Tag {
    Tag {
        username: akira(),
        tag_id: tag_id(),
        tag_name: "四間飛車".into(),
        created: CREATED,
        latest_access: CREATED,
        latest_update: CREATED,
    }
}

/// "5. Kifu to tag".
#[must_use]
pub fn kifu_tag() -> KifuTag {
    KifuTag {
        kifu_id: KifuId("fdsaj9d9s1".into()),
        tag_id: tag_id(),
    }
}

/// "6. Access to a kifu".
#[must_use]
pub fn allowed_kifu() -> AllowedKifu {
    AllowedKifu {
        kifu_id: KifuId("fdsaj9d9s1".into()),
        username: akira2(),
    }
}

/// "7. Access to all of a user".
#[must_use]
pub fn allowed_user() -> AllowedUser {
    AllowedUser {
        username: akira(),
        allowed_username: akira2(),
    }
}

/// "8. Analysis".
#[must_use]
pub fn analysis() -> Analysis {
    Analysis {
        analysis_id: "fdjsklfadf".into(),
        username: akira(),
        created: CREATED,
        status: AnalysisStatus::Succeeded,
        response: Some(r#"{"moves": [...], "evaluation": [...]}"#.into()),
        expired: 1_234_567_890,
    }
}

fn kifu_sample() -> Sample {
    Sample::of(&kifu(), |key| Kifu::key(key.username, key.kifu_id))
        .index::<Gsi1>(|key| Kifu::by_kifu_id_key(key.kifu_id, key.username))
        .index::<Gsi2>(|key| Kifu::by_share_code_key(key.share_code, key.kifu_id))
        .index::<Lsi1>(|key| Kifu::by_slug_key(key.username, key.slug))
        .index::<Lsi2>(|key| Kifu::by_created_key(key.username, key.created))
        .index::<Lsi3>(|key| Kifu::by_latest_access_key(key.username, key.latest_access))
        .index::<Lsi4>(|key| Kifu::by_latest_update_key(key.username, key.latest_update))
        .done()
}

fn tag_sample() -> Sample {
    Sample::of(&tag(), |key| Tag::key(key.username, key.tag_id))
        .index::<Gsi1>(|key| Tag::by_tag_id_key(key.tag_id, key.username))
        .index::<Lsi1>(|key| Tag::by_name_key(key.username, key.tag_name))
        .index::<Lsi2>(|key| Tag::by_created_key(key.username, key.created))
        .index::<Lsi3>(|key| Tag::by_latest_access_key(key.username, key.latest_access))
        .index::<Lsi4>(|key| Tag::by_latest_update_key(key.username, key.latest_update))
        .done()
}

fn analysis_sample() -> Sample {
    Sample::of(&analysis(), |key| Analysis::key(key.analysis_id))
        .index::<Gsi1>(|key| Analysis::by_analysis_id_key(key.analysis_id))
        .index::<Gsi2>(|key| Analysis::by_username_key(key.username, key.analysis_id))
        .index::<Lsi2>(|key| Analysis::by_created_key(key.created))
        .done()
}

/// One item an entity, with all its keys.
pub fn samples() -> Result<Vec<Sample>> {
    Ok(vec![
        kifu_sample(),
        Sample::of(&user_settings(), |key| UserSettings::key(key.username))
            .index::<Gsi1>(|key| UserSettings::by_username_key(key.username))
            .done(),
        Sample::of(&system_settings(), |_| SystemSettings::key())
            .index::<Gsi1>(|_| SystemSettings::swapped_key())
            .done(),
        tag_sample(),
        Sample::of(&kifu_tag(), |key| KifuTag::key(key.kifu_id, key.tag_id))
            .index::<Gsi1>(|key| KifuTag::by_tag_key(key.tag_id, key.kifu_id))
            .done(),
        Sample::of(&allowed_kifu(), |key| {
            AllowedKifu::key(key.kifu_id, key.username)
        })
        .index::<Gsi1>(|key| AllowedKifu::by_username_key(key.username, key.kifu_id))
        .done(),
        Sample::of(&allowed_user(), |key| {
            AllowedUser::key(key.username, key.allowed_username)
        })
        .index::<Gsi1>(|key| {
            AllowedUser::by_allowed_username_key(key.allowed_username, key.username)
        })
        .done(),
        analysis_sample(),
    ])
}
