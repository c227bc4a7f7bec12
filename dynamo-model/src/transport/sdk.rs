//! The way through the SDK, which signs, sends and retries as usual.
//!
//! An interceptor replaces the SDK's serializer and deserializer by ours, unless the SDK's own
//! types are wanted. It finds the data of its call through a task-local value, which is cheaper
//! than customizing each operation.

use super::attempts::{Attempts, Lost};
use super::failure::{CallError, Unreadable, throttling_reasons};
use super::lean::{self, Handover, Lean, Limit, NoneWithin, Replay, TookTooLong};
use super::{Call, Operation, Transport, input, output};
use crate::op::trace;
use crate::wire::Reply;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::{BoxError, SdkError};
use aws_sdk_dynamodb::types::{KeysAndAttributes, Put, TransactGetItem, TransactWriteItem};
use aws_smithy_runtime_api::client::interceptors::context::{
    BeforeSerializationInterceptorContextMut, BeforeTransmitInterceptorContextRef, Error, Input,
    Output,
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
use core::pin::{Pin, pin};
use core::task::{Context, Poll, ready};
use pin_project_lite::pin_project;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::task::futures::TaskLocalFuture;

tokio::task_local! {
    /// The current call.
    static UNDER_WAY: UnderWay;
}

/// The current call.
struct UnderWay {
    /// `None` for an operation that is not on items: the SDK does all of it.
    operation: Option<Operation>,
    /// Whether the SDK writes the request and reads the answer.
    typed: bool,
    /// Whether it changes items.
    is_write: bool,
    /// The body, until it is sent.
    body: Cell<Option<SdkBody>>,
    /// The response.
    reply: Cell<Option<Reply>>,
    attempts: Cell<Attempts>,
    /// The failed attempt that this call continues.
    replay: Cell<Option<Replay>>,
    /// Learns from the request.
    learner: Option<Arc<Lean>>,
}

impl UnderWay {
    fn new(operation: Option<Operation>, typed: bool, attempts: Option<Attempts>) -> Self {
        Self {
            operation,
            typed,
            is_write: attempts.is_some(),
            body: Cell::new(None),
            reply: Cell::new(None),
            attempts: Cell::new(attempts.unwrap_or_else(|| Attempts::new(true))),
            replay: Cell::new(None),
            learner: None,
        }
    }
}

/// Sends a request through the SDK, or continues a call of [`lean`].
pub(super) async fn send(
    transport: &Transport,
    call: Call<'_>,
    handover: Option<Handover>,
) -> Result<Reply, CallError> {
    let Call {
        operation,
        table,
        body,
        attempts,
    } = call;
    let Transport {
        client,
        typed,
        lean,
    } = transport;
    let known = attempts.as_deref().copied();
    let mut under_way = UnderWay::new(Some(operation), *typed, known);
    // A repeated attempt shows what the SDK did before it saw the response.
    let learns = !typed
        && lean::has_common_endpoint(operation, table)
        && handover.as_ref().is_none_or(|it| it.replay.is_none());
    under_way.learner = lean.clone().filter(|lean| learns && lean.learns());
    let (replay, overrides, limit) = match handover {
        Some(handover) => (handover.replay, handover.overrides, handover.limit),
        None => (None, None, None),
    };
    under_way.replay.set(replay);
    // The SDK's inputs beside our bytes have only the fields for choosing an endpoint.
    macro_rules! send {
        ($builder:expr, $typed:path, |$request:ident| $bare:expr) => {{
            let $request = $builder;
            let request = match typed {
                true => $typed($request, &body).map_err(CallError::of_input)?,
                false => {
                    under_way.body.set(Some(SdkBody::from(body)));
                    $bare
                }
            };
            let (answer, reply) = match overrides {
                None => {
                    let request = pin!(request.send());
                    UnderWayCall::new(under_way, attempts, limit, request).await
                }
                Some(overrides) => {
                    let mut request = boxed(|| {
                        let request = request.customize();
                        request.config_override(overrides).send()
                    });
                    UnderWayCall::new(under_way, attempts, limit, request.as_mut()).await
                }
            };
            match answer {
                // If ours could not read the answer, or must not, the SDK's own deserializer did.
                Ok(output) => Ok(reply.unwrap_or_else(|| output.into_reply())),
                Err(error) => Err(CallError::new(error)),
            }
        }};
    }
    match operation {
        Operation::GetItem => {
            send!(client.get_item(), input::get_item, |it| it
                .table_name(table))
        }
        Operation::PutItem => {
            send!(client.put_item(), input::put_item, |it| it
                .table_name(table))
        }
        Operation::UpdateItem => {
            send!(client.update_item(), input::update_item, |it| it
                .table_name(table))
        }
        Operation::DeleteItem => {
            send!(client.delete_item(), input::delete_item, |it| it
                .table_name(table))
        }
        Operation::Query => {
            send!(client.query(), input::query, |it| it.table_name(table))
        }
        Operation::Scan => {
            send!(client.scan(), input::scan, |it| it.table_name(table))
        }
        Operation::BatchGetItem => {
            send!(client.batch_get_item(), input::batch_get_item, |it| {
                let keys = KeysAndAttributes::builder().set_keys(Some(Vec::new()));
                it.set_request_items(
                    keys.build()
                        .ok()
                        .map(|keys| HashMap::from([(table.to_owned(), keys)])),
                )
            })
        }
        Operation::BatchWriteItem => {
            send!(client.batch_write_item(), input::batch_write_item, |it| it
                .request_items(table, Vec::new()))
        }
        Operation::TransactGetItems => {
            send!(
                client.transact_get_items(),
                input::transact_get_items,
                |it| it.set_transact_items(first_get(table))
            )
        }
        Operation::SearchVectors => {
            send!(client.search_vectors(), input::search_vectors, |it| it
                .table_name(table))
        }
        Operation::TransactWriteItems => {
            send!(
                client.transact_write_items(),
                input::transact_write_items,
                |it| {
                    // The token is in the body; without one here, the SDK would make another.
                    let it = it.client_request_token(String::new());
                    it.set_transact_items(first_write(table))
                }
            )
        }
    }
}

/// Makes a future on the heap. A function of its own, because an unoptimised caller would keep room
/// for every future that it could make.
#[cold]
#[inline(never)]
fn boxed<F>(make: impl FnOnce() -> F) -> Pin<Box<F>> {
    Box::pin(make())
}

/// A transaction that names only the table of its first operation.
fn first_get(table: &str) -> Option<Vec<TransactGetItem>> {
    let get = aws_sdk_dynamodb::types::Get::builder().table_name(table);
    let get = get.set_key(Some(HashMap::new())).build().ok()?;
    Some(vec![TransactGetItem::builder().get(get).build()])
}

/// The same, of writes.
fn first_write(table: &str) -> Option<Vec<TransactWriteItem>> {
    let put = Put::builder()
        .table_name(table)
        .set_item(Some(HashMap::new()));
    Some(vec![
        TransactWriteItem::builder().put(put.build().ok()?).build(),
    ])
}

/// Makes a call whose types the SDK encodes and decodes; records the outcomes of its attempts.
pub(crate) async fn watched<O, E, R: Future<Output = Answered<O, E>>>(
    attempts: &mut Attempts,
    request: Pin<&mut R>,
) -> Answered<O, E> {
    let under_way = UnderWay::new(None, true, Some(*attempts));
    let (answer, _) = UnderWayCall::new(under_way, Some(attempts), None, request).await;
    answer
}

pin_project! {
    /// A running call. Not an `async fn`, which would store its arguments twice.
    #[must_use = "nothing is sent until it is awaited"]
    struct UnderWayCall<'a, R> {
        #[pin]
        call: TaskLocalFuture<UnderWay, Pin<&'a mut R>>,
        attempts: Option<&'a mut Attempts>,
        limit: Option<Limit>,
    }
}

