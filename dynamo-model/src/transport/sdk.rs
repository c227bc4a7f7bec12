//! The way into the SDK: its requests are signed, sent and retried as ever, but what is in their bodies is
//! written and read here.
//!
//! An interceptor puts a serializer and a deserializer of ours in the place of the SDK's. It finds out what belongs to
//! the call it is in by a task-local value, which costs less than customizing each operation.

use super::attempts::{Attempts, Lost};
use super::reply::Reply;
use crate::db::Dynamo;
use crate::error::{Foreign, Unreadable};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::{BoxError, SdkError};
use aws_smithy_runtime_api::client::interceptors::context::{
    BeforeSerializationInterceptorContextMut, Error, Input, Output,
};
use aws_smithy_runtime_api::client::interceptors::{SharedInterceptor, dyn_dispatch_hint};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::client::runtime_plugin::RuntimePlugin;
use aws_smithy_runtime_api::client::ser_de::{
    DeserializeResponse, SerializeRequest, SharedRequestSerializer, SharedResponseDeserializer,
};
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::{FrozenLayer, Layer};
use core::cell::Cell;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::{Context, Poll, ready};
use pin_project_lite::pin_project;
use tokio::task::futures::TaskLocalFuture;

tokio::task_local! {
    /// The call that is under way.
    static CALL: Call;
}

/// One call.
struct Call {
    /// Which one it is; none where the SDK does all of it.
    kind: Option<Kind>,
    /// What is sent, until it is.
    body: Cell<Option<SdkBody>>,
    /// What came back.
    reply: Cell<Option<Reply>>,
    attempts: Cell<Attempts>,
}

/// An operation of the SDK.
#[derive(Clone, Copy)]
struct Kind {
    target: &'static str,
    /// Whether its body is written here.
    writes: bool,
    /// Whether its answer is read here.
    reads: bool,
    /// Whether it changes items.
    is_write: bool,
    /// What the SDK is told was answered.
    output: fn() -> Output,
    sdk: fn() -> Option<FrozenLayer>,
}

impl Kind {
    fn of<O: Answer>(db: &Dynamo, body: &Option<SdkBody>, is_write: bool) -> Self {
        Self {
            target: O::TARGET,
            writes: body.is_some(),
            reads: !db.uses_maps(),
            is_write,
            output: O::empty,
            sdk: O::sdk,
        }
    }
}

/// Sends a request. `body` is its body, where it was written here; the request then says only what the SDK must know,
/// such as the names of the tables.
///
/// The SDK's futures are large: they stay where they are made.
pub(crate) fn send<'a, O: Answer, E, R: Future<Output = Answered<O, E>>>(
    db: &Dynamo,
    body: Option<SdkBody>,
    request: Pin<&'a mut R>,
) -> Sending<'a, R> {
    let kind = Kind::of::<O>(db, &body, false);
    Sending::new(db.foreign(), Some(kind), body, None, request)
}

/// Likewise, of a write: what became of its attempts is noted.
pub(crate) fn send_watched<'a, O: Answer, E, R: Future<Output = Answered<O, E>>>(
    db: &Dynamo,
    body: Option<SdkBody>,
    attempts: &'a mut Attempts,
    request: Pin<&'a mut R>,
) -> Sending<'a, R> {
    let kind = Kind::of::<O>(db, &body, true);
    Sending::new(db.foreign(), Some(kind), body, Some(attempts), request)
}

/// Makes a call that the SDK writes and reads; what became of its attempts is noted.
pub(crate) async fn watched<O, E, R: Future<Output = Answered<O, E>>>(
    attempts: &mut Attempts,
    request: Pin<&mut R>,
) -> Answered<O, E> {
    let mut sending = pin!(Sending::new(None, None, None, Some(attempts), request));
    let (answer, _) = poll_fn(|cx| sending.as_mut().poll_call(cx)).await;
    answer
}

pin_project! {
    /// A call that is under way. No `async fn`, which would keep all it is given twice.
    #[must_use = "nothing is sent until it is awaited"]
    pub(crate) struct Sending<'a, R> {
        #[pin]
        call: TaskLocalFuture<Call, Pin<&'a mut R>>,
        attempts: Option<&'a mut Attempts>,
        // Why nothing may be sent.
        foreign: Option<Foreign>,
    }
}

