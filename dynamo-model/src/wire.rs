//! The only place where Rust types and DynamoDB's JSON meet: every operation encodes keys and
//! values, and decodes items, here.
//!
//! A request's body is written as an [`Object`]; a response is a [`Reply`]. An item in a response
//! is a [`RawItem`], which [`decode`] turns into a Rust value.

mod decode;
mod encode;
mod item_builder;
mod item_key;
pub(crate) mod json;
mod limits;
mod map_key;
mod own;
mod path;
mod raw_item;
mod reason;
mod reply;
pub(crate) mod set;
mod throttling;
mod value_eq;

pub use decode::{Decodable, ItemKeys, OwnedFields, ReadItems, Readable, Serde, StoredItem};
pub(crate) use decode::{
    attribute_of, decode, decode_attribute, decode_items, decode_projection, has_key_of, into_map,
    recognise, values,
};
pub use encode::EncodeError;
pub(crate) use encode::{Unwritable, encode, key_of, to_item};
pub(crate) use item_builder::{AttributeHandling, AttributeHandlings, ItemBuilder, ItemWriter};
pub(crate) use item_key::ItemKey;
pub(crate) use json::attribute::push_value;
pub(crate) use json::body_reader::BodyReader;
pub(crate) use json::object::Object;
pub(crate) use limits::{check_item, check_size, value_bytes};
pub(crate) use own::{Owned, Owner, is_of_type};
pub(crate) use raw_item::{Attributes, RawItem};
pub(crate) use reason::Reason;
pub(crate) use reply::Reply;
pub(crate) use throttling::throttling_reasons;
pub(crate) use value_eq::{items_eq, values_eq};

pub(crate) use json::operand::Operand as OperandWriter;
use json::operand::operand;
pub(crate) use json::refused::Refused;

use crate::entity::{Entity, Table};
use crate::key::{Key, KeyRef, KeyValue};
use crate::schema::{EntitySchema, TableSchema};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use std::collections::HashMap;

/// An item, or a key, as the SDK has it.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// Converts a key for the SDK.
pub(crate) fn key_value(value: KeyValue) -> AttributeValue {
    match value {
        KeyValue::S(text) => AttributeValue::S(text),
        KeyValue::N(number) => AttributeValue::N(number),
        KeyValue::B(bytes) => AttributeValue::B(bytes.into()),
    }
}

/// Returns a key attribute of an item, if it has one of the three key types.
pub(crate) fn key_ref(value: &AttributeValue) -> Option<KeyRef<'_>> {
    match value {
        AttributeValue::S(text) => Some(KeyRef::S(text)),
        AttributeValue::N(number) => Some(KeyRef::N(number)),
        AttributeValue::B(bytes) => Some(KeyRef::B(bytes.as_ref())),
        _ => None,
    }
}

/// The primary key of an item of any table.
pub(crate) fn key_map(table: &TableSchema, pk: KeyValue, sk: Option<KeyValue>) -> Item {
    let mut item = HashMap::with_capacity(2);
    item.insert(table.pk.name.to_owned(), key_value(pk));
    if let (Some(attribute), Some(sk)) = (table.sk, sk) {
        item.insert(attribute.name.to_owned(), key_value(sk));
    }
    item
}

/// Returns the primary key of a stored item.
pub(crate) fn stored_key<E: Entity>(item: &impl Attributes) -> Option<Key<E>> {
    let table = const { &<E::Table as Table>::SCHEMA };
    ItemKey::of(table, item).map(ItemKey::into_key)
}

/// Converts any value to an attribute. Fields that are `None` are marked, and sets are lists, until
/// the path of the value is known; see [`RawPath::finish`](crate::expr::RawPath::finish).
pub(crate) fn value<T: Serialize + ?Sized>(value: &T) -> Result<AttributeValue, EncodeError> {
    written(|serializer| value.serialize(serializer))
}

/// Converts the output of a serde function to an attribute.
pub(crate) fn written(
    write: impl FnOnce(OperandWriter<'_>) -> Result<(), Refused>,
) -> Result<AttributeValue, EncodeError> {
    operand(write).map_err(|refused| {
        let (path, reason) = refused.into_parts();
        let at = if path == "." {
            String::new()
        } else {
            format!("{path}: ")
        };
        serde::ser::Error::custom(format!("{at}{reason}"))
    })
}

/// Returns the name of an entry of a map, from its key.
pub(crate) fn entry_name<K: Serialize>(key: &K) -> Result<String, String> {
    let mut name = String::new();
    let written = key.serialize(json::name::Name(&mut |text| {
        name.push_str(text);
        Ok(())
    }));
    written.map_err(|refused| refused.to_string())?;
    Ok(name)
}

/// Returns `USER#u1/PROFILE`, from a stored item; the templates if they contain a sensitive field.
pub(crate) fn shown_key(
    table: &TableSchema,
    entities: &[&EntitySchema],
    item: &impl Attributes,
) -> String {
    if let Some(template) = entities.iter().find_map(|entity| entity.hidden_key()) {
        return template;
    }
    let shown = |name: &str| match item.key_value(name) {
        Some(KeyValue::S(text) | KeyValue::N(text)) => text,
        Some(binary) => binary.to_string(),
        None => "?".to_owned(),
    };
    match table.sk {
        Some(sk) => format!("{}/{}", shown(table.pk.name), shown(sk.name)),
        None => shown(table.pk.name),
    }
}