impl<'a, R: Future> UnderWayCall<'a, R> {
    fn new(
        under_way: UnderWay,
        attempts: Option<&'a mut Attempts>,
        limit: Option<Limit>,
        request: Pin<&'a mut R>,
    ) -> Self {
        let call = UNDER_WAY.scope(under_way, request);
        Self {
            call,
            attempts,
            limit,
        }
    }
}

/// Returns the SDK's result of the call, and the decoded response.
impl<O, E, R: Future<Output = Answered<O, E>>> Future for UnderWayCall<'_, R> {
    type Output = (Answered<O, E>, Option<Reply>);

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let in_time = !this.limit.as_ref().is_some_and(|limit| limit.is_over);
        let answer = match in_time.then(|| this.call.as_mut().poll(cx)) {
            Some(Poll::Ready(answer)) => answer,
            _ => Err(SdkError::timeout_error(ready!(over(this.limit, cx)))),
        };
        let call = this.call.take_value();
        if let (Some(attempts), Some(call)) = (this.attempts, &call) {
            **attempts = call.attempts.get().after(&answer);
        }
        Poll::Ready((answer, call.and_then(|call| call.reply.into_inner())))
    }
}

/// Waits until the time for the whole call is over. Without a limit, that is never.
fn over(limit: &mut Option<Limit>, cx: &mut Context<'_>) -> Poll<TookTooLong> {
    let Some(limit) = limit else {
        return Poll::Pending;
    };
    if !limit.is_over {
        ready!(Pin::new(&mut limit.timer).poll(cx));
    }
    let (what, after) = (lean::CALL, limit.whole);
    Poll::Ready(TookTooLong { what, after })
}

