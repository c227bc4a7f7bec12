//! Not faster than this.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Grants units evenly over a second, without bursts, because bursts would throttle other requests.
#[derive(Debug)]
pub(super) struct Pace {
    unit: Duration,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    pub(super) fn per_second(units: u32) -> Self {
        Self {
            unit: Duration::from_secs(1) / units.max(1),
            next: Mutex::new(None),
        }
    }

    /// Waits until these units may be used.
    pub(super) async fn take(&self, units: u32) {
        tokio::time::sleep_until(self.slot(units, Instant::now())).await;
    }

    fn slot(&self, units: u32, now: Instant) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let at = next.map_or(now, |next| next.max(now));
        *next = Some(at + self.unit * units);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_granted_evenly_and_do_not_accumulate() {
        let pace = Pace::per_second(10);
        let start = Instant::now();
        let millis = |at: Instant| at.duration_since(start).as_millis();
        assert_eq!(millis(pace.slot(1, start)), 0);
        assert_eq!(millis(pace.slot(3, start)), 100);
        assert_eq!(millis(pace.slot(1, start)), 400);
        // After a pause, one at once and the next a tenth later.
        let later = start + Duration::from_secs(5);
        assert_eq!(millis(pace.slot(1, later)), 5000);
        assert_eq!(millis(pace.slot(1, later)), 5100);
    }
}
