//! Encodes Rust types as DynamoDB JSON, without an attribute map. It writes what `serde_dynamo`
//! writes, except that fields which are `None` are omitted and sets are sets; see [`Form`].

use super::name::Name;
use super::read::{Reader, Twice};
use super::refused::Refused;
use super::text::push_quoted;
use super::{attribute, float};
use crate::key::KeyRef;
use crate::schema::form::Form;
use crate::value::serde::{BINARY, BINARY_SET, MARK, NUMBER, NUMBER_SET, STRING_SET, VALUE};
use crate::wire::limits;
use crate::wire::path::Segment;
use crate::wire::set::set_of;
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt::{self, Display, Write as _};
use serde::ser::{self, Serialize, Serializer};

/// A `None` that a later step omits or stores as NULL, when it knows the form of the struct.
const UNDECIDED: &[u8] = b"{\"NULL\":false}";

/// The output so far.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) out: Vec<u8>,
    /// How much of an item it is, as DynamoDB counts.
    pub(crate) size: usize,
    depth: usize,
    /// The form of the next value.
    form: Form,
    /// Where the last `None` ended, if one was written.
    none: usize,
    /// Where the last empty set ended, if one was written.
    empty: usize,
    /// The handling of fields that are `None`.
    pub(crate) nulls: Nulls,
    /// Whether a name came twice in a map: a map would keep the last of the two values, JSON has
    /// both.
    pub(crate) twice: bool,
}

/// The handling of struct fields that are `None`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// They are omitted.
    #[default]
    Omitted,
    /// `#[dynamo(null)]` on the entity: they are NULL.
    Stored,
    /// They are marked, for [`AttributeValue`]s that are finished when their path is known.
    Undecided,
}

/// A position in the output, to remove later output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    len: usize,
    size: usize,
}

