//! What became of the attempts of one write, derived from what was sent and what came back.
//!
//! The SDK sends a request again when no answer came, or one that says nothing (500). For most writes that is right:
//! the second time changes nothing. Those that a second time would do more, or meet their own work, are sent
//! once, and their error says that they may have been done ([`Error::outcome`](crate::Error::outcome)).

use super::failure::is_of_dynamodb;
use super::sdk;
use crate::error::Outcome;
use aws_sdk_dynamodb::error::SdkError;
use aws_smithy_runtime_api::client::interceptors::context::InterceptorContext;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::retries::classifiers::{ClassifyRetry, RetryAction};
use std::error::Error as StdError;
use std::io;

/// The attempts of one write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempts {
    /// Whether it can be sent again after it may have been done.
    repeats: bool,
    outcome: Outcome,
}

impl Attempts {
    pub(crate) fn new(repeats: bool) -> Self {
        let outcome = Outcome::NotDone;
        Self { repeats, outcome }
    }

    /// What became of the write, as far as the answers to failed attempts tell.
    pub(crate) fn outcome(self) -> Outcome {
        self.outcome
    }

    /// Whether one of them was done, or may have been.
    pub(crate) fn lost(self) -> bool {
        self.outcome != Outcome::NotDone
    }

    fn and(self, outcome: Outcome) -> Self {
        Self {
            outcome: self.outcome.and(outcome),
            ..self
        }
    }

    /// After the whole call: the classifier does not see an attempt that was given up in its middle.
    pub(super) fn after<O, E>(self, answer: &Result<O, SdkError<E, HttpResponse>>) -> Self {
        self.and(match answer {
            Err(SdkError::TimeoutError(_)) => Outcome::Uncertain,
            Err(SdkError::ServiceError(error)) => of_response(error.raw()),
            Err(SdkError::ResponseError(error)) => of_response(error.raw()),
            _ => Outcome::NotDone,
        })
    }
}

/// Sees every attempt that failed, and forbids another one where it could do harm.
#[derive(Debug)]
pub(crate) struct Lost;

impl ClassifyRetry for Lost {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let forbidden = sdk::attempted(|attempts| {
            let outcome = of_attempt(context);
            attempts.set(attempts.get().and(outcome));
            outcome != Outcome::NotDone && !attempts.get().repeats
        });
        match forbidden {
            Some(true) => RetryAction::RetryForbidden,
            _ => RetryAction::NoActionIndicated,
        }
    }

    fn name(&self) -> &'static str {
        "dynamo-model: lost answers"
    }
}

/// What became of an attempt that failed.
fn of_attempt(context: &InterceptorContext) -> Outcome {
    let Some(Err(error)) = context.output_or_error() else {
        return Outcome::NotDone;
    };
    match (context.response(), error.as_connector_error()) {
        (Some(response), _) => of_response(response),
        (None, Some(error)) if was_never_connected(error) => Outcome::NotDone,
        (None, Some(_)) => Outcome::Uncertain,
        (None, None) if error.is_timeout_error() => Outcome::Uncertain,
        // It failed before it was sent: for want of credentials, as an example.
        (None, None) => Outcome::NotDone,
    }
}

/// What became of a request that failed with this response.
fn of_response(response: &HttpResponse) -> Outcome {
    match response.status().as_u16() {
        // DynamoDB answers so when the work is done, whatever happens to the body on its way.
        200..=299 if is_of_dynamodb(response) => Outcome::Done,
        // A refusal, or a proxy that asks to send it elsewhere.
        301 | 302 | 307 | 308 | 400..=499 => Outcome::NotDone,
        _ => Outcome::Uncertain,
    }
}

/// Whether there was no connection to send the request on: then nothing of it was sent.
///
/// The HTTP clients have no common type for that, so that two of them are known by their text. From one that says it in
/// other words, an error is uncertain.
fn was_never_connected(error: &ConnectorError) -> bool {
    // What a connector says by `ConnectorError::never_connected` can be seen in no other way.
    if format!("{error:?}").ends_with("connection: NeverConnected }") {
        return true;
    }
    let mut cause = StdError::source(error);
    while let Some(error) = cause {
        let refused = error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
        // hyper 1, and hyper 0.14.
        let text = error.to_string();
        if refused
            || text == "client error (Connect)"
            || text.starts_with("error trying to connect")
        {
            return true;
        }
        cause = error.source();
    }
    false
}
