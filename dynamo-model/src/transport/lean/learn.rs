//! What a client's first request shows about the client, and whether requests can be sent without
//! the SDK's orchestrator.
//!
//! The list of allowed parts is complete. If a client has another part, such as one of a newer SDK,
//! its requests go through the SDK.

use super::super::sdk::{self, NAME};
use super::super::{Operation, attempts};
use super::date::Stamp;
use super::template::Template;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::http::HttpRequest;
use aws_sdk_dynamodb::config::retry::{ClassifyRetry, RetryConfig, RetryMode, RetryPartition};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{
    ConfigBag, Credentials, Intercept, Layer, ResolveCachedIdentity, RuntimeComponents,
    SharedAsyncSleep, SharedIdentityCache, StalledStreamProtectionConfig,
};
use aws_smithy_async::time::SharedTimeSource;
use aws_smithy_observability::TelemetryProvider;
use aws_smithy_observability::global::get_telemetry_provider;
use aws_smithy_runtime::client::retries::TokenBucket;
use aws_smithy_runtime_api::client::auth::{AuthScheme, AuthSchemeId};
use aws_smithy_runtime_api::client::http::{HttpConnectorSettings, SharedHttpClient};
use aws_smithy_runtime_api::client::identity::SharedIdentityResolver;
use aws_smithy_runtime_api::client::interceptors::context::{Input, InterceptorContext};
use aws_smithy_runtime_api::client::retries::{
    RequestAttempts, RetryStrategy, SharedRetryStrategy,
};
use futures_util::FutureExt;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// All that is needed to send a request.
pub(super) struct Learned {
    pub(super) template: Template,
    pub(super) credentials: Credentials,
    pub(super) identity_cache: SharedIdentityCache,
    pub(super) identity_resolver: SharedIdentityResolver,
    pub(super) http_client: SharedHttpClient,
    pub(super) connector_settings: HttpConnectorSettings,
    pub(super) timeouts: TimeoutConfig,
    pub(super) stalls: Option<StalledStreamProtectionConfig>,
    pub(super) sleep: SharedAsyncSleep,
    pub(super) time: SharedTimeSource,
    pub(super) components: RuntimeComponents,
    /// What the identity cache and the retry strategy look for.
    pub(super) config: ConfigBag,
    retries: SharedRetryStrategy,
    /// A call that did not fail.
    success: InterceptorContext,
    telemetry: Arc<TelemetryProvider>,
}

impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned").finish_non_exhaustive()
    }
}

/// Why the SDK sends the requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// It will not change.
    Lasting(Cow<'static, str>),
    /// It may be gone at the next request.
    Passing(Cow<'static, str>),
}

impl Obstacle {
    pub(super) fn lasting(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Lasting(reason.into())
    }

    pub(super) fn passing(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Passing(reason.into())
    }
}

/// Returns why the SDK has to send all requests of a client, as far as its configuration shows.
pub(super) fn obstacle_of(client: &Client) -> Option<&'static str> {
    let config = client.config();
    let foreign_classifier = |name: &str| name != attempts::NAME;
    if sdk::has_foreign_interceptors(client) {
        Some("the client has interceptors")
    } else if config
        .retry_classifiers()
        .any(|it| foreign_classifier(it.name()))
    {
        Some("the client has retry classifiers")
    } else if config.auth_schemes().next().is_some() {
        Some("the client has auth schemes")
    } else if config.invocation_id_generator().is_some() {
        Some("the client generates the ids of its calls")
    } else {
        None
    }
}

/// The SDK's interceptors whose work is done here, or matters only for a failed attempt, which the
/// SDK handles.
const INTERCEPTORS: [&str; 17] = [
    NAME,
    "TokenBucketProvider",
    "ConnectionPoisoningInterceptor",
    "RetryModeFeatureTrackerInterceptor",
    "ServiceClockSkewInterceptor",
    "RequestInfoInterceptor",
    "UserAgentInterceptor",
    "InvocationIdInterceptor",
    "RecursionDetectionInterceptor",
    "AccountIdEndpointFeatureTrackerInterceptor",
    "EndpointOverrideFeatureTrackerInterceptor",
    "ObservabilityFeatureTrackerInterceptor",
    "MetricsInterceptor",
    "EnforceContentLength",
    "TelemetryBytesInterceptor",
    "StalledStreamProtectionInterceptor",
    // Of transactions, whose token is in our body.
    "IdempotencyTokenInterceptor",
];