impl<'a, R: Future> Sending<'a, R> {
    fn new(
        foreign: Option<Foreign>,
        kind: Option<Kind>,
        body: Option<SdkBody>,
        attempts: Option<&'a mut Attempts>,
        request: Pin<&'a mut R>,
    ) -> Self {
        let known = attempts.as_ref().map_or(Attempts::new(true), |it| **it);
        let call = Call {
            kind,
            body: Cell::new(body),
            reply: Cell::new(None),
            attempts: Cell::new(known),
        };
        let call = CALL.scope(call, request);
        Self {
            call,
            attempts,
            foreign,
        }
    }

    /// What the SDK says of the call, and what was read here.
    fn poll_call<O, E>(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<(Answered<O, E>, Option<Reply>)>
    where
        R: Future<Output = Answered<O, E>>,
    {
        let mut this = self.project();
        if let Some(foreign) = this.foreign.take() {
            return Poll::Ready((Err(SdkError::construction_failure(foreign)), None));
        }
        let answer = ready!(this.call.as_mut().poll(cx));
        let call = this.call.take_value();
        if let (Some(attempts), Some(call)) = (this.attempts, &call) {
            **attempts = call.attempts.get().after(&answer);
        }
        Poll::Ready((answer, call.and_then(|call| call.reply.into_inner())))
    }
}

impl<O: Answer, E, R: Future<Output = Answered<O, E>>> Future for Sending<'_, R> {
    type Output = Result<Reply, SdkError<E, HttpResponse>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (answer, reply) = ready!(self.poll_call(cx));
        // Where ours could not read the answer, the SDK's own deserializer did.
        Poll::Ready(answer.map(|output| reply.unwrap_or_else(|| output.into_reply())))
    }
}

type Answered<O, E> = Result<O, SdkError<E, HttpResponse>>;

/// Changes what is known of the attempts of the call that is under way.
pub(super) fn attempted<T>(note: impl FnOnce(&Cell<Attempts>) -> T) -> Option<T> {
    CALL.try_with(|call| note(&call.attempts)).ok()
}

/// Puts our serializer and deserializer in the place of the SDK's, for calls made by [`send`].
///
/// They are found in a layer that is made once: a value of its own for each call would be boxed each time.
#[derive(Debug)]
struct Wire {
    reads: FrozenLayer,
    reads_and_writes: FrozenLayer,
}

impl Wire {
    fn new() -> Self {
        let reading = || {
            let mut layer = Layer::new(NAME);
            layer.store_put(SharedResponseDeserializer::new(OfCall));
            layer
        };
        let mut both = reading();
        both.store_put(SharedRequestSerializer::new(OfCall));
        Self {
            reads: reading().freeze(),
            reads_and_writes: both.freeze(),
        }
    }
}

/// A client like this one, whose requests can be sent by [`send`].
pub(crate) fn client(client: &Client) -> Client {
    let config = client.config().to_builder();
    let mut config = config.retry_classifier(Lost);
    // Permanent, so that the SDK does not look whether it is switched off.
    config.push_interceptor(SharedInterceptor::permanent(Wire::new()));
    Client::from_conf(config.build())
}

/// The first interceptor of a client that is not ours.
pub(crate) fn foreign(client: &Client) -> Option<Foreign> {
    let mut interceptors = client.config().interceptors();
    let foreign = interceptors.find(|it| it.name() != NAME)?;
    Some(Foreign(foreign.name().into()))
}

/// The name of our interceptor.
const NAME: &str = "dynamo-model";

// The hooks that are not here are not even asked for.
#[dyn_dispatch_hint]
impl Intercept for Wire {
    fn name(&self) -> &'static str {
        NAME
    }

    fn modify_before_serialization(
        &self,
        _: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        cfg: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let kind = CALL.try_with(|call| call.kind);
        // Other calls are somebody else's.
        if let Ok(Some(kind)) = kind {
            let layer = match kind.writes {
                true => &self.reads_and_writes,
                false => &self.reads,
            };
            cfg.push_shared_layer(layer.clone());
        }
        Ok(())
    }
}

/// Writes and reads for the call that is under way.
#[derive(Debug)]
struct OfCall;

