//! A request of the SDK's with gaps, which each call fills.
//!
//! All headers that are the same in every request come from one that the SDK sent. The signature
//! covers the headers that the SDK signed there.

use super::date::Stamp;
use super::learn::Obstacle;
use super::sign::{self, Signer};
use super::unique::invocation_id;
use aws_sdk_dynamodb::config::Credentials;
use aws_sdk_dynamodb::config::http::HttpRequest;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

const INVOCATION: &str = "amz-sdk-invocation-id";
const LENGTH: &str = "content-length";
const DATE: &str = "x-amz-date";
const TARGET: &str = "x-amz-target";
const AUTHORIZATION: &str = "authorization";
const TOKEN: &str = "x-amz-security-token";
const ATTEMPT: &str = "amz-sdk-request";
const TRACE: &str = "x-amzn-trace-id";

/// The headers that differ between requests.
const GAPS: [&str; 6] = [INVOCATION, LENGTH, DATE, TARGET, AUTHORIZATION, TRACE];

/// The headers that are the same in all requests of a client, as long as its credentials are.
const FIXED: [&str; 5] = [
    TOKEN,
    ATTEMPT,
    "content-type",
    "user-agent",
    "x-amz-user-agent",
];

/// A request with gaps.
#[derive(Debug)]
pub(super) struct Template {
    /// With the headers that never change, and without a body.
    request: HttpRequest,
    /// The canonical request: method, path and query, with their line ends.
    head: String,
    canonical_headers: Vec<Piece>,
    signed_headers: String,
    signer: Signer,
    /// Whether this process is a Lambda function, whose requests carry the trace of its invocation.
    in_lambda: bool,
}

/// A part of the canonical headers.
#[derive(Debug)]
enum Piece {
    Text(String),
    Invocation,
    Length,
    Date,
    Target,
}

/// What one call puts into the gaps.
#[derive(Debug)]
struct Gaps<'g> {
    target: &'static str,
    body: &'g Bytes,
    stamp: Stamp,
    invocation: String,
    trace: Option<String>,
}

impl Template {
    /// Learns from a request of the SDK's that was signed with these credentials. Fails with the
    /// reason if the same request cannot be made here.
    pub(super) fn learn(
        sent: &HttpRequest,
        target: &'static str,
        credentials: &Credentials,
    ) -> Result<Self, Obstacle> {
        check_headers(sent)?;
        let header = |name: &'static str| sent.headers().get(name);
        let lasting = Obstacle::lasting;
        let authorization = header(AUTHORIZATION).and_then(Authorization::parse);
        let signed = authorization.ok_or_else(|| lasting("the SDK signs in another way"))?;
        let request = sent.try_clone();
        let mut request = request.ok_or_else(|| lasting("the SDK's request streams its body"))?;
        let of_credentials = signed.access_key == credentials.access_key_id()
            && header(TOKEN) == credentials.session_token();
        if !of_credentials {
            return Err(Obstacle::passing("the credentials have just changed"));
        }
        for name in GAPS {
            request.headers_mut().remove(name);
        }
        *request.body_mut() = SdkBody::empty();
        let (id, secret) = (credentials.access_key_id(), credentials.secret_access_key());
        let (scheme, rest) = sent.uri().split_once("://").unwrap_or_default();
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let this = Self {
            head: format!("POST\n{}\n\n", encoded_twice(path)),
            canonical_headers: pieces(sent, signed.headers, host(scheme, authority)),
            signed_headers: signed.headers.into(),
            signer: Signer::new(id, secret, signed.region, signed.service),
            in_lambda: std::env::var_os("AWS_LAMBDA_FUNCTION_NAME").is_some(),
            request,
        };
        this.check(sent, target).map_err(Obstacle::Lasting)?;
        Ok(this)
    }

