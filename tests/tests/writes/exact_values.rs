//! Values of any type, and numbers with all of their digits: stored and read as they are.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Number, Value};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(DynamoTable)]
#[table(name = "Exact", pk = "PK")]
struct Exact;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Exact)]
#[pk("EVENT#<id>")]
struct Event {
    id: u32,
    /// A free-form map.
    details: BTreeMap<String, Value>,
    any: Value,
    amount: Number,
    amounts: BTreeSet<Number>,
    #[dynamo(nested)]
    inner: Inner,
    maybe: Option<Value>,
}

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Inner {
    values: Vec<Value>,
    ratio: Option<Number>,
}

const LONG: &str = "0.123456789012345678901234567891";

fn n(text: &str) -> Number {
    text.parse().unwrap()
}

/// A value of each type.
fn all_types() -> Value {
    Value::from(BTreeMap::from([
        ("s", Value::from("text")),
        ("n", Value::N(n(LONG))),
        ("b", Value::from(&[0_u8, 255])),
        ("bool", Value::from(true)),
        ("null", Value::Null),
        // A name of a type, which other codecs take for one.
        ("m", Value::from_iter([("S", "x")])),
        ("l", Value::from(vec![Value::Null, Value::from(1)])),
        ("ss", Value::from(BTreeSet::from(["a".to_owned()]))),
        ("ns", Value::from(BTreeSet::from([n(LONG), n("2")]))),
        ("bs", Value::from(BTreeSet::from([vec![1_u8]]))),
    ]))
}

fn event() -> Event {
    Event {
        id: 1,
        details: all_types().as_map().unwrap().clone(),
        any: all_types(),
        amount: n("12345678901234567890123456789012345678"),
        amounts: [n("1.5"), n("1e-20")].into(),
        inner: Inner {
            values: vec![Value::Null, all_types()],
            ratio: None,
        },
        maybe: None,
    }
}

/// findings §1: "There is no lossless catch-all (a flattened `serde_json::Value` turns NS into L and fails on 30-digit
/// numbers)."
#[tokio::test]
async fn a_free_form_value_keeps_all_ten_types() -> Outcome {
    let db = support::db::<Exact>().await;
    for db in [db.clone(), db.clone().with_attribute_maps()] {
        db.put(&event()).send().await?;
        let stored = raw(&db, Event::key(1)).await?.unwrap();
        assert_eq!(stored["any"], AttributeValue::from(all_types()));
        assert_eq!(stored["any"], stored["details"]);
        assert!(stored["amount"].is_n() && stored["amounts"].is_ns());
        assert!(!stored.contains_key("maybe"));
        assert_eq!(Event::get(1).send(&db).await?, Some(event()));
        // Once more, from what was read.
        let read = Event::get(1).send(&db).await?.unwrap();
        db.put(&read).send().await?;
        assert_eq!(raw(&db, Event::key(1)).await?.unwrap(), stored);
    }
    Ok(())
}