impl SerializeRequest for OfCall {
    fn serialize_input(&self, _: Input, _: &mut ConfigBag) -> Result<HttpRequest, BoxError> {
        let call = CALL.try_with(|call| call.body.take().zip(call.kind));
        let (body, Kind { target, .. }) = call.ok().flatten().ok_or("no call is under way")?;
        let length = body.content_length().unwrap_or_default();
        // To `/`, which is where a new request goes.
        let mut request = HttpRequest::new(body);
        request.set_method("POST")?;
        let headers = request.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        headers.insert("x-amz-target", target);
        headers.insert("content-length", length.to_string());
        Ok(request)
    }
}

impl DeserializeResponse for OfCall {
    /// Reads an answer; an error, or what is no answer at all, is left to the SDK.
    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        cfg: &ConfigBag,
    ) -> Result<Output, OrchestratorError<Error>> {
        let Ok(Some(kind)) = CALL.try_with(|call| call.kind) else {
            return Err(OrchestratorError::other("no call is under way"));
        };
        if response.status().is_success() {
            Unreadable::check(response, kind.is_write).map_err(OrchestratorError::other)?;
        }
        if let Some(reply) = kind.reads.then(|| reply(response)).flatten() {
            let _ = CALL.try_with(|call| call.reply.set(Some(reply)));
            return Ok((kind.output)());
        }
        let sdk = (kind.sdk)();
        let sdk = sdk.as_ref();
        match sdk.and_then(|layer| layer.load::<SharedResponseDeserializer>()) {
            Some(sdk) => sdk.deserialize_nonstreaming_with_config(response, cfg),
            None => Err(OrchestratorError::other("the SDK has no deserializer")),
        }
    }
}

/// What a success says, where it is an answer.
fn reply(response: &HttpResponse) -> Option<Reply> {
    let body = response.status().is_success().then(|| response.body())?;
    match body.bytes() {
        // Of a write that nobody asked anything of, there is nothing to share.
        Some(b"{}") => Some(Reply::default()),
        _ => Reply::parse(body.try_clone()?).ok(),
    }
}

/// What an operation of the SDK answers.
pub(crate) trait Answer: Sized {
    /// The operation, as the service calls it.
    const TARGET: &'static str;

    /// Stands for an answer that was read here.
    fn empty() -> Output;

    /// How the SDK would have read it.
    fn sdk() -> Option<FrozenLayer>;

    /// The answer as the SDK has read it.
    fn into_reply(self) -> Reply;
}

macro_rules! answers {
    ($($module:ident $operation:ident $output:ident |$answer:ident| $reply:expr;)*) => {$(
        impl Answer for aws_sdk_dynamodb::operation::$module::$output {
            const TARGET: &'static str = concat!("DynamoDB_20120810.", stringify!($operation));

            fn empty() -> Output {
                Output::erase(Self::builder().build())
            }

            fn sdk() -> Option<FrozenLayer> {
                aws_sdk_dynamodb::operation::$module::$operation::new().config()
            }

            fn into_reply(self) -> Reply {
                let $answer = self;
                $reply
            }
        }
    )*};
}

answers! {
    get_item GetItem GetItemOutput |it| super::plain::one(it.item, it.consumed_capacity);
    put_item PutItem PutItemOutput |it| super::plain::one(it.attributes, it.consumed_capacity);
    update_item UpdateItem UpdateItemOutput |it| super::plain::one(it.attributes, it.consumed_capacity);
    delete_item DeleteItem DeleteItemOutput |it| super::plain::one(it.attributes, it.consumed_capacity);
    query Query QueryOutput |it| super::plain::page(
        it.items, (it.count, it.scanned_count), it.last_evaluated_key, it.consumed_capacity
    );
    scan Scan ScanOutput |it| super::plain::page(
        it.items, (it.count, it.scanned_count), it.last_evaluated_key, it.consumed_capacity
    );
    batch_get_item BatchGetItem BatchGetItemOutput |it| super::plain::batch_get(it);
    transact_get_items TransactGetItems TransactGetItemsOutput |it| super::plain::transact_get(it);
    batch_write_item BatchWriteItem BatchWriteItemOutput |it| super::plain::batch_write(it);
    transact_write_items TransactWriteItems TransactWriteItemsOutput |it| Reply {
        consumed_capacity: super::plain::sum(it.consumed_capacity()),
        ..Reply::default()
    };
}
