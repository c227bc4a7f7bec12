//! Calendar arithmetic on the proleptic Gregorian calendar, in UTC.
//!
//! Done here, not by a time crate, so that `chrono`, `time` and `jiff` give one and the same text
//! and a user of none of them compiles none of them. The day count is the well-known era-based one
//! (400 years are 146 097 days; a year that starts in March puts the leap day last).

const DAYS_PER_ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_SHIFT: i64 = 719_468;
const SECONDS_PER_DAY: i64 = 86_400;

/// Returns year, month and day of a day counted from 1970-01-01.
#[inline]
pub(crate) const fn civil_from_days(days: i64) -> (i32, u8, u8) {
    // From an era earlier than need be, so that the first two months of the year 0 are not
    // negative.
    let shifted = days.wrapping_add(EPOCH_SHIFT + DAYS_PER_ERA);
    if 0 <= shifted && shifted < QUICK_DAYS {
        let (year, month, day) = civil_from_march(shifted as u32);
        (year as i32 - 400, month, day)
    } else {
        civil_from_far_days(days)
    }
}

/// How far [`civil_from_march`] can count: well past the year 9999, the last in a key.
const QUICK_DAYS: i64 = 1 << 30;

/// Returns year, month and day of a day counted from March 1 of the year 0, or of any other that
/// 400 divides. In 32 bits, and with no division but by constants, as C. Neri and L. Schneider do
/// it in "Euclidean affine functions and their application to calendar algorithms" (2022).
#[inline]
const fn civil_from_march(days: u32) -> (u32, u8, u8) {
    /// 2^32 / 1461, rounded up: of a product with it, the high half is the quotient, and the low
    /// half has the remainder.
    const PER_QUARTER_DAY: u32 = 2_939_745;
    let quarter_days = 4 * days + 3;
    let century = quarter_days / DAYS_PER_ERA as u32;
    let in_century = (quarter_days % DAYS_PER_ERA as u32) | 3;
    let product = PER_QUARTER_DAY as u64 * in_century as u64;
    let year = 100 * century + (product >> 32) as u32;
    let day_of_year = product as u32 / PER_QUARTER_DAY / 4;
    // Day 0 is in month 3, and a day is 2141 / 65536 of a month.
    let months = 2_141 * day_of_year + 197_913;
    let (month, day) = (months >> 16, months % 65_536 / 2_141 + 1);
    if month > 12 {
        (year + 1, (month - 12) as u8, day as u8)
    } else {
        (year, month as u8, day as u8)
    }
}

/// Does the same as [`civil_from_days`] for days that no key shows. Years beyond the type are
/// clamped.
#[cold]
const fn civil_from_far_days(days: i64) -> (i32, u8, u8) {
    let shifted = days + EPOCH_SHIFT;
    let era = shifted.div_euclid(DAYS_PER_ERA);
    let (year_of_era, month, day) = civil_from_march(shifted.rem_euclid(DAYS_PER_ERA) as u32);
    let year = era * 400 + year_of_era as i64;
    let year = if year > i32::MAX as i64 {
        i32::MAX
    } else if year < i32::MIN as i64 {
        i32::MIN
    } else {
        year as i32
    };
    (year, month, day)
}

/// Inverts [`civil_from_days`].
pub(crate) const fn days_from_civil(year: i32, month: u8, day: u8) -> i32 {
    let year = year as i64 - (month <= 2) as i64;
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let march_month = (month as i64 + 9) % 12;
    let day_of_year = (153 * march_month + 2) / 5 + day as i64 - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    (era * DAYS_PER_ERA + day_of_era - EPOCH_SHIFT) as i32
}

/// An instant, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: i32,
    pub(crate) month: u8,
    pub(crate) day: u8,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    pub(crate) second: u8,
    pub(crate) nanos: u32,
}

