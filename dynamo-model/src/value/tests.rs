//! Tests of numbers and values.

use super::{Number, NumberError, Value};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};

fn n(text: &str) -> Number {
    text.parse().unwrap()
}

#[test]
fn numbers_are_compared_by_value() {
    let ascending = [
        "-9.99e125",
        "-100",
        "-10",
        "-1.51",
        "-1.5",
        "-0.001",
        "-1e-130",
        "0",
        "1e-130",
        "0.09",
        "0.1",
        "0.11",
        "1",
        "1.5",
        "1.50001",
        "2",
        "10",
        "11",
        "99.9",
        "100",
        "1e125",
    ];
    for (i, low) in ascending.iter().enumerate() {
        for (j, high) in ascending.iter().enumerate() {
            assert_eq!(n(low).cmp(&n(high)), i.cmp(&j), "{low} and {high}");
        }
    }
}

#[test]
fn texts_of_one_number_are_equal_and_hash_alike() {
    let state = RandomState::new();
    for same in [
        ["1.5", "1.50", "01.5", "15e-1", "0.15E+1", "+1.5"],
        ["0", "-0", "0.00", "0e999", "00", ".0"],
        ["-300", "-3e2", "-300.", "-0.3e3", "-3.0E2", "-0300.00"],
    ] {
        let hash = state.hash_one(n(same[0]));
        for text in same {
            assert_eq!(n(text), n(same[0]), "{text}");
            assert_eq!(state.hash_one(n(text)), hash, "{text}");
        }
        assert_eq!(same.map(n).into_iter().collect::<HashSet<_>>().len(), 1);
        assert_eq!(same.map(n).into_iter().collect::<BTreeSet<_>>().len(), 1);
    }
}

#[test]
fn a_number_has_the_limits_of_dynamodb() {
    for taken in [
        &"9".repeat(38),
        "9.9e125",
        "1e-130",
        &format!("1{}", "0".repeat(125)),
    ] {
        assert_eq!(n(taken).as_str(), taken);
    }
    let refused = [
        ("", NumberError::NotANumber),
        ("-", NumberError::NotANumber),
        (".", NumberError::NotANumber),
        ("1e", NumberError::NotANumber),
        ("1e+", NumberError::NotANumber),
        ("1.2.3", NumberError::NotANumber),
        ("--1", NumberError::NotANumber),
        ("1 ", NumberError::NotANumber),
        ("NaN", NumberError::NotANumber),
        ("inf", NumberError::NotANumber),
        ("٣", NumberError::NotANumber),
        ("1e126", NumberError::OutOfRange),
        ("9.9e-131", NumberError::OutOfRange),
        ("1e99999999999999999999", NumberError::OutOfRange),
        (&"9".repeat(39), NumberError::TooManyDigits),
    ];
    for (text, error) in refused {
        assert_eq!(text.parse::<Number>(), Err(error), "{text}");
    }
    assert_eq!(Number::try_from(f64::NAN), Err(NumberError::NotANumber));
    assert_eq!(Number::try_from(u128::MAX), Err(NumberError::TooManyDigits));
    assert_eq!(Number::try_from(0.1).unwrap(), n("0.1"));
}

#[test]
fn a_number_without_a_fraction_is_an_integer() {
    assert_eq!(u8::try_from(&n("2.00e2")), Ok(200));
    assert_eq!(i64::try_from(&n("-5")), Ok(-5));
    assert_eq!(
        u128::try_from(&n(&"9".repeat(38))).unwrap(),
        10_u128.pow(38) - 1
    );
    for (number, text) in [
        ("1.5", "1.5 is not a `u8`"),
        ("256", "256 is not a `u8`"),
        ("-1", "-1 is not a `u8`"),
    ] {
        assert_eq!(u8::try_from(&n(number)).unwrap_err().to_string(), text);
    }
    assert!(n("1e20").is_whole() && !n("1e-20").is_whole());
}

#[test]
fn display_of_a_value_is_readable() {
    let value = Value::from(BTreeMap::from([
        ("list", Value::from(vec!["a", "b"])),
        ("map", Value::from_iter([("n", n("1.50"))])),
        ("nothing", Value::from(None::<bool>)),
        ("bytes", Value::from(&[1, 255])),
        ("set", Value::from(BTreeSet::from([n("2"), n("10")]))),
    ]));
    assert_eq!(
        value.to_string(),
        r#"{"bytes": 0x01ff, "list": ["a", "b"], "map": {"n": 1.50}, "nothing": null, "set": <2, 10>}"#
    );
    assert_eq!(
        format!("{:?}", value.get("map").unwrap()),
        r#"M({"n": N(Number(1.50))})"#
    );
}

proptest! {
    /// Numbers compare like whole numbers, and like `f64`s if these are exact.
    #[test]
    fn numbers_are_ordered_by_value(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000, e in -9_i32..9) {
        let texts = [format!("{a}e{e}"), format!("{b}e{e}")];
        prop_assert_eq!(n(&texts[0]).cmp(&n(&texts[1])), a.cmp(&b));
        let (x, y) = (a as f64 / 1024.0, b as f64 / 1024.0);
        let exact = |float: f64| Number::try_from(float).unwrap();
        prop_assert_eq!(exact(x).partial_cmp(&exact(y)), x.partial_cmp(&y));
    }
}
