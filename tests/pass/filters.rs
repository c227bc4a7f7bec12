//! The conditions of each type in a filter, optional ones included.

use dynamo_model::expr::Ordered;
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, KeyPart};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap, HashSet};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(KeyPart, Serialize, Deserialize, PartialEq, Eq, Hash)]
struct UserId(String);

#[derive(KeyPart, Serialize, Deserialize)]
struct Cents(u64);

#[derive(KeyPart, Serialize, Deserialize)]
enum Status {
    Open,
    Paid,
}

/// No key part, but a number.
#[derive(Serialize, Deserialize)]
struct Celsius(f64);

impl Ordered for Celsius {}

#[derive(DynamoNested, Serialize, Deserialize)]
struct Address {
    city: Option<String>,
}

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    user_id: UserId,
    number: u32,
    seller: UserId,
    total: Cents,
    weight: f64,
    outside: Option<Celsius>,
    coupon: Option<String>,
    count: Option<u32>,
    status: Option<Status>,
    #[serde(with = "dynamo_model::format::rfc3339_millis")]
    sold: Option<jiff::Timestamp>,
    tags: Option<Vec<String>>,
    buyers: HashSet<UserId>,
    numbers: Option<BTreeSet<u32>>,
    notes: Vec<Option<String>>,
    prices: Option<HashMap<String, Option<u32>>>,
    #[dynamo(nested)]
    address: Option<Address>,
    others: Vec<Option<Address>>,
    label: Box<str>,
}

fn main() {
    let _ = Order::query("u1").filter(|order| {
        let u1 = UserId("u1".into());
        order.seller().gt(&u1)
            & order.seller().begins_with("u")
            & order.seller().contains("1")
            & order.total().between(Cents(1), Cents(2))
            & order.weight().lt(1.5)
            & order.outside().gt(Celsius(30.0))
            & order.coupon().eq("X")
            & order.coupon().is_in(["X", "Y"])
            & order.coupon().begins_with("X")
            & order.coupon().contains("X")
            & order.coupon().size().gt(1)
            & order.count().ge(3)
            & order.status().ne(Status::Open)
            & order.status().is_in([Status::Open, Status::Paid])
            & order.sold().begins_with("2024-01")
            & order.tags().contains("gift")
            & order.tags().at(0).eq("gift")
            & order.buyers().contains(u1)
            & order.numbers().contains(7)
            & order.notes().at(0).eq("fragile")
            & order.notes().at(0).gt(String::from("a"))
            & order.notes().at(0).begins_with("f")
            & order.notes().at(0).contains("f")
            & order.prices().entry("a").le(10)
            & order.address().city().eq("Kyoto")
            & order.others().at(0).fields().city().begins_with("K")
            & order.label().eq("new")
    });
}
