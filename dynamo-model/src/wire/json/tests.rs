//! The oracle: the direct way between Rust and JSON must give the same result as the way through a
//! map and `serde_dynamo`, in both directions.

use super::access::{Expectations, KeyPositions};
use super::attribute::{push_item, push_value, read_item, read_value};
use super::item::{AttributeHandling, AttributeHandlings, ItemWriter};
use super::read::{Reader, Value};
use super::scan::Scan;
use super::text::push_quoted;
use super::write::Writer;
use crate::wire::{Item, RawItem, limits};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use proptest::collection::{btree_map, hash_map, vec};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) fn json(value: &AttributeValue) -> String {
    let mut out = Vec::new();
    push_value(value, &mut out);
    String::from_utf8(out).unwrap()
}

pub(super) fn written<T: Serialize>(value: &T) -> Result<String, super::refused::Refused> {
    let mut writer = Writer::default();
    writer.value(value)?;
    Ok(String::from_utf8(writer.out).unwrap())
}

pub(super) fn parsed(json: &str) -> AttributeValue {
    let mut reader = Reader::new(json);
    let value = read_value(&mut reader).unwrap();
    reader.scan.end().unwrap();
    value
}

pub(super) fn read<T: DeserializeOwned>(json: &str) -> Result<T, String> {
    let mut reader = Reader::new(json);
    let value = T::deserialize(Value::new(&mut reader)).map_err(|error| error.to_string())?;
    reader.scan.end().map_err(|error| error.to_string())?;
    Ok(value)
}

/// Generates texts with all characters that JSON escapes.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,12}",
        any::<String>(),
        "[\"\\\\/\u{0}-\u{1f}あ太𩸽\u{7f}-\u{a0}]{0,20}",
    ]
}

/// Generates numbers as DynamoDB returns them.
pub(super) fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        "-?[1-9][0-9]{0,37}",
        "-?[0-9]\\.[0-9]{1,30}",
        "[1-9](\\.[0-9]{1,9})?E[+-][1-9][0-9]?",
    ]
}

pub(super) fn attribute_value() -> impl Strategy<Value = AttributeValue> {
    let blob = || vec(any::<u8>(), 0..20).prop_map(Blob::new);
    let leaf = prop_oneof![
        text().prop_map(AttributeValue::S),
        number().prop_map(AttributeValue::N),
        blob().prop_map(AttributeValue::B),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null(true)),
        vec(text(), 1..4).prop_map(AttributeValue::Ss),
        vec(number(), 1..4).prop_map(AttributeValue::Ns),
        vec(blob(), 1..4).prop_map(AttributeValue::Bs),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(AttributeValue::L),
            hash_map(text(), inner, 0..6).prop_map(AttributeValue::M),
        ]
    })
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Unit,
    Newtype(String),
    Tuple(i32, bool),
    Struct { side: f64, name: Option<String> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Everything {
    integers: (i8, i16, i32, i64, u8, u16, u32, u64),
    floats: (f32, f64),
    truth: bool,
    letter: char,
    text: String,
    nothing: (),
    optional: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<u32>,
    list: Vec<Option<i64>>,
    map: BTreeMap<String, Vec<String>>,
    by_number: BTreeMap<u16, bool>,
    shapes: Vec<Shape>,
    #[serde(with = "serde_dynamo::string_set")]
    texts: BTreeSet<String>,
    #[serde(with = "serde_dynamo::number_set")]
    numbers: BTreeSet<i64>,
    bytes: Bytes,
    #[serde(flatten)]
    flat: Flat,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Flat {
    flat_text: String,
    flat_number: i64,
}

/// A binary value; `Vec<u8>` would be a list.
#[derive(Debug, Clone, PartialEq)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Unit),
        text().prop_map(Shape::Newtype),
        any::<(i32, bool)>().prop_map(|(a, b)| Shape::Tuple(a, b)),
        (-1e9..1e9, proptest::option::of(text()))
            .prop_map(|(side, name)| Shape::Struct { side, name }),
    ]
}