    /// Makes the SDK's request again, and compares them.
    fn check(&self, sent: &HttpRequest, target: &'static str) -> Result<(), Cow<'static, str>> {
        let header = |name| sent.headers().get(name);
        let stamp = header(DATE).and_then(Stamp::parse);
        let body = sent
            .body()
            .bytes()
            .ok_or("the SDK's request streams its body")?;
        let gaps = Gaps {
            target,
            body: &Bytes::copy_from_slice(body),
            stamp: stamp.ok_or("the SDK sends no date")?,
            invocation: header(INVOCATION).unwrap_or_default().into(),
            trace: header(TRACE).map(Into::into),
        };
        let own = self.filled(gaps).ok_or("the request cannot be signed")?;
        let differs = |(name, value): &(&str, &str)| own.headers().get(name) != Some(*value);
        if let Some((name, _)) = sent.headers().iter().find(differs) {
            return Err(format!("the SDK sends another header `{name}`").into());
        }
        let same = own.headers().len() == sent.headers().len()
            && own.uri() == sent.uri()
            && own.method() == sent.method()
            && self.trace() == header(TRACE).map(Into::into);
        if same {
            Ok(())
        } else {
            Err("the SDK sends another request".into())
        }
    }

    /// Returns the request of a call.
    pub(super) fn request(
        &self,
        target: &'static str,
        body: &Bytes,
        stamp: Stamp,
    ) -> Option<HttpRequest> {
        self.filled(Gaps {
            target,
            body,
            stamp,
            invocation: invocation_id(),
            trace: self.trace(),
        })
    }

    fn filled(&self, gaps: Gaps<'_>) -> Option<HttpRequest> {
        let mut length = itoa::Buffer::new();
        let length = length.format(gaps.body.len());
        let authorization = self.authorization(&gaps, length)?;
        let mut request = self.request.try_clone()?;
        let headers = request.headers_mut();
        let mut put =
            |name: &'static str, value: Cow<'static, str>| headers.try_insert(name, value).is_ok();
        let filled = put(LENGTH, length.to_owned().into())
            && put(TARGET, gaps.target.into())
            && put(DATE, gaps.stamp.text().to_owned().into())
            && put(INVOCATION, gaps.invocation.into())
            && put(AUTHORIZATION, authorization.into())
            && gaps.trace.is_none_or(|trace| put(TRACE, trace.into()));
        *request.body_mut() = SdkBody::from(gaps.body.clone());
        filled.then_some(request)
    }

    fn authorization(&self, gaps: &Gaps<'_>, length: &str) -> Option<String> {
        let mut canonical = Sha256::new_with_prefix(&self.head);
        for piece in &self.canonical_headers {
            canonical.update(match piece {
                Piece::Text(text) => text,
                Piece::Invocation => &gaps.invocation,
                Piece::Length => length,
                Piece::Date => gaps.stamp.text(),
                Piece::Target => gaps.target,
            });
        }
        canonical.update("\n");
        canonical.update(&self.signed_headers);
        canonical.update("\n");
        canonical.update(sign::hash(gaps.body));
        self.signer
            .authorize(&gaps.stamp, canonical, &self.signed_headers)
    }

    /// Returns the trace of the current invocation of a Lambda function, as the SDK writes it. AWS
    /// uses it to stop a function that invokes itself.
    fn trace(&self) -> Option<String> {
        if !self.in_lambda {
            return None;
        }
        let trace = std::env::var("_X_AMZN_TRACE_ID").ok()?;
        let encoded = |it: &u8| it.is_ascii_control() || !it.is_ascii();
        Some(percent_encoded(&trace, encoded))
    }
}

/// Fails if a header is not one of those that are known here, or occurs twice.
fn check_headers(sent: &HttpRequest) -> Result<(), Obstacle> {
    for (name, value) in sent.headers() {
        if !GAPS.contains(&name) && !FIXED.contains(&name) {
            return Err(Obstacle::lasting(format!(
                "the SDK sends the header `{name}`"
            )));
        }
        if sent.headers().get_all(name).count() != 1 {
            return Err(Obstacle::lasting(format!(
                "the SDK sends the header `{name}` twice"
            )));
        }
        if name == ATTEMPT && !value.starts_with("attempt=1;") {
            return Err(Obstacle::passing("the request is not the first attempt"));
        }
    }
    match sent.method() == "POST" && !sent.uri().contains(['?', '#']) {
        true => Ok(()),
        false => Err(Obstacle::lasting("the SDK sends another request")),
    }
}

/// The parts of an `authorization` header.
struct Authorization<'h> {
    access_key: &'h str,
    region: &'h str,
    service: &'h str,
    headers: &'h str,
}

