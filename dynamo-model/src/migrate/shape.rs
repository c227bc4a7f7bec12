//! What an item is: of the old shape, of the new one, or of neither.
//!
//! A migration can be killed and run again, so each item must tell by itself whether it is migrated. It is of a shape
//! *exactly* where it can be read as that entity, has no attribute that the entity does not know, and has just the keys, those of
//! indexes included, that the entity would be written with. An item that is of both shapes tells nothing, and is an error.

use super::migration::Migratable;
use crate::error::{Error, ErrorKind, Place};
use crate::op::same;
use crate::schema::{EntitySchema, TableSchema};
use crate::wire::{self, Item};
use aws_sdk_dynamodb::types::AttributeValue;

/// An item, read as one of the two entities.
pub(super) struct Read<E> {
    pub(super) entity: E,
    /// Attributes that it does not know.
    pub(super) unknown: Vec<String>,
    /// Whether its rest field has an attribute that the other shape declares.
    is_others: bool,
    keys_match: bool,
}

impl<E> Read<E> {
    fn is_exact(&self) -> bool {
        self.unknown.is_empty() && !self.is_others && self.keys_match
    }
}

/// Reads an item as an entity; `None` where its key is another's. `other` is the entity of the other shape.
pub(super) fn read<E: Migratable>(
    place: &Place,
    table: &'static TableSchema,
    item: &Item,
    other: &EntitySchema,
) -> Option<Result<Read<E>, Error>> {
    if !wire::has_key_of::<E>(item) {
        return None;
    }
    let read = wire::decode(place, item.clone());
    Some(read.and_then(|entity| compare(place, table, item, entity, other)))
}

fn compare<E: Migratable>(
    place: &Place,
    table: &'static TableSchema,
    item: &Item,
    entity: E,
    other: &EntitySchema,
) -> Result<Read<E>, Error> {
    let keys = entity.key_attributes();
    let keys = keys.map_err(|error| Error::key(place.operation, error))?;
    // What serde brings in by `flatten`, and what a rest field holds, is known only by writing it.
    let written = wire::encode(place, entity.whole(), (table, const { &E::SCHEMA }))?;
    let known = |name: &str| {
        table.entity_type == Some(name)
            || E::SCHEMA.declares(name)
            || E::SCHEMA.constants.iter().any(|it| it.name == name)
            || keys.iter().any(|key| key.name == name)
            || written.contains_key(name)
    };
    let mut unknown: Vec<_> = item.keys().filter(|name| !known(name)).cloned().collect();
    unknown.sort_unstable();
    let in_rest = |name: &&String| E::SCHEMA.rest.is_some() && !E::SCHEMA.declares(name);
    let is_others = item.keys().filter(in_rest).any(|it| other.declares(it));
    let keys_match = keys.iter().all(|key| {
        let value = key.value.clone().map(wire::key_value);
        match (value, item.get(key.name)) {
            (Some(value), Some(stored)) => same(&value, stored),
            (None, None) => true,
            // A field of the entity's own stands there.
            (None, Some(stored)) => stored.is_null(),
            (Some(_), None) => false,
        }
    });
    Ok(Read {
        entity,
        unknown,
        is_others,
        keys_match,
    })
}

/// What to do about an item.
pub(super) enum Shape<Old> {
    Old(Read<Old>),
    New,
    Other,
}

/// What an item of the old table is. `done` decides where the item does not.
pub(super) fn shape<Old: Migratable, New: Migratable>(
    place: &Place,
    table: &'static TableSchema,
    item: &Item,
    same_table: bool,
    done: Option<&dyn Fn(&Old) -> bool>,
) -> Result<Shape<Old>, Error> {
    let old = read::<Old>(place, table, item, &New::SCHEMA);
    // In another table there are no new items among the old ones; nor where the type says that it is an old one.
    let new = match same_table && has_type_of::<New>(table, item) {
        true => read::<New>(place, table, item, &Old::SCHEMA),
        false => None,
    };
    let old = match (old, new) {
        (None, None) => return neither::<Old>(place, table, item),
        (None | Some(Err(_)), Some(Ok(_))) => return Ok(Shape::New),
        (None, Some(Err(error))) | (Some(Err(error)), None | Some(Err(_))) => return Err(error),
        (Some(Ok(old)), None | Some(Err(_))) => old,
        (Some(Ok(old)), Some(Ok(new))) => match (old.is_exact(), new.is_exact(), done) {
            (_, _, Some(done)) if done(&old.entity) => return Ok(Shape::New),
            (_, _, Some(_)) | (true, false, None) => old,
            (false, true, None) => return Ok(Shape::New),
            _ => return Err(ambiguous::<Old, New>(place)),
        },
    };
    Ok(Shape::Old(old))
}

fn has_type_of<E: Migratable>(table: &'static TableSchema, item: &Item) -> bool {
    match (table.entity_type, E::SCHEMA.entity_type) {
        (Some(name), Some(_)) => match item.get(name) {
            Some(AttributeValue::S(found)) => E::SCHEMA.has_type(found),
            _ => false,
        },
        _ => true,
    }
}

/// An item whose key is neither's. Where items have a type, this one says that it is an old one.
fn neither<Old: Migratable>(
    place: &Place,
    table: &'static TableSchema,
    item: &Item,
) -> Result<Shape<Old>, Error> {
    if table.entity_type.is_none() || !has_type_of::<Old>(table, item) {
        return Ok(Shape::Other);
    }
    Err(error(
        place,
        format!(
            "its key is not as `{}` has it; correct the template of `{0}`, or the item",
            Old::SCHEMA.entity
        ),
    ))
}

#[cold]
fn ambiguous<Old: Migratable, New: Migratable>(place: &Place) -> Error {
    let (old, new) = (Old::SCHEMA.entity, New::SCHEMA.entity);
    error(
        place,
        format!(
            "it can be read as `{old}` and as `{new}`, so that nothing tells whether it is migrated; say so with `done_if`, or give `{new}` an attribute or a type that `{old}` does not have"
        ),
    )
}

/// An item that has more than the old entity knows: it would not come along.
#[cold]
pub(super) fn would_be_lost<Old: Migratable>(place: &Place, unknown: &[String]) -> Error {
    let names: Vec<_> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let old = Old::SCHEMA.entity;
    error(
        place,
        format!(
            "{} is not in `{old}`, and would be lost; declare it there, or say `drop_unknown`",
            names.join(", ")
        ),
    )
}

#[cold]
pub(super) fn error(place: &Place, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    Error::new(place.clone(), ErrorKind::Migration { reason }, None)
}
