//! parse(build(x)) == x; a text that was never built does not parse; build refuses values that do
//! not fit.

use crate::entities::*;
use crate::strategies::*;
use dynamo_model::Entity;
use dynamo_model::bounds::IndexedBy;
use dynamo_model::error::KeyErrorKind;
use dynamo_model::index::Primary;
use proptest::prelude::*;

macro_rules! strings_round_trip {
    ($($test:ident $entity:ident),* $(,)?) => {
        proptest! {
            #![proptest_config(thousands())]
            $(
                #[test]
                fn $test(a in hostile(), b in hostile(), c in hostile()) {
                    let key = $entity::key(&a, &b, &c).unwrap();
                    let parts = key.parse().unwrap();
                    prop_assert_eq!((&parts.a, &parts.b, &parts.c), (&a, &b, &c));
                    let item = $entity { a, b, c };
                    prop_assert_eq!(item.primary_key().unwrap(), key);
                }
            )*
        }
    };
}

strings_round_trip! {
    after_hash Hash,
    after_words Words,
    after_space Space,
    after_plus Plus,
    after_slash Slash,
    after_colon Colon,
    after_underscore Underscore,
    after_dash Dash,
    after_pipe Pipe,
    after_brackets Brackets,
}

proptest! {
    #![proptest_config(thousands())]

    #[test]
    fn integers_round_trip(
        u in any::<(u8, u16, u32, u64, u128)>(),
        i in any::<(i8, i16, i32, i64, i128)>(),
    ) {
        let key = Integers::key(u.0, u.1, u.2, u.3, u.4, i.0, i.1, i.2, i.3, i.4).unwrap();
        prop_assert_eq!(
            key.to_string(),
            format!("U#{}#{}#{}#{}#{}/I#{}#{}#{}#{}#{}", u.0, u.1, u.2, u.3, u.4, i.0, i.1, i.2, i.3, i.4)
        );
        let parts = key.parse().unwrap();
        prop_assert_eq!((parts.u8, parts.u16, parts.u32, parts.u64, parts.u128), u);
        prop_assert_eq!((parts.i8, parts.i16, parts.i32, parts.i64, parts.i128), i);
    }

    #[test]
    fn padded_integers_round_trip(u128 in any::<u128>(), i8 in any::<i8>(), u64 in any::<u64>(), i64 in any::<i64>(), i32 in any::<i32>()) {
        let key = Padded::key(u128, i8, u64, i64, i32).unwrap();
        prop_assert_eq!(key.pk().to_string(), format!("{u128:039}"));
        if i8 >= 0 && i64 >= 0 && i32 >= 0 {
            let plain = format!("{i8:04}#{u64:020}#{i64:020}#{i32:011}");
            prop_assert_eq!(key.sk().unwrap().to_string(), plain);
        }
        let parts = key.parse().unwrap();
        prop_assert_eq!((parts.u128, parts.i8, parts.u64, parts.i64, parts.i32), (u128, i8, u64, i64, i32));
    }

    #[test]
    fn the_three_time_crates_build_the_same_text(seconds in seconds(), nanos in nanos()) {
        let jiff = jiff::Timestamp::new(seconds, nanos as i32).unwrap();
        let chrono = chrono::DateTime::from_timestamp(seconds, nanos).unwrap();
        let time = time::OffsetDateTime::from_unix_timestamp(seconds).unwrap()
            + time::Duration::nanoseconds(nanos.into());
        let key = Times::key(jiff, chrono, time).unwrap();
        let texts: Vec<_> = key.sk().unwrap().as_str().unwrap().split('#').collect();
        prop_assert_eq!(texts[1], texts[2]);
        prop_assert_eq!(texts[1], texts[3]);
        prop_assert_eq!(texts[1].parse::<jiff::Timestamp>().unwrap(), jiff);
        let parts = key.parse().unwrap();
        prop_assert_eq!((parts.jiff, parts.chrono, parts.time), (jiff, chrono, time));
    }

    #[test]
    fn the_plain_form_of_a_time_is_rfc_3339(seconds in seconds(), nanos in nanos()) {
        let at = jiff::Timestamp::new(seconds, nanos as i32).unwrap();
        if seconds < -62_135_596_800 {
            return Ok(()); // the year 0, where the crates' own texts differ
        }
        prop_assert_eq!(dynamo_model::KeyPart::to_part(&at).to_string(), at.to_string());
    }

    #[test]
    fn the_most_precise_part_of_a_time_gives_its_value(seconds in seconds(), nanos in nanos()) {
        let at = jiff::Timestamp::new(seconds, nanos as i32).unwrap();
        let micros = jiff::Timestamp::new(seconds, (nanos / 1_000 * 1_000) as i32).unwrap();
        let key = Precisions::key(at).unwrap();
        prop_assert_eq!(key.parse().unwrap().at, micros);
        // The coarser parts must agree.
        let other = Precisions::key(jiff::Timestamp::new(seconds / 2 + 7, 0).unwrap()).unwrap();
        let parsed = Precisions::parse_key(other.pk(), key.sk().unwrap());
        prop_assume!(seconds != seconds / 2 + 7);
        prop_assert!(matches!(parsed.unwrap_err().kind(), KeyErrorKind::Disagrees));
    }

    #[test]
    fn dates_round_trip(days in -719_528..2_932_896_i32, name in hostile()) {
        let chrono = chrono::NaiveDate::from_num_days_from_ce_opt(days + 719_163).unwrap();
        let time = time::Date::from_julian_day(days + 2_440_588).unwrap();
        let jiff: jiff::civil::Date = chrono.format("%Y-%m-%d").to_string().parse().unwrap();
        let key = Dates::key(jiff, chrono, time, &name).unwrap();
        let text = chrono.format("%Y-%m-%d").to_string();
        prop_assert_eq!(key.pk().to_string(), format!("D#{text}#{text}#{text}"));
        let parts = key.parse().unwrap();
        prop_assert_eq!((parts.jiff, parts.chrono, parts.time, parts.name), (jiff, chrono, time, name));
    }

    #[test]
    fn identifiers_flags_enums_and_newtypes_round_trip(
        uuid in any::<u128>(), ulid in any::<u128>(), flag in any::<bool>(),
        level in proptest::sample::select(vec![Level::Easy, Level::Medium, Level::Hard]),
        user in hostile(),
    ) {
        let (uuid, ulid) = (uuid::Uuid::from_u128(uuid), ulid::Ulid(ulid));
        let item = Mixed { uuid, ulid, flag, level, user: UserId(user) };
        let key = item.primary_key().unwrap();
        prop_assert_eq!(key.pk().to_string(), format!("M#{uuid}-{ulid}-{flag}-{level:?}"));
        let parts = key.parse().unwrap();
        prop_assert_eq!((parts.uuid, parts.ulid, parts.flag, parts.level), (uuid, ulid, flag, level));
        prop_assert_eq!(parts.user, item.user);
    }

    #[test]
    fn buckets_shards_case_and_raw_round_trip(seconds in seconds(), nanos in nanos(), user in hostile(), email in hostile(), note in hostile()) {
        let at = jiff::Timestamp::new(seconds, nanos as i32).unwrap();
        let key = Buckets::key(at, &user, &email, &note).unwrap();
        let parts = key.parse().unwrap();
        prop_assert_eq!(parts.at.start::<jiff::Timestamp>(), Some(at));
        prop_assert!(parts.user.number() < 16);
        prop_assert_eq!(parts.email, email.chars().flat_map(char::to_lowercase).collect::<String>());
        prop_assert_eq!(parts.note, note);
    }

    #[test]
    fn a_parsed_key_builds_the_same_text(text in hostile()) {
        for sk in [text.clone(), format!("S#{text}#b#c"), format!("S#a#{text}#c")] {
            if let Ok(parts) = Hash::parse_key("STRINGS", &sk) {
                let key = Hash::key(parts.a, parts.b, parts.c).unwrap();
                prop_assert_eq!(key.sk().unwrap(), &sk.as_str());
            }
            if let Ok(parts) = Colon::parse_key("STRINGS", &sk) {
                let key = Colon::key(parts.a, parts.b, parts.c).unwrap();
                prop_assert_eq!(key.sk().unwrap(), &sk.as_str());
            }
        }
        if let Ok(parts) = Padded::parse_key("000000000000000000000000000000000000001", &text) {
            let key = Padded::key(parts.u128, parts.i8, parts.u64, parts.i64, parts.i32).unwrap();
            prop_assert_eq!(key.sk().unwrap(), &text.as_str());
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(pk in hostile(), sk in hostile()) {
        let _ = Mixed::parse_key(&pk, &sk);
        let _ = Times::parse_key(&format!("T#{pk}"), &format!("T#{sk}"));
        let _ = Dates::parse_key(&format!("D#{pk}"), &sk);
        let _ = Buckets::parse_key(&format!("B#{pk}"), &sk);
        let _ = Integers::parse_key(&format!("U#{pk}"), &format!("I#{sk}"));
        let _ = Padded::parse_key(&pk, &sk);
    }
}

#[test]
fn other_spellings_of_a_value_do_not_parse() {
    for sk in [
        "+01#00000000000000000001",
        "0001#1#1#1",
        "-000#00000000000000000001",
        "ー001#",
    ] {
        assert!(Padded::parse_key("0", sk).is_err(), "{sk}");
    }
    let uuid = "A3BB189E-8BF9-3888-9912-ACE4E6543002";
    assert!(
        Mixed::parse_key(
            &format!("M#{uuid}-00000000000000000000000000-true-Easy"),
            "u"
        )
        .is_err()
    );
    let times = |at: &str| {
        let whole = "2024-01-15T10:30:00.000000000Z";
        Times::parse_key(
            &format!("T#{at}#{at}#{at}"),
            &format!("T#{whole}#{whole}#{whole}"),
        )
    };
    assert!(times("2024-01-15T10:30:00Z").is_ok());
    for at in [
        "2024-01-15T10:30:00.0Z",
        "2024-01-15t10:30:00Z",
        "2024-01-15T10:30:00+00:00",
        "2024-02-30T10:30:00Z",
    ] {
        assert!(times(at).is_err(), "{at}");
    }
}

#[test]
fn an_empty_part_is_refused_by_name() {
    let error = Hash::key("a", "", "c").unwrap_err();
    assert_eq!((error.entity(), error.field()), ("Hash", Some("b")));
    assert!(matches!(error.kind(), KeyErrorKind::Empty));
    assert!(Hash::sort_key().a("").build().is_err());
    assert!(matches!(
        Hash::parse_key("STRINGS", "S##b#c").unwrap_err().kind(),
        KeyErrorKind::Empty
    ));
}

#[test]
fn a_key_over_the_limit_is_refused_with_its_length() {
    let long = "x".repeat(2_000);
    let error = Hash::key("a", &long, "c").unwrap_err();
    assert_eq!(
        error.to_string(),
        "Hash: the key `S#<a>#<b>#<c>` is 2006 bytes long, DynamoDB allows 1024; shorten `b`, its \
         longest part"
    );
    // 1024 bytes exactly, escapes included.
    let room = "#".repeat((1_024 - "S#####".len()) / 3 - 1);
    let key = Hash::key(&room, "b", "c").unwrap();
    assert!(key.sk().unwrap().as_str().unwrap().len() <= 1_024);
    assert!(Hash::key(format!("{room}##"), "b", "c").is_err());
    assert!(Hash::sort_key().a(&long).build().is_err());
}

#[test]
fn an_integer_wider_than_its_padding_is_refused() {
    let error = Narrow::key(1_000_u16, 0_i16).unwrap_err();
    assert!(matches!(
        error.kind(),
        KeyErrorKind::TooWide {
            needed: 4,
            width: 3
        }
    ));
    assert!(Narrow::key(0_u16, -99_i16).is_ok());
    assert!(matches!(
        Narrow::key(0_u16, -100_i16).unwrap_err().kind(),
        KeyErrorKind::TooWide {
            needed: 4,
            width: 3
        }
    ));
}

#[derive(dynamo_model::DynamoEntity, Debug)]
#[dynamo(table = Laws)]
#[pk("N#<n:03>")]
#[sk("<i:03>")]
struct Narrow {
    n: u16,
    i: i16,
}

#[test]
fn a_year_of_five_digits_is_refused() {
    let far = chrono::DateTime::from_timestamp(253_402_300_800, 0).unwrap();
    let near = jiff::Timestamp::UNIX_EPOCH;
    let error = Times::key(near, far, time::OffsetDateTime::UNIX_EPOCH).unwrap_err();
    assert_eq!(error.field(), Some("chrono"));
    assert!(matches!(error.kind(), KeyErrorKind::YearOutOfRange));
}

#[test]
fn a_key_needs_partition_key_and_sort_key() {
    let missing = <Hash as IndexedBy<Primary>>::parse("STRINGS".into(), None).unwrap_err();
    assert!(matches!(
        missing.kind(),
        KeyErrorKind::SortKey { expected: true }
    ));
}
