//! The way around the SDK's orchestrator, which takes nine tenths of a call's time.
//!
//! The first request of a client goes through the SDK, and shows how the client is configured
//! ([`learn`]). From then on, a call is signed ([`sign`], [`template`]) and sent ([`attempt`]) here,
//! through the client's own connector. An attempt that does not succeed at once is handed over to
//! the SDK ([`replay`]), which goes on as if it had made the attempt. So the SDK alone does the
//! difficult parts of a call: retries, errors, backoff.
//!
//! A client with an unknown part always goes through the SDK.

mod attempt;
mod body;
mod date;
mod learn;
mod replay;
mod sign;
mod template;
mod unique;

pub(super) use replay::{ATTEMPT, CALL, Handover, Limit, NoneWithin, Replay, TookTooLong};

use super::{Call, Operation};
use crate::wire::Reply;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::http::HttpRequest;
use aws_sdk_dynamodb::config::{ConfigBag, RuntimeComponents};
use learn::{Learned, Obstacle};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// The way around the SDK's orchestrator, for one client.
pub(super) struct Lean(RwLock<State>);

enum State {
    /// The SDK makes the calls, until a request shows enough.
    Unknown(Option<Cow<'static, str>>),
    Learned(Arc<Learned>),
    /// The SDK makes all calls, for this reason.
    Declined(Cow<'static, str>),
}

impl Lean {
    pub(super) fn new(client: &Client) -> Self {
        Self(RwLock::new(match learn::obstacle_of(client) {
            Some(reason) => State::Declined(reason.into()),
            None => State::Unknown(None),
        }))
    }

    /// Makes a call in one attempt. Otherwise the SDK makes or continues the call.
    pub(super) async fn call(&self, call: &Call<'_>) -> Result<Reply, Option<Handover>> {
        let learned = self.learned(call).ok_or(None)?;
        let result = learned.call(call).await;
        result.map_err(|handover| {
            if handover.is_outdated() {
                self.forget(&learned);
            }
            Some(handover)
        })
    }

    fn learned(&self, call: &Call<'_>) -> Option<Arc<Learned>> {
        let learned = match &*self.0.read().unwrap_or_else(PoisonError::into_inner) {
            State::Learned(learned) => Arc::clone(learned),
            _ => return None,
        };
        let is_known = has_common_endpoint(call.operation, call.table);
        (is_known && !sdk_is_traced() && learned.is_unobserved()).then_some(learned)
    }

    /// Whether the next request through the SDK is of interest.
    pub(super) fn learns(&self) -> bool {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        matches!(*state, State::Unknown(_))
    }

    /// Learns from a request that the SDK is about to send.
    pub(super) fn learn(
        &self,
        operation: Operation,
        sent: &HttpRequest,
        components: &RuntimeComponents,
        config: &ConfigBag,
    ) {
        let new = match Learned::new(operation, sent, components, config) {
            Ok(learned) => State::Learned(Arc::new(learned)),
            Err(Obstacle::Lasting(reason)) => State::Declined(reason),
            Err(Obstacle::Passing(reason)) => State::Unknown(Some(reason)),
        };
        tracing::debug!(transport = ?new, "how requests are sent");
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Unknown(_)) {
            *state = new;
        }
    }

    /// Forgets this, unless something newer was learned.
    fn forget(&self, old: &Arc<Learned>) {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if matches!(&*state, State::Learned(learned) if Arc::ptr_eq(learned, old)) {
            *state = State::Unknown(None);
        }
    }
}

/// Whether a request goes to the endpoint that all requests of these operations go to. A list,
/// because an operation of a newer kind may have an endpoint of its own, as the ARN of a table may.
pub(super) fn has_common_endpoint(operation: Operation, table: &str) -> bool {
    use Operation::{
        BatchGetItem, BatchWriteItem, DeleteItem, GetItem, PutItem, Query, Scan, TransactGetItems,
        TransactWriteItems, UpdateItem,
    };
    let of_one = [GetItem, PutItem, UpdateItem, DeleteItem, Query, Scan];
    let of_many = [
        BatchGetItem,
        BatchWriteItem,
        TransactGetItems,
        TransactWriteItems,
    ];
    let is_known = of_one.contains(&operation) || of_many.contains(&operation);
    is_known && !table.starts_with("arn:")
}

/// Whether someone listens to the SDK's own traces of a call.
fn sdk_is_traced() -> bool {
    tracing::enabled!(target: "aws_sdk_dynamodb::operation", tracing::Level::DEBUG)
        || tracing::enabled!(target: "aws_smithy_runtime::client", tracing::Level::DEBUG)
}

impl fmt::Debug for Lean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.read().unwrap_or_else(PoisonError::into_inner).fmt(f)
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(None) => f.write_str("SDK (until the first request)"),
            Self::Unknown(Some(reason)) => write!(f, "SDK (for now: {reason})"),
            Self::Learned(_) => f.write_str("lean"),
            Self::Declined(reason) => write!(f, "SDK ({reason})"),
        }
    }
}
