//! TLS to a server of our own, through the SDK's own HTTPS connector.
//!
//! `openssl ca` made the certificates in `tls/`, valid from 2025 to 2125: a root, whose key is not
//! kept, and one that the root signed, for the address 127.0.0.1 only.

use super::model::{OPERATIONS, THING, Thing, call};
use super::recorder::{assert_lean, way};
use super::sockets::{Served, client_with};
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};
use dynamo_model::Dynamo;
use dynamo_model::error::Outcome;
use std::error::Error;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{DEFAULT_VERSIONS, ServerConfig};

const ROOT: &str = include_str!("tls/root.pem");
const CERTIFICATE: &str = include_str!("tls/server.pem");
const KEY: &str = include_str!("tls/server.key");

async fn serve() -> Served {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(DEFAULT_VERSIONS)
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    Served::start_with(move |connection| {
        let accepted = acceptor.accept(connection);
        async { accepted.await.ok() }
    })
    .await
}

/// A handle of each transport, each with connections of its own.
fn both(url: &str, trusted: &TrustStore) -> [Dynamo; 2] {
    let new = || {
        let context = TlsContext::builder().with_trust_store(trusted.clone());
        let connector = aws_smithy_http_client::Builder::new()
            .tls_provider(Provider::rustls(CryptoMode::Ring))
            .tls_context(context.build().unwrap())
            .build_https();
        Dynamo::new(client_with(url, connector))
    };
    [new(), new().with_sdk_transport()]
}

fn root() -> TrustStore {
    TrustStore::empty().with_pem_certificate(ROOT)
}

/// An error and its sources.
fn chain(error: &(dyn Error + 'static)) -> String {
    let sources = std::iter::successors(Some(error), |&it| it.source());
    sources.map(|it| format!("{it}: ")).collect()
}

#[tokio::test]
async fn every_operation_over_tls_ends_alike_on_one_connection() {
    let served = serve().await;
    let url = format!("https://{}", served.address);
    let [lean, sdk] = both(&url, &root());
    for (number, db) in [&lean, &sdk].into_iter().enumerate() {
        for operation in OPERATIONS {
            call(db, operation).await.unwrap();
        }
        assert_eq!(Thing::get(1).send(db).await.unwrap(), Some(THING));
        let ours = number + 1;
        assert_eq!((served.connections(), served.requests()), (ours, ours * 11));
    }
    assert_lean(&lean);
    assert!(way(&sdk).starts_with("SDK"), "{sdk:?}");
}

#[tokio::test]
async fn server_errors_over_tls_end_alike() {
    let mut ends = Vec::new();
    for is_lean in [true, false] {
        let served = serve().await;
        let [lean, sdk] = both(&format!("https://{}", served.address), &root());
        let db = if is_lean { lean } else { sdk };
        call(&db, "GetItem").await.unwrap();
        served.fail(1);
        call(&db, "GetItem").await.unwrap();
        served.fail(1);
        let uncertain = call(&db, "UpdateItem").await.unwrap_err();
        served.fail(3);
        let error = call(&db, "GetItem").await.unwrap_err();
        let counts = (served.connections(), served.requests());
        assert_eq!(uncertain.outcome(), Outcome::Uncertain);
        ends.push((chain(&uncertain), chain(&error), counts));
        assert_eq!(way(&db) == "lean", is_lean);
    }
    assert_eq!(ends[0], ends[1]);
    assert_eq!(ends[0].2.1, 7);
}

/// Both ways refuse the server with this error, before and after the lean way was learned.
async fn assert_refused(host: &str, trusted: &TrustStore, reason: &str) {
    let served = serve().await;
    let url = format!("https://{host}:{}", served.address.port());
    let [lean, sdk] = both(&url, trusted);
    let mut ends = Vec::new();
    for db in [&lean, &sdk] {
        for operation in ["UpdateItem", "UpdateItem", "GetItem"] {
            let before = served.connections();
            let error = call(db, operation).await.unwrap_err();
            assert!(chain(&error).contains(reason), "{}", chain(&error));
            assert_eq!(error.outcome(), Outcome::NotDone);
            ends.push((operation, chain(&error), served.connections() - before));
        }
    }
    assert_lean(&lean);
    assert_eq!(ends[..3], ends[3..]);
    assert_eq!(served.requests(), 0);
}

#[tokio::test]
async fn certificate_of_an_unknown_root_is_refused_alike() {
    assert_refused("127.0.0.1", &TrustStore::empty(), "UnknownIssuer").await;
}

#[tokio::test]
async fn certificate_of_another_host_is_refused_alike() {
    assert_refused("localhost", &root(), "not valid for name").await;
}
