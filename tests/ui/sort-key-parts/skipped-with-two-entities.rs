use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
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

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
    Sale(Sale),
}

fn main() {
    let _ = Sale::query("u1").number(1);
}
