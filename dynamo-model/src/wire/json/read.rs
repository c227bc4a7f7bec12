//! Decodes DynamoDB JSON into Rust types, without an attribute map. It accepts what `serde_dynamo`
//! accepts; an error names the expected and the found type of attribute, and the path.

use super::MAX_DEPTH;
use super::access::{Elements, Entries, read_variant};
use super::scan::{Broken, OPEN_N, OPEN_S, PlainText, Quoted, Scan};
use super::text::unescape;
use super::typed::Typed;
use crate::value::serde::{BINARY, NUMBER, VALUE};
use crate::wire::reason::Reason;
use aws_smithy_types::base64;
use serde::de::value::SeqDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, VariantAccess, Visitor};
use std::borrow::Cow;

impl From<Broken> for Reason {
    #[cold]
    fn from(broken: Broken) -> Self {
        Self::other(broken.to_string())
    }
}

/// The types of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    S,
    N,
    B,
    Bool,
    Null,
    M,
    L,
    Ss,
    Ns,
    Bs,
}

impl Kind {
    const ALL: [Self; 10] = [
        Self::S,
        Self::N,
        Self::B,
        Self::Bool,
        Self::Null,
        Self::M,
        Self::L,
        Self::Ss,
        Self::Ns,
        Self::Bs,
    ];

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns DynamoDB's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
            Self::Bool => "BOOL",
            Self::Null => "NULL",
            Self::M => "M",
            Self::L => "L",
            Self::Ss => "SS",
            Self::Ns => "NS",
            Self::Bs => "BS",
        }
    }
}

/// A JSON text, read from front to back.
#[derive(Debug)]
pub(crate) struct Reader<'de> {
    text: &'de str,
    pub(crate) scan: Scan<'de>,
    depth: usize,
    /// The handling of a repeated name in a map.
    pub(crate) twice: Twice,
    /// The value that was inspected before serde requested it. If serde ignores it, it is not
    /// scanned again.
    pub(crate) seen: Option<PlainText>,
}

/// The handling of a repeated name in a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twice {
    /// Of two values, one reader would take the first and another the last.
    Refused,
    /// Our own output, which must behave like a map: the last value counts.
    KeepsLast,
}

impl<'de> Reader<'de> {
    pub(crate) fn new(text: &'de str) -> Self {
        Self {
            text,
            scan: Scan::new(text.as_bytes(), 0),
            depth: 0,
            twice: Twice::Refused,
            seen: None,
        }
    }

    /// Returns the name that was read from here, after the comma.
    #[cold]
    pub(crate) fn name_at(&self, before: usize) -> String {
        let mut reader = Reader::new(self.text);
        reader.scan = Scan::new(self.text.as_bytes(), before);
        let _ = reader.scan.accept(b',');
        reader.string().unwrap_or_default().into_owned()
    }

