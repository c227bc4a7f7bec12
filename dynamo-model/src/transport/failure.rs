//! Sorts the SDK's errors into our kinds.
//!
//! The SDK has no types for most failures before a request is sent, so some are recognised only by
//! their text. If a later SDK changes a text, the error is a `Network` error with the SDK's own as
//! its source.

use super::crc32::crc32;
use super::input::NotTyped;
use crate::error::{Error, ErrorContext, ErrorKind, ServiceMessage, Source, ThrottlingReason};
use crate::wire::{self, Item};
use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::{
    batch_get_item::BatchGetItemError, batch_write_item::BatchWriteItemError,
    delete_item::DeleteItemError, get_item::GetItemError, put_item::PutItemError,
    query::QueryError, scan::ScanError, search_vectors::SearchVectorsError,
    transact_get_items::TransactGetItemsError, transact_write_items::TransactWriteItemsError,
    update_item::UpdateItemError,
};
use aws_sdk_dynamodb::types::CancellationReason as SdkReason;
use core::any::Any;
use core::fmt;
use core::ops::Deref;
use std::error::Error as StdError;

/// Why a call failed, as our kind. The caller adds the context.
#[derive(Debug)]
pub(crate) struct CallError(Box<Failure>);

/// The details of a failure.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: ErrorKind,
    /// DynamoDB's code and message.
    pub(crate) service_message: Option<ServiceMessage>,
    /// The SDK's error, with its whole chain of sources. If it contains items, which may be
    /// sensitive, only its text.
    pub(crate) source: Source,
    /// If a condition failed: the item that was there.
    pub(crate) condition: Option<Option<Item>>,
    /// If a transaction was cancelled: why, for each of its operations.
    pub(crate) reasons: Vec<CancellationReason>,
    /// Why DynamoDB throttled the request.
    pub(crate) throttling: Vec<ThrottlingReason>,
}

/// Why an operation of a transaction was not done.
#[derive(Debug)]
pub(crate) struct CancellationReason {
    /// `None` for an operation that could have been done.
    pub(crate) code: Option<String>,
    pub(crate) message: Option<String>,
    /// The item on which its condition failed.
    pub(crate) item: Option<Item>,
}

impl Deref for CallError {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0
    }
}

impl CallError {
    /// Sorts the SDK's error into our kinds.
    #[cold]
    pub(super) fn new<E: Refusal>(error: SdkError<E, HttpResponse>) -> Self {
        let refusal = error.as_service_error();
        let condition = refusal.and_then(E::condition);
        let reasons = refusal.map_or_else(Vec::new, E::reasons);
        let has_items = condition.is_some() || reasons.iter().any(|it| it.code.is_some());
        let service_message = refusal.filter(|_| has_items).map(|it| it.meta().clone());
        let mut failure = sorted(error);
        if let Some(service_message) = service_message {
            failure.source = Box::new(service_message);
        }
        Self(Box::new(Failure {
            condition,
            reasons,
            ..failure
        }))
    }

    /// The error of a request that the SDK's types cannot express.
    #[cold]
    pub(super) fn of_input(error: NotTyped) -> Self {
        Self(Box::new(Failure {
            kind: ErrorKind::Encode {
                attribute: "the request".into(),
            },
            service_message: None,
            source: Box::new(error),
            condition: None,
            reasons: Vec::new(),
            throttling: Vec::new(),
        }))
    }

    /// The error of a call that was about this.
    #[cold]
    pub(crate) fn at(self, context: ErrorContext) -> Error {
        self.0.at(context)
    }

    pub(crate) fn into_source(self) -> Source {
        self.0.source
    }

    /// The message of DynamoDB's refusal.
    pub(crate) fn message(&self) -> Option<&str> {
        self.service_message
            .as_ref()
            .and_then(ServiceMessage::message)
    }

    /// The codes of the operations of a transaction that could not be done.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &str> {
        self.reasons
            .iter()
            .filter_map(|reason| reason.code.as_deref())
    }
}

impl Failure {
    fn at(self, context: ErrorContext) -> Error {
        Error::new(context, self.kind, Some(self.source))
            .with_service_message(self.service_message)
            .with_throttling(self.throttling)
    }
}

impl Error {
    /// Sorts the SDK's error into our kinds; its whole chain of sources is kept.
    #[cold]
    pub(crate) fn sdk<E, R>(context: ErrorContext, error: SdkError<E, R>) -> Self
    where
        E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
        R: fmt::Debug + Send + Sync + 'static,
    {
        sorted(error).at(context)
    }
}

