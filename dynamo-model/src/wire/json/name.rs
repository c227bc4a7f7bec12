//! Names in a written map: text, or values with an unambiguous text.

use super::refused::Refused;
use serde::ser::{Impossible, Serialize, Serializer};

/// Passes the name to the writer.
pub(crate) struct Name<'a>(pub(crate) &'a mut dyn FnMut(&str) -> Result<(), Refused>);

macro_rules! shown {
    ($($method:ident $key:ident)*) => {$(
        fn $method(self, key: $key) -> Result<(), Refused> {
            (self.0)(&key.to_string())
        }
    )*};
}

macro_rules! refused {
    ($($method:ident($($argument:ty),*) $ok:ty;)*) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$ok, Refused> {
            Err(no_name())
        }
    )*};
}

type No = Impossible<(), Refused>;

impl Serializer for Name<'_> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    shown! {
        serialize_bool bool
        serialize_char char
        serialize_i8 i8
        serialize_i16 i16
        serialize_i32 i32
        serialize_i64 i64
        serialize_i128 i128
        serialize_u8 u8
        serialize_u16 u16
        serialize_u32 u32
        serialize_u64 u64
        serialize_u128 u128
    }

    fn serialize_str(self, name: &str) -> Result<(), Refused> {
        (self.0)(name)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Refused> {
        (self.0)(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Refused> {
        Err(no_name())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Refused> {
        Err(no_name())
    }

    refused! {
        serialize_f32(f32) ();
        serialize_f64(f64) ();
        serialize_bytes(&[u8]) ();
        serialize_none() ();
        serialize_unit() ();
        serialize_unit_struct(&'static str) ();
        serialize_seq(Option<usize>) No;
        serialize_tuple(usize) No;
        serialize_tuple_struct(&'static str, usize) No;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) No;
        serialize_map(Option<usize>) No;
        serialize_struct(&'static str, usize) No;
        serialize_struct_variant(&'static str, u32, &'static str, usize) No;
    }
}

#[cold]
fn no_name() -> Refused {
    Refused::new("the names in a map are texts, numbers, booleans, or variants without content")
}
