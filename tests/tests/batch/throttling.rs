//! A table that takes a part of each batch, drawn at random by a seed, or refuses all of it.

use super::canned::{config, refusal};
use aws_sdk_dynamodb::config::RuntimeComponents;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use dynamo_model::Dynamo;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug, Clone)]
pub struct Throttling {
    /// The number of items taken from the iterator.
    taken: Arc<AtomicUsize>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    random: u64,
    /// How often each key was written.
    written: HashMap<String, u32>,
    refusals: usize,
    most_ahead: usize,
}

impl State {
    /// xorshift64.
    fn below(&mut self, end: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % end
    }

    fn answer(&mut self, mut request: Value, taken: usize) -> (u16, Value) {
        self.most_ahead = self.most_ahead.max(taken - self.written.len());
        if self.below(10) == 0 {
            self.refusals += 1;
            return refusal("ProvisionedThroughputExceededException", Value::Null);
        }
        let tables = request["RequestItems"].as_object_mut().unwrap();
        tables.retain(|_, writes| {
            let writes = writes.as_array_mut().unwrap();
            assert!(writes.len() <= 25);
            // Mostly all items, sometimes only a few.
            let chance = [1, 10, 10][self.below(3) as usize];
            writes.retain(|write| {
                let taken = self.below(10) < chance;
                if taken {
                    let key = write["PutRequest"]["Item"]["PK"]["S"].as_str().unwrap();
                    *self.written.entry(key.to_owned()).or_default() += 1;
                }
                !taken
            });
            !writes.is_empty()
        });
        (200, json!({ "UnprocessedItems": tables }))
    }
}

impl Throttling {
    pub fn new(seed: u64, taken: Arc<AtomicUsize>) -> Self {
        let state = State {
            random: seed,
            ..State::default()
        };
        Self {
            taken,
            state: Arc::new(Mutex::new(state)),
        }
    }

    pub fn db(&self) -> Dynamo {
        let config = config().http_client(self.clone());
        Dynamo::new(aws_sdk_dynamodb::Client::from_conf(config.build()))
    }

    pub fn written(&self) -> HashMap<String, u32> {
        self.state.lock().unwrap().written.clone()
    }

    pub fn refusals(&self) -> usize {
        self.state.lock().unwrap().refusals
    }

    /// Returns how many items were taken at most that were not written.
    pub fn most_ahead(&self) -> usize {
        self.state.lock().unwrap().most_ahead
    }
}

impl HttpClient for Throttling {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Throttling {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let this = self.clone();
        HttpConnectorFuture::new(async move {
            // Long enough for the others to be sent meanwhile.
            tokio::time::sleep(Duration::from_millis(5)).await;
            let body = request.body().bytes().unwrap_or_default();
            let body = serde_json::from_slice(body).unwrap();
            let taken = this.taken.load(Ordering::SeqCst);
            let (status, answer) = this.state.lock().unwrap().answer(body, taken);
            let body = SdkBody::from(answer.to_string());
            Ok(HttpResponse::new(status.try_into().unwrap(), body))
        })
    }
}
