//! A table with every kind of key part that an access pattern can take.

use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, KeyPart, Table};
use dynamo_model_tools::live::{Argument, ItemPage, Live, LiveError, LiveItem, ReadOptions};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
pub(crate) struct App;

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Open,
    InTransit,
}

/// Who orders.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[unique("EMAIL#<email:lower>")]
pub(crate) struct User {
    pub(crate) user_id: String,
    #[dynamo(sensitive)]
    pub(crate) email: String,
    pub(crate) name: Option<String>,
    #[dynamo(version)]
    pub(crate) version: u64,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "ORDER")]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "STATE#<state>", sk = "<placed_at:ms>#<number:06>", as = by_state)]
#[gsi2(pk = "COUPON#<coupon>", sk = "ORDER#<number:06>", as = by_coupon)]
pub(crate) struct Order {
    pub(crate) user_id: String,
    pub(crate) number: u32,
    pub(crate) state: State,
    pub(crate) placed_at: Timestamp,
    pub(crate) total: u64,
    pub(crate) coupon: Option<String>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "VISIT")]
#[pk("VISIT#<path>#<at:%Y-%m>")]
#[sk("<at:ms>#<visitor>")]
#[gsi1(pk = "VISITORS#<visitor:shard(4)>", sk = "<visitor>#<at:s>", as = by_visitor)]
#[gsi2(pk = "DAY#<at:%Y-%m-%d>", sk = "PAGE#<path>", as = by_day)]
pub(crate) struct Visit {
    pub(crate) path: String,
    pub(crate) at: Timestamp,
    pub(crate) visitor: String,
}

#[derive(DynamoItems, Debug)]
#[items(table = App)]
#[allow(dead_code)]
pub(crate) enum AppItem {
    User(User),
    Order(Order),
    Visit(Visit),
}

pub(crate) fn live() -> Live {
    Live::new("app")
        .entity::<User>()
        .entity::<Order>()
        .entity::<Visit>()
}

pub(crate) async fn db() -> Dynamo {
    let db = Dynamo::embedded().unwrap();
    App::create_table(&db).await.unwrap();
    db
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) fn order(number: u32) -> Order {
    Order {
        user_id: "u1".into(),
        number,
        state: State::Open,
        placed_at: at("2025-06-01T09:00:00Z"),
        total: 1_000,
        coupon: None,
    }
}

pub(crate) fn user() -> User {
    User {
        user_id: "u1".into(),
        email: "Ann@example.com".into(),
        name: None,
        version: 0,
    }
}

pub(crate) async fn with_orders(numbers: impl IntoIterator<Item = u32>) -> Dynamo {
    let db = db().await;
    for number in numbers {
        order(number).create().send(&db).await.unwrap();
    }
    db
}

pub(crate) fn arguments(texts: &[&str]) -> Vec<Argument> {
    texts
        .iter()
        .map(|text| Argument::parse(text).unwrap())
        .collect()
}

pub(crate) async fn read(
    db: &Dynamo,
    pattern: &str,
    texts: &[&str],
    options: &ReadOptions,
) -> Result<ItemPage, LiveError> {
    let live = live();
    let pattern = live.pattern(pattern)?;
    live.read(db, &pattern, &arguments(texts), options).await
}

pub(crate) fn explain(db: &Dynamo, pattern: &str, texts: &[&str]) -> Result<String, LiveError> {
    let live = live();
    let pattern = live.pattern(pattern)?;
    live.explain(db, &pattern, &arguments(texts), &ReadOptions::default())
}

pub(crate) async fn get(db: &Dynamo, entity: &str, texts: &[&str]) -> LiveItem {
    let found = live().get(db, entity, &arguments(texts)).await;
    found.unwrap().unwrap()
}

pub(crate) fn texts(page: &ItemPage, field: &str) -> Vec<String> {
    page.items.iter().map(|item| item.text(field)).collect()
}
