//! From our types to items.

use super::Item;
use crate::error::{Error, ErrorKind, Place};
use crate::schema::TableSchema;
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt;
use serde::Serialize;

/// Why a value could not be written.
#[derive(Debug, Clone)]
pub(crate) struct Unwritable {
    path: String,
    reason: String,
}

impl Unwritable {
    #[cold]
    pub(crate) fn new(path: impl Into<String>, reason: impl fmt::Display) -> Self {
        Self {
            path: path.into(),
            reason: reason.to_string(),
        }
    }

    #[cold]
    pub(crate) fn at(self, place: &Place) -> Error {
        let kind = ErrorKind::Encode {
            attribute: self.path,
        };
        Error::new(place.clone(), kind, Some(self.reason.into()))
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

/// The attributes of an entity, as serde has them.
pub(crate) fn to_item<T: Serialize>(entity: &T) -> Result<Item, Unwritable> {
    let written: Result<Item, _> = serde_dynamo::to_item(entity);
    written.map_err(|_| unwritable(entity))
}

/// Writes it once more, to see where it fails.
#[cold]
fn unwritable<T: Serialize>(entity: &T) -> Unwritable {
    let mut track = serde_path_to_error::Track::new();
    let serializer = serde_dynamo::Serializer;
    let tracked = serde_path_to_error::Serializer::new(serializer, &mut track);
    let reason = match entity.serialize(tracked) {
        Ok(serde_dynamo::AttributeValue::M(_)) => "it was written only the second time".into(),
        Ok(_) => "it is not a struct with named fields".into(),
        Err(error) => error.to_string(),
    };
    Unwritable {
        path: track.path().to_string(),
        reason,
    }
}

pub(crate) fn encode<T: Serialize>(place: &Place, entity: &T) -> Result<Item, Error> {
    to_item(entity).map_err(|error| error.at(place))
}

/// The attributes of an item that are its key in the table.
pub(crate) fn key_of(schema: &TableSchema, item: &Item) -> Item {
    let names = core::iter::once(schema.pk.name).chain(schema.sk.map(|sk| sk.name));
    let key = names.filter_map(|name| Some((name.to_owned(), item.get(name)?.clone())));
    key.collect()
}

/// About how long an item is as JSON: never less than it is.
pub(crate) fn json_bytes(item: &Item) -> usize {
    let attributes = item.iter();
    attributes
        .map(|(name, value)| 2 * name.len() + 4 + json_value_bytes(value))
        .sum()
}

fn json_value_bytes(value: &AttributeValue) -> usize {
    const AROUND: usize = r#"{"BOOL":""},"#.len();
    // Every byte of a text may be escaped, as six at most; nearly all are not.
    let text = |text: &String| {
        let escaped = text
            .bytes()
            .filter(|byte| *byte < b' ' || *byte == b'"' || *byte == b'\\');
        text.len() + 5 * escaped.count() + 3
    };
    let binary = |bytes: usize| bytes.div_ceil(3) * 4 + 3;
    AROUND
        + match value {
            AttributeValue::S(value) | AttributeValue::N(value) => text(value),
            AttributeValue::B(bytes) => binary(bytes.as_ref().len()),
            AttributeValue::Ss(values) | AttributeValue::Ns(values) => {
                values.iter().map(text).sum()
            }
            AttributeValue::Bs(values) => values
                .iter()
                .map(|bytes| binary(bytes.as_ref().len()))
                .sum(),
            AttributeValue::L(values) => values.iter().map(json_value_bytes).sum(),
            AttributeValue::M(values) => json_bytes(values),
            _ => 5,
        }
}
