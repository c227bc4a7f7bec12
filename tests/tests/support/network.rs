//! A network between client and engine that fails, by a seed, as networks and services do.

use super::leftovers;
use super::random::Random;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{RuntimeComponents, SharedHttpClient};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use dynamo_model::Dynamo;
use http_body::Frame;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use std::{fmt, io};
use tokio::task::JoinHandle;

/// The fate of a request. `done` says whether the engine has done the work or never received it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    None,
    /// The request, or its answer, takes its time, and others pass it by.
    Slow,
    /// Refused, by this code.
    Refused(&'static str),
    /// Status 500, which does not tell whether it was done.
    ServerError {
        done: bool,
    },
    /// The connection breaks.
    Broken {
        done: bool,
    },
    /// The connection waits, and gives up.
    TimedOut {
        done: bool,
    },
    /// No response arrives; the SDK times out.
    Silent {
        done: bool,
    },
    /// It is done, and the answer breaks off in the middle.
    CutOff,
    /// It is done, but a proxy answers with its page, and status 200.
    Garbled,
    /// A batch is done in part; a query or scan ends early.
    InPart,
    /// Another transaction holds the item.
    Conflict,
    /// The client gives up, and seconds later it is done.
    Late,
}

pub const THROTTLED: Fault = Fault::Refused("ProvisionedThroughputExceededException");

impl Fault {
    /// One that may happen to this operation.
    fn drawn(random: &mut Random, operation: &str) -> Self {
        let done = random.chance(50);
        match random.below(12) {
            0 => THROTTLED,
            1 => Self::Refused("ThrottlingException"),
            2 | 3 => Self::ServerError { done },
            4 | 5 => Self::Broken { done },
            6 => Self::TimedOut { done },
            7 => Self::Silent { done },
            8 => Self::CutOff,
            9 if random.chance(25) => Self::Garbled,
            9 if is_write(operation) => Self::Conflict,
            _ if leftovers::can_be_in_part(operation) => Self::InPart,
            _ => Self::Slow,
        }
    }
}

fn is_single_write(operation: &str) -> bool {
    ["PutItem", "UpdateItem", "DeleteItem"].contains(&operation)
}

fn is_write(operation: &str) -> bool {
    operation == "TransactWriteItems" || is_single_write(operation)
}

type Decide = dyn Fn(&str) -> Fault + Send + Sync;

/// The network; a clone is the same one.
#[derive(Clone)]
pub struct Network {
    inner: SharedHttpClient,
    decide: Arc<Decide>,
    random: Arc<Mutex<Random>>,
    log: Arc<Mutex<Vec<(String, Fault)>>>,
    /// The numbers of the requests, in the order of their answers.
    answered: Arc<Mutex<Vec<usize>>>,
    /// Abandoned requests that are still to be done.
    late: Arc<Mutex<Vec<JoinHandle<()>>>>,
    /// Whether requests pass unharmed and unseen.
    calm: Arc<AtomicBool>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

impl Network {
    /// Returns the way to where `db` is, with faults in so many of 100 requests.
    pub fn seeded(db: &Dynamo, seed: u64, percent: u64) -> Self {
        let random = Arc::new(Mutex::new(Random::new(seed)));
        let drawn = Arc::clone(&random);
        Self::new(db, random, move |operation| {
            let mut random = drawn.lock().unwrap();
            match random.chance(percent) {
                true => Fault::drawn(&mut random, operation),
                false => Fault::None,
            }
        })
    }

    /// Returns the same but abandoned requests may take effect seconds later; see
    /// [`Network::settled`].
    pub fn late(db: &Dynamo, seed: u64, percent: u64) -> Self {
        let random = Arc::new(Mutex::new(Random::new(seed)));
        let drawn = Arc::clone(&random);
        Self::new(db, random, move |operation| {
            let mut random = drawn.lock().unwrap();
            if !random.chance(percent) {
                return Fault::None;
            }
            match Fault::drawn(&mut random, operation) {
                Fault::TimedOut { .. } | Fault::Silent { .. } => Fault::Late,
                fault => fault,
            }
        })
    }