prop_compose! {
    fn everything()(
        integers in any::<(i8, i16, i32, i64, u8, u16, u32, u64)>(),
        floats in (-1e30_f32..1e30, -1e100..1e100),
        (truth, letter) in any::<(bool, char)>(),
        (text, optional) in (text(), proptest::option::of(text())),
        left_out in any::<Option<u32>>(),
        list in vec(any::<Option<i64>>(), 0..5),
        map in btree_map(text(), vec(text(), 0..3), 0..4),
        by_number in any::<BTreeMap<u16, bool>>(),
        shapes in vec(shape(), 0..5),
        texts in proptest::collection::btree_set(text_of_a_set(), 1..5),
        numbers in proptest::collection::btree_set(any::<i64>(), 1..5),
        bytes in vec(any::<u8>(), 0..40),
        (flat_text, flat_number) in (text_of_a_set(), any::<i64>()),
    ) -> Everything {
        Everything {
            integers, floats, truth, letter, text, nothing: (), optional, left_out, list, map, by_number, shapes,
            texts, numbers, bytes: Bytes(bytes), flat: Flat { flat_text, flat_number },
        }
    }
}

fn text_of_a_set() -> impl Strategy<Value = String> {
    text().prop_filter("is not empty", |text| !text.is_empty())
}

/// Removes what is `None`: `serde_dynamo` stores it as NULL; here it is omitted.
fn without_none(everything: &Everything) -> Item {
    let mut item = by_map(everything);
    if everything.optional.is_none() {
        item.remove("optional");
    }
    let Some(AttributeValue::L(shapes)) = item.get_mut("shapes") else {
        return item;
    };
    for shape in shapes {
        if let AttributeValue::M(variant) = shape
            && let Some(AttributeValue::M(fields)) = variant.get_mut("Struct")
        {
            fields.retain(|_, value| !value.is_null());
        }
    }
    item
}

fn by_map<T: Serialize>(value: &T) -> Item {
    serde_dynamo::aws_sdk_dynamodb_1::to_item(value).unwrap()
}

proptest! {
    /// Written values are read back, and the SDK's parser reads the same.
    #[test]
    fn attribute_values_come_back(value in attribute_value()) {
        prop_assert_eq!(parsed(&json(&value)), value);
    }

    /// Directly to JSON, or through a map: the same value, and the same size.
    #[test]
    fn both_ways_write_the_same(everything in everything()) {
        let (json, size) = ItemWriter::write(&everything, AttributeHandlings::default()).unwrap().finish();
        let json = String::from_utf8(json).unwrap();
        let straight = read_item(&mut Reader::new(&json)).unwrap();
        let by_map = without_none(&everything);
        prop_assert_eq!(&straight, &by_map);
        let sizes = by_map.iter().map(|(name, value)| name.len() + limits::size(value, 0).unwrap());
        prop_assert_eq!(size, sizes.sum::<usize>());
    }

    /// Directly from JSON, or through a map: the same value.
    #[test]
    fn both_ways_read_the_same(everything in everything()) {
        let mut json = Vec::new();
        push_item(&by_map(&everything), &mut json);
        let straight: Everything = RawItem::encoded(json)
            .read(Expectations::default(), &mut KeyPositions::default(), &[])
            .unwrap();
        let by_map: Everything = serde_dynamo::from_item(by_map(&everything)).unwrap();
        prop_assert_eq!(&straight, &by_map);
        prop_assert_eq!(straight, everything);
    }

    /// Types that fit are read alike, and types that do not fit are refused alike.
    #[test]
    fn both_ways_take_and_refuse_the_same(value in attribute_value()) {
        fn same<T: DeserializeOwned + PartialEq + core::fmt::Debug>(value: &AttributeValue) {
            let straight = read::<T>(&json(value));
            let by_map = serde_dynamo::aws_sdk_dynamodb_1::from_attribute_value(value.clone());
            assert_eq!(straight.ok(), by_map.ok(), "{value:?}");
        }
        same::<String>(&value);
        same::<i64>(&value);
        same::<f64>(&value);
        same::<bool>(&value);
        same::<char>(&value);
        same::<Option<String>>(&value);
        // It takes a set of binaries for texts, where they happen to be some.
        if !value.is_bs() {
            same::<Vec<String>>(&value);
        }
        same::<Vec<i64>>(&value);
        same::<(String, i64)>(&value);
        same::<HashMap<String, String>>(&value);
        same::<Shape>(&value);
        same::<Flat>(&value);
    }

    /// A truncated or damaged response is refused, or decodes to something else: it never panics.
    #[test]
    fn damaged_json_is_harmless(
        value in attribute_value(),
        cut in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let whole = json(&value);
        let cut = &whole.as_bytes()[..cut.index(whole.len())];
        prop_assert!(Scan::new(cut, 0).value().is_err());
        let mut damaged = whole.clone().into_bytes();
        let at = at.index(damaged.len());
        damaged[at] = byte;
        let _ = Scan::new(&damaged, 0).value();
        let _ = RawItem::encoded(damaged.clone()).read::<Everything>(
            Expectations::default(),
            &mut KeyPositions::default(),
            &[],
        );
        if let Ok(text) = core::str::from_utf8(&damaged) {
            let _ = read_value(&mut Reader::new(text));
            let _ = read::<Shape>(text);
        }
    }
}