impl Writer {
    /// Writes a value, in its braces.
    pub(crate) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.value_in(Form::Plain, value)
    }

    /// Writes a value with a special stored form.
    #[inline]
    pub(crate) fn value_in<T: Serialize + ?Sized>(
        &mut self,
        form: Form,
        value: &T,
    ) -> Result<(), Refused> {
        self.form = form;
        value.serialize(Value(self))
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            len: self.out.len(),
            size: self.size,
        }
    }

    pub(crate) fn take_back(&mut self, mark: Mark) {
        self.out.truncate(mark.len);
        self.size = mark.size;
        // The next output may end at the same position.
        self.none = 0;
        self.empty = 0;
    }

    /// Returns whether the field that was just written is to be omitted.
    #[inline]
    pub(crate) fn is_absent(&self, null: bool) -> bool {
        let end = self.out.len();
        (self.none == end && !null && self.nulls != Nulls::Stored) || self.empty == end
    }

    /// After a field: removes it if it is absent, and returns whether it was.
    #[inline]
    fn omits(&mut self, null: bool, mark: Mark) -> bool {
        if !self.is_absent(null) {
            return false;
        }
        self.omit(mark)
    }

    #[inline(never)]
    fn omit(&mut self, mark: Mark) -> bool {
        if self.nulls == Nulls::Undecided && self.none == self.out.len() {
            let start = self.out.len() - b"{\"NULL\":true}".len();
            self.out.truncate(start);
            self.out.extend_from_slice(UNDECIDED);
            self.none = 0;
            return false;
        }
        self.take_back(mark);
        true
    }

    /// Closes a set whose elements were written as a list.
    fn finish_set(&mut self, list: Self, bytes: bool) -> Result<(), Refused> {
        let AttributeValue::L(list) = list.into_attribute()? else {
            return Err(Refused::new("a set is made of a sequence"));
        };
        if list.is_empty() {
            self.attribute(&AttributeValue::L(list))?;
            self.empty = self.out.len();
            return Ok(());
        }
        match set_of(list, bytes) {
            Ok(set) => self.attribute(&set),
            Err(list) => self.attribute(&AttributeValue::L(list)),
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.size += text.len();
        self.out.extend_from_slice(b"{\"S\":");
        push_quoted(text, &mut self.out);
        self.out.push(b'}');
    }

    /// Writes a number whose text is valid.
    fn number(&mut self, number: impl Display) -> Result<(), Refused> {
        self.out.extend_from_slice(b"{\"N\":\"");
        let start = self.out.len();
        write!(Text(&mut self.out), "{number}").map_err(ser::Error::custom)?;
        let text = core::str::from_utf8(&self.out[start..]).map_err(ser::Error::custom)?;
        self.size += limits::number_size(text).map_err(Refused::limit)?;
        self.out.extend_from_slice(b"\"}");
        Ok(())
    }

    /// Writes bytes whose base64 is known.
    fn base64(&mut self, text: &str) {
        let padding = text.bytes().rev().take_while(|byte| *byte == b'=').count();
        self.size += text.len() / 4 * 3 - padding;
        self.out.extend_from_slice(b"{\"B\":\"");
        self.out.extend_from_slice(text.as_bytes());
        self.out.extend_from_slice(b"\"}");
    }

    /// The fewest digits that read back as the same float. Vectors have thousands of floats.
    #[inline]
    fn float(&mut self, float: f32) -> Result<(), Refused> {
        let mut digits = float::Digits::new();
        let text = float::shortest(&mut digits, float);
        let Some(size) = limits::decimal_size(text) else {
            return self.number(float);
        };
        self.size += size;
        self.out.extend_from_slice(b"{\"N\":\"");
        self.out.extend_from_slice(text);
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

    /// Writes a key. Numbers in keys are whole, or were checked when they were made.
    pub(crate) fn key(&mut self, value: KeyRef<'_>) {
        self.size += match value {
            KeyRef::N(number) => limits::number_size(number).unwrap_or(number.len()),
            text_or_bytes => text_or_bytes.len(),
        };
        attribute::push_key(value, &mut self.out);
    }

    /// Writes a value of the SDK.
    pub(crate) fn attribute(&mut self, value: &AttributeValue) -> Result<(), Refused> {
        self.size += limits::size(value, self.depth).map_err(Refused::limit)?;
        attribute::push_value(value, &mut self.out);
        Ok(())
    }

    /// Returns the one value that was written, for the SDK.
    pub(crate) fn into_attribute(self) -> Result<AttributeValue, Refused> {
        let json = String::from_utf8(self.out).map_err(ser::Error::custom)?;
        let mut reader = Reader::new(&json);
        reader.twice = Twice::KeepsLast;
        attribute::read_value(&mut reader).map_err(ser::Error::custom)
    }

    /// Writes the set of the elements in `list`.
    fn set(&mut self, name: &'static str, list: Self) -> Result<(), Refused> {
        let AttributeValue::L(list) = list.into_attribute()? else {
            return Err(Refused::new("a set is made of a sequence"));
        };
        let set = match name {
            STRING_SET => set(list, |it| it.as_s().ok().cloned()).map(AttributeValue::Ss),
            NUMBER_SET => set(list, |it| it.as_n().ok().cloned()).map(AttributeValue::Ns),
            BINARY_SET => set(list, |it| it.as_b().ok().cloned()).map(AttributeValue::Bs),
            _ => None,
        };
        let mixed = || Refused::new("an element of a set is of another type than the set");
        self.attribute(&set.ok_or_else(mixed)?)
    }

    /// Writes `{"M":{` or `{"L":[`.
    fn begin(&mut self, open: &[u8]) -> Result<(), Refused> {
        if self.depth == limits::MAX_DEPTH + 1 {
            return Err(Refused::limit(limits::TOO_DEEP));
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

    /// Writes `{"M":{"Card":`, the beginning of a variant.
    fn begin_variant(&mut self, variant: &str) -> Result<(), Refused> {
        self.begin(b"{\"M\":{")?;
        self.size += 1;
        self.name(variant, &mut true);
        Ok(())
    }

    fn end_variant(&mut self, variant: Option<&str>) {
        if variant.is_some() {
            self.end(b"}}");
        }
    }

    /// Writes the comma before all elements except the first.
    #[inline]
    fn comma(&mut self, first: &mut bool) {
        if !core::mem::take(first) {
            self.out.push(b',');
        }
    }

    /// Writes a name in a map, and the colon after it.
    #[inline]
    pub(crate) fn name(&mut self, name: &str, first: &mut bool) {
        self.comma(first);
        self.size += name.len();
        push_quoted(name, &mut self.out);
        self.out.push(b':');
    }
}

/// Returns the elements, if all have the set's type.
fn set<T>(
    list: Vec<AttributeValue>,
    element: impl Fn(&AttributeValue) -> Option<T>,
) -> Option<Vec<T>> {
    list.iter().map(element).collect()
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
#[derive(Debug)]
pub(crate) struct Value<'a>(pub(crate) &'a mut Writer);

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
        self.0.number(value).map_err(|_| too_many_digits())
    }

    fn serialize_u128(self, value: u128) -> Result<(), Refused> {
        self.0.number(value).map_err(|_| too_many_digits())
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<(), Refused> {
        self.0.float(value)
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
        let Self(writer) = self;
        Value(&mut *writer).serialize_unit()?;
        writer.none = writer.out.len();
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Refused> {
        let Self(writer) = self;
        value.serialize(Value(&mut *writer))?;
        // `Some(None)` is not `None`.
        writer.none = 0;
        Ok(())
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

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        if !name.starts_with(MARK) {
            return value.serialize(self);
        }
        let Self(writer) = self;
        match name {
            NUMBER => value.serialize(Name(&mut |text| writer.number(text))),
            BINARY => value.serialize(Name(&mut |base64| {
                writer.base64(base64);
                Ok(())
            })),
            set => {
                let mut list = Writer::default();
                value.serialize(Value(&mut list))?;
                writer.set(set, list)
            }
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        match (name, variant) {
            (VALUE, "NULL") => return self.serialize_unit(),
            (VALUE, _) => return value.serialize(self),
            _ => {}
        }
        let mut entries = Entries::new(self.0, None)?;
        entries.name(variant);
        entries.value(value)?;
        entries.finish()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<'a>, Refused> {
        match self.0.form {
            Form::Set => Elements::set(self.0, false),
            Form::ByteSet => Elements::set(self.0, true),
            _ => Elements::new(self.0, None),
        }
    }

    fn serialize_tuple(self, _: usize) -> Result<Elements<'a>, Refused> {
        Elements::new(self.0, None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Elements<'a>, Refused> {
        Elements::new(self.0, None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Elements<'a>, Refused> {
        self.0.begin_variant(variant)?;
        Elements::new(self.0, Some(variant))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries<'a>, Refused> {
        let mut entries = Entries::new(self.0, None)?;
        // Only maps of unknown length, such as flattened ones, can repeat a name.
        entries.names = length.is_none().then(Vec::new);
        Ok(entries)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries<'a>, Refused> {
        Entries::new(self.0, None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries<'a>, Refused> {
        self.0.begin_variant(variant)?;
        Entries::new(self.0, Some(variant))
    }
}

#[cold]
fn too_many_digits() -> Refused {
    Refused::new("a number of 128 bits can have 38 digits; store a longer one as a text")
}

/// Writes a list.
#[doc(hidden)]
#[derive(Debug)]
pub struct Elements<'a> {
    writer: &'a mut Writer,
    /// The form of each element.
    form: Form,
    /// Of a set, its elements as a list, and whether they are sequences of bytes.
    set: Option<(Box<Writer>, bool)>,
    written: usize,
    /// Of a variant, its name; the map with it ends with the list.
    variant: Option<&'static str>,
}

impl<'a> Elements<'a> {
    fn new(writer: &'a mut Writer, variant: Option<&'static str>) -> Result<Self, Refused> {
        let form = writer.form.each();
        writer.begin(b"{\"L\":[")?;
        Ok(Self {
            writer,
            form,
            set: None,
            written: 0,
            variant,
        })
    }

    #[cold]
    fn set(writer: &'a mut Writer, bytes: bool) -> Result<Self, Refused> {
        let mut list = Box::<Writer>::default();
        list.begin(b"{\"L\":[")?;
        Ok(Self {
            writer,
            form: Form::Plain,
            set: Some((list, bytes)),
            written: 0,
            variant: None,
        })
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        let writer = match &mut self.set {
            Some((list, _)) => list,
            None => &mut *self.writer,
        };
        writer.comma(&mut (self.written == 0));
        writer.size += 1;
        if let Err(refused) = writer.value_in(self.form, value) {
            return Err(self.within(refused));
        }
        self.written += 1;
        Ok(())
    }

    #[cold]
    fn within(&self, refused: Refused) -> Refused {
        in_variant(refused.within(Segment::Index(self.written)), self.variant)
    }

    fn finish(self) -> Result<(), Refused> {
        if let Some((mut list, bytes)) = self.set {
            list.end(b"]}");
            return self.writer.finish_set(*list, bytes);
        }
        self.writer.end(b"]}");
        self.writer.end_variant(self.variant);
        Ok(())
    }
}

#[cold]
fn in_variant(refused: Refused, variant: Option<&'static str>) -> Refused {
    match variant {
        Some(variant) => refused.within_name(variant),
        None => refused,
    }
}

/// Writes a map.
#[doc(hidden)]
#[derive(Debug)]
pub struct Entries<'a> {
    writer: &'a mut Writer,
    /// The form of the map or struct.
    form: Form,
    /// The form of the next value, and whether it keeps NULL.
    next: (Form, bool),
    /// Before the last name was written.
    before: (Mark, bool),
    first: bool,
    /// Of a variant, its name; the map with it ends with this one.
    variant: Option<&'static str>,
    /// The names so far, if one may be repeated.
    names: Option<Vec<String>>,
    /// The position of the last name in the output.
    named: usize,
}

impl<'a> Entries<'a> {
    fn new(writer: &'a mut Writer, variant: Option<&'static str>) -> Result<Self, Refused> {
        let form = writer.form;
        writer.begin(b"{\"M\":{")?;
        Ok(Self {
            before: (writer.mark(), true),
            writer,
            form,
            next: (form.each(), false),
            first: true,
            variant,
            names: None,
            named: 0,
        })
    }

    fn name(&mut self, name: &str) {
        if let Some(names) = &mut self.names {
            self.writer.twice |= note(names, name);
        }
        if let Form::Fields(_) = self.form {
            self.next = self.form.field(name);
        }
        self.before = (self.writer.mark(), self.first);
        self.named = self.writer.out.len();
        self.writer.size += 1;
        self.writer.name(name, &mut self.first);
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        let written = self.writer.value_in(self.next.0, value);
        written.map_err(|refused| self.within(refused))
    }

    /// Writes the value of a struct field, which may be absent.
    fn field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.value(value)?;
        let (mark, first) = self.before;
        if self.writer.omits(self.next.1, mark) {
            self.first = first;
        }
        Ok(())
    }

    #[cold]
    fn within(&self, refused: Refused) -> Refused {
        let written = core::str::from_utf8(&self.writer.out).unwrap_or_default();
        let name = Reader::new(written).name_at(self.named);
        in_variant(refused.within_name(&name), self.variant)
    }

    fn finish(self) -> Result<(), Refused> {
        self.writer.end(b"}}");
        self.writer.end_variant(self.variant);
        Ok(())
    }
}

/// Notes a name. Returns whether it was noted before.
pub(crate) fn note(names: &mut Vec<String>, name: &str) -> bool {
    let known = names.iter().any(|known| known == name);
    if !known {
        names.push(name.to_owned());
    }
    known
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
                self.name(name);
                self.field(value)
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
        key.serialize(Name(&mut |name| {
            self.name(name);
            Ok(())
        }))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        // A struct with something flattened in it is a map of unknown length to serde.
        match self.names {
            Some(_) => self.field(value),
            None => self.value(value),
        }
    }

    fn end(self) -> Result<(), Refused> {
        self.finish()
    }
}
