//! Outputs of declarations: policies, locks, capacity, documents. The outputs of the five schemas
//! are in `examples/generated/`; these tests cover the rest.
#![allow(clippy::panic, clippy::unwrap_used, missing_docs, unreachable_pub)]

mod capacity;
mod deployments;
mod documents;
mod hostile_names;
mod lock;
mod native_keys;
mod policies;
mod protection;
mod replicas;
mod settings;
mod state_machines;
