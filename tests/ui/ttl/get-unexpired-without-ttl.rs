use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    user_id: String,
    number: u32,
}

fn main() {
    let _ = Order::get("u1", 1).unexpired();
}
