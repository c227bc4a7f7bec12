//! The two ways to send a request: through the SDK's orchestrator, and around it. Both have to send
//! the same requests and end in the same way.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod calls;
mod cancelled;
mod choice;
mod failures;
mod limits;
mod model;
mod recorder;
mod requests;
mod sockets;
mod succeeding;
mod tls;
