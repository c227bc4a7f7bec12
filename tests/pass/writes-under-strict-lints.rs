//! Writes of public declarations, under the strictest lints.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    single_use_lifetimes,
    elided_lifetimes_in_paths,
    let_underscore_drop,
    unused_lifetimes,
    rust_2018_idioms,
    future_incompatible,
    nonstandard_style,
    clippy::all,
    clippy::pedantic
)]
#![forbid(unsafe_code)]

use dynamo_model::{
    BatchWrite, Dynamo, DynamoEntity, DynamoNested, DynamoTable, Entity, Error, KeyPart,
    Transaction,
};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::Duration;

/// The table.
#[derive(Debug, Clone, Copy, DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", ttl = "expires", items = AppItem, no_scan)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
pub struct App;

/// The values that are taken.
#[derive(Debug, Clone, Copy, DynamoTable)]
#[table(name = "Reservations", pk = "value", ttl = "expires")]
pub struct Reservations;

/// Where to.
#[derive(Debug, DynamoNested, Serialize, Deserialize)]
pub struct Address {
    /// In which city.
    pub city: String,
}

/// How far.
#[derive(Debug, Clone, Copy, KeyPart, Serialize, Deserialize)]
pub enum Status {
    /// Not yet.
    Open,
    /// At last.
    Done,
}

/// An order.
#[derive(Debug, DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "STATUS#<status>", sk = "SHOP#<shop>#<seat>", as = by_status)]
#[gsi2(pk = "SHOP#<shop>", sk = "<updated>", as = by_update)]
#[unique("CODE#<code>")]
#[unique("VOUCHER#<voucher>", in = Reservations)]
pub struct Order {
    /// The user.
    pub user_id: String,
    /// Which.
    pub number: u32,
    /// How far.
    pub status: Status,
    /// Where.
    pub shop: String,
    /// The seat.
    pub seat: Option<String>,
    /// How it is found.
    pub code: String,
    /// How it is paid.
    #[dynamo(immutable)]
    pub voucher: Option<String>,
    /// How it came.
    #[dynamo(immutable)]
    pub channel: String,
    /// How much.
    pub total: u64,
    /// The lines.
    pub lines: Vec<String>,
    /// The tags.
    #[serde(with = "serde_dynamo::string_set")]
    pub tags: HashSet<String>,
    /// Where to.
    #[dynamo(nested, sensitive)]
    pub address: Address,
    /// The lock.
    #[dynamo(version)]
    pub version: u64,
    /// Since when.
    #[dynamo(created_at)]
    pub created: String,
    /// Until when.
    #[dynamo(updated_at)]
    pub updated: String,
    /// No longer than.
    #[dynamo(ttl)]
    pub expires: Option<u64>,
}

/// A page.
#[derive(Debug, DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App, scannable = "a monthly report")]
#[pk("PAGE#<path>")]
#[sk("PAGE")]
pub struct Page {
    /// Where.
    pub path: String,
    /// How often.
    pub views: u64,
    /// Since when.
    #[dynamo(immutable)]
    pub since: String,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
#[derive(Debug)]
/// Items.
pub enum AppItem {
    /// An order.
    Order(Order),
    /// A page.
    Page(Page),
}

/// Every change there is.
pub async fn change(db: &Dynamo, order: &Order) -> Result<Order, Error> {
    order
        .put()
        .condition(|order| order.total().gt(1))
        .send(db)
        .await?;
    Order::update("u1", 1, "s1")
        .set(|order| order.status("s1", None), Status::Done)
        .set(|order| order.code("c1"), "c2")
        .set(|order| order.address().city(), "Kyoto")
        .set_or_remove(|order| order.seat(Status::Done, "s1"), Some("a1"))
        .add(|order| order.total(), 1)
        .subtract(|order| order.total(), 2)
        .append(|order| order.lines(), ["x"])
        .prepend(|order| order.lines(), vec![String::new()])
        .add_to_set(|order| order.tags(), ["x"])
        .delete_from_set(|order| order.tags(), order.tags.iter())
        .expires_in(Duration::from_secs(60))
        .condition(|order| order.status().eq(Status::Open))
        .send(db)
        .await?;
    order.delete().send(db).await?;
    Transaction::new()
        .add(order.create())
        .add(order.delete())
        .send(db)
        .await?;
    Page::upsert("/")
        .add(|page| page.views(), 1)
        .set(|page| page.since(), "today")
        .send(db)
        .await?;
    let _pages = Page::scan().all(db).await?;
    BatchWrite::new().delete(Page::key("/")).send(db).await?;
    order
        .update()
        .set(|order| order.shop(), "s2")
        .return_new()
        .send(db)
        .await
}

fn main() {}
