//! Values of any DynamoDB type, for attributes whose type is unknown or must not change.

#[cfg(feature = "client")]
mod attribute_value;
mod convert;
#[cfg(all(feature = "client", feature = "rust_decimal"))]
pub(crate) mod decimal;
pub(crate) mod digits;
mod number;
pub(crate) mod rest;
#[cfg(feature = "client")]
pub(crate) mod serde;

pub use digits::NumberError;
pub use number::{NotAnInteger, Number};
pub use rest::Rest;

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

/// Any attribute, exactly as DynamoDB has it: one of its ten types.
///
/// As a field it reads any attribute and writes it unchanged: sets stay sets, numbers keep their
/// digits, NULL stays NULL. In JSON and other formats it is tagged with its type, as in DynamoDB
/// JSON: `{"N":"1.50"}`.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Value};
/// use std::collections::BTreeMap;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("EVENT#<id>")]
/// struct Event {
///     id: String,
///     details: BTreeMap<String, Value>,
/// }
///
/// let event = Event {
///     id: "e1".to_owned(),
///     details: BTreeMap::from([
///         ("color".to_owned(), Value::from("red")),
///         ("weight".to_owned(), Value::N("1.50".parse()?)),
///     ]),
/// };
/// assert_eq!(event.details["color"].as_str(), Some("red"));
/// assert_eq!(event.details["weight"].to_string(), "1.50");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Value {
    /// S: text.
    S(String),
    /// N: a number.
    N(Number),
    /// B: bytes.
    B(Vec<u8>),
    /// BOOL.
    Bool(bool),
    /// NULL.
    #[default]
    Null,
    /// M: a map.
    M(BTreeMap<String, Value>),
    /// L: a list.
    L(Vec<Value>),
    /// SS: a set of texts. DynamoDB does not store an empty set.
    Ss(BTreeSet<String>),
    /// NS: a set of numbers.
    Ns(BTreeSet<Number>),
    /// BS: a set of bytes.
    Bs(BTreeSet<Vec<u8>>),
}

impl Value {
    /// Returns the text of an S.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::S(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number of an N.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::N(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the bytes of a B.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::B(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the value of a BOOL.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns whether it is NULL.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the entries of an M.
    #[must_use]
    pub fn as_map(&self) -> Option<&BTreeMap<String, Value>> {
        match self {
            Self::M(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the elements of an L.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::L(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns an entry of an M.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_map()?.get(name)
    }

    /// Returns the elements of an SS.
    #[must_use]
    pub fn as_string_set(&self) -> Option<&BTreeSet<String>> {
        match self {
            Self::Ss(set) => Some(set),
            _ => None,
        }
    }

    /// Returns the elements of an NS.
    #[must_use]
    pub fn as_number_set(&self) -> Option<&BTreeSet<Number>> {
        match self {
            Self::Ns(set) => Some(set),
            _ => None,
        }
    }

    /// Returns the elements of a BS.
    #[must_use]
    pub fn as_binary_set(&self) -> Option<&BTreeSet<Vec<u8>>> {
        match self {
            Self::Bs(set) => Some(set),
            _ => None,
        }
    }

    /// Returns DynamoDB's name of its type: `S`, `N`, `B`, `BOOL`, `NULL`, `M`, `L`, `SS`, `NS` or
    /// `BS`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::S(_) => "S",
            Self::N(_) => "N",
            Self::B(_) => "B",
            Self::Bool(_) => "BOOL",
            Self::Null => "NULL",
            Self::M(_) => "M",
            Self::L(_) => "L",
            Self::Ss(_) => "SS",
            Self::Ns(_) => "NS",
            Self::Bs(_) => "BS",
        }
    }
}

/// For people: texts in quotes, bytes in hexadecimal digits, sets as `<…>`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::S(text) => write!(f, "{text:?}"),
            Self::N(number) => write!(f, "{number}"),
            Self::B(bytes) => Hexadecimal(bytes).fmt(f),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Null => f.write_str("null"),
            Self::M(entries) => {
                let entries = entries.iter();
                joined(f, ["{", "}"], entries, |(name, value), f| {
                    write!(f, "{name:?}: {value}")
                })
            }
            Self::L(elements) => joined(f, ["[", "]"], elements, Self::fmt),
            Self::Ss(set) => joined(f, ["<", ">"], set, |it, f| write!(f, "{it:?}")),
            Self::Ns(set) => joined(f, ["<", ">"], set, Number::fmt),
            Self::Bs(set) => joined(f, ["<", ">"], set, |it, f| Hexadecimal(it).fmt(f)),
        }
    }
}

struct Hexadecimal<'a>(&'a [u8]);

impl fmt::Display for Hexadecimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn joined<T>(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [&str; 2],
    elements: impl IntoIterator<Item = T>,
    show: impl Fn(T, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, element) in elements.into_iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        show(element, f)?;
    }
    f.write_str(close)
}

#[cfg(test)]
mod tests;
