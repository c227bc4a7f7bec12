use dynamo_model::{DynamoEntity, DynamoTable};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "App", pk = "user_id", sk = "SK")]
struct App;

#[derive(serde::Serialize, serde::Deserialize, PartialEq, Eq, PartialOrd, Ord)]
enum Reaction {
    Heart,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("<user_id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    user_id: String,
    number: u32,
    reactions: BTreeMap<Reaction, u32>,
}

fn main() {
    let _ = Order::query("u1").filter(|order| order.reactions().entry("Heart").exists());
}
