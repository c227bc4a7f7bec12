//! Done, not done or uncertain: each row is a server on a real socket, with the outcomes of four
//! writes. The table is in `docs/reliability.md`;
//! `UPDATE_EXPECT=1 cargo test -p dynamo-model-tests --test faults outcomes` writes it.

use super::model::*;
use super::support::Outcome as Tested;
use super::support::socket::{self, Answer, Server};
use super::support::typed::typed;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use dynamo_model::error::Outcome;
use dynamo_model::{BatchWrite, Dynamo, Entity, Error, ErrorKind, Transaction};
use futures_util::future::{join, join_all, join4};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const JSON: &str = "content-type: application/x-amz-json-1.0";
const HTML: &str = "content-type: text/html";

/// The target of the four writes.
enum Target {
    /// A server that answers so.
    Server(Answer),
    /// An endpoint without a listener, with a full queue, or with an invalid URL.
    Url(String),
    /// A client with this configuration.
    Client(Box<Config>),
}

fn refusal(code: &str, message: &str) -> String {
    format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"{message}"}}"#)
}

fn handle(url: &str, is_typed: bool) -> Dynamo {
    patient(url, is_typed, TimeoutConfig::builder().build())
}

/// Long enough for a busy machine; only a server that never answers times out.
fn timeouts(place: &Target) -> TimeoutConfig {
    let timeouts = TimeoutConfig::builder();
    match place {
        Target::Server(Answer::Silence) => timeouts.read_timeout(Duration::from_secs(1)),
        Target::Url(_) => timeouts.connect_timeout(Duration::from_millis(500)),
        _ => timeouts,
    }
    .build()
}

fn patient(url: &str, is_typed: bool, timeouts: TimeoutConfig) -> Dynamo {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = format!("outcomes-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let retries = RetryConfig::standard()
        .with_max_attempts(3)
        .with_initial_backoff(Duration::from_millis(2));
    let local = Dynamo::endpoint(url);
    let config = local.client().config().to_builder();
    let config = config
        .timeout_config(timeouts)
        .retry_partition(RetryPartition::new(name))
        .retry_config(retries);
    let db = Dynamo::new(Client::from_conf(config.build()));
    if is_typed { typed(&db) } else { db }
}

fn bare() -> aws_sdk_dynamodb::config::Builder {
    Config::builder().behavior_version(BehaviorVersion::latest())
}

fn credentials() -> Credentials {
    Credentials::new("local", "local", None, None, "local")
}

/// Returns a host name that no resolver looks up: its first label is longer than DNS allows.
fn unresolvable() -> String {
    format!("http://{}.invalid", "x".repeat(64))
}

fn rows(closed: String, full: String) -> Vec<(&'static str, Target)> {
    let http = |status: &str, headers: &[&str], body: &str| {
        Target::Server(Answer::http(status, headers, body))
    };
    let refused =
        |code: &str, message: &str| http("400 Bad Request", &[JSON], &refusal(code, message));
    let region = Region::new("local");
    let client =
        |config: aws_sdk_dynamodb::config::Builder| Target::Client(Box::new(config.build()));
    let over_http = Dynamo::endpoint("http://127.0.0.1:9");
    let over_http = over_http.client().config().http_client().unwrap();
    vec![
        (
            "no credentials",
            client(bare().region(region.clone()).http_client(over_http.clone())),
        ),
        (
            "no region",
            client(
                bare()
                    .credentials_provider(credentials())
                    .http_client(over_http),
            ),
        ),
        (
            "no HTTP client",
            client(bare().credentials_provider(credentials()).region(region)),
        ),
        (
            "an endpoint that is not a URL",
            Target::Url("not a url".into()),
        ),
        (
            "`https`, with a client that has no TLS",
            Target::Url("https://127.0.0.1:9".into()),
        ),
        (
            "a host name that does not resolve",
            Target::Url(unresolvable()),
        ),
        ("the connection is refused", Target::Url(closed)),
        ("the connection is not accepted in time", Target::Url(full)),
        (
            "the connection breaks after the request",
            Target::Server(Answer::Close),
        ),
        ("no answer in time", Target::Server(Answer::Silence)),
        (
            "half a status line",
            Target::Server(Answer::Bytes(b"HTTP/1.1 200 O".to_vec())),
        ),
        (
            "200, and the body breaks off",
            Target::Server(Answer::raw(
                "200 OK",
                &[JSON, "content-length: 99"],
                b"{\"Attr",
            )),
        ),
        (
            "200, compressed",
            http("200 OK", &[JSON, "content-encoding: gzip"], "\u{1f}"),
        ),
        ("200, not JSON, by DynamoDB", http("200 OK", &[JSON], "[")),
        (
            "200, a page of HTML by a proxy",
            http("200 OK", &[HTML], "<html>"),
        ),
        ("200, empty, not by DynamoDB", http("200 OK", &[], "")),
        (
            "302 to another host",
            http("302 Found", &["location: http://127.0.0.1/login"], ""),
        ),
        (
            "400 ValidationException",
            refused("ValidationException", "The x is y"),
        ),
        (
            "400 InvalidSignatureException",
            refused(
                "InvalidSignatureException",
                "Signature expired: 20250101T000000Z is now earlier than 20250101T001000Z",
            ),
        ),
        (
            "400 AccessDeniedException",
            refused("AccessDeniedException", "User u is not authorized"),
        ),
        (
            "400 ThrottlingException",
            refused("ThrottlingException", "Rate exceeded"),
        ),
        (
            "403, a page of HTML by a firewall",
            http("403 Forbidden", &[HTML], "<html>"),
        ),
        (
            "500 InternalServerError",
            http(
                "500 Oops",
                &[JSON],
                &refusal("InternalServerError", "sorry"),
            ),
        ),
        (
            "503, a page of HTML by a proxy",
            http("503 Unavailable", &[HTML], "<html>"),
        ),
    ]
}

async fn add(db: &Dynamo) -> Result<(), Error> {
    let add = Counter::update(1).add(|it| it.value(), 1_u64);
    add.send(db).await
}

async fn put(db: &Dynamo) -> Result<(), Error> {
    counter(1, 7).put().send(db).await
}

async fn transact(db: &Dynamo) -> Result<(), Error> {
    let add = Counter::update(1).add(|it| it.value(), 1_u64);
    Transaction::new().add(add).send(db).await
}

async fn batch(db: &Dynamo) -> Result<(), Error> {
    BatchWrite::new().put(&counter(1, 7)).send(db).await
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::NotDone => "not done",
        Outcome::Uncertain => "uncertain",
    }
}

