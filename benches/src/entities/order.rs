//! The small one.

use super::Bench;
use dynamo_model::{DynamoEntity, KeyPart};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// In a key, and an attribute.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum OrderStatus {
    Open,
    Shipped,
}

/// For keys that are made by `format!`.
impl fmt::Display for OrderStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Shipped => "shipped",
        })
    }
}

/// Eight attributes, besides keys and entity type.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Bench, entity_type = "ORDER")]
#[pk("CUSTOMER#<customer_id>")]
#[sk("ORDER#<placed_at:ms>#<order_id>")]
#[gsi1(pk = "STATUS#<status>", sk = "<placed_at:ms>", as = by_status)]
#[allow(missing_docs)]
pub struct Order {
    pub customer_id: String,
    pub order_id: String,
    pub placed_at: Timestamp,
    pub status: OrderStatus,
    pub total: u64,
    pub quantity: u32,
    pub paid: bool,
    pub address: String,
}

impl Order {
    /// The customer of all orders.
    pub const CUSTOMER: &'static str = "acme-corporation";

    /// One of a customer's orders; the same every time.
    #[must_use]
    pub fn sample(number: u32) -> Self {
        let placed_at = Timestamp::constant(1_748_772_000, 123_000_000);
        Self {
            customer_id: Self::CUSTOMER.into(),
            order_id: format!("2025-{number:09}"),
            placed_at: placed_at + SignedDuration::from_mins(i64::from(number)),
            status: if number.is_multiple_of(3) {
                OrderStatus::Open
            } else {
                OrderStatus::Shipped
            },
            total: 1_980 + u64::from(number) * 17,
            quantity: 1 + number % 9,
            paid: number.is_multiple_of(2),
            address: format!("{number} Harbour Street, Yokohama 231-0001"),
        }
    }

    /// So many of them, in the order of their keys.
    #[must_use]
    pub fn samples(count: u32) -> Vec<Self> {
        (0..count).map(Self::sample).collect()
    }
}
