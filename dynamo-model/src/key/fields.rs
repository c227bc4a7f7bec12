//! The values of key fields, by name: for writes that change some of them.

use super::ItemKeyAttribute;
use super::item::KeyAttributes;
use super::item::{self, Source};
use super::template::Template;
use super::{KeyValue, PartValue};
use crate::error::KeyError;
use crate::schema::{EntityIndex, EntitySchema, KeyAttribute, TableSchema};

/// An owned value of a part.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnedPart {
    Text(String),
    Bytes(Vec<u8>),
    /// All other kinds own their value.
    Other(PartValue<'static>),
}

impl From<PartValue<'_>> for OwnedPart {
    fn from(value: PartValue<'_>) -> Self {
        match (value.detached(), value) {
            (Some(value), _) => Self::Other(value),
            (None, PartValue::Bytes(bytes)) => Self::Bytes(bytes.to_vec()),
            (None, value) => Self::Text(value.to_string()),
        }
    }
}

impl OwnedPart {
    pub(crate) fn value(&self) -> PartValue<'_> {
        match self {
            Self::Text(text) => PartValue::Text(text),
            Self::Bytes(bytes) => PartValue::Bytes(bytes),
            Self::Other(value) => *value,
        }
    }
}

/// Each field once; `None` where an optional one is absent.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct KeyFields(Vec<(&'static str, Option<OwnedPart>)>);

/// Shows only names: any of the values may be sensitive.
impl core::fmt::Debug for KeyFields {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set()
            .entries(self.0.iter().map(|(name, _)| name))
            .finish()
    }
}

impl KeyFields {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// For generated code: a field's value, or its absence.
    #[must_use]
    pub fn with(mut self, field: &'static str, value: Option<PartValue<'_>>) -> Self {
        self.set(field, value.map(OwnedPart::from));
        self
    }

    pub(crate) fn set(&mut self, field: &'static str, value: Option<OwnedPart>) {
        match self.0.iter_mut().find(|(known, _)| *known == field) {
            Some((_, known)) => *known = value,
            None => self.0.push((field, value)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &Option<OwnedPart>)> {
        self.0.iter().map(|(field, value)| (*field, value))
    }

    pub(crate) fn get(&self, field: &str) -> Option<&Option<OwnedPart>> {
        let known = self.0.iter().find(|(known, _)| *known == field);
        known.map(|(_, value)| value)
    }

    /// Returns the text or number of a key. Returns `None` if a field is absent, because the key is
    /// absent then.
    pub(crate) fn build(
        &self,
        template: &'static Template,
        attribute: KeyAttribute,
        entity: &EntitySchema,
    ) -> Result<Option<KeyValue>, KeyError> {
        item::build(self, template, attribute, entity)
    }

    /// Returns every key attribute of the item, like
    /// [`Entity::key_attributes`](crate::Entity::key_attributes).
    pub(crate) fn attributes(
        &self,
        table: &TableSchema,
        entity: &EntitySchema,
    ) -> Result<Vec<ItemKeyAttribute>, KeyError> {
        item::attributes(self, table, entity)
    }

    pub(crate) fn add_index(
        &self,
        table: &TableSchema,
        entity: &EntitySchema,
        index: &EntityIndex,
        attributes: &mut KeyAttributes,
    ) -> Result<(), KeyError> {
        item::add_index(self, table, entity, index, attributes)
    }

    /// Returns all key fields of an item.
    pub(crate) fn of(source: &dyn Source, entity: &'static EntitySchema) -> Self {
        let mut fields = Self::default();
        for field in entity.key_fields() {
            if fields.get(field).is_none() {
                fields
                    .0
                    .push((field, source.part(field).map(OwnedPart::from)));
            }
        }
        fields
    }
}

impl Source for KeyFields {
    fn knows(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    fn part(&self, field: &str) -> Option<PartValue<'_>> {
        self.get(field)?.as_ref().map(OwnedPart::value)
    }
}
