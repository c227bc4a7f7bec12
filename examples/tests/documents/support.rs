//! How an item is compared with a document.

use dynamo_model::schema::AttributeRole;
use dynamo_model::{Entity, Items};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Debug;

pub(crate) type Document = Map<String, Value>;

pub(crate) fn document(json: &str) -> Document {
    serde_json::from_str(json).unwrap()
}

/// The item's key attributes are these, and no others.
pub(crate) fn assert_keys<E: Entity>(item: &E, expected: &[(&str, &str)]) {
    let attributes = item.key_attributes().unwrap();
    let found: Vec<_> = attributes
        .iter()
        .filter_map(|attribute| Some((attribute.name, attribute.value.as_ref()?.as_str()?)))
        .collect();
    assert_eq!(found, expected, "{}", E::SCHEMA.entity);
}

/// Asserts the names of the item's attributes, without its keys.
pub(crate) fn assert_attributes<E: Entity + Serialize>(item: &E, names: &str) {
    let mut expected: Vec<_> = names.split_whitespace().collect();
    expected.sort_unstable();
    let own = own_attributes(item);
    let mut found: Vec<_> = own.keys().map(String::as_str).collect();
    found.sort_unstable();
    assert_eq!(found, expected, "{}", E::SCHEMA.entity);
}

/// The document's item, read, is `item`; and `item`, written, is the document's, nulls included.
pub(crate) fn assert_document<E>(item: &E, document: &Document)
where
    E: Entity + Serialize + DeserializeOwned + PartialEq + Debug,
{
    assert_eq!(&written(item), document, "{}", E::SCHEMA.entity);

    let mut fields = document.clone();
    let own = own_attributes(item);
    for key in item.key_attributes().unwrap() {
        if !own.contains_key(key.name) {
            fields.remove(key.name);
        }
    }
    fields.extend(key_only_fields(item));
    let read: E = serde_json::from_value(Value::Object(fields)).unwrap();
    assert_eq!(&read, item);
}

/// The key belongs to the entity of this name.
pub(crate) fn assert_entity<I: Items>(pk: &str, sk: &str, entity: &str) {
    let found = I::entity_of(pk.into(), Some(sk.into())).unwrap();
    assert_eq!(found.entity, entity, "{pk} + {sk}");
}

/// Returns the item as stored: its attributes and its keys.
fn written<E: Entity + Serialize>(item: &E) -> Document {
    let mut all = own_attributes(item);
    for key in item.key_attributes().unwrap() {
        let Some(value) = key.value else { continue };
        let text = Value::from(value.as_str().unwrap());
        if let Some(own) = all.insert(key.name.into(), text.clone()) {
            assert_eq!(own, text, "`{}` has two values", key.name);
        }
    }
    all
}

fn own_attributes<E: Entity + Serialize>(item: &E) -> Document {
    fields(item, |role| role != AttributeRole::KeyOnly)
}

fn key_only_fields<E: Entity + Serialize>(item: &E) -> Document {
    fields(item, |role| role == AttributeRole::KeyOnly)
}

fn fields<E: Entity + Serialize>(item: &E, wanted: fn(AttributeRole) -> bool) -> Document {
    let Value::Object(mut fields) = serde_json::to_value(item).unwrap() else {
        unreachable!("an entity is a struct")
    };
    for attribute in E::SCHEMA.attributes {
        if !wanted(attribute.role) {
            fields.remove(attribute.name);
        }
    }
    fields
}
