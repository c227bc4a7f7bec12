//! Waits before a repeated request: exponential, with full jitter, so that clients which were
//! throttled together do not return together.

use crate::error::ThrottlingReason;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// How often the same work is sent at most.
pub(crate) const ATTEMPTS: u32 = 8;

const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);

/// Waits, after this many attempts that left something over.
pub(crate) async fn wait(attempts: u32) {
    tokio::time::sleep(jittered(ceiling(attempts), random())).await;
}

/// Waits after a throttled attempt. A hot partition cools down only when its clients slow down, or
/// DynamoDB splits it, which takes seconds: the wait is longer then, and never short.
pub(crate) async fn wait_throttled(attempts: u32, reasons: &[ThrottlingReason]) {
    if reasons.iter().any(ThrottlingReason::is_hot_partition) {
        tokio::time::sleep(patient(attempts, random())).await;
    } else {
        wait(attempts).await;
    }
}

/// From half of the ceiling that comes two attempts later to all of it.
fn patient(attempts: u32, random: u64) -> Duration {
    let half = ceiling(attempts.saturating_add(2)) / 2;
    half + jittered(half, random)
}

/// The longest wait after this many attempts: it doubles each time.
fn ceiling(attempts: u32) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16);
    (FIRST * (1 << doublings)).min(LONGEST)
}

/// Returns a random duration up to the ceiling.
fn jittered(ceiling: Duration, random: u64) -> Duration {
    let ceiling = u64::try_from(ceiling.as_micros()).unwrap_or(u64::MAX - 1);
    Duration::from_micros(random % (ceiling + 1))
}

/// The standard library seeds its hash maps randomly; that suffices to spread requests.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Returns a unique name.
pub(crate) fn token() -> String {
    format!("{:016x}{:016x}", random(), random())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceiling_doubles_up_to_a_limit() {
        let ceilings = [1, 2, 3, 7, 8, u32::MAX].map(|attempts| ceiling(attempts).as_millis());
        assert_eq!(ceilings, [50, 100, 200, 3200, 5000, 5000]);
    }

    #[test]
    fn jitter_goes_from_nothing_to_the_ceiling() {
        let ceiling = Duration::from_micros(9);
        let waits: Vec<_> = (0..10).map(|random| jittered(ceiling, random)).collect();
        assert_eq!(waits[0], Duration::ZERO);
        assert_eq!(waits[9], ceiling);
        assert!(jittered(ceiling, u64::MAX) <= ceiling);
    }

    #[test]
    fn after_a_hot_partition_the_wait_is_never_short() {
        for attempts in 1..ATTEMPTS {
            let half = ceiling(attempts + 2) / 2;
            assert_eq!(patient(attempts, 0), half);
            let longest = u64::try_from(half.as_micros()).unwrap_or(0);
            assert_eq!(patient(attempts, longest), 2 * half);
            assert!(patient(attempts, u64::MAX) <= 2 * half);
            assert!(half >= ceiling(attempts).min(LONGEST / 2), "{attempts}");
        }
        assert_eq!(patient(u32::MAX, 0), LONGEST / 2);
    }

    #[test]
    fn two_waits_are_not_the_same() {
        let drawn: std::collections::HashSet<u64> = (0..64).map(|_| random()).collect();
        assert!(drawn.len() > 60);
    }
}
