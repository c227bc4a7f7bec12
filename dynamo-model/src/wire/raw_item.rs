//! A received item: its JSON, not yet decoded, or a map.

use super::Item;
use super::json::access::{Expectations, Fields, KeyPosition, KeyPositions, Restored};
use super::json::attribute;
use super::json::read::{Kind, Reader, Twice, Value};
use super::json::scan::{Broken, Scan};
use super::reason::Reason;
use crate::key::{KeyRef, KeyValue};
use aws_sdk_dynamodb::types::AttributeValue;
use core::cell::OnceCell;
use core::fmt;
use core::ops::Range;
use serde::de::DeserializeOwned;
use serde::de::value::MapAccessDeserializer;
use std::borrow::Cow;
use std::sync::Arc;

/// The body of an answer, or an item that was encoded; shared by the items in it.
#[derive(Clone)]
pub(crate) struct Body(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl Body {
    pub(super) fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self(Arc::new(bytes))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

/// A stored item.
#[derive(Clone)]
pub(crate) enum RawItem {
    /// Its JSON is this part of a body.
    Json(Body, Range<usize>),
    Map(Item),
}

impl fmt::Debug for RawItem {
    /// Hides the contents, which may be sensitive.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawItem").finish_non_exhaustive()
    }
}

impl From<Item> for RawItem {
    fn from(item: Item) -> Self {
        Self::Map(item)
    }
}

/// Where the attributes of an item can be looked up.
pub(crate) trait Attributes {
    /// Returns one attribute.
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>>;

    fn contains(&self, name: &str) -> bool;

    /// Returns the number of attributes.
    fn len(&self) -> usize;

    /// Returns a text attribute, borrowed if possible.
    fn text(&self, name: &str) -> Option<Cow<'_, str>>;

    /// Returns an attribute that has a key type.
    fn key_value(&self, name: &str) -> Option<KeyValue> {
        match self.attribute(name)?.into_owned() {
            AttributeValue::S(text) => Some(KeyValue::S(text)),
            AttributeValue::N(number) => Some(KeyValue::N(number)),
            AttributeValue::B(bytes) => Some(KeyValue::B(bytes.into_inner())),
            _ => None,
        }
    }
}

impl Attributes for Item {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        self.get(name).map(Cow::Borrowed)
    }

    fn contains(&self, name: &str) -> bool {
        self.contains_key(name)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        match self.get(name) {
            Some(AttributeValue::S(text)) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }
}

impl Attributes for RawItem {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        match self {
            Self::Json(body, range) => {
                let mut reader = find(body, range, name)?;
                attribute::read_value(&mut reader).ok().map(Cow::Owned)
            }
            Self::Map(item) => item.attribute(name),
        }
    }

    fn contains(&self, name: &str) -> bool {
        match self {
            Self::Json(body, range) => find(body, range, name).is_some(),
            Self::Map(item) => item.contains_key(name),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Json(body, range) => count(body, range).unwrap_or_default(),
            Self::Map(item) => item.len(),
        }
    }

    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        match self {
            Self::Json(body, range) => {
                let mut reader = find(body, range, name)?;
                let is_text = reader.open().ok()? == Kind::S;
                is_text.then(|| reader.string().ok()).flatten()
            }
            Self::Map(item) => item.text(name),
        }
    }
}

impl RawItem {
    /// Makes an item from encoded JSON.
    pub(super) fn encoded(json: Vec<u8>) -> Self {
        let range = 0..json.len();
        Self::Json(Body::new(json), range)
    }

    /// Returns all attributes.
    pub(crate) fn into_map(self) -> Result<Item, Reason> {
        match self {
            Self::Json(..) => attribute::read_item(&mut Reader::new(&self.json()?)),
            Self::Map(item) => Ok(item),
        }
    }

    /// Does the same for our own output, in which a name may be repeated.
    pub(super) fn into_last(self) -> Result<Item, Reason> {
        let json = self.json()?;
        let mut reader = Reader::new(&json);
        reader.twice = Twice::KeepsLast;
        attribute::read_item(&mut reader)
    }

