use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Error};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = keys_only)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "SHOP#<shop>", sk = "ORDER#<number:06>", as = by_shop)]
struct Order {
    id: u32,
    number: u32,
    shop: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
}

async fn orders(db: &Dynamo) -> Result<Vec<AppItem>, Error> {
    AppItem::collection(Order::by_shop_partition_key("s1")).all(db).await
}

fn main() {}
