//! Declarations local to a function, and every way to read them.

use dynamo_model::{
    Dynamo, DynamoEntity, DynamoItems, DynamoNested, DynamoProjection, DynamoTable, Error, Table,
};
use serde::{Deserialize, Serialize};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    #[derive(DynamoTable)]
    #[table(name = "App", pk = "PK", sk = "SK")]
    #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = keys_only)]
    struct App;

    #[derive(DynamoNested, Serialize, Deserialize)]
    struct Address {
        city: String,
    }

    #[derive(DynamoEntity, Serialize, Deserialize)]
    #[dynamo(table = App)]
    #[pk("USER#<user_id>")]
    #[sk("ORDER#<number:06>")]
    #[gsi1(pk = "SHOP#<shop>", sk = "ORDER#<number:06>", as = by_shop)]
    struct Order {
        user_id: String,
        number: u32,
        shop: String,
        total: u64,
        tags: Vec<String>,
        #[dynamo(nested)]
        address: Address,
    }

    #[derive(DynamoProjection, Serialize, Deserialize)]
    #[projection(of = Order, from(table, gsi1))]
    struct OrderNumber {
        number: u32,
    }

    #[derive(DynamoItems)]
    #[items(table = App)]
    enum AppItem {
        Order(Order),
    }

    let db = Dynamo::embedded()?;
    App::create_table(&db).await?;
    assert!(Order::get("u1", 1).consistent().send(&db).await?.is_none());
    let query = Order::query("u1").filter(|order| {
        order.total().gt(1) & !order.tags().contains("gift") | order.address().city().eq("Kyoto")
    });
    assert!(query.all(&db).await?.is_empty());
    let query = Order::query("u1").number_in(1..).descending().limit(10);
    assert!(query.consistent().page(&db).await?.next.is_none());
    let numbers: Vec<OrderNumber> = Order::by_shop("s1").project().all(&db).await?;
    assert!(numbers.iter().all(|order| order.number > 0));
    let orders: Vec<Order> = Order::by_shop("s1").hydrate(&db).await?;
    assert!(orders.is_empty());
    assert_eq!(Order::scan().count(&db).await?, 0);
    for AppItem::Order(order) in AppItem::collection(Order::partition_key("u1"))
        .all(&db)
        .await?
    {
        println!("{} {}", order.address.city, order.shop);
    }
    Ok(())
}
