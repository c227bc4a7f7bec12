//! Errors of keys and calls. Each names entity, key and attribute, and states the fix.

#[cfg(feature = "client")]
mod call;
#[cfg(feature = "client")]
mod context;
#[cfg(feature = "client")]
mod item;
mod key;
#[cfg(feature = "client")]
mod outcome;
#[cfg(feature = "client")]
pub(crate) mod throttling;

#[cfg(feature = "client")]
pub use call::{Error, ErrorKind};
#[cfg(feature = "client")]
pub(crate) use call::{ServiceMessage, Source};
#[cfg(feature = "client")]
pub(crate) use context::{ContextKey, ErrorContext};
#[cfg(feature = "client")]
pub use item::ItemError;
pub use key::{KeyError, KeyErrorKind};
#[cfg(feature = "client")]
pub use outcome::Outcome;
#[cfg(feature = "client")]
pub(crate) use throttling::ThrottlingReason;

/// The code of a failure of the embedded engine: its disk is full, or its file is damaged.
#[cfg(feature = "client")]
pub(crate) const ENGINE_FAILURE: &str = "EmbeddedEngineFailure";
