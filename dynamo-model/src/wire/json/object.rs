//! The JSON of a request, field by field.

use super::attribute;
use super::text::push_quoted;
use crate::wire::{Item, Stored};
use aws_sdk_dynamodb::types::AttributeValue;

/// An object that is being written.
#[derive(Debug)]
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl<'o> Object<'o> {
    /// A whole object.
    pub(crate) fn write(out: &'o mut Vec<u8>, fields: impl FnOnce(&mut Self)) {
        out.push(b'{');
        let mut this = Self { out, first: true };
        fields(&mut this);
        this.out.push(b'}');
    }

    fn name(&mut self, name: &str) -> &mut Vec<u8> {
        if !core::mem::take(&mut self.first) {
            self.out.push(b',');
        }
        push_quoted(name, self.out);
        self.out.push(b':');
        self.out
    }

    pub(crate) fn text(&mut self, name: &str, text: &str) {
        push_quoted(text, self.name(name));
    }

    /// A text, where there is one.
    pub(crate) fn text_if(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    pub(crate) fn value(&mut self, name: &str, value: &AttributeValue) {
        attribute::push_value(value, self.name(name));
    }

    pub(crate) fn item(&mut self, name: &str, item: &Item) {
        attribute::push_item(item, self.name(name));
    }

    pub(crate) fn stored(&mut self, name: &str, item: &Stored) {
        item.push(self.name(name));
    }

    pub(crate) fn object(&mut self, name: &str, fields: impl FnOnce(&mut Object<'_>)) {
        Object::write(self.name(name), fields);
    }

    /// An array of objects.
    pub(crate) fn objects<T>(
        &mut self,
        name: &str,
        elements: impl IntoIterator<Item = T>,
        fields: impl Fn(T, &mut Object<'_>),
    ) {
        let out = self.name(name);
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
