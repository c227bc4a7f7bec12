//! The server of the studio: who may ask it, what it hides, and what it writes.

#![cfg(feature = "studio")]
#![allow(clippy::unwrap_used, clippy::panic)]

mod client;
mod guard;
mod items;
