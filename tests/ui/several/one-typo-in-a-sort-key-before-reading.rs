use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:6>")]
#[gsi1(pk = "SHOP#<shop>", sk = "ORDER#<number:06>", as = by_shop)]
struct Order {
    user_id: String,
    number: u32,
    shop: String,
    total: u64,
}

#[derive(DynamoProjection, serde::Deserialize)]
#[projection(of = Order, from(table, gsi1))]
struct Total {
    total: u64,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
}

async fn read(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    Order::get("u1", 1).consistent().send(db).await?;
    Order::query("u1").all(db).await?;
    Order::query("u1").number_in(1..10).descending().page(db).await?;
    Order::query("u1").number(1).filter(|order| order.total().gt(1)).one(db).await?;
    Order::query("u1").consistent().count(db).await?;
    Order::by_shop("s1").number_in(1..).limit(10).all(db).await?;
    Order::by_shop("s1").project::<Total>().all(db).await?;
    Order::scan().filter(|order| order.shop().begins_with("s")).all(db).await?;
    AppItem::collection(Order::partition_key("u1")).all(db).await?;
    Ok(())
}

fn main() {}
