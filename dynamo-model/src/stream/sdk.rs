//! Conversion of the SDK's records. The SDK's crate for streams has separate types for the same
//! data.

use super::record::{EventName, StreamRecord, is_ttl, view};
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::wire::Item;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_dynamodbstreams::types::{AttributeValue as Streamed, OperationType, Record};
use std::collections::HashMap;
use std::time::SystemTime;

/// ```
/// use aws_sdk_dynamodbstreams::types::{AttributeValue, OperationType, Record, StreamRecord};
///
/// let body = StreamRecord::builder()
///     .keys("PK", AttributeValue::S("USER#u1".into()))
///     .sequence_number("111")
///     .build();
/// let record = Record::builder().event_name(OperationType::Remove).dynamodb(body).build();
/// let record = dynamo_model::stream::StreamRecord::try_from(record)?;
/// assert_eq!(record.sequence_number, "111");
/// # Ok::<(), dynamo_model::Error>(())
/// ```
impl TryFrom<Record> for StreamRecord {
    type Error = Error;

    /// Converts a record. Fails for a record without a body, or of an unknown operation.
    fn try_from(record: Record) -> Result<Self, Error> {
        let event_name = match record.event_name {
            Some(OperationType::Insert) => EventName::Insert,
            Some(OperationType::Modify) => EventName::Modify,
            Some(OperationType::Remove) => EventName::Remove,
            _ => return Err(unreadable("eventName")),
        };
        let body = record.dynamodb.ok_or_else(|| unreadable("dynamodb"))?;
        let created_at = body.approximate_creation_date_time;
        let identity = record.user_identity.as_ref();
        Ok(Self {
            event_id: record.event_id.unwrap_or_default(),
            event_name,
            sequence_number: body.sequence_number.unwrap_or_default(),
            created_at: created_at.and_then(|at| SystemTime::try_from(at).ok()),
            table_name: None,
            view: body.stream_view_type.and_then(|name| view(name.as_str())),
            by_ttl: identity.is_some_and(|it| is_ttl(it.r#type(), it.principal_id())),
            keys: body.keys.map(item).transpose()?.unwrap_or_default(),
            new: body.new_image.map(item).transpose()?,
            old: body.old_image.map(item).transpose()?,
        })
    }
}

#[cold]
fn unreadable(path: &str) -> Error {
    let context = ErrorContext {
        operation: "stream",
        entity: "a record",
        ..ErrorContext::default()
    };
    let reason = "missing, or unknown to this version of the SDK";
    let kind = ErrorKind::Decode { path: path.into() };
    Error::new(context, kind, Some(reason.into()))
}

fn item(image: HashMap<String, Streamed>) -> Result<Item, Error> {
    let attributes = image.into_iter();
    let attributes = attributes.map(|(name, streamed)| match value(streamed)? {
        Some(value) => Ok((name, value)),
        None => Err(unreadable(&name)),
    });
    attributes.collect()
}

/// Returns `None` for a type that the SDK does not know.
fn value(streamed: Streamed) -> Result<Option<AttributeValue>, Error> {
    Ok(Some(match streamed {
        Streamed::S(text) => AttributeValue::S(text),
        Streamed::N(number) => AttributeValue::N(number),
        Streamed::B(bytes) => AttributeValue::B(bytes),
        Streamed::Bool(value) => AttributeValue::Bool(value),
        Streamed::Null(value) => AttributeValue::Null(value),
        Streamed::Ss(texts) => AttributeValue::Ss(texts),
        Streamed::Ns(numbers) => AttributeValue::Ns(numbers),
        Streamed::Bs(values) => AttributeValue::Bs(values),
        Streamed::M(values) => AttributeValue::M(item(values)?),
        Streamed::L(values) => {
            let values = values.into_iter().map(value);
            match values.collect::<Result<Option<_>, _>>()? {
                Some(values) => AttributeValue::L(values),
                None => return Ok(None),
            }
        }
        _ => return Ok(None),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ten_types_are_read() {
        let text = || "1".to_owned();
        let bytes = || vec![0, 255];
        let types = [
            (Streamed::S(text()), AttributeValue::S(text())),
            (Streamed::N(text()), AttributeValue::N(text())),
            (
                Streamed::B(bytes().into()),
                AttributeValue::B(bytes().into()),
            ),
            (Streamed::Bool(true), AttributeValue::Bool(true)),
            (Streamed::Null(true), AttributeValue::Null(true)),
            (Streamed::Ss(vec![text()]), AttributeValue::Ss(vec![text()])),
            (Streamed::Ns(vec![text()]), AttributeValue::Ns(vec![text()])),
            (
                Streamed::Bs(vec![bytes().into()]),
                AttributeValue::Bs(vec![bytes().into()]),
            ),
        ];
        for (streamed, expected) in types {
            let list = Streamed::L(vec![streamed.clone()]);
            let map = Streamed::M([(text(), streamed.clone())].into());
            assert_eq!(value(streamed).unwrap(), Some(expected.clone()));
            let expected_map = AttributeValue::M([(text(), expected.clone())].into());
            assert_eq!(value(map).unwrap(), Some(expected_map));
            let expected_list = AttributeValue::L(vec![expected]);
            assert_eq!(value(list).unwrap(), Some(expected_list));
        }
    }
}
