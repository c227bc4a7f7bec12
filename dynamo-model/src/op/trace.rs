//! Spans: one a request, with what it was for and what it brought. No value of an item, and no key, is ever in
//! one.

use crate::db::Dynamo;
use crate::error::{Place, ThrottlingReason};
use crate::transport::{self, Call, CallError};
use crate::wire::Reply;
use core::pin::pin;
use tracing::field::Empty;
use tracing::{Instrument, Span};

/// The span of a request that is about to be sent.
pub(crate) fn request(place: &Place, index: Option<&'static str>) -> Span {
    tracing::debug_span!(
        "dynamodb",
        operation = place.operation,
        table = &*place.table,
        index,
        entity = place.entity,
        items = Empty,
        scanned = Empty,
        consumed_capacity = Empty,
    )
}

/// Traces within the request's span why DynamoDB throttled an attempt. It may be sent again, and then no error tells of it.
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

/// What the request brought.
pub(crate) fn answered(span: &Span, items: usize, scanned: usize, consumed_capacity: f64) {
    span.record("items", items);
    span.record("scanned", scanned);
    span.record("consumed_capacity", consumed_capacity);
}

/// Sends a request within its span.
pub(crate) async fn send(db: &Dynamo, span: &Span, call: Call<'_>) -> Result<Reply, CallError> {
    // Pinned, it is not moved into what instruments it.
    let reply = pin!(transport::send(db.transport(), call));
    reply.instrument(span.clone()).await
}
