//! A club of twelve players: always the same, so that the results of queries are known.

use super::{
    AllowedKifu, AllowedUser, Analysis, AnalysisStatus, GameResult, Kifu, KifuId, KifuTag, Side,
    Tag, TagId, UserSettings, Username, tag,
};
use jiff::Timestamp;

/// The first two are the document's.
pub(super) const PLAYERS: [&str; 12] = [
    "h-akira",
    "h-akira2",
    "k-tanaka",
    "m-sato",
    "y-suzuki",
    "t-yamada",
    "n-kobayashi",
    "s-ito",
    "r-watanabe",
    "a-nakamura",
    "j-kato",
    "e-mori",
];
/// Records of a player. One more is a prime, so that multiples of a number modulo it are a
/// permutation.
pub(super) const RECORDS: usize = 60;
const TAGS: [&str; 8] = [
    "四間飛車",
    "四間飛車穴熊",
    "中飛車",
    "三間飛車",
    "居飛車",
    "矢倉",
    "角換わり",
    "相掛かり",
];
const EVENTS: [&str; 3] = ["社団戦", "名人戦", "町道場"];
pub(super) const ANALYSES: usize = 15;

/// `2025-01-01T00:00:00Z`.
const START: i64 = 1_735_689_600;
const DAY: i64 = 86_400;
/// In 2100: not while the tour runs.
const LATE: u64 = 4_102_444_800;
/// In June 2025: over.
const OVER: u64 = 1_748_736_000;

/// A time after all generated items, before any of them expires.
pub(super) const NOW: Timestamp = Timestamp::constant(1_767_225_600, 0);

fn day(day: usize, second: usize) -> Timestamp {
    let seconds =
        i64::try_from(day).unwrap_or_default() * DAY + i64::try_from(second).unwrap_or_default();
    Timestamp::from_second(START + seconds).unwrap_or_default()
}

pub(super) fn username(player: usize) -> Username {
    Username(PLAYERS[player % PLAYERS.len()].into())
}

/// The document's first player has ids like the document's.
pub(super) fn kifu_id(player: usize, n: usize) -> KifuId {
    KifuId(match player {
        0 => format!("fdsaj9d9s{n}"),
        _ => format!("fdsaj{player:02}s{n}"),
    })
}

/// Record `n` of a player, from 1. Created in one order, updated in another, accessed in a third.
pub(super) fn kifu(player: usize, n: usize) -> Kifu {
    let shuffled = |by: usize| n * by % (RECORDS + 1);
    let share = n.is_multiple_of(3);
    Kifu {
        username: username(player),
        kifu_id: kifu_id(player, n),
        share_code: share.then(|| format!("sc{player:02}x{n:03}")),
        slug: n
            .is_multiple_of(2)
            .then(|| format!("{}/2025/{n}", EVENTS[n / 2 % EVENTS.len()])),
        kifu: format!("手合割：平手\n先手：{}\n後手：...", PLAYERS[player]),
        first_or_second: if n.is_multiple_of(2) {
            Side::First
        } else {
            Side::Second
        },
        result: [GameResult::Win, GameResult::Lose, GameResult::Draw][n % 3],
        memo: format!("{n}局目"),
        public: n.is_multiple_of(4),
        share,
        created: day(shuffled(37), n),
        latest_update: day(90 + shuffled(17), n),
        latest_access: day(180 + shuffled(23), n),
    }
}

pub(super) fn records(player: usize) -> impl Iterator<Item = Kifu> {
    (1..=RECORDS).map(move |n| kifu(player, n))
}

pub(super) fn tag_id(player: usize, at: usize) -> TagId {
    match (player, at) {
        (0, 0) => tag().tag_id,
        _ => TagId(format!("tag{player:02}n{at}")),
    }
}

pub(super) fn generated_tag(player: usize, at: usize) -> Tag {
    Tag {
        username: username(player),
        tag_id: tag_id(player, at),
        tag_name: TAGS[at].into(),
        created: day(at, player),
        latest_access: day(180 + at, player),
        latest_update: day(90 + at, player),
    }
}

/// Without the one that the document has.
pub(super) fn tags() -> impl Iterator<Item = Tag> {
    let all = (0..PLAYERS.len()).flat_map(|player| (0..TAGS.len()).map(move |at| (player, at)));
    all.filter(|it| *it != (0, 0))
        .map(|(player, at)| generated_tag(player, at))
}

/// Two tags a record.
pub(super) fn kifu_tags() -> impl Iterator<Item = KifuTag> {
    let all = (0..PLAYERS.len()).flat_map(|player| (1..=RECORDS).map(move |n| (player, n)));
    all.flat_map(|(player, n)| {
        [n % TAGS.len(), (n + 3) % TAGS.len()].map(|at| KifuTag {
            kifu_id: kifu_id(player, n),
            tag_id: tag_id(player, at),
        })
    })
}

/// Every tenth record is for the next player.
pub(super) fn allowed_records() -> impl Iterator<Item = AllowedKifu> {
    (0..PLAYERS.len()).flat_map(|player| {
        (1..=RECORDS).step_by(10).map(move |n| AllowedKifu {
            kifu_id: kifu_id(player, n),
            username: username(player + 1),
        })
    })
}

/// Every other player shows all to the third after.
pub(super) fn allowed_users() -> impl Iterator<Item = AllowedUser> {
    (0..PLAYERS.len()).step_by(2).map(|player| AllowedUser {
        username: username(player),
        allowed_username: username(player + 3),
    })
}

pub(super) fn settings() -> impl Iterator<Item = UserSettings> {
    (0..PLAYERS.len()).map(|player| UserSettings {
        username: username(player),
        kifu_max: 3000,
        tag_max: 50,
    })
}

/// Of every five, the last has expired.
pub(super) fn analyses() -> impl Iterator<Item = Analysis> {
    (0..PLAYERS.len()).flat_map(|player| {
        (0..ANALYSES).map(move |at| Analysis {
            analysis_id: format!("an{player:02}x{at:02}"),
            username: username(player),
            created: day(at, player),
            status: [
                AnalysisStatus::Succeeded,
                AnalysisStatus::Waiting,
                AnalysisStatus::Error,
            ][at % 3],
            response: (at % 3 != 1).then(|| r#"{"moves": []}"#.into()),
            expired: if at % 5 == 4 { OVER } else { LATE },
        })
    })
}
