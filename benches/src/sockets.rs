//! Calls over real sockets of 127.0.0.1, through the SDK's own connector: the CPU time of the client.
//!
//! The client has a thread of its own, whose CPU time the kernel counts, so that the server and other
//! programs do not matter much.

use crate::OURS;
use crate::calls::Task;
use crate::canned::Answer;
use crate::entities::Order;
use crate::libraries::{Facade, Library, Modyne, Ours, OursOnSdk, Raw};
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Region};
use bytes::Bytes;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::rc::Rc;
use std::thread;

/// One contender with so many calls at a time.
#[derive(Debug)]
pub struct Measured {
    /// The contender's name.
    pub contender: &'static str,
    /// How many calls were under way at a time.
    pub concurrency: usize,
    /// Nanoseconds of the client's thread on a processor, for one call.
    pub nanos: f64,
}

/// Measures a `get` of all contenders: so many calls, with so many under way at a time. The best of
/// several rounds counts.
#[must_use]
pub fn measure(calls: usize, concurrency: usize, rounds: usize) -> Vec<Measured> {
    let contenders = [
        contender::<Ours>,
        contender::<OursOnSdk>,
        contender::<Raw>,
        contender::<Modyne>,
        contender::<Facade>,
    ];
    let contenders: Vec<_> = contenders.iter().map(|make| make(concurrency)).collect();
    let mut best = vec![f64::INFINITY; contenders.len()];
    // In turns, because other programs use the machine too. The first round warms up.
    for round in 0..=rounds {
        for ((_, run), best) in contenders.iter().zip(&mut best) {
            let nanos = run(if round == 0 { calls / 10 } else { calls });
            if round > 0 {
                *best = best.min(nanos);
            }
        }
    }
    let measured = contenders.iter().zip(best);
    let measured = measured.map(|((contender, _), nanos)| Measured {
        contender,
        concurrency,
        nanos,
    });
    measured.collect()
}

type Run = Box<dyn Fn(usize) -> f64>;

fn contender<L: Library + 'static>(concurrency: usize) -> (&'static str, Run) {
    let url = serve(Task::Get.answer(L::ASKS));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime of one thread can be made");
    let library = Rc::new(L::over(client(&url)));
    let order = Rc::new(Order::samples(1).remove(0));
    let run = move |calls: usize| {
        let local = tokio::task::LocalSet::new();
        let before = cpu_nanos();
        local.block_on(&runtime, async {
            let tasks: Vec<_> = (0..concurrency)
                .map(|_| {
                    let (library, order) = (Rc::clone(&library), Rc::clone(&order));
                    tokio::task::spawn_local(async move {
                        for _ in 0..calls / concurrency {
                            let order = library.get(&order).await;
                            assert!(order.is_ok_and(|order| order.is_some()));
                        }
                    })
                })
                .collect();
            for task in tasks {
                task.await.expect("a call does not panic");
            }
        });
        let calls = (calls / concurrency * concurrency).max(1);
        #[allow(clippy::cast_precision_loss)]
        let nanos = (cpu_nanos() - before) as f64 / calls as f64;
        nanos
    };
    (L::NAME, Box::new(run))
}

/// The SDK's defaults with a plain connector and another endpoint.
fn client(url: &str) -> Client {
    let http = aws_smithy_http_client::Builder::new().build_http();
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("ap-northeast-1"))
        .credentials_provider(Credentials::new("bench", "bench", None, None, "bench"))
        .endpoint_url(url)
        .http_client(http)
        .build();
    Client::from_conf(config)
}

/// Returns the time that this thread was on a processor, as Linux counts it.
fn cpu_nanos() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|nanos| nanos.parse().ok());
    nanos.unwrap_or_default()
}

/// Starts a server that gives each request the same answer, with a thread for each connection.
fn serve(answer: Answer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\nx-amzn-requestid: {}\r\n\
         x-amz-crc32: {}\r\ncontent-length: {}\r\n\r\n",
        "B".repeat(52),
        crc32(&answer.body),
        answer.body.len()
    );
    let response = Bytes::from([head.as_bytes(), &answer.body].concat());
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let response = response.clone();
            thread::spawn(move || respond(connection, &response));
        }
    });
    format!("http://{address}")
}

/// Answers requests until the connection is closed.
fn respond(mut connection: TcpStream, response: &[u8]) {
    let _ = connection.set_nodelay(true);
    let (mut read, mut buffer) = (Vec::new(), [0; 16_384]);
    loop {
        while let Some(length) = whole(&read) {
            read.drain(..length);
            if connection.write_all(response).is_err() {
                return;
            }
        }
        match connection.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(length) => read.extend_from_slice(&buffer[..length]),
        }
    }
}

/// Returns the length of the first request, if it has arrived.
fn whole(read: &[u8]) -> Option<usize> {
    let head = read.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&read[..head]).to_lowercase();
    let mut lines = text.lines();
    let length = lines.find_map(|line| line.strip_prefix("content-length: "))?;
    let whole = head + length.trim().parse::<usize>().ok()?;
    (read.len() >= whole).then_some(whole)
}

/// As DynamoDB sends it with every response.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |state: u32| match state & 1 {
        1 => (state >> 1) ^ 0xEDB8_8320,
        _ => state >> 1,
    };
    !bytes.iter().fold(!0, |state, byte| {
        (0..8).fold(state ^ u32::from(*byte), |state, _| step(state))
    })
}

/// How many times more CPU time a contender takes than we do.
#[must_use]
pub fn ratio(measured: &[Measured], contender: &str) -> Option<f64> {
    let of = |name: &str| measured.iter().find(|it| it.contender == name);
    Some(of(contender)?.nanos / of(OURS)?.nanos)
}
