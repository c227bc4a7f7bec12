//! DynamoDB JSON, `{"S": "text"}`, in the images of events.

use crate::wire::Item;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::collections::HashMap;
use std::fmt;

/// One value with its type.
pub(super) struct Typed(AttributeValue);

/// The attributes of an image or a key.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Attributes(HashMap<String, Typed>);

impl From<Attributes> for Item {
    fn from(Attributes(attributes): Attributes) -> Self {
        let attributes = attributes.into_iter();
        attributes.map(|(name, value)| (name, value.0)).collect()
    }
}

const TYPES: &[&str] = &["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"];

impl<'de> Deserialize<'de> for Typed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OneType)
    }
}

struct OneType;

impl<'de> Visitor<'de> for OneType {
    type Value = Typed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an attribute value such as {\"S\": \"text\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Typed, A::Error> {
        let name: String = map
            .next_key()?
            .ok_or_else(|| Error::custom("an attribute value without a type"))?;
        let value = match name.as_str() {
            "S" => AttributeValue::S(map.next_value()?),
            "N" => AttributeValue::N(map.next_value()?),
            "B" => AttributeValue::B(binary(map.next_value()?)?.into()),
            "BOOL" => AttributeValue::Bool(map.next_value()?),
            "NULL" => AttributeValue::Null(map.next_value()?),
            "SS" => AttributeValue::Ss(map.next_value()?),
            "NS" => AttributeValue::Ns(map.next_value()?),
            "BS" => {
                let texts: Vec<String> = map.next_value()?;
                let texts = texts.into_iter().map(|text| Ok(binary(text)?.into()));
                AttributeValue::Bs(texts.collect::<Result<_, A::Error>>()?)
            }
            "L" => {
                let values: Vec<Typed> = map.next_value()?;
                AttributeValue::L(values.into_iter().map(|value| value.0).collect())
            }
            "M" => AttributeValue::M(map.next_value::<Attributes>()?.into()),
            other => return Err(Error::unknown_variant(other, TYPES)),
        };
        match map.next_key::<String>()? {
            None => Ok(Typed(value)),
            Some(second) => Err(Error::custom(format_args!(
                "an attribute value of two types, {name} and {second}"
            ))),
        }
    }
}

fn binary<E: Error>(text: String) -> Result<Vec<u8>, E> {
    aws_smithy_types::base64::decode(text).map_err(E::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Item, serde_json::Error> {
        serde_json::from_str::<Attributes>(json).map(Item::from)
    }

    #[test]
    fn all_ten_types_are_read() {
        let item = read(
            r#"{"s":{"S":"a"},"n":{"N":"1.50"},"b":{"B":"AAH/"},"bool":{"BOOL":true},"null":{"NULL":true},
                "ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]},"bs":{"BS":["AA=="]},
                "l":{"L":[{"S":"x"},{"M":{"y":{"N":"2"}}}]},"m":{"M":{}}}"#,
        )
        .unwrap();
        assert_eq!(item["s"], AttributeValue::S("a".into()));
        assert_eq!(item["n"], AttributeValue::N("1.50".into()));
        assert_eq!(item["b"], AttributeValue::B(vec![0, 1, 255].into()));
        assert_eq!(item["bool"], AttributeValue::Bool(true));
        assert_eq!(item["null"], AttributeValue::Null(true));
        assert_eq!(item["ss"], AttributeValue::Ss(vec!["a".into(), "b".into()]));
        assert_eq!(item["ns"], AttributeValue::Ns(vec!["1".into(), "2".into()]));
        assert_eq!(item["bs"], AttributeValue::Bs(vec![vec![0].into()]));
        let within = Item::from([("y".to_owned(), AttributeValue::N("2".into()))]);
        let list = vec![AttributeValue::S("x".into()), AttributeValue::M(within)];
        assert_eq!(item["l"], AttributeValue::L(list));
        assert_eq!(item["m"], AttributeValue::M(Item::new()));
    }

    #[test]
    fn an_invalid_attribute_value_is_an_error() {
        for (json, said) in [
            (r#"{"a":{}}"#, "without a type"),
            (r#"{"a":{"X":"1"}}"#, "unknown variant `X`"),
            (r#"{"a":{"S":"1","N":"1"}}"#, "of two types, S and N"),
            (r#"{"a":{"B":"%"}}"#, "base64"),
            (r#"{"a":"1"}"#, r#"such as {"S": "text"}"#),
        ] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains(said), "{json}: {error}");
        }
    }

    #[test]
    fn items_of_32_levels_are_read() {
        let (open, close) = (r#"{"M":{"a":"#.repeat(32), "}}".repeat(32));
        assert!(read(&format!(r#"{{"a":{open}{{"S":"x"}}{close}}}"#)).is_ok());
        // Deeper than anything DynamoDB stores: refused by the JSON parser, without using up the
        // stack.
        let (open, close) = (r#"{"M":{"a":"#.repeat(90_000), "}}".repeat(90_000));
        assert!(read(&format!(r#"{{"a":{open}{{"S":"x"}}{close}}}"#)).is_err());
    }
}
