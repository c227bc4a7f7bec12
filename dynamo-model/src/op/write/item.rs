//! An entity as the item that is stored: its attributes, its keys in the table and in every index, its entity
//! type, version and times.

use super::failure::{Guard, Presence, Unchanged};
use super::request::{Action, Write};
use super::{Encodable, StampOn, Writable};
use crate::clock::Moment;
use crate::db::Dynamo;
use crate::entity::{ItemKeyAttribute, Table};
use crate::error::{Error, KeyError, Place};
use crate::key::fields::KeyFields;
use crate::schema::{AttributeRole, AttributeSchema, EntitySchema, TableSchema};
use crate::wire::{self, Draft, Fate, Item, Stored, StoredItem};
use aws_sdk_dynamodb::types::AttributeValue;

/// An entity, ready to be written.
pub(super) struct Encoded {
    pub(super) place: Place,
    pub(super) schema: &'static TableSchema,
    pub(super) entity: EntitySchema,
    pub(super) item: Stored,
    pub(super) key: Item,
    /// As they are in the item.
    pub(super) fields: KeyFields,
    /// The same fields, of an item as it is stored.
    pub(super) stored_fields: fn(StoredItem<'_>) -> Result<KeyFields, Error>,
    /// The version that the entity was read with.
    pub(super) version: Option<(&'static str, Option<AttributeValue>)>,
    pub(super) bytes: usize,
}

/// What an item is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// It is new.
    Create,
    /// It takes the place of the version that was read.
    Put,
    /// It is stored as it is, whatever is there.
    Load,
}

/// Encodes an entity.
pub(super) fn encode<E: Writable<Whole: Encodable>>(
    db: &Dynamo,
    operation: &'static str,
    entity: &E,
    mode: Mode,
) -> Result<Encoded, Error> {
    let schema: &'static TableSchema = const { &<E::Table as Table>::SCHEMA };
    let whole = Place::of::<E>(db, operation, None);
    let fates = fates::<E>(schema);
    let item = Draft::new(db, &whole, entity.whole(), fates);
    let mut item = item.map_err(|error| error.with_key(shown_key(entity)))?;
    let mut fields = KeyFields::default();
    if !(E::STAMPS.is_empty() && E::SCHEMA.uniques.is_empty()) {
        fields = entity.key_fields();
    }
    stamp::<E>(&whole, db.moment(), mode, &mut item, &mut fields)?;
    let attributes = if E::STAMPS.is_empty() {
        entity.key_attributes()
    } else {
        fields.attributes(schema, &E::SCHEMA)
    };
    let attributes = attributes.map_err(|error| Error::key(operation, error))?;
    let key = add_keys(schema, &E::SCHEMA, attributes, &mut item);
    let place = Place {
        key: Some(wire::shown_key(schema, &[&E::SCHEMA], &key)),
        ..whole
    };
    let version = bump_version(&E::SCHEMA, mode, &mut item);
    let (item, bytes) = item.finish(&place)?;
    Ok(Encoded {
        place,
        schema,
        entity: E::SCHEMA,
        item,
        key,
        fields,
        stored_fields: E::stored_fields,
        version,
        bytes,
    })
}

/// The key of an entity that could not be written, if that can be.
#[cold]
fn shown_key<E: Writable>(entity: &E) -> Option<String> {
    let schema = <E::Table as Table>::SCHEMA;
    let attributes = entity.key_attributes().ok()?.into_iter();
    let names = [Some(schema.pk), schema.sk].map(|half| half.map(|half| half.name));
    let own = attributes.filter(|it| names.contains(&Some(it.name)));
    let key = own.filter_map(|it| Some((it.name.to_owned(), wire::key_value(it.value?))));
    Some(wire::shown_key(
        &schema,
        &[&E::SCHEMA],
        &key.collect::<Item>(),
    ))
}

/// The attributes that are not simply what the entity says.
fn fates<E: Writable>(schema: &TableSchema) -> Vec<(&'static str, Fate)> {
    let stamps = E::STAMPS.iter().map(|stamp| stamp.attribute);
    let version = version_of(&E::SCHEMA).map(|version| version.name);
    let kept = stamps.chain(version).map(|name| (name, Fate::Kept));
    let key_only = E::SCHEMA.attributes.iter();
    let key_only = key_only.filter(|attribute| attribute.role == AttributeRole::KeyOnly);
    let indexes = E::SCHEMA.indexes.iter();
    let indexes = indexes.flat_map(|index| index.halves(schema));
    let entity_type = E::SCHEMA.entity_type.and(schema.entity_type);
    let replaced = core::iter::once(schema.pk.name)
        .chain(schema.sk.map(|sk| sk.name))
        .chain(indexes.map(|(key, _)| key.name))
        .chain(key_only.map(|attribute| attribute.name))
        .chain(entity_type);
    kept.chain(replaced.map(|name| (name, Fate::Replaced)))
        .collect()
}

/// Sets the times that the library keeps. One that an item was created at stays, unless it is not there.
fn stamp<E: Writable>(
    place: &Place,
    now: Moment,
    mode: Mode,
    item: &mut Draft,
    fields: &mut KeyFields,
) -> Result<(), Error> {
    for stamp in E::STAMPS {
        let absent = matches!(
            item.get(stamp.attribute),
            None | Some(AttributeValue::Null(_))
        );
        if stamp.on == StampOn::Create && mode != Mode::Create && !absent {
            continue;
        }
        let stamped = stamp.at::<E>(now).map_err(|error| error.at(place))?;
        item.set(stamp.attribute, stamped.value);
        if fields.get(stamp.field).is_some() {
            fields.set(stamp.field, Some(stamped.part));
        }
    }
    Ok(())
}

/// Puts the key attributes in, over what serde wrote under the same name, and takes out what lives in keys
/// alone. Returns the table's own key.
pub(crate) fn add_keys(
    schema: &TableSchema,
    entity: &EntitySchema,
    attributes: Vec<ItemKeyAttribute>,
    item: &mut Draft,
) -> Item {
    for attribute in entity.attributes {
        if attribute.role == AttributeRole::KeyOnly {
            item.remove(attribute.name);
        }
    }
    for ItemKeyAttribute { name, value } in attributes {
        match value {
            Some(value) => item.set(name, wire::key_value(value)),
            // A null is no key: DynamoDB would refuse the item.
            None => item.remove(name),
        }
    }
    if let (Some(attribute), Some(entity_type)) = (schema.entity_type, entity.entity_type) {
        let entity_type = AttributeValue::S(entity_type.to_owned());
        item.set(attribute, entity_type);
    }
    item.key(schema)
}

/// The attribute with the number of the lock.
pub(crate) fn version_of(entity: &EntitySchema) -> Option<&'static AttributeSchema> {
    let mut attributes = entity.attributes.iter();
    attributes.find(|attribute| attribute.role == AttributeRole::Version)
}

