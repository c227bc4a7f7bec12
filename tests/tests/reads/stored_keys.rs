//! An item is written back to the key it was read from: every read compares the stored key with the
//! one that the item's fields build.

use crate::support::{self, Db, Outcome, put_json};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::stream::{Change, StreamRecord};
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, DynamoEntity, DynamoItems, DynamoTable, Entity, Error, ErrorKind, KeyPart,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(DynamoTable)]
#[table(name = "Keys", pk = "PK", sk = "SK", entity_type = "type", stream = new_and_old_images, items = KeysItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Keys;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Keys, entity_type = "USER")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "NAME#<name>", sk = "USER#<user_id>", as = by_name)]
struct User {
    user_id: String,
    name: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Keys, entity_type = "ORDER")]
#[pk("SHOP#<shop>")]
#[sk("ORDER#<n:04>")]
struct Order {
    shop: String,
    n: u32,
}

#[derive(DynamoItems, Debug)]
#[items(table = Keys)]
enum KeysItem {
    User(User),
    Order(Order),
    Entry(Entry),
    Visit(Visit),
    Patient(Patient),
}

/// Returns an item that another tool stored, without escaping.
fn unescaped() -> Value {
    json!({
        "PK": "USER#a#b", "SK": "PROFILE", "type": "USER", "user_id": "a#b", "name": "A",
        "GSI1PK": "NAME#A", "GSI1SK": "USER#a#b",
    })
}

/// Returns an item that another tool stored, without padding.
fn unpadded() -> Value {
    json!({"PK": "SHOP#s", "SK": "ORDER#7", "type": "ORDER", "shop": "s", "n": 7})
}

async fn with(item: Value) -> Outcome<Db> {
    let db = support::db::<Keys>().await;
    put_json::<Keys>(&db, item).await?;
    Ok(db)
}

fn assert_mismatch<T: std::fmt::Debug>(read: Result<T, Error>, expected: &str) {
    let error = read.unwrap_err();
    assert!(error.is_key_mismatch() && error.is_decode(), "{error}");
    assert_eq!(error.to_string(), expected);
}

const UNESCAPED: &str = "the item is stored with `PK` = `USER#a#b`, but its fields build \
                         `USER#a$23b`; write `<user_id:raw>` in `USER#<user_id>`, or move the item \
                         to its key with a migration";
const UNPADDED: &str = "the item is stored with `SK` = `ORDER#7`, but its fields build \
                        `ORDER#0007`; write `<n>` in `ORDER#<n:04>`, or move the item to its key \
                        with a migration";

/// Finding: "`User::scan()` returned an item that another tool stored at `USER#a#b`; its
/// `.update()` and `.delete()` went to `USER#a$23b` and returned Ok"
#[tokio::test]
async fn scan_rejects_an_item_whose_key_is_not_escaped() -> Outcome {
    let db = with(unescaped()).await?;
    let expected = format!("scan User USER#a#b/PROFILE: {UNESCAPED}");
    assert_mismatch(User::scan().all(&db).await, &expected);
    assert_mismatch(User::scan().segments(2).all(&db).await, &expected);
    Ok(())
}

#[tokio::test]
async fn query_of_an_index_rejects_an_item_whose_key_is_not_escaped() -> Outcome {
    let db = with(unescaped()).await?;
    let expected = format!("query User USER#a#b/PROFILE: {UNESCAPED}");
    assert_mismatch(User::by_name("A").all(&db).await, &expected);
    assert_mismatch(User::by_name("A").first(&db).await, &expected);
    assert_mismatch(User::by_name("A").page(&db).await, &expected);
    Ok(())
}

