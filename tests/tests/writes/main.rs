//! Writing, on the embedded engine or on the one that `DYNAMO_ENDPOINT` names: hostile use of every
//! operation, and the transactions of two documents.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod absent;
mod absent_parents;
mod arithmetic;
mod changes;
mod conditional;
mod conditions;
mod constants;
mod decimals;
mod empty_parts;
mod exact_values;
mod exam;
mod expiry;
mod explain;
mod flattened;
mod free_form;
mod immutable;
mod indexes;
mod items;
mod items_enum;
mod large_numbers;
mod legacy_uniques;
mod limits;
mod merge;
mod names;
mod native_keys;
mod old_names;
mod option_alias;
mod peers;
mod plain_sets;
mod reserved;
mod rest;
mod returns;
mod serde_attributes;
mod sets;
mod shared_keys;
mod shop;
mod sparse;
mod times;
mod type_values;
mod unique;
mod versions;

#[allow(unused_imports)]
#[path = "../support/tournament.rs"]
#[allow(dead_code)]
mod tournament;

#[path = "../support/mod.rs"]
mod support;
