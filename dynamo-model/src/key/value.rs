//! Finished keys.

use crate::entity::{Entity, IndexedBy, Items};
use crate::error::KeyError;
use crate::index::{IndexMarker, Primary};
use crate::membership::AnyOf;
use crate::schema::KeyType;
use crate::value::digits::Digits;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

/// The key of one item of entity `E`: in the table, or, with another `I`, in an index.
///
/// Made by the builders that `#[derive(DynamoEntity)]` generates, and read back by
/// [`parse`](Self::parse).
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Key};
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
/// let key: Key<Order> = Order::key("u1", 42)?;
/// assert_eq!(key.to_string(), "USER#u1/ORDER#000042");
/// assert_eq!(key.parse()?.number, 42);
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
pub struct Key<E, I = Primary> {
    raw: RawKey,
    of: PhantomData<fn() -> (E, I)>,
}

/// A key of any entity: code that uses it is compiled once instead of for each entity.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RawKey {
    pub(crate) pk: KeyValue,
    pub(crate) sk: Option<KeyValue>,
}

/// `USER#u1/PROFILE`
impl fmt::Display for RawKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sk {
            Some(sk) => write!(f, "{}/{sk}", self.pk),
            None => self.pk.fmt(f),
        }
    }
}

impl<E, I> Key<E, I> {
    /// For generated code.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn new(pk: KeyValue, sk: Option<KeyValue>) -> Self {
        Self {
            raw: RawKey { pk, sk },
            of: PhantomData,
        }
    }

    #[cfg(feature = "client")]
    pub(crate) fn into_raw(self) -> RawKey {
        self.raw
    }

    /// Returns the partition key.
    #[must_use]
    pub fn pk(&self) -> &KeyValue {
        &self.raw.pk
    }

    /// Returns the sort key, if there is one.
    #[must_use]
    pub fn sk(&self) -> Option<&KeyValue> {
        self.raw.sk.as_ref()
    }

    /// Returns both halves.
    #[must_use]
    pub fn into_parts(self) -> (KeyValue, Option<KeyValue>) {
        (self.raw.pk, self.raw.sk)
    }
}

impl<E: IndexedBy<I>, I: IndexMarker> Key<E, I> {
    /// Returns the fields that made this key.
    pub fn parse(&self) -> Result<E::Parts, KeyError> {
        E::parse(
            self.raw.pk.as_ref(),
            self.raw.sk.as_ref().map(KeyValue::as_ref),
        )
    }
}

// A derived impl would require the same of `E` and `I`, which are only markers.
impl<E, I> Clone for Key<E, I> {
    fn clone(&self) -> Self {
        Self {
            raw: self.raw.clone(),
            of: PhantomData,
        }
    }
}

impl<E, I> PartialEq for Key<E, I> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<E, I> Eq for Key<E, I> {}

impl<E, I> core::hash::Hash for Key<E, I> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

/// `USER#u1/PROFILE`
impl<E, I> fmt::Display for Key<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.raw.fmt(f)
    }
}

/// `Key<User>(USER#u1/PROFILE)`, or the templates if a sensitive field is in them.
impl<E: Entity, I> fmt::Debug for Key<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match E::SCHEMA.hidden_key() {
            Some(template) => write!(f, "Key<{}>({template})", E::SCHEMA.entity),
            None => write!(f, "Key<{}>({self})", E::SCHEMA.entity),
        }
    }
}

/// The same, of an items enum.
impl<T: Items, I> fmt::Debug for Key<AnyOf<T>, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match T::ENTITIES.iter().find_map(|entity| entity.hidden_key()) {
            Some(template) => write!(f, "Key<{}>({template})", T::NAME),
            None => write!(f, "Key<{}>({self})", T::NAME),
        }
    }
}

/// The value of a key attribute. Numbers are equal by value, as they are to DynamoDB: `1.50` is
/// `1.5`.
///
/// ```
/// use dynamo_model::key::KeyValue;
///
/// assert_eq!(KeyValue::S("USER#u1".into()).to_string(), "USER#u1");
/// assert_eq!(KeyValue::B(vec![1, 0xff]).to_string(), "01ff");
/// assert_eq!(KeyValue::N("7".into()).as_str(), Some("7"));
/// ```
#[derive(Debug, Clone)]
pub enum KeyValue {
    /// A string.
    S(String),
    /// A number, in decimal.
    N(String),
    /// Bytes.
    B(Vec<u8>),
}

