//! The measurements of time, instructions and memory.

pub mod instructions;
pub mod rows;
pub mod time;