/// Returns the outcome of one write, how often it was sent, and its error.
async fn became<F: AsyncFn(&Dynamo) -> Result<(), Error>>(
    place: &Target,
    is_typed: bool,
    write: F,
) -> (String, String) {
    let (db, server) = match place {
        Target::Server(answer) => {
            let server = Server::start(answer.clone()).await;
            (
                patient(&server.url(), is_typed, timeouts(place)),
                Some(server),
            )
        }
        Target::Url(url) => (patient(url, is_typed, timeouts(place)), None),
        Target::Client(config) => {
            let db = Dynamo::new(Client::from_conf((**config).clone()));
            (if is_typed { typed(&db) } else { db }, None)
        }
    };
    let error = write(&db).await.unwrap_err();
    assert_eq!(error.is_uncertain(), error.outcome() == Outcome::Uncertain);
    let times = match server.map(|server| server.requests()) {
        Some(1) => ", sent once".into(),
        Some(times) => format!(", sent {times} times"),
        None => String::new(),
    };
    (
        format!("{}{times}", word(error.outcome())),
        error.to_string(),
    )
}

const BEGIN: &str = "<!-- outcomes: written by tests/tests/faults/outcomes.rs -->\n";
const END: &str = "<!-- end of outcomes -->";

/// Finding: "`is_uncertain()` … is true when no connection was made (connect timeout, https on
/// an http-only client)" and "missing credentials, region or HTTP client are reported as network
/// errors. A 503 HTML page is 'DynamoDB refused'. An expired signature does not mention the clock.
/// gzip is not named."
#[tokio::test]
async fn the_documented_outcomes_are_current() -> Tested {
    let (full, _queue) = socket::full().await;
    let mut now = String::from(
        "\n| what happens | `add` | `put` | transaction | batch | what the error of `add` says \
         |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let rows = rows(socket::closed().await, full);
    let rows = rows.iter().map(|(input, place)| row(input, place));
    now += &join_all(rows).await.concat();
    compare("reliability.md", &now)
}

/// One row; the same with typed inputs.
async fn row(input: &str, place: &Target) -> String {
    let cells = |is_typed| async move {
        let (of_add, put, transact, batch) = join4(
            became(place, is_typed, add),
            became(place, is_typed, put),
            became(place, is_typed, transact),
            became(place, is_typed, batch),
        )
        .await;
        let text = of_add.1.replace("update Counter COUNTER#001/COUNTER: ", "");
        [of_add.0, put.0, transact.0, batch.0, text].join(" | ")
    };
    let (straight, is_typed) = join(cells(false), cells(true)).await;
    assert_eq!(straight, is_typed, "{input}: with typed inputs");
    format!("| {input} | {straight} |\n")
}

fn compare(file: &str, now: &str) -> Tested {
    let path = format!("{}/../docs/{file}", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path)?;
    let (before, rest) = page.split_once(BEGIN).expect("where it begins");
    let (known, after) = rest.split_once(END).expect("where it ends");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, [before, BEGIN, now, "\n", END, after].concat())?;
        return Ok(());
    }
    for (known, now) in known.lines().zip(now.lines()) {
        assert_eq!(known, now, "UPDATE_EXPECT=1 writes the table anew");
    }
    assert_eq!(known.trim().lines().count(), now.trim().lines().count());
    Ok(())
}

