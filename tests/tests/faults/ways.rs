//! The two ways to write requests and read answers, for any item: the same requests, and the same
//! items.

use super::script::{Script, ScriptedResponse, SentRequest};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, BatchWrite, Dynamo, DynamoEntity, DynamoTable, Entity, Error, Transaction,
};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(DynamoTable)]
#[table(name = "Ways", pk = "PK", sk = "SK", entity_type = "type")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Ways;

/// All ten types, and any of them within each other.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Ways, entity_type = "ANY")]
#[pk("ANY#<name>")]
#[sk("<number:020>")]
#[gsi1(pk = "GROUP#<group>", sk = "<name>", as = by_group)]
struct Any {
    name: String,
    number: i64,
    group: Option<String>,
    flag: bool,
    nothing: Option<u8>,
    long: u64,
    real: f64,
    #[serde(
        with = "serde_dynamo::string_set",
        skip_serializing_if = "BTreeSet::is_empty",
        default
    )]
    names: BTreeSet<String>,
    #[serde(
        with = "serde_dynamo::number_set",
        skip_serializing_if = "BTreeSet::is_empty",
        default
    )]
    numbers: BTreeSet<i64>,
    nested: Vec<Nested>,
    entries: BTreeMap<String, Tree>,
    pair: (u8, String),
    #[dynamo(version)]
    version: u64,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Nested {
    #[serde(
        with = "serde_dynamo::binary_set",
        skip_serializing_if = "Vec::is_empty",
        default
    )]
    parts: Vec<Bytes>,
    bytes: Bytes,
    kind: Kind,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Kind {
    Unit,
    One(i32),
    Two(String, bool),
    Named { at: Option<i8> },
}

/// Any content of a map.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(untagged)]
enum Tree {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Tree>),
    Map(BTreeMap<String, Tree>),
}

/// Bytes, as binary.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_byte_buf(Visitor)
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        "\\PC{1,8}",
        any::<char>().prop_map(String::from),
        Just("\"\\/\u{8}\n\u{1F600}".into())
    ]
}

fn bytes() -> impl Strategy<Value = Bytes> {
    vec(any::<u8>(), 0..6).prop_map(Bytes)
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        any::<i64>().prop_map(Tree::Number),
        text().prop_map(Tree::Text),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Tree::List),
            btree_map(text(), inner, 0..3).prop_map(Tree::Map),
        ]
    })
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Unit),
        any::<i32>().prop_map(Kind::One),
        (text(), any::<bool>()).prop_map(|(text, flag)| Kind::Two(text, flag)),
        any::<Option<i8>>().prop_map(|at| Kind::Named { at }),
    ]
}

fn nested() -> impl Strategy<Value = Nested> {
    let parts = btree_set(bytes(), 0..3).prop_map(|set| set.into_iter().collect());
    (parts, bytes(), kind()).prop_map(|(parts, bytes, kind)| Nested { parts, bytes, kind })
}

fn any_item() -> impl Strategy<Value = Any> {
    let plain = (
        text(),
        any::<i64>(),
        proptest::option::of(text()),
        any::<bool>(),
        any::<Option<u8>>(),
    );
    let numbers = (any::<u64>(), -1.0e12..1.0e12, any::<u8>(), 0..1000_u64);
    let sets = (btree_set(text(), 0..4), btree_set(any::<i64>(), 0..4));
    let deep = (vec(nested(), 0..3), btree_map(text(), tree(), 0..3), text());
    (plain, numbers, sets, deep).prop_map(
        |(
            (name, number, group, flag, nothing),
            (long, real, byte, version),
            (names, numbers),
            (nested, entries, pair),
        )| Any {
            name,
            number,
            group,
            flag,
            nothing,
            long,
            real,
            names,
            numbers,
            nested,
            entries,
            pair: (byte, pair),
            version,
        },
    )
}

/// Attributes that the entity does not declare, of any type.
fn others() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        text().prop_map(|it| json!({ "S": it })),
        any::<i64>().prop_map(|it| json!({ "N": it.to_string() })),
        Just(json!({ "N": "12345678901234567890123456789012345678" })),
        any::<bool>().prop_map(|it| json!({ "BOOL": it })),
        Just(json!({ "NULL": true })),
        Just(json!({ "B": "AAEC" })),
        Just(json!({ "SS": ["a", "b"] })),
        Just(json!({ "NS": ["1", "2.5"] })),
        Just(json!({ "BS": ["AA==", "AQ=="] })),
    ];
    let value = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(|it| json!({ "L": it })),
            btree_map(text(), inner, 0..3).prop_map(|it| json!({ "M": it })),
        ]
    });
    btree_map(text().prop_map(|name| format!("other {name}")), value, 0..4)
        .prop_map(|others| others.into_iter().collect())
}

/// Answers every read with these items.
fn reads(items: Vec<Value>) -> Script {
    Script::new(move |_, operation, _| {
        let answer = match operation {
            "GetItem" => json!({ "Item": items[0] }),
            "Query" | "Scan" => {
                json!({ "Items": items, "Count": items.len(), "ScannedCount": items.len() })
            }
            "BatchGetItem" => json!({ "Responses": { "Ways": items } }),
            "TransactGetItems" => {
                let items: Vec<Value> = items.iter().map(|item| json!({ "Item": item })).collect();
                json!({ "Responses": items })
            }
            _ => json!({}),
        };
        ScriptedResponse::Whole(200, answer.to_string())
    })
}

