use dynamo_model::DynamoNested;
use rust_decimal::Decimal;
use std::collections::BTreeSet;

#[derive(DynamoNested, serde::Serialize, serde::Deserialize)]
struct Insurance {
    name: String,
    rates: BTreeSet<Decimal>,
}

fn main() {}
