//! Why one item among many could not be read.

use super::{Error, ErrorContext, ErrorKind};
use crate::value::Value;
use crate::wire::{self, RawItem};
use core::fmt;
use std::collections::BTreeMap;
use std::error::Error as StdError;

/// Reports why one item could not be read, with the stored item; returned by
/// [`Each`](crate::read::Each).
///
/// `Debug` and `Display` do not show the item, which may be sensitive.
///
/// ```
/// use dynamo_model::Error;
/// use dynamo_model::error::ItemError;
///
/// /// Good items, and a report on the others.
/// fn sort<T>(items: Vec<Result<T, ItemError>>) -> (Vec<T>, Vec<String>) {
///     let (mut good, mut bad) = (Vec::new(), Vec::new());
///     for item in items {
///         match item {
///             Ok(item) => good.push(item),
///             Err(error) => bad.push(format!("{:?}: {error}", error.key_text())),
///         }
///     }
///     (good, bad)
/// }
///
/// // `?` turns it into the error that the read would have failed with.
/// fn first<T>(items: Vec<Result<T, ItemError>>) -> Result<Option<T>, Error> {
///     Ok(items.into_iter().next().transpose()?)
/// }
/// ```
pub struct ItemError(Box<Inner>);

struct Inner {
    error: Error,
    item: RawItem,
}

impl ItemError {
    #[cold]
    pub(crate) fn new(error: Error, item: RawItem) -> Self {
        Self(Box::new(Inner { error, item }))
    }

    /// Returns the entity that the item was read as, or the items enum, by the name of its type.
    #[must_use]
    pub fn entity(&self) -> &'static str {
        self.0.error.entity()
    }

    /// Returns the key of the item, as `USER#u1/PROFILE`.
    #[must_use]
    pub fn key_text(&self) -> Option<&str> {
        self.0.error.key_text()
    }

    /// Returns the attribute that could not be read, as in `lines[1].price`; `None` if the error is
    /// about the whole item.
    #[must_use]
    pub fn attribute(&self) -> Option<&str> {
        match self.0.error.kind() {
            ErrorKind::Decode { path } => Some(path.as_str()).filter(|path| *path != "."),
            ErrorKind::KeyMismatch { attribute, .. } => Some(attribute),
            _ => None,
        }
    }

    /// Returns all attributes of the item as stored. Fails if the response itself is malformed.
    pub fn attributes(&self) -> Result<BTreeMap<String, Value>, Error> {
        let context = ErrorContext {
            operation: "read",
            entity: self.entity(),
            key: self.key_text().map(|key| key.to_owned().into()),
            ..ErrorContext::default()
        };
        wire::values(&context, self.0.item.clone())
    }

    /// Returns the error that a read without `each` fails with.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.error
    }
}

impl From<ItemError> for Error {
    fn from(error: ItemError) -> Self {
        error.0.error
    }
}

impl fmt::Display for ItemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.error.fmt(f)
    }
}

impl fmt::Debug for ItemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ItemError").field(&self.0.error).finish()
    }
}

impl StdError for ItemError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.error.source()
    }
}
