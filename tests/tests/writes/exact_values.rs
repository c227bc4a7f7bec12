//! Values of any type, and numbers with all of their digits: stored and read as they are.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::value::Number;
use dynamo_model::{Dynamo, DynamoEntity, DynamoNested, DynamoTable, Entity, Value};
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

/// Returns a value of each type.
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

/// Finding: "There is no lossless catch-all (a flattened `serde_json::Value` turns NS into L
/// and fails on 30-digit numbers)."
#[tokio::test]
async fn a_free_form_value_keeps_all_ten_types() -> Outcome {
    let db = support::db::<Exact>().await;
    for db in [Dynamo::clone(&db), db.typed()] {
        event().put().send(&db).await?;
        let stored = raw(&db, Event::key(1)).await?.unwrap();
        assert_eq!(stored["any"], AttributeValue::from(all_types()));
        assert_eq!(stored["any"], stored["details"]);
        assert!(stored["amount"].is_n() && stored["amounts"].is_ns());
        assert!(!stored.contains_key("maybe"));
        assert_eq!(Event::get(1).send(&db).await?, Some(event()));
        // Again, from the loaded item.
        let read = Event::get(1).send(&db).await?.unwrap();
        read.put().send(&db).await?;
        assert_eq!(raw(&db, Event::key(1)).await?.unwrap(), stored);
    }
    Ok(())
}

async fn exact() -> Outcome<support::Db> {
    let db = support::db::<Exact>().await;
    event().put().send(&db).await?;
    Ok(db)
}

#[tokio::test]
async fn a_number_is_compared_and_added_exactly() -> Outcome {
    if support::skip("numbers of over 28 digits") {
        return Ok(());
    }
    let db = exact().await?;
    let amount = event().amount;
    let update = Event::update(1)
        .condition(|event| event.amount().eq(&amount) & event.amount().gt(n("1e37")))
        .subtract(
            |event| event.amount(),
            n("12345678901234567890123456789012345677"),
        )
        .add(|event| event.inner().ratio(), n("0.1"))
        .return_new();
    let new = update.send(&db).await?;
    assert_eq!(new.amount, n("1"));
    assert_eq!(new.inner.ratio, Some(n("0.10")));
    let update = Event::update(1)
        .add(|event| event.amount(), n(LONG))
        .subtract(|event| event.inner().ratio(), n("0.3"))
        .return_new();
    let new = update.send(&db).await?;
    assert_eq!(new.amount.to_string(), LONG.replacen('0', "1", 1));
    assert_eq!(new.inner.ratio, Some(n("-0.2")));
    let found = Event::scan().filter(|event| {
        event.amount().between(n("1.1"), n("1.2")) & event.amounts().contains(n("1.50"))
    });
    assert_eq!(found.count(&db).await?, 1);
    Ok(())
}

#[tokio::test]
async fn a_value_is_set_and_compared() -> Outcome {
    let db = exact().await?;
    let update = Event::update(1)
        .condition(|event| {
            event.any().eq(all_types())
                & event.details().entry("m").entry("S").eq(Value::from("x"))
                & event.details().entry("l").at(1).eq(Value::from(1))
                & event.details().entry("ns").attribute_type("NS")
        })
        .set(|event| event.details().entry("null"), Value::from(&[7_u8]))
        .set(|event| event.any(), Value::Null)
        .set(|event| event.maybe(), Value::from(BTreeSet::from([n("3")])))
        .return_new();
    let new = update.send(&db).await?;
    assert_eq!(new.details["null"], Value::from(&[7_u8]));
    assert_eq!(new.any, Value::Null);
    assert_eq!(new.maybe, Some(Value::from(BTreeSet::from([n("3")]))));
    let stored = raw(&db, Event::key(1)).await?.unwrap();
    assert_eq!(stored["any"], AttributeValue::Null(true));
    assert_eq!(stored["maybe"], AttributeValue::Ns(vec!["3".into()]));
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Posts", pk = "PK")]
struct Posts;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Posts)]
#[pk("POST#<id>")]
struct Post {
    id: u32,
    reactions: BTreeMap<Reaction, u32>,
    by_year: BTreeMap<u16, u32>,
    by_pair: BTreeMap<(u8, u8), u32>,
}

#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Reaction {
    Heart,
    ThumbsUp,
}

fn post() -> Post {
    Post {
        id: 1,
        reactions: [(Reaction::ThumbsUp, 1)].into(),
        by_year: BTreeMap::new(),
        by_pair: BTreeMap::new(),
    }
}

/// Finding: "an enum as key in a map path"
#[tokio::test]
async fn an_entry_is_named_by_the_key_of_its_map() -> Outcome {
    let db = support::db::<Posts>().await;
    post().put().send(&db).await?;
    let update = Post::update(1)
        .condition(|post| {
            post.reactions().entry(Reaction::ThumbsUp).eq(1)
                & post.reactions().entry(Reaction::Heart).not_exists()
        })
        .add(|post| post.reactions().entry(Reaction::ThumbsUp), 1_u32)
        .add(|post| post.reactions().entry(Reaction::Heart), 1_u32)
        .set(|post| post.by_year().entry(2026), 5_u32)
        .return_new();
    let new = update.send(&db).await?;
    assert_eq!(
        new.reactions,
        [(Reaction::Heart, 1), (Reaction::ThumbsUp, 2)].into()
    );
    assert_eq!(new.by_year, [(2026, 5)].into());
    Ok(())
}

#[tokio::test]
async fn an_entry_without_a_name_fails_before_the_request() {
    let db = support::bare();
    let update = Post::update(1).set(|post| post.by_pair().entry((1, 2)), 1_u32);
    let error = update.send(&db).await.unwrap_err().to_string();
    assert!(error.contains("by_pair: the names in a map are"), "{error}");
    let update = Event::update(1).set(|event| event.details().entry(""), Value::Null);
    let error = update.send(&db).await.unwrap_err().to_string();
    assert!(
        error.contains("details: the name of an entry is empty"),
        "{error}"
    );
    let scan = Post::scan().filter(|post| post.by_pair().entry((1, 2)).eq(1));
    let error = scan.count(&db).await.unwrap_err().to_string();
    assert!(error.contains("by_pair: the names in a map are"), "{error}");
}
