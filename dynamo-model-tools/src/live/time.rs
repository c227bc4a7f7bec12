//! Times and dates as people type them: whole ones, and parts such as a month.

use dynamo_model::key::PartValue;
use jiff::civil::{Date, DateTime, date as civil};
use jiff::{SignedDuration, Timestamp, ToSpan as _, tz::TimeZone};

/// A value, and for a part of a time the first one past it.
type Span = (PartValue<'static>, Option<PartValue<'static>>);

/// Reads `2025-06-01T09:00:00Z`, with an offset or without one (UTC), seconds or milliseconds since
/// 1970, or a year, a month, a day, an hour or a minute.
pub(super) fn time(text: &str) -> Option<Span> {
    if let Some(at) = epoch(text).or_else(|| text.parse().ok()) {
        return Some((instant(at), None));
    }
    if let Some((from, to)) = days(text) {
        let midnight = |day: Date| utc(day.at(0, 0, 0, 0));
        return Some((instant(midnight(from)?), Some(instant(midnight(to)?))));
    }
    let (day, clock) = text.split_once('T')?;
    let day: Date = day.parse().ok()?;
    let number = |text: &str| (text.len() == 2).then(|| text.parse::<i8>().ok())?;
    let at =
        |hour, minute| DateTime::new(day.year(), day.month(), day.day(), hour, minute, 0, 0).ok();
    let (from, length) = match clock.split(':').collect::<Vec<_>>().as_slice() {
        [hour] => (at(number(hour)?, 0)?, SignedDuration::from_hours(1)),
        [hour, minute] => {
            let from = at(number(hour)?, number(minute)?)?;
            (from, SignedDuration::from_mins(1))
        }
        _ => return Some((instant(utc(text.parse().ok()?)?), None)),
    };
    let from = utc(from)?;
    let to = from.checked_add(length).ok()?;
    Some((instant(from), Some(instant(to))))
}

/// Reads a day, or a month or a year of days.
pub(super) fn date(text: &str) -> Option<Span> {
    let (from, to) = days(text)?;
    let whole = text.len() == "2025-06-01".len();
    Some((
        days_since(from)?,
        if whole { None } else { Some(days_since(to)?) },
    ))
}

/// The first day of a year, a month or a day, and the first day past it.
fn days(text: &str) -> Option<(Date, Date)> {
    let numbers = text.split('-').map(|number| {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| number.parse::<i16>().ok())?
    });
    let numbers = numbers.collect::<Option<Vec<_>>>()?;
    let small = |number: i16| i8::try_from(number).ok();
    let new = |year, month, day| Date::new(year, small(month)?, small(day)?).ok();
    match (text.len(), numbers.as_slice()) {
        (4, [year]) => Some((new(*year, 1, 1)?, new(year + 1, 1, 1)?)),
        (7, [year, month]) => {
            let first = new(*year, *month, 1)?;
            Some((first, first.checked_add(1.month()).ok()?))
        }
        (10, [year, month, day]) => {
            let first = new(*year, *month, *day)?;
            Some((first, first.checked_add(1.day()).ok()?))
        }
        _ => None,
    }
}

fn epoch(text: &str) -> Option<Timestamp> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = text.parse().ok()?;
    match text.len() {
        10 => Timestamp::from_second(number).ok(),
        13 => Timestamp::from_millisecond(number).ok(),
        _ => None,
    }
}

fn utc(at: DateTime) -> Option<Timestamp> {
    Some(at.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// Seconds are rounded towards the past.
fn instant(at: Timestamp) -> PartValue<'static> {
    let nanos = at.as_nanosecond();
    let second = 1_000_000_000;
    PartValue::Time {
        seconds: nanos.div_euclid(second) as i64,
        nanos: nanos.rem_euclid(second) as u32,
    }
}

fn days_since(day: Date) -> Option<PartValue<'static>> {
    let since = day.since((jiff::Unit::Day, civil(1970, 1, 1))).ok()?;
    Some(PartValue::Date {
        days: since.get_days(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(value: PartValue<'_>) -> i64 {
        match value {
            PartValue::Time { seconds, .. } => seconds,
            _ => i64::MIN,
        }
    }

    #[test]
    fn a_month_is_all_of_its_instants() {
        let (from, to) = time("2025-06").unwrap();
        assert_eq!(seconds(from), 1_748_736_000);
        assert_eq!(to.map(seconds), Some(1_751_328_000));
    }

    #[test]
    fn a_whole_time_is_one_instant_in_any_form() {
        for text in [
            "2025-06-01T00:00:00Z",
            "2025-06-01T09:00:00+09:00",
            "2025-06-01T00:00:00",
            "1748736000",
            "1748736000000",
        ] {
            let (at, past) = time(text).unwrap();
            assert_eq!((seconds(at), past), (1_748_736_000, None), "{text}");
        }
    }

    #[test]
    fn hours_and_minutes_are_parts_of_a_day() {
        let (from, to) = time("2025-06-01T10").unwrap();
        assert_eq!(to.map(seconds), Some(seconds(from) + 3_600));
        let (from, to) = time("2025-06-01T10:30").unwrap();
        assert_eq!(to.map(seconds), Some(seconds(from) + 60));
    }

    #[test]
    fn a_date_before_1970_counts_down() {
        assert_eq!(
            date("1969-12-31"),
            Some((PartValue::Date { days: -1 }, None))
        );
        let (from, to) = date("1970-01").unwrap();
        assert_eq!(
            (from, to),
            (
                PartValue::Date { days: 0 },
                Some(PartValue::Date { days: 31 })
            )
        );
    }

    #[test]
    fn text_that_is_not_a_time_is_refused() {
        for text in [
            "",
            "June",
            "2025-13",
            "2025-6",
            "2025-06-01T25",
            "20250601",
            "-1",
        ] {
            assert_eq!(time(text), None, "{text}");
        }
    }
}
