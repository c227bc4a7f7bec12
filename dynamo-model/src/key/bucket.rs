//! Time buckets read back from a key.

use super::civil::Civil;
use super::part::{KeyPart, PartValue, kind};
use super::template::TimePiece;

/// A time of which a key contains only some units, as in `DATE#<start_time:%Y-%m-%d>`.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Calendar", pk = "PK", sk = "SK")]
/// struct Calendar;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = Calendar)]
/// #[pk("DATE#<start:%Y-%m-%d>")]
/// #[sk("TIME#<start:%H:%M:%S>#<room>")]
/// struct Slot {
///     start: jiff::Timestamp,
///     room: String,
/// }
///
/// let start: jiff::Timestamp = "2025-06-15T13:00:00Z".parse()?;
/// let key = Slot::key(start, "A")?;
/// assert_eq!(key.to_string(), "DATE#2025-06-15/TIME#13:00:00#A");
///
/// let bucket = key.parse()?.start; // both halves together
/// assert_eq!(bucket.start::<jiff::Timestamp>(), Some(start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TimeBucket {
    year: Option<i32>,
    month: Option<u8>,
    day: Option<u8>,
    day_of_year: Option<u16>,
    hour: Option<u8>,
    minute: Option<u8>,
    second: Option<u8>,
    nanos: Option<u32>,
}

impl TimeBucket {
    /// Adds the units in `text`, which is written as `pieces`. Returns `None` if it has another
    /// form or contradicts the known units.
    pub(crate) fn read(mut self, pieces: &[TimePiece], mut text: &str) -> Option<Self> {
        for piece in pieces {
            let (this, rest) = text.split_at_checked(piece.width())?;
            text = rest;
            if let TimePiece::Literal(literal) = piece {
                if this != *literal {
                    return None;
                }
                continue;
            }
            if !this.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let number: u32 = this.parse().ok()?;
            let small = u8::try_from(number).ok();
            let fits = match *piece {
                TimePiece::Literal(_) => true,
                TimePiece::Year => learn(&mut self.year, i32::try_from(number).ok()?),
                TimePiece::Month => (1..=12).contains(&number) && learn(&mut self.month, small?),
                TimePiece::Day => (1..=31).contains(&number) && learn(&mut self.day, small?),
                TimePiece::DayOfYear => {
                    (1..=366).contains(&number)
                        && learn(&mut self.day_of_year, u16::try_from(number).ok()?)
                }
                TimePiece::Hour => number < 24 && learn(&mut self.hour, small?),
                TimePiece::Minute => number < 60 && learn(&mut self.minute, small?),
                TimePiece::Second => number < 60 && learn(&mut self.second, small?),
                TimePiece::Fraction(digits) => {
                    learn(&mut self.nanos, number * 10_u32.pow(9 - u32::from(digits)))
                }
            };
            if !fits {
                return None;
            }
        }
        text.is_empty().then_some(self)
    }

    /// Returns its first instant (or day, for a date type); `None` if the key has no date.
    #[must_use]
    pub fn start<T: KeyPart>(&self) -> Option<T> {
        let civil = self.civil()?;
        let value = match <T::Kind as kind::Kind>::NAME {
            kind::Name::Date => PartValue::Date {
                days: civil.to_days()?,
            },
            _ => {
                let (seconds, nanos) = civil.to_unix()?;
                PartValue::Time { seconds, nanos }
            }
        };
        T::from_part(value).ok()
    }

    /// Returns the units of the date that the key has: year, month and day.
    ///
    /// ```
    /// let unknown = dynamo_model::key::TimeBucket::default();
    /// assert_eq!(unknown.date(), (None, None, None));
    /// ```
    #[must_use]
    pub fn date(&self) -> (Option<i32>, Option<u8>, Option<u8>) {
        (self.year, self.month, self.day)
    }

    /// Returns the units of the time of day that the key has: hour, minute and second, in UTC.
    ///
    /// ```
    /// let unknown = dynamo_model::key::TimeBucket::default();
    /// assert_eq!(unknown.time(), (None, None, None));
    /// ```
    #[must_use]
    pub fn time(&self) -> (Option<u8>, Option<u8>, Option<u8>) {
        (self.hour, self.minute, self.second)
    }

