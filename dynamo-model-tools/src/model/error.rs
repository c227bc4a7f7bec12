//! Why something could not be made from a model.

use core::fmt;

/// Why something could not be made from a [`Model`](super::Model).
///
/// ```
/// use dynamo_model_tools::{Model, Policy};
///
/// let error = Model::new("empty").policy(Policy::new().patterns(["1.1"])).unwrap_err();
/// assert_eq!(error.to_string(), "no access pattern `1.1`; add it with `Model::pattern`");
/// ```
#[derive(Debug)]
pub struct ModelError {
    message: String,
    source: Option<Box<dyn core::error::Error + Send + Sync>>,
}

impl ModelError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
        }
    }

    pub(crate) fn caused(
        message: impl Into<String>,
        source: impl core::error::Error + Send + Sync + 'static,
    ) -> Self {
        Self {
            message: message.into(),
            source: Some(Box::new(source)),
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ModelError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
