//! A sort key that repeats the field of its partition key, beside one that continues after it.

use crate::support::{self, Outcome};
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Repeated", pk = "PK", sk = "SK", items = RepeatedItem)]
struct Repeated;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Repeated)]
#[pk("ORDER#<id>")]
#[sk("ORDER#<id>")]
struct Order {
    id: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Repeated)]
#[pk("ORDER#<order>")]
#[sk("ORDER#<order>#ITEM#<n:03>")]
struct Item {
    order: String,
    n: u16,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = Repeated)]
enum RepeatedItem {
    Order(Order),
    Item(Item),
}

/// Finding: "V `ORDER#<id>`/`ORDER#<id>` beside `ORDER#<id>`/`ORDER#<id>#ITEM#<n:03>`": they
/// cannot have the same key.
#[tokio::test]
async fn entities_that_repeat_a_field_are_distinguished() -> Outcome {
    let db = support::db::<Repeated>().await;
    let ids = ["1", "1#ITEM#001", "#", "$", "1$23ITEM$23001", "ORDER#1"];
    for id in ids {
        let (order, item) = (
            Order { id: id.into() },
            Item {
                order: id.into(),
                n: 1,
            },
        );
        order.create().send(&db).await?;
        item.create().send(&db).await?;
    }
    for id in ids {
        let (order, item) = (
            Order { id: id.into() },
            Item {
                order: id.into(),
                n: 1,
            },
        );
        let orders = Order::query(id).all(&db).await?;
        assert_eq!(orders, std::slice::from_ref(&order));
        let items = Item::query(id).all(&db).await?;
        assert_eq!(items, std::slice::from_ref(&item));
        assert_eq!(Order::query(id).count(&db).await?, 1);
        let all = RepeatedItem::collection(Order::partition_key(id))
            .all(&db)
            .await?;
        assert_eq!(all.len(), 2, "{id}");
        assert_ne!(
            order.primary_key()?.to_string(),
            item.primary_key()?.to_string()
        );
    }
    assert_eq!(Order::scan().count(&db).await?, ids.len());
    Ok(())
}
