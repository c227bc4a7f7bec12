//! The time of a signature.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A time as the `x-amz-date` header writes it: `20150830T123600Z`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp([u8; 16]);

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Stamp {
    /// Returns `None` for a time before 1970 or after 9999.
    pub(super) fn of(time: SystemTime) -> Option<Self> {
        let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
        let (year, month, day) = civil(seconds / 86_400)?;
        let of_day = seconds % 86_400;
        let mut text = *b"00000000T000000Z";
        write(&mut text[0..4], year);
        write(&mut text[4..6], month);
        write(&mut text[6..8], day);
        write(&mut text[9..11], of_day / 3600);
        write(&mut text[11..13], of_day / 60 % 60);
        write(&mut text[13..15], of_day % 60);
        Some(Self(text))
    }

    /// Reads the header. Fails if it is not such a time.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text: [u8; 16] = text.as_bytes().try_into().ok()?;
        let digits = |byte: (usize, &u8)| match byte {
            (8, byte) => *byte == b'T',
            (15, byte) => *byte == b'Z',
            (_, byte) => byte.is_ascii_digit(),
        };
        text.iter().enumerate().all(digits).then_some(Self(text))
    }

    /// Returns the seconds since 1970. Fails for a date before it.
    pub(super) fn seconds(&self) -> Option<u64> {
        let number = |range: core::ops::Range<usize>| self.text().get(range)?.parse::<u64>().ok();
        let (year, month, day) = (number(0..4)?, number(4..6)?, number(6..8)?);
        // As in `civil`, whose inverse this is.
        let year = year.checked_sub(u64::from(month <= 2))?;
        let (era, of_era) = (year / 400, year % 400);
        let from_march = (month + 9) % 12;
        let of_year = (153 * from_march + 2) / 5 + day.checked_sub(1)?;
        let of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        let days = (era * 146_097 + of_era).checked_sub(719_468)?;
        Some(days * 86_400 + number(9..11)? * 3600 + number(11..13)? * 60 + number(13..15)?)
    }

    pub(super) fn text(&self) -> &str {
        // All bytes are ASCII.
        core::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub(super) fn day(&self) -> [u8; 8] {
        let mut day = [0; 8];
        day.copy_from_slice(&self.0[..8]);
        day
    }

    pub(super) fn day_text(&self) -> &str {
        &self.text()[..8]
    }
}

/// Writes a number with leading zeros.
fn write(text: &mut [u8], mut number: u64) {
    for digit in text.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

/// Returns year, month and day of a day since 1970, by Howard Hinnant's algorithm.
fn civil(days: u64) -> Option<(u64, u64, u64)> {
    // Since the first of March of the year 0: the leap day is the last of a year.
    let days = days.checked_add(719_468)?;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year <= 9999).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn stamp(seconds: u64) -> String {
        let time = UNIX_EPOCH + Duration::from_secs(seconds);
        Stamp::of(time).unwrap().text().to_owned()
    }

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(stamp(0), "19700101T000000Z");
        assert_eq!(stamp(1_440_938_160), "20150830T123600Z");
        assert_eq!(stamp(951_782_399), "20000228T235959Z");
        assert_eq!(stamp(951_782_400), "20000229T000000Z");
        assert_eq!(stamp(951_868_800), "20000301T000000Z");
        assert_eq!(stamp(4_107_542_399), "21000228T235959Z");
        assert_eq!(stamp(4_107_542_400), "21000301T000000Z");
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let mut expected = jiff::civil::date(1970, 1, 1);
        for day in 0..146_097 {
            let date = (expected.year(), expected.month(), expected.day());
            let date = (
                date.0.unsigned_abs().into(),
                date.1.unsigned_abs().into(),
                date.2.unsigned_abs().into(),
            );
            assert_eq!(civil(day), Some(date));
            let noon = day * 86_400 + 43_261;
            let stamp = Stamp::of(UNIX_EPOCH + Duration::from_secs(noon)).unwrap();
            assert_eq!(stamp.seconds(), Some(noon));
            expected = expected.tomorrow().unwrap();
        }
    }

    #[test]
    fn times_out_of_range_are_refused() {
        assert_eq!(Stamp::of(UNIX_EPOCH - Duration::from_secs(1)), None);
        assert_eq!(
            Stamp::of(UNIX_EPOCH + Duration::from_secs(253_402_300_800)),
            None
        );
    }

    #[test]
    fn only_a_stamp_is_read_as_one() {
        assert!(Stamp::parse("20150830T123600Z").is_some());
        for text in [
            "",
            "20150830T123600",
            "20150830 123600Z",
            "2015-08-30T12:36",
            "20150830T1236é",
        ] {
            assert!(Stamp::parse(text).is_none(), "{text}");
        }
    }
}
