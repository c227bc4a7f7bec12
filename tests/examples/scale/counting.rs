//! Counts the requests of a client.

use aws_sdk_dynamodb::config::{RuntimeComponents, SharedHttpClient};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use dynamo_model::Dynamo;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The requests and bytes of a client.
#[derive(Debug, Default, Clone)]
pub struct Totals {
    pub requests: usize,
    /// Of answers.
    pub bytes: usize,
    /// Requests under way at the same time, at the most.
    pub at_once: usize,
    under_way: usize,
    /// Requests of each segment of a scan.
    segments: BTreeMap<u64, usize>,
}

impl Totals {
    /// Returns the number of requests that must run in sequence: those of the largest segment.
    pub fn in_a_row(&self) -> usize {
        self.segments
            .values()
            .copied()
            .max()
            .unwrap_or(self.requests)
    }
}

/// A connection that counts its requests.
#[derive(Debug, Clone)]
pub struct Counting {
    inner: SharedHttpClient,
    totals: Arc<Mutex<Totals>>,
    latency: Duration,
}

impl Counting {
    /// Returns the same engine, through such a connection.
    pub fn around(db: &Dynamo) -> (Dynamo, Self) {
        Self::slow(db, Duration::ZERO)
    }

    /// Returns the same with a latency for each response, like a network.
    pub fn slow(db: &Dynamo, latency: Duration) -> (Dynamo, Self) {
        let config = db.client().config();
        let counting = Self {
            inner: config.http_client().unwrap(),
            totals: Arc::default(),
            latency,
        };
        let config = config.to_builder().http_client(counting.clone()).build();
        let client = aws_sdk_dynamodb::Client::from_conf(config);
        (Dynamo::new(client), counting)
    }

    /// Returns the totals since the last call.
    pub fn take(&self) -> Totals {
        std::mem::take(&mut self.totals.lock().unwrap())
    }
}

impl HttpClient for Counting {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            inner: self.inner.http_connector(settings, components),
            counting: self.clone(),
        })
    }
}

#[derive(Debug)]
struct Connector {
    inner: SharedHttpConnector,
    counting: Counting,
}

/// Returns which segment of a scan a request reads.
fn segment(request: &HttpRequest) -> Option<u64> {
    let target = request.headers().get("x-amz-target")?;
    let body = request
        .body()
        .bytes()
        .filter(|_| target.ends_with(".Scan"))?;
    serde_json::from_slice::<Value>(body).ok()?["Segment"].as_u64()
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let segment = segment(&request);
        let (answer, counting) = (self.inner.call(request), self.counting.clone());
        HttpConnectorFuture::new(async move {
            {
                let mut totals = counting.totals.lock().unwrap();
                totals.requests += 1;
                totals.under_way += 1;
                totals.at_once = totals.at_once.max(totals.under_way);
                if let Some(segment) = segment {
                    *totals.segments.entry(segment).or_default() += 1;
                }
            }
            if !counting.latency.is_zero() {
                tokio::time::sleep(counting.latency).await;
            }
            let answer = answer.await;
            let mut totals = counting.totals.lock().unwrap();
            totals.under_way -= 1;
            let bytes = answer.as_ref().ok().and_then(|it| it.body().bytes());
            totals.bytes += bytes.map_or(0, <[u8]>::len);
            answer
        })
    }
}
