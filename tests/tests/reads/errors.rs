//! The content of an error: entity, key, attribute, and fix.

use crate::support::{self, Db, Outcome, put, put_json, stored};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, ErrorKind, Table};
use dynamo_model_examples::exam::{
    AnswerHistory, ExamStudyApp, ExamType, Question, User, question, user,
};
use dynamo_model_examples::shogi::{Kifu, ShogiProject, kifu};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{HashMap, HashSet};

/// The fix of each of these errors.
const FIX: &str = "change the item, or the type that reads it";

#[tokio::test]
async fn a_missing_table_is_named_in_the_error() -> Outcome {
    let db = support::bare();
    let table = db.table_name(&ExamStudyApp::SCHEMA);
    let hint = format!("table `{table}` does not exist; create it, or check its name and region");
    let error = User::get("u1").send(&db).await.unwrap_err();
    assert!(error.is_missing_table());
    assert_eq!(
        error.to_string(),
        format!("get User USER#u1/PROFILE: {hint}")
    );
    let error = AnswerHistory::query("u1").all(&db).await.unwrap_err();
    assert!(error.is_missing_table());
    assert_eq!(
        error.to_string(),
        format!("query AnswerHistory USER#u1: {hint}")
    );
    assert!(
        AnswerHistory::query("u1")
            .count(&db)
            .await
            .unwrap_err()
            .is_missing_table()
    );
    Ok(())
}

/// The sample question, with one attribute changed or, with `None`, removed.
async fn with(attribute: &str, value: Option<AttributeValue>) -> Outcome<Db> {
    let db = support::db::<ExamStudyApp>().await;
    let mut item = stored(&question()?)?;
    item.remove(attribute);
    item.extend(value.map(|value| (attribute.to_owned(), value)));
    put::<ExamStudyApp>(&db, item).await?;
    Ok(db)
}

async fn failure(db: &Db) -> dynamo_model::Error {
    let error = Question::get("FE-2023-01").send(db).await.unwrap_err();
    assert!(error.is_decode());
    assert_eq!(error.entity(), "Question");
    assert_eq!(error.key_text(), Some("QUESTION#FE-2023-01/METADATA"));
    error
}

#[tokio::test]
async fn a_value_of_another_type_is_an_error_with_both_types() -> Outcome {
    let db = with("answerIndex", Some(AttributeValue::S("二".into()))).await?;
    let error = failure(&db).await;
    let path = String::from("answerIndex");
    assert_eq!(error.kind(), &ErrorKind::Decode { path });
    assert_eq!(
        error.to_string(),
        "get Question QUESTION#FE-2023-01/METADATA: answerIndex: expected N, found S; \
         change the item, or the type that reads it"
    );
    Ok(())
}

#[tokio::test]
async fn a_value_in_a_list_is_named_by_its_path() -> Outcome {
    let choices = ["ア", "イ"].map(|choice| AttributeValue::S(choice.into()));
    let choices = choices.into_iter().chain([AttributeValue::N("3".into())]);
    let db = with("choices", Some(AttributeValue::L(choices.collect()))).await?;
    let error = failure(&db).await;
    let path = String::from("choices[2]");
    assert_eq!(error.kind(), &ErrorKind::Decode { path });
    assert_eq!(
        error.to_string(),
        "get Question QUESTION#FE-2023-01/METADATA: choices[2]: expected S, found N; \
         change the item, or the type that reads it"
    );
    Ok(())
}

#[tokio::test]
async fn a_missing_attribute_is_named_in_the_error() -> Outcome {
    let db = with("explanation", None).await?;
    let error = failure(&db).await;
    let path = String::from("explanation");
    assert_eq!(error.kind(), &ErrorKind::Decode { path });
    assert_eq!(
        error.to_string(),
        "get Question QUESTION#FE-2023-01/METADATA: explanation: missing, and `Question` needs it; \
         change the item, or the type that reads it"
    );
    // A query names the item too, and not only the partition.
    let found = Question::by_exam_type(ExamType::Fe).all(&db).await;
    let found = found.unwrap_err();
    assert_eq!(found.key_text(), Some("QUESTION#FE-2023-01/METADATA"));
    Ok(())
}

#[tokio::test]
async fn an_unknown_variant_is_named_in_the_error() -> Outcome {
    let db = with("difficulty", Some(AttributeValue::S("absurd".into()))).await?;
    let text = failure(&db).await.to_string();
    assert!(
        text.contains("difficulty: unknown variant `absurd`"),
        "{text}"
    );
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Nested", pk = "PK", items = NestedItem)]
struct Nested;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Line {
    name: String,
    price: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Nested)]
#[pk("CART#<id>")]
struct Cart {
    id: String,
    lines: Vec<Line>,
}

