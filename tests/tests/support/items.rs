//! Items as the SDK has them: from a document's JSON, and from an entity.

use super::Outcome;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::key::KeyValue;
use dynamo_model::schema::AttributeRole;
use dynamo_model::{Entity, Table};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;

pub type Item = HashMap<String, AttributeValue>;

/// Converts a JSON object to an item, to store the documents' items unchanged.
pub fn from_json(json: Value) -> Item {
    match attribute(json) {
        AttributeValue::M(item) => item,
        other => panic!("an item is an object, not {other:?}"),
    }
}

pub fn from_json_text(json: &str) -> Item {
    from_json(serde_json::from_str(json).unwrap())
}

fn attribute(json: Value) -> AttributeValue {
    match json {
        Value::Null => AttributeValue::Null(true),
        Value::Bool(value) => AttributeValue::Bool(value),
        Value::Number(number) => AttributeValue::N(number.to_string()),
        Value::String(text) => AttributeValue::S(text),
        Value::Array(values) => AttributeValue::L(values.into_iter().map(attribute).collect()),
        Value::Object(fields) => AttributeValue::M(
            fields
                .into_iter()
                .map(|(name, value)| (name, attribute(value)))
                .collect(),
        ),
    }
}

/// An entity as an item: its own attributes, its keys and its type.
pub fn stored<E: Entity + Serialize>(entity: &E) -> Outcome<Item> {
    let mut item: Item = serde_dynamo::aws_sdk_dynamodb_1::to_item(entity)?;
    for attribute in E::SCHEMA.attributes {
        let null = item
            .get(attribute.name)
            .is_some_and(AttributeValue::is_null);
        if attribute.role == AttributeRole::KeyOnly || null && !attribute.null {
            item.remove(attribute.name);
        }
    }
    for key in entity.key_attributes()? {
        if let Some(value) = key.value {
            item.insert(key.name.to_owned(), key_value(value));
        }
    }
    let table = <E::Table as Table>::SCHEMA;
    if let (Some(attribute), Some(name)) = (table.entity_type, E::SCHEMA.entity_type) {
        item.insert(attribute.to_owned(), AttributeValue::S(name.to_owned()));
    }
    Ok(item)
}

pub fn key_value(value: KeyValue) -> AttributeValue {
    match value {
        KeyValue::S(text) => AttributeValue::S(text),
        KeyValue::N(number) => AttributeValue::N(number),
        KeyValue::B(bytes) => AttributeValue::B(bytes.into()),
    }
}
