use super::*;
use crate::wire::Attributes;
use aws_sdk_dynamodb::types::AttributeValue;

fn parse(json: &str) -> Result<Reply, Reason> {
    Reply::parse(json.to_owned())
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

#[test]
fn a_page() {
    let reply = parse(
        r#"{"ConsumedCapacity":{"CapacityUnits":1.5,"TableName":"T","Table":{"CapacityUnits":9}},
            "Count":2,"Items":[{"PK":{"S":"a"}},{"PK":{"S":"b"},"x":{"L":[{"N":"1"}]}}],
            "LastEvaluatedKey":{"PK":{"S":"b"}},"ScannedCount":7,"Unknown":[{"a":null}]}"#,
    );
    let reply = reply.unwrap();
    assert_eq!((reply.count, reply.scanned), (2, 7));
    assert!((reply.consumed_capacity - 1.5).abs() < f64::EPSILON);
    assert_eq!(reply.last_key, Some([("PK".to_owned(), s("b"))].into()));
    let items = reply.into_items();
    assert_eq!(items[1].attribute("PK").as_deref(), Some(&s("b")));
    assert_eq!((items[0].len(), items[1].len()), (1, 2));
}

#[test]
fn a_batch_and_a_transaction() {
    let batch = parse(
        r#"{"Responses":{"T":[{"PK":{"S":"a"}}],"U":[{"PK":{"S":"b"}}]},
            "UnprocessedKeys":{"T":{"Keys":[{"PK":{"S":"c"}}],"ConsistentRead":false}},
            "ConsumedCapacity":[{"CapacityUnits":1},{"CapacityUnits":0.5}]}"#,
    );
    let batch = batch.unwrap();
    assert_eq!((batch.items.len(), batch.unread.len()), (2, 1));
    assert!((batch.consumed_capacity - 1.5).abs() < f64::EPSILON);
    let transaction = parse(r#"{"Responses":[{"Item":{"PK":{"S":"a"}}},{},{"Item":null}]}"#);
    let items = transaction.unwrap().items;
    assert!(items[0].is_some() && items[1].is_none() && items[2].is_none());
}

#[test]
fn what_a_batch_did_not_write() {
    let reply = parse(
        r#"{"UnprocessedItems":{"T":[{"PutRequest":{"Item":{"PK":{"S":"a"}}}},
            {"DeleteRequest":{"Key":{"PK":{"S":"b"}}}},{}]}}"#,
    );
    let left = reply.unwrap().unwritten;
    assert_eq!(
        left[0],
        ("T".to_owned(), [("PK".to_owned(), s("a"))].into())
    );
    assert_eq!(left[1].1.get("PK"), Some(&s("b")));
    assert!(left[2].1.is_empty(), "it is not known which");
}

#[test]
fn answers_without_anything() {
    assert!(parse("").unwrap().item.is_none());
    assert!(parse("{}").unwrap().items.is_empty());
    assert!(
        parse(r#"{"Item":null,"Items":null}"#)
            .unwrap()
            .item
            .is_none()
    );
}

#[test]
fn what_is_no_answer() {
    for broken in [
        "<html>",
        "[]",
        "{",
        "{\"Items\":[",
        "{\"Items\":[1]}",
        "{\"Count\":-1}",
        "{\"Count\":\"x\"}",
        "{} {}",
        "{\"Items\":{}}",
        "{\"Item\":[]}",
        "{\"LastEvaluatedKey\":{\"PK\":{\"X\":1}}}",
    ] {
        assert!(parse(broken).is_err(), "{broken}");
    }
}

/// A response cannot cause recursion: with a stack frame for each bracket, these would end the
/// process.
#[test]
fn an_answer_that_goes_too_deep() {
    let deep = |open: &str| format!("{}1", open.repeat(200_000));
    for body in [
        format!("{{\"ConsumedCapacity\":{}", deep("[")),
        format!("{{\"ConsumedCapacity\":[{}", deep("{\"CapacityUnits\":")),
        deep("{\"Responses\":[{\"Item\":null,"),
        deep("{\"Responses\":["),
        format!("{{\"Unknown\":{}", deep("[")),
        format!("{{\"LastEvaluatedKey\":{}", deep("{\"a\":{\"M\":")),
        format!("{{\"Items\":[{}", deep("{\"a\":{\"L\":[")),
    ] {
        assert!(parse(&body).is_err());
    }
    let whole = format!(
        "{{\"Item\":{{\"a\":{}{}}}}}",
        "{\"L\":[".repeat(9_000),
        "]}".repeat(9_000)
    );
    let item = parse(&whole).unwrap().item.unwrap();
    let reason = item.into_map().unwrap_err().to_string();
    assert_eq!(reason, "nested more than 64 deep");
}

#[test]
fn a_name_that_is_there_twice() {
    let body = r#"{"Item":{"PK":{"S":"a"},"PK":{"S":"b"}}}"#;
    let item = parse(body).unwrap().item.unwrap();
    assert_eq!(
        item.into_map().unwrap_err().to_string(),
        "`PK` is there twice"
    );
}
