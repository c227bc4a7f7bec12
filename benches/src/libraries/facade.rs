//! dynamodb-facade, with its trait that takes a client.

use super::{Failure, Library, NEW_ADDRESS, NEW_TOTAL, RequestedParts};
use crate::entities::{Booking, Order, TABLE};
use aws_sdk_dynamodb::Client;
use dynamodb_facade::explicit_client::{DynamoDBItemOp, dynamodb_batch_write};
use dynamodb_facade::{
    DynamoDBItemBatchOp, DynamoDBItemTransactOp, KeyId, StringAttribute, Update,
    attribute_definitions, dynamodb_item, index_definitions, table_definitions,
};
use jiff::Timestamp;
use uuid::Uuid;

/// dynamodb-facade.
#[derive(Debug)]
pub struct Facade(Client);

attribute_definitions! {
    /// Partition key.
    Pk { "PK": StringAttribute }
    /// Sort key.
    Sk { "SK": StringAttribute }
    /// Entity type.
    EntityType { "EntityType": StringAttribute }
    /// Partition key of the first index.
    Gsi1Pk { "GSI1PK": StringAttribute }
    /// Sort key of the first index.
    Gsi1Sk { "GSI1SK": StringAttribute }
    /// Partition key of the second index.
    Gsi2Pk { "GSI2PK": StringAttribute }
    /// Sort key of the second index.
    Gsi2Sk { "GSI2SK": StringAttribute }
    /// Partition key of the third index.
    Gsi3Pk { "GSI3PK": StringAttribute }
    /// Sort key of the third index.
    Gsi3Sk { "GSI3SK": StringAttribute }
}

table_definitions! {
    /// The table.
    BenchTable {
        type PartitionKey = Pk;
        type SortKey = Sk;
        fn table_name() -> String { TABLE.to_owned() }
    }
}

index_definitions! {
    /// The first index.
    #[table = BenchTable]
    Gsi1 {
        type PartitionKey = Gsi1Pk;
        type SortKey = Gsi1Sk;
        fn index_name() -> String { "GSI1".to_owned() }
    }
}

dynamodb_item! {
    #[table = BenchTable]
    Order {
        #[partition_key]
        Pk {
            fn attribute_id(&self) -> &'id str { &self.customer_id }
            fn attribute_value(id) -> String { format!("CUSTOMER#{id}") }
        }
        #[sort_key]
        Sk {
            fn attribute_id(&self) -> (Timestamp, &'id str) { (self.placed_at, &self.order_id) }
            fn attribute_value(id) -> String { format!("ORDER#{:.3}#{}", id.0, id.1) }
        }
        EntityType { const VALUE: &'static str = "ORDER"; }
        Gsi1Pk {
            fn attribute_id(&self) -> crate::entities::OrderStatus { self.status }
            fn attribute_value(id) -> String { format!("STATUS#{id}") }
        }
        Gsi1Sk {
            fn attribute_id(&self) -> Timestamp { self.placed_at }
            fn attribute_value(id) -> String { format!("{id:.3}") }
        }
    }
}

dynamodb_item! {
    #[table = BenchTable]
    Booking {
        #[partition_key]
        Pk {
            fn attribute_id(&self) -> &'id str { &self.booking_id }
            fn attribute_value(id) -> String { format!("BOOKING#{id}") }
        }
        #[sort_key]
        Sk {
            fn attribute_id(&self) -> Uuid { self.user_id }
            fn attribute_value(id) -> String { format!("USER#{id}") }
        }
        EntityType { const VALUE: &'static str = "BOOKING"; }
        Gsi1Pk {
            fn attribute_id(&self) -> Uuid { self.user_id }
            fn attribute_value(id) -> String { format!("USER#{id}") }
        }
        Gsi1Sk {
            fn attribute_id(&self) -> Timestamp { self.created_at }
            fn attribute_value(id) -> String { format!("BOOKING#{id:.0}") }
        }
        Gsi2Pk {
            fn attribute_id(&self) -> crate::entities::BookingStatus { self.status }
            fn attribute_value(id) -> String { format!("STATUS#{id}") }
        }
        Gsi2Sk {
            fn attribute_id(&self) -> Timestamp { self.start_time }
            fn attribute_value(id) -> String { format!("{id:.0}") }
        }
        Gsi3Pk {
            fn attribute_id(&self) -> Timestamp { self.start_time }
            fn attribute_value(id) -> String { id.strftime("DATE#%Y-%m-%d").to_string() }
        }
        Gsi3Sk {
            fn attribute_id(&self) -> Timestamp { self.start_time }
            fn attribute_value(id) -> String { id.strftime("TIME#%H:%M:%SZ").to_string() }
        }
    }
}

type OrderId<'a> = KeyId<&'a str, (Timestamp, &'a str)>;

fn key(order: &Order) -> OrderId<'_> {
    KeyId::pk(order.customer_id.as_str()).sk((order.placed_at, order.order_id.as_str()))
}

fn change() -> Update<'static> {
    Update::set("address", NEW_ADDRESS)
        .and(Update::set("paid", true))
        .and(Update::set("total", NEW_TOTAL))
}

impl Library for Facade {
    const NAME: &'static str = "dynamodb-facade";
    const ASKS: RequestedParts = RequestedParts {
        capacity: false,
        projection: false,
    };

    fn over(client: Client) -> Self {
        Self(client)
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>, Failure> {
        let get = <Order as DynamoDBItemOp<BenchTable>>::get(self.0.clone(), key(order));
        Ok(get.await?)
    }

    async fn orders(&self, customer: &str) -> Result<Vec<Order>, Failure> {
        let condition = <Order as DynamoDBItemOp<BenchTable>>::key_condition(customer);
        let condition = condition.sk_begins_with("ORDER#");
        let query = <Order as DynamoDBItemOp<BenchTable>>::query(self.0.clone(), condition);
        Ok(query.all().await?)
    }

    async fn bookings(&self, user: Uuid) -> Result<Vec<Booking>, Failure> {
        let condition = <Booking as DynamoDBItemOp<BenchTable>>::index_key_condition::<Gsi1>(user);
        let condition = condition.sk_begins_with("BOOKING#");
        let query =
            <Booking as DynamoDBItemOp<BenchTable>>::query_index::<Gsi1>(self.0.clone(), condition);
        Ok(query.all().await?)
    }

    async fn put_order(&self, order: &Order) -> Result<(), Failure> {
        Ok(order.put(self.0.clone()).await?)
    }

    async fn put_booking(&self, booking: &Booking) -> Result<(), Failure> {
        Ok(booking.put(self.0.clone()).await?)
    }

    async fn batch(&self, orders: &[Order]) -> Result<(), Failure> {
        let puts = orders.iter().map(DynamoDBItemBatchOp::batch_put).collect();
        Ok(dynamodb_batch_write::<BenchTable>(self.0.clone(), puts).await?)
    }

    async fn update(&self, order: &Order) -> Result<(), Failure> {
        let update = DynamoDBItemOp::update_by_id(self.0.clone(), key(order), change());
        let update: dynamodb_facade::UpdateItemRequest<BenchTable, Order, _, _> = update;
        Ok(update.exists().return_none().await?)
    }

    async fn transaction(&self, create: &[Order], update: &[Order]) -> Result<(), Failure> {
        let mut transaction = self.0.transact_write_items();
        for order in create {
            transaction = transaction.transact_items(order.transact_put().not_exists().build());
        }
        for order in update {
            let update = Order::transact_update_by_id(key(order), change()).exists();
            transaction = transaction.transact_items(update.build());
        }
        transaction.send().await?;
        Ok(())
    }
}
