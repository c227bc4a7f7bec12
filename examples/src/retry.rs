//! Retries after a conflict: the item has changed, so it is read again.

use std::time::Duration;

/// The maximum number of attempts. In each, another client succeeded.
pub(crate) const ATTEMPTS: u32 = 100;

/// Waits a little longer each time.
pub(crate) async fn pause(attempt: u32) {
    let wait = Duration::from_millis(u64::from(attempt.min(20)));
    tokio::time::sleep(wait).await;
}