/// Finding: "`add` is then not retried": a connection that was never made did nothing, so `add`
/// is sent as soon as there is one.
#[tokio::test]
async fn add_is_sent_again_after_a_refused_connection() -> Tested {
    let url = socket::closed().await;
    let db = handle(&url, false);
    let patient = RetryConfig::standard()
        .with_max_attempts(200)
        .with_initial_backoff(Duration::from_millis(20))
        .with_max_backoff(Duration::from_millis(20));
    let config = db.client().config().to_builder().retry_config(patient);
    let db = Dynamo::new(Client::from_conf(config.build()));
    let address = url.trim_start_matches("http://").to_owned();
    let late = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        Server::at(&address, Answer::http("200 OK", &[JSON], "{}")).await
    });
    add(&db).await?;
    assert_eq!(late.await?.requests(), 1);
    Ok(())
}

/// Finding: "`is_uncertain()` is false when the response of `return_new` arrived but could not
/// be decoded, although the write happened."
#[tokio::test]
async fn a_write_whose_returned_item_cannot_be_read_was_done() -> Tested {
    let item = r#"{"Attributes":{"PK":{"S":"COUNTER#001"},"SK":{"S":"COUNTER"},"type":{"S":"COUNTER"},"id":{"N":"1"},"value":{"S":"x"}}}"#;
    let server = Server::start(Answer::http("200 OK", &[JSON], item)).await;
    for is_typed in [false, true] {
        let db = handle(&server.url(), is_typed);
        let add = || Counter::update(1).add(|it| it.value(), 1_u64);
        let error = add().return_new().send(&db).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Decode { .. }), "{error}");
        assert_eq!(error.outcome(), Outcome::Done);
        assert!(error.to_string().ends_with("; it was done"), "{error}");
        let put = counter(1, 7).put().return_old().send(&db).await;
        assert_eq!(put.unwrap_err().outcome(), Outcome::Done);
        let delete = Counter::delete(1).return_old().send(&db).await;
        assert_eq!(delete.unwrap_err().outcome(), Outcome::Done);
        let updated = add().return_updated_new().send(&db).await?;
        let error = updated.get(|it| it.value()).unwrap_err();
        assert_eq!(error.outcome(), Outcome::Done);
    }
    Ok(())
}

/// A read changes nothing, however it fails.
#[tokio::test]
async fn a_read_that_fails_is_not_done() -> Tested {
    for answer in [
        Answer::Close,
        Answer::raw("200 OK", &[JSON, "content-length: 99"], b"{"),
        Answer::http("500 Oops", &[JSON], ""),
    ] {
        let server = Server::start(answer).await;
        let error = Counter::get(1).send(&handle(&server.url(), false)).await;
        assert_eq!(error.unwrap_err().outcome(), Outcome::NotDone);
    }
    Ok(())
}

