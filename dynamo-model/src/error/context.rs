//! The context of an error: operation, entity, table and key. Most calls succeed, so the key is
//! formatted only for an error.

use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::key::KeyValue;
use crate::schema::{EntitySchema, TableSchema};
use crate::wire::ItemKey;
use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

/// The operation of a call, and its entity, table and key.
#[derive(Debug, Clone, Default)]
pub(crate) struct ErrorContext {
    /// `get`, `query` …
    pub(crate) operation: &'static str,
    /// The name of the Rust type.
    pub(crate) entity: &'static str,
    /// The deployed name.
    pub(crate) table: Cow<'static, str>,
    /// Where one item or partition is meant.
    pub(crate) key: Option<ContextKey>,
}

/// The key of an error context.
#[derive(Clone)]
pub(crate) enum ContextKey {
    /// `USER#u1/PROFILE`.
    Text(Arc<str>),
    /// The same, not yet formatted.
    Item(ItemKey),
    /// `USER#u1`, not yet formatted.
    Partition(Arc<KeyValue>),
}

impl ErrorContext {
    /// Returns the place of an operation on an entity, and on one item of it if there is a key. A
    /// sensitive key is not shown.
    pub(crate) fn of<E: Entity>(
        db: &Dynamo,
        operation: &'static str,
        key: Option<ContextKey>,
    ) -> Self {
        let schemas = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
        Self::new(db, operation, schemas, key)
    }

    pub(crate) fn new(
        db: &Dynamo,
        operation: &'static str,
        (table, entity): (&TableSchema, &'static EntitySchema),
        key: Option<ContextKey>,
    ) -> Self {
        let context = Self {
            operation,
            entity: entity.entity,
            table: db.deployed_name(table),
            key: None,
        };
        match key {
            Some(key) => context.at(entity, key),
            None => context,
        }
    }

    /// Returns the same place with the key of an item.
    pub(crate) fn at(self, entity: &EntitySchema, key: ContextKey) -> Self {
        let hidden = entity.hidden_key().map(ContextKey::from);
        Self {
            key: Some(hidden.unwrap_or(key)),
            ..self
        }
    }

    /// Returns the context without the key, for an error of the whole call.
    pub(crate) fn whole(&self) -> Self {
        Self {
            key: None,
            ..self.clone()
        }
    }

    /// Returns the key as text.
    pub(crate) fn key_text(&self) -> Option<Cow<'_, str>> {
        self.key.as_ref().map(|key| match key {
            ContextKey::Text(text) => Cow::Borrowed(&**text),
            key => Cow::Owned(key.to_string()),
        })
    }

    /// Returns the key if it is already text.
    pub(crate) fn words(&self) -> Option<&str> {
        match &self.key {
            Some(ContextKey::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Formats the key, so that it can be borrowed as text.
    pub(crate) fn in_words(mut self) -> Self {
        self.key = self.key.map(|key| match key {
            ContextKey::Text(_) => key,
            _ => key.to_string().into(),
        });
        self
    }
}

impl fmt::Display for ErrorContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation, self.entity)?;
        match self.key_text() {
            Some(key) => write!(f, " {key}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ContextKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Item(key) => fmt::Display::fmt(key, f),
            Self::Partition(pk) => fmt::Display::fmt(pk, f),
        }
    }
}

impl fmt::Debug for ContextKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

impl From<String> for ContextKey {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

/// A partition.
impl From<Arc<KeyValue>> for ContextKey {
    fn from(pk: Arc<KeyValue>) -> Self {
        Self::Partition(pk)
    }
}

impl From<&ItemKey> for ContextKey {
    fn from(key: &ItemKey) -> Self {
        Self::Item(key.clone())
    }
}
