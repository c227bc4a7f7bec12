//! The primary key of a read or written item.

use super::{Attributes, Item, key_map};
use crate::key::{Key, KeyValue, RawKey};
use crate::schema::TableSchema;
use core::fmt;
use core::hash::{Hash, Hasher};
use std::sync::Arc;

/// The primary key of an item; shared by the request and its error context.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ItemKey(Arc<RawKey>);

impl ItemKey {
    pub(crate) fn new(pk: KeyValue, sk: Option<KeyValue>) -> Self {
        Self(Arc::new(RawKey { pk, sk }))
    }

    /// Returns the key of an item of this table, or of a part of one.
    pub(crate) fn of(table: &TableSchema, item: &impl Attributes) -> Option<Self> {
        let sk = table.sk.map(|sk| item.key_value(sk.name));
        let pk = item.key_value(table.pk.name)?;
        match sk {
            Some(sk) => Some(Self::new(pk, Some(sk?))),
            None => Some(Self::new(pk, None)),
        }
    }

    /// The same, typed.
    pub(crate) fn into_key<E>(self) -> Key<E> {
        Key::new(self.pk().clone(), self.sk().cloned())
    }

    pub(crate) fn pk(&self) -> &KeyValue {
        &self.0.pk
    }

    pub(crate) fn sk(&self) -> Option<&KeyValue> {
        self.0.sk.as_ref()
    }

    /// Converts the key for the SDK.
    pub(crate) fn to_item(&self, table: &TableSchema) -> Item {
        key_map(table, self.pk().clone(), self.sk().cloned())
    }
}

impl Hash for ItemKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.pk().as_ref(), self.sk().map(KeyValue::as_ref)).hash(state);
    }
}

impl<E> From<Key<E>> for ItemKey {
    fn from(key: Key<E>) -> Self {
        key.into_raw().into()
    }
}

impl From<RawKey> for ItemKey {
    fn from(key: RawKey) -> Self {
        Self(Arc::new(key))
    }
}

/// `USER#u1/PROFILE`.
impl fmt::Display for ItemKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Hidden, because it may contain a sensitive field.
impl fmt::Debug for ItemKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemKey").finish_non_exhaustive()
    }
}
