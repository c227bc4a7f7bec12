//! Calendar arithmetic on the proleptic Gregorian calendar, in UTC.
//!
//! Done here, not by a time crate, so that `chrono`, `time` and `jiff` give one and the same text and a
//! user of none of them compiles none of them. The day count is the well-known era-based one
//! (400 years are 146 097 days; a year that starts in March puts the leap day last).

const DAYS_PER_ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_SHIFT: i64 = 719_468;
const SECONDS_PER_DAY: i64 = 86_400;

/// Year, month and day of a day counted from 1970-01-01.
pub(crate) const fn civil_from_days(days: i64) -> (i32, u8, u8) {
    let shifted = days + EPOCH_SHIFT;
    let era = shifted.div_euclid(DAYS_PER_ERA);
    let day_of_era = shifted.rem_euclid(DAYS_PER_ERA);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * march_month + 2) / 5 + 1) as u8;
    let month = (if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    }) as u8;
    let year = year_of_era + era * 400 + (month <= 2) as i64;
    (year as i32, month, day)
}

/// The inverse of [`civil_from_days`].
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
    pub(crate) const fn from_unix(seconds: i64, nanos: u32) -> Self {
        let (year, month, day) = civil_from_days(seconds.div_euclid(SECONDS_PER_DAY));
        let in_day = seconds.rem_euclid(SECONDS_PER_DAY);
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

    /// Seconds since 1970, or `None` where a number is no date or time of day.
    pub(crate) fn to_unix(self) -> Option<(i64, u32)> {
        let days = self.to_days()?;
        if self.hour > 23 || self.minute > 59 || self.second > 59 || self.nanos > 999_999_999 {
            return None;
        }
        let in_day =
            i64::from(self.hour) * 3_600 + i64::from(self.minute) * 60 + i64::from(self.second);
        Some((i64::from(days) * SECONDS_PER_DAY + in_day, self.nanos))
    }

    /// Days since 1970, or `None` for the likes of February 30.
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
    fn numbers_that_are_no_date_are_refused() {
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
