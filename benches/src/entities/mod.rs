//! The stored entities: an order of eight attributes, and the large nested booking of the studio's
//! document.
//!
//! Every library reads and writes these same types, so that serde's part is the same for all. Our
//! declaration is here; `libraries` adds the declarations of the others.

mod booking;
mod order;

pub use booking::{Booking, BookingOption, BookingStatus, Insurance};
pub use order::{Order, OrderStatus};

use dynamo_model::{DynamoItems, DynamoTable};

/// The table's name.
pub const TABLE: &str = "Bench";

/// One table for both. Names are those that modyne fixes.
#[derive(DynamoTable, Debug)]
#[table(name = "Bench", pk = "PK", sk = "SK", entity_type = "EntityType", items = BenchItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
#[gsi3(name = "GSI3", pk = "GSI3PK", sk = "GSI3SK")]
pub struct Bench;

/// The entities of the table.
#[derive(DynamoItems, Debug)]
#[items(table = Bench)]
#[allow(clippy::large_enum_variant)]
pub enum BenchItem {
    /// An order.
    Order(Order),
    /// A booking.
    Booking(Booking),
}
