//! The laws of the key codec, each tried on thousands of values, hostile ones first.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod entities;
mod injection;
mod losses;
mod order;
mod others;
mod round_trip;
mod specs;
mod strategies;
mod values;
