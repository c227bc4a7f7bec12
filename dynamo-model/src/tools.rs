//! What the crate `dynamo-model-tools` needs beside the public interface, and applications do not.
//! The two are released together.

pub use crate::key::overlap::can_meet;
pub use crate::schema::create::{CreateIndex, CreateTable, CreateVector, KeySchema, projection};

use crate::key::PartValue;
use crate::key::text::Encoded;
use crate::schema::PartSchema;

/// The text of a value in a key, before it is escaped; `None` where it cannot be part of one.
#[must_use]
pub fn part_text(part: &PartSchema, value: PartValue<'_>) -> Option<String> {
    Some(Encoded::new(part, value).ok()?.text().into_owned())
}

/// An attribute value in DynamoDB's JSON.
#[cfg(feature = "client")]
#[must_use]
pub fn attribute_json(value: &aws_sdk_dynamodb::types::AttributeValue) -> Vec<u8> {
    let mut out = Vec::new();
    crate::wire::push_value(value, &mut out);
    out
}

/// [`Table::plan`](crate::Table::plan) of a table that is known at run time.
#[cfg(feature = "client")]
pub async fn plan(
    db: &crate::Dynamo,
    table: &'static crate::schema::TableSchema,
) -> Result<crate::schema::plan::Plan<'static>, crate::Error> {
    crate::schema::plan::Plan::new(db, table).await
}

/// [`Table::verify`](crate::Table::verify), or `verify_exactly`, of a table that is known at run
/// time.
#[cfg(feature = "client")]
pub async fn verify(
    db: &crate::Dynamo,
    table: &crate::schema::TableSchema,
    exactly: bool,
) -> Result<(), crate::Error> {
    crate::schema::deploy::verify(db, table, exactly).await
}
