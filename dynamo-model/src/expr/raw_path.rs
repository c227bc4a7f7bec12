//! A path without its type: the steps to an attribute, or to something within one.

use crate::schema::form::Form;
use crate::wire::Item;
use crate::wire::set::{binary, set_of};
use aws_sdk_dynamodb::types::AttributeValue;

/// The steps of a path, from the attribute inwards. Almost every path is one declared name, which
/// does not allocate.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct RawPath {
    first: Step,
    rest: Vec<Step>,
    /// The stored form of its target.
    form: Form,
    /// Whether its target is an `Option` field: NULL counts as absent.
    optional: bool,
    /// Whether that field stores `None` as NULL.
    null: Null,
    /// Other names that the field is read under, in the same map: `#[serde(alias = "…")]`.
    old_names: Vec<&'static str>,
    /// Why it is unusable: an entry of a map was given without a name.
    broken: Option<Box<str>>,
}

/// Which fields that are `None` are stored as NULL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// None of them.
    Omitted,
    /// The field itself.
    Stored,
    /// The field, and all fields in it.
    Everywhere,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A declared attribute or field.
    Name(&'static str),
    /// Hidden: values compared with this path are sensitive.
    Hidden,
    /// A name that no declaration has.
    Key(String),
    Index(usize),
}

impl RawPath {
    pub(crate) fn then(mut self, step: Step) -> Self {
        let name = match &step {
            Step::Hidden => None,
            Step::Name(name) => Some(*name),
            Step::Key(name) => Some(name.as_str()),
            Step::Index(_) => Some(""),
        };
        if let Some(name) = name {
            let (form, null) = match self.form {
                Form::Fields(_) => self.form.field(name),
                _ => (self.form.each(), false),
            };
            self.form = form;
            self.optional = false;
            self.old_names = Vec::new();
            self.null = match (self.null, null) {
                (Null::Everywhere, _) => Null::Everywhere,
                (_, true) => Null::Stored,
                (_, false) => Null::Omitted,
            };
        }
        self.rest.push(step);
        self
    }

    /// Adds an entry of a map, by its name; a key without a name makes the path unusable.
    pub(crate) fn then_entry(mut self, name: Result<String, String>) -> Self {
        match name {
            Ok(name) if name.is_empty() => {
                self.broken = Some("the name of an entry is empty".into());
            }
            Ok(name) => return self.then(Step::Key(name)),
            Err(reason) => self.broken = Some(reason.into()),
        }
        self
    }

    /// Returns why it is unusable.
    pub(crate) fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    pub(crate) fn optional(mut self, optional: bool) -> Self {
        self.optional |= optional;
        self
    }

