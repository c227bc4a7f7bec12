//! Hands a failed attempt over to the SDK.
//!
//! The SDK then makes the call, and its first attempt fails as this one did, without being sent. So
//! the SDK's own code decides about retries, backoff and the connection, and makes the error.

use aws_sdk_dynamodb::config::{
    self, ConfigBag, ResolveCachedIdentity, RuntimeComponents, SharedHttpClient,
    SharedIdentityCache,
};
use aws_sdk_dynamodb::error::{BoxError, ConnectorError};
use aws_smithy_async::rt::sleep::Sleep;
use aws_smithy_runtime_api::client::connection::{CaptureSmithyConnection, ConnectionMetadata};
use aws_smithy_runtime_api::client::connector_metadata::ConnectorMetadata;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::identity::{IdentityFuture, SharedIdentityResolver};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponentsBuilder;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};
use http_body::Frame;
use std::time::Duration;

use super::super::sdk;
use super::learn::Learned;

/// How an attempt failed.
pub(in super::super) enum Replay {
    /// There are no credentials; nothing was sent.
    Identity(BoxError),
    /// No response came.
    Connector(ConnectorError),
    /// This response came. It may be a success that cannot be read.
    Response(HttpResponse, CaptureSmithyConnection),
    /// The attempt took longer than this.
    TimedOut(Duration),
}

/// Codes of DynamoDB for a request that is signed with a wrong key or at a wrong time. From them,
/// the SDK learns how far the clock is wrong.
const CODES: [&str; 8] = [
    "InvalidSignatureException",
    "SignatureDoesNotMatch",
    "AuthFailure",
    "RequestTimeTooSkewed",
    "RequestExpired",
    "AccessDeniedException",
    "UnrecognizedClientException",
    "ExpiredToken",
];

/// A call that continues with the SDK.
pub(in super::super) struct Handover {
    pub(in super::super) replay: Option<Replay>,
    /// Replaces parts of the client's by those that fail as the attempt did.
    pub(in super::super) overrides: Option<config::Builder>,
    pub(in super::super) limit: Option<Limit>,
}

impl Handover {
    pub(super) fn new(learned: &Learned, replay: Option<Replay>, limit: Option<Limit>) -> Self {
        let overrides = replay.as_ref().map(|replay| match replay {
            Replay::Identity(_) => {
                let inner = learned.identity_cache.clone();
                config::Config::builder().identity_cache(Replayed(inner))
            }
            _ => {
                let inner = learned.http_client.clone();
                config::Config::builder().http_client(Replayed(inner))
            }
        });
        Self {
            replay,
            overrides,
            limit,
        }
    }

    /// Whether the reason may be that the credentials or the clock have changed.
    pub(super) fn is_outdated(&self) -> bool {
        match &self.replay {
            None => !self.limit.as_ref().is_some_and(|limit| limit.is_over),
            Some(Replay::Response(response, _)) if response.status().is_client_error() => {
                let body = response.body().bytes().unwrap_or_default();
                let body = String::from_utf8_lossy(body);
                CODES.iter().any(|code| body.contains(code))
            }
            Some(_) => false,
        }
    }
}

/// The rest of the time that the whole call may take.
pub(in super::super) struct Limit {
    pub(in super::super) timer: Sleep,
    pub(in super::super) whole: Duration,
    pub(in super::super) is_over: bool,
}

/// The error of a call or an attempt that took too long, with the SDK's text.
#[derive(Debug)]
pub(in super::super) struct TookTooLong {
    pub(in super::super) what: &'static str,
    pub(in super::super) after: Duration,
}

pub(in super::super) const CALL: &str = "operation timeout (all attempts including retries)";
pub(in super::super) const ATTEMPT: &str = "operation attempt timeout (single attempt)";

impl fmt::Display for TookTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} occurred after {:?}", self.what, self.after)
    }
}

impl std::error::Error for TookTooLong {}

/// Marks a response that stands for none in this time.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct NoneWithin(pub(in super::super) Duration);

/// A part of the client, which first repeats what happened to the attempt.
#[derive(Debug, Clone)]
struct Replayed<T>(T);

impl HttpClient for Replayed<SharedHttpClient> {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Replayed(self.0.http_connector(settings, components)))
    }

    fn validate_base_client_config(
        &self,
        components: &RuntimeComponentsBuilder,
        config: &ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.validate_base_client_config(components, config)
    }

    fn validate_final_config(
        &self,
        components: &RuntimeComponents,
        config: &ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.validate_final_config(components, config)
    }

    fn connector_metadata(&self) -> Option<ConnectorMetadata> {
        self.0.connector_metadata()
    }
}

impl HttpConnector for Replayed<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        match sdk::take_replay() {
            Some(replay) => HttpConnectorFuture::ready(replay.answer(&request)),
            None => self.0.call(request),
        }
    }
}

impl Replay {
    /// Answers the SDK's request.
    fn answer(self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        match self {
            Self::Connector(error) => Err(error),
            Self::Identity(error) => Err(ConnectorError::other(error, None)),
            Self::Response(response, connection) => {
                // So that the SDK closes the connection if it would close its own.
                if let Some(own) = request.extension::<CaptureSmithyConnection>() {
                    own.set_connection_retriever(move || connection.get());
                }
                Ok(response)
            }
            Self::TimedOut(after) => {
                // The request was dropped, and its connection with it.
                if let Some(own) = request.extension::<CaptureSmithyConnection>() {
                    own.set_connection_retriever(|| {
                        let gone = ConnectionMetadata::builder()
                            .proxied(false)
                            .poison_fn(|| ());
                        Some(gone.build())
                    });
                }
                // DynamoDB never sends this status, so it cannot be taken for a response.
                let status = StatusCode::try_from(599);
                let status = status.map_err(|error| ConnectorError::other(error.into(), None))?;
                let mut response = HttpResponse::new(status, SdkBody::empty());
                response.add_extension(NoneWithin(after));
                Ok(response)
            }
        }
    }
}

impl ResolveCachedIdentity for Replayed<SharedIdentityCache> {
    fn resolve_cached_identity<'a>(
        &'a self,
        resolver: SharedIdentityResolver,
        components: &'a RuntimeComponents,
        config: &'a ConfigBag,
    ) -> IdentityFuture<'a> {
        match sdk::take_replay() {
            Some(Replay::Identity(error)) => IdentityFuture::ready(Err(error)),
            _ => self.0.resolve_cached_identity(resolver, components, config),
        }
    }
}

/// A body that breaks off with an error.
#[derive(Debug)]
pub(super) struct Broken(pub(super) Option<BoxError>);

impl http_body::Body for Broken {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Poll::Ready(self.0.take().map(Err))
    }
}
