//! Reads by name are the typed reads.

use super::schema::{
    Order, State, User, Visit, arguments, at, db, explain, live, order, read, texts, user,
    with_orders,
};
use dynamo_model::{Dynamo, Entity};
use dynamo_model_tools::live::ReadOptions;

const FIRST: ReadOptions = ReadOptions {
    descending: false,
    limit: None,
    cursor: None,
};

fn same(db: &Dynamo, pattern: &str, arguments: &[&str], typed: String) {
    assert_eq!(
        explain(db, pattern, arguments).unwrap(),
        typed,
        "{pattern} {arguments:?}"
    );
}

#[tokio::test]
async fn each_argument_makes_the_request_of_the_typed_call() {
    let db = &db().await;
    let (june, july) = (at("2025-06-01T00:00:00Z"), at("2025-07-01T00:00:00Z"));
    let text = |explain: Result<dynamo_model::read::Explain, dynamo_model::Error>| {
        explain.unwrap().to_string()
    };

    same(
        db,
        "Order",
        &["user_id=u1"],
        text(Order::query("u1").explain(db)),
    );
    same(
        db,
        "Order",
        &["user_id=a#b"],
        text(Order::query("a#b").explain(db)),
    );
    same(
        db,
        "Order",
        &["user_id=u1", "number=7"],
        text(Order::query("u1").number(7).explain(db)),
    );
    for (argument, typed) in [
        (
            "number=7..",
            text(Order::query("u1").number_in(7..).explain(db)),
        ),
        (
            "number=..7",
            text(Order::query("u1").number_in(..7).explain(db)),
        ),
        (
            "number=5..7",
            text(Order::query("u1").number_in(5..7).explain(db)),
        ),
        (
            "number=5..=7",
            text(Order::query("u1").number_in(5..=7).explain(db)),
        ),
    ] {
        same(db, "Order", &["user_id=u1", argument], typed);
    }
    let by_state = || Order::by_state(State::InTransit);
    same(
        db,
        "Order::by_state",
        &["state=in_transit"],
        text(by_state().explain(db)),
    );
    same(
        db,
        "Order::by_state",
        &["state=in_transit", "placed_at=2025-06"],
        text(by_state().placed_at_in(june..july).explain(db)),
    );
    same(
        db,
        "Order::by_state",
        &["state=in_transit", "placed_at=2025-06*"],
        text(by_state().placed_at_prefix("2025-06").explain(db)),
    );
    same(
        db,
        "Order::by_state",
        &[
            "state=in_transit",
            "placed_at=2025-06-01T00:00:00Z",
            "number=3..",
        ],
        text(by_state().placed_at(june).number_in(3..).explain(db)),
    );
    same(
        db,
        "Visit",
        &["path=/", "at=2025-06"],
        text(Visit::across("/", june..july).explain(db)),
    );
    same(
        db,
        "Visit::by_visitor",
        &["visitor=v1"],
        text(Visit::by_visitor("v1").visitor("v1").explain(db)),
    );
    same(
        db,
        "Visit::by_visitor",
        &[],
        text(Visit::by_visitor_across().explain(db)),
    );
}

#[tokio::test]
async fn pages_lead_in_both_directions() {
    let db = with_orders(1..=5).await;
    let options = ReadOptions {
        limit: Some(2),
        ..FIRST
    };
    let page = |cursor: Option<String>| {
        let (db, options) = (
            db.clone(),
            ReadOptions {
                cursor,
                ..options.clone()
            },
        );
        async move { read(&db, "Order", &["user_id=u1"], &options).await.unwrap() }
    };
    let first = page(None).await;
    assert_eq!(texts(&first, "number"), ["1", "2"]);
    assert_eq!(first.previous, None);
    let second = page(first.next).await;
    assert_eq!(texts(&second, "number"), ["3", "4"]);
    let third = page(second.next.clone()).await;
    assert_eq!(
        (texts(&third, "number"), third.next),
        (vec!["5".to_owned()], None)
    );
    let back = page(second.previous).await;
    assert_eq!(texts(&back, "number"), ["1", "2"]);
}

#[tokio::test]
async fn descending_reads_the_newest_first() {
    let db = with_orders(1..=3).await;
    let options = ReadOptions {
        descending: true,
        ..FIRST
    };
    let page = read(&db, "Order", &["user_id=u1"], &options).await.unwrap();
    assert_eq!(texts(&page, "number"), ["3", "2", "1"]);
}

