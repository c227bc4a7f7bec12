//! Errors. Each names entity, key, attribute, and says what to do.

#[cfg(feature = "client")]
mod call;
mod key;
#[cfg(feature = "client")]
mod place;

#[cfg(feature = "client")]
pub(crate) use call::Source;
#[cfg(feature = "client")]
pub use call::{Error, ErrorKind};
pub use key::{KeyError, KeyErrorKind};
#[cfg(feature = "client")]
pub(crate) use place::{Place, PlaceKey};
