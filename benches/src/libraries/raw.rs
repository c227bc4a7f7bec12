//! The SDK itself, with serde_dynamo for items and `format!` for keys: code without a library.

use super::{Failure, Library, NEW_ADDRESS, NEW_TOTAL, RequestedParts};
use crate::entities::{Booking, Order, TABLE};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    AttributeValue, Put, PutRequest, TransactWriteItem, Update, WriteRequest,
};
use std::collections::HashMap;
use uuid::Uuid;

type Item = HashMap<String, AttributeValue>;

/// aws-sdk-dynamodb and serde_dynamo.
#[derive(Debug)]
pub struct Raw(Client);

const CHANGE: &str = "SET address = :address, paid = :paid, #total = :total";

fn text(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn order_key(order: &Order) -> [(String, AttributeValue); 2] {
    let sk = format!("ORDER#{:.3}#{}", order.placed_at, order.order_id);
    [
        ("PK".into(), text(format!("CUSTOMER#{}", order.customer_id))),
        ("SK".into(), text(sk)),
    ]
}

fn order_item(order: &Order) -> Result<Item, Failure> {
    let mut item: Item = serde_dynamo::to_item(order)?;
    item.extend(order_key(order));
    item.insert("EntityType".into(), text("ORDER"));
    item.insert("GSI1PK".into(), text(format!("STATUS#{}", order.status)));
    item.insert("GSI1SK".into(), text(format!("{:.3}", order.placed_at)));
    Ok(item)
}

fn booking_item(booking: &Booking) -> Result<Item, Failure> {
    let mut item: Item = serde_dynamo::to_item(booking)?;
    let user = format!("USER#{}", booking.user_id);
    let created = format!("BOOKING#{:.0}", booking.created_at);
    let date = booking.start_time.strftime("DATE#%Y-%m-%d").to_string();
    let time = booking.start_time.strftime("TIME#%H:%M:%SZ").to_string();
    item.insert("PK".into(), text(format!("BOOKING#{}", booking.booking_id)));
    item.insert("SK".into(), text(user.clone()));
    item.insert("EntityType".into(), text("BOOKING"));
    item.insert("GSI1PK".into(), text(user));
    item.insert("GSI1SK".into(), text(created));
    item.insert("GSI2PK".into(), text(format!("STATUS#{}", booking.status)));
    item.insert("GSI2SK".into(), text(format!("{:.0}", booking.start_time)));
    item.insert("GSI3PK".into(), text(date));
    item.insert("GSI3SK".into(), text(time));
    Ok(item)
}

fn change() -> HashMap<String, AttributeValue> {
    HashMap::from([
        (":address".into(), text(NEW_ADDRESS)),
        (":paid".into(), AttributeValue::Bool(true)),
        (":total".into(), AttributeValue::N(NEW_TOTAL.to_string())),
    ])
}

fn created(order: &Order) -> Result<TransactWriteItem, Failure> {
    let put = Put::builder()
        .table_name(TABLE)
        .set_item(Some(order_item(order)?))
        .condition_expression("attribute_not_exists(PK)");
    Ok(TransactWriteItem::builder().put(put.build()?).build())
}

fn updated(order: &Order) -> Result<TransactWriteItem, Failure> {
    let update = Update::builder()
        .table_name(TABLE)
        .set_key(Some(HashMap::from(order_key(order))))
        .update_expression(CHANGE)
        .expression_attribute_names("#total", "total")
        .set_expression_attribute_values(Some(change()))
        .condition_expression("attribute_exists(PK)");
    Ok(TransactWriteItem::builder().update(update.build()?).build())
}

impl Raw {
    /// The least that a call can be: no key, no item.
    pub async fn nothing(&self) -> Result<(), Failure> {
        self.0.get_item().table_name(TABLE).send().await?;
        Ok(())
    }

    async fn put(&self, item: Item) -> Result<(), Failure> {
        let put = self.0.put_item().table_name(TABLE).set_item(Some(item));
        put.send().await?;
        Ok(())
    }
}

impl Library for Raw {
    const NAME: &'static str = crate::RAW;
    const ASKS: RequestedParts = RequestedParts {
        capacity: false,
        projection: false,
    };

    fn over(client: Client) -> Self {
        Self(client)
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>, Failure> {
        let key = HashMap::from(order_key(order));
        let get = self.0.get_item().table_name(TABLE).set_key(Some(key));
        let item = get.send().await?.item;
        Ok(item.map(serde_dynamo::from_item).transpose()?)
    }

    async fn orders(&self, customer: &str) -> Result<Vec<Order>, Failure> {
        let page = self
            .0
            .query()
            .table_name(TABLE)
            .key_condition_expression("PK = :pk AND begins_with(SK, :sk)")
            .expression_attribute_values(":pk", text(format!("CUSTOMER#{customer}")))
            .expression_attribute_values(":sk", text("ORDER#"));
        let items = page.send().await?.items.unwrap_or_default();
        Ok(serde_dynamo::from_items(items)?)
    }

    async fn bookings(&self, user: Uuid) -> Result<Vec<Booking>, Failure> {
        let page = self
            .0
            .query()
            .table_name(TABLE)
            .index_name("GSI1")
            .key_condition_expression("GSI1PK = :pk AND begins_with(GSI1SK, :sk)")
            .expression_attribute_values(":pk", text(format!("USER#{user}")))
            .expression_attribute_values(":sk", text("BOOKING#"));
        let items = page.send().await?.items.unwrap_or_default();
        Ok(serde_dynamo::from_items(items)?)
    }

    async fn put_order(&self, order: &Order) -> Result<(), Failure> {
        self.put(order_item(order)?).await
    }

    async fn put_booking(&self, booking: &Booking) -> Result<(), Failure> {
        self.put(booking_item(booking)?).await
    }

    async fn batch(&self, orders: &[Order]) -> Result<(), Failure> {
        let mut writes = Vec::with_capacity(orders.len());
        for order in orders {
            let put = PutRequest::builder().set_item(Some(order_item(order)?));
            writes.push(WriteRequest::builder().put_request(put.build()?).build());
        }
        let batch = self.0.batch_write_item().request_items(TABLE, writes);
        batch.send().await?;
        Ok(())
    }

    async fn update(&self, order: &Order) -> Result<(), Failure> {
        let update = self
            .0
            .update_item()
            .table_name(TABLE)
            .set_key(Some(HashMap::from(order_key(order))))
            .update_expression(CHANGE)
            .expression_attribute_names("#total", "total")
            .set_expression_attribute_values(Some(change()))
            .condition_expression("attribute_exists(PK)");
        update.send().await?;
        Ok(())
    }

    async fn transaction(&self, create: &[Order], update: &[Order]) -> Result<(), Failure> {
        let created = create.iter().map(created);
        let writes: Result<Vec<_>, _> = created.chain(update.iter().map(updated)).collect();
        let transaction = self
            .0
            .transact_write_items()
            .set_transact_items(Some(writes?));
        transaction.send().await?;
        Ok(())
    }
}