type Answered<O, E> = Result<O, SdkError<E, HttpResponse>>;

/// Updates the attempts of the current call.
pub(super) fn attempted<T>(note: impl FnOnce(&Cell<Attempts>) -> T) -> Option<T> {
    UNDER_WAY.try_with(|call| note(&call.attempts)).ok()
}

/// Returns the failed attempt that the current call continues, once.
pub(super) fn take_replay() -> Option<Replay> {
    let replay = UNDER_WAY.try_with(|call| call.replay.take());
    replay.ok().flatten()
}

/// Replaces the SDK's serializer and deserializer by ours, for calls of [`send`].
///
/// They are in a layer that is made once: a value for each call would be boxed each time.
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

/// Returns a client like this one, for requests of [`send`].
pub(super) fn client(client: &Client) -> Client {
    let config = client.config().to_builder();
    let mut config = config.retry_classifier(Lost);
    // Permanent, so that the SDK does not look whether it is switched off.
    config.push_interceptor(SharedInterceptor::permanent(Wire::new()));
    Client::from_conf(config.build())
}

/// Returns whether a client has an interceptor of the user.
pub(super) fn has_foreign_interceptors(client: &Client) -> bool {
    client.config().interceptors().any(|it| it.name() != NAME)
}

/// The name of our interceptor.
pub(super) const NAME: &str = "dynamo-model";

// The SDK does not call hooks that are not listed here.
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
        let call = UNDER_WAY.try_with(|call| call.operation.map(|_| call.typed));
        // Other calls are not ours.
        if let Ok(Some(typed)) = call {
            let layer = match typed {
                true => &self.reads,
                false => &self.reads_and_writes,
            };
            cfg.push_shared_layer(layer.clone());
        }
        Ok(())
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        components: &RuntimeComponents,
        cfg: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let _ = UNDER_WAY.try_with(|call| {
            let learner = call.learner.as_ref().filter(|it| it.learns());
            if let Some((learner, operation)) = learner.zip(call.operation) {
                learner.learn(operation, context.request(), components, cfg);
            }
        });
        Ok(())
    }
}

/// Encodes and decodes for the current call.
#[derive(Debug)]
struct OfCall;

impl SerializeRequest for OfCall {
    fn serialize_input(&self, _: Input, _: &mut ConfigBag) -> Result<HttpRequest, BoxError> {
        let call = UNDER_WAY.try_with(|call| call.body.take().zip(call.operation));
        let (body, operation) = call.ok().flatten().ok_or("no call is under way")?;
        let length = body.content_length().unwrap_or_default();
        // To `/`, which is where a new request goes.
        let mut request = HttpRequest::new(body);
        request.set_method("POST")?;
        let headers = request.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        headers.insert("x-amz-target", operation.target());
        headers.insert("content-length", length.to_string());
        Ok(request)
    }
}

