//! DynamoDB JSON ⇄ the SDK's values: for keys, for values of expressions, and for items as maps.

use super::read::{Kind, Reader, Twice};
use super::text::push_quoted;
use crate::key::KeyRef;
use crate::wire::Item;
use crate::wire::reason::Reason;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_types::base64;
use std::collections::HashMap;

/// Reads the next value.
pub(crate) fn read_value(reader: &mut Reader<'_>) -> Result<AttributeValue, Reason> {
    let value = match reader.open()? {
        Kind::S => AttributeValue::S(reader.string()?.into_owned()),
        Kind::N => AttributeValue::N(reader.string()?.into_owned()),
        Kind::B => AttributeValue::B(Blob::new(reader.bytes()?)),
        Kind::Bool => AttributeValue::Bool(reader.boolean()?),
        Kind::Null => AttributeValue::Null(reader.boolean()?),
        Kind::M => AttributeValue::M(reader.nested(read_item)?),
        Kind::L => AttributeValue::L(read_list(reader, read_value)?),
        Kind::Ss => AttributeValue::Ss(read_list(reader, |it| Ok(it.string()?.into_owned()))?),
        Kind::Ns => AttributeValue::Ns(read_list(reader, |it| Ok(it.string()?.into_owned()))?),
        Kind::Bs => AttributeValue::Bs(read_list(reader, |it| Ok(Blob::new(it.bytes()?)))?),
    };
    reader.scan.expect(b'}')?;
    Ok(value)
}

/// Reads the next item or map.
pub(crate) fn read_item(reader: &mut Reader<'_>) -> Result<Item, Reason> {
    let (mut item, mut first) = (HashMap::new(), true);
    reader.scan.expect(b'{')?;
    while let Some(name) = reader.name(&mut first)? {
        if reader.twice == Twice::Refused && item.contains_key(&*name) {
            return Err(Reason::other(format!("`{name}` is there twice")));
        }
        item.insert(name.into_owned(), read_value(reader)?);
    }
    Ok(item)
}

fn read_list<T>(
    reader: &mut Reader<'_>,
    element: impl Fn(&mut Reader<'_>) -> Result<T, Reason>,
) -> Result<Vec<T>, Reason> {
    reader.nested(|reader| {
        let (mut list, mut first) = (Vec::new(), true);
        reader.scan.expect(b'[')?;
        while reader.scan.more(b']', &mut first)? {
            list.push(element(reader)?);
        }
        Ok(list)
    })
}

/// Appends a value, in its braces.
pub(crate) fn push_value(value: &AttributeValue, out: &mut Vec<u8>) {
    match value {
        AttributeValue::S(text) => push_typed(b"{\"S\":", out, |out| push_quoted(text, out)),
        AttributeValue::N(number) => push_typed(b"{\"N\":", out, |out| push_quoted(number, out)),
        AttributeValue::B(blob) => {
            push_typed(b"{\"B\":", out, |out| push_bytes(blob.as_ref(), out));
        }
        AttributeValue::Bool(true) => out.extend_from_slice(b"{\"BOOL\":true}"),
        AttributeValue::Bool(false) => out.extend_from_slice(b"{\"BOOL\":false}"),
        AttributeValue::Null(false) => out.extend_from_slice(b"{\"NULL\":false}"),
        AttributeValue::M(map) => push_typed(b"{\"M\":", out, |out| push_item(map, out)),
        AttributeValue::L(list) => {
            push_typed(b"{\"L\":", out, |out| push_list(list, out, push_value));
        }
        AttributeValue::Ss(texts) => {
            push_typed(b"{\"SS\":", out, |out| push_texts(texts, out));
        }
        AttributeValue::Ns(numbers) => {
            push_typed(b"{\"NS\":", out, |out| push_texts(numbers, out));
        }
        AttributeValue::Bs(blobs) => push_typed(b"{\"BS\":", out, |out| {
            push_list(blobs, out, |blob, out| push_bytes(blob.as_ref(), out));
        }),
        // A type that this version of the SDK does not know is never created here.
        _ => out.extend_from_slice(b"{\"NULL\":true}"),
    }
}

/// Appends a half of a key.
pub(crate) fn push_key(value: KeyRef<'_>, out: &mut Vec<u8>) {
    match value {
        KeyRef::S(text) => push_typed(b"{\"S\":", out, |out| push_quoted(text, out)),
        KeyRef::N(number) => push_typed(b"{\"N\":", out, |out| push_quoted(number, out)),
        KeyRef::B(bytes) => push_typed(b"{\"B\":", out, |out| push_bytes(bytes, out)),
    }
}

/// Appends an item or map.
pub(crate) fn push_item(item: &Item, out: &mut Vec<u8>) {
    push_entries(item.iter().map(|(name, value)| (name.as_str(), value)), out);
}

/// Appends a map of these.
pub(crate) fn push_entries<'a>(
    entries: impl Iterator<Item = (&'a str, &'a AttributeValue)>,
    out: &mut Vec<u8>,
) {
    out.push(b'{');
    for (i, (name, value)) in entries.enumerate() {
        if i > 0 {
            out.push(b',');
        }
        push_quoted(name, out);
        out.push(b':');
        push_value(value, out);
    }
    out.push(b'}');
}

pub(super) fn push_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(base64::encode(bytes).as_bytes());
    out.push(b'"');
}

fn push_typed(open: &[u8], out: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(open);
    content(out);
    out.push(b'}');
}

fn push_texts(texts: &[String], out: &mut Vec<u8>) {
    push_list(texts, out, |text, out| push_quoted(text, out));
}

pub(super) fn push_list<T>(list: &[T], out: &mut Vec<u8>, element: impl Fn(&T, &mut Vec<u8>)) {
    out.push(b'[');
    for (i, value) in list.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        element(value, out);
    }
    out.push(b']');
}