fn sorted<E, R>(error: SdkError<E, R>) -> Failure
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
    R: fmt::Debug + Send + Sync + 'static,
{
    let failure = |kind, service_message, source| Failure {
        kind,
        service_message,
        source,
        condition: None,
        reasons: Vec::new(),
        throttling: Vec::new(),
    };
    let mut service_message = None;
    let kind = match &error {
        SdkError::ServiceError(service) => match service.err().code() {
            Some(code) if !code.is_empty() => {
                service_message = Some(ServiceMessage::new(code, service.err().message()));
                by_code(code, service.err().message())
            }
            _ => unreadable(http(service.raw()), None),
        },
        SdkError::ResponseError(context) => {
            let cause = StdError::source(&error);
            let own = cause.and_then(|cause| cause.downcast_ref::<Unreadable>());
            unreadable(
                http(context.raw()),
                Some(own.map_or(BREAKS_OFF, |own| own.0)),
            )
        }
        SdkError::TimeoutError(_) => ErrorKind::Network,
        error => match unsent(error) {
            Some(reason) => {
                let source = innermost(error).to_string().into();
                return failure(ErrorKind::Configuration { reason }, None, source);
            }
            None => ErrorKind::Network,
        },
    };
    let throttling = match (&kind, &error) {
        (ErrorKind::Throttled, SdkError::ServiceError(service)) => {
            http(service.raw()).map(throttling_reasons)
        }
        _ => None,
    };
    Failure {
        throttling: throttling.unwrap_or_default(),
        ..failure(kind, service_message, Box::new(error))
    }
}

/// Why DynamoDB throttled the request with this response.
#[cold]
pub(super) fn throttling_reasons(response: &HttpResponse) -> Vec<ThrottlingReason> {
    wire::throttling_reasons(response.body().bytes().unwrap_or_default())
}

/// The details of the operations' errors besides code and message.
pub(super) trait Refusal: ProvideErrorMetadata + StdError + Send + Sync + 'static {
    /// If a condition failed: the item that was there.
    fn condition(&self) -> Option<Option<Item>> {
        None
    }

    /// If a transaction was cancelled: why.
    fn reasons(&self) -> Vec<CancellationReason> {
        Vec::new()
    }
}

macro_rules! refusals {
    ($($error:ident)*) => {$(
        impl Refusal for $error {}
    )*};
    (condition: $($error:ident)*) => {$(
        impl Refusal for $error {
            fn condition(&self) -> Option<Option<Item>> {
                match self {
                    $error::ConditionalCheckFailedException(failed) => Some(failed.item.clone()),
                    _ => None,
                }
            }
        }
    )*};
    (reasons: $($error:ident)*) => {$(
        impl Refusal for $error {
            fn reasons(&self) -> Vec<CancellationReason> {
                match self {
                    $error::TransactionCanceledException(cancelled) => {
                        cancelled.cancellation_reasons().iter().map(reason).collect()
                    }
                    _ => Vec::new(),
                }
            }
        }
    )*};
}

refusals!(
    GetItemError QueryError ScanError BatchGetItemError BatchWriteItemError SearchVectorsError
);
refusals!(condition: PutItemError UpdateItemError DeleteItemError);
refusals!(reasons: TransactGetItemsError TransactWriteItemsError);

fn reason(reason: &SdkReason) -> CancellationReason {
    CancellationReason {
        code: reason
            .code()
            .filter(|code| *code != "None")
            .map(str::to_owned),
        message: reason.message().map(str::to_owned),
        item: reason.item.clone(),
    }
}

fn http<R: 'static>(response: &R) -> Option<&HttpResponse> {
    (response as &dyn Any).downcast_ref()
}

/// Why a success cannot be an answer of DynamoDB's.
#[derive(Debug)]
pub(crate) struct Unreadable(&'static str);

const BREAKS_OFF: &str = "breaks off";
const NOT_JSON: &str = "is not JSON of DynamoDB";
const EMPTY: &str = "is empty";
const ENCODED: &str = "is encoded";
const CHANGED: &str = "does not match its checksum, so it was changed on its way";

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the body {}", self.0)
    }
}

impl StdError for Unreadable {}

impl Unreadable {
    /// Checks a success before its body is read: a compressed or empty one would be mistaken for a
    /// response without items. DynamoDB writes at least `{}`; some engines write an empty body
    /// after a write.
    pub(crate) fn check(response: &HttpResponse, is_write: bool) -> Result<(), Self> {
        if encoding(response).is_some() {
            return Err(Self(ENCODED));
        }
        let empty = response.body().bytes().is_some_and(<[u8]>::is_empty);
        match empty && !(is_write && is_of_dynamodb(response)) {
            true => Err(Self(EMPTY)),
            false => Ok(()),
        }
    }

    /// Checks that the body arrived as DynamoDB sent it. The SDK does not; a changed digit of a
    /// number would be taken for the stored one.
    pub(crate) fn check_sum(response: &HttpResponse) -> Result<(), Self> {
        let sum = response.headers().get("x-amz-crc32");
        let Some(sum) = sum.and_then(|sum| sum.parse::<u32>().ok()) else {
            return Ok(());
        };
        match response.body().bytes().map(crc32) {
            Some(own) if own != sum => Err(Self(CHANGED)),
            _ => Ok(()),
        }
    }
}