/// Those of each operation, after the name of the operation.
const OF_OPERATION: [&str; 2] = [
    "EndpointParamsInterceptor",
    "TelemetryInputCaptureInterceptor",
];

/// The SDK's retry classifiers; they see only failed attempts.
const CLASSIFIERS: [&str; 6] = [
    attempts::NAME,
    "HTTP Status Code",
    "Retryable Smithy Errors",
    "Errors Modeled As Retryable",
    "AWS Error Code",
    "ServiceClockSkew",
];

/// How far the clock may be from the time that the SDK signs with, in seconds. It corrects the time
/// by what it measured; DynamoDB accepts five minutes.
const CLOCK: u64 = 60;

impl Learned {
    /// Learns from a request that the SDK is about to send.
    pub(super) fn new(
        operation: Operation,
        sent: &HttpRequest,
        components: &RuntimeComponents,
        config: &ConfigBag,
    ) -> Result<Self, Obstacle> {
        check_components(operation, components).map_err(Obstacle::Lasting)?;
        let (time, sleep) = (components.time_source(), components.sleep_impl());
        let time = time.ok_or_else(|| Obstacle::lasting("the client has no clock"))?;
        let sleep = sleep.ok_or_else(|| Obstacle::lasting("the client cannot sleep"))?;
        check_clock(sent, &time)?;
        let telemetry = telemetry().ok_or_else(|| Obstacle::lasting("metrics are collected"))?;

        let own = own_config(config).ok_or_else(|| Obstacle::lasting("the SDK is too new"))?;
        if own.load::<RetryConfig>().map(RetryConfig::mode) != Some(RetryMode::Standard) {
            return Err(Obstacle::lasting("retries are adaptive"));
        }
        let scheme = components.auth_scheme(AuthSchemeId::from("sigv4"));
        let resolver = scheme.and_then(|scheme| scheme.identity_resolver(components));
        let resolver = resolver.ok_or_else(|| Obstacle::lasting("requests are not signed"))?;
        let cache = components.identity_cache();
        let identity = cache
            .resolve_cached_identity(resolver.clone(), components, &own)
            .now_or_never()
            .and_then(Result::ok)
            .ok_or_else(|| Obstacle::passing("the credentials are not cached"))?;
        let credentials = identity.data::<Credentials>().cloned();
        let credentials = credentials.ok_or_else(|| Obstacle::lasting("no credentials"))?;
        let template = Template::learn(sent, operation.target(), &credentials);
        let http_client = components.http_client();
        let timeouts = own.load::<TimeoutConfig>().cloned();
        let timeouts = timeouts.unwrap_or_else(TimeoutConfig::disabled);
        let mut settings = HttpConnectorSettings::builder();
        settings.set_connect_timeout(timeouts.connect_timeout());
        settings.set_read_timeout(timeouts.read_timeout());
        Ok(Self {
            template: template?,
            credentials,
            identity_cache: cache,
            identity_resolver: resolver,
            http_client: http_client.ok_or_else(|| Obstacle::lasting("no HTTP client"))?,
            connector_settings: settings.build(),
            timeouts,
            stalls: own.load::<StalledStreamProtectionConfig>().cloned(),
            sleep,
            time,
            retries: components.retry_strategy(),
            components: components.clone(),
            config: own,
            success: InterceptorContext::new(Input::erase(())),
            telemetry,
        })
    }

    /// Whether metrics are still not collected.
    pub(super) fn is_unobserved(&self) -> bool {
        get_telemetry_provider().is_ok_and(|now| Arc::ptr_eq(&now, &self.telemetry))
    }

