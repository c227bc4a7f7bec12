//! Where the library gets the time from, and how a field of the user's takes it.

use crate::key::{KeyPart, PartError, PartValue, kind};
use crate::stored_time;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A source of time that tests can replace.
#[derive(Clone)]
pub(crate) struct Clock {
    now: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// Whether this is the system's clock.
    #[cfg_attr(not(feature = "embedded"), allow(dead_code))]
    is_system: bool,
}

impl Clock {
    pub(crate) fn new(now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self {
            now: Arc::new(now),
            is_system: false,
        }
    }

    pub(crate) fn system() -> Self {
        Self {
            is_system: true,
            ..Self::new(SystemTime::now)
        }
    }

    #[cfg(feature = "embedded")]
    pub(crate) fn is_system(&self) -> bool {
        self.is_system
    }

    /// Returns the time in milliseconds. Every clock has that precision, and most keys use it.
    pub(crate) fn now(&self) -> Moment {
        let (seconds, nanos) = match (self.now)().duration_since(UNIX_EPOCH) {
            Ok(since) => (
                i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
                since.subsec_nanos(),
            ),
            // Before 1970: seconds are rounded towards the past.
            Err(before) => {
                let before = before.duration();
                let seconds = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
                match before.subsec_nanos() {
                    0 => (-seconds, 0),
                    nanos => (-seconds - 1, 1_000_000_000 - nanos),
                }
            }
        };
        Moment {
            seconds,
            nanos: nanos / 1_000_000 * 1_000_000,
        }
    }
}

/// The time that the clock returned.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub(crate) seconds: i64,
    pub(crate) nanos: u32,
}

impl From<Moment> for SystemTime {
    fn from(moment: Moment) -> Self {
        let seconds = Duration::from_secs(moment.seconds.unsigned_abs());
        let start = match moment.seconds < 0 {
            true => UNIX_EPOCH - seconds,
            false => UNIX_EPOCH + seconds,
        };
        start + Duration::from_nanos(u64::from(moment.nanos))
    }
}

impl Moment {
    /// The beginning of 1970.
    pub(crate) const EPOCH: Self = Self {
        seconds: 0,
        nanos: 0,
    };

    pub(crate) fn whole_seconds(self) -> Self {
        Self { nanos: 0, ..self }
    }

    fn part(self) -> PartValue<'static> {
        let Self { seconds, nanos } = self;
        PartValue::Time { seconds, nanos }
    }
}

/// The type of a `created_at` or `updated_at` field.
#[diagnostic::on_unimplemented(
    message = "`created_at` and `updated_at` are set from the clock, and `{Self}` is not a time \
               that the clock can set",
    label = "not set from the clock",
    note = "declare the field as a time of `chrono`, `jiff` or `time`, as a `String` (RFC 3339), \
            or as an integer (seconds since 1970); a newtype of one needs `#[derive(KeyPart, \
            serde::Serialize)]`"
)]
pub trait ClockTime: KeyPart<Kind: FromClock> + Serialize {}

#[diagnostic::do_not_recommend]
impl<T: KeyPart<Kind: FromClock> + Serialize> ClockTime for T {}

/// A kind of value that the clock can give.
#[doc(hidden)]
pub trait FromClock: kind::Kind {
    fn read<T>(
        now: Moment,
        read: impl FnOnce(PartValue<'_>) -> Result<T, PartError>,
    ) -> Result<T, PartError>;
}

impl FromClock for kind::Time {
    fn read<T>(
        now: Moment,
        read: impl FnOnce(PartValue<'_>) -> Result<T, PartError>,
    ) -> Result<T, PartError> {
        read(now.part())
    }
}

impl FromClock for kind::Date {
    fn read<T>(
        now: Moment,
        read: impl FnOnce(PartValue<'_>) -> Result<T, PartError>,
    ) -> Result<T, PartError> {
        let days = i32::try_from(now.seconds.div_euclid(86_400)).unwrap_or(i32::MAX);
        read(PartValue::Date { days })
    }
}

impl FromClock for kind::Integer {
    fn read<T>(
        now: Moment,
        read: impl FnOnce(PartValue<'_>) -> Result<T, PartError>,
    ) -> Result<T, PartError> {
        read(PartValue::Integer {
            negative: now.seconds < 0,
            magnitude: u128::from(now.seconds.unsigned_abs()),
        })
    }
}

impl FromClock for kind::Text {
    fn read<T>(
        now: Moment,
        read: impl FnOnce(PartValue<'_>) -> Result<T, PartError>,
    ) -> Result<T, PartError> {
        // With milliseconds, always, so that it sorts.
        read(PartValue::Text(&stored_time::rfc3339(
            now.seconds,
            now.nanos,
            3,
        )))
    }
}

/// Returns the time as a value of the field's type.
pub(crate) fn value<T: KeyPart<Kind: FromClock>>(now: Moment) -> Result<T, PartError> {
    <T::Kind as FromClock>::read(now, T::from_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: SystemTime) -> Moment {
        Clock::new(move || time).now()
    }

    #[test]
    fn every_kind_gets_the_same_moment() {
        let now = at(UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789));
        assert_eq!(value::<String>(now).unwrap(), "2023-11-14T22:13:20.123Z");
        assert_eq!(value::<u64>(now).unwrap(), 1_700_000_000);
        let time: jiff::Timestamp = value(now).unwrap();
        assert_eq!(time.to_string(), "2023-11-14T22:13:20.123Z");
    }

    #[test]
    fn seconds_before_1970_round_towards_the_past() {
        let now = at(UNIX_EPOCH - Duration::from_millis(1_500));
        assert_eq!((now.seconds, now.nanos), (-2, 500_000_000));
        assert_eq!(value::<String>(now).unwrap(), "1969-12-31T23:59:58.500Z");
    }
}
