//! Keys: their values, parts, prefixes and ranges.
//!
//! The value of a placeholder goes `KeyPart` → `PartValue` → text → escaped text, and back the same
//! way. `template` holds the data that the derive computed; `build` and `parse` are its two
//! directions; `compare` checks a stored key against values; `overlap` decides whether two
//! templates can collide.

pub(crate) mod alphabet;
pub(crate) mod bucket;
pub(crate) mod build;
pub(crate) mod civil;
#[cfg(feature = "client")]
pub(crate) mod compare;
pub(crate) mod decimal;
pub(crate) mod declared;
pub(crate) mod escape;
#[cfg(feature = "client")]
pub(crate) mod fields;
#[cfg(feature = "client")]
pub(crate) mod form;
mod impls;
#[cfg(feature = "client")]
mod intersection;
pub(crate) mod item;
pub(crate) mod overlap;
pub(crate) mod parse;
pub(crate) mod part;
mod partition_key;
#[cfg(feature = "client")]
pub(crate) mod partitions;
mod prefix;
pub(crate) mod range;
pub(crate) mod shard;
pub(crate) mod sort_key;
mod sort_keys;
pub(crate) mod template;
pub(crate) mod text;
pub(crate) mod value;

pub use bucket::TimeBucket;
pub use item::ItemKeyAttribute;
pub use part::{AsKeyPart, AsOptionalKeyPart, KeyPart, PartError, PartValue, kind};
pub use partition_key::PartitionKey;
#[cfg(feature = "client")]
pub use partitions::BucketRange;
pub use prefix::KeyPrefix;
pub use range::KeyRange;
pub use shard::Shard;
pub use sort_keys::{SortKeyRange, SortKeys};
pub(crate) use template::Template;
#[cfg(feature = "client")]
pub(crate) use value::RawKey;
pub use value::{Key, KeyRef, KeyValue};