/// Whether DynamoDB wrote the response, and not something on the way.
pub(crate) fn is_of_dynamodb(response: &HttpResponse) -> bool {
    let headers = response.headers();
    let json = headers
        .get("content-type")
        .is_some_and(|it| it.starts_with("application/x-amz-json"));
    json || headers.get("x-amzn-requestid").is_some()
}

fn encoding(response: &HttpResponse) -> Option<&str> {
    let encoding = response.headers().get("content-encoding")?;
    Some(encoding).filter(|it| !matches!(*it, "" | "identity"))
}

/// Returns the defect of a response that is not DynamoDB's: a proxy may have written it.
fn unreadable(response: Option<&HttpResponse>, known: Option<&'static str>) -> ErrorKind {
    let status = response.map_or(0, |response| response.status().as_u16());
    let reason = match response {
        Some(response) => what_is_wrong(response, known),
        None => known.unwrap_or(NOT_JSON).into(),
    };
    ErrorKind::UnreadableResponse { status, reason }
}

fn what_is_wrong(response: &HttpResponse, known: Option<&'static str>) -> String {
    let headers = response.headers();
    let body = response.body().bytes().unwrap_or_default();
    let html = headers
        .get("content-type")
        .is_some_and(|it| it.starts_with("text/html"));
    if let Some(encoding) = encoding(response) {
        return format!(
            "is encoded as `{encoding}`, which DynamoDB does not send unless it is asked to"
        );
    }
    if let (300..=399, Some(location)) = (response.status().as_u16(), headers.get("location")) {
        return format!("redirects to `{location}`");
    }
    match known {
        Some(known) => known.into(),
        None if html || body.trim_ascii_start().starts_with(b"<") => "is a page of HTML".into(),
        None if body.is_empty() => EMPTY.into(),
        None if response.status().is_success() => NOT_JSON.into(),
        None => "has no error code of DynamoDB".into(),
    }
}

fn by_code(code: &str, message: Option<&str>) -> ErrorKind {
    match code {
        "ResourceNotFoundException" => ErrorKind::MissingTable,
        "ProvisionedThroughputExceededException"
        | "ThrottlingException"
        | "RequestLimitExceeded"
        | "ThrottledException" => ErrorKind::Throttled,
        "TransactionConflictException" | "TransactionInProgressException" => ErrorKind::InProgress,
        "ReplicatedWriteConflictException" => ErrorKind::RegionConflict,
        "InvalidSignatureException" if message.is_some_and(is_about_the_clock) => ErrorKind::Clock,
        "RequestExpired" | "RequestTimeTooSkewed" => ErrorKind::Clock,
        "AccessDeniedException"
        | "UnrecognizedClientException"
        | "InvalidSignatureException"
        | "IncompleteSignatureException"
        | "MissingAuthenticationTokenException"
        | "MissingAuthenticationToken"
        | "ExpiredTokenException" => ErrorKind::AccessDenied,
        crate::error::ENGINE_FAILURE => ErrorKind::Engine,
        code => ErrorKind::Service { code: code.into() },
    }
}

/// `Signature expired: …` and `Signature not yet current: …`.
fn is_about_the_clock(message: &str) -> bool {
    message.contains("Signature expired") || message.contains("not yet current")
}

/// Returns what the client lacks, if that is why no request was sent; and the fix.
fn unsent(error: &(dyn StdError + 'static)) -> Option<String> {
    let known = |text: &str| {
        KNOWN
            .iter()
            .find(|(sign, _)| text.contains(sign))
            .map(|(_, reason)| (*reason).to_owned())
    };
    causes(error).find_map(|cause| known(&cause.to_string()))
}

/// By the SDK's text: the missing part, and the fix.
const KNOWN: &[(&str, &str)] = &[
    (
        "no identity resolver",
        "the client has no credentials; load them with `aws_config`, or set a `credentials_provider`",
    ),
    (
        "the credential provider was not enabled",
        "no credentials were found; set them in the environment, a profile, or a `credentials_provider`",
    ),
    (
        "error occurred while loading credentials",
        "the credentials could not be loaded; the source of this error says why",
    ),
    (
        "credentials provider timed out",
        "the credentials could not be loaded in time; check the service that gives them out",
    ),
    (
        "Missing Region",
        "the client has no region; set `AWS_REGION`, or `.region(…)` of its configuration",
    ),
    (
        "No HTTP client was available",
        "the client has no HTTP client; turn on the feature `default-https-client` of `aws-sdk-dynamodb`, or set an `http_client`",
    ),
    (
        "scheme is not http",
        "the endpoint is `https`, and the HTTP client has no TLS; use one that has, or an `http` endpoint",
    ),
    (
        "failed to apply endpoint",
        "the endpoint is not a URL; write it as `http://localhost:8000`",
    ),
];

fn causes<'e>(
    error: &'e (dyn StdError + 'static),
) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// The last in the chain. Those before it may show the whole request.
fn innermost<'e>(error: &'e (dyn StdError + 'static)) -> &'e (dyn StdError + 'static) {
    causes(error).last().unwrap_or(error)
}