#[test]
fn white_space_is_passed_over() {
    let spaced = " { \"S\" : \"a\" } ";
    assert_eq!(read::<String>(spaced).unwrap(), "a");
    assert_eq!(
        read::<Vec<bool>>("{\"L\": [ {\"BOOL\": true } , { \"BOOL\" :false}\n]}").unwrap(),
        [true, false]
    );
    assert_eq!(read::<Option<u8>>("{ \"NULL\": true }").unwrap(), None);
}

#[test]
fn escapes_are_read() {
    let read = |text: &str| read::<String>(&format!("{{\"S\":\"{text}\"}}"));
    assert_eq!(
        read(r#"\" \\ \/ \b \f \n \r \t"#).unwrap(),
        "\" \\ / \u{8} \u{c} \n \r \t"
    );
    assert_eq!(read(r"\u592a\u90ce \ud867\ude3d").unwrap(), "太郎 𩸽");
    for broken in [
        r"\x",
        r"\u12",
        r"\ud867",
        r"\ud867\u0041",
        r"\ude3d",
        r"\u+123",
        "\\",
    ] {
        assert!(read(broken).is_err(), "{broken}");
    }
}

#[test]
fn what_has_no_escape_is_borrowed() {
    let mut reader = Reader::new("\"太郎\"");
    assert!(matches!(reader.string().unwrap(), Cow::Borrowed("太郎")));
}

#[test]
fn whole_numbers_are_never_rounded() {
    let digits = "12345678901234567890123456789012345678";
    let json = format!("{{\"N\":\"{digits}\"}}");
    assert_eq!(read::<u128>(&json).unwrap().to_string(), digits);
    assert_eq!(written(&digits.parse::<u128>().unwrap()).unwrap(), json);
    // Where any type is taken, a float would lose digits: it is refused instead.
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    enum Any {
        #[allow(dead_code)]
        Number(f64),
    }
    assert!(read::<Any>(&json).is_err());
    let Any::Number(round) = read(r#"{"N":"1000000000000000000000000000000"}"#).unwrap();
    assert_eq!(round, 1e30);
}

#[test]
fn nesting_has_an_end() {
    let nested = |depth: usize| {
        format!(
            "{}{{\"N\":\"1\"}}{}",
            "{\"L\":[".repeat(depth),
            "]}".repeat(depth)
        )
    };
    assert!(read_value(&mut Reader::new(&nested(64))).is_ok());
    let error = read_value(&mut Reader::new(&nested(65))).unwrap_err();
    assert_eq!(error.to_string(), "nested more than 64 deep");
    // At any depth, unrequested values are skipped without recursion.
    assert!(Scan::new(nested(1_000_000).as_bytes(), 0).value().is_ok());
}

#[test]
fn what_dynamodb_would_refuse_is_not_written() {
    assert!(written(&f64::NAN).is_err() && written(&1e126).is_err());
    let empty = serde_dynamo::string_set::StringSet(Vec::<String>::new());
    assert!(written(&empty).is_err());
    #[derive(Serialize)]
    struct Deep(Option<Box<Deep>>);
    let deep = |depth: usize| (0..depth).fold(Deep(None), |inner, _| Deep(Some(Box::new(inner))));
    #[derive(Serialize)]
    struct List(Vec<List>);
    let list = |depth: usize| (0..depth).fold(List(vec![]), |inner, _| List(vec![inner]));
    assert!(
        written(&deep(100)).is_ok(),
        "newtypes are nothing around their values"
    );
    assert!(written(&list(32)).is_ok() && written(&list(33)).is_err());
}

#[test]
fn of_a_name_that_comes_twice_the_last_is_written() {
    #[derive(Serialize)]
    struct Twice {
        name: &'static str,
        #[serde(flatten)]
        more: BTreeMap<String, String>,
    }
    let more = BTreeMap::from([("name".to_owned(), "b".to_owned())]);
    let twice = Twice { name: "a", more };
    let written = ItemWriter::write(&twice, AttributeHandlings::default()).unwrap();
    assert!(written.has_twice());
    assert_eq!(
        crate::wire::to_item(&twice, AttributeHandlings::default()).unwrap(),
        by_map(&twice)
    );
}

/// Every length around those that are copied at once, with every kind of character at every place.
#[test]
fn a_text_is_quoted_whatever_its_length() {
    for length in 0..40 {
        for (at, other) in
            (0..=length).flat_map(|at| ["a", "\"", "\\", "\n", "\0", "あ"].map(|it| (at, it)))
        {
            let text = format!("{}{other}{}", "x".repeat(at), "y".repeat(length - at));
            let mut out = b"before".to_vec();
            push_quoted(&text, &mut out);
            let json = out.strip_prefix(b"before").unwrap();
            assert_eq!(serde_json::from_slice::<String>(json).unwrap(), text);
        }
    }
}

#[test]
fn an_attribute_has_its_own_fate_and_no_other() {
    #[derive(Serialize)]
    struct Named {
        kept: u8,
        replaced: u8,
        written: u8,
        // Of the same length as another, with the same ends.
        rexxaced: u8,
    }
    let mut handlings = AttributeHandlings::default();
    handlings.push("kept", AttributeHandling::Kept);
    handlings.push("kept", AttributeHandling::Replaced);
    handlings.push("replaced", AttributeHandling::Replaced);
    let named = Named {
        kept: 1,
        replaced: 2,
        written: 3,
        rexxaced: 4,
    };
    let item = ItemWriter::write(&named, handlings).unwrap();
    assert_eq!(item.kept, [("kept", AttributeValue::N("1".into()))]);
    let (json, _) = item.finish();
    assert_eq!(
        String::from_utf8(json).unwrap(),
        r#"{"written":{"N":"3"},"rexxaced":{"N":"4"}}"#
    );
}

/// `serde_dynamo` marks sets by undocumented names of newtypes. The value of an update equals the
/// one of a `put`, in both codecs.
#[test]
fn operands_are_what_is_written() {
    fn same<T: Serialize>(value: &T) {
        let operand = super::operand::operand(|writer| value.serialize(writer));
        assert_eq!(operand.ok(), written(value).ok().map(|json| parsed(&json)));
    }
    #[derive(Serialize)]
    struct Newtype<T>(T);
    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    enum Kind {
        Unit,
        Newtype(u8),
        Tuple(u8, bool),
        Struct { text: &'static str },
    }
    same(&(i8::MIN, i16::MIN, i32::MIN, i64::MIN, u8::MAX, u16::MAX));
    for number in [i64::MIN, -1, 0, 7, i64::MAX] {
        same(&number);
        same(&i128::from(number));
        same(&(number as u8));
        same(&(number as f64));
    }
    same(&u128::MAX);
    same(&f64::NAN);
    same(&[true, false].map(Newtype));
    same(&true);
    same(&'鈴');
    same(&Newtype("\"quoted\" \\ \u{1}"));
    same(&format_args!("{}", 1));
    same(&Some(Newtype(Some(3_u32))));
    same(&None::<u32>);
    same(&Some(None::<u32>));
    same(&((), Unit));
    same(&Bytes(vec![0, 255]));
    same(&[Kind::Unit, Kind::Newtype(1), Kind::Tuple(2, true)]);
    same(&Kind::Unit);
    same(&Kind::Newtype(1));
    same(&Kind::Struct { text: "" });
    same(&std::collections::BTreeMap::from([("a", 1), ("b", 2)]));
}

#[test]
fn sets_are_those_of_serde_dynamo() {
    use serde_dynamo::{binary_set::BinarySet, number_set::NumberSet, string_set::StringSet};
    let texts = StringSet(vec!["a", "b"]);
    assert_eq!(written(&texts).unwrap(), r#"{"SS":["a","b"]}"#);
    let numbers = NumberSet(vec![1, -2]);
    assert_eq!(written(&numbers).unwrap(), r#"{"NS":["1","-2"]}"#);
    let binaries = BinarySet(vec![Bytes(vec![1])]);
    assert_eq!(written(&binaries).unwrap(), r#"{"BS":["AQ=="]}"#);
    let mixed = written(&StringSet(vec![1])).unwrap_err();
    assert!(mixed.to_string().contains("of another type"), "{mixed}");
}

/// Reads a value of every type as a `T`; errors name the types that it does not accept.
fn check<T: DeserializeOwned>(expected: &str, accepted: &[&str]) {
    let values = [
        ("S", r#"{"S":"1"}"#),
        ("N", r#"{"N":"1"}"#),
        ("B", r#"{"B":"AQ=="}"#),
        ("BOOL", r#"{"BOOL":true}"#),
        ("NULL", r#"{"NULL":true}"#),
        ("M", r#"{"M":{"1":{"NULL":true}}}"#),
        ("L", r#"{"L":[]}"#),
        ("SS", r#"{"SS":["1"]}"#),
        ("NS", r#"{"NS":["1"]}"#),
        ("BS", r#"{"BS":["AQ=="]}"#),
    ];
    for (found, value) in values {
        let refused = format!("expected {expected}, found {found}");
        let refused = Some(refused).filter(|_| !accepted.contains(&found));
        assert_eq!(read::<T>(value).err(), refused);
    }
}

#[test]
fn every_type_instead_of_another() {
    check::<u8>("N", &["N"]);
    check::<i64>("N", &["N"]);
    check::<f64>("N", &["N"]);
    check::<Option<u32>>("N", &["N", "NULL"]);
    check::<String>("S", &["S"]);
    check::<char>("S", &["S"]);
    check::<std::ffi::CString>("B", &["B"]);
    check::<bool>("BOOL", &["BOOL"]);
    check::<()>("NULL", &["NULL"]);
    check::<BTreeMap<String, ()>>("M", &["M"]);
    check::<Vec<serde::de::IgnoredAny>>("L", &["L", "SS", "NS", "BS"]);
}

/// A tagged and an untagged enum, and other types that serde buffers first.
#[test]
fn what_serde_puts_aside_is_read() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "kind")]
    enum Tagged {
        Point { x: f64, y: f32 },
        Nothing,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Either {
        Number(i32),
        Texts(Vec<String>),
    }
    type All = (Tagged, Tagged, Either, Either, BTreeMap<bool, Vec<u8>>);
    let all: All = (
        Tagged::Point { x: 1.0, y: 0.5 },
        Tagged::Nothing,
        Either::Number(-3),
        Either::Texts(vec!["a".into()]),
        [(false, vec![0, 255])].into(),
    );
    assert_eq!(read::<All>(&written(&all).unwrap()).unwrap(), all);
}

/// Returns the path of a value that cannot be read.
fn path_of<T: DeserializeOwned + core::fmt::Debug>(json: &str) -> String {
    let reason = T::deserialize(Value::new(&mut Reader::new(json))).unwrap_err();
    let (what, path) = reason.into_parts();
    format!("{path}: {what}")
}

#[test]
fn what_cannot_be_read_has_a_path() {
    let json = r#"{"M":{"b":{"L":[]},"a\n":{"L":[{"N":"1"},{"S":"x"}]}}}"#;
    assert_eq!(
        path_of::<BTreeMap<String, Vec<u8>>>(json),
        "a\n[1]: expected N, found S"
    );
    let shapes = r#"{"L":[{"S":"Unit"},{"M":{"Struct":{"M":{"side":{"S":""}}}}}]}"#;
    assert_eq!(
        path_of::<Vec<Shape>>(shapes),
        "[1].Struct.side: expected N, found S"
    );
    assert_eq!(
        path_of::<Vec<Shape>>(r#"{"L":[{"M":{"Round":{"N":"1"}}}]}"#),
        "[0]: unknown variant `Round`, expected one of `Unit`, `Newtype`, `Tuple`, `Struct`"
    );
    assert_eq!(
        path_of::<BTreeMap<u16, bool>>(r#"{"M":{"x":{"BOOL":true}}}"#),
        "x: expected u16 as key, found `x`"
    );
}

#[test]
fn what_cannot_be_written_has_a_path() {
    let at = |refused: super::refused::Refused| refused.into_parts().0;
    let nan = Shape::Struct {
        side: 1.0,
        name: None,
    };
    assert!(written(&nan).is_ok());
    let names = BTreeMap::from([((1, 2), 3)]);
    let names = [("tuples", vec![names])];
    let names: BTreeMap<_, _> = names.into();
    assert_eq!(at(written(&names).unwrap_err()), "tuples[0]");
    #[derive(Serialize)]
    enum Nested {
        Pair(u8, u128),
        Named { large: u128 },
        One(u128),
    }
    let large = u128::MAX;
    for (nested, path) in [
        (Nested::Pair(1, large), "Pair[1]"),
        (Nested::Named { large }, "Named.large"),
        (Nested::One(large), "One"),
    ] {
        assert_eq!(at(written(&nested).unwrap_err()), path);
    }
    // Only the attribute, for a value that is too deep or too large.
    let deep = BTreeMap::from([("floats", vec![f64::NAN])]);
    assert_eq!(at(written(&deep).unwrap_err()), "floats");
}
