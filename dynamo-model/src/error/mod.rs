//! Errors. Each names entity, key, attribute, and says what to do.

#[cfg(feature = "client")]
mod call;
mod key;

#[cfg(feature = "client")]
pub use call::{Error, ErrorKind};
#[cfg(feature = "client")]
pub(crate) use call::{Place, Source};
pub use key::{KeyError, KeyErrorKind};
