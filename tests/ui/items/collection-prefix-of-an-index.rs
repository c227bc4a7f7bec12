use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = Everything)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "SHOP#<shop>", sk = "ORDER#<number:06>", as = by_shop)]
struct Order {
    user_id: String,
    number: u32,
    shop: String,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("SHOP#<shop>")]
#[sk("STAFF#<name>")]
struct Staff {
    shop: String,
    name: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
}

#[derive(DynamoTable)]
#[table(name = "Archive", pk = "PK", sk = "SK")]
struct Archive;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Archive)]
#[pk("USER#<user_id>")]
#[sk("OLD#<number:06>")]
struct OldOrder {
    user_id: String,
    number: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum Everything {
    Order(Order),
    Staff(Staff),
}

async fn read(db: &Dynamo) -> Result<(), Box<dyn std::error::Error>> {
    let orders = Order::by_shop_sort_key().build()?;
    AppItem::collection(Order::partition_key("u1")).within(orders).all(db).await?;
    Ok(())
}

fn main() {}
