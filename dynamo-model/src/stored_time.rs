//! Times in forms that sort: functions for `#[serde(with = "…")]`.
//!
//! serde writes as many fractional digits of a second as a time needs, so that `10:00:00.5Z` sorts
//! before `10:00:00Z`. A number sorts, and so does text of one width.

use crate::key::civil::Civil;
use crate::key::{KeyPart, PartValue, kind};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Seconds since 1970, rounded towards the past, and the nanoseconds after them.
#[doc(hidden)]
pub(crate) type Since1970 = (i64, u32);

/// A time of `chrono`, `jiff`, `time` or the standard library, a newtype of one with
/// `#[derive(KeyPart)]`, or an `Option` of one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a time, so it cannot be stored as one",
    label = "not a time",
    note = "use a time of `chrono`, `jiff`, `time` or the standard library, a newtype of one with \
            `#[derive(KeyPart)]`, or an `Option` of one of them"
)]
pub trait Instant: Sized {
    /// Returns `None` if there is no time.
    fn to_instant(&self) -> Option<Since1970>;

    /// Returns the time. Fails with the reason if it is not one.
    fn from_instant(instant: Option<Since1970>) -> Result<Self, String>;
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart<Kind = kind::Time>> Instant for T {
    fn to_instant(&self) -> Option<Since1970> {
        match self.to_part() {
            PartValue::Time { seconds, nanos } => Some((seconds, nanos)),
            _ => None,
        }
    }

    fn from_instant(instant: Option<Since1970>) -> Result<Self, String> {
        let (seconds, nanos) = instant.ok_or("no time")?;
        T::from_part(PartValue::Time { seconds, nanos }).map_err(|error| error.to_string())
    }
}

impl Instant for SystemTime {
    fn to_instant(&self) -> Option<Since1970> {
        let (seconds, nanos) = match self.duration_since(UNIX_EPOCH) {
            Ok(since) => (i64::try_from(since.as_secs()).ok()?, since.subsec_nanos()),
            Err(before) => {
                let before = before.duration();
                let seconds = i64::try_from(before.as_secs()).ok()?;
                match before.subsec_nanos() {
                    0 => (-seconds, 0),
                    nanos => (-seconds - 1, 1_000_000_000 - nanos),
                }
            }
        };
        Some((seconds, nanos))
    }

    fn from_instant(instant: Option<Since1970>) -> Result<Self, String> {
        let (seconds, nanos) = instant.ok_or("no time")?;
        let distance = Duration::from_secs(seconds.unsigned_abs());
        let second = match seconds < 0 {
            true => UNIX_EPOCH.checked_sub(distance),
            false => UNIX_EPOCH.checked_add(distance),
        };
        let time = second.and_then(|it| it.checked_add(Duration::from_nanos(nanos.into())));
        time.ok_or_else(|| "out of range for `SystemTime`".into())
    }
}

impl<T: Instant> Instant for Option<T> {
    fn to_instant(&self) -> Option<Since1970> {
        self.as_ref()?.to_instant()
    }

    fn from_instant(instant: Option<Since1970>) -> Result<Self, String> {
        instant.map(|it| T::from_instant(Some(it))).transpose()
    }
}

/// Returns `2024-01-15T10:30:00.123Z`, with this many digits after the second.
pub(crate) fn rfc3339(seconds: i64, nanos: u32, digits: usize) -> String {
    let at = Civil::from_unix(seconds, nanos);
    let mut text = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        at.year, at.month, at.day, at.hour, at.minute, at.second
    );
    if digits > 0 {
        let fraction = format!("{:09}", at.nanos);
        text.push('.');
        text.extend(fraction.chars().take(digits));
    }
    text.push('Z');
    text
}

/// Returns text that sorts, or `None` outside the years 0000 to 9999, whose text has another width.
fn sorted_text((seconds, nanos): Since1970, digits: usize) -> Option<String> {
    let year = Civil::from_unix(seconds, nanos).year;
    (0..=9_999)
        .contains(&year)
        .then(|| rfc3339(seconds, nanos, digits))
}

