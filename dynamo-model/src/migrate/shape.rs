//! The shape of an item: old, new, or neither.
//!
//! A migration can be killed and run again, so each item must show by itself whether it is
//! migrated. It has a shape *exactly* if it can be read as that entity, has no undeclared
//! attribute, and has the keys (of indexes too) and the entity type that the entity would be
//! written with. An item of both shapes is an error.

use super::migration::Migratable;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::schema::TableSchema;
use crate::wire::values_eq;
use crate::wire::{self, Item};
use aws_sdk_dynamodb::types::AttributeValue;

/// An item, read as one of the two entities.
pub(super) struct Read<E> {
    pub(super) entity: E,
    /// Attributes that the entity does not declare.
    pub(super) unknown: Vec<String>,
    /// Whether its rest field has an attribute that the other shape declares.
    is_others: bool,
    keys_match: bool,
    has_type: bool,
}

impl<E> Read<E> {
    fn is_exact(&self) -> bool {
        self.unknown.is_empty() && !self.is_others && self.keys_match && self.has_type
    }
}

/// Returns the table of an entity. The two entities of a migration can have two declarations of one
/// table.
pub(super) fn table_of<E: Entity>() -> &'static TableSchema {
    const { &<E::Table as Table>::SCHEMA }
}

/// Reads an item as an entity; `None` where its key is another's. `Other` is the entity of the
/// other shape.
fn read<E: Migratable, Other: Migratable>(
    context: &ErrorContext,
    item: &Item,
) -> Option<Result<Read<E>, Error>> {
    if !wire::has_key_of::<E>(item) {
        return None;
    }
    let read = wire::decode(context, item.clone());
    Some(read.and_then(|entity| compare::<E, Other>(context, item, entity)))
}

fn compare<E: Migratable, Other: Migratable>(
    context: &ErrorContext,
    item: &Item,
    entity: E,
) -> Result<Read<E>, Error> {
    let table = table_of::<E>();
    let keys = entity.key_attributes();
    let keys = keys.map_err(|error| Error::key(context.operation, error))?;
    // Attributes of a `flatten` or a rest field are known only by writing them.
    let written = wire::encode(context, entity.whole(), (table, const { &E::SCHEMA }))?;
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
    let others = |name: &String| {
        let entity_type = table_of::<Other>().entity_type;
        Other::SCHEMA.declares(name) || table.entity_type.or(entity_type) == Some(name.as_str())
    };
    let is_others = item.keys().filter(in_rest).any(others);
    let keys_match = keys.iter().all(|key| {
        let value = key.value.clone().map(wire::key_value);
        match (value, item.get(key.name)) {
            (Some(value), Some(stored)) => values_eq(&value, stored),
            (None, None) => true,
            // A field of the entity has this name.
            (None, Some(stored)) => stored.is_null(),
            (Some(_), None) => false,
        }
    });
    Ok(Read {
        entity,
        unknown,
        is_others,
        keys_match,
        has_type: type_of::<E>(item) != TypeOf::Missing,
    })
}

/// The decision about an item.
pub(super) enum Shape<Old> {
    Old(Read<Old>),
    New,
    Other,
}

/// The user's function that recognises migrated items, where the items do not show it.
pub(super) struct Done<'d, Old, New> {
    pub(super) old: Option<&'d dyn Fn(&Old) -> bool>,
    pub(super) new: Option<&'d dyn Fn(&New) -> bool>,
}

impl<Old, New> Done<'_, Old, New> {
    /// Returns `None` without such a function.
    fn says(&self, old: &Old, new: &New) -> Option<bool> {
        let answers = [
            self.old.map(|done| done(old)),
            self.new.map(|done| done(new)),
        ];
        answers.into_iter().flatten().reduce(|a, b| a || b)
    }
}

