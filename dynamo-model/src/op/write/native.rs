//! The attributes of native index keys: DynamoDB reads the key from the item, and refuses an item
//! whose attribute has another type or is empty. Both are found before the request.

use super::Declared;
use crate::error::{Error, ErrorContext, KeyError, KeyErrorKind};
use crate::expr::update::{AttributeUpdate, UpdateAction};
use crate::key::item::{self, Source};
use crate::key::{KeyRef, KeyValue, Template};
use crate::schema::{EntityIndex, EntitySchema, KeyAttribute, TableSchema};
use crate::wire::{self, AttributeHandling, AttributeHandlings, ItemBuilder, Unwritable};
use aws_sdk_dynamodb::types::AttributeValue;

/// The attributes of an entity's native keys, as queries write them.
#[derive(Default)]
pub(super) struct NativeValues(Vec<(&'static str, Result<KeyValue, KeyError>)>);

impl NativeValues {
    pub(super) fn of(source: &dyn Source, declared: Declared) -> Self {
        let values = attributes(declared.table, declared.entity).filter_map(|(key, template)| {
            Some((key.name, item::attribute(source, key, template)?))
        });
        Self(values.collect())
    }

    /// Fails if an attribute cannot be in a key, or is not stored as queries write it: no query
    /// would find the item.
    pub(super) fn check(
        self,
        declared: Declared,
        context: &ErrorContext,
        item: &ItemBuilder,
    ) -> Result<(), Error> {
        for (name, value) in self.0 {
            // The clock may have set it.
            if declared.stamps.iter().any(|stamp| stamp.attribute == name) {
                continue;
            }
            let value = value.map_err(|error| Error::key(context.operation, error))?;
            let Some(stored) = item.get(name) else {
                continue;
            };
            if wire::key_ref(stored) != Some(value.as_ref()) {
                let reason = "it is an attribute of an index key, and serde stores another form than the key part has; give the type one form in both";
                return Err(Unwritable::new(name, reason).at(context));
            }
        }
        Ok(())
    }
}

/// Keeps the attributes readable until they are checked.
pub(super) fn keep(handlings: &mut AttributeHandlings, table: &TableSchema, entity: &EntitySchema) {
    for (key, _) in attributes(table, entity) {
        handlings.push(key.name, AttributeHandling::Kept);
    }
}

/// Refuses a value that an update sets and that cannot be in a key.
pub(super) fn check_updates(
    declared: Declared,
    context: &ErrorContext,
    updates: &[AttributeUpdate],
) -> Result<(), Error> {
    for (key, template) in attributes(declared.table, declared.entity) {
        for update in updates.iter().filter(|it| it.is_of(key.name)) {
            if let UpdateAction::Set(value) | UpdateAction::SetIfAbsent(value) = &update.action {
                check_value(context, key, template, value)?;
            }
        }
    }
    Ok(())
}

fn check_value(
    context: &ErrorContext,
    key: KeyAttribute,
    template: &'static Template,
    value: &AttributeValue,
) -> Result<(), Error> {
    let fail = |kind| {
        let field = template.parts.first().map(|part| part.field);
        Err(Error::key(
            context.operation,
            KeyError::new(template, field, kind),
        ))
    };
    let max = template.role.max_bytes();
    match wire::key_ref(value).filter(|it| it.key_type() == key.key_type) {
        Some(KeyRef::S("") | KeyRef::B([])) => fail(KeyErrorKind::Empty),
        Some(value @ (KeyRef::S(_) | KeyRef::B(_))) if value.len() > max => {
            let bytes = value.len();
            fail(KeyErrorKind::TooLong { bytes, max })
        }
        Some(_) => Ok(()),
        None => {
            let reason = format!(
                "it is an attribute of an index key of type {}, and serde stores another type",
                key.key_type.as_str()
            );
            Err(Unwritable::new(key.name, reason).at(context))
        }
    }
}

fn attributes(
    table: &TableSchema,
    entity: &EntitySchema,
) -> impl Iterator<Item = (KeyAttribute, &'static Template)> {
    let native = entity.indexes.iter().filter(|index| index.is_native());
    native.flat_map(|index: &'static EntityIndex| index.keys(table))
}
