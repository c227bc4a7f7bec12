//! One half of a key, typed by its entity.

use super::value::{Key, KeyRef, KeyValue};
use crate::entity::Entity;
use crate::index::Primary;
use core::fmt;
use core::marker::PhantomData;

/// The partition key of entity `E`: in the table, or, with another `I`, in an index.
///
/// Made by the `partition_key` of an entity and of each of its indexes; a
/// [`Collection`](crate::read::Collection) takes either.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::key::PartitionKey;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// let partition: PartitionKey<Order> = Order::partition_key("u1")?;
/// assert_eq!(partition, "USER#u1");
/// assert_eq!(partition, Order::key("u1", 42)?.partition_key());
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
pub struct PartitionKey<E, I = Primary> {
    value: KeyValue,
    of: PhantomData<fn() -> (E, I)>,
}

impl<E, I> PartitionKey<E, I> {
    #[inline]
    pub(super) fn new(value: KeyValue) -> Self {
        Self {
            value,
            of: PhantomData,
        }
    }

    /// Returns the value, for code that serves any entity.
    #[must_use]
    pub fn value(&self) -> &KeyValue {
        &self.value
    }

    /// Returns the value.
    #[must_use]
    pub fn into_value(self) -> KeyValue {
        self.value
    }

    /// Returns the text of a string, or the digits of a number.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.value.as_str()
    }
}

impl<E, I> Key<E, I> {
    /// Returns the partition of the item.
    #[must_use]
    pub fn partition_key(&self) -> PartitionKey<E, I> {
        PartitionKey::new(self.pk().clone())
    }
}

// A derived impl would require the same of `E` and `I`, which are only markers.
impl<E, I> Clone for PartitionKey<E, I> {
    fn clone(&self) -> Self {
        Self::new(self.value.clone())
    }
}

impl<E, I> PartialEq for PartitionKey<E, I> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<E, I> Eq for PartitionKey<E, I> {}

impl<E, I> core::hash::Hash for PartitionKey<E, I> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl<E, I> PartialEq<str> for PartitionKey<E, I> {
    fn eq(&self, other: &str) -> bool {
        self.value == *other
    }
}

impl<E, I> PartialEq<&str> for PartitionKey<E, I> {
    fn eq(&self, other: &&str) -> bool {
        self.value == *other
    }
}

impl<E, I> fmt::Display for PartitionKey<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// `PartitionKey<User>(USER#u1)`, or the template if a sensitive field is in the key.
impl<E: Entity, I> fmt::Debug for PartitionKey<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = E::SCHEMA;
        match schema.hidden_key() {
            Some(template) => write!(f, "PartitionKey<{}>({template})", schema.entity),
            None => write!(f, "PartitionKey<{}>({self})", schema.entity),
        }
    }
}

impl<E, I> From<PartitionKey<E, I>> for KeyValue {
    #[inline]
    fn from(key: PartitionKey<E, I>) -> Self {
        key.value
    }
}

impl<'a, E, I> From<&'a PartitionKey<E, I>> for KeyRef<'a> {
    fn from(key: &'a PartitionKey<E, I>) -> Self {
        key.value.as_ref()
    }
}