impl DeserializeResponse for OfCall {
    /// Decodes a success; an error, or an invalid response, is left to the SDK.
    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        cfg: &ConfigBag,
    ) -> Result<Output, OrchestratorError<Error>> {
        let call = UNDER_WAY.try_with(|call| Some((call.operation?, call.typed, call.is_write)));
        let Ok(Some((operation, typed, is_write))) = call else {
            return Err(OrchestratorError::other("no call is under way"));
        };
        if let Some(NoneWithin(after)) = response.extension() {
            let (what, after) = (lean::ATTEMPT, *after);
            return Err(OrchestratorError::timeout(
                TookTooLong { what, after }.into(),
            ));
        }
        if response.status().is_success() {
            Unreadable::check(response, is_write).map_err(OrchestratorError::other)?;
            Unreadable::check_sum(response)
                .map_err(|error| OrchestratorError::response(error.into()))?;
        }
        if response.status().is_client_error() {
            trace::throttled(&throttling_reasons(response));
        }
        if let Some(reply) = (!typed).then(|| reply(response)).flatten() {
            let _ = UNDER_WAY.try_with(|call| call.reply.set(Some(reply)));
            return Ok(operation.empty_output());
        }
        let sdk = operation.sdk_layer();
        let sdk = sdk.as_ref();
        match sdk.and_then(|layer| layer.load::<SharedResponseDeserializer>()) {
            Some(sdk) => sdk.deserialize_nonstreaming_with_config(response, cfg),
            None => Err(OrchestratorError::other("the SDK has no deserializer")),
        }
    }
}

/// The body of an answer; the items in it share it.
struct AnswerBody(SdkBody);

impl AsRef<[u8]> for AnswerBody {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes().unwrap_or_default()
    }
}

/// Returns the content of a success, if it is valid.
pub(super) fn reply(response: &HttpResponse) -> Option<Reply> {
    let body = response.status().is_success().then(|| response.body())?;
    match body.bytes() {
        // The response to a write without return values is empty, so there is no body to share.
        Some(b"{}") => Some(Reply::default()),
        _ => Reply::parse(AnswerBody(body.try_clone()?)).ok(),
    }
}

/// An output of the SDK, as decoded by it.
trait IntoReply {
    fn into_reply(self) -> Reply;
}

macro_rules! operations {
    ($($module:ident $operation:ident $output:ident |$answer:ident| $reply:expr;)*) => {
        impl Operation {
            pub(super) fn name(self) -> &'static str {
                match self {$(
                    Self::$operation => stringify!($operation),
                )*}
            }

            /// The `x-amz-target` header.
            pub(crate) fn target(self) -> &'static str {
                match self {$(
                    Self::$operation => concat!("DynamoDB_20120810.", stringify!($operation)),
                )*}
            }

            /// Stands for an answer that was read here.
            fn empty_output(self) -> Output {
                match self {$(
                    Self::$operation => Output::erase(
                        aws_sdk_dynamodb::operation::$module::$output::builder().build()
                    ),
                )*}
            }

            /// How the SDK would have read an answer.
            fn sdk_layer(self) -> Option<FrozenLayer> {
                match self {$(
                    Self::$operation => {
                        aws_sdk_dynamodb::operation::$module::$operation::new().config()
                    }
                )*}
            }
        }

        $(impl IntoReply for aws_sdk_dynamodb::operation::$module::$output {
            fn into_reply(self) -> Reply {
                let $answer = self;
                $reply
            }
        })*
    };
}

operations! {
    get_item GetItem GetItemOutput |it| output::one(it.item, it.consumed_capacity);
    put_item PutItem PutItemOutput |it| output::one(it.attributes, it.consumed_capacity);
    update_item UpdateItem UpdateItemOutput |it| output::one(it.attributes, it.consumed_capacity);
    delete_item DeleteItem DeleteItemOutput |it| output::one(it.attributes, it.consumed_capacity);
    query Query QueryOutput |it| output::page(
        it.items, (it.count, it.scanned_count), it.last_evaluated_key, it.consumed_capacity
    );
    scan Scan ScanOutput |it| output::page(
        it.items, (it.count, it.scanned_count), it.last_evaluated_key, it.consumed_capacity
    );
    batch_get_item BatchGetItem BatchGetItemOutput |it| output::batch_get(it);
    transact_get_items TransactGetItems TransactGetItemsOutput |it| output::transact_get(it);
    search_vectors SearchVectors SearchVectorsOutput |it| output::search(it);
    batch_write_item BatchWriteItem BatchWriteItemOutput |it| output::batch_write(it);
    transact_write_items TransactWriteItems TransactWriteItemsOutput |it| Reply {
        consumed_capacity: output::sum(it.consumed_capacity()),
        ..Reply::default()
    };
}
