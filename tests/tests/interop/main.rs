//! Tables of other tools: what ElectroDB, OneTable, dynamodb-toolbox, PynamoDB and boto3 store, read and written by
//! declarations of ours, and every attribute that we do not declare as it was.
//!
//! `items/` has what the libraries stored, word for word. With `INTEROP_LIVE` the libraries themselves have just written
//! the same to the engine that `DYNAMO_ENDPOINT` names, and read it afterwards: see `.ci/interop`.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod boto3;
mod electrodb;
mod live;
mod onetable;
mod pynamodb;
mod snapshot;
mod toolbox;

#[path = "../support/mod.rs"]
mod support;
