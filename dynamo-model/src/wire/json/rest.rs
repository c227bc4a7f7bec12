//! The attributes of an item that its entity does not declare, as the value of a `#[dynamo(rest)]` field; and the
//! constants that it does declare.

use super::attribute::read_value;
use super::read::{Reader, Value};
use crate::op::same;
use crate::schema::Constant;
use crate::schema::undeclared::Undeclared;
use crate::wire::map_key::MapKey;
use crate::wire::path::Segment;
use crate::wire::reason::Reason;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;

/// The attributes for a rest field, found while the item is read, and handed out after all others.
#[derive(Debug, Default)]
pub(super) struct Rest<'de> {
    /// The name that serde has for the field.
    pub(super) field: Option<&'static str>,
    /// Each with its JSON.
    pub(super) entries: Vec<(Cow<'de, str>, &'de str)>,
    /// Whether the field was named, and its value is next.
    pub(super) begun: bool,
}

impl Rest<'_> {
    pub(super) fn of(undeclared: Option<Undeclared>) -> Self {
        Self {
            field: undeclared.and_then(|it| it.entity.rest),
            ..Self::default()
        }
    }

    /// The name of the field, once.
    pub(super) fn begin(&mut self) -> Option<&'static str> {
        let field = self.field.take()?;
        self.begun = true;
        Some(field)
    }
}

impl<'de> Deserializer<'de> for Rest<'de> {
    type Error = Reason;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        visitor.visit_map(Entries {
            entries: self.entries.into_iter(),
            next: None,
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Reason> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Entries<'de> {
    entries: std::vec::IntoIter<(Cow<'de, str>, &'de str)>,
    next: Option<(String, &'de str)>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Reason;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Reason> {
        let Some((name, json)) = self.entries.next() else {
            return Ok(None);
        };
        self.next = Some((name.clone().into_owned(), json));
        seed.deserialize(MapKey(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Reason> {
        let (name, json) = self.next.take().unwrap_or_default();
        let value = seed.deserialize(Value::new(&mut Reader::new(json)));
        value.map_err(|reason| reason.within(Segment::Name(name)))
    }
}

/// Reads the attribute of a constant: a stored value that differs is an error, since a write would replace it.
pub(super) fn check_constant(reader: &mut Reader<'_>, constant: &Constant) -> Result<(), Reason> {
    let stored = read_value(reader)?;
    if same(&stored, &constant.attribute()) {
        return Ok(());
    }
    let reason = format!(
        "the item has {}, and the entity declares the constant {}; read it as an entity that declares this value",
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