/// A stored version is never 0, so that 0 says "never stored". Returns what it was.
fn bump_version(
    entity: &EntitySchema,
    mode: Mode,
    item: &mut Draft,
) -> Option<(&'static str, Option<AttributeValue>)> {
    let name = version_of(entity)?.name;
    let number = match item.get(name) {
        Some(AttributeValue::N(number)) => number.parse::<i128>().unwrap_or_default(),
        _ => 0,
    };
    let next = match mode {
        Mode::Put => number + 1,
        Mode::Create | Mode::Load => number.max(1),
    };
    item.set(name, AttributeValue::N(next.to_string()));
    let known = (number != 0).then(|| AttributeValue::N(number.to_string()));
    Some((name, known))
}

impl Encoded {
    /// The version must be the one that the entity was read with.
    pub(super) fn version_unchanged(&self) -> Option<Unchanged> {
        let (attribute, value) = self.version.clone()?;
        Some(Unchanged::version(attribute, value))
    }

    /// Puts the item.
    pub(super) fn put(
        &self,
        guard: Guard,
        condition: Option<crate::Condition>,
    ) -> Result<Write, Error> {
        let (place, key) = (self.place.clone(), self.key.clone());
        let put = Action::Put(self.item.clone());
        Write::new(place, self.schema, key, put, self.bytes).guarded(guard, condition)
    }

    pub(super) fn guard(&self, presence: Presence, check_version: bool) -> Guard {
        let version = self.version_unchanged().filter(|_| check_version);
        Guard {
            presence,
            unchanged: version.into_iter().collect(),
            ..Guard::default()
        }
    }
}

/// For errors of keys that were built before the write was known.
pub(super) fn key_error(operation: &'static str) -> impl Fn(KeyError) -> Error {
    move |error| Error::key(operation, error)
}
