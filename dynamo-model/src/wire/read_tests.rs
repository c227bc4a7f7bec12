use super::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;

#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    DarkBlue,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Payment {
    Cash,
    Voucher(String),
    Split(u8, i64),
    Card { number: String, ccv: Option<u16> },
}

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

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Metres(f64);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Unit;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Extra {
    #[serde(default)]
    note: String,
    weight: u64,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Everything {
    flag: bool,
    letter: char,
    smallest: i64,
    largest: u64,
    float: f32,
    none: Option<u8>,
    some: Option<Metres>,
    unit: (),
    unit_struct: Unit,
    colour: Colour,
    payments: Vec<Payment>,
    tagged: [Tagged; 2],
    either: (Either, Either),
    bytes: CString,
    #[serde(with = "serde_dynamo::string_set")]
    words: BTreeSet<String>,
    #[serde(with = "serde_dynamo::number_set")]
    digits: BTreeSet<i32>,
    by_number: BTreeMap<u32, String>,
    by_colour: BTreeMap<Colour, bool>,
    by_flag: BTreeMap<bool, Vec<u8>>,
    #[serde(flatten)]
    extra: Extra,
}

fn everything() -> Everything {
    let number = || "4山".to_owned();
    let payments = vec![
        Payment::Cash,
        Payment::Voucher(String::new()),
        Payment::Split(255, -1),
        Payment::Card {
            number: number(),
            ccv: None,
        },
        Payment::Card {
            number: number(),
            ccv: Some(7),
        },
    ];
    Everything {
        flag: true,
        letter: '山',
        smallest: i64::MIN,
        largest: u64::MAX,
        float: 1.5e-7,
        none: None,
        some: Some(Metres(-0.25)),
        unit: (),
        unit_struct: Unit,
        colour: Colour::DarkBlue,
        payments,
        tagged: [Tagged::Point { x: 1.0, y: 0.5 }, Tagged::Nothing],
        either: (Either::Number(-3), Either::Texts(vec!["a".into()])),
        bytes: c"ab".into(),
        words: ["a", "b"].map(str::to_owned).into(),
        digits: [-1, 1].into(),
        by_number: [(7, "seven".into())].into(),
        by_colour: [(Colour::Red, true)].into(),
        by_flag: [(false, vec![0, 255])].into(),
        extra: Extra {
            note: "n".into(),
            weight: 5,
        },
    }
}

fn read<T: DeserializeOwned>(value: AttributeValue) -> Result<T, Reason> {
    T::deserialize(Value(value))
}

#[test]
fn it_reads_what_serde_dynamo_writes_and_reads() -> Result<(), Box<dyn std::error::Error>> {
    use serde_dynamo::aws_sdk_dynamodb_1::{from_attribute_value, to_attribute_value};
    let stored: AttributeValue = to_attribute_value(everything())?;
    assert_eq!(read::<Everything>(stored.clone())?, everything());
    assert_eq!(from_attribute_value::<Everything>(stored)?, everything());
    Ok(())
}

/// Reads a value of every type as a `T`; those that it does not take are said to be what they are.
fn check<T: DeserializeOwned>(expected: &str, accepted: &[&str]) {
    let text = || "1".to_owned();
    let blob = || vec![1].into();
    let values = [
        AttributeValue::S(text()),
        AttributeValue::N(text()),
        AttributeValue::B(blob()),
        AttributeValue::Bool(true),
        AttributeValue::Null(true),
        AttributeValue::M([(text(), AttributeValue::Null(true))].into()),
        AttributeValue::L(Vec::new()),
        AttributeValue::Ss(vec![text()]),
        AttributeValue::Ns(vec![text()]),
        AttributeValue::Bs(vec![blob()]),
    ];
    for value in values {
        let found = type_name(&value);
        let reason = read::<T>(value).err().map(|reason| reason.to_string());
        let refused = format!("expected {expected}, found {found}");
        let refused = Some(refused).filter(|_| !accepted.contains(&found));
        assert_eq!(reason, refused);
    }
}

#[test]
fn every_type_instead_of_another() {
    check::<u8>("N", &["N"]);
    check::<i64>("N", &["N"]);
    check::<f64>("N", &["N"]);
    check::<Metres>("N", &["N"]);
    check::<Option<u32>>("N", &["N", "NULL"]);
    check::<String>("S", &["S"]);
    check::<char>("S", &["S"]);
    check::<CString>("B", &["B"]);
    check::<bool>("BOOL", &["BOOL"]);
    check::<()>("NULL", &["NULL"]);
    check::<BTreeMap<String, ()>>("M", &["M"]);
    check::<Vec<serde::de::IgnoredAny>>("L", &["L", "SS", "NS", "BS"]);
}
