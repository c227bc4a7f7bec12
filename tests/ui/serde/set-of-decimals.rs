use dynamo_model::{DynamoEntity, DynamoTable};
use rust_decimal::Decimal;
use std::collections::HashSet;

#[derive(DynamoTable)]
#[table(name = "Offers", pk = "PK")]
struct Offers;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Offers)]
#[pk("ITEM#<item>")]
struct Offer {
    item: String,
    rates: Option<HashSet<Decimal>>,
}

fn main() {}
