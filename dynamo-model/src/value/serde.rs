//! [`Value`] and [`Number`] through serde.
//!
//! Our codec recognises them by names that Rust types cannot have, as `serde_dynamo` does with
//! sets: it stores a newtype [`NUMBER`] of a text as N, a newtype [`BINARY`] of base64 as B, and
//! the content of a variant of the enum [`VALUE`] directly. Any other format sees a text, base64,
//! and an enum with a variant for each type.

use super::{Number, Value};
use ::serde::de::{self, Deserialize, Deserializer, EnumAccess, VariantAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};
use aws_smithy_types::base64;
use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The names begin with this character, which no Rust name has.
pub(crate) const MARK: char = '\u{37E}';
pub(crate) const STRING_SET: &str = "\u{37E}STRINGSET\u{37E}";
pub(crate) const NUMBER_SET: &str = "\u{37E}NUMBERSET\u{37E}";
pub(crate) const BINARY_SET: &str = "\u{37E}BYTESSET\u{37E}";
pub(crate) const NUMBER: &str = "\u{37E}NUMBER\u{37E}";
pub(crate) const BINARY: &str = "\u{37E}BINARY\u{37E}";
pub(crate) const VALUE: &str = "\u{37E}VALUE\u{37E}";

pub(crate) const TYPES: &[&str] = &["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NUMBER, self.as_str())
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NUMBER, NumberVisitor)
    }
}

/// Takes a text, or a number of a format that has numbers.
struct NumberVisitor;

macro_rules! visit_integers {
    ($($method:ident $integer:ident)*) => {$(
        fn $method<E: de::Error>(self, integer: $integer) -> Result<Number, E> {
            Number::try_from(integer.to_string()).map_err(E::custom)
        }
    )*};
}

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or the text of one")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Number, D::Error> {
        match inner.is_human_readable() {
            true => inner.deserialize_any(self),
            false => inner.deserialize_str(self),
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
        text.parse().map_err(|error| invalid(text, error))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Number, E> {
        let number = Number::try_from(text.as_str());
        number.map_err(|error| invalid(&text, error))
    }

    visit_integers! {
        visit_i64 i64
        visit_u64 u64
        visit_i128 i128
        visit_u128 u128
    }

    /// Accepts a float of up to 15 digits. A longer one may be a number that the format rounded.
    fn visit_f64<E: de::Error>(self, float: f64) -> Result<Number, E> {
        let number = Number::try_from(float).map_err(E::custom)?;
        if number.digits().len() > 15 {
            return Err(E::custom(format_args!(
                "{number} has more digits than a float keeps; give the number as a text"
            )));
        }
        Ok(number)
    }
}

#[cold]
fn invalid<E: de::Error>(text: &str, error: impl fmt::Display) -> E {
    E::custom(format_args!("`{text}`: {error}"))
}

/// Bytes: base64 where people read it.
struct Bytes<'a>(Cow<'a, [u8]>);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.serialize_newtype_struct(BINARY, &base64::encode(&self.0)),
            false => serializer.serialize_bytes(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_newtype_struct(BINARY, BytesVisitor(PhantomData)),
            false => deserializer.deserialize_byte_buf(BytesVisitor(PhantomData)),
        }
    }
}

struct BytesVisitor<'a>(PhantomData<Bytes<'a>>);

impl<'de, 'a> Visitor<'de> for BytesVisitor<'a> {
    type Value = Bytes<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, or base64")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Bytes<'a>, D::Error> {
        inner.deserialize_str(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes<'a>, E> {
        let bytes = base64::decode(text);
        let bytes = bytes.map_err(|_| E::custom("the binary value is not base64"))?;
        Ok(Bytes(Cow::Owned(bytes)))
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Bytes<'a>, E> {
        Ok(Bytes(Cow::Owned(bytes)))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes<'a>, E> {
        self.visit_byte_buf(bytes.to_vec())
    }
}

/// A sequence that our codec stores as a set.
struct Set<I>(&'static str, I);

impl<T: Serialize, I: Iterator<Item = T> + Clone> Serialize for Set<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(name, elements) = self;
        serializer.serialize_newtype_struct(name, &Sequence(elements.clone()))
    }
}

struct Sequence<I>(I);

impl<T: Serialize, I: Iterator<Item = T> + Clone> Serialize for Sequence<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (name, bytes) = (self.type_name(), |bytes| Bytes(Cow::Borrowed(bytes)));
        match self {
            Self::S(text) => serializer.serialize_newtype_variant(VALUE, 0, name, text),
            Self::N(number) => serializer.serialize_newtype_variant(VALUE, 1, name, number),
            Self::B(all) => serializer.serialize_newtype_variant(VALUE, 2, name, &bytes(all)),
            Self::Bool(value) => serializer.serialize_newtype_variant(VALUE, 3, name, value),
            Self::Null => serializer.serialize_newtype_variant(VALUE, 4, name, &true),
            Self::M(entries) => serializer.serialize_newtype_variant(VALUE, 5, name, entries),
            Self::L(elements) => serializer.serialize_newtype_variant(VALUE, 6, name, elements),
            Self::Ss(set) => {
                let set = Set(STRING_SET, set.iter());
                serializer.serialize_newtype_variant(VALUE, 7, name, &set)
            }
            Self::Ns(set) => {
                let set = Set(NUMBER_SET, set.iter());
                serializer.serialize_newtype_variant(VALUE, 8, name, &set)
            }
            Self::Bs(set) => {
                let set = Set(BINARY_SET, set.iter().map(|it| bytes(it)));
                serializer.serialize_newtype_variant(VALUE, 9, name, &set)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum(VALUE, TYPES, ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with its DynamoDB type, such as {\"S\":\"text\"}")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        let (Type(name), content) = access.variant()?;
        Ok(match name {
            "S" => Value::S(content.newtype_variant()?),
            "N" => Value::N(content.newtype_variant()?),
            "B" => Value::B(content.newtype_variant::<Bytes<'_>>()?.0.into_owned()),
            "BOOL" => Value::Bool(content.newtype_variant()?),
            "M" => Value::M(content.newtype_variant::<BTreeMap<_, _>>()?),
            "L" => Value::L(content.newtype_variant()?),
            "SS" => Value::Ss(content.newtype_variant()?),
            "NS" => Value::Ns(content.newtype_variant()?),
            "BS" => {
                let set: Vec<Bytes<'_>> = content.newtype_variant()?;
                let set = set.into_iter().map(|bytes| bytes.0.into_owned());
                Value::Bs(set.collect::<BTreeSet<_>>())
            }
            _ => match content.newtype_variant::<bool>()? {
                true => Value::Null,
                false => return Err(de::Error::custom("NULL is always true")),
            },
        })
    }
}

/// The name of a DynamoDB type, or its position among them.
struct Type(&'static str);

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(TypeVisitor)
    }
}

struct TypeVisitor;

impl Visitor<'_> for TypeVisitor {
    type Value = Type;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a DynamoDB type")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Type, E> {
        let known = TYPES.iter().find(|known| **known == name);
        known
            .map(|known| Type(known))
            .ok_or_else(|| E::unknown_variant(name, TYPES))
    }

    fn visit_u64<E: de::Error>(self, position: u64) -> Result<Type, E> {
        let known = usize::try_from(position).ok().and_then(|at| TYPES.get(at));
        let unexpected = de::Unexpected::Unsigned(position);
        known
            .map(|known| Type(known))
            .ok_or_else(|| E::invalid_value(unexpected, &"a position below 10"))
    }
}