/// Reads RFC 3339 with any number of fractional digits, and any offset: also text that serde stored
/// before.
fn parse_rfc3339(text: &str) -> Option<Since1970> {
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to)?;
        let all = digits.bytes().all(|it| it.is_ascii_digit());
        all.then(|| digits.parse::<u32>().ok()).flatten()
    };
    let is = |at: usize, any: &str| text.get(at..=at).is_some_and(|it| any.contains(it));
    let marks = is(4, "-") && is(7, "-") && is(10, "Tt ") && is(13, ":") && is(16, ":");
    let rest = text.get(19..).filter(|_| marks)?;
    let (nanos, offset) = match rest.strip_prefix('.') {
        Some(rest) => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (fraction, offset) = rest.split_at(digits);
            let nanos = (1..=9)
                .contains(&digits)
                .then(|| format!("{fraction:0<9}"))?;
            (nanos.parse().ok()?, offset)
        }
        None => (0, rest),
    };
    let small = |from, to| number(from, to).and_then(|it| u8::try_from(it).ok());
    let civil = Civil {
        year: i32::try_from(number(0, 4)?).ok()?,
        month: small(5, 7)?,
        day: small(8, 10)?,
        hour: small(11, 13)?,
        minute: small(14, 16)?,
        second: small(17, 19)?,
        nanos,
    };
    let (seconds, nanos) = civil.to_unix()?;
    Some((seconds.checked_sub(parse_offset(offset)?)?, nanos))
}

/// Reads `Z` or `+09:00`, in seconds.
fn parse_offset(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':').filter(|_| rest.len() == 5)?;
    let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
    let valid = hours < 24 && minutes < 60;
    valid.then(|| sign * (i64::from(hours) * 3_600 + i64::from(minutes) * 60))
}

/// Returns the units of the second since 1970; `None` outside of 64 bits.
fn units((seconds, nanos): Since1970, in_second: i64) -> Option<i64> {
    let within = i64::from(nanos) / (1_000_000_000 / in_second);
    seconds.checked_mul(in_second)?.checked_add(within)
}

fn of_units(units: i64, in_second: i64) -> Since1970 {
    let within = units.rem_euclid(in_second) * (1_000_000_000 / in_second);
    (
        units.div_euclid(in_second),
        u32::try_from(within).unwrap_or_default(),
    )
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident: $stored:ty, |$instant:ident| $write:expr, |$value:ident| $read:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// A finer time is truncated. It sorts, so that conditions and filters compare it by order;
        /// for an `Option`, also write `default`.
        ///
        /// ```
        /// use dynamo_model::{DynamoEntity, DynamoTable};
        /// use std::time::SystemTime;
        ///
        /// #[derive(DynamoTable)]
        /// #[table(name = "App", pk = "PK")]
        /// struct App;
        ///
        /// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
        /// #[dynamo(table = App)]
        /// #[pk("POST#<id>")]
        /// struct Post {
        ///     id: String,
        #[doc = concat!("     #[serde(with = \"dynamo_model::format::", stringify!($name), "\")]")]
        ///     posted_at: SystemTime,
        /// }
        ///
        /// let recent = Post::scan().filter(|post| post.posted_at().gt(SystemTime::UNIX_EPOCH));
        /// ```
        pub mod $name {
            use super::*;
            use serde::de::Error as _;
            use serde::ser::Error as _;
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            /// Writes a time; fails if it is outside the years 0000 to 9999 or does not fit.
            pub fn serialize<T: Instant, S: Serializer>(time: &T, to: S) -> Result<S::Ok, S::Error> {
                let Some($instant) = time.to_instant() else {
                    return to.serialize_none();
                };
                match $write {
                    Some(stored) => stored.serialize(to),
                    None => Err(S::Error::custom("the time is too far from 1970 to be stored in a \
                                                  form that sorts")),
                }
            }

            /// Reads a time; fails if the value has another form.
            pub fn deserialize<'de, T: Instant, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
                let instant = match Option::<$stored>::deserialize(from)? {
                    Some($value) => Some($read.ok_or_else(|| D::Error::custom("not a time in RFC \
                                                                               3339"))?),
                    None => None,
                };
                T::from_instant(instant).map_err(D::Error::custom)
            }
        }
    )*};
}

