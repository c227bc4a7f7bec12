use dynamo_model::{DynamoEntity, DynamoTable};
use rust_decimal::Decimal;
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "Offers", pk = "PK")]
struct Offers;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Offers)]
#[pk("ITEM#<item>")]
struct Offer {
    item: String,
    rates: Vec<BTreeSet<Decimal>>,
}

fn main() {}