    /// Faults in every fifth request that must not change any result: refusals, which are certain,
    /// and for repeatable requests lost responses, unprocessed items and pages that end early.
    pub fn unnoticed(db: &Dynamo, seed: u64) -> Self {
        let random = Arc::new(Mutex::new(Random::new(seed)));
        let drawn = Arc::clone(&random);
        Self::new(db, random, move |operation| {
            let mut random = drawn.lock().unwrap();
            if !random.chance(20) {
                return Fault::None;
            }
            match Fault::drawn(&mut random, operation) {
                fault @ (Fault::Refused(_) | Fault::Slow | Fault::Conflict) => fault,
                Fault::Silent { .. } | Fault::Garbled => THROTTLED,
                _ if operation.ends_with("Table") || is_single_write(operation) => THROTTLED,
                fault => fault,
            }
        })
    }

    /// These faults for the requests of one operation, in this order, and then none.
    pub fn scripted(db: &Dynamo, operation: &'static str, faults: &[Fault]) -> Self {
        let faults = Mutex::new(VecDeque::from(faults.to_vec()));
        let random = Arc::new(Mutex::new(Random::new(1)));
        Self::new(db, random, move |sent| match sent == operation {
            true => faults.lock().unwrap().pop_front().unwrap_or(Fault::None),
            false => Fault::None,
        })
    }

    fn new(
        db: &Dynamo,
        random: Arc<Mutex<Random>>,
        decide: impl Fn(&str) -> Fault + Send + Sync + 'static,
    ) -> Self {
        Self {
            inner: db.client().config().http_client().unwrap(),
            decide: Arc::new(decide),
            random,
            log: Arc::default(),
            answered: Arc::default(),
            late: Arc::default(),
            calm: Arc::default(),
        }
    }

    /// Returns a new handle through this network, as a new process has it.
    pub fn handle(&self, db: &Dynamo, attempts: u32) -> Dynamo {
        // Retries are rationed for all clients of a name; a seed must not depend on those before
        // it.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("faults-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let timeouts = TimeoutConfig::builder().operation_attempt_timeout(Duration::from_secs(2));
        // Not every test can pause the time.
        let retries = RetryConfig::standard()
            .with_max_attempts(attempts)
            .with_initial_backoff(Duration::from_millis(2))
            .with_max_backoff(Duration::from_millis(50));
        let config = db.client().config().to_builder();
        let config = config
            .retry_config(retries)
            .retry_partition(RetryPartition::new(name))
            .timeout_config(timeouts.build())
            .http_client(self.clone());
        super::transport(Dynamo::new(Client::from_conf(config.build())))
    }

    /// Makes a call that nothing happens to: after its first call, a handle may send requests in
    /// another way.
    pub async fn calm<T>(&self, call: impl Future<Output = T>) -> T {
        self.calm.store(true, Ordering::SeqCst);
        let result = call.await;
        self.calm.store(false, Ordering::SeqCst);
        result
    }

    /// Returns the requests, in order.
    pub fn log(&self) -> Vec<(String, Fault)> {
        self.log.lock().unwrap().clone()
    }

    /// Returns how many requests there were.
    pub fn requests(&self) -> usize {
        self.log.lock().unwrap().len()
    }

    /// Returns how many answers came after that to a later request.
    pub fn overtaken(&self) -> usize {
        let (mut latest, mut overtaken) = (0, 0);
        for number in self.answered.lock().unwrap().iter().copied() {
            overtaken += usize::from(number < latest);
            latest = number.max(latest);
        }
        overtaken
    }

    /// Waits until all late requests are done.
    pub async fn settled(&self) {
        let late = std::mem::take(&mut *self.late.lock().unwrap());
        for request in late {
            request.await.unwrap();
        }
    }

    fn moment(&self) -> Duration {
        Duration::from_micros(self.random.lock().unwrap().below(3000))
    }
}

impl HttpClient for Network {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            inner: self.inner.http_connector(settings, components),
            network: self.clone(),
        })
    }
}

#[derive(Debug, Clone)]
struct Connector {
    inner: SharedHttpConnector,
    network: Network,
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        if self.network.calm.load(Ordering::SeqCst) {
            return self.inner.call(request);
        }
        let fault = (self.network.decide)(&operation);
        let mut log = self.network.log.lock().unwrap();
        let number = log.len();
        log.push((operation.clone(), fault));
        drop(log);
        let this = self.clone();
        HttpConnectorFuture::new(async move {
            let answer = this.suffer(fault, &operation, request).await;
            this.network.answered.lock().unwrap().push(number);
            answer
        })
    }
}

type Answer = Result<HttpResponse, ConnectorError>;