    /// Tells the SDK's retry strategy of a success, for which it allows other calls more retries.
    pub(super) fn note_success(&self) {
        let strategy = &self.retries;
        // Never another attempt: nothing failed.
        let _ = strategy.should_attempt_retry(&self.success, &self.components, &self.config);
    }
}

fn check_components(
    operation: Operation,
    components: &RuntimeComponents,
) -> Result<(), Cow<'static, str>> {
    let mut seen = BTreeSet::new();
    for interceptor in components.interceptors() {
        let name = interceptor.name();
        let of_operation = name.strip_prefix(operation.name());
        let known = INTERCEPTORS.contains(&name)
            || of_operation.is_some_and(|name| OF_OPERATION.contains(&name));
        // A handle on another handle's client has our interceptor twice.
        if !known || (!seen.insert(name.to_owned()) && name != NAME) {
            return Err(format!("there is an interceptor `{name}`").into());
        }
    }
    for classifier in components.retry_classifiers() {
        let name = classifier.name();
        if !CLASSIFIERS.contains(&name) {
            return Err(format!("there is a retry classifier `{name}`").into());
        }
    }
    // The SDK has no names for these, so they are recognised by their debug output.
    let scheme = components.auth_scheme(AuthSchemeId::from("sigv4"));
    let signer = scheme.map(|scheme| format!("{:?}", scheme.signer()));
    let parts = [
        (
            "endpoint resolver",
            format!("{:?}", components.endpoint_resolver()),
            "DefaultResolver",
        ),
        (
            "retry strategy",
            format!("{:?}", components.retry_strategy()),
            "StandardRetryStrategy",
        ),
        (
            "auth scheme resolver",
            format!("{:?}", components.auth_scheme_option_resolver()),
            "DefaultAuthSchemeResolver",
        ),
        ("signer", signer.unwrap_or_default(), "SigV4Signer"),
        (
            "identity cache",
            format!("{:?}", components.identity_cache()),
            "Cache",
        ),
    ];
    match parts
        .into_iter()
        .find(|(_, debug, known)| !debug.contains(known))
    {
        Some((part, debug, _)) => Err(format!("the client has another {part}: {debug}").into()),
        None => Ok(()),
    }
}

/// Fails while the SDK corrects the time, because only it measures how far the clock is wrong.
fn check_clock(sent: &HttpRequest, time: &SharedTimeSource) -> Result<(), Obstacle> {
    let signed = sent.headers().get("x-amz-date").and_then(Stamp::parse);
    let signed = signed.and_then(|stamp| stamp.seconds());
    let now = Stamp::of(time.now()).and_then(|stamp| stamp.seconds());
    match now
        .zip(signed)
        .is_some_and(|(now, signed)| now.abs_diff(signed) <= CLOCK)
    {
        true => Ok(()),
        false => Err(Obstacle::passing(
            "the clock is wrong, and the SDK corrects it",
        )),
    }
}

/// Returns the current provider of metrics, if it collects none.
fn telemetry() -> Option<Arc<TelemetryProvider>> {
    let provider = get_telemetry_provider().ok()?;
    let none = format!("{:?}", provider.meter_provider()) == "NoopMeterProvider";
    none.then_some(provider)
}

/// Returns the part of the configuration that is used outside of the orchestrator.
fn own_config(config: &ConfigBag) -> Option<ConfigBag> {
    let mut layer = Layer::new(NAME);
    layer.store_put(config.load::<RetryConfig>()?.clone());
    layer.store_put(config.load::<RetryPartition>()?.clone());
    layer.store_put(config.load::<TokenBucket>()?.clone());
    layer.store_put(config.load::<TimeoutConfig>()?.clone());
    layer.store_put(RequestAttempts::new(1));
    if let Some(stalls) = config.load::<StalledStreamProtectionConfig>() {
        layer.store_put(stalls.clone());
    }
    Some(ConfigBag::of_layers([layer]))
}
