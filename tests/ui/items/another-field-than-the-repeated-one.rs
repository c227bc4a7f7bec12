use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("ORDER#<id>")]
#[sk("ORDER#<number>")]
struct Order {
    id: String,
    number: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("ORDER#<id>")]
#[sk("ORDER#<id>#ITEM#<n:03>")]
struct Item {
    id: String,
    number: String,
    n: u16,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
    Item(Item),
}

fn main() {}