impl Connector {
    async fn suffer(&self, fault: Fault, operation: &str, request: HttpRequest) -> Answer {
        match fault {
            Fault::None => self.inner.call(request).await,
            Fault::Slow => {
                let (before, after) = (self.network.moment(), self.network.moment());
                tokio::time::sleep(before).await;
                let answer = self.inner.call(request).await;
                tokio::time::sleep(after).await;
                answer
            }
            Fault::Refused(code) => Ok(response(400, error(code))),
            Fault::ServerError { done } => {
                self.perhaps(done, request).await;
                Ok(response(500, error("InternalServerError")))
            }
            Fault::Broken { done } => {
                self.perhaps(done, request).await;
                Err(ConnectorError::io("the connection broke".into()))
            }
            Fault::TimedOut { done } => {
                self.perhaps(done, request).await;
                Err(ConnectorError::timeout("no answer in time".into()))
            }
            Fault::Silent { done } => {
                self.perhaps(done, request).await;
                std::future::pending().await
            }
            Fault::CutOff => self.inner.call(request).await.map(cut_off),
            Fault::Garbled => {
                self.perhaps(true, request).await;
                let mut page = response(200, "<html>moment, please</html>".into());
                page.headers_mut().insert("content-type", "text/html");
                Ok(page)
            }
            Fault::InPart => self.in_part(operation, request).await,
            Fault::Conflict => Ok(conflict(operation, &request)),
            Fault::Late => {
                let (inner, moment) = (self.inner.clone(), self.network.moment());
                let late = tokio::spawn(async move {
                    tokio::time::sleep(moment * 1000).await;
                    let _ = inner.call(request).await;
                });
                self.network.late.lock().unwrap().push(late);
                Err(ConnectorError::timeout("no answer in time".into()))
            }
        }
    }

    async fn perhaps(&self, done: bool, request: HttpRequest) {
        if done {
            let _ = self.inner.call(request).await;
        }
    }

    async fn in_part(&self, operation: &str, mut request: HttpRequest) -> Answer {
        let mut body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let left = leftovers::take(
            operation,
            &mut body,
            &mut self.network.random.lock().unwrap(),
        );
        if left.nothing_remains {
            let body = json!({ left.name: left.requests });
            return Ok(response(200, body.to_string()));
        }
        *request.body_mut() = SdkBody::from(body.to_string());
        let answer = self.inner.call(request).await?;
        if left.name.is_empty() || !answer.status().is_success() {
            return Ok(answer);
        }
        let mut body: Value = serde_json::from_slice(answer.body().bytes().unwrap()).unwrap();
        body[left.name] = left.requests;
        Ok(response(200, body.to_string()))
    }
}

/// DynamoDB's response during another transaction: for a transaction, for one of its operations.
fn conflict(operation: &str, request: &HttpRequest) -> HttpResponse {
    if operation != "TransactWriteItems" {
        return response(400, error("TransactionConflictException"));
    }
    let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
    let operations = body["TransactItems"].as_array().unwrap().len();
    let mut reasons = vec![json!({ "Code": "None" }); operations];
    reasons[operations - 1] = json!({ "Code": "TransactionConflict", "Message": "by the plan" });
    let body = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "CancellationReasons": reasons,
    });
    response(400, body.to_string())
}

pub fn response(status: u16, body: String) -> HttpResponse {
    let mut response = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body));
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    response
}

pub fn error(code: &str) -> String {
    json!({ "__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": "by the plan" })
        .to_string()
}

/// Half of the answer; then the connection breaks.
pub fn cut_off(whole: HttpResponse) -> HttpResponse {
    let body = whole.body().bytes().unwrap_or_default();
    let half = Torn(Some(Bytes::copy_from_slice(&body[..body.len() / 2])));
    let length = body.len().to_string();
    let mut cut = response(whole.status().as_u16(), String::new());
    *cut.body_mut() = SdkBody::from_body_1_x(half);
    cut.headers_mut().insert("content-length", length);
    cut
}

/// A body that breaks off after this.
struct Torn(Option<Bytes>);

impl http_body::Body for Torn {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let broken = || Err(io::ErrorKind::UnexpectedEof.into());
        let half = self.0.take().filter(|half| !half.is_empty());
        Poll::Ready(Some(half.map(Frame::data).map_or_else(broken, Ok)))
    }
}
