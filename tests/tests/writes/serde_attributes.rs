//! Serde attributes that round-trip. Those that do not are in `ui/serde`: they do not compile.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, KeyPart};
use serde::{Deserialize, Deserializer, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

/// Checked when it is read, through the type that it wraps.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(into = "String", try_from = "String")]
struct Code(String);

impl From<Code> for String {
    fn from(code: Code) -> Self {
        code.0
    }
}

impl TryFrom<String> for Code {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let short = text.len() < 10;
        short.then_some(Self(text)).ok_or("a code is short")
    }
}

mod hex {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{value:x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
    }
}

fn lenient<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

fn rounded<S: serde::Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(value.round())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App)]
#[pk("CODE#<code>")]
#[sk("COLOR#<color:08>")]
#[serde(rename_all(serialize = "camelCase", deserialize = "camelCase"))]
struct Paint {
    code: Code,
    #[serde(with = "hex")]
    color: u64,
    #[serde(deserialize_with = "lenient")]
    paint_name: String,
    #[serde(
        serialize_with = "rounded",
        deserialize_with = "serde::Deserialize::deserialize"
    )]
    price: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", alias = "labels")]
    tags: Vec<String>,
    #[serde(skip_serializing, skip_deserializing)]
    cached: u32,
}

/// Finding: "`with` on a key" fails where the key attribute is the field itself, and works
/// where the field is a part of a template: the key has the field's own form, the attribute that of
/// the function.
#[tokio::test]
async fn serde_attributes_that_round_trip_are_stored_and_read_back() -> Outcome {
    let db = support::db::<App>().await;
    let paint = Paint {
        code: Code("c1".into()),
        color: 255,
        paint_name: "sky".into(),
        price: 3.0,
        note: None,
        tags: Vec::new(),
        cached: 0,
    };
    paint.create().send(&db).await?;
    let stored = raw(&db, Paint::key("c1", 255_u64)).await?.unwrap();
    assert_eq!(stored["SK"], AttributeValue::S("COLOR#00000255".into()));
    assert_eq!(stored["color"], AttributeValue::S("ff".into()));
    assert_eq!(stored["code"], AttributeValue::S("c1".into()));

    let read = Paint::get("c1", 255_u64).send(&db).await?.unwrap();
    assert_eq!(read, paint);
    let update = read.update().set(|paint| paint.paint_name(), "sea");
    update.send(&db).await?;
    let found = Paint::query("c1").color_in(200..300).all(&db).await?;
    assert_eq!(found[0].paint_name, "sea");
    Ok(())
}
