//! A value of an update or a condition, as an attribute. Most are one text, number or boolean,
//! which becomes the attribute at once; anything else is written as JSON and read from it.

use super::refused::Refused;
use super::write::{Elements, Entries, Nulls, Value, Writer};
use crate::value::serde::MARK;
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt::Display;
use serde::ser::{Serialize, Serializer};

/// Writes one value.
#[doc(hidden)]
#[derive(Debug)]
pub struct Operand<'a> {
    /// The value, if it is a text, a number or a boolean.
    scalar: &'a mut Option<AttributeValue>,
    /// The writer of all other values.
    writer: &'a mut Writer,
}

/// Returns the value that a serde function writes, as an attribute.
pub(crate) fn operand(
    write: impl FnOnce(Operand<'_>) -> Result<(), Refused>,
) -> Result<AttributeValue, Refused> {
    let (mut scalar, mut writer) = (None, Writer::default());
    writer.nulls = Nulls::Undecided;
    write(Operand {
        scalar: &mut scalar,
        writer: &mut writer,
    })?;
    match scalar {
        Some(scalar) => Ok(scalar),
        None => writer.into_attribute(),
    }
}

macro_rules! integers {
    ($($method:ident $integer:ident)*) => {$(
        fn $method(self, value: $integer) -> Result<(), Refused> {
            let number = itoa::Buffer::new().format(value).to_owned();
            *self.scalar = Some(AttributeValue::N(number));
            Ok(())
        }
    )*};
}

impl<'a> Serializer for Operand<'a> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Elements<'a>;
    type SerializeTuple = Elements<'a>;
    type SerializeTupleStruct = Elements<'a>;
    type SerializeTupleVariant = Elements<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Entries<'a>;
    type SerializeStructVariant = Entries<'a>;

    integers! {
        serialize_i8 i8
        serialize_i16 i16
        serialize_i32 i32
        serialize_i64 i64
        serialize_u8 u8
        serialize_u16 u16
        serialize_u32 u32
        serialize_u64 u64
    }

    fn serialize_i128(self, value: i128) -> Result<(), Refused> {
        Value(self.writer).serialize_i128(value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), Refused> {
        Value(self.writer).serialize_u128(value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Refused> {
        Value(self.writer).serialize_f32(value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Refused> {
        Value(self.writer).serialize_f64(value)
    }

    fn serialize_bool(self, value: bool) -> Result<(), Refused> {
        *self.scalar = Some(AttributeValue::Bool(value));
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Refused> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Refused> {
        *self.scalar = Some(AttributeValue::S(value.to_owned()));
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Refused> {
        *self.scalar = Some(AttributeValue::S(value.to_string()));
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Refused> {
        Value(self.writer).serialize_bytes(value)
    }

    fn serialize_none(self) -> Result<(), Refused> {
        Value(self.writer).serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Refused> {
        Value(self.writer).serialize_unit()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<(), Refused> {
        Value(self.writer).serialize_unit_struct(name)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Refused> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        if name.starts_with(MARK) {
            return Value(self.writer).serialize_newtype_struct(name, value);
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        Value(self.writer).serialize_newtype_variant(name, index, variant, value)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements<'a>, Refused> {
        Value(self.writer).serialize_seq(length)
    }

    fn serialize_tuple(self, length: usize) -> Result<Elements<'a>, Refused> {
        Value(self.writer).serialize_tuple(length)
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        length: usize,
    ) -> Result<Elements<'a>, Refused> {
        Value(self.writer).serialize_tuple_struct(name, length)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Elements<'a>, Refused> {
        Value(self.writer).serialize_tuple_variant(name, index, variant, length)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries<'a>, Refused> {
        Value(self.writer).serialize_map(length)
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Entries<'a>, Refused> {
        Value(self.writer).serialize_struct(name, length)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Entries<'a>, Refused> {
        Value(self.writer).serialize_struct_variant(name, index, variant, length)
    }
}
