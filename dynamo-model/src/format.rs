//! Functions for `#[serde(with = "…")]` that store times and decimals in forms that sort and
//! calculate.

pub use crate::entity::epoch_seconds;
pub use crate::stored_time::{
    epoch_micros, epoch_millis, epoch_nanos, rfc3339_micros, rfc3339_millis, rfc3339_nanos,
    rfc3339_seconds,
};

/// For `#[serde(with = "dynamo_model::format::decimal")]`: stores a `rust_decimal::Decimal` as N,
/// exactly; also an `Option`, a list or a map of it. Needs the feature `rust_decimal`.
///
/// The crate itself writes a text. So a field without this function does not compile.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use rust_decimal::Decimal;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("ORDER#<id>")]
/// struct Order {
///     id: String,
///     #[serde(with = "dynamo_model::format::decimal")]
///     total: Decimal,
/// }
///
/// let update = Order::update("o1").add(|order| order.total(), Decimal::new(250, 2));
/// ```
#[cfg(feature = "rust_decimal")]
pub mod decimal {
    pub use crate::value::decimal::{NotADecimal, StoredDecimal, deserialize, serialize};
}
