//! Reading, on the embedded engine or on the one that `DYNAMO_ENDPOINT` names: the access patterns
//! of two documents, and the guarantees on every engine.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod bounded;
#[allow(dead_code)]
#[path = "../batch/canned.rs"]
mod canned;
mod collections;
mod cursor_format;
mod cursors;
mod decimal_keys;
mod each;
mod encoded;
mod epochs;
mod errors;
mod exam;
mod explained_gets;
mod filters;
mod generic;
mod hidden;
mod index_filters;
#[path = "../support/kinds.rs"]
mod kinds;
mod missing_type;
mod names;
mod narrowing;
mod no_scan;
mod own_items;
mod pages;
mod previous;
mod ranges;
mod repeated_fields;
mod results;
mod series;
mod shapes;
mod shogi;
mod signed_cursors;
mod spans;
mod stored_form;
mod stored_keys;
mod tables;
mod unknown;

#[path = "../support/mod.rs"]
mod support;
