#![doc = include_str!("../README.md")]
//! # Modules
//!
//! The root has what a declaration and a call need. Import [`prelude`] and you have nearly all of
//! it. Everything else is in a module:
//!
//! | module | contains |
//! | --- | --- |
//! | [`prelude`] | what applications import |
//! | [`read`] | gets, queries, scans, collections, projections, streams of items |
//! | [`write`](mod@write) | puts, creates, merges, updates, upserts, deletes, and what they return |
//! | [`batch`] | batches of reads and writes |
//! | [`by_name`] | access by names that are known only at run time, for tools |
//! | [`transaction`] | transactions of reads and writes |
//! | [`expr`] | conditions, filters, updates, and the paths in them |
//! | [`key`] | keys, their parts and ranges |
//! | [`value`] | values of any DynamoDB type, exact numbers, undeclared attributes |
//! | [`format`](mod@format) | functions for `#[serde(with = "…")]` |
//! | [`error`] | errors of keys, calls and items |
//! | [`throttling`] | why DynamoDB throttled, and the hottest keys |
//! | [`stream`] | changes of a DynamoDB stream |
//! | [`migrate`] | migrations of stored items |
//! | [`table`] | backups and exports of tables |
//! | [`schema`] | the declaration as data; the crate `dynamo-model-tools` makes templates, policies and documents of it |
//! | [`vector`] | vectors, and searches for items with similar ones |
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
#[doc(hidden)]
#[path = "tools.rs"]
pub mod __tools;
#[cfg(feature = "client")]
pub mod batch;
pub mod bounds;
#[cfg(feature = "client")]
pub mod by_name;
#[cfg(feature = "client")]
mod clock;
#[cfg(feature = "client")]
mod cursor;
#[cfg(feature = "client")]
mod db;
#[cfg(feature = "embedded")]
mod engine;
mod entity;
pub mod error;
#[cfg(feature = "client")]
pub mod expr;
pub mod features;
#[cfg(feature = "client")]
pub mod format;
#[cfg(feature = "client")]
mod hot_keys;
pub mod index;
pub mod key;
#[doc(hidden)]
pub mod membership;
#[cfg(feature = "client")]
pub mod migrate;
#[cfg(feature = "client")]
mod op;
pub mod prelude;
pub mod read;
#[cfg(feature = "client")]
mod request;
pub mod schema;
#[cfg(feature = "client")]
#[doc(hidden)]
pub mod stored_form;
#[cfg(feature = "client")]
mod stored_time;
#[cfg(feature = "client")]
pub mod stream;
#[cfg(feature = "client")]
pub mod table;
#[cfg(feature = "client")]
pub mod throttling;
#[cfg(feature = "client")]
pub mod transaction;
#[cfg(feature = "client")]
mod transport;
mod unknown;
pub mod value;
pub mod vector;
#[cfg(feature = "client")]
mod wire;
#[cfg(feature = "client")]
pub mod write;

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
pub use entity::{Entity, Items, Table};
pub use error::KeyError;
#[cfg(feature = "client")]
pub use error::{Error, ErrorKind};
#[cfg(feature = "client")]
pub use expr::Condition;
pub use key::{Key, KeyPart};
#[cfg(feature = "client")]
pub use op::{BatchGet, BatchWrite, Page, Transaction};
pub use value::Value;
pub use vector::Vector;
