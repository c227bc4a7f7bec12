//! Writes by name keep versions, unique values, index keys and what other clients write.

use super::schema::{Order, State, User, db, get, live, user, with_orders};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{Dynamo, Entity};
use dynamo_model_tools::live::{LiveErrorKind, Store};
use serde_json::{Map, Value, json};

fn changes(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

async fn set_note(db: &Dynamo, sk: &str, text: &str) {
    let update = db.client().update_item().table_name("App");
    let update = update
        .key("PK", AttributeValue::S("USER#u1".into()))
        .key("SK", AttributeValue::S(sk.into()))
        .update_expression("SET note = :n")
        .expression_attribute_values(":n", AttributeValue::S(text.into()));
    update.send().await.unwrap();
}

#[tokio::test]
async fn an_update_moves_index_keys_and_keeps_undeclared_attributes() {
    let db = with_orders([7]).await;
    set_note(&db, "ORDER#000007", "fragile").await;
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    let change = changes(json!({ "state": "in_transit", "coupon": "SPRING" }));
    live().update(&db, &item, change).await.unwrap();
    let found = Order::by_coupon("SPRING").all(&db).await.unwrap();
    assert_eq!(found[0].state, State::InTransit);
    assert!(
        Order::by_state(State::Open)
            .all(&db)
            .await
            .unwrap()
            .is_empty()
    );
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    assert_eq!(item.text("note"), "fragile");
    // And out of the index again.
    live()
        .update(&db, &item, changes(json!({ "coupon": null })))
        .await
        .unwrap();
    assert!(
        Order::by_coupon("SPRING")
            .all(&db)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn an_update_or_delete_after_another_write_is_a_conflict() {
    let db = with_orders([7]).await;
    user().create().send(&db).await.unwrap();
    let order = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    let user = get(&db, "User", &["user_id=u1"]).await;
    // An entity without a version, and one with.
    Order::update("u1", 7)
        .set(|it| it.total(), 2_u64)
        .send(&db)
        .await
        .unwrap();
    User::update("u1")
        .set(|it| it.name(), "Bob")
        .send(&db)
        .await
        .unwrap();
    for (item, change) in [
        (&order, json!({ "state": "in_transit" })),
        (&user, json!({ "name": "Ann" })),
    ] {
        let error = live().update(&db, item, changes(change)).await.unwrap_err();
        assert_eq!(error.kind(), LiveErrorKind::Conflict, "{}", error.chain());
        let error = live().delete(&db, item).await.unwrap_err();
        assert_eq!(error.kind(), LiveErrorKind::Conflict, "{}", error.chain());
    }
    let order = Order::get("u1", 7).send(&db).await.unwrap().unwrap();
    assert_eq!((order.total, order.state), (2, State::Open));
}

#[tokio::test]
async fn an_item_read_again_must_be_the_one_that_was_opened() {
    let db = with_orders([7]).await;
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    let (table, key) = (item.table(), item.key().unwrap());
    let live = live();
    assert!(
        live.read_again(&db, table, key.clone(), item.fingerprint())
            .await
            .is_ok()
    );
    set_note(&db, "ORDER#000007", "fragile").await;
    let error = live
        .read_again(&db, table, key.clone(), item.fingerprint())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), LiveErrorKind::Conflict);
    Order::delete("u1", 7).send(&db).await.unwrap();
    let error = live
        .read_again(&db, table, key, item.fingerprint())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), LiveErrorKind::NotFound);
}

#[tokio::test]
async fn unique_values_move_with_an_update_and_are_free_after_a_delete() {
    let db = db().await;
    user().create().send(&db).await.unwrap();
    let taken = json!({ "user_id": "u2", "email": "ann@example.com", "name": null, "version": 0 });
    let error = live()
        .store(&db, "User", Store::Create, taken.clone())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), LiveErrorKind::Conflict);

    let item = get(&db, "User", &["user_id=u1"]).await;
    live()
        .update(&db, &item, changes(json!({ "email": "b@example.com" })))
        .await
        .unwrap();
    live()
        .store(&db, "User", Store::Create, taken)
        .await
        .unwrap();

    let item = get(&db, "User", &["user_id=u2"]).await;
    live().delete(&db, &item).await.unwrap();
    let again = json!({ "user_id": "u3", "email": "ann@example.com", "name": null, "version": 0 });
    live()
        .store(&db, "User", Store::Create, again)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_document_that_is_not_an_item_says_what_is_missing() {
    let db = db().await;
    let error = live()
        .store(&db, "User", Store::Put, json!({ "user_id": "u1" }))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), LiveErrorKind::Usage);
    assert!(
        error.to_string().contains("missing field `email`"),
        "{error}"
    );
    let error = live()
        .store(&db, "Usr", Store::Put, json!({}))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no entity `Usr`; the entities are `User`, `Order` and `Visit`"
    );
}

#[tokio::test]
async fn a_change_of_the_key_or_of_an_unknown_field_is_refused() {
    let db = with_orders([7]).await;
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    for (change, message) in [
        (
            json!({ "number": 8 }),
            "gives the item of `Order` another key",
        ),
        (
            json!({ "totl": 8 }),
            "`Order` has no field that is stored as `totl`",
        ),
        (
            json!({ "total": "many" }),
            "the JSON document is not an item of `Order`",
        ),
    ] {
        let error = live()
            .update(&db, &item, changes(change))
            .await
            .unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[tokio::test]
async fn each_way_to_store_treats_the_stored_item_as_its_typed_call_does() {
    let db = with_orders([7]).await;
    set_note(&db, "ORDER#000007", "fragile").await;
    let order = json!({
        "user_id": "u1", "number": 7, "state": "open", "placed_at": "2025-06-01T09:00:00Z",
        "total": 5, "coupon": null,
    });
    let store = async |how| live().store(&db, "Order", how, order.clone()).await;
    assert_eq!(
        store(Store::Create).await.unwrap_err().kind(),
        LiveErrorKind::Conflict
    );
    let (pk, sk) = store(Store::Merge).await.unwrap();
    assert_eq!(
        (pk.to_string(), sk.unwrap().to_string()),
        ("USER#u1".into(), "ORDER#000007".into())
    );
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    assert_eq!(
        (item.text("note"), item.text("total")),
        ("fragile".into(), "5".into())
    );
    store(Store::Put).await.unwrap();
    let item = get(&db, "Order", &["user_id=u1", "number=7"]).await;
    assert_eq!(item.text("note"), "");
}
