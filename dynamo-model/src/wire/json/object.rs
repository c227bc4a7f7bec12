//! The JSON of a request, field by field.

use super::text::push_quoted;
use super::{attribute, float};
use crate::key::KeyValue;
use crate::schema::TableSchema;
use crate::wire::{Item, ItemKey, RawItem};
use aws_sdk_dynamodb::types::AttributeValue;

/// Writes an object.
#[derive(Debug)]
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl<'o> Object<'o> {
    /// Writes a whole object.
    pub(crate) fn write(out: &'o mut Vec<u8>, fields: impl FnOnce(&mut Self)) {
        out.push(b'{');
        let mut this = Self { out, first: true };
        fields(&mut this);
        this.out.push(b'}');
    }

    /// Returns the body of a request, with room for most requests.
    pub(crate) fn body(room: usize, fields: impl FnOnce(&mut Object<'_>)) -> Vec<u8> {
        let mut out = Vec::with_capacity(room);
        Object::write(&mut out, fields);
        out
    }

    /// Writes a name of DynamoDB, which needs no escaping.
    fn name(&mut self, name: &'static str) -> &mut Vec<u8> {
        self.comma();
        self.out.reserve(name.len() + 3);
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    /// Writes an alias: a kind, and its number.
    fn alias(&mut self, kind: &'static str, at: usize) -> &mut Vec<u8> {
        self.comma();
        self.out.push(b'"');
        self.out.extend_from_slice(kind.as_bytes());
        let mut digits = itoa::Buffer::new();
        self.out.extend_from_slice(digits.format(at).as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    /// Writes a name of the user.
    fn any_name(&mut self, name: &str) -> &mut Vec<u8> {
        self.comma();
        push_quoted(name, self.out);
        self.out.push(b':');
        self.out
    }

    fn comma(&mut self) {
        if !core::mem::take(&mut self.first) {
            self.out.push(b',');
        }
    }

    pub(crate) fn text(&mut self, name: &'static str, text: &str) {
        push_quoted(text, self.name(name));
    }

    /// Writes a text, if there is one.
    pub(crate) fn text_if(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    /// Writes the name of an alias.
    pub(crate) fn aliased(&mut self, kind: &'static str, at: usize, text: &str) {
        push_quoted(text, self.alias(kind, at));
    }

    /// Writes the value of an alias.
    pub(crate) fn aliased_value(&mut self, kind: &'static str, at: usize, value: &AttributeValue) {
        attribute::push_value(value, self.alias(kind, at));
    }

    pub(crate) fn item(&mut self, name: &'static str, item: &Item) {
        attribute::push_item(item, self.name(name));
    }

    /// Writes an array of items or keys.
    pub(crate) fn items(&mut self, name: &'static str, items: &[Item]) {
        attribute::push_list(items, self.name(name), attribute::push_item);
    }

    /// Writes one half of a key.
    fn key_value(&mut self, name: &str, value: &KeyValue) {
        attribute::push_key(value.as_ref(), self.any_name(name));
    }

    /// Writes the key of an item.
    pub(crate) fn key(&mut self, name: &'static str, schema: &TableSchema, key: &ItemKey) {
        Object::write(self.name(name), |object| {
            object.key_value(schema.pk.name, key.pk());
            if let (Some(attribute), Some(sk)) = (schema.sk, key.sk()) {
                object.key_value(attribute.name, sk);
            }
        });
    }

    /// Requests the consumed capacity.
    pub(crate) fn capacity(&mut self, is_wanted: bool) {
        if is_wanted {
            self.text("ReturnConsumedCapacity", "TOTAL");
        }
    }

    pub(crate) fn number(&mut self, name: &'static str, number: i32) {
        let mut buffer = itoa::Buffer::new();
        let text = buffer.format(number);
        self.name(name).extend_from_slice(text.as_bytes());
    }

    /// An array of numbers, as a search has its vector. The floats are finite.
    pub(crate) fn floats(&mut self, name: &'static str, floats: &[f32]) {
        let out = self.name(name);
        let mut open = b'[';
        for float in floats {
            out.push(open);
            out.extend_from_slice(b"{\"N\":\"");
            out.extend_from_slice(float::shortest(&mut float::Digits::new(), *float));
            out.extend_from_slice(b"\"}");
            open = b',';
        }
        if floats.is_empty() {
            out.push(b'[');
        }
        out.push(b']');
    }

    /// Writes `true`, or omits the field.
    pub(crate) fn flag(&mut self, name: &'static str, is_set: bool) {
        if is_set {
            self.name(name).extend_from_slice(b"true");
        }
    }

    /// Writes `false`.
    pub(crate) fn flag_not(&mut self, name: &'static str) {
        self.name(name).extend_from_slice(b"false");
    }

    pub(crate) fn stored(&mut self, name: &'static str, item: &RawItem) {
        item.push(self.name(name));
    }

    pub(crate) fn object(&mut self, name: &'static str, fields: impl FnOnce(&mut Object<'_>)) {
        Object::write(self.name(name), fields);
    }

    /// Writes an object under a name of the user.
    pub(crate) fn any_object(&mut self, name: &str, fields: impl FnOnce(&mut Object<'_>)) {
        Object::write(self.any_name(name), fields);
    }

    /// Writes an array of objects.
    pub(crate) fn objects<T>(
        &mut self,
        name: &str,
        elements: impl IntoIterator<Item = T>,
        fields: impl Fn(T, &mut Object<'_>),
    ) {
        let out = self.any_name(name);
        out.push(b'[');
        for (i, element) in elements.into_iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            Object::write(out, |object| fields(element, object));
        }
        out.push(b']');
    }
}