/// An empty 200 would read as a missing item.
#[tokio::test]
async fn an_empty_success_of_a_read_is_an_error() -> Tested {
    for headers in [&[JSON][..], &[]] {
        let server = Server::start(Answer::http("200 OK", headers, "")).await;
        for is_typed in [false, true] {
            let db = handle(&server.url(), is_typed);
            let error = Counter::get(1).send(&db).await.unwrap_err();
            assert_eq!(
                error.to_string(),
                "get Counter COUNTER#001/COUNTER: the response (HTTP 200) is empty; check the \
                 proxies between this client and DynamoDB"
            );
            let error = Entry::query(1).all(&db).await.unwrap_err();
            assert!(matches!(
                error.kind(),
                ErrorKind::UnreadableResponse { status: 200, .. }
            ));
        }
    }
    // Engines answer some writes with an empty body.
    let server = Server::start(Answer::http("200 OK", &[JSON], "")).await;
    put(&handle(&server.url(), false)).await?;
    Ok(())
}

/// Finding: "a malformed attribute loses the key and suggests changing the item".
#[tokio::test]
async fn a_malformed_attribute_keeps_the_key() -> Tested {
    let keys = r#""PK":{"S":"COUNTER#001"},"SK":{"S":"COUNTER"},"type":{"S":"COUNTER"}"#;
    for item in [
        format!(r#"{{{keys},"value":{{"X":"1"}}}}"#),
        format!(r#"{{{keys},"value":7}}"#),
        r#"{"PK":5}"#.to_owned(),
    ] {
        let body = format!(r#"{{"Item":{item}}}"#);
        let server = Server::start(Answer::http("200 OK", &[JSON], body)).await;
        let error = Counter::get(1).send(&handle(&server.url(), false)).await;
        assert_eq!(
            error.unwrap_err().to_string(),
            "get Counter COUNTER#001/COUNTER: the response (HTTP 200) has a malformed item; check \
             the proxies between this client and DynamoDB"
        );
    }
    Ok(())
}

/// The SDK shows the whole request where its endpoint is not a URL.
#[tokio::test]
async fn an_error_of_the_endpoint_does_not_show_the_request() {
    let error = put(&handle("not a url", false)).await.unwrap_err();
    let mut text = format!("{error:?}");
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        text += &format!("{error} {error:?}");
        cause = error.source();
    }
    assert!(!text.contains("Item"), "{text}");
}

/// Finding: "a full disk, a damaged or read-only file reads 'DynamoDB refused … an answer was
/// lost'".
#[tokio::test]
async fn a_damaged_file_is_a_failure_of_the_engine() -> Tested {
    let file = std::env::temp_dir().join(format!("outcomes-{}.db", std::process::id()));
    let db = Dynamo::embedded_on_file(&file)?;
    <Faults as dynamo_model::Table>::create_table(&db).await?;
    let entries: Vec<Entry> = (0..500).map(|number| entry(1, number)).collect();
    BatchWrite::new().puts(&entries).send(&db).await?;
    drop(db);
    let mut bytes = std::fs::read(&file)?;
    let half = bytes.len() / 2;
    bytes[half..].fill(0xff);
    std::fs::write(&file, bytes)?;
    let db = Dynamo::embedded_on_file(&file)?;
    let config = db.client().config().to_builder();
    let config = config.retry_config(RetryConfig::disabled()).build();
    let read = Entry::query(1).all(&Dynamo::new(Client::from_conf(config)));
    let error = read.await.unwrap_err();
    for extension in ["db", "db-wal", "db-shm"] {
        let _ = std::fs::remove_file(file.with_extension(extension));
    }
    assert_eq!(error.kind(), &ErrorKind::Engine, "{error}");
    let text = error.to_string();
    let expected = "query Entry LOG#001: the embedded engine failed; check its file and its disk (";
    assert!(text.starts_with(expected), "{text}");
    Ok(())
}
