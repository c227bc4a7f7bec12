use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = Everything)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App, entity_type = "ORDER")]
#[pk("USER#<id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    id: u32,
    number: u32,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App, entity_type = "STAFF")]
#[pk("STAFF#<id>")]
#[sk("STAFF")]
struct Staff {
    id: u32,
    age: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum Everything {
    Order(Order),
    Staff(Staff),
}

#[derive(DynamoItems)]
#[items(table = App)]
enum OrderItem {
    Order(Order),
}

fn main() {
    let all = OrderItem::collection(Order::partition_key(1));
    let _ = all.filter_entity::<Staff, _>(|staff| staff.age().ge(18_u32));
}