#[tokio::test]
async fn a_nested_value_is_named_by_its_path() -> Outcome {
    let db = support::db::<Nested>().await;
    for (lines, text) in [
        (
            json!([{"name": "駒", "price": 1}, {"name": "盤", "price": "5"}]),
            "lines[1].price: expected N, found S",
        ),
        (
            json!([{"name": "盤", "price": -5}]),
            "lines[0].price: expected u32, found -5",
        ),
        (
            json!([{"name": "盤"}]),
            "lines[0].price: missing, and `Cart` needs it",
        ),
        (json!(["盤"]), "lines[0]: expected M, found S"),
        (json!({"0": {}}), "lines: expected L, found M"),
        (json!(null), "lines: expected L, found NULL"),
    ] {
        let item = json!({"PK": "CART#c1", "id": "c1", "lines": lines});
        put_json::<Nested>(&db, item).await?;
        let error = Cart::get("c1").send(&db).await.unwrap_err();
        let (path, _) = text.split_once(": ").unwrap();
        let path = String::from(path);
        assert_eq!(error.kind(), &ErrorKind::Decode { path });
        assert_eq!(
            error.to_string(),
            format!("get Cart CART#c1: {text}; {FIX}")
        );
    }
    Ok(())
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Payment {
    Cash,
    Card { number: String, month: u8 },
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Shipping {
    Post { street: String, floor: i8 },
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Origin {
    shop: String,
    till: u16,
}

/// Every kind of value that is read differently.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Nested)]
#[pk("RECEIPT#<id>")]
struct Receipt {
    id: String,
    paid: bool,
    tax: Option<f64>,
    payment: Payment,
    shipping: Option<Shipping>,
    points: HashMap<u32, i8>,
    tags: HashSet<String>,
    #[serde(flatten)]
    origin: Origin,
}

/// The same without fields that serde buffers.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Nested, former)]
#[pk("RECEIPT#<id>")]
struct PlainReceipt {
    id: String,
    paid: bool,
    tax: Option<f64>,
    payment: Payment,
    shipping: Option<Shipping>,
    points: HashMap<u32, i8>,
    tags: HashSet<String>,
}

fn receipt() -> serde_json::Value {
    json!({
        "PK": "RECEIPT#r1", "id": "r1", "paid": true, "tax": 0.1, "payment": "Cash", "shipping": null,
        "points": {"7": 1}, "tags": ["a"], "shop": "東京", "till": 3,
    })
}

#[tokio::test]
async fn every_type_mismatch_has_a_reason() -> Outcome {
    let db = support::db::<Nested>().await;
    let card = |month| json!({"Card": {"number": "4", "month": month}});
    let post = |floor| json!({"kind": "Post", "street": "x", "floor": floor});
    for (attribute, value, text) in [
        ("paid", json!("yes"), "paid: expected BOOL, found S"),
        ("tax", json!("0.1"), "tax: expected N, found S"),
        ("tax", json!([]), "tax: expected N, found L"),
        ("payment", json!(1), "payment: expected S or M, found N"),
        (
            "payment",
            json!("Shells"),
            "payment: unknown variant `Shells`, expected `Cash` or `Card`",
        ),
        (
            "payment",
            json!({"Card": {}, "Cash": null}),
            "payment: expected one variant, found 2",
        ),
        (
            "payment",
            json!({}),
            "payment: expected one variant, found 0",
        ),
        (
            "payment",
            card(json!("12")),
            "payment.Card.month: expected N, found S",
        ),
        (
            "payment",
            card(json!(300)),
            "payment.Card.month: expected u8, found 300",
        ),
        (
            "payment",
            json!({"Card": {"number": "4"}}),
            "payment.Card.month: missing, and `PlainReceipt` needs it",
        ),
        (
            "shipping",
            post(json!("3")),
            "shipping: expected N, found S",
        ),
        (
            "shipping",
            json!({"street": "x", "floor": 1}),
            "shipping.kind: missing, and `PlainReceipt` needs it",
        ),
        (
            "points",
            json!({"seven": 1}),
            "points.seven: expected u32 as key, found `seven`",
        ),
        (
            "points",
            json!({"7": true}),
            "points.7: expected N, found BOOL",
        ),
        ("tags", json!([1]), "tags[0]: expected S, found N"),
        ("tags", json!("a"), "tags: expected L, found S"),
    ] {
        let mut item = receipt();
        item[attribute] = value;
        put_json::<Nested>(&db, item).await?;
        let error = PlainReceipt::get("r1").send(&db).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("get PlainReceipt RECEIPT#r1: {text}; {FIX}")
        );
    }
    put_json::<Nested>(&db, receipt()).await?;
    let read = PlainReceipt::get("r1").send(&db).await?.unwrap();
    assert_eq!((read.tax, read.payment), (Some(0.1), Payment::Cash));
    Ok(())
}

/// serde gives no path into flattened content; the value identifies it.
#[tokio::test]
async fn a_flattened_value_is_named_in_the_error() -> Outcome {
    let db = support::db::<Nested>().await;
    let mut item = receipt();
    item["till"] = json!("x");
    put_json::<Nested>(&db, item.clone()).await?;
    let error = Receipt::get("r1").send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "get Receipt RECEIPT#r1: invalid type: string \"x\", expected u16; \
         change the item, or the type that reads it"
    );
    item.as_object_mut().unwrap().remove("till");
    put_json::<Nested>(&db, item).await?;
    let error = Receipt::get("r1").send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "get Receipt RECEIPT#r1: till: missing, and `Receipt` needs it; \
         change the item, or the type that reads it"
    );
    put_json::<Nested>(&db, receipt()).await?;
    let read = Receipt::get("r1").send(&db).await?.unwrap();
    assert_eq!(read.origin.till, 3);
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Nested)]
#[pk("SAFE#<id>")]
struct Safe {
    id: String,
    #[dynamo(sensitive)]
    #[serde(rename = "codes.by_owner")]
    codes: HashMap<String, u8>,
    #[dynamo(sensitive)]
    colour: Option<Colour>,
    #[serde(flatten)]
    origin: Origin,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Nested)]