/// Finding: "with `<n:04>` and a stored `ORDER#7`, `query` finds it, `get` returns None and
/// `put` creates a twin"
#[tokio::test]
async fn query_rejects_an_item_whose_key_is_not_padded() -> Outcome {
    let db = with(unpadded()).await?;
    let expected = format!("query Order SHOP#s/ORDER#7: {UNPADDED}");
    assert_mismatch(Order::query("s").all(&db).await, &expected);
    assert_mismatch(Order::query("s").first(&db).await, &expected);
    assert_mismatch(Order::query("s").one(&db).await, &expected);
    let error = Order::query("s").all(&db).await.unwrap_err();
    let expected = ErrorKind::KeyMismatch {
        attribute: "SK",
        template: "ORDER#<n:04>",
        stored: Some("ORDER#7".into()),
        built: Some("ORDER#0007".into()),
        placeholder: Some("<n>".into()),
    };
    assert_eq!(error.kind(), &expected);
    Ok(())
}

/// The stored key is the requested one, but the fields contradict it.
#[tokio::test]
async fn reads_by_key_reject_an_item_whose_fields_contradict_the_key() -> Outcome {
    let item = json!({"PK": "SHOP#s", "SK": "ORDER#0007", "type": "ORDER", "shop": "s", "n": 8});
    let db = with(item).await?;
    let expected = "Order SHOP#s/ORDER#0007: the item is stored with `SK` = `ORDER#0007`, but its \
                    fields build `ORDER#0008`; correct the template `ORDER#<n:04>`, or move the \
                    item to its key with a migration";
    assert_mismatch(
        Order::get("s", 7).send(&db).await,
        &format!("get {expected}"),
    );
    let batch = BatchGet::new([Order::key("s", 7)]);
    assert_mismatch(batch.send(&db).await, &format!("batch get {expected}"));
    let transaction = TransactGet::new((Order::key("s", 7),)).send(&db).await;
    assert!(transaction.unwrap_err().is_key_mismatch());
    let transaction = TransactGet::all([Order::key("s", 7)]).send(&db).await;
    assert!(transaction.unwrap_err().is_key_mismatch());
    let items = KeysItem::collection(Order::partition_key("s"));
    let error = items.all(&db).await.unwrap_err();
    assert!(error.is_key_mismatch(), "{error}");
    let old = Order::delete("s", 7).return_old();
    let error = old.send(&db).await.unwrap_err();
    assert!(error.is_key_mismatch(), "{error}");
    Ok(())
}

#[tokio::test]
async fn the_item_of_a_failed_condition_is_compared_with_its_key() -> Outcome {
    let item = json!({"PK": "SHOP#s", "SK": "ORDER#0007", "type": "ORDER", "shop": "t", "n": 7});
    let db = with(item).await?;
    let order = Order {
        shop: "s".into(),
        n: 7,
    };
    let error = order.create().send(&db).await.unwrap_err();
    assert!(error.item::<Order>().unwrap_err().is_key_mismatch());
    Ok(())
}

