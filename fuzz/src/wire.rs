//! The decoder of responses. It reads items in two ways, directly from the JSON and through maps. If
//! both succeed, they must agree.

use dynamo_model::__private::fuzz;
use dynamo_model::{DynamoEntity, DynamoTable};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Pieces of responses.
pub const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "\\ud83d\\ude00",
    "\\udfff",
    "null",
    "true",
    "false",
    "1e999",
    "{\"S\":\"\"}",
    "{\"N\":\"\"}",
    "{\"N\":\"-0\"}",
    "{\"N\":\"99999999999999999999999999999999999999\"}",
    "{\"B\":\"AA==\"}",
    "{\"B\":\"=\"}",
    "{\"BOOL\":true}",
    "{\"NULL\":true}",
    "{\"NULL\":false}",
    "{\"M\":{}}",
    "{\"L\":[]}",
    "{\"SS\":[]}",
    "{\"NS\":[\"1\"]}",
    "{\"BS\":[\"AA==\"]}",
    "\"Items\":[",
    "\"Item\":{",
    "\"Responses\":[",
    "\"Responses\":{\"T\":[",
    "\"Count\":",
    "\"ScannedCount\":",
    "\"LastEvaluatedKey\":{",
    "\"ConsumedCapacity\":[",
    "\"CapacityUnits\":",
    "\"UnprocessedKeys\":{\"T\":{\"Keys\":[",
    "\"UnprocessedItems\":{\"T\":[{\"PutRequest\":{\"Item\":{",
    "\"Attributes\":{",
    "\"PK\":{\"S\":\"R#1\"}",
    "\"type\":{\"S\":\"RICH\"}",
    "\"id\":{\"S\":\"1\"}",
    "\"nested\":{\"M\":",
    "\"Card\":{\"M\":{",
    "\"tree\":{\"M\":{\"children\":{\"L\":[",
    "\"any\":",
    "NaN",
    "inf",
    "\u{0}",
    "山",
    "😀",
];

/// The table.
#[derive(DynamoTable, Debug)]
#[table(name = "Rich", pk = "PK", entity_type = "type", stream = new_and_old_images)]
pub struct RichTable;

/// A value of every kind that is read differently.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = RichTable, entity_type = "RICH")]
#[pk("R#<id>")]
pub struct Rich {
    #[dynamo(key_only)]
    id: String,
    #[serde(default)]
    number: Option<i64>,
    #[serde(default)]
    wide: Option<u128>,
    #[serde(default)]
    float: Option<f64>,
    #[serde(default)]
    flag: Option<bool>,
    #[serde(default)]
    letter: Option<char>,
    #[serde(default)]
    set: BTreeSet<String>,
    #[serde(default)]
    map: BTreeMap<u8, Vec<i16>>,
    #[serde(default)]
    payment: Option<Payment>,
    #[serde(default)]
    tagged: Option<Tagged>,
    #[serde(default)]
    either: Option<Either>,
    #[serde(default)]
    tree: Option<Tree>,
    #[serde(default)]
    pair: Option<(String, u8)>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Payment {
    Cash,
    Transfer(String),
    Split(u8, u8),
    Card { number: String, month: u8 },
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Tagged {
    Post { street: String, floor: i8 },
    Mail { to: Vec<String> },
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Float(f64),
    Text(String),
    List(Vec<Either>),
    Map(BTreeMap<String, Either>),
}

/// A value as deep as the input.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Tree {
    #[serde(default)]
    children: Vec<Tree>,
}

/// Checks the body of a response.
pub fn check(data: &[u8]) {
    let Some(answer) = fuzz::answer::<Rich>(data) else {
        return;
    };
    for (direct, by_map) in answer.direct.iter().zip(&answer.by_map) {
        // Texts, because NaN is not equal to itself. If an item has several mistakes, either may be
        // reported.
        let shown = |read: &Result<Rich, dynamo_model::Error>| {
            let said = read.as_ref().map_err(ToString::to_string);
            assert_ne!(said.as_ref().err().map(String::len), Some(0));
            read.as_ref().ok().map(|item| format!("{item:?}"))
        };
        if let Some(by_map) = by_map {
            assert_eq!(shown(direct), shown(by_map));
        }
    }
}
