//! From our types to items.

use super::json::item::{AttributeHandlings, ItemWriter};
use super::json::refused::Refused;
use super::{Item, RawItem};
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::schema::{EntitySchema, TableSchema};
use core::fmt;
use serde::Serialize;

/// Why a value of an expression could not be encoded.
#[derive(Debug, Clone)]
pub struct EncodeError(String);

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EncodeError {}

impl serde::ser::Error for EncodeError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

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
    pub(crate) fn at(self, context: &ErrorContext) -> Error {
        let kind = ErrorKind::Encode {
            attribute: self.path,
        };
        Error::new(context.clone(), kind, Some(self.reason.into()))
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

impl From<Refused> for Unwritable {
    #[cold]
    fn from(refused: Refused) -> Self {
        let (path, reason) = refused.into_parts();
        Self::new(path, reason)
    }
}

/// Returns the attributes of an entity as serde writes them.
pub(crate) fn to_item<T: Serialize>(
    entity: &T,
    handlings: AttributeHandlings,
) -> Result<Item, Unwritable> {
    as_map(ItemWriter::write(entity, handlings)?)
}

/// Returns the written and the kept attributes as a map; of two values with one name, the last.
pub(super) fn as_map(mut written: ItemWriter) -> Result<Item, Unwritable> {
    let kept = core::mem::take(&mut written.kept);
    let (json, _) = written.finish();
    let item = RawItem::encoded(json).into_last();
    let mut item = item.map_err(|reason| Unwritable::new(".", reason))?;
    item.extend(
        kept.into_iter()
            .map(|(name, value)| (name.to_owned(), value)),
    );
    Ok(item)
}

pub(crate) fn encode<T: Serialize>(
    context: &ErrorContext,
    entity: &T,
    (table, schema): (&'static TableSchema, &'static EntitySchema),
) -> Result<Item, Error> {
    to_item(entity, AttributeHandlings::forms(table, schema)).map_err(|error| error.at(context))
}

/// Returns the attributes of an item that are its key in the table.
pub(crate) fn key_of(schema: &TableSchema, item: &Item) -> Item {
    let names = core::iter::once(schema.pk.name).chain(schema.sk.map(|sk| sk.name));
    let key = names.filter_map(|name| Some((name.to_owned(), item.get(name)?.clone())));
    key.collect()
}