    /// Returns the next value as JSON text.
    pub(crate) fn raw(&mut self) -> Result<&'de str, Broken> {
        let range = self.scan.value()?;
        self.text.get(range).ok_or_else(|| self.scan.broken())
    }

    /// Reads the next string.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Result<Cow<'de, str>, Broken> {
        let Quoted { range, escaped } = self.scan.string()?;
        match self.text.get(range) {
            Some(text) if !escaped => Ok(Cow::Borrowed(text)),
            Some(text) => self.unescaped(text),
            None => Err(self.scan.broken()),
        }
    }

    #[cold]
    fn unescaped(&self, text: &str) -> Result<Cow<'de, str>, Broken> {
        let text = unescape(text).map(Cow::Owned);
        text.ok_or_else(|| self.scan.broken())
    }

    /// Returns the next name of an object and passes the colon; `None` at its end.
    #[inline(always)]
    pub(crate) fn name(&mut self, first: &mut bool) -> Result<Option<Cow<'de, str>>, Broken> {
        let plain = self.scan.plain_name(*first);
        match plain.and_then(|name| self.text.get(name)) {
            Some(name) => {
                *first = false;
                Ok(Some(Cow::Borrowed(name)))
            }
            None => self.any_name(first),
        }
    }

    #[inline(never)]
    fn any_name(&mut self, first: &mut bool) -> Result<Option<Cow<'de, str>>, Broken> {
        if !self.scan.more(b'}', first)? {
            return Ok(None);
        }
        let name = self.string()?;
        self.scan.expect(b':')?;
        Ok(Some(name))
    }

    /// Returns the next value, if it is of this kind and has no escapes; otherwise does not
    /// advance.
    #[inline]
    fn plain_text(&mut self, kind: Kind) -> Option<&'de str> {
        let open = match kind {
            Kind::S => OPEN_S,
            Kind::N => OPEN_N,
            _ => return None,
        };
        let value = self.scan.plain_text(open)?;
        let text = self.text.get(value.range())?;
        self.scan.accept_text(value);
        Some(text)
    }

    /// Reads `{"S":`, up to the content.
    #[inline]
    pub(crate) fn open(&mut self) -> Result<Kind, Reason> {
        const OFTEN: [(Kind, &[u8]); 5] = [
            (Kind::S, b"{\"S\":"),
            (Kind::N, b"{\"N\":"),
            (Kind::M, b"{\"M\":"),
            (Kind::L, b"{\"L\":"),
            (Kind::Bool, b"{\"BOOL\":"),
        ];
        for (kind, open) in OFTEN {
            if self.scan.accept_all(open) {
                return Ok(kind);
            }
        }
        self.open_any()
    }

    fn open_any(&mut self) -> Result<Kind, Reason> {
        self.scan.expect(b'{')?;
        let name = self.string()?;
        let kind = Kind::of(&name).ok_or_else(|| unknown(&name))?;
        self.scan.expect(b':')?;
        Ok(kind)
    }

    pub(crate) fn boolean(&mut self) -> Result<bool, Reason> {
        self.scan.peek()?;
        if self.scan.accept_all(b"true") {
            return Ok(true);
        }
        if self.scan.accept_all(b"false") {
            return Ok(false);
        }
        Err(self.scan.broken().into())
    }

    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, Reason> {
        let text = self.string()?;
        base64::decode(&text).map_err(|_| Reason::other("the binary value is no base64"))
    }

    /// Reads one level deeper with `read`.
    pub(crate) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        if self.depth == MAX_DEPTH {
            return Err(Reason::other(format!("nested more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}

#[cold]
fn unknown(name: &str) -> Reason {
    Reason::other(format!("`{name}` is not an attribute type"))
}

/// A value that is about to be read.
pub(crate) struct Value<'a, 'de> {
    reader: &'a mut Reader<'de>,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    /// In its braces.
    Whole,
    /// Its opening brace and type were read.
    Opened(Kind),
    /// An element of a set, which has no braces.
    Element(Kind),
}

impl<'a, 'de> Value<'a, 'de> {
    pub(crate) fn new(reader: &'a mut Reader<'de>) -> Self {
        let state = State::Whole;
        Self { reader, state }
    }

    /// Returns the kind of an element of a set.
    pub(super) fn element(reader: &'a mut Reader<'de>, kind: Kind) -> Self {
        let state = State::Element(kind);
        Self { reader, state }
    }

    #[inline]
    fn open(&mut self) -> Result<Kind, Reason> {
        match self.state {
            State::Whole => {
                let kind = self.reader.open()?;
                self.state = State::Opened(kind);
                Ok(kind)
            }
            State::Opened(kind) | State::Element(kind) => Ok(kind),
        }
    }

    #[inline]
    fn close(self) -> Result<(), Broken> {
        match self.state {
            State::Element(_) => Ok(()),
            _ => self.reader.scan.expect(b'}'),
        }
    }

    /// Opens it, if it is of this kind.
    #[inline]
    fn expect(&mut self, expected: Kind) -> Result<(), Reason> {
        match self.open()? {
            kind if kind == expected => Ok(()),
            found => Err(Reason::types(expected.name(), found.name())),
        }
    }

    /// Reads the text in it, which is open.
    #[inline]
    fn text(self) -> Result<Cow<'de, str>, Broken> {
        let text = self.reader.string()?;
        self.close()?;
        Ok(text)
    }

    /// Reads the text in it, if it is of this kind.
    fn text_of(mut self, kind: Kind) -> Result<Cow<'de, str>, Reason> {
        if let State::Whole = self.state
            && let Some(text) = self.reader.plain_text(kind)
        {
            return Ok(Cow::Borrowed(text));
        }
        self.expect(kind)?;
        Ok(self.text()?)
    }

    /// Reads the content of an opened NULL; DynamoDB writes `true`.
    pub(super) fn null(self) -> Result<bool, Reason> {
        let null = self.reader.boolean()?;
        self.close()?;
        Ok(null)
    }

    fn elements<V: Visitor<'de>>(
        self,
        element: Option<Kind>,
        visitor: V,
    ) -> Result<V::Value, Reason> {
        let value = self.reader.nested(|reader| {
            let mut elements = Elements::new(reader, element)?;
            let value = visitor.visit_seq(&mut elements)?;
            elements.skip_rest()?;
            Ok(value)
        })?;
        self.close()?;
        Ok(value)
    }

    fn entries<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        let value = self.reader.nested(|reader| {
            let mut entries = Entries::new(reader)?;
            let value = visitor.visit_map(&mut entries)?;
            entries.skip_rest()?;
            Ok(value)
        })?;
        self.close()?;
        Ok(value)
    }
}