#[test]
fn a_stream_record_is_compared_with_its_key() -> Outcome {
    let record: StreamRecord = serde_json::from_value(json!({
        "eventID": "1", "eventName": "INSERT", "eventSource": "aws:dynamodb",
        "dynamodb": {
            "Keys": {"PK": {"S": "SHOP#s"}, "SK": {"S": "ORDER#0007"}},
            "NewImage": {
                "PK": {"S": "SHOP#s"}, "SK": {"S": "ORDER#0007"}, "type": {"S": "ORDER"}, "shop": {"S": "s"}, "n": {"N": "8"},
            },
            "SequenceNumber": "1", "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    }))?;
    let error = Change::<Order>::of(&record).unwrap_err();
    assert!(error.is_key_mismatch(), "{error}");
    Ok(())
}

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Kind {
    New,
    Old,
}

/// Every change that a key part can make to a value.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Keys, entity_type = "ENTRY")]
#[pk("LOG#<email:lower>#<at:%Y-%m>#<id:shard(4)>")]
#[sk("<kind>#<at:ms>#<n:06>#<id>#<flag>")]
struct Entry {
    email: String,
    at: Timestamp,
    id: uuid::Uuid,
    #[dynamo(key_only)]
    kind: Kind,
    #[dynamo(key_only)]
    n: i32,
    flag: bool,
}

#[tokio::test]
async fn lossy_parts_are_compared_with_their_fields() -> Outcome {
    let db = support::db::<Keys>().await;
    for n in [-17, 0, 123_456] {
        let entry = Entry {
            email: "Ä#b$c@Example.COM".into(),
            at: "2025-06-01T10:00:00.123456789Z".parse()?,
            id: uuid::Uuid::from_u128(7),
            kind: Kind::New,
            n,
            flag: true,
        };
        entry.create().send(&db).await?;
        let (pk, _) = entry.primary_key()?.into_parts();
        assert_eq!(pk.to_string(), "LOG#ä$23b$24c@example.com#2025-06#2");
        let found = Entry::scan().all(&db).await?;
        assert_eq!(found, std::slice::from_ref(&entry));
        entry.delete().send(&db).await?;
    }
    Ok(())
}

/// Each line: the stored key, and the placeholder that builds it.
#[tokio::test]
async fn the_error_suggests_the_placeholder_that_builds_the_stored_key() -> Outcome {
    let at = "2025-06-01T10:00:00.123456Z";
    let cases = [
        ("Bob", "2025-06-01T10:00:00Z", "00042", "<at:s>"),
        ("Bob", at, "00042", "<at>"),
        ("bob", "2025-06-01T10:00:00.123Z", "00042", "<name:lower>"),
        ("Bob", "2025-06-01T10:00:00.123Z", "42", "<n>"),
        ("Bob", "2025-06-01T10:00:00.123Z", "0042", "<n:04>"),
    ];
    for (name, time, n, placeholder) in cases {
        let item = json!({
            "PK": "VISIT", "SK": format!("{name}#{time}#{n}"), "type": "VISIT", "name": "Bob", "at": at, "n": 42,
        });
        let db = with(item).await?;
        let error = Visit::query().all(&db).await.unwrap_err();
        let ErrorKind::KeyMismatch {
            placeholder: found, ..
        } = error.kind()
        else {
            panic!("{error}")
        };
        assert_eq!(found.as_deref(), Some(placeholder), "{error}");
    }
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Keys, entity_type = "VISIT")]
#[pk("VISIT")]
#[sk("<name>#<at:ms>#<n:05>")]
struct Visit {
    name: String,
    at: Timestamp,
    n: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Keys, entity_type = "PATIENT")]
#[pk("PATIENT#<number>")]
#[sk("PROFILE")]
struct Patient {
    #[dynamo(sensitive)]
    number: String,
}

#[tokio::test]
async fn a_sensitive_field_hides_both_keys() -> Outcome {
    let item =
        json!({"PK": "PATIENT#secret#1", "SK": "PROFILE", "type": "PATIENT", "number": "secret#1"});
    let db = with(item).await?;
    let error = Patient::scan().all(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "scan Patient PATIENT#<number>/PROFILE: the item is stored with another `PK` than its \
         fields, one of which is sensitive, build; write `<number:raw>` in `PATIENT#<number>`, or \
         move the item to its key with a migration"
    );
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Numbers", pk = N("id"), sk = B("hash"))]
struct Numbers;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Numbers)]
#[pk("<number>")]
#[sk("<digest>")]
struct Blob {
    number: i64,
    digest: Vec<u8>,
}

#[tokio::test]
async fn keys_of_numbers_and_bytes_are_compared_by_value() -> Outcome {
    let db = support::db::<Numbers>().await;
    let blob = Blob {
        number: -70,
        digest: vec![0, 255],
    };
    blob.put().send(&db).await?;
    assert_eq!(Blob::query(-70).all(&db).await?, [blob]);
    let mut item = support::from_json(json!({"id": 1, "number": 1, "digest": [0, 2]}));
    item.insert("hash".into(), AttributeValue::B(vec![0, 1].into()));
    support::put::<Numbers>(&db, item).await?;
    let error = Blob::query(1).all(&db).await.unwrap_err();
    assert!(error.is_key_mismatch(), "{error}");
    Ok(())
}
