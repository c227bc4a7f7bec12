use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<shop>#<year:04>#<number:06>")]
struct Order {
    user_id: String,
    shop: String,
    year: u16,
    number: u32,
}

fn main() {
    let _ = Order::query("u1").shop_in("a".."b").year(2025);
}
