//! From our types to items.

use super::Item;
use crate::error::{Error, ErrorKind, Place};
use crate::schema::TableSchema;
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
        // As JSON it is written, unless it has too many digits.
        Err(error) if error.to_string().ends_with("128 is not supported") => {
            "a number of 128 bits can have 38 digits; store a longer one as a text".into()
        }
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
