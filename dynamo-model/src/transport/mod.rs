//! Sends requests: takes the JSON of a request, returns a [`Reply`].
//!
//! [`send`] is the only way to DynamoDB's operations on items. It has three ways:
//!
//! - **around the SDK's orchestrator** ([`lean`]), if nothing in the client needs it. A failed attempt
//!   continues in the next way;
//! - **with our bytes**: the SDK signs, sends and retries, and never sees keys or items;
//! - **with its typed inputs and outputs**, if the client has interceptors of the user's own, so
//!   that they see and may change keys, items and results. [`input`] makes the inputs from the same
//!   JSON, [`output`] makes a reply of the outputs.
//!
//! The embedded engine is an HTTP client of the SDK's, so that it takes both ways.

mod attempts;
mod crc32;
mod failure;
mod input;
mod lean;
mod output;
mod sdk;

pub(crate) use attempts::Attempts;
pub(crate) use failure::{CallError, CancellationReason};
pub(crate) use sdk::watched;

use crate::wire::Reply;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use bytes::Bytes;
use lean::Lean;
use std::fmt;
use std::sync::Arc;

/// DynamoDB's operations on items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    GetItem,
    PutItem,
    UpdateItem,
    DeleteItem,
    Query,
    Scan,
    BatchGetItem,
    BatchWriteItem,
    TransactGetItems,
    TransactWriteItems,
    SearchVectors,
}

/// A request that can be sent.
#[derive(Debug)]
pub(crate) struct Call<'c> {
    pub(crate) operation: Operation,
    /// The deployed name of the table, of the first one if there are several: by it, the SDK may
    /// choose an endpoint.
    pub(crate) table: &'c str,
    /// The whole request, as JSON.
    pub(crate) body: Bytes,
    /// The attempts of a write, to record their outcomes; `None` for a read.
    pub(crate) attempts: Option<&'c mut Attempts>,
}

impl<'c> Call<'c> {
    pub(crate) fn read(operation: Operation, table: &'c str, body: Vec<u8>) -> Self {
        Self {
            operation,
            table,
            body: body.into(),
            attempts: None,
        }
    }

    pub(crate) fn write(
        operation: Operation,
        table: &'c str,
        body: Vec<u8>,
        attempts: &'c mut Attempts,
    ) -> Self {
        Self {
            operation,
            table,
            body: body.into(),
            attempts: Some(attempts),
        }
    }
}

/// The settings for sending requests.
#[derive(Clone)]
pub(crate) struct Transport {
    client: Client,
    /// Whether the SDK gets its typed inputs and makes its typed outputs.
    typed: bool,
    /// The way around the SDK's orchestrator, unless it is switched off.
    lean: Option<Arc<Lean>>,
}

impl Transport {
    /// Uses typed inputs and outputs if the client has interceptors of the user's own.
    pub(crate) fn new(client: &Client) -> Self {
        Self {
            typed: sdk::has_foreign_interceptors(client),
            client: sdk::client(client),
            lean: Some(Arc::new(Lean::new(client))),
        }
    }

    /// Sends all requests through the SDK.
    pub(crate) fn use_sdk(&mut self) {
        self.lean = None;
    }

    /// Sends bytes, with any interceptors.
    pub(crate) fn use_bytes(&mut self) {
        self.typed = false;
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }
}

impl fmt::Debug for Transport {
    /// Writes the way that requests take, and why.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lean {
            Some(lean) => lean.fmt(f),
            None => f.write_str("SDK (it was chosen)"),
        }
    }
}

/// Returns a query as the SDK's own builder. Fails if the SDK's types cannot express it.
pub(crate) fn sdk_query(
    transport: &Transport,
    body: &[u8],
) -> Result<QueryFluentBuilder, CallError> {
    input::query(transport.client.query(), body).map_err(CallError::of_input)
}

/// The same, of a scan.
pub(crate) fn sdk_scan(transport: &Transport, body: &[u8]) -> Result<ScanFluentBuilder, CallError> {
    input::scan(transport.client.scan(), body).map_err(CallError::of_input)
}

/// Sends a request and reads its response. Fails with the error of the SDK or DynamoDB; the caller
/// adds the item.
///
/// The future is large (the SDK's own is about 6 KB): pin it where it is made, and pass a
/// reference.
pub(crate) async fn send(transport: &Transport, call: Call<'_>) -> Result<Reply, CallError> {
    let handover = match &transport.lean {
        Some(lean) => match lean.call(&call).await {
            Ok(reply) => return Ok(reply),
            Err(handover) => handover,
        },
        None => None,
    };
    sdk::send(transport, call, handover).await
}
