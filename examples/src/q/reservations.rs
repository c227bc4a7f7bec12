//! What only one user can have: an item for each `appId`, email and username, in a table of its own.
//!
//! An index tells whether a value is taken, but two sign-ups at once both see that it is free. An item is created once.
//! The document's tables have plain ids for keys, so they have no room for such items.

use dynamo_model::DynamoTable;

/// The table, which the document does not have. The constraints of [`User`](super::User) put items into it, in the
/// transaction that writes the user.
#[derive(DynamoTable, Debug)]
#[table(name = "Reservations", pk = "value")]
#[table(point_in_time_recovery, billing = on_demand)]
pub struct Reservations;
