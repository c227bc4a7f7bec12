//! DynamoDB Streams: from a record to a change of an entity.
//!
//! A [`StreamRecord`] comes from a Lambda event ([`StreamEvent`]), from the SDK's `Record`, or from
//! a [`StreamReader`]; [`Change::of`] reads it. Images are decoded like any item.

mod change;
mod event;
mod images;
mod json;
#[cfg(feature = "streams")]
mod reader;
mod record;
#[cfg(feature = "streams")]
mod sdk;

pub use change::{Change, Streamed};
pub use event::{BatchFailures, BatchItemFailure, Handling, StreamEvent};
pub use images::{HasBothImages, HasNewImages, HasOldImages, HasStream};
#[cfg(feature = "streams")]
pub use reader::{ShardPosition, StreamPosition, StreamReader};
pub use record::{EventName, StreamRecord};
