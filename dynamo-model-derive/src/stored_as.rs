//! The stored form of a field with a serde function, as far as the declaration shows it.

use syn::Path;

/// The form of an attribute that a function writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoredAs {
    /// The declaration does not show it.
    Unknown,
    Number,
    /// A number equal to the field's own value, so that `add` works.
    ExactNumber,
    /// Text that sorts as the values do.
    Text,
    Bytes,
    /// A set or list whose elements serde writes without a function.
    Elements,
    /// The declaration has another error, so this rule reports nothing.
    Anything,
}

/// The words of `#[dynamo(sorts_as = …)]`.
pub(crate) const SORTS_AS: &[&str] = &["number", "text", "bytes"];

/// The functions whose form is documented, by full path. `docs/data-rules.md` has the same list.
const KNOWN: &[(&str, StoredAs)] = &[
    ("dynamo_model::format::decimal", StoredAs::ExactNumber),
    ("dynamo_model::format::epoch_seconds", StoredAs::Number),
    ("dynamo_model::format::epoch_millis", StoredAs::Number),
    ("dynamo_model::format::epoch_micros", StoredAs::Number),
    ("dynamo_model::format::epoch_nanos", StoredAs::Number),
    ("dynamo_model::format::rfc3339_seconds", StoredAs::Text),
    ("dynamo_model::format::rfc3339_millis", StoredAs::Text),
    ("dynamo_model::format::rfc3339_micros", StoredAs::Text),
    ("dynamo_model::format::rfc3339_nanos", StoredAs::Text),
    ("chrono::serde::ts_seconds", StoredAs::Number),
    ("chrono::serde::ts_seconds_option", StoredAs::Number),
    ("chrono::serde::ts_milliseconds", StoredAs::Number),
    ("chrono::serde::ts_milliseconds_option", StoredAs::Number),
    ("chrono::serde::ts_microseconds", StoredAs::Number),
    ("chrono::serde::ts_microseconds_option", StoredAs::Number),
    ("chrono::serde::ts_nanoseconds", StoredAs::Number),
    ("chrono::serde::ts_nanoseconds_option", StoredAs::Number),
    (
        "jiff::fmt::serde::timestamp::second::required",
        StoredAs::Number,
    ),
    (
        "jiff::fmt::serde::timestamp::second::optional",
        StoredAs::Number,
    ),
    (
        "jiff::fmt::serde::timestamp::millisecond::required",
        StoredAs::Number,
    ),
    (
        "jiff::fmt::serde::timestamp::millisecond::optional",
        StoredAs::Number,
    ),
    (
        "jiff::fmt::serde::timestamp::microsecond::required",
        StoredAs::Number,
    ),
    (
        "jiff::fmt::serde::timestamp::microsecond::optional",
        StoredAs::Number,
    ),
    (
        "jiff::fmt::serde::timestamp::nanosecond::required",
        StoredAs::Number,
    ),
    (
        "jiff::fmt::serde::timestamp::nanosecond::optional",
        StoredAs::Number,
    ),
    ("time::serde::timestamp", StoredAs::Number),
    ("time::serde::timestamp::option", StoredAs::Number),
    ("time::serde::timestamp::milliseconds", StoredAs::Number),
    (
        "time::serde::timestamp::milliseconds::option",
        StoredAs::Number,
    ),
    ("time::serde::timestamp::microseconds", StoredAs::Number),
    (
        "time::serde::timestamp::microseconds::option",
        StoredAs::Number,
    ),
    ("time::serde::timestamp::nanoseconds", StoredAs::Number),
    (
        "time::serde::timestamp::nanoseconds::option",
        StoredAs::Number,
    ),
    ("serde_bytes", StoredAs::Bytes),
    ("serde_dynamo::string_set", StoredAs::Elements),
    ("serde_dynamo::number_set", StoredAs::Elements),
    ("serde_dynamo::binary_set", StoredAs::Elements),
    ("uuid::serde::hyphenated", StoredAs::Text),
    ("uuid::serde::simple", StoredAs::Text),
];

impl StoredAs {
    /// Returns the form by a word of `sorts_as`.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        match word {
            "number" => Some(Self::Number),
            "text" => Some(Self::Text),
            "bytes" => Some(Self::Bytes),
            _ => None,
        }
    }

    /// Returns the form by a serde function. `#[dynamo(crate = …)]` names a renamed crate.
    pub(crate) fn of_function(function: &Path, krate: Option<&Path>) -> Self {
        let module = Self::own_name(&module(function), krate);
        let mut known = KNOWN.iter().filter(|(path, _)| *path == module);
        known.next().map_or(Self::Unknown, |(_, form)| *form)
    }
}

impl StoredAs {
    /// Returns the path of a function under this crate's own name.
    pub(crate) fn own_name(module: &str, krate: Option<&Path>) -> String {
        let own = krate.map(|krate| format!("{}::", text(krate)));
        match own.and_then(|own| module.strip_prefix(&own).map(str::to_owned)) {
            Some(rest) => format!("dynamo_model::{rest}"),
            None => module.to_owned(),
        }
    }
}

/// The module or function that the user wrote after `with =`.
pub(crate) fn module(function: &Path) -> String {
    let text = text(function);
    text.strip_suffix("::serialize").unwrap_or(&text).to_owned()
}

fn text(path: &Path) -> String {
    let segments = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string());
    segments.collect::<Vec<_>>().join("::")
}
