//! A server on a real socket of 127.0.0.1, which answers every request with the same bytes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// The server's reaction to a request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Sends these bytes, and closes the connection.
    Bytes(Vec<u8>),
    /// Closes the connection.
    Close,
    /// Keeps the connection open without a response.
    Silence,
}

impl Answer {
    /// Returns a response with this status line, these headers and this body.
    pub fn http(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let length = format!("content-length: {}", body.len());
        Self::raw(status, &[headers, &[&length]].concat(), body)
    }

    /// Returns the same without a computed length: a body may be shorter than the headers declare.
    pub fn raw(status: &str, headers: &[&str], body: &[u8]) -> Self {
        let headers = headers.join("\r\n");
        let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n\r\n");
        Self::Bytes([head.as_bytes(), body].concat())
    }
}

#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl Server {
    pub async fn start(answer: Answer) -> Self {
        Self::at("127.0.0.1:0", answer).await
    }

    /// Listens at a known address.
    pub async fn at(address: &str, answer: Answer) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let (answer, counted) = (answer.clone(), Arc::clone(&counted));
                tokio::spawn(async move { serve(connection, answer, &counted).await });
            }
        });
        Self { address, requests }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns how many requests were read to their end.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

async fn serve(mut connection: TcpStream, answer: Answer, requests: &AtomicUsize) {
    let mut read = Vec::new();
    while !is_whole(&read) {
        match connection.read_buf(&mut read).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
    requests.fetch_add(1, Ordering::SeqCst);
    match answer {
        Answer::Bytes(bytes) => {
            let _ = connection.write_all(&bytes).await;
            let _ = connection.shutdown().await;
        }
        Answer::Close => {}
        Answer::Silence => tokio::time::sleep(Duration::from_secs(60)).await,
    }
}

/// Returns whether the head and the declared number of bytes were received.
fn is_whole(read: &[u8]) -> bool {
    let text = String::from_utf8_lossy(read);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let mut lengths = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    });
    body.len() >= lengths.next().unwrap_or(0_usize)
}

/// Returns an address without a listener.
pub async fn closed() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// Returns a listener whose queue is full: a new connection waits until it times out. It lives as
/// long as the returned value.
pub async fn full() -> (String, impl Sized) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queued = Vec::new();
    loop {
        let connection =
            tokio::time::timeout(Duration::from_millis(200), TcpStream::connect(address));
        match connection.await {
            Ok(connection) => queued.push(connection.unwrap()),
            Err(_) => return (format!("http://{address}"), (listener, queued)),
        }
    }
}
