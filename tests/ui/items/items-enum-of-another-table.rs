use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = ShopItem)]
struct App;

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK")]
struct Shop;

#[derive(DynamoEntity)]
#[dynamo(table = Shop)]
#[pk("PRODUCT#<id>")]
struct Product {
    id: String,
}

#[derive(DynamoItems)]
#[items(table = Shop)]
enum ShopItem {
    Product(Product),
}

fn main() {}
