use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = include("total"))]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App, entity_type = "ORDER")]
#[pk("USER#<id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "SHOP#<shop>", sk = "ORDER#<number:06>", as = by_shop)]
struct Order {
    id: u32,
    number: u32,
    shop: String,
    total: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
}

fn main() {
    let all = AppItem::collection(Order::by_shop_partition_key("s1"));
    let _ = all.filter_entity::<Order, _>(|order| order.total().ge(10_u32));
}
