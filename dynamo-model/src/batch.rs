//! Batches of reads and writes, over tables and entities: up to 100 keys, or 25 writes, a request.

pub use crate::op::{
    BatchGet, BatchRead, BatchWrite, Batchable, Importable, IntoKey, Progress, Unwritten,
};