/// Returns the result of each read.
async fn read(db: &Dynamo, items: &[Any]) -> Result<Vec<Vec<Option<Any>>>, Error> {
    let key = |item: &Any| Any::key(&item.name, item.number);
    let found = |items: Vec<Any>| items.into_iter().map(Some).collect();
    Ok(vec![
        vec![Any::get(&items[0].name, items[0].number).send(db).await?],
        found(Any::query(&items[0].name).all(db).await?),
        found(Any::scan().all(db).await?),
        BatchGet::new(items.iter().map(key)).send(db).await?,
        TransactGet::all(items.iter().map(key)).send(db).await?,
    ])
}

/// Returns the requests of each write.
async fn written(is_typed: bool, item: &Any, other: &Any) -> Result<Vec<SentRequest>, Error> {
    let script = reads(Vec::new());
    let db = script.db(is_typed);
    item.put().any_version().send(&db).await?;
    item.put()
        .condition(|it| it.flag().eq(true) & it.nested().size().lt(9))
        .send(&db)
        .await?;
    item.create().send(&db).await?;
    let update = || {
        let update = item
            .update()
            .set(|it| it.group(), "other")
            .set(|it| it.nested(), other.nested.clone());
        let update = update
            .set(|it| it.entries(), other.entries.clone())
            .set(|it| it.real(), other.real);
        let update = update.add(|it| it.long(), 3_u64).remove(|it| it.nothing());
        update
            .add_to_set(|it| it.names(), ["x"])
            .condition(|it| it.number().ne(5))
    };
    update().send(&db).await?;
    item.delete().send(&db).await?;
    Any::delete(&item.name, item.number)
        .condition(|it| it.names().contains("x"))
        .send(&db)
        .await?;
    BatchWrite::new()
        .delete(Any::key(&other.name, other.number))
        .load([item.clone()])
        .send(&db)
        .await?;
    let transaction = Transaction::new().add(other.create()).add(update());
    transaction.token("t").send(&db).await?;
    Ok(script.asked())
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(100)
    ))]

    #[test]
    fn both_codecs_send_the_same_requests((item, other) in (any_item(), any_item())) {
        prop_assume!((&item.name, item.number) != (&other.name, other.number));
        let straight = block_on(written(false, &item, &other)).unwrap();
        let typed = block_on(written(true, &item, &other)).unwrap();
        prop_assert_eq!(straight.len(), 8);
        for (straight, typed) in straight.iter().zip(&typed) {
            prop_assert_eq!(straight, typed);
        }
    }

    #[test]
    fn both_codecs_read_the_same_items(
        (mut items, others) in (vec(any_item(), 1..4), vec(others(), 4)),
    ) {
        items.sort_by_key(|item| (item.name.clone(), item.number));
        items.dedup_by_key(|item| (item.name.clone(), item.number));
        let stored = items.iter().zip(others).map(|(item, others)| {
            let script = reads(Vec::new());
            block_on(item.put().any_version().send(&script.db(false))).unwrap();
            let mut stored = script.asked()[0].1["Item"].take_object();
            // As read, before the next write raises it.
            stored.insert("version".into(), json!({ "N": item.version.to_string() }));
            stored.extend(others);
            Value::Object(stored)
        });
        let script = reads(stored.collect());
        let straight = block_on(read(&script.db(false), &items)).unwrap();
        let typed = block_on(read(&script.db(true), &items)).unwrap();
        prop_assert_eq!(&straight, &typed);
        let all: Vec<Option<Any>> = items.into_iter().map(Some).collect();
        prop_assert_eq!(&straight[3], &all);
        prop_assert_eq!(&straight[4], &all);
    }

    /// `serde_dynamo` is the oracle: it reads what the library writes.
    #[test]
    fn serde_dynamo_reads_what_is_written(item in any_item()) {
        let script = reads(Vec::new());
        block_on(item.put().any_version().send(&script.db(false))).unwrap();
        let written = script.asked()[0].1["Item"].take_object();
        let written = written.into_iter().map(|(name, json)| (name, attribute(json)));
        let read: Any = serde_dynamo::from_item(written.collect::<HashMap<_, _>>()).unwrap();
        prop_assert_eq!(read, Any { version: item.version + 1, ..item });
    }

    /// And the library reads what `serde_dynamo` writes.
    #[test]
    fn items_of_serde_dynamo_are_read(item in any_item()) {
        let script = reads(Vec::new());
        block_on(item.put().any_version().send(&script.db(false))).unwrap();
        let mut stored = script.asked()[0].1["Item"].take_object();
        let written: HashMap<String, AttributeValue> = serde_dynamo::to_item(&item).unwrap();
        stored.extend(written.into_iter().map(|(name, value)| (name, json_of(value))));
        let script = reads(vec![Value::Object(stored)]);
        for is_typed in [false, true] {
            let get = Any::get(&item.name, item.number).send(&script.db(is_typed));
            let read = block_on(get).unwrap();
            prop_assert_eq!(read.as_ref(), Some(&item));
        }
    }
}

/// DynamoDB JSON as a value of the SDK.
fn attribute(json: Value) -> AttributeValue {
    let value: dynamo_model::Value = serde_json::from_value(json).unwrap();
    value.into()
}

/// Returns a value of the SDK as DynamoDB JSON.
fn json_of(value: AttributeValue) -> Value {
    serde_json::to_value(dynamo_model::Value::try_from(value).unwrap()).unwrap()
}

trait TakeObject {
    fn take_object(&self) -> Map<String, Value>;
}

impl TakeObject for Value {
    fn take_object(&self) -> Map<String, Value> {
        self.as_object().unwrap().clone()
    }
}
