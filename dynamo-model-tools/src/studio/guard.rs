//! Accepts requests of the studio's own page, and refuses all others.
//!
//! Other pages in the same browser can send requests to 127.0.0.1. The token is a secret of the
//! address, `Host` defeats a name that resolves to 127.0.0.1, and `Origin` and `Sec-Fetch-Site`
//! defeat forms and scripts of other pages.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

/// Nothing from elsewhere, no inline code, no frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

fn headers() -> [(HeaderName, &'static str); 6] {
    [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ]
}

#[derive(Debug, Clone)]
pub(super) struct Guard(Arc<Known>);

#[derive(Debug)]
struct Known {
    token: String,
    host: String,
}

impl Guard {
    pub(super) fn new(address: SocketAddr) -> io::Result<Self> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let host = address.to_string();
        Ok(Self(Arc::new(Known { token, host })))
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/{}/", self.0.host, self.0.token)
    }

    /// The beginning of every path.
    pub(super) fn base(&self) -> String {
        format!("/{}", self.0.token)
    }

    /// The routes, for requests of the page itself.
    pub(super) fn protect(self, routes: Router) -> Router {
        routes.layer(middleware::from_fn(move |request: Request, next: Next| {
            let refused = self.refuse(request.method(), request.uri().path(), request.headers());
            async move {
                let mut response = match refused {
                    Some(refused) => refused.into_response(),
                    None => next.run(request).await,
                };
                add_headers(&mut response);
                response
            }
        }))
    }

    /// Why a request is refused.
    fn refuse(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Option<(StatusCode, &'static str)> {
        let forbidden = |reason| Some((StatusCode::FORBIDDEN, reason));
        let text = |name| headers.get(name).map(|it: &HeaderValue| it.as_bytes());
        if text(header::HOST) != Some(self.0.host.as_bytes()) {
            return forbidden("the Host header is not the address of this studio");
        }
        let token = path.split('/').nth(1).unwrap_or_default();
        if !is_same(token.as_bytes(), self.0.token.as_bytes()) {
            return Some((
                StatusCode::NOT_FOUND,
                "open the whole address that the command printed",
            ));
        }
        let origin = format!("http://{}", self.0.host);
        let is_own = |found: &[u8]| found == origin.as_bytes();
        if !text(header::ORIGIN).is_none_or(is_own) {
            return forbidden("the Origin header is not the address of this studio");
        }
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if !site.is_none_or(|site| matches!(site, b"same-origin" | b"none")) {
            return forbidden("the request comes from another page");
        }
        // A form of another page cannot send this type, and a script cannot without asking first.
        let is_json = text(header::CONTENT_TYPE) == Some(b"application/json");
        if method != Method::GET && !is_json {
            return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "send application/json"));
        }
        None
    }
}

/// Compares in a time that does not depend on the position of the difference.
fn is_same(found: &[u8], expected: &[u8]) -> bool {
    let differs = found
        .iter()
        .zip(expected)
        .fold(0, |all, (a, b)| all | (a ^ b));
    found.len() == expected.len() && differs == 0
}

fn add_headers(response: &mut Response<Body>) {
    for (name, value) in headers() {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
}
