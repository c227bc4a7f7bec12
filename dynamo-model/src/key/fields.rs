//! The values of the fields that stand in keys, by name: for writes that change some of them.

use super::template::{PartSchema, Template};
use super::{KeyValue, PartValue};
use crate::__private::KeyAttributes;
use crate::entity::ItemKeyAttribute;
use crate::error::KeyError;
use crate::schema::{AttributeRole, EntityIndex, EntitySchema, KeyAttribute, TableSchema};

/// A part's value that outlives what it was taken from.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnedPart {
    Text(String),
    Bytes(Vec<u8>),
    /// All others own what they are.
    Other(PartValue<'static>),
}

impl From<PartValue<'_>> for OwnedPart {
    fn from(value: PartValue<'_>) -> Self {
        match value {
            PartValue::Text(text) => Self::Text(text.to_owned()),
            PartValue::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            PartValue::Integer {
                negative,
                magnitude,
            } => Self::Other(PartValue::Integer {
                negative,
                magnitude,
            }),
            PartValue::Boolean(value) => Self::Other(PartValue::Boolean(value)),
            PartValue::Time { seconds, nanos } => Self::Other(PartValue::Time { seconds, nanos }),
            PartValue::Date { days } => Self::Other(PartValue::Date { days }),
            PartValue::Uuid(bytes) => Self::Other(PartValue::Uuid(bytes)),
            PartValue::Ulid(bytes) => Self::Other(PartValue::Ulid(bytes)),
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

/// Their names: any of the values may be sensitive.
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

    /// The text or number of a key; `None` where a field is absent, and so the key.
    pub(crate) fn build(
        &self,
        template: &'static Template,
        attribute: KeyAttribute,
        entity: &EntitySchema,
    ) -> Result<Option<KeyValue>, KeyError> {
        let mut values = Vec::with_capacity(template.parts.len());
        for part in template.parts {
            let Some(Some(value)) = self.get(part.field) else {
                return Ok(None);
            };
            values.push(value.value());
        }
        for (i, (part, value)) in template.parts.iter().zip(&values).enumerate() {
            if is_stored_here_alone(template, part, attribute, entity) {
                template.refuse_loss(i, *value)?;
            }
        }
        template.build_any(attribute.key_type, &values).map(Some)
    }

    /// Every key attribute of the item, as [`Entity::key_attributes`](crate::Entity::key_attributes) has them.
    pub(crate) fn attributes(
        &self,
        table: &TableSchema,
        entity: &EntitySchema,
    ) -> Result<Vec<ItemKeyAttribute>, KeyError> {
        let mut attributes = KeyAttributes::with_capacity(2 + 2 * entity.indexes.len());
        let (pk, sk) = self.key(table.key(None), (entity.pk, entity.sk), entity)?;
        attributes.set(table.pk.name, pk);
        if let Some(attribute) = table.sk {
            attributes.set(attribute.name, sk);
        }
        for index in entity.indexes {
            self.add_index(table, entity, index, &mut attributes)?;
        }
        Ok(attributes.finish())
    }

    pub(crate) fn add_index(
        &self,
        table: &TableSchema,
        entity: &EntitySchema,
        index: &EntityIndex,
        attributes: &mut KeyAttributes,
    ) -> Result<(), KeyError> {
        let (pk_attribute, sk_attribute) = table.key(Some(index.id));
        let (pk, sk) = self.key((pk_attribute, sk_attribute), (index.pk, index.sk), entity)?;
        attributes.set(pk_attribute.name, pk);
        if let Some(attribute) = sk_attribute {
            attributes.set(attribute.name, sk);
        }
        Ok(())
    }

    /// Both halves, or neither.
    fn key(
        &self,
        (pk_attribute, sk_attribute): (KeyAttribute, Option<KeyAttribute>),
        (pk, sk): (&'static Template, Option<&'static Template>),
        entity: &EntitySchema,
    ) -> Result<(Option<KeyValue>, Option<KeyValue>), KeyError> {
        let pk = self.build(pk, pk_attribute, entity)?;
        let (Some(sk), Some(attribute)) = (sk, sk_attribute) else {
            return Ok((pk, None));
        };
        let sk = self.build(sk, attribute, entity)?;
        Ok(match (pk, sk) {
            (Some(pk), Some(sk)) => (Some(pk), Some(sk)),
            _ => (None, None),
        })
    }
}

/// Whether a field has no attribute besides this one: it is stored in keys alone, or is the key itself.
fn is_stored_here_alone(
    template: &Template,
    part: &PartSchema,
    key: KeyAttribute,
    entity: &EntitySchema,
) -> bool {
    let mut attributes = entity.attributes.iter();
    let own = attributes.find(|attribute| attribute.field == part.field);
    own.is_some_and(|own| {
        own.role == AttributeRole::KeyOnly || template.is_bare() && own.name == key.name
    })
}
