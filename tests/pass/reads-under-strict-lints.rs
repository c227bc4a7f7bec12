//! Reads of public declarations, under the strictest lints.
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
    nonstandard_style
)]
#![forbid(unsafe_code)]

use dynamo_model::{
    Dynamo, DynamoEntity, DynamoItems, DynamoNested, DynamoProjection, DynamoTable, Error, Page,
};
use serde::{Deserialize, Serialize};

/// The table.
#[derive(Debug, Clone, Copy, DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[lsi1(name = "LSI1", sk = "total", projection = include("shop"))]
pub struct App;

/// Where to.
#[derive(Debug, DynamoNested, Serialize, Deserialize)]
pub struct Address {
    /// In which city.
    pub city: String,
}

/// An order.
#[derive(Debug, DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "SHOP#<shop>", sk = "ORDER#<number:06>", as = by_shop)]
#[lsi1(sk = "<total>", as = by_total)]
pub struct Order {
    /// The user.
    pub user_id: String,
    /// Which.
    pub number: u32,
    /// Where.
    pub shop: String,
    /// How much.
    pub total: String,
    /// Where to.
    #[dynamo(nested, sensitive)]
    pub address: Address,
}

/// The fields of a list.
#[derive(Debug, DynamoProjection, Serialize, Deserialize)]
#[projection(of = Order, from(table, gsi1, lsi1))]
pub struct OrderInList {
    /// Which.
    pub number: u32,
    /// Where.
    pub shop: String,
}

/// All items.
#[derive(Debug, DynamoItems)]
#[items(table = App)]
pub enum AppItem {
    /// An order.
    Order(Order),
}

/// Returns the orders of a user.
pub async fn orders(db: &Dynamo, user_id: &str) -> Result<Page<Order>, Error> {
    Order::query(user_id)
        .number_in(1..100)
        .filter(|order| order.address().city().begins_with("K") & order.total().exists())
        .consistent()
        .page(db)
        .await
}

/// Returns projections of the orders of a user by their total.
pub async fn by_total(db: &Dynamo, user_id: &str) -> Result<Vec<OrderInList>, Error> {
    Order::by_total(user_id)
        .total_in("1".."9")
        .consistent()
        .project()
        .all(db)
        .await
}

/// Returns all items of a user.
pub async fn everything(db: &Dynamo, user_id: &str) -> Result<Vec<AppItem>, Error> {
    AppItem::collection(Order::partition_key(user_id))
        .descending()
        .all(db)
        .await
}

/// Returns every order.
pub async fn every_order(db: &Dynamo) -> Result<Vec<Order>, Error> {
    Order::scan()
        .filter(|order| order.shop().eq("s1"))
        .all(db)
        .await
}

fn main() {}
