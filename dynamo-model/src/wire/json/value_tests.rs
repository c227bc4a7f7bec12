//! `Value` and `Number` go through our codec and other formats unchanged.

use super::tests::{attribute_value, json, number, read, written};
use crate::Value;
use crate::value::Number;
use crate::wire::Item;
use aws_sdk_dynamodb::types::AttributeValue;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Generates values that DynamoDB can store.
fn value() -> impl Strategy<Value = Value> {
    let value = attribute_value().prop_map(Value::try_from);
    value.prop_filter_map("is within the limits", Result::ok)
}

proptest! {
    /// `Value` returns every stored value unchanged, in a field, a list and a map.
    #[test]
    fn a_value_is_written_as_it_was_read(value in value()) {
        let stored = AttributeValue::from(value.clone());
        prop_assert_eq!(&read::<Value>(&json(&stored)).unwrap(), &value);
        prop_assert_eq!(super::tests::parsed(&written(&value).unwrap()), stored);
        let nested = BTreeMap::from([("a".to_owned(), vec![Some(value)])]);
        let json = written(&nested).unwrap();
        let again: BTreeMap<String, Vec<Option<Value>>> = read(&json).unwrap();
        prop_assert_eq!(written(&again).unwrap(), json);
    }

    /// The library counts the same size as DynamoDB.
    #[test]
    fn a_value_has_the_size_of_what_is_stored(value in value()) {
        let mut writer = super::write::Writer::default();
        writer.value(&value).unwrap();
        let size = crate::wire::limits::size(&value.into(), 0).unwrap();
        prop_assert_eq!(writer.size, size);
    }

    /// `serde_json`, and `serde_dynamo` itself, give back the same value.
    #[test]
    fn other_formats_keep_a_value(value in value()) {
        let json = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Value>(&json).unwrap(), &value);
        let item: Item = serde_dynamo::to_item(BTreeMap::from([("v", &value)])).unwrap();
        let again: BTreeMap<String, Value> = serde_dynamo::from_item(item).unwrap();
        prop_assert_eq!(&again["v"], &value);
    }

    #[test]
    fn a_number_keeps_its_text(text in number()) {
        let Ok(number) = text.parse::<Number>() else { return Ok(()) };
        let stored = format!("{{\"N\":\"{text}\"}}");
        prop_assert_eq!(&written(&number).unwrap(), &stored);
        prop_assert_eq!(read::<Number>(&stored).unwrap().into_string(), text.clone());
        let json = serde_json::to_string(&number).unwrap();
        prop_assert_eq!(serde_json::from_str::<Number>(&json).unwrap().into_string(), text);
    }
}

/// `serde_json` shows the DynamoDB type, as DynamoDB's own JSON does.
#[test]
fn other_formats_show_the_type() {
    let value = Value::from(BTreeMap::from([
        ("a", Value::from("x")),
        (
            "b",
            Value::from([Value::from(1_u8), Value::Null, true.into()]),
        ),
        ("c", Value::Ns(BTreeSet::from([Number::from(2_u8)]))),
        ("d", Value::from(&[1_u8, 2])),
    ]));
    assert_eq!(
        serde_json::to_string(&value).unwrap(),
        r#"{"M":{"a":{"S":"x"},"b":{"L":[{"N":"1"},{"NULL":true},{"BOOL":true}]},"c":{"NS":["2"]},"d":{"B":"AQI="}}}"#
    );
    let error = serde_json::from_str::<Value>(r#"{"NULL":false}"#).unwrap_err();
    assert!(error.to_string().contains("NULL is always true"), "{error}");
    let error = serde_json::from_str::<Value>(r#"{"X":1}"#).unwrap_err();
    assert!(error.to_string().contains("unknown variant `X`"), "{error}");
}

/// A number in JSON is taken where a float has all of its digits; otherwise the format has rounded
/// it.
#[test]
fn a_number_of_another_format_is_never_rounded() {
    let read = |json: &str| serde_json::from_str::<Number>(json).map_err(|it| it.to_string());
    assert_eq!(read("0.1").unwrap(), "0.1".parse().unwrap());
    assert_eq!(read("-12").unwrap(), Number::from(-12));
    assert_eq!(
        read("18446744073709551615").unwrap(),
        Number::from(u64::MAX)
    );
    let rounded = read("0.12345678901234567890").unwrap_err();
    assert!(rounded.contains("as a text"), "{rounded}");
    assert!(read("123456789012345678901234567890").is_err());
    assert!(read("\"NaN\"").is_err() && read("\"1e126\"").is_err());
}

#[test]
fn numbers_of_other_types_are_refused() {
    assert_eq!(
        read::<Number>(r#"{"S":"1"}"#).unwrap_err(),
        "expected N, found S"
    );
    let written = written(&Value::Ss(BTreeSet::new())).unwrap_err();
    assert!(written.to_string().contains("a set is empty"), "{written}");
}

/// serde buffers the content of these before it knows the type. A number that would be rounded is
/// refused.
#[test]
fn what_serde_puts_aside_is_exact_or_an_error() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "kind")]
    enum Tagged {
        Price { amount: Number },
    }
    let short = Tagged::Price {
        amount: "12.5".parse().unwrap(),
    };
    assert_eq!(read::<Tagged>(&written(&short).unwrap()).unwrap(), short);
    let long = Tagged::Price {
        amount: "0.123456789012345678901234567890".parse().unwrap(),
    };
    assert!(read::<Tagged>(&written(&long).unwrap()).is_err());
}

/// A map with numbers as names.
#[test]
fn a_number_is_a_name_in_a_map() {
    let map = BTreeMap::from([("1.50".parse::<Number>().unwrap(), 1_u8)]);
    let json = written(&map).unwrap();
    assert_eq!(json, r#"{"M":{"1.50":{"N":"1"}}}"#);
    assert_eq!(read::<BTreeMap<Number, u8>>(&json).unwrap(), map);
}
