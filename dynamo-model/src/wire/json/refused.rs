//! Why a Rust value cannot be written.

use crate::wire::path::{Path, Segment};
use core::fmt::{self, Display};
use serde::ser;
use std::borrow::Cow;

/// The defect and its path. Small, because every write may return one.
#[doc(hidden)]
#[derive(Debug)]
pub struct Refused(Box<Why>);

#[derive(Debug)]
struct Why {
    reason: Cow<'static, str>,
    path: Path,
    /// Whether it could be written, but DynamoDB would not take it.
    is_limit: bool,
}

impl Refused {
    #[cold]
    pub(crate) fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Why {
            reason: reason.into(),
            path: Path::default(),
            is_limit: false,
        }))
    }

    /// Makes the error of a value that DynamoDB would refuse.
    #[cold]
    pub(crate) fn limit(reason: &'static str) -> Self {
        let mut refused = Self::new(reason);
        refused.0.is_limit = true;
        refused
    }

    /// Makes the error of a value that is not an item: neither a struct with names nor a map.
    #[cold]
    pub(crate) fn no_item() -> Self {
        Self::new("it is not a struct with named fields")
    }

    /// Adds a segment around the refused value.
    #[cold]
    pub(crate) fn within(mut self, outer: Segment) -> Self {
        self.0.path.within(outer);
        self
    }

    #[cold]
    pub(crate) fn within_name(self, name: &str) -> Self {
        self.within(Segment::Name(name.to_owned()))
    }

    /// Returns path and reason. For a value beyond a limit the attribute is enough: 33 levels are
    /// no help.
    pub(crate) fn into_parts(self) -> (String, Cow<'static, str>) {
        let Why {
            reason,
            path,
            is_limit,
        } = *self.0;
        let attribute = path.attribute().filter(|_| is_limit);
        (
            attribute.map_or_else(|| path.to_string(), str::to_owned),
            reason,
        )
    }
}

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.reason)
    }
}

impl std::error::Error for Refused {}

impl ser::Error for Refused {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}
