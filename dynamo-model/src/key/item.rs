//! The keys of one item, from the values of its fields: by the schema, so that it is compiled once
//! instead of for each entity. [`super::build`] is the generic code for values of the user.

use super::template::{PartSchema, Template};
use super::value::RawKey;
use super::{KeyValue, PartValue};
use crate::entity::Entity;
use crate::error::KeyError;
use crate::index::IndexMarker;
use crate::schema::{AttributeRole, EntityIndex, EntitySchema, IndexId, KeyAttribute, TableSchema};

/// A key attribute of one item; see [`Entity::key_attributes`](crate::Entity::key_attributes).
///
/// ```
/// use dynamo_model::key::{ItemKeyAttribute, KeyValue};
///
/// let attribute = ItemKeyAttribute { name: "PK", value: Some(KeyValue::S("USER#u1".into())) };
/// assert_eq!(attribute.name, "PK");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemKeyAttribute {
    /// The attribute's name.
    pub name: &'static str,
    /// Its value; `None` where the item must not have it.
    pub value: Option<KeyValue>,
}

/// The key attributes of an item, put together: each attribute once, whichever indexes share it.
#[derive(Debug, Default)]
pub struct KeyAttributes {
    attributes: Vec<ItemKeyAttribute>,
}

impl KeyAttributes {
    /// Returns none, with room for some.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            attributes: Vec::with_capacity(capacity),
        }
    }

    /// Adds the key in the table or an index; `None` where the item is not in it.
    pub(crate) fn add(
        &mut self,
        (pk, sk): (KeyAttribute, Option<KeyAttribute>),
        key: Option<RawKey>,
    ) {
        let (pk_value, sk_value) = match key {
            Some(key) => (Some(key.pk), key.sk),
            None => (None, None),
        };
        self.set(pk.name, pk_value);
        if let Some(sk) = sk {
            self.set(sk.name, sk_value);
        }
    }

    /// Sets a key attribute, unless it has a value: an attribute shared with the table's own key is
    /// written even if the item is not in the index.
    pub(crate) fn set(&mut self, name: &'static str, value: Option<KeyValue>) {
        match self
            .attributes
            .iter_mut()
            .find(|attribute| attribute.name == name)
        {
            Some(known) => known.value = known.value.take().or(value),
            None => self.attributes.push(ItemKeyAttribute { name, value }),
        }
    }

    /// Returns the attributes.
    #[must_use]
    pub fn finish(self) -> Vec<ItemKeyAttribute> {
        self.attributes
    }
}

/// A source of the values of key fields.
pub(crate) trait Source {
    /// Returns the value of a part; `None` if an optional field is absent or unknown.
    fn part(&self, field: &str) -> Option<PartValue<'_>>;

    /// Returns whether the value, or its absence, is known.
    fn knows(&self, _field: &str) -> bool {
        true
    }

    /// Returns whether it has all fields except optional ones.
    fn is_whole(&self) -> bool {
        false
    }
}

impl<E: Entity> Source for E {
    fn is_whole(&self) -> bool {
        true
    }

    fn part(&self, field: &str) -> Option<PartValue<'_>> {
        self.__part(field)
    }
}

/// Returns the value of a part; `None` if it is unknown, or if the field has no value and the part
/// must not be empty.
pub(super) fn part_of<'s>(source: &'s dyn Source, part: &PartSchema) -> Option<PartValue<'s>> {
    let value = source.part(part.field);
    let is_empty = part.spec.or_empty && value.is_none() && source.knows(part.field);
    if is_empty {
        Some(PartValue::Absent)
    } else {
        value
    }
}

/// More parts than this are rare, and take an allocation.
const FEW: usize = 8;

/// Returns the text or number of a key. Returns `None` if a field is absent, because the key is
/// absent then.
pub(crate) fn build(
    source: &dyn Source,
    template: &'static Template,
    attribute: KeyAttribute,
    entity: &EntitySchema,
) -> Result<Option<KeyValue>, KeyError> {
    let (mut few, mut many) = ([PartValue::Boolean(false); FEW], Vec::new());
    let count = template.parts.len();
    let values = match few.get_mut(..count) {
        Some(few) => few,
        None => {
            many.resize(count, PartValue::Boolean(false));
            &mut many[..]
        }
    };
    for (i, part) in template.parts.iter().enumerate() {
        let Some(value) = part_of(source, part) else {
            return Ok(None);
        };
        if is_stored_here_alone(template, part, attribute, entity) {
            template.refuse_loss(i, value)?;
        }
        values[i] = value;
    }
    template.build_any(attribute.key_type, values).map(Some)
}

