use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    id: u32,
    number: u32,
    total: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
}

fn main() {
    let all = AppItem::collection(Order::partition_key(1));
    let _ = all.filter_entity::<Order, _>(|order| order.total().ge(10_u32));
}
