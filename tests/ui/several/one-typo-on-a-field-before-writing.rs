use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, Entity, Transaction, batch::IntoKey};
use std::time::Duration;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "SHOP#<shop>", sk = "DAY#<day>", as = by_shop)]
struct Order {
    user_id: String,
    number: u32,
    shop: String,
    day: String,
    total: u64,
    lines: Vec<String>,
    memo: Option<String>,
    #[dynamo(verion)]
    version: u64,
}

async fn write(db: &Dynamo, order: &Order) -> Result<(), dynamo_model::Error> {
    order.put().condition(|order| order.total().gt(1_u64)).return_old().send(db).await?;
    order.create().return_new().send(db).await?;
    Order::update("u1", 1)
        .set(|order| order.shop("2025-06-01"), "s2")
        .add(|order| order.total(), 1_u64)
        .append(|order| order.lines(), ["x"])
        .remove(|order| order.memo())
        .condition(|order| order.day().eq("2025-06-01"))
        .return_new()
        .send(db)
        .await?;
    Order::upsert("u1", 1).set(|order| order.shop("2025-06-01"), "s2").send(db).await?;
    order.update().set(|order| order.shop(), "s2").send(db).await?;
    order.update().set(|order| order.day(), "2025-06-02").expires_in(Duration::from_secs(1)).send(db).await?;
    order.delete().must_exist().send(db).await?;
    Order::delete("u1", 1).return_old().send(db).await?;
    BatchWrite::new().put(order).delete(Order::key("u1", 2)).send(db).await?;
    Transaction::new()
        .add(order.create())
        .add(Order::update("u1", 1).add(|order| order.total(), 1_u64))
        .add(Order::upsert("u1", 2).add(|order| order.total(), 1_u64))
        .add(Order::delete("u1", 3))
        .add(Order::key("u1", 4).must_meet(|order| order.total().gt(1_u64)))
        .send(db)
        .await?;
    Ok(())
}

fn main() {}