/// Returns the shape of an item of the old table. `done` decides where the item does not show it.
pub(super) fn shape<Old: Migratable, New: Migratable>(
    context: &ErrorContext,
    item: &Item,
    same_table: bool,
    done: Done<'_, Old, New>,
) -> Result<Shape<Old>, Error> {
    let old = read::<Old, New>(context, item);
    // Another table has no new items among the old ones; and an item of the old type is not new.
    let may_be_new = match type_of::<New>(item) {
        TypeOf::Own => true,
        TypeOf::Missing => New::SCHEMA.untyped,
        TypeOf::Other => false,
    };
    let new = match same_table && may_be_new {
        true => read::<New, Old>(context, item),
        false => None,
    };
    let old = match (old, new) {
        (None, None) => return neither::<Old>(context, item),
        (None | Some(Err(_)), Some(Ok(_))) => return Ok(Shape::New),
        (None, Some(Err(error))) | (Some(Err(error)), None | Some(Err(_))) => return Err(error),
        (Some(Ok(old)), None | Some(Err(_))) => old,
        (Some(Ok(old)), Some(Ok(new))) => {
            let done = done.says(&old.entity, &new.entity);
            match (old.is_exact(), new.is_exact(), done) {
                (_, _, Some(true)) | (false, true, None) => return Ok(Shape::New),
                (_, _, Some(false)) | (true, false, None) => old,
                _ => return Err(ambiguous::<Old, New>(context)),
            }
        }
    };
    Ok(Shape::Old(old))
}

/// Returns the shape of an item for a rewrite, which reads it as its one entity.
pub(super) fn own<Old: Migratable, New: Migratable>(
    context: &ErrorContext,
    item: &Item,
    done: Done<'_, Old, New>,
) -> Result<Shape<Old>, Error> {
    let Some(own) = read::<Old, Old>(context, item) else {
        return neither::<Old>(context, item);
    };
    let old = own?;
    let is_new = |done: &dyn Fn(&New) -> bool| match read::<New, Old>(context, item) {
        Some(Ok(new)) => done(&new.entity),
        _ => false,
    };
    let is_done = done.old.is_some_and(|done| done(&old.entity));
    Ok(match is_done || done.new.is_some_and(is_new) {
        true => Shape::New,
        false => Shape::Old(old),
    })
}

/// The relation of an item's type to an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TypeOf {
    /// The type is the entity's, or the entity has no type.
    Own,
    Other,
    Missing,
}

fn type_of<E: Migratable>(item: &Item) -> TypeOf {
    match (table_of::<E>().entity_type, E::SCHEMA.entity_type) {
        (Some(name), Some(_)) => match item.get(name) {
            Some(AttributeValue::S(found)) if E::SCHEMA.has_type(found) => TypeOf::Own,
            Some(_) => TypeOf::Other,
            None => TypeOf::Missing,
        },
        _ => TypeOf::Own,
    }
}

/// Reports an item whose key belongs to neither entity, although it has the old type.
fn neither<Old: Migratable>(context: &ErrorContext, item: &Item) -> Result<Shape<Old>, Error> {
    if table_of::<Old>().entity_type.is_none() || type_of::<Old>(item) != TypeOf::Own {
        return Ok(Shape::Other);
    }
    Err(error(
        context,
        format!(
            "its key does not have the form of `{0}`; correct the template of `{}`, or the item",
            Old::SCHEMA.entity
        ),
    ))
}

#[cold]
fn ambiguous<Old: Migratable, New: Migratable>(context: &ErrorContext) -> Error {
    let (old, new) = (Old::SCHEMA.entity, New::SCHEMA.entity);
    error(
        context,
        format!(
            "it can be read as `{old}` and as `{new}`, so it does not show whether it is migrated; \
             define that with `done_if` or `done_if_new`, or give `{new}` an attribute or a type \
             that `{old}` does not have"
        ),
    )
}

/// Reports an item with attributes that the old entity does not declare and that would be lost.
#[cold]
pub(super) fn would_be_lost<Old: Migratable>(context: &ErrorContext, unknown: &[String]) -> Error {
    let names: Vec<_> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let old = Old::SCHEMA.entity;
    error(
        context,
        format!(
            "{} is not in `{old}`, and would be lost; declare it there, or call `drop_unknown`",
            names.join(", ")
        ),
    )
}

#[cold]
pub(super) fn error(context: &ErrorContext, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    Error::new(context.clone(), ErrorKind::Migration { reason }, None)
}