impl<'h> Authorization<'h> {
    fn parse(header: &'h str) -> Option<Self> {
        let rest = header.strip_prefix("AWS4-HMAC-SHA256 Credential=")?;
        let (credential, rest) = rest.split_once(", SignedHeaders=")?;
        let (headers, _) = rest.split_once(", Signature=")?;
        // From the end: an access key may contain a slash.
        let (rest, service) = credential.strip_suffix("/aws4_request")?.rsplit_once('/')?;
        let (rest, region) = rest.rsplit_once('/')?;
        let (access_key, _) = rest.rsplit_once('/')?;
        Some(Self {
            access_key,
            region,
            service,
            headers,
        })
    }
}

/// Returns the `host` header: the port of the scheme is left out.
fn host<'u>(scheme: &str, authority: &'u str) -> &'u str {
    let port = match scheme {
        "http" => ":80",
        _ => ":443",
    };
    authority.strip_suffix(port).unwrap_or(authority)
}

/// Returns the canonical headers, with gaps.
fn pieces(sent: &HttpRequest, names: &str, host: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    for name in names.split(';') {
        text.push_str(name);
        text.push(':');
        let gap = match name {
            INVOCATION => Some(Piece::Invocation),
            LENGTH => Some(Piece::Length),
            DATE => Some(Piece::Date),
            TARGET => Some(Piece::Target),
            _ => None,
        };
        match gap {
            Some(gap) => pieces.extend([Piece::Text(core::mem::take(&mut text)), gap]),
            None => {
                let own = sent.headers().get(name).unwrap_or(host);
                let words: Vec<_> = own.split(' ').filter(|word| !word.is_empty()).collect();
                text.push_str(&words.join(" "));
            }
        }
        text.push('\n');
    }
    pieces.push(Piece::Text(text));
    pieces
}

/// The canonical form of a path: encoded once for the URI, and once more for the signature.
fn encoded_twice(path: &str) -> String {
    if path.is_empty() {
        return "/".into();
    }
    percent_encoded(path, |it| {
        !it.is_ascii_alphanumeric() && !b"-._~/".contains(it)
    })
}

fn percent_encoded(text: &str, encoded: impl Fn(&u8) -> bool) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        match encoded(&byte) {
            true => bytes.extend(format!("%{byte:02X}").bytes()),
            false => bytes.push(byte),
        }
    }
    // Only ASCII is left as it is, or all of the text.
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_port_is_not_part_of_the_host() {
        assert_eq!(host("https", "a.amazonaws.com:443"), "a.amazonaws.com");
        assert_eq!(host("http", "localhost:80"), "localhost");
        assert_eq!(host("http", "localhost:8000"), "localhost:8000");
        assert_eq!(host("https", "[::1]:80"), "[::1]:80");
    }

    #[test]
    fn path_is_encoded_once_more() {
        assert_eq!(encoded_twice(""), "/");
        assert_eq!(encoded_twice("/"), "/");
        assert_eq!(encoded_twice("/a-b._~/c/"), "/a-b._~/c/");
        assert_eq!(encoded_twice("/a%20b+c"), "/a%2520b%2Bc");
    }

    #[test]
    fn trace_is_encoded_like_the_sdk_does() {
        let encoded = |it: &u8| it.is_ascii_control() || !it.is_ascii();
        let text = "Root=1-2;Parent=\n\u{7f}é \"%";
        assert_eq!(
            percent_encoded(text, encoded),
            "Root=1-2;Parent=%0A%7F%C3%A9 \"%"
        );
    }

    #[test]
    fn only_authorizations_of_version_4_are_understood() {
        let header = "AWS4-HMAC-SHA256 Credential=A/B/20150830/eu-west-1/dynamodb/aws4_request, \
            SignedHeaders=host;x-amz-date, Signature=ab";
        let parsed = Authorization::parse(header).unwrap();
        assert_eq!(parsed.access_key, "A/B");
        assert_eq!((parsed.region, parsed.service), ("eu-west-1", "dynamodb"));
        assert_eq!(parsed.headers, "host;x-amz-date");
        assert!(Authorization::parse(&header.replace("HMAC", "ECDSA")).is_none());
        assert!(Authorization::parse(&header.replace("aws4_request", "aws5")).is_none());
        assert!(Authorization::parse("Bearer token").is_none());
    }
}
