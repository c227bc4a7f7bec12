//! DynamoDB's responses: items as DynamoDB JSON, with exactly the requested parts.

use crate::canned::Answer;
use crate::entities::{Booking, Order, TABLE};
use crate::libraries::RequestedParts;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Returns an item as stored, attribute names in alphabetical order. The keys are written by hand,
/// so that no contender's encoding is in the input of all.
fn item(entity: &impl Serialize, keys: &[(&str, String)], asks: RequestedParts) -> Value {
    let plain = serde_json::to_value(entity).unwrap_or_default();
    let Value::Object(mut item) = typed(plain)["M"].take() else {
        return Value::Null;
    };
    let whole = !asks.projection;
    for (name, key) in keys {
        if whole || *name == "EntityType" {
            item.insert((*name).to_owned(), json!({ "S": key }));
        }
    }
    Value::Object(item)
}

/// `{"a": 1}` as `{"M": {"a": {"N": "1"}}}`.
fn typed(plain: Value) -> Value {
    match plain {
        Value::Null => json!({ "NULL": true }),
        Value::Bool(value) => json!({ "BOOL": value }),
        Value::Number(value) => json!({ "N": value.to_string() }),
        Value::String(value) => json!({ "S": value }),
        Value::Array(values) => json!({ "L": values.into_iter().map(typed).collect::<Vec<_>>() }),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, typed(value)));
            json!({ "M": fields.collect::<Map<_, _>>() })
        }
    }
}

/// Returns an order, as stored.
#[must_use]
pub(crate) fn order(order: &Order, asks: RequestedParts) -> Value {
    let keys = [
        ("PK", format!("CUSTOMER#{}", order.customer_id)),
        (
            "SK",
            format!("ORDER#{:.3}#{}", order.placed_at, order.order_id),
        ),
        ("EntityType", "ORDER".into()),
        ("GSI1PK", format!("STATUS#{}", order.status)),
        ("GSI1SK", format!("{:.3}", order.placed_at)),
    ];
    item(order, &keys, asks)
}

/// Returns a booking, as stored.
#[must_use]
pub(crate) fn booking(booking: &Booking, asks: RequestedParts) -> Value {
    let start = booking.start_time;
    let keys = [
        ("PK", format!("BOOKING#{}", booking.booking_id)),
        ("SK", format!("USER#{}", booking.user_id)),
        ("EntityType", "BOOKING".into()),
        ("GSI1PK", format!("USER#{}", booking.user_id)),
        ("GSI1SK", format!("BOOKING#{:.0}", booking.created_at)),
        ("GSI2PK", format!("STATUS#{}", booking.status)),
        ("GSI2SK", format!("{start:.0}")),
        ("GSI3PK", start.strftime("DATE#%Y-%m-%d").to_string()),
        ("GSI3SK", start.strftime("TIME#%H:%M:%SZ").to_string()),
    ];
    item(booking, &keys, asks)
}

/// `GetItem` of that item, or of none.
#[must_use]
pub(crate) fn get(item: Option<Value>, asks: RequestedParts) -> Answer {
    let body = item.map_or_else(|| json!({}), |item| json!({ "Item": item }));
    answer("GetItem", body, asks, |capacity| capacity)
}

/// Returns a `Query`'s only page.
#[must_use]
pub(crate) fn page(items: Vec<Value>, asks: RequestedParts) -> Answer {
    let count = items.len();
    let body = json!({ "Count": count, "Items": items, "ScannedCount": count });
    answer("Query", body, asks, |capacity| capacity)
}

/// The response to a write of one item that returns nothing.
#[must_use]
pub(crate) fn written(operation: &'static str, asks: RequestedParts) -> Answer {
    answer(operation, json!({}), asks, |capacity| capacity)
}

/// Returns a write of several, all of which were done.
#[must_use]
pub(crate) fn all_written(operation: &'static str, asks: RequestedParts) -> Answer {
    let body = match operation {
        "BatchWriteItem" => json!({ "UnprocessedItems": {} }),
        _ => json!({}),
    };
    answer(operation, body, asks, |capacity| json!([capacity]))
}

/// The capacity is one table's, or a list of them.
fn answer(
    operation: &'static str,
    mut body: Value,
    asks: RequestedParts,
    shape: fn(Value) -> Value,
) -> Answer {
    if asks.capacity {
        let capacity = json!({ "CapacityUnits": 0.5, "TableName": TABLE });
        body["ConsumedCapacity"] = shape(capacity);
    }
    Answer {
        operation,
        body: body.to_string().into(),
    }
}