    fn civil(&self) -> Option<Civil> {
        let year = self.year?;
        let (month, day) = match (self.day_of_year, self.month, self.day) {
            (Some(day_of_year), _, _) => {
                let first = super::civil::days_from_civil(year, 1, 1);
                let (_, month, day) =
                    super::civil::civil_from_days(i64::from(first) + i64::from(day_of_year) - 1);
                (month, day)
            }
            (None, Some(month), day) => (month, day.unwrap_or(1)),
            (None, None, None) => (1, 1),
            (None, None, Some(_)) => return None,
        };
        Some(Civil {
            year,
            month,
            day,
            hour: self.hour.unwrap_or(0),
            minute: self.minute.unwrap_or(0),
            second: self.second.unwrap_or(0),
            nanos: self.nanos.unwrap_or(0),
        })
    }
}

/// Notes `value`; false where another was known.
fn learn<T: PartialEq + Copy>(known: &mut Option<T>, value: T) -> bool {
    *known.get_or_insert(value) == value
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATE_AND_TIME: &[TimePiece] = &[
        TimePiece::Year,
        TimePiece::Literal("-"),
        TimePiece::Month,
        TimePiece::Literal("-"),
        TimePiece::Day,
        TimePiece::Literal("T"),
        TimePiece::Hour,
        TimePiece::Literal(":"),
        TimePiece::Minute,
        TimePiece::Literal(":"),
        TimePiece::Second,
        TimePiece::Literal("."),
        TimePiece::Fraction(3),
    ];

    fn read(pieces: &[TimePiece], text: &str) -> Option<TimeBucket> {
        TimeBucket::default().read(pieces, text)
    }

    #[test]
    fn a_bucket_keeps_its_text() {
        let bucket = read(DATE_AND_TIME, "2025-06-15T13:14:16.017").unwrap();
        assert_eq!(bucket.date(), (Some(2025), Some(6), Some(15)));
        assert_eq!(bucket.time(), (Some(13), Some(14), Some(16)));
        assert_eq!(bucket.nanos, Some(17_000_000));
        let civil = bucket.civil().unwrap();
        assert_eq!((civil.month, civil.day, civil.hour), (6, 15, 13));
        assert_eq!(
            (civil.minute, civil.second, civil.nanos),
            (14, 16, 17_000_000)
        );
    }

    #[test]
    fn each_number_is_within_its_range() {
        let pieces = [
            (TimePiece::Month, ["01", "12"], ["00", "13"]),
            (TimePiece::Day, ["01", "31"], ["00", "32"]),
            (TimePiece::Hour, ["00", "23"], ["24", "99"]),
            (TimePiece::Minute, ["00", "59"], ["60", "99"]),
            (TimePiece::Second, ["00", "59"], ["60", "99"]),
            (TimePiece::DayOfYear, ["001", "366"], ["000", "367"]),
        ];
        for (piece, within, outside) in pieces {
            for text in within {
                assert!(read(&[piece], text).is_some(), "{piece:?} {text}");
            }
            for text in outside {
                assert_eq!(read(&[piece], text), None, "{piece:?} {text}");
            }
        }
    }

    #[test]
    fn text_of_another_form_is_not_read() {
        for text in [
            "2025-06-15T13:14:16.01",
            "2025-06-15T13:14:16.0170",
            "2025/06/15T13:14:16.017",
            "2025-06-15T13:14:16.+17",
        ] {
            assert_eq!(read(DATE_AND_TIME, text), None, "{text}");
        }
        // Known units must be repeated.
        let known = read(&[TimePiece::Month], "06").unwrap();
        assert_eq!(known.read(&[TimePiece::Month], "06"), Some(known));
        assert_eq!(known.read(&[TimePiece::Month], "07"), None);
    }

    #[test]
    fn a_bucket_begins_at_its_first_instant() {
        let start = |pieces: &[TimePiece], text: &str| {
            let civil = read(pieces, text)?.civil()?;
            Some((civil.year, civil.month, civil.day, civil.hour))
        };
        let (year, month) = (TimePiece::Year, TimePiece::Month);
        assert_eq!(start(&[year], "2025"), Some((2025, 1, 1, 0)));
        assert_eq!(start(&[year, month], "202506"), Some((2025, 6, 1, 0)));
        let of_year = [year, TimePiece::DayOfYear];
        assert_eq!(start(&of_year, "2025001"), Some((2025, 1, 1, 0)));
        assert_eq!(start(&of_year, "2024060"), Some((2024, 2, 29, 0)));
        assert_eq!(start(&of_year, "2025365"), Some((2025, 12, 31, 0)));
        // A day without a month, and a month without a year, are not a date.
        assert_eq!(start(&[year, TimePiece::Day], "202515"), None);
        assert_eq!(start(&[month], "06"), None);
    }
}
