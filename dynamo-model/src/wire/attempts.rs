//! What became of the attempts of one write: whether an answer was lost, so that nobody knows whether it was done.
//!
//! The SDK sends a request again when no answer came, or one that says nothing (500). For most writes that is right:
//! the second time changes nothing. Those that a second time would do more, or meet their own work, are sent
//! once, and their error says that they may have been done ([`Error::is_uncertain`](crate::Error::is_uncertain)).

use super::call;
use aws_sdk_dynamodb::error::SdkError;
use aws_smithy_runtime_api::client::interceptors::context::InterceptorContext;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::retries::classifiers::{ClassifyRetry, RetryAction};
use std::error::Error as StdError;
use std::io;

/// The attempts of one write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempts {
    /// Whether it can be sent again after an answer was lost.
    repeats: bool,
    lost: bool,
}

impl Attempts {
    pub(crate) fn new(repeats: bool) -> Self {
        let lost = false;
        Self { repeats, lost }
    }

    /// Whether it is not known of one of them what it did.
    pub(crate) fn lost(self) -> bool {
        self.lost
    }

    /// After the whole call: one that was given up in the middle of an attempt was seen by no classifier.
    pub(super) fn after<O, E, R>(self, answer: &Result<O, SdkError<E, R>>) -> Self {
        Self {
            lost: self.lost || matches!(answer, Err(SdkError::TimeoutError(_))),
            ..self
        }
    }
}

/// Sees every attempt that failed, and forbids another one where it could do harm.
#[derive(Debug)]
pub(crate) struct Lost;

impl ClassifyRetry for Lost {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let forbidden = call::attempted(|attempts| {
            let (known, lost) = (attempts.get(), is_lost(context));
            attempts.set(Attempts {
                lost: known.lost || lost,
                ..known
            });
            lost && !known.repeats
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

/// Whether the request may have been done, and no answer says so.
fn is_lost(context: &InterceptorContext) -> bool {
    let Some(Err(error)) = context.output_or_error() else {
        return false;
    };
    match context.response() {
        // A refusal is an answer, whatever its body says; a success that cannot be read is none.
        Some(response) => !response.status().is_client_error(),
        None => match error.as_connector_error() {
            Some(error) => !was_refused(error),
            None => error.is_timeout_error(),
        },
    }
}

/// Whether there was no connection to send it on.
fn was_refused(error: &ConnectorError) -> bool {
    let mut cause = StdError::source(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return error.kind() == io::ErrorKind::ConnectionRefused;
        }
        cause = error.source();
    }
    false
}
