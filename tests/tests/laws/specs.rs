//! Combined specs: the same laws, and the stored text, character for character.

use crate::entities::{Laws, Level};
use crate::strategies::*;
use dynamo_model::{DynamoEntity, Entity, KeyPart};
use proptest::prelude::*;

#[derive(KeyPart, Debug, Clone, PartialEq)]
pub struct Code(String);

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("CASED#<email:lower+raw>")]
#[sk("<code:upper>#<level:lower>#<ulid:lower>#<note:upper+raw>")]
pub struct Cased {
    pub email: String,
    pub code: Code,
    pub level: Level,
    pub ulid: ulid::Ulid,
    pub note: String,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("REVERSED#<wide:039+desc>")]
#[sk("<u:08+desc>#<i:06+desc>#<at:ms+desc>#<day:desc>")]
pub struct Reversed {
    pub wide: u128,
    pub u: u32,
    pub i: i16,
    pub at: jiff::Timestamp,
    pub day: jiff::civil::Date,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("ADJACENT#<year:04><month:02>")]
#[sk("<day:02><number:04+desc><name>")]
pub struct Adjacent {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    pub number: i16,
    pub name: String,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk(concat!("PUT", '-', "TOGETHER#", "<user", "_id>"))]
#[sk(concat!("V", 2, "#", stringify!(Level), concat!("#<", stringify!(number), ":0", 4, '>')))]
pub struct PutTogether {
    pub user_id: String,
    pub number: u16,
}

/// Finding: "V `concat!` in a template".
#[test]
fn a_template_can_be_built_with_concat() {
    let schema = PutTogether::SCHEMA;
    assert_eq!(schema.pk.text, "PUT-TOGETHER#<user_id>");
    assert_eq!(schema.sk.unwrap().text, "V2#Level#<number:04>");
    let key = PutTogether::key("u1", 7_u16).unwrap();
    assert_eq!(key.to_string(), "PUT-TOGETHER#u1/V2#Level#0007");
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("EPOCH#<s:epoch_s>")]
#[sk("<ms:epoch_ms><back:epoch_s+desc>#<long:epoch_ms+desc>")]
pub struct Counted {
    pub s: jiff::Timestamp,
    pub ms: jiff::Timestamp,
    pub back: jiff::Timestamp,
    pub long: jiff::Timestamp,
}

/// Finding, the shop document: `1705315800`, `1705315800123`.
#[test]
fn times_since_1970_have_one_width() {
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let (first, shop) = (at("1970-01-01T00:00:00Z"), at("2024-01-15T10:50:00.123Z"));
    let key = Counted::key(shop, shop, shop, shop).unwrap();
    assert_eq!(key.pk(), &"EPOCH#1705315800");
    let sk = "17053158001238294684199#8294684199876";
    assert_eq!(key.sk().unwrap(), &sk);
    assert_eq!(key.parse().unwrap().long, shop);
    let key = Counted::key(first, first, first, first).unwrap();
    let sk = "00000000000009999999999#9999999999999";
    assert_eq!(key.to_string(), format!("EPOCH#0000000000/{sk}"));
    for text in ["EPOCH#705315800", "EPOCH#-000000001", "EPOCH#17053158001"] {
        assert!(Counted::parse_key(text, sk).is_err(), "{text}");
    }
}

fn reversed(u: u32, i: i16, at: jiff::Timestamp, day: jiff::civil::Date) -> String {
    let key = Reversed::key(0_u128, u, i, at, day).unwrap();
    key.sk().unwrap().to_string()
}

/// Finding: "cannot be declared: `lower` with `raw`, `upper`, `lower` on an enum".
#[test]
fn combined_specs_apply_all_of_their_effects() {
    let ulid: ulid::Ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
    let code = Code("ab#c".into());
    let key = Cased::key("A#B@Example.com", code, Level::Hard, ulid, "x#y").unwrap();
    assert_eq!(key.pk(), &"CASED#a#b@example.com");
    let sk = "AB$23C#hard#01arz3ndektsv4rrffq69g5fav#X#Y";
    assert_eq!(key.sk().unwrap(), &sk);
    let parts = key.parse().unwrap();
    assert_eq!(parts.level, Level::Hard);
    assert_eq!(parts.ulid, ulid);
    assert!(
        Cased::parse_key("CASED#A", sk).is_err(),
        "not in lower case"
    );
    assert!(Cased::parse_key("CASED#a", sk.replace("hard", "Hard").as_str()).is_err());
}

/// Finding: "reversed numbers (`99999999 - n`)".
#[test]
fn descending_integers_are_stored_as_nines_complement() {
    let at = "2024-01-15T10:30:00.123Z".parse().unwrap();
    let day = "2024-01-15".parse().unwrap();
    for (u, i, text) in [
        (0, 0, "99999999#999999"),
        (7, -5, "99999992#~00005"),
        (1_234, 42, "99998765#999957"),
        (99_999_999, -32_768, "00000000#~32768"),
    ] {
        let expected = format!("{text}#7975-98-84T89:69:99.876Z#7975-98-84");
        assert_eq!(reversed(u, i, at, day), expected);
    }
    let key = Reversed::key(u128::MAX, 1_u32, 1_i16, at, day).unwrap();
    assert_eq!(
        key.pk(),
        &"REVERSED#659717633079061536536625392568231788544"
    );
    assert_eq!(key.parse().unwrap().wide, u128::MAX);
}

