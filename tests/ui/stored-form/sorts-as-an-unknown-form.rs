use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("ORDER#<number>")]
struct Order {
    number: u32,
    #[dynamo(sorts_as = integer)]
    total: u64,
}

fn main() {
    let _ = Order::scan().filter(|order| order.total().gt(1));
}