functions! {
    /// For `#[serde(with = "dynamo_model::format::epoch_millis")]`: a time as a number of
    /// milliseconds since 1970.
    epoch_millis: i64, |instant| units(instant, 1_000), |value| Some(of_units(value, 1_000));
    /// For `#[serde(with = "dynamo_model::format::epoch_micros")]`: a time as a number of
    /// microseconds since 1970.
    epoch_micros: i64, |instant| units(instant, 1_000_000), |value| Some(of_units(value, 1_000_000));
    /// For `#[serde(with = "dynamo_model::format::epoch_nanos")]`: a time as a number of
    /// nanoseconds since 1970, up to 2262.
    epoch_nanos: i64, |instant| units(instant, 1_000_000_000), |value| Some(of_units(value, 1_000_000_000));
    /// For `#[serde(with = "dynamo_model::format::rfc3339_seconds")]`: a time as text,
    /// `2024-01-15T10:30:00Z`.
    rfc3339_seconds: String, |instant| sorted_text(instant, 0), |value| parse_rfc3339(&value);
    /// For `#[serde(with = "dynamo_model::format::rfc3339_millis")]`: a time as text,
    /// `2024-01-15T10:30:00.123Z`.
    rfc3339_millis: String, |instant| sorted_text(instant, 3), |value| parse_rfc3339(&value);
    /// For `#[serde(with = "dynamo_model::format::rfc3339_micros")]`: a time as text,
    /// `2024-01-15T10:30:00.123456Z`.
    rfc3339_micros: String, |instant| sorted_text(instant, 6), |value| parse_rfc3339(&value);
    /// For `#[serde(with = "dynamo_model::format::rfc3339_nanos")]`: a time as text,
    /// `2024-01-15T10:30:00.123456789Z`.
    rfc3339_nanos: String, |instant| sorted_text(instant, 9), |value| parse_rfc3339(&value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_one_width_and_is_read_at_any() {
        assert_eq!(
            rfc3339(1_700_000_000, 120_000_000, 3),
            "2023-11-14T22:13:20.120Z"
        );
        assert_eq!(rfc3339(1_700_000_000, 0, 0), "2023-11-14T22:13:20Z");
        for (text, instant) in [
            ("2023-11-14T22:13:20Z", (1_700_000_000, 0)),
            ("2023-11-14T22:13:20.1Z", (1_700_000_000, 100_000_000)),
            ("2023-11-15T07:13:20.000000001+09:00", (1_700_000_000, 1)),
            ("1969-12-31T23:59:58.500Z", (-2, 500_000_000)),
        ] {
            assert_eq!(parse_rfc3339(text), Some(instant), "{text}");
        }
        for text in [
            "",
            "2023-11-14",
            "2023-02-30T00:00:00Z",
            "2023-11-14T22:13:20",
            "2023-11-14T22:13:20.Z",
        ] {
            assert_eq!(parse_rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn units_before_1970_round_towards_the_past() {
        assert_eq!(units((-2, 500_000_000), 1_000), Some(-1_500));
        assert_eq!(of_units(-1_500, 1_000), (-2, 500_000_000));
        assert_eq!(units((i64::MAX, 0), 1_000), None);
    }

    #[test]
    fn years_that_would_not_sort_are_refused() {
        assert_eq!(sorted_text((253_402_300_800, 0), 3), None);
        assert!(sorted_text((253_402_300_799, 0), 3).is_some());
    }
}
