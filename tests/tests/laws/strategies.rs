//! The strategies of values.

use proptest::prelude::*;
use proptest::test_runner::Config;

/// Thousands of cases a law.
pub fn thousands() -> Config {
    Config {
        cases: 4_096,
        failure_persistence: None,
        ..Config::default()
    }
}

/// Characters that matter to the codec: every delimiter in use, the escape leads and their hex
/// digits, the characters just below and above them, the limits of Unicode, combining and 4-byte
/// characters.
const HOSTILE: &[char] = &[
    '#',
    '$',
    '%',
    '!',
    '"',
    ' ',
    '/',
    ':',
    '_',
    '-',
    '|',
    '+',
    ',',
    '0',
    '2',
    '3',
    '4',
    '9',
    'A',
    'a',
    'z',
    '<',
    '>',
    '\0',
    '\u{1f}',
    '\u{7f}',
    '\u{80}',
    'é',
    '\u{301}',
    '山',
    '\u{d7ff}',
    '\u{e000}',
    '\u{ffff}',
    '😀',
    '\u{10ffff}',
];

/// Returns a non-empty string, most often short and hostile.
pub fn hostile() -> impl Strategy<Value = String> {
    let nasty = proptest::collection::vec(proptest::sample::select(HOSTILE), 1..8)
        .prop_map(String::from_iter);
    let famous = proptest::sample::select(vec![
        "a#ADMIN",
        "$23",
        "a$23b",
        "%3A",
        "%",
        "#",
        "##",
        "USER#1",
        "1",
        "10",
        "100",
        "PROFILE",
        "ANSWER#",
        "\u{10ffff}\u{10ffff}",
        "e\u{301}",
        "…",
    ])
    .prop_map(String::from);
    prop_oneof![4 => nasty, 1 => famous, 1 => "\\PC{1,40}", 1 => any::<String>().prop_filter("empty", |s| !s.is_empty())]
}

/// Few characters and short strings, so that two random values nearly collide.
pub fn cramped() -> impl Strategy<Value = String> {
    let alphabet = proptest::sample::select(vec!['a', '#', '$', '%', '2', '3', ':', 'A', ' ']);
    proptest::collection::vec(alphabet, 1..4).prop_map(String::from_iter)
}

/// Seconds of the years 0 to 9999, the ends and 1970 more often.
pub fn seconds() -> impl Strategy<Value = i64> {
    const FIRST: i64 = -62_167_219_200;
    // The last one that all three time crates can hold.
    const LAST: i64 = 253_402_207_200;
    prop_oneof![
        FIRST..=LAST,
        -2..2_i64,
        Just(FIRST),
        Just(LAST),
        1_700_000_000..1_800_000_000_i64
    ]
}

/// Nanoseconds, round ones more often.
pub fn nanos() -> impl Strategy<Value = u32> {
    prop_oneof![
        0..1_000_000_000_u32,
        Just(0),
        Just(999_999_999),
        (0..1_000_u32).prop_map(|ms| ms * 1_000_000),
        (0..10_u32).prop_map(|tenths| tenths * 100_000_000),
    ]
}
