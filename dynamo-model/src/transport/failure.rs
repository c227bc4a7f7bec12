//! Sorts the SDK's errors into our kinds.
//!
//! The SDK has no types for most of what goes wrong before a request is sent, so that some of it is known by its text
//! alone. If a later SDK says it in other words, the error is a `Network` error with the SDK's own as its source.

use super::call::{Error, ErrorKind, Said};
use super::place::Place;
use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use core::any::Any;
use core::fmt;
use std::error::Error as StdError;

impl Error {
    /// Sorts the SDK's error into our kinds; its whole chain of sources is kept.
    #[cold]
    pub(crate) fn sdk<E, R>(place: Place, error: SdkError<E, R>) -> Self
    where
        E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
        R: fmt::Debug + Send + Sync + 'static,
    {
        let mut said = None;
        let kind = match &error {
            SdkError::ServiceError(service) => match service.err().code() {
                Some(code) if !code.is_empty() => {
                    said = Some(Said::new(code, service.err().message()));
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
                    let kind = ErrorKind::Configuration { reason };
                    return Self::new(place, kind, Some(source));
                }
                None => ErrorKind::Network,
            },
        };
        Self::new(place, kind, Some(Box::new(error))).with_said(said)
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

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the body {}", self.0)
    }
}

impl StdError for Unreadable {}

impl Unreadable {
    /// Looks at a success before its body is read: a compressed one, or an empty one, would be taken for an answer that
    /// has no items. DynamoDB writes at least `{}`; some engines write nothing at all after a write.
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

/// What is wrong with a response that is not an answer of DynamoDB's: a proxy may have written it.
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

/// What the client lacks, where that is why nothing was sent; and what to do about it.
fn unsent(error: &(dyn StdError + 'static)) -> Option<String> {
    let known = |text: &str| {
        KNOWN
            .iter()
            .find(|(sign, _)| text.contains(sign))
            .map(|(_, reason)| (*reason).to_owned())
    };
    causes(error).find_map(|cause| match cause.downcast_ref::<Foreign>() {
        Some(foreign) => Some(foreign.to_string()),
        None => known(&cause.to_string()),
    })
}

/// By what the SDK says: what is missing, and the fix.
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

/// The client has interceptors that would see requests without keys and items.
#[derive(Debug, Clone)]
pub(crate) struct Foreign(pub(crate) std::sync::Arc<str>);

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the client has the interceptor `{}`, which would see inputs without key and item; call `Dynamo::allow_interceptors` if it needs neither, or `Dynamo::with_attribute_maps` if it does",
            self.0
        )
    }
}

impl StdError for Foreign {}

fn causes<'e>(
    error: &'e (dyn StdError + 'static),
) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// The last in the chain. Those before it may show the whole request.
fn innermost<'e>(error: &'e (dyn StdError + 'static)) -> &'e (dyn StdError + 'static) {
    causes(error).last().unwrap_or(error)
}
