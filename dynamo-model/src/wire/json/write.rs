//! Rust types into DynamoDB JSON, with no attribute map between. It writes what `serde_dynamo` writes.
//!
//! Whatever cannot be written, or DynamoDB would refuse, ends with [`Refused`]: the slower way over a map finds
//! out what it is, and says where.

use super::attribute;
use super::name::Name;
use super::text::push_quoted;
use crate::key::KeyRef;
use crate::wire::limits;
use core::fmt::{self, Display, Write as _};
use serde::ser::{self, Serialize, Serializer};

/// The value cannot be written, or not so.
#[derive(Debug)]
pub(crate) struct Refused;

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be written")
    }
}

impl std::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// The names by which `serde_dynamo` knows sets begin with this; those of Rust types cannot.
const SET: char = '\u{37E}';

/// What was written so far.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) out: Vec<u8>,
    /// How much of an item it is, as DynamoDB counts.
    pub(crate) size: usize,
    depth: usize,
}

impl Writer {
    /// A value, in its braces.
    pub(crate) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(Value(self))
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.size += text.len();
        self.out.extend_from_slice(b"{\"S\":");
        push_quoted(text, &mut self.out);
        self.out.push(b'}');
    }

    /// A number, of which the text is known to be one.
    fn number(&mut self, number: impl Display) -> Result<(), Refused> {
        self.out.extend_from_slice(b"{\"N\":\"");
        let start = self.out.len();
        write!(Text(&mut self.out), "{number}").map_err(|_| Refused)?;
        let text = core::str::from_utf8(&self.out[start..]).map_err(|_| Refused)?;
        self.size += limits::number_size(text).map_err(|_| Refused)?;
        self.out.extend_from_slice(b"\"}");
        Ok(())
    }

    fn integer(&mut self, integer: impl itoa::Integer) {
        let mut buffer = itoa::Buffer::new();
        let text = buffer.format(integer);
        self.size += limits::integer_size(text);
        self.out.extend_from_slice(b"{\"N\":\"");
        self.out.extend_from_slice(text.as_bytes());
        self.out.extend_from_slice(b"\"}");
    }

    /// A key. Numbers in keys are whole, or were checked when they were made.
    pub(crate) fn key(&mut self, value: KeyRef<'_>) {
        self.size += match value {
            KeyRef::N(number) => limits::number_size(number).unwrap_or(number.len()),
            text_or_bytes => text_or_bytes.len(),
        };
        attribute::push_key(value, &mut self.out);
    }

    /// A value that the SDK has.
    pub(crate) fn attribute(
        &mut self,
        value: &aws_sdk_dynamodb::types::AttributeValue,
    ) -> Result<(), Refused> {
        self.size += limits::size(value, self.depth).map_err(|_| Refused)?;
        attribute::push_value(value, &mut self.out);
        Ok(())
    }

    /// `{"M":{` or `{"L":[`.
    fn begin(&mut self, open: &[u8]) -> Result<(), Refused> {
        if self.depth == limits::MAX_DEPTH + 1 {
            return Err(Refused);
        }
        self.depth += 1;
        self.size += limits::COLLECTION;
        self.out.extend_from_slice(open);
        Ok(())
    }

    fn end(&mut self, close: &[u8]) {
        self.depth -= 1;
        self.out.extend_from_slice(close);
    }

    /// The comma before all elements but the first.
    #[inline]
    fn comma(&mut self, first: &mut bool) {
        if !core::mem::take(first) {
            self.out.push(b',');
        }
    }

    /// A name in a map, and the colon after it.
    #[inline]
    pub(crate) fn name(&mut self, name: &str, first: &mut bool) {
        self.comma(first);
        self.size += name.len();
        push_quoted(name, &mut self.out);
        self.out.push(b':');
    }
}

/// Appends text to bytes.
struct Text<'a>(&'a mut Vec<u8>);

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Writes one value.
struct Value<'a>(&'a mut Writer);

macro_rules! integers {
    ($($method:ident $integer:ident)*) => {$(
        fn $method(self, value: $integer) -> Result<(), Refused> {
            self.0.integer(value);
            Ok(())
        }
    )*};
}

