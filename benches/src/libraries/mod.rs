//! The contenders: each library does the same tasks, in its usual style, over the same SDK client.

mod facade;
mod modyne;
mod ours;
mod raw;

pub use facade::Facade;
pub use modyne::Modyne;
pub use ours::{Ours, OursOnSdk};
pub use raw::Raw;

use crate::entities::{Booking, Order};
use aws_sdk_dynamodb::Client;

/// Why a task failed. The tests ensure that none does.
pub type Failure = Box<dyn std::error::Error>;

/// The update of an order, and half of a transaction: a new address and total, and it is paid.
pub const NEW_ADDRESS: &str = "1 Minato Mirai, Yokohama 220-0012";
/// The total of the same update.
pub const NEW_TOTAL: u64 = 2_480;

/// The parts of a response that a library requests.
#[derive(Debug, Clone, Copy)]
pub struct RequestedParts {
    /// `ReturnConsumedCapacity`.
    pub capacity: bool,
    /// Whether a query projects only the entity's attributes, so that keys are not sent.
    pub projection: bool,
}

/// A library, over a client.
#[allow(async_fn_in_trait, missing_docs)]
pub trait Library {
    /// The last segment of a row's name: `modyne` in `put/order/modyne`.
    const NAME: &'static str;
    const ASKS: RequestedParts;

    fn over(client: Client) -> Self;

    /// Returns an order by its key, or `None` if it does not exist.
    async fn get(&self, order: &Order) -> Result<Option<Order>, Failure>;
    /// Returns a customer's orders, by the table's key.
    async fn orders(&self, customer: &str) -> Result<Vec<Order>, Failure>;
    /// Returns a user's bookings, by an index.
    async fn bookings(&self, user: uuid::Uuid) -> Result<Vec<Booking>, Failure>;
    /// Stores it, and replaces a stored one.
    async fn put_order(&self, order: &Order) -> Result<(), Failure>;
    async fn put_booking(&self, booking: &Booking) -> Result<(), Failure>;
    /// Stores up to 25.
    async fn batch(&self, orders: &[Order]) -> Result<(), Failure>;
    /// Changes an order that must be there, by its key.
    async fn update(&self, order: &Order) -> Result<(), Failure>;
    /// Creates the first, which must not be there, and changes the second, in one transaction.
    async fn transaction(&self, create: &[Order], update: &[Order]) -> Result<(), Failure>;
}