/// Passes a text to a visitor without needless copies.
#[inline]
fn visit_text<'de, V: Visitor<'de>>(text: Cow<'de, str>, visitor: V) -> Result<V::Value, Reason> {
    match text {
        Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}

/// Passes a number to a visitor of any type. A whole number is never rounded: beyond 64 bits it is
/// a float only if that keeps all digits.
fn visit_number<'de, V: Visitor<'de>>(text: &str, visitor: V) -> Result<V::Value, Reason> {
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
            let text = self.text_of(Kind::N)?;
            match text.parse() {
                Ok(number) => visitor.$visit(number),
                Err(_) => Err(Reason::number(stringify!($number), &text)),
            }
        }
    )*};
}

/// A number beyond the range is an error, not infinity.
macro_rules! floats {
    ($($method:ident $visit:ident $number:ident ($parse:expr),)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
            let text = self.text_of(Kind::N)?;
            match $parse(&text) {
                Some(number) if number.is_finite() => visitor.$visit(number),
                _ => Err(Reason::number(stringify!($number), &text)),
            }
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
            visit_text(self.text_of(Kind::S)?, visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Reason;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Reason> {
        match self.open()? {
            Kind::S => self.deserialize_string(visitor),
            Kind::N => visit_number(&self.text()?, visitor),
            Kind::B => self.deserialize_byte_buf(visitor),
            Kind::Bool => self.deserialize_bool(visitor),
            Kind::Null => self.deserialize_unit(visitor),
            Kind::M => self.deserialize_map(visitor),
            Kind::L | Kind::Ss | Kind::Ns | Kind::Bs => self.deserialize_seq(visitor),
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
        deserialize_f32 visit_f32 f32 (super::float::parse),
        deserialize_f64 visit_f64 f64 (|text: &str| text.parse::<f64>().ok()),
    }

    texts!(deserialize_str deserialize_string deserialize_char deserialize_identifier);

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Reason> {
        self.expect(Kind::Bool)?;
        let value = self.reader.boolean()?;
        self.close()?;
        visitor.visit_bool(value)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Reason> {
        self.expect(Kind::B)?;
        let bytes = self.reader.bytes()?;
        self.close()?;
        visitor.visit_byte_buf(bytes)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Reason> {
        self.expect(Kind::Null)?;
        match self.null()? {
            true => visitor.visit_unit(),
            false => Err(Reason::types("NULL", "NULL")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Reason> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Reason> {
        if self.open()? != Kind::Null {
            return visitor.visit_some(self);
        }
        let before = self.reader.scan.clone();
        if self.reader.boolean()? {
            self.close()?;
            return visitor.visit_none();
        }
        self.reader.scan = before;
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Reason> {
        match name {
            NUMBER => visit_text(self.text_of(Kind::N)?, visitor),
            BINARY => self.deserialize_byte_buf(visitor),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Reason> {
        match self.open()? {
            Kind::L => self.elements(None, visitor),
            Kind::Ss => self.elements(Some(Kind::S), visitor),
            Kind::Ns => self.elements(Some(Kind::N), visitor),
            Kind::Bs => self.elements(Some(Kind::B), visitor),
            // To serde, `Vec<u8>` is a sequence of numbers. Only a set has it as a binary.
            Kind::B if matches!(self.state, State::Element(_)) => {
                let bytes = self.reader.bytes()?;
                visitor.visit_seq(SeqDeserializer::new(bytes.into_iter()))
            }
            found => Err(Reason::types("L", found.name())),
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

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Reason> {
        self.expect(Kind::M)?;
        self.entries(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Reason> {
        match self.open()? {
            Kind::L => self.deserialize_seq(visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Reason> {
        let kind = self.open()?;
        if name == VALUE {
            return visitor.visit_enum(Typed { value: self, kind });
        }
        match kind {
            Kind::S => visitor.visit_enum(self.text()?.into_deserializer()),
            Kind::M => {
                let value = self.reader.nested(|reader| read_variant(reader, visitor))?;
                self.close()?;
                Ok(value)
            }
            found => Err(Reason::types("S or M", found.name())),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        let Reader { scan, seen, .. } = &mut *self.reader;
        if !seen.is_some_and(|seen| scan.accept_text(seen)) {
            self.reader.scan.value()?;
        }
        if let State::Opened(_) = self.state {
            self.close()?;
        }
        visitor.visit_unit()
    }
}

impl<'de> VariantAccess<'de> for Value<'_, 'de> {
    type Error = Reason;

    fn unit_variant(self) -> Result<(), Reason> {
        self.reader.scan.value()?;
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
