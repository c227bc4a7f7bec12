//! Spans: one for each request, with its purpose and result. A span never contains a value of an
//! item, or a key.

use crate::db::Dynamo;
use crate::error::{ErrorContext, ThrottlingReason};
use crate::transport::{self, Call, CallError};
use crate::wire::Reply;
use core::pin::pin;
use tracing::field::Empty;
use tracing::{Instrument, Span};

/// Returns the span of a request.
pub(crate) fn request(context: &ErrorContext, index: Option<&'static str>) -> Span {
    tracing::debug_span!(
        "dynamodb",
        operation = context.operation,
        table = &*context.table,
        index,
        entity = context.entity,
        items = Empty,
        scanned = Empty,
        consumed_capacity = Empty,
    )
}

/// Traces within the request's span why DynamoDB throttled an attempt. It may be sent again, and
/// then no error tells of it.
#[cold]
pub(crate) fn throttled(reasons: &[ThrottlingReason]) {
    for reason in reasons {
        tracing::warn!(
            reason = reason.code(),
            table = reason.table(),
            index = reason.index(),
            "DynamoDB throttled a request",
        );
    }
}

/// Records the result of the request.
pub(crate) fn answered(span: &Span, items: usize, scanned: usize, consumed_capacity: f64) {
    span.record("items", items);
    span.record("scanned", scanned);
    span.record("consumed_capacity", consumed_capacity);
}

/// Sends a request within its span.
pub(crate) async fn send(db: &Dynamo, span: &Span, call: Call<'_>) -> Result<Reply, CallError> {
    // Pinned, so that it is not moved into its instrumentation.
    let reply = pin!(transport::send(db.transport(), call));
    reply.instrument(span.clone()).await
}
