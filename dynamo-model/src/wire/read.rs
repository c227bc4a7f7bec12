//! Attribute values into Rust types. It takes what `serde_dynamo` takes; it is here because an error must say which
//! type of attribute was expected and which one was found.

use super::map_key::MapKey;
use super::reason::Reason;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};
use std::borrow::Cow;

/// A stored value. Taken apart as it is read, so that no text is copied.
pub(super) struct Value(pub(super) AttributeValue);

impl Value {
    #[cold]
    fn instead_of<T>(&self, expected: &'static str) -> Result<T, Reason> {
        let found = type_name(&self.0);
        Err(Reason::types(expected, found))
    }

    fn is_null(&self) -> bool {
        matches!(self.0, AttributeValue::Null(true))
    }
}

/// As DynamoDB calls it.
fn type_name(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::S(_) => "S",
        AttributeValue::N(_) => "N",
        AttributeValue::B(_) => "B",
        AttributeValue::Bool(_) => "BOOL",
        AttributeValue::Null(_) => "NULL",
        AttributeValue::M(_) => "M",
        AttributeValue::L(_) => "L",
        AttributeValue::Ss(_) => "SS",
        AttributeValue::Ns(_) => "NS",
        AttributeValue::Bs(_) => "BS",
        _ => "an unknown type",
    }
}

impl IntoDeserializer<'_, Reason> for Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A list or set, element by element.
fn elements<T>(
    values: Vec<T>,
    element: fn(T) -> AttributeValue,
) -> SeqDeserializer<impl Iterator<Item = Value>, Reason> {
    SeqDeserializer::new(values.into_iter().map(move |value| Value(element(value))))
}

/// A number to whoever takes any value. A whole number is never rounded: where even 64 bits are too few, it is a
/// float only if that has all of its digits.
pub(super) fn visit_number<'de, V: Visitor<'de>>(
    text: &str,
    visitor: V,
) -> Result<V::Value, Reason> {
    if let Ok(number) = text.parse() {
        return visitor.visit_i64(number);
    }
    if let Ok(number) = text.parse() {
        return visitor.visit_u64(number);
    }
    let whole = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    match text.parse::<f64>() {
        Ok(number) if !whole || number.to_string() == text => visitor.visit_f64(number),
        Ok(_) => match (text.parse(), text.parse()) {
            (Ok(number), _) => visitor.visit_i128(number),
            (_, Ok(number)) => visitor.visit_u128(number),
            _ => Err(Reason::number("a number of at most 128 bits", text)),
        },
        Err(_) => Err(Reason::number("f64", text)),
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $number:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
            match &self.0 {
                AttributeValue::N(text) => match text.parse() {
                    Ok(number) => visitor.$visit(number),
                    Err(_) => Err(Reason::number(stringify!($number), text)),
                },
                _ => self.instead_of("N"),
            }
        }
    )*};
}

/// What does not fit is no float, and not an infinite one.
macro_rules! floats {
    ($($method:ident $visit:ident $number:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
            match &self.0 {
                AttributeValue::N(text) => match text.parse::<$number>() {
                    Ok(number) if number.is_finite() => visitor.$visit(number),
                    _ => Err(Reason::number(stringify!($number), text)),
                },
                _ => self.instead_of("N"),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Value {
    type Error = Reason;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        match &self.0 {
            AttributeValue::S(_) => self.deserialize_string(visitor),
            AttributeValue::N(text) => visit_number(text, visitor),
            AttributeValue::B(_) => self.deserialize_byte_buf(visitor),
            AttributeValue::Bool(_) => self.deserialize_bool(visitor),
            AttributeValue::Null(_) => self.deserialize_unit(visitor),
            AttributeValue::M(_) => self.deserialize_map(visitor),
            _ => self.deserialize_seq(visitor),
        }
    }

    numbers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
    }

    floats! {
        deserialize_f32 visit_f32 f32,
        deserialize_f64 visit_f64 f64,
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        match self.0 {
            AttributeValue::Bool(value) => visitor.visit_bool(value),
            _ => self.instead_of("BOOL"),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        match self.0 {
            AttributeValue::S(text) => visitor.visit_string(text),
            _ => self.instead_of("S"),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        self.deserialize_string(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        self.deserialize_string(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        self.deserialize_string(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        match self.0 {
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes.into_inner()),
            _ => self.instead_of("B"),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        if self.is_null() {
            visitor.visit_unit()
        } else {
            self.instead_of("NULL")
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Reason> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        if self.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Reason> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        match self.0 {
            AttributeValue::L(values) => visitor.visit_seq(elements(values, |value| value)),
            AttributeValue::Ss(texts) => visitor.visit_seq(elements(texts, AttributeValue::S)),
            AttributeValue::Ns(numbers) => visitor.visit_seq(elements(numbers, AttributeValue::N)),
            AttributeValue::Bs(blobs) => visitor.visit_seq(elements(blobs, AttributeValue::B)),
            _ => self.instead_of("L"),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Reason> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Reason> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        match self.0 {
            AttributeValue::M(map) => {
                let entries = map.into_iter();
                let entries = entries.map(|(key, value)| (MapKey(Cow::Owned(key)), Value(value)));
                visitor.visit_map(MapDeserializer::new(entries))
            }
            _ => self.instead_of("M"),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Reason> {
        match self.0 {
            AttributeValue::L(_) => self.deserialize_seq(visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Reason> {
        match self.0 {
            AttributeValue::S(variant) => visitor.visit_enum(variant.into_deserializer()),
            AttributeValue::M(map) => {
                let found = map.len();
                let mut entries = map.into_iter().filter(|_| found == 1);
                match entries.next() {
                    Some((name, content)) => visitor.visit_enum(Variant { name, content }),
                    None => Err(Reason::variants(found)),
                }
            }
            _ => self.instead_of("S or M"),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        visitor.visit_unit()
    }
}

/// `{ "Card": { … } }`
struct Variant {
    name: String,
    content: AttributeValue,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Reason;
    type Variant = Value;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Value), Reason> {
        let name = IntoDeserializer::<Reason>::into_deserializer(self.name);
        let variant = seed.deserialize(name)?;
        Ok((variant, Value(self.content)))
    }
}

impl<'de> VariantAccess<'de> for Value {
    type Error = Reason;

    fn unit_variant(self) -> Result<(), Reason> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Reason> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Reason> {
        self.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Reason> {
        self.deserialize_map(visitor)
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
