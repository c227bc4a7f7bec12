//! Trying again after somebody else was faster: what was read has changed, so it is read once more.

use std::time::Duration;

/// How often at most. Every time, somebody else has got on.
pub(crate) const ATTEMPTS: u32 = 100;

/// Waits a little longer each time.
pub(crate) async fn pause(attempt: u32) {
    let wait = Duration::from_millis(u64::from(attempt.min(20)));
    tokio::time::sleep(wait).await;
}
