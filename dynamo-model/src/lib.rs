#![doc = include_str!("../README.md")]
//! # Modules
//!
//! The root has what a declaration and a call need. Import [`prelude`] and you have nearly all of it.
//!
//! | module | has |
//! | --- | --- |
//! | [`prelude`] | what applications import |
//! | [`schema`] | the declaration as data, and with the feature `model` what is made from it |
//! | [`index`] | the names of indexes as types |
//! | [`bounds`] | what generic code asks of entities and indexes |
//!
//! The derives document themselves: [`DynamoTable`], [`DynamoEntity`], [`DynamoItems`],
//! [`DynamoProjection`], [`DynamoNested`] and [`KeyPart`](derive@KeyPart).

#![cfg_attr(docsrs, feature(doc_cfg))]
// Ranges and cursors are compiled for keys alone, too, but only requests use all of them.
#![cfg_attr(not(feature = "client"), allow(dead_code, unreachable_pub))]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod bounds;
#[cfg(feature = "client")]
mod clock;
#[cfg(feature = "client")]
mod cursor;
#[cfg(feature = "client")]
mod db;
#[cfg(feature = "embedded")]
mod engine;
mod entity;
mod error;
#[cfg(feature = "client")]
mod expr;
pub mod features;
#[cfg(feature = "client")]
mod hot_keys;
pub mod index;
mod key;
#[doc(hidden)]
pub mod membership;
#[cfg(feature = "client")]
mod migrate;
#[cfg(feature = "client")]
mod op;
pub mod prelude;
pub mod schema;
#[cfg(feature = "client")]
#[doc(hidden)]
pub mod stored_form;
#[cfg(feature = "client")]
mod stored_time;
#[cfg(feature = "client")]
mod stream;
#[cfg(feature = "client")]
mod transport;
/// Throttling: the reasons that DynamoDB gives, and the partition keys with most accesses.
#[cfg(feature = "client")]
pub mod throttling {
    pub use crate::error::{ThrottledAccess, ThrottledTarget, ThrottlingLimit, ThrottlingReason};
    pub use crate::hot_keys::{HotKey, HotKeys};
}
mod unknown;
mod value;
#[cfg(feature = "client")]
mod wire;

#[cfg(feature = "client")]
pub use cursor::CursorKeys;
#[cfg(feature = "client")]
pub use db::Dynamo;
#[cfg(feature = "client")]
pub use dynamo_model_derive::{
    DynamoEntity, DynamoItems, DynamoNested, DynamoProjection, DynamoTable, KeyPart,
};
#[cfg(not(feature = "client"))]
pub use dynamo_model_derive::{
    KeyOnlyEntity as DynamoEntity, KeyOnlyItems as DynamoItems, KeyOnlyNested as DynamoNested,
    KeyOnlyPart as KeyPart, KeyOnlyProjection as DynamoProjection, KeyOnlyTable as DynamoTable,
};
#[cfg(feature = "client")]
pub use entity::epoch_seconds;
pub use entity::{Entity, IndexedBy, ItemKeyAttribute, Items, KeyParts, Table};
#[cfg(feature = "client")]
pub use error::{Error, ErrorKind, ItemError, Outcome};
pub use error::{KeyError, KeyErrorKind};
#[cfg(feature = "client")]
pub use expr::{
    AsEntryName, AsOperand, ByKey, Condition, Encoded, HasBeginning, HasElement, HasEntry,
    HasPosition, HasSize, IntoCondition, KeySlot, List, Loaded, Nested, NestedField, NumberRange,
    Numeric, Ordered, Path, SetOf, Size, Slot, ValueType,
};
#[cfg(feature = "client")]
pub use key::partitions::BucketRange;
pub use key::{
    AsKeyPart, AsOptionalKeyPart, Key, KeyPart, KeyPrefix, KeyRange, KeyRef, KeyValue, PartError,
    PartValue, PartitionKey, Shard, TimeBucket, kind,
};
#[cfg(feature = "client")]
pub use migrate::{Migratable, Migration, MigrationReport};
#[cfg(feature = "client")]
pub use op::{
    BatchGet, BatchRead, BatchWrite, Batchable, Check, Collection, Create, Delete, Each, Explain,
    FixedSize, Get, Importable, IntoCursor, IntoKey, ItemResult, ItemStream, Loadable, Merge, New,
    Old, Page, ParallelScan, Progress, Projected, Projection, Put, Query, Reading, ReadingOne,
    ReadingSegments, ReadingTogether, Scan, SegmentStream, Storable, TransactGet, TransactKeys,
    Transaction, TransactionWrite, Unwritten, Update, Updated, UpdatedNew, UpdatedOld, Upsert,
    WrittenItems,
};

#[cfg(feature = "client")]
pub use schema::backups::{Backup, Export, RestoreTest};
#[cfg(feature = "client")]
pub use stored_time::{
    epoch_micros, epoch_millis, epoch_nanos, rfc3339_micros, rfc3339_millis, rfc3339_nanos,
    rfc3339_seconds,
};
#[cfg(feature = "client")]
pub use stream::{
    BatchFailures, BatchItemFailure, Change, EventName, Handling, HasBothImages, HasNewImages,
    HasOldImages, HasStream, StreamEvent, StreamRecord, Streamed,
};
#[cfg(feature = "streams")]
pub use stream::{ShardPosition, StreamPosition, StreamReader};
pub use unknown::UnknownItem;
/// For `#[serde(with = "dynamo_model::decimal")]`: a `rust_decimal::Decimal` as N, exactly; also an `Option`, a list or a map
/// of it. Needs the feature `rust_decimal`.
///
/// The crate itself writes a text. So a field without this function does not compile.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use rust_decimal::Decimal;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("ORDER#<id>")]
/// struct Order {
///     id: String,
///     #[serde(with = "dynamo_model::decimal")]
///     total: Decimal,
/// }
///
/// let update = Order::update("o1").add(|order| order.total(), Decimal::new(250, 2));
/// ```
#[cfg(all(feature = "client", feature = "rust_decimal"))]
pub mod decimal {
    pub use crate::value::decimal::{NotADecimal, StoredDecimal, deserialize, serialize};
}
pub use value::{NotAnInteger, Number, NumberError, Rest, Value};
