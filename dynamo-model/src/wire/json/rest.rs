//! The attributes of an item that its entity does not declare, as the value of a `#[dynamo(rest)]`
//! field; and the constants that it does declare.

use super::attribute::read_value;
use super::read::Reader;
use super::text::push_quoted;
use crate::schema::Constant;
use crate::schema::undeclared::Undeclared;
use crate::wire::path::Segment;
use crate::wire::reason::Reason;
use crate::wire::values_eq;
use aws_sdk_dynamodb::types::AttributeValue;
use core::cell::OnceCell;

/// The attributes of a rest field, collected while the item is read, and passed after all others:
/// as one map in JSON, so that serde reads it like every other value, and is compiled for one
/// deserializer.
#[derive(Debug)]
pub(super) struct Rest<'de> {
    /// The serde name of the field, until it is passed.
    pub(super) field: Option<&'static str>,
    /// The map so far, without its end.
    map: Vec<u8>,
    /// Where the whole map is kept.
    whole: &'de OnceCell<String>,
    /// Whether the field was named, and its value is next.
    pub(super) begun: bool,
}

impl<'de> Rest<'de> {
    pub(super) fn of(undeclared: Option<Undeclared>, whole: &'de OnceCell<String>) -> Self {
        Self {
            field: undeclared.and_then(|it| it.entity.rest),
            map: Vec::new(),
            whole,
            begun: false,
        }
    }

    /// Adds an attribute with its JSON.
    pub(super) fn push(&mut self, name: &str, json: &str) {
        let before: &[u8] = if self.map.is_empty() { OPEN } else { b"," };
        self.map.extend_from_slice(before);
        push_quoted(name, &mut self.map);
        self.map.push(b':');
        self.map.extend_from_slice(json.as_bytes());
    }

    /// Returns the name of the field and its value, once.
    pub(super) fn begin(&mut self) -> Option<(&'static str, &'de str)> {
        let field = self.field.take()?;
        self.begun = true;
        let mut map = core::mem::take(&mut self.map);
        if map.is_empty() {
            map.extend_from_slice(OPEN);
        }
        map.extend_from_slice(b"}}");
        // Only valid texts were added.
        let whole = self
            .whole
            .get_or_init(|| String::from_utf8(map).unwrap_or_default());
        Some((field, whole))
    }
}

/// The beginning of a map.
const OPEN: &[u8] = b"{\"M\":{";

/// Reads the attribute of a constant: a stored value that differs is an error, since a write would
/// replace it.
pub(super) fn check_constant(reader: &mut Reader<'_>, constant: &Constant) -> Result<(), Reason> {
    let stored = read_value(reader)?;
    if values_eq(&stored, &constant.attribute()) {
        return Ok(());
    }
    let reason = format!(
        "the item has {}, and the entity declares the constant {}; read it as an entity that \
         declares this value",
        shown(&stored),
        constant.value
    );
    Err(Reason::other(reason).within(Segment::Name(constant.name.to_owned())))
}

fn shown(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => format!("S {text:?}"),
        AttributeValue::N(number) => format!("N {number}"),
        AttributeValue::Bool(value) => format!("BOOL {value}"),
        AttributeValue::Null(_) => "NULL".to_owned(),
        _ => "a value of another type".to_owned(),
    }
}