enum NestedItem {
    Cart(Cart),
    Receipt(Receipt),
    Safe(Safe),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Colour {
    Red,
}

#[tokio::test]
async fn no_error_shows_a_sensitive_value() -> Outcome {
    let db = support::db::<Nested>().await;
    let hidden = "the value, which is sensitive, is of another type or form";
    let in_codes = format!("codes.by_owner: {hidden}");
    let in_colour = format!("colour: {hidden}");
    for (attribute, value, text) in [
        (
            "codes.by_owner",
            json!("hush"),
            "codes.by_owner: expected M, found S",
        ),
        ("codes.by_owner", json!({"hush": "hush"}), &in_codes),
        (
            "codes.by_owner",
            json!({"hush": 987_654_321_987_654_321_u64}),
            &in_codes,
        ),
        ("colour", json!("hush"), &in_colour),
        ("till", json!("hush"), hidden),
    ] {
        let mut item = json!({
            "PK": "SAFE#s1", "id": "s1", "codes.by_owner": {}, "shop": "x", "till": 1,
        });
        item[attribute] = value;
        put_json::<Nested>(&db, item).await?;
        let error = Safe::get("s1").send(&db).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("get Safe SAFE#s1: {text}; {FIX}")
        );
        let all = format!("{error:?}");
        // Long enough not to occur in the table's random prefix.
        let number = all.contains("987654321987654321");
        assert!(!all.contains("hush") && !number, "{all}");
    }
    Ok(())
}

#[tokio::test]
async fn an_item_of_another_type_is_named_in_the_error() -> Outcome {
    let db = support::db::<ExamStudyApp>().await;
    let mut item = stored(&user()?)?;
    item.insert("EntityType".into(), AttributeValue::S("ADMIN".into()));
    put::<ExamStudyApp>(&db, item.clone()).await?;
    let error = User::get("u1").send(&db).await.unwrap_err();
    let (found, expected) = (Some("ADMIN".into()), "USER");
    assert_eq!(error.kind(), &ErrorKind::OtherEntity { found, expected });
    assert_eq!(
        error.to_string(),
        "get User USER#u1/PROFILE: the item is of type `ADMIN`, not `USER`; \
         read the partition as a collection that has both, or give the entities other keys"
    );
    item.remove("EntityType");
    put::<ExamStudyApp>(&db, item).await?;
    let error = User::get("u1").send(&db).await.unwrap_err();
    assert!(error.is_decode(), "{error}");
    assert_eq!(
        error.to_string(),
        "get User USER#u1/PROFILE: the item has no entity type, where `USER` is expected; store \
         its entity type, or declare `#[dynamo(untyped)]` on the entity"
    );
    Ok(())
}

/// A key that no template builds: the field that is only in the key cannot be read.
#[tokio::test]
async fn an_unparsable_key_is_named_in_the_error() -> Outcome {
    let db = support::db::<ShogiProject>().await;
    let mut item = stored(&kifu())?;
    item.insert("cgsi_pk".into(), AttributeValue::S("kifu#code#x".into()));
    put::<ShogiProject>(&db, item).await?;
    let error = Kifu::query("h-akira").all(&db).await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Decode { .. }),
        "{error:?}"
    );
    assert_eq!(error.key_text(), Some("kifu#uname#h-akira/kid#fdsaj9d9s0"));
    Ok(())
}

/// The stream of a query returns the items before the error.
#[tokio::test]
async fn an_unreadable_item_fails_a_read_of_many() -> Outcome {
    let db = with("text", Some(AttributeValue::Null(true))).await?;
    let all = Question::by_exam_type(ExamType::Fe);
    assert!(all.all(&db).await.unwrap_err().is_decode());
    Ok(())
}

#[tokio::test]
async fn an_unreachable_endpoint_is_a_network_error() {
    // Port 9 is "discard": no program listens.
    let db = dynamo_model::Dynamo::endpoint("http://127.0.0.1:9");
    let error = User::get("u1").send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Network);
    assert_eq!(
        error.to_string(),
        "get User USER#u1/PROFILE: no response arrived; check the endpoint and the connection"
    );
}
