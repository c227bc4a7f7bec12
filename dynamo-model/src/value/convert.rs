//! Rust values as [`Value`]s.

use super::{Number, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

macro_rules! from {
    ($($from:ty => |$value:ident| $into:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $into
            }
        }
    )*};
}

from! {
    &str => |text| Self::S(text.to_owned());
    String => |text| Self::S(text);
    Cow<'_, str> => |text| Self::S(text.into_owned());
    char => |character| Self::S(character.into());
    Number => |number| Self::N(number);
    u8 => |number| Self::N(number.into());
    u16 => |number| Self::N(number.into());
    u32 => |number| Self::N(number.into());
    u64 => |number| Self::N(number.into());
    usize => |number| Self::N(number.into());
    i8 => |number| Self::N(number.into());
    i16 => |number| Self::N(number.into());
    i32 => |number| Self::N(number.into());
    i64 => |number| Self::N(number.into());
    isize => |number| Self::N(number.into());
    bool => |value| Self::Bool(value);
    () => |_nothing| Self::Null;
    &[u8] => |bytes| Self::B(bytes.to_vec());
    BTreeSet<String> => |set| Self::Ss(set);
    BTreeSet<Number> => |set| Self::Ns(set);
    BTreeSet<Vec<u8>> => |set| Self::Bs(set);
}

impl<const N: usize> From<&[u8; N]> for Value {
    fn from(bytes: &[u8; N]) -> Self {
        Self::B(bytes.to_vec())
    }
}

/// A list; bytes are a [`Value::B`], made of `&[u8]`.
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Self {
        Self::L(elements.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(elements: [T; N]) -> Self {
        Self::L(elements.into_iter().map(Into::into).collect())
    }
}

/// NULL for `None`.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<K: Into<String>, T: Into<Value>> From<BTreeMap<K, T>> for Value {
    fn from(entries: BTreeMap<K, T>) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Into<String>, T: Into<Value>, S> From<HashMap<K, T, S>> for Value {
    fn from(entries: HashMap<K, T, S>) -> Self {
        entries.into_iter().collect()
    }
}

/// An M of these entries.
impl<K: Into<String>, T: Into<Value>> FromIterator<(K, T)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> Self {
        let entries = entries.into_iter();
        Self::M(
            entries
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }
}
