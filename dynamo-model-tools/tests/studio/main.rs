//! The server of the studio: who may ask it, what it hides, and what it writes.

#![cfg(feature = "studio")]

mod client;
mod guard;
mod items;
