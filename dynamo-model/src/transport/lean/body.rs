//! The bodies of requests and responses, and the SDK's protection against streams that stall.

use aws_sdk_dynamodb::config::{AsyncSleep, SharedAsyncSleep, StalledStreamProtectionConfig};
use aws_sdk_dynamodb::error::{BoxError, ConnectorError};
use aws_smithy_async::time::SharedTimeSource;
use aws_smithy_runtime::client::http::body::minimum_throughput::MinimumThroughputDownloadBody;
use aws_smithy_runtime_api::client::http::HttpConnectorFuture;
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use bytes::{Bytes, BytesMut};
use core::fmt;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::{Context, Poll, ready};
use core::time::Duration;
use http_body::{Body, Frame, SizeHint};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long the SDK measures before it can find that nothing is sent, and what follows until it
/// looks.
const WINDOW: Duration = Duration::from_millis(1000);

/// A request body that tells whether the connection has taken it.
struct Watched {
    body: SdkBody,
    taken: Arc<AtomicBool>,
}

impl Body for Watched {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        // A body in memory is one frame.
        self.taken.store(true, Ordering::Relaxed);
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        Body::size_hint(&self.body)
    }
}

/// Whether a request is on its way.
pub(super) struct Sent(Option<(Arc<AtomicBool>, Duration)>);

/// Watches whether the body of a request is sent, unless the client's configuration forbids it.
pub(super) fn watched(
    request: &mut HttpRequest,
    stalls: Option<&StalledStreamProtectionConfig>,
) -> Sent {
    let Some(stalls) = stalls.filter(|it| it.upload_enabled()) else {
        return Sent(None);
    };
    let taken = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&taken);
    let body = core::mem::replace(request.body_mut(), SdkBody::taken());
    *request.body_mut() = body.map_preserve_contents(move |body| {
        let taken = Arc::clone(&taken);
        SdkBody::from_body_1_x(Watched { body, taken })
    });
    Sent(Some((seen, stalls.grace_period())))
}

/// The error of a request that no connection takes, with the SDK's text.
#[derive(Debug)]
struct NothingSent;

impl fmt::Display for NothingSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "minimum throughput was specified at 1 B/s, but throughput of 0 B/s was observed",
        )
    }
}

impl std::error::Error for NothingSent {}

impl Sent {
    /// Waits for the response. Fails, as the SDK does, if the request is not sent in time: until
    /// nothing was sent for a second, and then for the grace period.
    pub(super) async fn answer(
        self,
        response: HttpConnectorFuture,
        sleep: &SharedAsyncSleep,
    ) -> Result<HttpResponse, ConnectorError> {
        let Some((taken, grace)) = self.0 else {
            return response.await;
        };
        let mut response = pin!(response);
        let mut timer = None;
        let mut in_grace = false;
        poll_fn(|context| {
            if let Poll::Ready(response) = response.as_mut().poll(context) {
                return Poll::Ready(response);
            }
            while !taken.load(Ordering::Relaxed) {
                let timer = timer.get_or_insert_with(|| sleep.sleep(WINDOW));
                ready!(Pin::new(&mut *timer).poll(context));
                if in_grace {
                    return Poll::Ready(Err(ConnectorError::timeout(NothingSent.into())));
                }
                in_grace = true;
                *timer = sleep.sleep(grace);
            }
            Poll::Pending
        })
        .await
    }
}

/// Reads a body. Fails if it breaks off, or if it stalls and the configuration protects from that.
pub(super) async fn read(
    mut body: SdkBody,
    stalls: Option<&StalledStreamProtectionConfig>,
    time: &SharedTimeSource,
    sleep: &SharedAsyncSleep,
) -> Result<Bytes, BoxError> {
    // Most bodies have arrived, in one piece, when they are looked at. Only others can stall.
    let mut stalls = stalls;
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    poll_fn(|context| {
        loop {
            match Pin::new(&mut body).poll_frame(context) {
                Poll::Ready(Some(frame)) => {
                    let Ok(data) = frame?.into_data() else {
                        continue;
                    };
                    if first.is_empty() && all.is_empty() {
                        first = data;
                    } else {
                        if all.is_empty() {
                            all.extend_from_slice(&first);
                        }
                        all.extend_from_slice(&data);
                    }
                }
                Poll::Ready(None) => return Poll::Ready(Ok(())),
                Poll::Pending => match stalls.take() {
                    Some(stalls) => {
                        let rest = core::mem::replace(&mut body, SdkBody::taken());
                        body = guarded(rest, stalls, time, sleep);
                    }
                    None => return Poll::Pending,
                },
            }
        }
    })
    .await
    .map(|()| if all.is_empty() { first } else { all.freeze() })
}

/// Returns a body that fails if it stalls.
fn guarded(
    body: SdkBody,
    stalls: &StalledStreamProtectionConfig,
    time: &SharedTimeSource,
    sleep: &SharedAsyncSleep,
) -> SdkBody {
    let (time, sleep, stalls) = (time.clone(), sleep.clone(), stalls.clone().into());
    SdkBody::from_body_1_x(MinimumThroughputDownloadBody::new(
        time, sleep, body, stalls,
    ))
}
