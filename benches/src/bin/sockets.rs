//! The CPU time of a `get` over loopback sockets: `sockets/1/aws-sdk 41.2 µs, 24272 calls a second and
//! core, 2.31 times ours`. Linux only. An argument is the number of calls of a round.

use dynamo_model_benches::sockets::{measure, ratio};
use std::env;

const ROUNDS: usize = 5;

fn main() {
    let calls = env::args().nth(1).and_then(|calls| calls.parse().ok());
    let calls = calls.unwrap_or(10_000);
    for concurrency in [1, 32] {
        let measured = measure(calls, concurrency, ROUNDS);
        for it in &measured {
            println!(
                "sockets/{concurrency}/{} {:.1} µs, {:.0} calls a second and core, {:.2} times ours",
                it.contender,
                it.nanos / 1e3,
                1e9 / it.nanos,
                ratio(&measured, it.contender).unwrap_or_default(),
            );
        }
    }
}
