//! A connector that answers at once, and credentials that change.

use aws_credential_types::provider::future;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region, RuntimeComponents};
use aws_sdk_dynamodb::config::{ProvideCredentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// One request of so many fails.
const FAILING: u64 = 1000;

/// The client of the run. It waits hardly at all before it repeats a request.
pub fn client(canned: Canned, rotating: Rotating) -> Client {
    let retries = RetryConfig::standard().with_initial_backoff(Duration::from_millis(1));
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-west-1"))
        .credentials_provider(SharedCredentialsProvider::new(rotating))
        .retry_config(retries)
        .http_client(canned);
    Client::from_conf(config.build())
}

#[derive(Debug, Clone, Default)]
pub struct Canned(Arc<AtomicU64>);

impl Canned {
    pub fn failed(&self) -> u64 {
        self.0.load(Ordering::Relaxed) / FAILING
    }
}

impl HttpClient for Canned {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Canned {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let (status, body) = match target.rsplit('.').next() {
            _ if number.is_multiple_of(FAILING) => (500, "{}".to_owned()),
            Some("GetItem") => (200, format!(r#"{{"Item":{}}}"#, item(0))),
            Some("Query") => {
                let items: Vec<_> = (0..10).map(item).collect();
                let items = items.join(",");
                (
                    200,
                    format!(r#"{{"Count":10,"ScannedCount":10,"Items":[{items}]}}"#),
                )
            }
            _ => (200, "{}".to_owned()),
        };
        let mut response = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body));
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        HttpConnectorFuture::ready(Ok(response))
    }
}

fn item(id: u32) -> String {
    format!(
        r#"{{"PK":{{"S":"OWNER#1"}},"SK":{{"S":"THING#{id:03}"}},"owner":{{"N":"1"}},"id":{{"N":"{id}"}},"name":{{"S":"thing {id}"}}}}"#
    )
}

/// Credentials that the SDK's cache keeps for a second: it renews them ten seconds before they expire.
#[derive(Debug, Clone, Default)]
pub struct Rotating(Arc<AtomicU64>);

impl Rotating {
    pub fn made(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl ProvideCredentials for Rotating {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let expiry = SystemTime::now() + Duration::from_secs(11);
        let id = format!("AKID{number}");
        let new = Credentials::new(id, "secret", Some("token".into()), Some(expiry), "rotating");
        future::ProvideCredentials::ready(Ok(new))
    }
}
