//! The form in which a field with a function of serde's is stored, as far as the declaration tells.

use syn::Path;

/// The form of an attribute that a function writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoredAs {
    /// Nothing tells.
    Unknown,
    Number,
    /// A number that is the field's own value, so that it can be added to.
    ExactNumber,
    /// Text that sorts as the values do.
    Text,
    Bytes,
    /// A set or list whose elements serde writes without a function.
    Elements,
    /// The declaration has an error of its own, so nothing else is to be refused.
    Anything,
}

/// The words of `#[dynamo(sorts_as = …)]`.
pub(crate) const SORTS_AS: &[&str] = &["number", "text", "bytes"];

/// The functions whose form is documented, by their whole path: `docs/data-rules.md` has the same list.
const KNOWN: &[(&str, StoredAs)] = &[
    ("dynamo_model::decimal", StoredAs::ExactNumber),
    ("dynamo_model::epoch_seconds", StoredAs::Number),
    ("dynamo_model::epoch_millis", StoredAs::Number),
    ("dynamo_model::epoch_micros", StoredAs::Number),
    ("dynamo_model::epoch_nanos", StoredAs::Number),
    ("dynamo_model::rfc3339_seconds", StoredAs::Text),
    ("dynamo_model::rfc3339_millis", StoredAs::Text),
    ("dynamo_model::rfc3339_micros", StoredAs::Text),
    ("dynamo_model::rfc3339_nanos", StoredAs::Text),
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
    /// By a word of `sorts_as`.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        match word {
            "number" => Some(Self::Number),
            "text" => Some(Self::Text),
            "bytes" => Some(Self::Bytes),
            _ => None,
        }
    }

    /// By a function of serde's; the crate under another name is told by `#[dynamo(crate = …)]`.
    pub(crate) fn of_function(function: &Path, krate: Option<&Path>) -> Self {
        let module = module(function);
        let own = krate.map(|krate| format!("{}::", text(krate)));
        let module = match own.and_then(|own| module.strip_prefix(&own).map(str::to_owned)) {
            Some(rest) => format!("dynamo_model::{rest}"),
            None => module,
        };
        let mut known = KNOWN.iter().filter(|(path, _)| *path == module);
        known.next().map_or(Self::Unknown, |(_, form)| *form)
    }
}

/// What the user wrote after `with =`: the module, or the function of another name.
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
