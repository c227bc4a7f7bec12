//! Expressions: conditions and filters, typed on the outside, text with aliases on the inside.
//!
//! User names and values never occur in the text of an expression: each is an alias (`#n0`, `:v0`),
//! so none can be mistaken for syntax or a reserved word.

pub(crate) mod change;
mod condition;
pub(crate) mod encoded;
pub(crate) mod free_form;
pub(crate) mod number;
mod operand;
mod path;
mod raw_path;
pub(crate) mod types;
pub(crate) mod update;

pub use change::{ByKey, KeySlot, List, Loaded, NestedField, SetOf, Slot};
pub(crate) use condition::Term;
pub use condition::{Condition, IntoCondition};
pub use encoded::Encoded;
pub use free_form::ValueType;
pub use number::{NumberRange, Numeric};
pub use operand::{AsEntryName, AsOperand};
pub use path::{Nested, Path, Size};
pub(crate) use raw_path::{RawPath, Step};
pub use types::{HasBeginning, HasElement, HasEntry, HasPosition, HasSize, Ordered};

use crate::wire::Object;
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::collections::HashMap;

/// The aliases of one request.
#[derive(Debug, Default, Clone)]
pub(crate) struct Aliases {
    names: Vec<Cow<'static, str>>,
    values: Vec<AttributeValue>,
    /// Which of the values are sensitive.
    hidden: Vec<usize>,
    /// Which of the names are: those of entries of sensitive maps.
    hidden_names: Vec<usize>,
}

/// Writes `#n0`.
fn push_alias(kind: &str, at: usize, out: &mut String) {
    out.push_str(kind);
    out.push_str(itoa::Buffer::new().format(at));
}

impl Aliases {
    /// Returns the number of a name's alias. Each name has one alias.
    fn of_name(&mut self, name: &str, own: impl FnOnce() -> Cow<'static, str>) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(own());
            self.names.len() - 1
        })
    }

    /// Returns the alias of a name.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let mut text = String::with_capacity(8);
        self.push_name(name, &mut text);
        text
    }

    pub(crate) fn push_name(&mut self, name: &str, out: &mut String) {
        let at = self.of_name(name, || Cow::Owned(name.to_owned()));
        push_alias("#n", at, out);
    }

    /// Writes the alias of a map entry's name. No log shows a hidden name.
    pub(crate) fn push_entry(&mut self, name: &str, hidden: bool, out: &mut String) {
        let at = self.of_name(name, || Cow::Owned(name.to_owned()));
        if hidden {
            self.hidden_names.push(at);
        }
        push_alias("#n", at, out);
    }

    /// Returns the alias of a declared name, which is not copied.
    pub(crate) fn push_declared(&mut self, name: &'static str, out: &mut String) {
        let at = self.of_name(name, || Cow::Borrowed(name));
        push_alias("#n", at, out);
    }

    pub(crate) fn value(&mut self, value: AttributeValue) -> String {
        let mut text = String::with_capacity(8);
        self.push_value(value, false, &mut text);
        text
    }

    /// Adds a value, and whether logs may not show it. Writes its alias.
    pub(crate) fn push_value(&mut self, value: AttributeValue, hidden: bool, out: &mut String) {
        let at = self.values.len();
        if hidden {
            self.hidden.push(at);
        }
        self.values.push(value);
        push_alias(":v", at, out);
    }

    /// Replaces the first value.
    pub(crate) fn replace_first(&mut self, value: AttributeValue) {
        if let Some(first) = self.values.first_mut() {
            *first = value;
        }
    }

    pub(crate) fn hidden(&self) -> Vec<String> {
        let values = self.hidden.iter().map(|i| format!(":v{i}"));
        let names = self.hidden_names.iter().map(|i| format!("#n{i}"));
        values.chain(names).collect()
    }

    /// Returns the alias of every value.
    pub(crate) fn of_values(&self) -> Vec<String> {
        (0..self.values.len()).map(|i| format!(":v{i}")).collect()
    }

    /// Writes names and values as a request has them.
    pub(crate) fn describe(&self, request: &mut Object<'_>) {
        if !self.names.is_empty() {
            request.object("ExpressionAttributeNames", |names| {
                for (i, name) in self.names.iter().enumerate() {
                    names.aliased("#n", i, name);
                }
            });
        }
        if !self.values.is_empty() {
            request.object("ExpressionAttributeValues", |values| {
                for (i, value) in self.values.iter().enumerate() {
                    values.aliased_value(":v", i, value);
                }
            });
        }
    }

    pub(crate) fn names(&self) -> Option<HashMap<String, String>> {
        let names = self.names.iter().enumerate();
        let names: HashMap<_, _> = names
            .map(|(i, name)| (format!("#n{i}"), name.to_string()))
            .collect();
        (!names.is_empty()).then_some(names)
    }

    pub(crate) fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        let values = self.values.iter().enumerate();
        let values: HashMap<_, _> = values
            .map(|(i, value)| (format!(":v{i}"), value.clone()))
            .collect();
        (!values.is_empty()).then_some(values)
    }
}
