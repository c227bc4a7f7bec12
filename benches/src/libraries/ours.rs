//! dynamo-model.

use super::{Failure, Library, NEW_ADDRESS, NEW_TOTAL, RequestedParts};
use crate::entities::{Booking, Order};
use aws_sdk_dynamodb::Client;
use dynamo_model::{BatchWrite, Dynamo, Entity, Transaction};
use uuid::Uuid;

/// dynamo-model.
#[derive(Debug)]
pub struct Ours(Dynamo);

/// dynamo-model, with all requests through the SDK's orchestrator.
#[derive(Debug)]
pub struct OursOnSdk(Ours);

impl Library for OursOnSdk {
    const NAME: &'static str = crate::OURS_ON_SDK;
    const ASKS: RequestedParts = Ours::ASKS;

    fn over(client: Client) -> Self {
        Self(Ours(Dynamo::new(client).with_sdk_transport()))
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>, Failure> {
        self.0.get(order).await
    }

    async fn orders(&self, customer: &str) -> Result<Vec<Order>, Failure> {
        self.0.orders(customer).await
    }

    async fn bookings(&self, user: Uuid) -> Result<Vec<Booking>, Failure> {
        self.0.bookings(user).await
    }

    async fn put_order(&self, order: &Order) -> Result<(), Failure> {
        self.0.put_order(order).await
    }

    async fn put_booking(&self, booking: &Booking) -> Result<(), Failure> {
        self.0.put_booking(booking).await
    }

    async fn batch(&self, orders: &[Order]) -> Result<(), Failure> {
        self.0.batch(orders).await
    }

    async fn update(&self, order: &Order) -> Result<(), Failure> {
        self.0.update(order).await
    }

    async fn transaction(&self, create: &[Order], update: &[Order]) -> Result<(), Failure> {
        self.0.transaction(create, update).await
    }
}

impl Library for Ours {
    const NAME: &'static str = crate::OURS;
    const ASKS: RequestedParts = RequestedParts {
        capacity: false,
        projection: false,
    };

    fn over(client: Client) -> Self {
        Self(Dynamo::new(client))
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>, Failure> {
        let get = Order::get(&order.customer_id, order.placed_at, &order.order_id);
        Ok(get.send(&self.0).await?)
    }

    async fn orders(&self, customer: &str) -> Result<Vec<Order>, Failure> {
        Ok(Order::query(customer).all(&self.0).await?)
    }

    async fn bookings(&self, user: Uuid) -> Result<Vec<Booking>, Failure> {
        Ok(Booking::by_user(user).all(&self.0).await?)
    }

    async fn put_order(&self, order: &Order) -> Result<(), Failure> {
        Ok(order.put().send(&self.0).await?)
    }

    async fn put_booking(&self, booking: &Booking) -> Result<(), Failure> {
        Ok(booking.put().send(&self.0).await?)
    }

    async fn batch(&self, orders: &[Order]) -> Result<(), Failure> {
        Ok(BatchWrite::new().puts(orders).send(&self.0).await?)
    }

    async fn update(&self, order: &Order) -> Result<(), Failure> {
        let update = Order::update(&order.customer_id, order.placed_at, &order.order_id)
            .set(|order| order.address(), NEW_ADDRESS)
            .set(|order| order.paid(), true)
            .set(|order| order.total(), NEW_TOTAL);
        Ok(update.send(&self.0).await?)
    }

    async fn transaction(&self, create: &[Order], update: &[Order]) -> Result<(), Failure> {
        let mut transaction = Transaction::new();
        for order in create {
            transaction = transaction.add(order.create());
        }
        for order in update {
            transaction = transaction.add(
                Order::update(&order.customer_id, order.placed_at, &order.order_id)
                    .set(|order| order.address(), NEW_ADDRESS)
                    .set(|order| order.paid(), true)
                    .set(|order| order.total(), NEW_TOTAL),
            );
        }
        Ok(transaction.send(&self.0).await?)
    }
}
