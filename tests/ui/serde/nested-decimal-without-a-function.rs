use dynamo_model::DynamoNested;
use rust_decimal::Decimal;

#[derive(DynamoNested, serde::Serialize, serde::Deserialize)]
struct Insurance {
    name: String,
    price: Option<Decimal>,
    parts: Vec<Self>,
}

fn main() {}
