use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number>")]
struct Order {
    user_id: String,
    number: u32,
    name: String,
}

fn main() {
    let _ = Order::query("u1").filter(|it| it.name().eq("x")).descending();
}
