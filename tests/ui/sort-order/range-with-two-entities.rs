use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<at>#<number>")]
struct Order {
    user_id: String,
    at: String,
    number: u32,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("SHOP#<user_id>")]
#[sk("ORDER#<at>#<number>")]
struct Sale {
    user_id: String,
    at: String,
    number: u32,
}

fn main() {
    let _ = Order::query("u1").at("a").number_in(1..2);
}
