//! Real sockets of 127.0.0.1, through the SDK's own connector; [`tls`](super::tls) has them with TLS.

use super::model::{OPERATIONS, THING, Thing, call};
use super::recorder::{assert_lean, config};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use dynamo_model::Dynamo;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server that answers as a table in which every item is.
#[derive(Debug, Clone)]
pub struct Served {
    pub address: SocketAddr,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    connections: AtomicUsize,
    requests: AtomicUsize,
    /// How many of the next requests fail with status 500.
    failing: AtomicUsize,
}

impl Served {
    pub async fn start() -> Self {
        Self::start_with(|connection| async { Some(connection) }).await
    }

    /// Serves what `accept` makes of each connection, unless it is refused.
    pub async fn start_with<C, F>(accept: impl Fn(TcpStream) -> F + Send + 'static) -> Self
    where
        C: AsyncRead + AsyncWrite + Unpin + Send,
        F: Future<Output = Option<C>> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = Self {
            address,
            counts: Arc::default(),
        };
        let counts = Arc::clone(&served.counts);
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                counts.connections.fetch_add(1, Ordering::SeqCst);
                let (counts, accepted) = (Arc::clone(&counts), accept(connection));
                tokio::spawn(async move {
                    if let Some(connection) = accepted.await {
                        serve(connection, &counts).await;
                    }
                });
            }
        });
        served
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lets the next requests fail.
    pub fn fail(&self, requests: usize) {
        self.counts.failing.store(requests, Ordering::SeqCst);
    }

    pub fn connections(&self) -> usize {
        self.counts.connections.load(Ordering::SeqCst)
    }

    pub fn requests(&self) -> usize {
        self.counts.requests.load(Ordering::SeqCst)
    }
}

async fn serve(mut connection: impl AsyncRead + AsyncWrite + Unpin, counts: &Counts) {
    let mut read = Vec::new();
    loop {
        let request = loop {
            if let Some(length) = whole(&read) {
                break read.drain(..length).collect::<Vec<_>>();
            }
            match connection.read_buf(&mut read).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        };
        counts.requests.fetch_add(1, Ordering::SeqCst);
        let failing = counts.failing.load(Ordering::SeqCst);
        let (status, body) = match failing {
            0 => ("200 OK", answer(&String::from_utf8_lossy(&request))),
            _ => {
                counts.failing.store(failing - 1, Ordering::SeqCst);
                ("500 Internal Server Error", "{}".into())
            }
        };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/x-amz-json-1.0\r\n\
             x-amzn-requestid: ID\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        // In pieces, so that a call can be dropped between them.
        for piece in [
            head.as_bytes(),
            &body.as_bytes()[..1],
            &body.as_bytes()[1..],
        ] {
            if connection.write_all(piece).await.is_err() || connection.flush().await.is_err() {
                return;
            }
            tokio::task::yield_now().await;
        }
    }
}

/// Returns the length of the first request, if it has arrived.
fn whole(read: &[u8]) -> Option<usize> {
    let head = read.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&read[..head]).to_lowercase();
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let whole = head + length?.trim().parse::<usize>().unwrap();
    (read.len() >= whole).then_some(whole)
}

/// The item with the key of the request, for a get.
fn answer(request: &str) -> String {
    let id = request.split("THING#").nth(1).map(|rest| {
        let digits = rest.chars().take_while(char::is_ascii_digit);
        digits.collect::<String>()
    });
    match (request.contains("DynamoDB_20120810.GetItem"), id) {
        (true, Some(id)) => format!(
            r#"{{"Item":{{"PK":{{"S":"THING#{id}"}},"id":{{"N":"{id}"}},"value":{{"N":"7"}}}}}}"#
        ),
        _ => "{}".into(),
    }
}

/// A client of this endpoint, with the SDK's own connector without TLS.
pub fn client(url: &str) -> Client {
    client_with(url, aws_smithy_http_client::Builder::new().build_http())
}

pub fn client_with(url: &str, connector: SharedHttpClient) -> Client {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("sockets-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let retries = RetryConfig::standard()
        .with_max_attempts(3)
        .with_initial_backoff(Duration::from_millis(10));
    let config = config()
        .endpoint_url(url)
        .retry_config(retries)
        .retry_partition(RetryPartition::new(name))
        .http_client(connector);
    Client::from_conf(config.build())
}

#[tokio::test]
async fn connection_is_used_again_for_every_operation() {
    let served = Served::start().await;
    let db = Dynamo::new(client(&served.url()));
    for _ in 0..3 {
        for operation in OPERATIONS {
            call(&db, operation).await.unwrap();
        }
    }
    assert_lean(&db);
    assert_eq!(Thing::get(1).send(&db).await.unwrap(), Some(THING));
    assert_eq!((served.connections(), served.requests()), (1, 31));
}

#[tokio::test]
async fn connection_with_a_server_error_is_closed_as_by_the_sdk() {
    let mut connections = Vec::new();
    for is_lean in [true, false] {
        let served = Served::start().await;
        let db = Dynamo::new(client(&served.url()));
        let db = if is_lean { db } else { db.with_sdk_transport() };
        call(&db, "GetItem").await.unwrap();
        served.fail(1);
        call(&db, "GetItem").await.unwrap();
        call(&db, "GetItem").await.unwrap();
        assert_eq!(served.requests(), 4);
        connections.push(served.connections());
    }
    assert_eq!(connections, [2, 2]);
}

#[tokio::test]
async fn refused_connection_fails_alike() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", gone.local_addr().unwrap());
    drop(gone);
    let mut errors = Vec::new();
    for is_lean in [true, false] {
        // The first call shows how the client is configured, though it fails.
        let gone = Dynamo::new(client(&url));
        let gone = if is_lean {
            gone
        } else {
            gone.with_sdk_transport()
        };
        let error = call(&gone, "UpdateItem").await.unwrap_err();
        let again = call(&gone, "UpdateItem").await.unwrap_err();
        assert_eq!(error.outcome(), again.outcome());
        errors.push(format!("{:?} {:?} {again}", again.kind(), again.outcome()));
    }
    assert_eq!(errors[0], errors[1]);
    assert!(errors[0].contains("NotDone"), "{errors:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_calls_get_their_own_responses() {
    let served = Served::start().await;
    let db = Dynamo::new(client(&served.url()));
    call(&db, "GetItem").await.unwrap();
    let tasks: Vec<_> = (0..32)
        .map(|task: u32| {
            let db = db.clone();
            tokio::spawn(async move {
                for number in 0..50 {
                    let id = task * 1000 + number;
                    let thing = Thing::get(id).send(&db).await.unwrap();
                    assert_eq!(thing.map(|it| it.id), Some(id));
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_lean(&db);
}
