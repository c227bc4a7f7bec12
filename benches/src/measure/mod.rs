//! How it is measured.

pub mod instructions;
pub mod rows;
pub mod time;