#[tokio::test]
async fn a_query_returns_only_items_of_its_entity() {
    let db = with_orders([1]).await;
    user().create().send(&db).await.unwrap();
    let page = read(&db, "Order", &["user_id=u1"], &FIRST).await.unwrap();
    assert_eq!(page.items.len(), 1);
    assert_eq!(page.items[0].entity(), Some("Order"));
    let page = read(&db, "User", &["user_id=u1"], &FIRST).await.unwrap();
    assert_eq!(page.items[0].entity(), Some("User"));
    let page = read(&db, "User", &["user_id=nobody"], &FIRST)
        .await
        .unwrap();
    assert!(page.items.is_empty());
}

#[tokio::test]
async fn a_range_of_a_bucket_reads_its_buckets_and_keeps_to_its_ends() {
    let db = db().await;
    for (day, visitor) in [
        ("2025-05-31", "a"),
        ("2025-06-10", "b"),
        ("2025-06-20", "c"),
        ("2025-07-02", "d"),
    ] {
        let at = at(&format!("{day}T12:00:00Z"));
        let visit = Visit {
            path: "/".into(),
            at,
            visitor: visitor.into(),
        };
        visit.create().send(&db).await.unwrap();
    }
    let options = ReadOptions {
        limit: Some(10),
        ..FIRST
    };
    let of = async |argument: &str| {
        let page = read(&db, "Visit", &["path=/", argument], &options)
            .await
            .unwrap();
        texts(&page, "visitor").concat()
    };
    assert_eq!(of("at=2025-06").await, "bc");
    assert_eq!(of("at=2025-05-01..2025-06-15").await, "ab");
    assert_eq!(of("at=2025-06-15..=2025-07-02").await, "cd");
    let page = read(&db, "Visit::by_visitor", &[], &options).await.unwrap();
    assert_eq!(texts(&page, "visitor").concat(), "abcd");
    let page = read(&db, "Visit::by_day", &["at=2025-06-10"], &options)
        .await
        .unwrap();
    assert_eq!(texts(&page, "visitor"), ["b"]);
}

#[tokio::test]
async fn the_rust_call_compiles_to_the_same_request() {
    let db = &db().await;
    let live = live();
    let call = |pattern: &str, texts: &[&str]| {
        let pattern = live.pattern(pattern).unwrap();
        let options = ReadOptions {
            limit: Some(20),
            ..FIRST
        };
        let call = pattern.rust_call(&arguments(texts), &options).unwrap();
        call.replace("\n    ", "")
    };
    assert_eq!(
        call(
            "Order::by_state",
            &["state=in_transit", "placed_at=2025-06"]
        ),
        "Order::by_state(State::InTransit)\
         .placed_at_in(\"2025-06-01T00:00:00Z\".parse::<Timestamp>()?..\
         \"2025-07-01T00:00:00Z\".parse::<Timestamp>()?)\
         .limit(20).page(&db).await?"
    );
    assert_eq!(
        call("Visit", &["path=/", "at=2025-06"]),
        "Visit::across(\"/\", \"2025-06-01T00:00:00Z\".parse::<Timestamp>()?..\
         \"2025-07-01T00:00:00Z\".parse::<Timestamp>()?)\
         .limit(20).page(&db).await?"
    );
    assert_eq!(
        call("User", &["user_id=u\"1"]),
        "User::get(\"u\\\"1\").send(&db).await?"
    );
    // The first of them, as the compiler reads it.
    let typed = Order::by_state(State::InTransit).placed_at_in(
        "2025-06-01T00:00:00Z".parse::<jiff::Timestamp>().unwrap()
            .."2025-07-01T00:00:00Z".parse::<jiff::Timestamp>().unwrap(),
    );
    let explained = explain(
        db,
        "Order::by_state",
        &["state=in_transit", "placed_at=2025-06"],
    );
    assert_eq!(explained.unwrap(), typed.explain(db).unwrap().to_string());
}

#[tokio::test]
async fn a_get_is_explained_with_its_key() {
    let db = db().await;
    let text = explain(&db, "Order::get", &["user_id=u1", "number=7"]).unwrap();
    assert_eq!(
        text,
        "GetItem App\n  key: PK = \"USER#u1\" AND SK = \"ORDER#000007\""
    );
    let _ = (User::SCHEMA, order(1));
}
