//! Records each request as sent, and its consumption.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::{
    AfterDeserializationInterceptorContextRef, BeforeTransmitInterceptorContextRef,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use dynamo_model::Dynamo;
use dynamo_model_tools::Request;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
struct Log {
    sent: Vec<Request>,
    consumed: f64,
    paused: bool,
}

/// Records the requests of a client.
#[derive(Debug, Clone, Default)]
pub struct Recorder(Arc<Mutex<Log>>);

impl Recorder {
    /// Returns the same database, through a recorded client.
    #[must_use]
    pub fn record(&self, db: &Dynamo) -> Dynamo {
        let config = db.client().config().to_builder();
        let config = config.interceptor(self.clone()).build();
        Dynamo::new(Client::from_conf(config))
            .with_http_only_interceptors()
            .with_consumed_capacity()
    }

    /// Returns the requests since the last call, and their consumption.
    #[must_use]
    pub fn take(&self) -> (Vec<Request>, f64) {
        let Log { sent, consumed, .. } = std::mem::take(&mut *self.log());
        (sent, consumed)
    }

    /// Records nothing until the next [`take`](Self::take).
    pub fn pause(&self) {
        self.log().paused = true;
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Intercept for Recorder {
    fn name(&self) -> &'static str {
        "Recorder"
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let request = context.request();
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let body = request.body().bytes().unwrap_or_default();
        let body = serde_json::from_slice(body).unwrap_or_default();
        let mut log = self.log();
        if !log.paused {
            log.sent.push(Request::new(operation, body));
        }
        Ok(())
    }

    fn read_after_deserialization(
        &self,
        context: &AfterDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let body = context.response().body().bytes().unwrap_or_default();
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let mut log = self.log();
        if !log.paused {
            log.consumed += consumed(&body["ConsumedCapacity"]);
        }
        Ok(())
    }
}

/// Of one table, or of several.
fn consumed(capacity: &Value) -> f64 {
    match capacity {
        Value::Array(tables) => tables.iter().map(consumed).sum(),
        one => one["CapacityUnits"].as_f64().unwrap_or_default(),
    }
}