impl KeyValue {
    /// Returns the text of a string, or the digits of a number.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            KeyValue::S(text) | KeyValue::N(text) => Some(text),
            KeyValue::B(_) => None,
        }
    }

    /// Returns the same value, borrowed.
    #[must_use]
    pub fn as_ref(&self) -> KeyRef<'_> {
        match self {
            KeyValue::S(text) => KeyRef::S(text),
            KeyValue::N(number) => KeyRef::N(number),
            KeyValue::B(bytes) => KeyRef::B(bytes),
        }
    }
}

/// Shows text unchanged, bytes in hex.
impl fmt::Display for KeyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyValue::S(text) | KeyValue::N(text) => f.write_str(text),
            KeyValue::B(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

impl PartialEq<str> for KeyValue {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<&str> for KeyValue {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == Some(other)
    }
}

/// The value of a key attribute, borrowed; a `&str` becomes one of type S.
///
/// ```
/// use dynamo_model::key::KeyRef;
/// use dynamo_model::schema::KeyType;
///
/// assert_eq!(KeyRef::from("USER#u1"), KeyRef::S("USER#u1"));
/// assert_eq!(KeyRef::N("1").key_type(), KeyType::N);
/// ```
#[derive(Debug, Clone, Copy)]
pub enum KeyRef<'a> {
    /// A string.
    S(&'a str),
    /// A number, in decimal.
    N(&'a str),
    /// Bytes.
    B(&'a [u8]),
}

impl KeyRef<'_> {
    fn text(&self) -> &str {
        match self {
            KeyRef::S(text) | KeyRef::N(text) => text,
            KeyRef::B(_) => "",
        }
    }

    fn rank(self) -> u8 {
        match self {
            KeyRef::S(_) => 0,
            KeyRef::N(_) => 1,
            KeyRef::B(_) => 2,
        }
    }

    /// Returns its length in bytes; for a number, the number of its digits.
    pub(crate) fn len(self) -> usize {
        match self {
            KeyRef::S(text) | KeyRef::N(text) => text.len(),
            KeyRef::B(bytes) => bytes.len(),
        }
    }

    /// Returns the same value, owned.
    #[cfg(feature = "client")]
    pub(crate) fn to_value(self) -> KeyValue {
        match self {
            KeyRef::S(text) => KeyValue::S(text.to_owned()),
            KeyRef::N(number) => KeyValue::N(number.to_owned()),
            KeyRef::B(bytes) => KeyValue::B(bytes.to_owned()),
        }
    }

    /// Returns its DynamoDB type.
    #[must_use]
    pub fn key_type(self) -> KeyType {
        match self {
            KeyRef::S(_) => KeyType::S,
            KeyRef::N(_) => KeyType::N,
            KeyRef::B(_) => KeyType::B,
        }
    }
}

impl PartialEq for KeyRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for KeyRef<'_> {}

impl PartialOrd for KeyRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Numbers by value; those that DynamoDB cannot have by their text.
impl Ord for KeyRef<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (KeyRef::S(a), KeyRef::S(b)) => a.cmp(b),
            (KeyRef::B(a), KeyRef::B(b)) => a.cmp(b),
            (KeyRef::N(a), KeyRef::N(b)) if a == b => Ordering::Equal,
            (KeyRef::N(a), KeyRef::N(b)) => match (Digits::of(a), Digits::of(b)) {
                (Some(a), Some(b)) => a.compare(&b),
                (a, b) => a
                    .is_some()
                    .cmp(&b.is_some())
                    .then(self.text().cmp(other.text())),
            },
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

impl Hash for KeyRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            KeyRef::S(text) => text.hash(state),
            KeyRef::B(bytes) => bytes.hash(state),
            KeyRef::N(number) => match Digits::of(number) {
                Some(digits) => digits.hash(state),
                None => number.hash(state),
            },
        }
    }
}

impl PartialEq for KeyValue {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl Eq for KeyValue {}

impl PartialOrd for KeyValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for KeyValue {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_ref().cmp(&other.as_ref())
    }
}

impl Hash for KeyValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_ref().hash(state);
    }
}

impl<'a> From<&'a str> for KeyRef<'a> {
    fn from(text: &'a str) -> Self {
        KeyRef::S(text)
    }
}

impl<'a> From<&'a String> for KeyRef<'a> {
    fn from(text: &'a String) -> Self {
        KeyRef::S(text)
    }
}

impl<'a> From<&'a KeyValue> for KeyRef<'a> {
    fn from(value: &'a KeyValue) -> Self {
        value.as_ref()
    }
}
