//! Counts what goes over the wire.

use aws_sdk_dynamodb::config::{RuntimeComponents, SharedHttpClient};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use dynamo_model::Dynamo;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug, Default)]
struct Totals {
    requests: AtomicUsize,
    bytes: AtomicUsize,
}

/// A connection that knows how much went through it.
#[derive(Debug, Clone)]
pub struct Counting {
    inner: SharedHttpClient,
    totals: Arc<Totals>,
}

impl Counting {
    /// The same engine, through such a connection.
    pub fn around(db: &Dynamo) -> (Dynamo, Self) {
        let config = db.client().config();
        let counting = Self {
            inner: config.http_client().unwrap(),
            totals: Arc::default(),
        };
        let config = config.to_builder().http_client(counting.clone()).build();
        let client = aws_sdk_dynamodb::Client::from_conf(config);
        (Dynamo::new(client), counting)
    }

    /// Requests, and bytes of answers, since the last time.
    pub fn take(&self) -> (usize, usize) {
        let take = |total: &AtomicUsize| total.swap(0, Ordering::SeqCst);
        (take(&self.totals.requests), take(&self.totals.bytes))
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
            totals: Arc::clone(&self.totals),
        })
    }
}

#[derive(Debug)]
struct Connector {
    inner: SharedHttpConnector,
    totals: Arc<Totals>,
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (answer, totals) = (self.inner.call(request), Arc::clone(&self.totals));
        HttpConnectorFuture::new(async move {
            let answer = answer.await?;
            let bytes = answer.body().bytes().map_or(0, <[u8]>::len);
            totals.requests.fetch_add(1, Ordering::SeqCst);
            totals.bytes.fetch_add(bytes, Ordering::SeqCst);
            Ok(answer)
        })
    }
}
