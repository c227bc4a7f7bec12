//! Why a stored value does not fit its Rust type.

use super::path::{Path, Segment};
use core::fmt::{self, Display};
use serde::de::{self, Expected, Unexpected};

/// The defect and its path. Small, because every decoded value may be one instead.
#[derive(Debug)]
pub(crate) struct Reason(Box<Found>);

#[derive(Debug)]
struct Found {
    what: ReasonKind,
    path: Path,
}

/// The text after the path of the value.
#[derive(Debug)]
pub(crate) enum ReasonKind {
    /// An attribute of another type.
    Types {
        expected: &'static str,
        found: &'static str,
        /// serde's message, if the path is unknown.
        said: Option<String>,
    },
    /// No attribute of this name.
    Missing(&'static str),
    Other(String),
}

impl From<ReasonKind> for Reason {
    #[cold]
    fn from(what: ReasonKind) -> Self {
        let path = Path::default();
        Self(Box::new(Found { what, path }))
    }
}

impl Reason {
    #[cold]
    pub(crate) fn types(expected: &'static str, found: &'static str) -> Self {
        ReasonKind::Types {
            expected,
            found,
            said: None,
        }
        .into()
    }

    #[cold]
    pub(crate) fn number(expected: &'static str, found: &str) -> Self {
        Self::other(format!("expected {expected}, found {found}"))
    }

    #[cold]
    pub(crate) fn key(expected: &'static str, found: &str) -> Self {
        Self::other(format!("expected {expected} as key, found `{found}`"))
    }

    /// Returns whether a field of a value within the item is missing.
    pub(crate) fn is_missing_within(&self) -> bool {
        self.to_missing().is_some()
    }

    /// Returns the missing field of a nested value, and its path from the outside.
    pub(crate) fn to_missing(&self) -> Option<(Vec<Segment>, &'static str)> {
        match self.0.what {
            ReasonKind::Missing(name) => Some((self.0.path.segments()?, name)),
            _ => None,
        }
    }

    #[cold]
    pub(crate) fn variants(found: usize) -> Self {
        Self::other(format!("expected one variant, found {found}"))
    }

    #[cold]
    pub(crate) fn other(reason: impl Into<String>) -> Self {
        ReasonKind::Other(reason.into()).into()
    }

    /// Adds a segment around the value.
    #[cold]
    pub(crate) fn within(mut self, outer: Segment) -> Self {
        self.0.path.within(outer);
        self
    }

    pub(crate) fn into_parts(self) -> (ReasonKind, Path) {
        (self.0.what, self.0.path)
    }
}

impl ReasonKind {
    /// Removes the path: serde knows none into buffered content, for example of `flatten`; then its
    /// message is more helpful.
    pub(crate) fn without_path(self) -> Self {
        match self {
            Self::Types {
                said: Some(said), ..
            } => Self::Other(said),
            other => other,
        }
    }
}

impl Display for ReasonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Types {
                expected, found, ..
            } => write!(f, "expected {expected}, found {found}"),
            Self::Missing(_) => write!(f, "missing"),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for ReasonKind {}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.what.fmt(f)
    }
}

impl std::error::Error for Reason {}

impl de::Error for Reason {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        Self::other(message.to_string())
    }

    #[cold]
    fn missing_field(attribute: &'static str) -> Self {
        ReasonKind::Missing(attribute).into()
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let said = format!("invalid type: {found}, expected {expected}");
        match (expected_type(&expected.to_string()), found_type(&found)) {
            (Some(expected), Some(found)) if expected != found => ReasonKind::Types {
                expected,
                found,
                said: Some(said),
            }
            .into(),
            _ => Self::other(said),
        }
    }
}

/// Returns the type of attribute that serde's own types are stored as, by their messages.
fn expected_type(expected: &str) -> Option<&'static str> {
    Some(match expected {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "N",
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "N",
        "f32" | "f64" => "N",
        "a string" | "a borrowed string" | "a character" => "S",
        "field identifier" | "variant identifier" => "S",
        "a boolean" => "BOOL",
        "byte array" | "a byte array" | "a borrowed byte array" => "B",
        "unit" => "NULL",
        "a sequence" => "L",
        "a map" => "M",
        _ if expected.starts_with("struct ") => "M",
        _ if expected.starts_with("a tuple ") || expected.starts_with("tuple struct ") => "L",
        _ if expected.starts_with("an array of ") => "L",
        _ => return None,
    })
}

fn found_type(found: &Unexpected<'_>) -> Option<&'static str> {
    Some(match found {
        Unexpected::Bool(_) => "BOOL",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "N",
        Unexpected::Char(_) | Unexpected::Str(_) => "S",
        Unexpected::Bytes(_) => "B",
        Unexpected::Unit => "NULL",
        Unexpected::Seq => "L",
        Unexpected::Map => "M",
        _ => return None,
    })
}
