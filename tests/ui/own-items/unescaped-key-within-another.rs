use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("SHOP#<shop>")]
#[sk("ORDER#<id:raw>")]
struct Order {
    shop: String,
    id: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("SHOP#<shop>")]
#[sk("ORDER#<id:raw>#LINE#<n:03>")]
struct Line {
    shop: String,
    id: String,
    n: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
    Line(Line),
}

fn main() {}
