//! Throttling: the reasons that DynamoDB gives, and the partition keys with most accesses.

pub use crate::error::throttling::{
    ThrottledAccess, ThrottledTarget, ThrottlingLimit, ThrottlingReason,
};
pub use crate::hot_keys::{HotKey, HotKeys};