/// Finding: "V adjacent fixed widths".
#[test]
fn adjacent_parts_have_no_delimiter() {
    let key = Adjacent::key(2024_u16, 3_u8, 9_u8, 7_i16, "x").unwrap();
    assert_eq!(key.to_string(), "ADJACENT#202403/099992x");
    let prefix = Adjacent::sort_key()
        .day(9_u8)
        .number(7_i16)
        .build()
        .unwrap();
    assert_eq!(prefix.as_str(), "099992");
    assert!(
        Adjacent::key(20_240_u16, 3_u8, 9_u8, 7_i16, "x").is_err(),
        "wider than its part"
    );
}

#[test]
fn a_prefix_of_a_descending_time_is_a_prefix_of_its_text() {
    let prefix = Reversed::sort_key()
        .u(0_u32)
        .i(0_i16)
        .at_prefix("2024-01")
        .build()
        .unwrap();
    assert_eq!(prefix.as_str(), "99999999#999999#7975-98");
}

proptest! {
    #![proptest_config(thousands())]

    #[test]
    fn cased_parts_are_read_in_their_case(
        email in hostile(), code in hostile(), note in hostile(), ulid in any::<u128>(),
        level in proptest::sample::select(vec![Level::Easy, Level::Medium, Level::Hard]),
    ) {
        let item = Cased { email, code: Code(code), level, ulid: ulid::Ulid(ulid), note };
        let key = item.primary_key().unwrap();
        let parts = key.parse().unwrap();
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
        let upper = |text: &str| text.chars().flat_map(char::to_uppercase).collect::<String>();
        prop_assert_eq!(parts.email, lower(&item.email));
        prop_assert_eq!(parts.code.0, upper(&item.code.0));
        prop_assert_eq!(parts.note, upper(&item.note));
        prop_assert_eq!((parts.level, parts.ulid), (item.level, item.ulid));
    }

    #[test]
    fn descending_parts_sort_in_reverse_and_round_trip(
        x in (0..100_000_000_u32, any::<i16>(), seconds(), 0..1_000_i32, any::<u128>()),
        y in (0..100_000_000_u32, any::<i16>(), seconds(), 0..1_000_i32, any::<u128>()),
        near in -2..=2_i16,
    ) {
        let of = |v: (u32, i16, i64, i32, u128)| {
            let at = jiff::Timestamp::new(v.2, v.3 * 1_000_000).unwrap();
            let day = at.to_zoned(jiff::tz::TimeZone::UTC).date();
            (v.4, v.0, v.1, at, day)
        };
        let build = |(wide, u, i, at, day)| Reversed::key(wide, u, i, at, day).unwrap();
        for (x, y) in [(x, y), (x, (x.0, y.1, y.2, y.3, y.4)), (x, (x.0, x.1.saturating_add(near), y.2, y.3, y.4)), (x, (x.0, x.1, y.2, y.3, y.4))] {
            let (a, b) = (of(x), of(y));
            let (ka, kb) = (build(a), build(b));
            prop_assert_eq!(b.0.cmp(&a.0), ka.pk().cmp(kb.pk()));
            let order = (b.1, b.2, b.3, b.4).cmp(&(a.1, a.2, a.3, a.4));
            prop_assert_eq!(order, ka.sk().cmp(&kb.sk()), "{:?} {:?}", ka, kb);
            let parts = ka.parse().unwrap();
            prop_assert_eq!((parts.wide, parts.u, parts.i, parts.at, parts.day), a);
        }
    }

    #[test]
    fn times_since_1970_sort_and_round_trip(
        x in (0..=9_999_999_999_i64, 0..1_000_i32), y in (0..=9_999_999_999_i64, 0..1_000_i32), near in -2..=2_i64,
    ) {
        let of = |(s, ms): (i64, i32)| jiff::Timestamp::new(s, ms * 1_000_000).unwrap();
        let seconds = |at: jiff::Timestamp| jiff::Timestamp::from_second(at.as_second()).unwrap();
        let close = ((x.0 + near).clamp(0, 9_999_999_999), y.1);
        for (a, b) in [(of(x), of(y)), (of(x), of(close)), (of(x), of((x.0, y.1)))] {
            let build = |at| Counted::key(at, at, at, at).unwrap();
            let (ka, kb) = (build(a), build(b));
            prop_assert_eq!(seconds(a).cmp(&seconds(b)), ka.pk().cmp(kb.pk()));
            prop_assert_eq!(a.cmp(&b), ka.sk().cmp(&kb.sk()), "{:?} {:?}", ka, kb);
            let descending = |at| Counted::key(a, a, a, at).unwrap();
            prop_assert_eq!(b.cmp(&a), descending(a).sk().cmp(&descending(b).sk()));
            let parts = ka.parse().unwrap();
            prop_assert_eq!((parts.s, parts.ms, parts.back, parts.long), (seconds(a), a, seconds(a), a));
        }
    }

    #[test]
    fn adjacent_parts_round_trip(
        year in 0..10_000_u16, month in 0..100_u8, day in 0..100_u8, number in -999..10_000_i16, name in hostile(),
    ) {
        let item = Adjacent { year, month, day, number, name };
        let parts = item.primary_key().unwrap().parse().unwrap();
        let back = Adjacent { year: parts.year, month: parts.month, day: parts.day, number: parts.number, name: parts.name };
        prop_assert_eq!(back, item);
    }

    #[test]
    fn only_texts_that_build_the_same_key_are_parsed(sk in "[0-9~-]{0,3}[0-9]{6,8}#[0-9~-]{6}#[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z#[0-9]{4}-[0-9]{2}-[0-9]{2}") {
        if let Ok(parts) = Reversed::parse_key("REVERSED#999999999999999999999999999999999999999", &sk) {
            prop_assert_eq!(reversed(parts.u, parts.i, parts.at, parts.day), sk);
        }
    }
}
