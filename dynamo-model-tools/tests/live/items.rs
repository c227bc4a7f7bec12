//! What an item shows of itself.

use super::schema::{App, at, db, get, live, order, user, with_orders};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{Entity, Table};

#[tokio::test]
async fn keys_are_taken_apart_and_absent_indexes_are_named() {
    let db = with_orders([7]).await;
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    let keys = item.keys();
    let fields = keys[0].fields.as_ref().unwrap();
    assert_eq!(
        fields.as_slice(),
        [("user_id", "u1".to_owned()), ("number", "7".to_owned())]
    );
    assert_eq!(keys[1].index, Some("GSI1"));
    let fields = keys[1].fields.as_ref().unwrap();
    assert_eq!(fields[1], ("placed_at", "2025-06-01T09:00:00Z".to_owned()));
    // Without a coupon it is not in the third place.
    assert_eq!((keys[2].index, &keys[2].pk), (Some("GSI2"), &None));
}

#[tokio::test]
async fn relations_are_the_reads_that_the_fields_of_the_item_lead_to() {
    let db = with_orders([7]).await;
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    let relations = item.relations(&live());
    let names: Vec<_> = relations.iter().map(|it| it.pattern.name()).collect();
    assert_eq!(names, ["User::get", "Order::query", "Order::by_state"]);
    let live = live();
    let options = Default::default();
    for relation in relations {
        let read = live.read(&db, &relation.pattern, &relation.arguments, &options);
        assert!(read.await.is_ok(), "{}", relation.pattern.name());
    }
}

#[tokio::test]
async fn an_item_of_no_entity_is_returned_as_it_is() {
    let db = db().await;
    let put = db.client().put_item().table_name("App");
    let put = put
        .item("PK", AttributeValue::S("USER#u1".into()))
        .item("SK", AttributeValue::S("BADGE#gold".into()))
        .item("type", AttributeValue::S("BADGE".into()))
        .item("none", AttributeValue::Null(true));
    put.send().await.unwrap();
    let page = live()
        .scan(&db, (const { &App::SCHEMA }, None), (None, None))
        .await
        .unwrap();
    assert_eq!(page.items.len(), 1);
    assert_eq!(
        (page.items[0].entity(), page.items[0].problem()),
        (None, None)
    );
    assert!(page.items[0].attributes()["none"].is_null());
    assert!(page.items[0].relations(&live()).is_empty());
}

#[tokio::test]
async fn an_item_that_its_entity_cannot_read_says_why() {
    let db = with_orders([7]).await;
    let update = db.client().update_item().table_name("App");
    let update = update
        .key("PK", AttributeValue::S("USER#u1".into()))
        .key("SK", AttributeValue::S("ORDER#000007".into()))
        .update_expression("SET #t = :t")
        .expression_attribute_names("#t", "total")
        .expression_attribute_values(":t", AttributeValue::S("many".into()));
    update.send().await.unwrap();
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    let problem = item.problem().unwrap();
    assert!(problem.contains("total"), "{problem}");
    assert!(item.document(&db).is_none());
}

#[tokio::test]
async fn the_fingerprint_changes_with_any_attribute() {
    let db = with_orders([7]).await;
    let read = async || {
        get(&db, "Order", &["user_id=u1", "number=7"])
            .await
            .fingerprint()
    };
    let before = read().await;
    assert_eq!(before, read().await);
    let mut other = order(7);
    other.placed_at = at("2025-06-01T09:00:00.001Z");
    other.put().send(&db).await.unwrap();
    assert_ne!(before, read().await);
}

#[tokio::test]
async fn the_document_has_the_names_and_values_of_serde() {
    let db = db().await;
    user().create().send(&db).await.unwrap();
    let item = get(&db, "User", &["user_id=u1"]).await;
    let document = serde_json::Value::Object(item.document(&db).unwrap());
    let expected = serde_json::json!({
        "user_id": "u1", "email": "Ann@example.com", "name": null, "version": 1,
    });
    assert_eq!(document, expected);
    assert_eq!(item.bytes(), {
        let text: usize = [
            "PK", "USER#u1", "SK", "PROFILE", "type", "USER", "user_id", "u1",
        ]
        .iter()
        .map(|text| text.len())
        .sum();
        text + "email".len() + "Ann@example.com".len() + "version".len() + 2
    });
}
