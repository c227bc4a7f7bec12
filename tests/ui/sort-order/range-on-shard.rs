use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<code:shard(10)>")]
struct Order {
    user_id: String,
    code: String,
}

fn main() {
    let _ = Order::query("u1").code_in("a".."b");
}
