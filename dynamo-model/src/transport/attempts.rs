//! The outcome of the attempts of one write, derived from requests and responses.
//!
//! The SDK repeats a request without a response, or with status 500. For most writes that is
//! correct: repeating them changes nothing. A write that would take effect twice, or could not
//! recognise its earlier attempt, is sent once, and its error says that it may have been done
//! ([`Error::outcome`](crate::Error::outcome)).

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

    /// Returns the outcome of the write, as far as the responses to failed attempts determine it.
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

    /// After the whole call: the classifier does not see an attempt that timed out.
    pub(super) fn after<O, E>(self, answer: &Result<O, SdkError<E, HttpResponse>>) -> Self {
        self.and(match answer {
            Err(SdkError::TimeoutError(_)) => Outcome::Uncertain,
            Err(SdkError::ServiceError(error)) => of_response(error.raw()),
            Err(SdkError::ResponseError(error)) => of_response(error.raw()),
            _ => Outcome::NotDone,
        })
    }
}

/// The name of our classifier.
pub(super) const NAME: &str = "dynamo-model: lost answers";

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
        NAME
    }
}

/// Returns the outcome of a failed attempt.
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

/// Returns the outcome of a request that failed with this response.
fn of_response(response: &HttpResponse) -> Outcome {
    match response.status().as_u16() {
        // DynamoDB has done the work, even if the body is damaged on its way.
        200..=299 if is_of_dynamodb(response) => Outcome::Done,
        // A refusal, or a redirect of a proxy.
        301 | 302 | 307 | 308 | 400..=499 => Outcome::NotDone,
        _ => Outcome::Uncertain,
    }
}

/// Returns whether there was no connection: then no part of the request was sent.
///
/// The HTTP clients have no common type for that, so two of them are recognised by their text. With
/// another text, an error is uncertain.
fn was_never_connected(error: &ConnectorError) -> bool {
    // `ConnectorError::never_connected` has no getter.
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