impl<'a> Serializer for Value<'a> {
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
        self.0.number(value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), Refused> {
        self.0.number(value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Refused> {
        self.0.number(value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Refused> {
        self.0.number(value)
    }

    fn serialize_bool(self, value: bool) -> Result<(), Refused> {
        self.0.size += 1;
        self.0.out.extend_from_slice(match value {
            true => b"{\"BOOL\":true}",
            false => b"{\"BOOL\":false}",
        });
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Refused> {
        self.0.text(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Refused> {
        self.0.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Refused> {
        self.0.size += value.len();
        self.0.out.extend_from_slice(b"{\"B\":");
        attribute::push_bytes(value, &mut self.0.out);
        self.0.out.push(b'}');
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Refused> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Refused> {
        self.0.size += 1;
        self.0.out.extend_from_slice(b"{\"NULL\":true}");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Refused> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Refused> {
        self.0.text(variant);
        Ok(())
    }

    /// Sets are newtypes with names that only `serde_dynamo` knows; it writes them.
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        if !name.starts_with(SET) {
            return value.serialize(self);
        }
        let set = serde_dynamo::Serializer.serialize_newtype_struct(name, value);
        self.0.attribute(&set.map_err(|_| Refused)?.into())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        let mut entries = Entries::new(self.0, 0)?;
        entries.entry(variant, value)?;
        entries.finish()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<'a>, Refused> {
        Elements::new(self.0, 0)
    }

    fn serialize_tuple(self, _: usize) -> Result<Elements<'a>, Refused> {
        Elements::new(self.0, 0)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Elements<'a>, Refused> {
        Elements::new(self.0, 0)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Elements<'a>, Refused> {
        let outer = open_variant(self.0, variant)?;
        Elements::new(outer, 1)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries<'a>, Refused> {
        let mut entries = Entries::new(self.0, 0)?;
        // Only who does not know how many there are, as what is flattened, may name one twice.
        entries.names = length.is_none().then(Vec::new);
        Ok(entries)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries<'a>, Refused> {
        Entries::new(self.0, 0)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries<'a>, Refused> {
        let outer = open_variant(self.0, variant)?;
        Entries::new(outer, 1)
    }
}

/// `{"M":{"Card":`, which what is around the content of a variant begins with.
fn open_variant<'a>(writer: &'a mut Writer, variant: &str) -> Result<&'a mut Writer, Refused> {
    writer.begin(b"{\"M\":{")?;
    writer.size += 1;
    writer.name(variant, &mut true);
    Ok(writer)
}

/// Writes a list.
pub(crate) struct Elements<'a> {
    writer: &'a mut Writer,
    first: bool,
    /// How many maps are around it that end with it.
    outer: usize,
}

impl<'a> Elements<'a> {
    fn new(writer: &'a mut Writer, outer: usize) -> Result<Self, Refused> {
        writer.begin(b"{\"L\":[")?;
        Ok(Self {
            writer,
            first: true,
            outer,
        })
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.writer.comma(&mut self.first);
        self.writer.size += 1;
        self.writer.value(value)
    }

    fn finish(self) -> Result<(), Refused> {
        self.writer.end(b"]}");
        (0..self.outer).for_each(|_| self.writer.end(b"}}"));
        Ok(())
    }
}

/// Writes a map.
pub(crate) struct Entries<'a> {
    writer: &'a mut Writer,
    first: bool,
    outer: usize,
    /// The names so far, where one may come twice.
    names: Option<Vec<String>>,
}

impl<'a> Entries<'a> {
    fn new(writer: &'a mut Writer, outer: usize) -> Result<Self, Refused> {
        writer.begin(b"{\"M\":{")?;
        Ok(Self {
            writer,
            first: true,
            outer,
            names: None,
        })
    }

    fn name(&mut self, name: &str) -> Result<(), Refused> {
        if let Some(names) = &mut self.names {
            note(names, name)?;
        }
        self.writer.size += 1;
        self.writer.name(name, &mut self.first);
        Ok(())
    }

    fn entry<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Refused> {
        self.name(name)?;
        self.writer.value(value)
    }

    fn finish(self) -> Result<(), Refused> {
        self.writer.end(b"}}");
        (0..self.outer).for_each(|_| self.writer.end(b"}}"));
        Ok(())
    }
}

/// A map would keep the last of two values with one name; JSON would have both.
pub(crate) fn note(names: &mut Vec<String>, name: &str) -> Result<(), Refused> {
    if names.iter().any(|known| known == name) {
        return Err(Refused);
    }
    names.push(name.to_owned());
    Ok(())
}

macro_rules! sequences {
    ($($trait:ident $method:ident)*) => {$(
        impl ser::$trait for Elements<'_> {
            type Ok = ();
            type Error = Refused;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
                self.element(value)
            }

            fn end(self) -> Result<(), Refused> {
                self.finish()
            }
        }
    )*};
}

sequences! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! structs {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Entries<'_> {
            type Ok = ();
            type Error = Refused;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Refused> {
                self.entry(name, value)
            }

            fn end(self) -> Result<(), Refused> {
                self.finish()
            }
        }
    )*};
}

structs!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        key.serialize(Name(&mut |name| self.name(name)))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.writer.value(value)
    }

    fn end(self) -> Result<(), Refused> {
        self.finish()
    }
}
