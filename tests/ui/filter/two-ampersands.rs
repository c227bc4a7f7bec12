use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "user_id", sk = "SK")]
#[lsi1(name = "Created", sk = "created")]
struct App;

#[derive(serde::Serialize, serde::Deserialize)]
struct Address {
    city: String,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("<user_id>")]
#[sk("ORDER#<number:06>")]
#[lsi1(sk = "<created>", as = by_created)]
struct Order {
    user_id: String,
    number: u32,
    created: String,
    total: u64,
    paid: bool,
    note: String,
    tags: Vec<String>,
    address: Address,
}

fn main() {
    let _ = Order::query("u1").filter(|order| order.paid().eq(true) && order.total().gt(1));
}
