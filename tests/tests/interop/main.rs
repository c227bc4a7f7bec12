//! Tables of other tools: items of ElectroDB, OneTable, dynamodb-toolbox, PynamoDB and boto3, read
//! and written by our declarations, with every undeclared attribute unchanged.
//!
//! `items/` has the items of the libraries, word for word. With `INTEROP_LIVE` the libraries
//! themselves have just written the same to the engine that `DYNAMO_ENDPOINT` names, and read it
//! afterwards: see `.ci/interop`.

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