    pub(crate) fn formed(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    pub(crate) fn nulls(mut self, null: Null) -> Self {
        self.null = null;
        self
    }

    pub(crate) fn with_old_names(mut self, names: Vec<&'static str>) -> Self {
        self.old_names = names;
        self
    }

    /// Returns the old names of the field at the end of the path.
    pub(crate) fn old_names(&self) -> &[&'static str] {
        &self.old_names
    }

    /// Returns the paths to the same field under its old names.
    pub(crate) fn old_paths(&self) -> impl Iterator<Item = Self> {
        self.old_names.iter().map(|old| {
            let mut path = self.clone();
            path.old_names = Vec::new();
            let mut rest = path.rest.iter_mut().rev();
            let last = rest.find(|step| **step != Step::Hidden);
            *last.unwrap_or(&mut path.first) = Step::Name(old);
            path
        })
    }

    /// Returns the attribute, if the path leads to a whole one.
    pub(crate) fn whole(&self) -> Option<&str> {
        let is_whole = self.rest.iter().all(|step| *step == Step::Hidden);
        match &self.first {
            Step::Name(name) if is_whole => Some(name),
            Step::Key(name) if is_whole => Some(name),
            _ => None,
        }
    }

    /// Returns whether its target is an `Option` field.
    pub(crate) fn is_optional(&self) -> bool {
        self.optional
    }

    /// Returns whether that field stores `None` as NULL.
    pub(crate) fn stores_null(&self) -> bool {
        self.null != Null::Omitted
    }

    /// Returns a value in the stored form of its target; `None` if it is stored as absent: an
    /// optional field that is `None`, or an empty set.
    pub(crate) fn finish(&self, value: AttributeValue) -> Option<AttributeValue> {
        let everywhere = self.null == Null::Everywhere;
        match value {
            AttributeValue::Null(_) if self.optional && !self.stores_null() => None,
            value => finish(value, self.form, everywhere),
        }
    }

    /// Returns an element in the form of the set or list.
    pub(crate) fn finish_element(&self, element: AttributeValue) -> AttributeValue {
        match self.form {
            Form::ByteSet => binary(element),
            form => {
                let everywhere = self.null == Null::Everywhere;
                let empty = AttributeValue::L(Vec::new());
                finish(element, form.each(), everywhere).unwrap_or(empty)
            }
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Step> {
        core::iter::once(&self.first).chain(&self.rest)
    }

    /// Returns whether its target must not reach a log.
    pub(crate) fn is_hidden(&self) -> bool {
        self.rest.contains(&Step::Hidden)
    }

    /// Returns its target in an item.
    pub(crate) fn find<'i>(&self, item: &'i Item) -> Option<&'i AttributeValue> {
        let mut steps = self.iter();
        let first = match steps.next()? {
            Step::Name(name) => item.get(*name)?,
            Step::Key(name) => item.get(name)?,
            Step::Hidden | Step::Index(_) => return None,
        };
        steps.try_fold(first, |value, step| match (step, value) {
            (Step::Hidden, value) => Some(value),
            (Step::Name(name), AttributeValue::M(map)) => map.get(*name),
            (Step::Key(name), AttributeValue::M(map)) => map.get(name),
            (Step::Index(at), AttributeValue::L(list)) => list.get(*at),
            _ => None,
        })
    }

    /// Returns the declared attribute at the beginning of the path.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.iter().find_map(|step| match step {
            Step::Name(name) => Some(*name),
            _ => None,
        })
    }
}

impl From<Step> for RawPath {
    fn from(first: Step) -> Self {
        Self {
            first,
            rest: Vec::new(),
            form: Form::Plain,
            optional: false,
            null: Null::Omitted,
            old_names: Vec::new(),
            broken: None,
        }
    }
}

/// Decides about fields that are `None`, which the writer marked, and makes sets of lists. An empty
/// set is absent.
fn finish(value: AttributeValue, form: Form, nulls: bool) -> Option<AttributeValue> {
    match value {
        AttributeValue::M(map) => {
            let entries = map.into_iter().filter_map(|(name, value)| {
                let (form, null) = match form {
                    Form::Fields(_) => form.field(&name),
                    form => (form.each(), false),
                };
                let value = match value {
                    AttributeValue::Null(false) if null || nulls => AttributeValue::Null(true),
                    AttributeValue::Null(false) => return None,
                    value => finish(value, form, nulls)?,
                };
                Some((name, value))
            });
            Some(AttributeValue::M(entries.collect()))
        }
        AttributeValue::L(list) if form.is_set() => {
            let set = (!list.is_empty()).then(|| set_of(list, form == Form::ByteSet));
            set.map(|set| set.unwrap_or_else(AttributeValue::L))
        }
        AttributeValue::L(list) => {
            let empty = || AttributeValue::L(Vec::new());
            let elements = list.into_iter();
            let elements = elements.map(|it| finish(it, form.each(), nulls).unwrap_or_else(empty));
            Some(AttributeValue::L(elements.collect()))
        }
        AttributeValue::Null(_) => Some(AttributeValue::Null(true)),
        value => Some(value),
    }
}

/// As displayed: the entry name of a sensitive map is also sensitive.
impl core::fmt::Debug for RawPath {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}

impl core::fmt::Display for RawPath {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&super::condition::shown_path(self))
    }
}
