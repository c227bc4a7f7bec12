//! One attempt: from the credentials to a decoded response.

use super::super::failure::Unreadable;
use super::super::{Call, sdk};
use super::body;
use super::date::Stamp;
use super::learn::Learned;
use super::replay::{Broken, Handover, Limit, Replay};
use crate::wire::Reply;
use aws_sdk_dynamodb::config::{AsyncSleep, Credentials, ResolveCachedIdentity};
use aws_smithy_async::rt::sleep::Sleep;
use aws_smithy_runtime_api::client::connection::CaptureSmithyConnection;
use aws_smithy_runtime_api::client::http::{HttpClient, HttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_types::body::SdkBody;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::Poll;

/// The reason why an attempt returned no reply.
enum NoReply {
    /// The SDK is to go on from here.
    Failed(Box<Replay>),
    /// Nothing was sent, and the SDK is to make the whole call: the credentials are new.
    Unsent,
}

impl From<Replay> for NoReply {
    fn from(replay: Replay) -> Self {
        Self::Failed(Box::new(replay))
    }
}

impl Learned {
    /// Makes a call, in one attempt. Otherwise the SDK continues the call.
    pub(super) async fn call(&self, call: &Call<'_>) -> Result<Reply, Handover> {
        let mut limit = self.timeouts.operation_timeout().map(|whole| Limit {
            timer: self.sleep.sleep(whole),
            whole,
            is_over: false,
        });
        let attempt = self.limited_attempt(call);
        let attempt = within(limit.as_mut().map(|it| &mut it.timer), attempt).await;
        let replay = match attempt {
            Some(Ok(reply)) => {
                self.note_success();
                return Ok(reply);
            }
            Some(Err(NoReply::Failed(replay))) => Some(*replay),
            Some(Err(NoReply::Unsent)) => None,
            None => {
                if let Some(limit) = &mut limit {
                    limit.is_over = true;
                }
                None
            }
        };
        Err(Handover::new(self, replay, limit))
    }

    async fn limited_attempt(&self, call: &Call<'_>) -> Result<Reply, NoReply> {
        let whole = self.timeouts.operation_attempt_timeout();
        let mut timer = whole.map(|whole| self.sleep.sleep(whole));
        let attempt = within(timer.as_mut(), self.attempt(call)).await;
        let too_late = || Err(Replay::TimedOut(whole.unwrap_or_default()).into());
        attempt.unwrap_or_else(too_late)
    }

    async fn attempt(&self, call: &Call<'_>) -> Result<Reply, NoReply> {
        let (resolver, components) = (self.identity_resolver.clone(), &self.components);
        let cache = &self.identity_cache;
        let identity = cache.resolve_cached_identity(resolver, components, &self.config);
        let identity = identity.await;
        let identity = identity.map_err(Replay::Identity)?;
        if !identity.data().is_some_and(|now| self.has(now)) {
            return Err(NoReply::Unsent);
        }
        let stamp = Stamp::of(self.time.now()).ok_or(NoReply::Unsent)?;
        let target = call.operation.target();
        let request = self.template.request(target, &call.body, stamp);
        let mut request = request.ok_or(NoReply::Unsent)?;
        let connection = CaptureSmithyConnection::new();
        request.add_extension(connection.clone());
        let sent = body::watched(&mut request, self.stalls.as_ref());

        let connector = self
            .http_client
            .http_connector(&self.connector_settings, components);
        let response = sent.answer(connector.call(request), &self.sleep).await;
        let response = response.map_err(Replay::Connector)?;
        let response = self.whole(response).await;
        match reply(&response, call.attempts.is_some()) {
            Some(reply) => Ok(reply),
            None => Err(Replay::Response(response, connection).into()),
        }
    }

    /// Reads the body. If it breaks off, that of the returned response breaks off alike.
    async fn whole(&self, mut response: HttpResponse) -> HttpResponse {
        if response.body().bytes().is_some() {
            return response;
        }
        let body = core::mem::replace(response.body_mut(), SdkBody::taken());
        let stalls = self.stalls.as_ref().filter(|it| it.download_enabled());
        let read = body::read(body, stalls, &self.time, &self.sleep).await;
        *response.body_mut() = match read {
            Ok(bytes) => SdkBody::from(bytes),
            Err(error) => SdkBody::from_body_1_x(Broken(Some(error))),
        };
        response
    }

    /// Whether these are the credentials that requests are signed with.
    fn has(&self, now: &Credentials) -> bool {
        let own = &self.credentials;
        now.access_key_id() == own.access_key_id()
            && now.secret_access_key() == own.secret_access_key()
            && now.session_token() == own.session_token()
            && now.account_id() == own.account_id()
    }
}

/// Returns the content of a success. The SDK judges everything else.
fn reply(response: &HttpResponse, is_write: bool) -> Option<Reply> {
    let body = response.body().bytes()?;
    let lengths = || response.headers().get_all("content-length");
    let whole = lengths().all(|length| length.parse() == Ok(body.len())) && lengths().count() < 2;
    if response.status().as_u16() != 200 || !whole {
        return None;
    }
    Unreadable::check(response, is_write).ok()?;
    Unreadable::check_sum(response).ok()?;
    sdk::reply(response)
}

/// Returns the result of the future, or `None` if the timer ends first.
async fn within<F: Future>(timer: Option<&mut Sleep>, future: F) -> Option<F::Output> {
    let Some(timer) = timer else {
        return Some(future.await);
    };
    let mut future = pin!(future);
    poll_fn(|context| {
        if let Poll::Ready(result) = future.as_mut().poll(context) {
            return Poll::Ready(Some(result));
        }
        Pin::new(&mut *timer).poll(context).map(|()| None)
    })
    .await
}
