//! Credentials and signatures, made by the SDK's own crates.

use super::recorder::Sent;
use aws_credential_types::provider::future;
use aws_sdk_dynamodb::config::{Credentials, ProvideCredentials};
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the `authorization` header that the SDK's signer gives to this request.
pub fn signature(sent: &Sent, credentials: &Credentials) -> String {
    // The SDK adds the headers about the call after it has signed, and the signer adds two.
    let headers = sent.headers.iter().filter(|(name, _)| {
        !name.starts_with("amz-sdk-")
            && !["authorization", "x-amz-date", "x-amz-security-token"].contains(&name.as_str())
    });
    let headers = headers.map(|(name, value)| (name.as_str(), value.as_str()));
    let body = SignableBody::Bytes(&sent.body);
    let request = SignableRequest::new(&sent.method, &sent.uri, headers, body).unwrap();
    let identity = credentials.clone().into();
    let scope = sent.header("authorization").split(['/', ',']).rev();
    let mut scope = scope.skip_while(|part| *part != "aws4_request").skip(1);
    let (service, region) = (scope.next().unwrap(), scope.next().unwrap());
    let parameters = v4::SigningParams::builder()
        .identity(&identity)
        .region(region)
        .name(service)
        .time(time(sent.header("x-amz-date")))
        .settings(SigningSettings::default())
        .build()
        .unwrap();
    let (signed, _) = sign(request, &parameters.into()).unwrap().into_parts();
    let (headers, _) = signed.into_parts();
    let own = headers.into_iter().find(|it| it.name() == "authorization");
    own.unwrap().value().to_owned()
}

fn time(stamp: &str) -> SystemTime {
    let parsed = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", stamp).unwrap();
    parsed
        .to_zoned(jiff::tz::TimeZone::UTC)
        .unwrap()
        .timestamp()
        .into()
}

/// Credentials that change with a clock, and expire after half an hour.
#[derive(Debug, Clone)]
pub struct Rotated(Arc<AtomicU64>);

impl Rotated {
    pub fn new(seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seconds)))
    }

    pub fn set(&self, seconds: u64) {
        self.0.store(seconds, Ordering::Relaxed);
    }

    pub fn now(&self) -> Credentials {
        let seconds = self.0.load(Ordering::Relaxed);
        let expiry = UNIX_EPOCH + Duration::from_secs(seconds + 1800);
        let (id, token) = (format!("AKID{seconds}"), format!("token {seconds}"));
        Credentials::new(id, "secret", Some(token), Some(expiry), "rotated")
    }
}

impl ProvideCredentials for Rotated {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::ready(Ok(self.now()))
    }
}
