//! Why a live access failed.

use core::fmt;
use std::error::Error as _;

/// Why a live access failed: a name or value that was given, or the call itself.
///
/// ```
/// use dynamo_model_tools::live::Live;
///
/// let error = Live::new("app").pattern("Order").unwrap_err();
/// assert_eq!(error.to_string(), "no access pattern `Order`; the schema has none");
/// ```
#[derive(Debug)]
pub struct LiveError {
    kind: LiveErrorKind,
    message: String,
    source: Option<Box<dyn core::error::Error + Send + Sync>>,
}

/// What a [`LiveError`] is about.
///
/// ```
/// use dynamo_model_tools::live::{Live, LiveErrorKind};
///
/// let error = Live::new("app").pattern("Order").unwrap_err();
/// assert_eq!(error.kind(), LiveErrorKind::Usage);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LiveErrorKind {
    /// A name, an argument or a document that was given is wrong.
    Usage,
    /// The item changed since it was read, or its key or a unique value is taken.
    Conflict,
    /// The item does not exist.
    NotFound,
    /// The call failed.
    Call,
}

impl LiveError {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(LiveErrorKind::Usage, message)
    }

    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::new(LiveErrorKind::Conflict, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(LiveErrorKind::NotFound, message)
    }

    pub(crate) fn call(
        message: impl Into<String>,
        source: impl core::error::Error + Send + Sync + 'static,
    ) -> Self {
        Self {
            source: Some(Box::new(source)),
            ..Self::new(LiveErrorKind::Call, message)
        }
    }

    fn new(kind: LiveErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
        }
    }

    /// What the error is about.
    #[must_use]
    pub fn kind(&self) -> LiveErrorKind {
        self.kind
    }

    /// Returns the message with those of its sources, each after a colon.
    #[must_use]
    pub fn chain(&self) -> String {
        let mut text = self.message.clone();
        let mut next = self.source();
        while let Some(source) = next {
            text += &format!(": {source}");
            next = source.source();
        }
        text
    }
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for LiveError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// An error of the library keeps its own words; the kind tells a conflict from a failure.
impl From<dynamo_model::Error> for LiveError {
    fn from(error: dynamo_model::Error) -> Self {
        let overtaken = error.is_conflict() || error.is_condition_failed();
        let taken = error.is_already_exists() || error.is_not_unique();
        let kind = match &error {
            _ if overtaken || taken => LiveErrorKind::Conflict,
            error if error.is_not_found() => LiveErrorKind::NotFound,
            error if error.is_immutable() || error.is_cursor() => LiveErrorKind::Usage,
            _ => LiveErrorKind::Call,
        };
        let source = error.source().map(|source| source.to_string().into());
        Self {
            kind,
            message: error.to_string(),
            source,
        }
    }
}

impl From<dynamo_model::KeyError> for LiveError {
    fn from(error: dynamo_model::KeyError) -> Self {
        Self::usage(error.to_string())
    }
}