impl Civil {
    #[inline]
    pub(crate) const fn from_unix(seconds: i64, nanos: u32) -> Self {
        let (year, month, day) = civil_from_days(seconds.div_euclid(SECONDS_PER_DAY));
        let in_day = seconds.rem_euclid(SECONDS_PER_DAY) as u32;
        Self {
            year,
            month,
            day,
            hour: (in_day / 3_600) as u8,
            minute: (in_day / 60 % 60) as u8,
            second: (in_day % 60) as u8,
            nanos,
        }
    }

    pub(crate) const fn from_days(days: i32) -> Self {
        let (year, month, day) = civil_from_days(days as i64);
        Self {
            year,
            month,
            day,
            hour: 0,
            minute: 0,
            second: 0,
            nanos: 0,
        }
    }

    /// Returns seconds since 1970, or `None` if the numbers are not a valid date or time of day.
    pub(crate) fn to_unix(self) -> Option<(i64, u32)> {
        let days = self.to_days()?;
        if self.hour > 23 || self.minute > 59 || self.second > 59 || self.nanos > 999_999_999 {
            return None;
        }
        let in_day =
            i64::from(self.hour) * 3_600 + i64::from(self.minute) * 60 + i64::from(self.second);
        Some((i64::from(days) * SECONDS_PER_DAY + in_day, self.nanos))
    }

    /// Returns the days since 1970, or `None` for a date such as February 30.
    pub(crate) fn to_days(self) -> Option<i32> {
        let days = days_from_civil(self.year, self.month.clamp(1, 12), self.day);
        let (year, month, day) = civil_from_days(i64::from(days));
        ((year, month, day) == (self.year, self.month, self.day)).then_some(days)
    }

    pub(crate) const fn day_of_year(&self) -> u16 {
        let start = days_from_civil(self.year, 1, 1);
        (days_from_civil(self.year, self.month, self.day) - start + 1) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_ten_thousand_years_round_trips() {
        let first = days_from_civil(0, 1, 1);
        let last = days_from_civil(9_999, 12, 31);
        let mut previous = None;
        for days in first..=last {
            let (year, month, day) = civil_from_days(i64::from(days));
            assert_eq!(days_from_civil(year, month, day), days);
            assert!(previous < Some((year, month, day)));
            previous = Some((year, month, day));
        }
    }

    #[test]
    fn far_days_differ_in_their_years_only() {
        for days in [-800_000_i64, -719_529, 0, 11_016, QUICK_DAYS] {
            let (year, month, day) = civil_from_days(days);
            for eras in [-1_000_000, -1, 1, 1_000_000] {
                let far = civil_from_days(days + i64::from(eras) * DAYS_PER_ERA);
                assert_eq!(far, (year + eras * 400, month, day));
            }
        }
        assert_eq!(Civil::from_unix(i64::MAX, 0).year, i32::MAX);
        assert_eq!(Civil::from_unix(i64::MIN, 0).year, i32::MIN);
    }

    #[test]
    fn known_days() {
        assert_eq!(civil_from_days(0), (1970, 1, 1));
        assert_eq!(civil_from_days(-1), (1969, 12, 31));
        assert_eq!(days_from_civil(2000, 2, 29), 11_016);
        assert_eq!(
            Civil::from_unix(1_705_314_600, 0),
            Civil {
                year: 2024,
                month: 1,
                day: 15,
                hour: 10,
                minute: 30,
                second: 0,
                nanos: 0,
            }
        );
        assert_eq!(Civil::from_days(11_016).day_of_year(), 60);
    }

    #[test]
    fn invalid_dates_are_refused() {
        let feb_30 = Civil {
            year: 2023,
            month: 2,
            day: 30,
            hour: 0,
            minute: 0,
            second: 0,
            nanos: 0,
        };
        assert_eq!(feb_30.to_unix(), None);
        assert_eq!(
            Civil {
                month: 13,
                day: 1,
                ..feb_30
            }
            .to_unix(),
            None
        );
        assert_eq!(
            Civil {
                month: 2,
                day: 1,
                hour: 24,
                ..feb_30
            }
            .to_unix(),
            None
        );
    }
}