/// Returns whether the field is stored only here: in keys alone, or as the key attribute itself.
fn is_stored_here_alone(
    template: &Template,
    part: &PartSchema,
    key: KeyAttribute,
    entity: &EntitySchema,
) -> bool {
    if !(entity.has_key_only || template.is_bare()) {
        return false;
    }
    let mut attributes = entity.attributes.iter();
    let own = attributes.find(|attribute| attribute.field == part.field);
    own.is_some_and(|own| {
        own.role == AttributeRole::KeyOnly || template.is_bare() && own.name == key.name
    })
}

/// The value of one attribute of a native key; `None` where the field is absent.
#[cfg(feature = "client")]
pub(crate) fn attribute(
    source: &dyn Source,
    key: KeyAttribute,
    template: &'static Template,
) -> Option<Result<KeyValue, KeyError>> {
    let value = source.part(template.parts.first()?.field)?;
    Some(template.build_any(key.key_type, &[value]))
}

impl EntityIndex {
    /// Returns whether the condition of the index holds, or there is none.
    pub(crate) fn may_have(&self, source: &dyn Source) -> bool {
        self.when
            .is_none_or(|when| (when.holds)(source.part(when.field)))
    }
}

/// Adds both halves of the key in the table, or in the index with these templates, or neither.
fn key(
    source: &dyn Source,
    (pk_attribute, sk_attribute): (KeyAttribute, Option<KeyAttribute>),
    (pk, sk): (&'static Template, Option<&'static Template>),
    entity: &EntitySchema,
    index: Option<&EntityIndex>,
) -> Result<Option<RawKey>, KeyError> {
    if index.is_some_and(|index| !index.may_have(source)) {
        return Ok(None);
    }
    // An item that is not in an index may have values that build no key.
    let parts = sk.map_or(&[][..], |sk| sk.parts);
    let mut parts = pk.parts.iter().chain(parts);
    let may_lack = index.is_some_and(|index| index.sparse) || !source.is_whole();
    if may_lack && parts.any(|part| part_of(source, part).is_none()) {
        return Ok(None);
    }
    let Some(pk) = build(source, pk, pk_attribute, entity)? else {
        return Ok(None);
    };
    let sk = match (sk, sk_attribute) {
        (Some(sk), Some(attribute)) => build(source, sk, attribute, entity)?,
        _ => None,
    };
    Ok(Some(RawKey { pk, sk }))
}

/// Returns the key in the table or in an index; `None` if the item is not in it.
pub(crate) fn key_in<E: Entity, I: IndexMarker>(
    entity: &E,
) -> Result<Option<crate::Key<E, I>>, KeyError> {
    let (table, schema) = const { (&<E::Table as crate::Table>::SCHEMA, &E::SCHEMA) };
    let raw = any_key(entity, table, schema, I::ID)?;
    Ok(raw.map(|RawKey { pk, sk }| crate::Key::new(pk, sk)))
}

/// Returns the same for any entity.
pub(crate) fn any_key(
    source: &dyn Source,
    table: &TableSchema,
    entity: &EntitySchema,
    id: Option<IndexId>,
) -> Result<Option<RawKey>, KeyError> {
    let index = id.and_then(|id| entity.indexes.iter().find(|index| index.id == id));
    let templates = index.map_or((entity.pk, entity.sk), |index| (index.pk, index.sk));
    key(source, table.key(id), templates, entity, index)
}

/// Returns the key of an item in its table. Its fields are never optional.
pub(crate) fn primary_key<E: Entity>(entity: &E) -> Result<crate::Key<E>, KeyError> {
    match key_in(entity)? {
        Some(key) => Ok(key),
        None => Err(KeyError::no_entity(E::SCHEMA.entity)),
    }
}

/// Returns every key attribute of the item; see [`Entity::key_attributes`].
pub(crate) fn attributes(
    source: &dyn Source,
    table: &TableSchema,
    entity: &EntitySchema,
) -> Result<Vec<ItemKeyAttribute>, KeyError> {
    let mut attributes = KeyAttributes::with_capacity(2 + 2 * entity.indexes.len());
    let own = (entity.pk, entity.sk);
    let own = key(source, table.key(None), own, entity, None)?;
    attributes.add(table.key(None), own);
    for index in entity.built_indexes() {
        add_index(source, table, entity, index, &mut attributes)?;
    }
    Ok(attributes.finish())
}

pub(crate) fn add_index(
    source: &dyn Source,
    table: &TableSchema,
    entity: &EntitySchema,
    index: &EntityIndex,
    attributes: &mut KeyAttributes,
) -> Result<(), KeyError> {
    let names = table.key(Some(index.id));
    let key = key(source, names, (index.pk, index.sk), entity, Some(index))?;
    attributes.add(names, key);
    Ok(())
}
