//! The way into the SDK: its requests are signed, sent and retried as ever, but what is in their bodies is
//! written and read here.
//!
//! An interceptor puts a serializer and a deserializer of ours in the place of the SDK's. It finds out what belongs to
//! the call it is in by a task-local value, which costs less than customizing each operation.

use super::attempts;
use super::attempts::Lost;
use super::reply::Reply;
use crate::db::Dynamo;
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
use core::pin::pin;
use futures_core::future::BoxFuture;

tokio::task_local! {
    /// The call that is under way.
    static CALL: Call;
}

/// One call.
struct Call {
    target: &'static str,
    /// Whether there is a body to send; where there is none, the SDK writes it.
    writes: bool,
    /// What is sent, until it is.
    body: Cell<Option<SdkBody>>,
    /// What came back.
    reply: Cell<Option<Reply>>,
    /// What the SDK is told it was.
    output: fn() -> Output,
    sdk: fn() -> Option<FrozenLayer>,
}

/// Sends a request. `body` is its body, where it was written here; the request then says only what the SDK must know,
/// such as the names of the tables.
///
/// The SDK's futures are large. This one is boxed before it becomes a part of any other, which would be copied with it.
pub(crate) fn send<'a, O: Answer, E, R>(
    db: &Dynamo,
    body: Option<SdkBody>,
    request: R,
) -> impl Future<Output = Result<Reply, SdkError<E, HttpResponse>>> + Send + use<'a, O, E, R>
where
    R: Future<Output = Result<O, SdkError<E, HttpResponse>>> + Send + 'a,
{
    let request: Sending<'a, O, E> = Box::pin(request);
    let call = (!db.uses_maps()).then(|| Call {
        target: O::TARGET,
        writes: body.is_some(),
        body: Cell::new(body),
        reply: Cell::new(None),
        output: O::empty,
        sdk: O::sdk,
    });
    async move {
        let Some(call) = call else {
            let output = request.await.inspect_err(attempts::note);
            return output.map(O::into_reply);
        };
        let mut sending = pin!(CALL.scope(call, request));
        let output = sending.as_mut().await.inspect_err(attempts::note)?;
        let reply = sending.take_value().and_then(|call| call.reply.take());
        // Where ours could not read the answer, the SDK's own deserializer did.
        Ok(reply.unwrap_or_else(|| output.into_reply()))
    }
}

type Sending<'a, O, E> = BoxFuture<'a, Result<O, SdkError<E, HttpResponse>>>;

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
            let mut layer = Layer::new("dynamo-model");
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
    // Nobody can switch it off, so nobody has to look whether somebody did.
    config.push_interceptor(SharedInterceptor::permanent(Wire::new()));
    Client::from_conf(config.build())
}

// The hooks that are not here are not even asked for.
#[dyn_dispatch_hint]
impl Intercept for Wire {
    fn name(&self) -> &'static str {
        "dynamo-model"
    }

    fn modify_before_serialization(
        &self,
        _: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        cfg: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let layer = match CALL.try_with(|call| call.writes) {
            Ok(true) => &self.reads_and_writes,
            Ok(false) => &self.reads,
            // Somebody else's call.
            Err(_) => return Ok(()),
        };
        cfg.push_shared_layer(layer.clone());
        Ok(())
    }
}

/// Writes and reads for the call that is under way.
#[derive(Debug)]
struct OfCall;

impl SerializeRequest for OfCall {
    fn serialize_input(&self, _: Input, _: &mut ConfigBag) -> Result<HttpRequest, BoxError> {
        let written = CALL.try_with(|call| (call.body.take(), call.target));
        let (body, target) = written.map_err(|_| "there is no call under way")?;
        let body = body.ok_or("the body of the request was used up")?;
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
        let read = CALL.try_with(|call| match reply(response) {
            Some(reply) => {
                call.reply.set(Some(reply));
                Ok((call.output)())
            }
            None => Err(call.sdk),
        });
        let sdk = match read {
            Ok(Ok(output)) => return Ok(output),
            Ok(Err(sdk)) => sdk(),
            Err(_) => return Err(OrchestratorError::other("there is no call under way")),
        };
        match sdk
            .as_ref()
            .and_then(|layer| layer.load::<SharedResponseDeserializer>())
        {
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
