//! Errors. Each names entity, key, attribute, and says what to do.

#[cfg(feature = "client")]
mod call;
#[cfg(feature = "client")]
mod item;
mod key;
#[cfg(feature = "client")]
mod outcome;
#[cfg(feature = "client")]
mod place;

#[cfg(feature = "client")]
pub use call::{Error, ErrorKind};
#[cfg(feature = "client")]
pub(crate) use call::{Said, Source};
#[cfg(feature = "client")]
pub use item::ItemError;
pub use key::{KeyError, KeyErrorKind};
#[cfg(feature = "client")]
pub use outcome::Outcome;
#[cfg(feature = "client")]
pub(crate) use place::{Place, PlaceKey};

/// What the embedded engine answers where it cannot work: its disk is full, or its file is damaged.
#[cfg(feature = "client")]
pub(crate) const ENGINE_FAILURE: &str = "EmbeddedEngineFailure";
