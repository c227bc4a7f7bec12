//! The SDK's own values.

use super::{Number, NumberError, Value};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

impl From<Value> for AttributeValue {
    fn from(value: Value) -> Self {
        match value {
            Value::S(text) => Self::S(text),
            Value::N(number) => Self::N(number.into_string()),
            Value::B(bytes) => Self::B(Blob::new(bytes)),
            Value::Bool(value) => Self::Bool(value),
            Value::Null => Self::Null(true),
            Value::M(entries) => {
                let entries = entries.into_iter();
                Self::M(entries.map(|(name, it)| (name, it.into())).collect())
            }
            Value::L(elements) => Self::L(elements.into_iter().map(Into::into).collect()),
            Value::Ss(set) => Self::Ss(set.into_iter().collect()),
            Value::Ns(set) => Self::Ns(set.into_iter().map(Number::into_string).collect()),
            Value::Bs(set) => Self::Bs(set.into_iter().map(Blob::new).collect()),
        }
    }
}

/// Fails on an N or NS that is not a number within DynamoDB's limits.
impl TryFrom<AttributeValue> for Value {
    type Error = NumberError;

    fn try_from(value: AttributeValue) -> Result<Self, NumberError> {
        Ok(match value {
            AttributeValue::S(text) => Self::S(text),
            AttributeValue::N(number) => Self::N(number.try_into()?),
            AttributeValue::B(bytes) => Self::B(bytes.into_inner()),
            AttributeValue::Bool(value) => Self::Bool(value),
            AttributeValue::M(entries) => {
                let entries = entries.into_iter();
                let entries = entries.map(|(name, value)| Ok((name, value.try_into()?)));
                Self::M(entries.collect::<Result<_, NumberError>>()?)
            }
            AttributeValue::L(elements) => {
                let elements = elements.into_iter().map(Self::try_from);
                Self::L(elements.collect::<Result<_, _>>()?)
            }
            AttributeValue::Ss(set) => Self::Ss(set.into_iter().collect()),
            AttributeValue::Ns(set) => {
                let set = set.into_iter().map(Number::try_from);
                Self::Ns(set.collect::<Result<_, _>>()?)
            }
            AttributeValue::Bs(set) => Self::Bs(set.into_iter().map(Blob::into_inner).collect()),
            // A type that this version of the SDK does not know is never read here.
            _ => Self::Null,
        })
    }
}