    /// Returns its JSON.
    fn json(&self) -> Result<Cow<'_, str>, Reason> {
        let no_text = |_| Reason::other("the JSON is not UTF-8");
        match self {
            Self::Json(body, range) => {
                let text = core::str::from_utf8(&body.bytes()[range.clone()]);
                text.map(Cow::Borrowed).map_err(no_text)
            }
            Self::Map(item) => Ok(Cow::Owned(json(|out| attribute::push_item(item, out)))),
        }
    }

    /// Appends its JSON.
    pub(super) fn push(&self, out: &mut Vec<u8>) {
        match self {
            Self::Json(body, range) => out.extend_from_slice(&body.bytes()[range.clone()]),
            Self::Map(item) => attribute::push_item(item, out),
        }
    }

    /// Returns the length of its JSON.
    pub(crate) fn json_len(&self) -> usize {
        match self {
            Self::Json(_, range) => range.len(),
            Self::Map(_) => {
                let mut out = Vec::new();
                self.push(&mut out);
                out.len()
            }
        }
    }

    /// Returns some of the attributes.
    pub(crate) fn only(&self, names: impl Iterator<Item = &'static str>) -> Item {
        let own = |name: &'static str| Some((name.to_owned(), self.attribute(name)?.into_owned()));
        names.filter_map(own).collect()
    }

    /// Returns one attribute as a Rust value; `None` if it is absent or of another type.
    pub(super) fn value<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        read_value(&self.value_json(name)?).ok()
    }

    fn value_json(&self, name: &str) -> Option<Cow<'_, str>> {
        match self {
            Self::Json(body, range) => {
                let value = find(body, range, name)?.scan.value().ok()?;
                let text = body.bytes().get(range.clone())?.get(value)?;
                core::str::from_utf8(text).ok().map(Cow::Borrowed)
            }
            Self::Map(item) => Some(Cow::Owned(value_json(item.get(name)?))),
        }
    }

    /// Decodes the whole item, with the attributes restored from its keys.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        expected: Expectations,
        keys: &mut KeyPositions,
        restored: &[(&'static str, AttributeValue)],
    ) -> Result<T, Reason> {
        let more = restored_json(restored);
        read_fields(&self.json()?, expected, keys, (restored, more.as_deref()))
    }

    /// Returns its bytes, if it is JSON.
    #[inline]
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Json(body, range) => body.bytes().get(range.clone()),
            Self::Map(_) => None,
        }
    }

    /// Checks a key attribute, borrowed if possible; `None` if it is absent or cannot be a key.
    pub(super) fn check_key(
        &self,
        position: KeyPosition,
        check: impl FnOnce(KeyRef<'_>) -> bool,
    ) -> Option<bool> {
        let (body, range) = match self {
            Self::Json(body, range) => (body, range),
            Self::Map(item) => return Some(check(super::key_ref(item.get(position.name)?)?)),
        };
        let mut value = match position.at {
            0 => find(body, range, position.name)?,
            at => {
                // Only this value is shown to be UTF-8: the item as a whole was, when it was read.
                let bytes = body.bytes().get(range.clone())?;
                let value = Scan::new(bytes, at).value().ok()?;
                Reader::new(core::str::from_utf8(bytes.get(value)?).ok()?)
            }
        };
        match value.open().ok()? {
            Kind::S => Some(check(KeyRef::S(&value.string().ok()?))),
            Kind::N => Some(check(KeyRef::N(&value.string().ok()?))),
            Kind::B => Some(check(KeyRef::B(&value.bytes().ok()?))),
            _ => None,
        }
    }
}

fn read_fields<T: DeserializeOwned>(
    json: &str,
    expected: Expectations,
    keys: &mut KeyPositions,
    (restored, more): (&[(&'static str, AttributeValue)], Option<&str>),
) -> Result<T, Reason> {
    let rest = OnceCell::new();
    let (mut reader, mut more) = (Reader::new(json), more.map(Reader::new));
    let restored = Restored {
        attributes: restored,
        reader: more.as_mut(),
    };
    let fields = Fields::new(&mut reader, expected, keys, restored, &rest)?;
    T::deserialize(MapAccessDeserializer::new(fields))
}

/// Reads a value in its braces as a Rust value.
pub(super) fn read_value<T: DeserializeOwned>(json: &str) -> Result<T, Reason> {
    T::deserialize(Value::new(&mut Reader::new(json)))
}

/// Returns a value in its braces.
pub(super) fn value_json(value: &AttributeValue) -> String {
    json(|out| attribute::push_value(value, out))
}

fn json(push: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    push(&mut out);
    // Only texts go in.
    String::from_utf8(out).unwrap_or_default()
}

/// Returns a map of the restored attributes, if there are any; of two with one name, the last.
fn restored_json(restored: &[(&'static str, AttributeValue)]) -> Option<String> {
    if restored.is_empty() {
        return None;
    }
    let is_last =
        |at: usize, name: &str| restored[at + 1..].iter().all(|(later, _)| *later != name);
    let last = restored.iter().enumerate();
    let last = last.filter(|(at, (name, _))| is_last(*at, name));
    let last = last.map(|(_, (name, value))| (*name, value));
    Some(json(|out| attribute::push_entries(last, out)))
}

fn reader<'b>(body: &'b Body, range: &Range<usize>) -> Option<Reader<'b>> {
    let bytes = body.bytes().get(range.clone())?;
    core::str::from_utf8(bytes).ok().map(Reader::new)
}

fn count(body: &Body, range: &Range<usize>) -> Result<usize, Broken> {
    let mut scan = Scan::new(&body.bytes()[range.clone()], 0);
    let (mut count, mut first) = (0, true);
    scan.expect(b'{')?;
    while scan.name(&mut first)?.is_some() {
        scan.value()?;
        count += 1;
    }
    Ok(count)
}

/// Reads on from the value of this attribute.
fn find<'b>(body: &'b Body, range: &Range<usize>, name: &str) -> Option<Reader<'b>> {
    let mut reader = reader(body, range)?;
    let mut first = true;
    reader.scan.expect(b'{').ok()?;
    while let Some(found) = reader.name(&mut first).ok()? {
        if found == name {
            return Some(reader);
        }
        reader.scan.value().ok()?;
    }
    None
}
