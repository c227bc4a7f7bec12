//! Builds an item: its entity's attributes, then keys, entity type, version and times, in one
//! buffer.

use super::encode::as_map;
use super::json::refused::Refused;
use super::{Item, RawItem, Unwritable, check_item, check_size, key_value, limits};
use crate::error::{Error, ErrorContext};
use crate::key::KeyRef;
use aws_sdk_dynamodb::types::AttributeValue;

pub(crate) use super::json::item::{AttributeHandling, AttributeHandlings, ItemWriter};

/// An item under construction.
#[derive(Debug)]
pub(crate) enum ItemBuilder {
    /// As JSON: written attributes cannot be changed, so changeable ones are kept beside it.
    Json {
        written: ItemWriter,
        own: Vec<(&'static str, AttributeValue)>,
    },
    Map(Item),
}

impl ItemBuilder {
    /// Creates it from the attributes of an entity. Only attributes with special handling can be
    /// read or changed.
    pub(crate) fn new(
        context: &ErrorContext,
        attributes: Result<ItemWriter, Refused>,
    ) -> Result<Self, Error> {
        Self::of(attributes).map_err(|error| error.at(context))
    }

    fn of(written: Result<ItemWriter, Refused>) -> Result<Self, Unwritable> {
        let mut written = written?;
        if written.has_twice() {
            return as_map(written).map(Self::Map);
        }
        let own = core::mem::take(&mut written.kept);
        Ok(Self::Json { written, own })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&AttributeValue> {
        match self {
            Self::Json { own, .. } => own.iter().find(|(own, _)| *own == name).map(|(_, it)| it),
            Self::Map(item) => item.get(name),
        }
    }

    pub(crate) fn set(&mut self, name: &'static str, value: AttributeValue) {
        match self {
            Self::Json { own, .. } => match own.iter_mut().find(|(own, _)| *own == name) {
                Some((_, known)) => *known = value,
                None => own.push((name, value)),
            },
            Self::Map(item) => drop(item.insert(name.to_owned(), value)),
        }
    }

    /// Adds an attribute of a key, or the entity type. It is never read again, so it is not kept
    /// beside.
    pub(crate) fn set_key(&mut self, name: &'static str, value: KeyRef<'_>) {
        match self {
            Self::Json { written, own } if own.iter().all(|(own, _)| *own != name) => {
                written.key(name, value);
            }
            _ => self.set(name, key_value(value.to_value())),
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        match self {
            Self::Json { own, .. } => own.retain(|(own, _)| *own != name),
            Self::Map(item) => drop(item.remove(name)),
        }
    }

    /// Returns the whole item, and its size as DynamoDB counts it.
    pub(crate) fn finish(self, context: &ErrorContext) -> Result<(RawItem, usize), Error> {
        match self {
            Self::Json { mut written, own } => {
                for (name, value) in own {
                    let refused = |_| limits::refused(context, name, &value);
                    written.attribute(name, &value).map_err(refused)?;
                }
                let (json, bytes) = written.finish();
                check_size(context, bytes)?;
                Ok((RawItem::encoded(json), bytes))
            }
            Self::Map(item) => {
                let bytes = check_item(context, &item)?;
                Ok((RawItem::Map(item), bytes))
            }
        }
    }
}
