//! Unique values of users: an item for each `appId`, email and username, in a separate table.
//!
//! An index shows whether a value is taken, but two simultaneous sign-ups both see that it is free.
//! An item is created only once. The document's tables have plain ids as keys, so they cannot
//! contain such items.

use dynamo_model::DynamoTable;

/// The table, which the document does not have. The constraints of [`User`](super::User) put items
/// into it, in the transaction that writes the user.
#[derive(DynamoTable, Debug)]
#[table(name = "Reservations", pk = "value")]
#[table(point_in_time_recovery, billing = on_demand)]
pub struct Reservations;
