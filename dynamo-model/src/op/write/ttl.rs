//! When items expire: DynamoDB deletes by a number of seconds since 1970, and ignores anything
//! else.

use crate::clock::Moment;
use crate::error::{Error, ErrorContext};
use crate::schema::{AttributeRole, AttributeSchema, EntitySchema, TableSchema};
use crate::wire::Unwritable;
use aws_sdk_dynamodb::types::AttributeValue;

/// The last second of the year 9999. Milliseconds since 1970 are later.
const LATEST: i64 = 253_402_300_799;
/// The beginning of 1990. Durations are earlier.
const EARLIEST: i64 = 631_152_000;
/// For a test's earlier clock: DynamoDB ignores a TTL of more than five years ago.
const FIVE_YEARS: i64 = 5 * 365 * 86_400;

/// The attribute that DynamoDB deletes by, if the entity has it.
pub(super) fn of(schema: &TableSchema, entity: &EntitySchema) -> Option<&'static AttributeSchema> {
    schema.ttl?;
    let mut attributes = entity.attributes.iter();
    attributes.find(|it| it.role == AttributeRole::Ttl)
}

/// Refuses a TTL that DynamoDB would never delete by, or delete by at once.
pub(super) fn check(
    context: &ErrorContext,
    attribute: &str,
    now: Moment,
    value: &AttributeValue,
) -> Result<(), Error> {
    let refuse = |reason: String| Err(Unwritable::new(attribute, reason).at(context));
    let number = match value {
        AttributeValue::Null(_) => return Ok(()),
        AttributeValue::N(number) => number,
        _ => {
            return refuse(
                "a TTL is a number of seconds since 1970, and serde writes something else; write `#[serde(with = \"dynamo_model::format::epoch_seconds\")]` on the field".into(),
            );
        }
    };
    match number.parse::<i64>() {
        Ok(seconds) if seconds < EARLIEST.min(now.seconds.saturating_sub(FIVE_YEARS)) => {
            refuse(format!(
                "{number} is too early for a time in seconds since 1970, so it is taken for a duration; give the time itself, for example `db.expires_in(…)`, and no value for what never expires"
            ))
        }
        Ok(..=LATEST) => Ok(()),
        Ok(_) => refuse(format!(
            "{number} is too late for a time in seconds since 1970, so it is taken for milliseconds; give seconds"
        )),
        Err(_) => refuse(format!(
            "{number} is not a whole number of seconds since 1970"
        )),
    }
}
