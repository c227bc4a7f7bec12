//! Fields that are set at creation only: a write of the whole item, or an upsert, must find the
//! value that it stores, or no item.

use super::failure::Unchanged;
use crate::error::ErrorKind;
use crate::expr::{Condition, Path};
use crate::request::shown_value;
use crate::schema::{AttributeSchema, EntitySchema, TableSchema};
use crate::wire::{Attributes, Item, RawItem};
use aws_sdk_dynamodb::types::AttributeValue;

/// The new value of an immutable field, under the field's name and its old names.
#[derive(Debug, Clone)]
pub(crate) struct Immutable {
    value: Unchanged,
    old: Vec<Unchanged>,
}

impl Immutable {
    pub(super) fn new(
        table: &TableSchema,
        entity: &EntitySchema,
        attribute: &AttributeSchema,
        value: Option<AttributeValue>,
    ) -> Self {
        let value = value.filter(|value| !value.is_null());
        let under = |name: &str| Unchanged {
            attribute: name.to_owned(),
            value: value.clone(),
            hidden: attribute.sensitive,
            counts: false,
        };
        let old = entity.old_names(table, attribute.name).into_iter();
        Self {
            old: old.map(under).collect(),
            value: under(attribute.name),
        }
    }

    /// Returns those of an item.
    pub(super) fn of_item(table: &TableSchema, entity: &EntitySchema, item: &RawItem) -> Vec<Self> {
        let immutable = entity.attributes.iter().filter(|it| it.immutable);
        let of = |it: &AttributeSchema| {
            let value = item.attribute(it.name);
            Self::new(table, entity, it, value.map(|value| value.into_owned()))
        };
        immutable.map(of).collect()
    }

    /// True if the item has the value, under one of the names. An item without the value has it
    /// under none of them.
    fn condition(&self) -> Condition {
        let old = self.old.iter().map(Unchanged::condition);
        old.fold(self.value.condition(), |all, old| match self.value.value {
            Some(_) => all | old,
            None => all & old,
        })
    }

    fn holds(&self, item: &Item) -> bool {
        let mut all = core::iter::once(&self.value).chain(&self.old);
        match self.value.value {
            Some(_) => all.any(|it| it.holds(item)),
            None => all.all(|it| it.holds(item)),
        }
    }

    /// Returns the error kind for an item with another value.
    pub(super) fn mismatch(&self, item: &Item) -> Option<ErrorKind> {
        if self.holds(item) {
            return None;
        }
        let shown = |value: Option<&AttributeValue>| {
            let value = value.filter(|value| !value.is_null() && !self.value.hidden);
            value.map(|value| shown_value(value).into())
        };
        let mut names = core::iter::once(&self.value).chain(&self.old);
        let stored = names.find_map(|it| item.get(&it.attribute));
        Some(ErrorKind::Immutable {
            attribute: self.value.attribute.clone(),
            stored: shown(stored),
            given: shown(self.value.value.as_ref()),
        })
    }
}

/// True if the item is missing, or has all of these values.
pub(super) fn condition(table: &TableSchema, immutable: &[Immutable]) -> Option<Condition> {
    let all = immutable.iter().map(Immutable::condition);
    let all = all.reduce(|all, next| all & next)?;
    Some(Path::<String>::attribute(table.pk.name).not_exists() | all)
}
