//! [`KeyPart`] for the types of the standard library and of the crates behind features.

use super::decimal::Decimal;
use super::part::{AsKeyPart, AsOptionalKeyPart, KeyPart, PartError, PartValue, kind};
use std::{borrow::Cow, rc::Rc, sync::Arc};

impl KeyPart for str {
    type Kind = kind::Text;

    #[inline]
    fn to_part(&self) -> PartValue<'_> {
        PartValue::Text(self)
    }

    // No `from_part`: `str` is unsized. Parsing a borrowed field returns a `String`.
}

macro_rules! text {
    ($($ty:ty),* $(,)?) => {$(
        impl KeyPart for $ty {
            type Kind = kind::Text;

            #[inline]
            fn to_part(&self) -> PartValue<'_> {
                PartValue::Text(self)
            }

            fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
                match value {
                    PartValue::Text(text) => Ok(text.to_owned().into()),
                    _ => Err(PartError::expected("text")),
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsKeyPart<$ty> for &str {
            #[inline]
            fn as_part(&self) -> PartValue<'_> {
                PartValue::Text(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsOptionalKeyPart<$ty> for &str {
            #[inline]
            fn as_optional_part(&self) -> Option<PartValue<'_>> {
                Some(PartValue::Text(self))
            }
        }
    )*};
}

text!(String, Box<str>, Arc<str>, Rc<str>, Cow<'_, str>);

macro_rules! string_stands_for {
    ($($ty:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl AsKeyPart<$ty> for String {
            #[inline]
            fn as_part(&self) -> PartValue<'_> {
                PartValue::Text(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsOptionalKeyPart<$ty> for String {
            #[inline]
            fn as_optional_part(&self) -> Option<PartValue<'_>> {
                Some(PartValue::Text(self))
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsKeyPart<$ty> for &String {
            #[inline]
            fn as_part(&self) -> PartValue<'_> {
                PartValue::Text(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl AsOptionalKeyPart<$ty> for &String {
            #[inline]
            fn as_optional_part(&self) -> Option<PartValue<'_>> {
                Some(PartValue::Text(self))
            }
        }
    )*};
}

string_stands_for!(str, Box<str>, Arc<str>, Rc<str>, Cow<'_, str>);

macro_rules! integers {
    ($($ty:ident),*) => {$(
        impl KeyPart for $ty {
            type Kind = kind::Integer;

            #[inline]
            #[allow(unused_comparisons, clippy::cast_lossless)]
            fn to_part(&self) -> PartValue<'_> {
                PartValue::Integer {
                    negative: *self < 0,
                    // `as` sign-extends, so that negating the wide value gives the magnitude,
                    // the smallest `i128` included.
                    magnitude: if *self < 0 { (*self as u128).wrapping_neg() } else { *self as u128 },
                }
            }

            fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
                let PartValue::Integer { negative, magnitude } = value else {
                    return Err(PartError::expected("an integer"));
                };
                let sign = if negative { "-" } else { "" };
                let signed = if negative {
                    // Zero has no negative form, and -2^127 is the one magnitude above i128::MAX.
                    0i128.checked_sub_unsigned(magnitude).and_then(|n| $ty::try_from(n).ok())
                } else {
                    $ty::try_from(magnitude).ok()
                };
                signed.ok_or_else(|| {
                    PartError::new(format!(concat!("{}{} does not fit `", stringify!($ty), "`"), sign, magnitude))
                })
            }
        }
    )*};
}

integers!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize
);

impl KeyPart for crate::value::Number {
    type Kind = kind::Decimal;

    fn to_part(&self) -> PartValue<'_> {
        // The text was checked when the number was made.
        let decimal = Decimal::parse(self.as_str()).unwrap_or(Decimal::ZERO);
        decimal.to_part()
    }

    fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
        let decimal = Decimal::of(value).ok_or_else(|| PartError::expected("a number"))?;
        let mut text = String::new();
        decimal.write(|byte| text.push(byte.into()));
        Self::try_from(text).map_err(|error| PartError::new(error.to_string()))
    }
}

#[cfg(feature = "rust_decimal")]
impl KeyPart for rust_decimal::Decimal {
    type Kind = kind::Decimal;

    fn to_part(&self) -> PartValue<'_> {
        let (mantissa, scale) = (self.mantissa(), self.scale() as i32);
        Decimal::new(mantissa < 0, mantissa.unsigned_abs(), -scale).to_part()
    }

    fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
        let decimal = Decimal::of(value).ok_or_else(|| PartError::expected("a number"))?;
        let parts = decimal.to_mantissa_and_scale();
        let held = parts
            .and_then(|(mantissa, scale)| Self::try_from_i128_with_scale(mantissa, scale).ok());
        held.ok_or_else(|| PartError::new(format!("{value} does not fit `Decimal`")))
    }
}

impl KeyPart for bool {
    type Kind = kind::Boolean;

    #[inline]
    fn to_part(&self) -> PartValue<'_> {
        PartValue::Boolean(*self)
    }

    fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
        match value {
            PartValue::Boolean(value) => Ok(value),
            _ => Err(PartError::expected("a bool")),
        }
    }
}

macro_rules! bytes {
    ($(($($generics:tt)*) $ty:ty),*) => {$(
        impl $($generics)* KeyPart for $ty {
            type Kind = kind::Bytes;

            #[inline]
            fn to_part(&self) -> PartValue<'_> {
                PartValue::Bytes(self)
            }

            fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
                match value {
                    PartValue::Bytes(bytes) => bytes
                        .try_into()
                        .map_err(|_| PartError::new(format!("{} bytes do not fit", bytes.len()))),
                    _ => Err(PartError::expected("bytes")),
                }
            }
        }
    )*};
}

bytes!(() Vec<u8>, (<const N: usize>) [u8; N]);

#[diagnostic::do_not_recommend]
impl AsKeyPart<Vec<u8>> for &[u8] {
    #[inline]
    fn as_part(&self) -> PartValue<'_> {
        PartValue::Bytes(self)
    }
}

#[diagnostic::do_not_recommend]
impl AsOptionalKeyPart<Vec<u8>> for &[u8] {
    #[inline]
    fn as_optional_part(&self) -> Option<PartValue<'_>> {
        Some(PartValue::Bytes(self))
    }
}

#[cfg(feature = "uuid")]
impl KeyPart for uuid::Uuid {
    type Kind = kind::Uuid;

    #[inline]
    fn to_part(&self) -> PartValue<'_> {
        PartValue::Uuid(self.into_bytes())
    }

    fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
        match value {
            PartValue::Uuid(bytes) => Ok(uuid::Uuid::from_bytes(bytes)),
            _ => Err(PartError::expected("a uuid")),
        }
    }
}

#[cfg(feature = "ulid")]
impl KeyPart for ulid::Ulid {
    type Kind = kind::Ulid;

    #[inline]
    fn to_part(&self) -> PartValue<'_> {
        PartValue::Ulid(self.0.to_be_bytes())
    }

    fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
        match value {
            PartValue::Ulid(bytes) => Ok(ulid::Ulid(u128::from_be_bytes(bytes))),
            _ => Err(PartError::expected("a ulid")),
        }
    }
}

/// A time type of another crate: how it becomes seconds and nanoseconds, and back.
#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
macro_rules! instant {
    ($ty:ty, |$t:ident| $to:expr, |$s:ident, $n:ident| $from:expr) => {
        impl KeyPart for $ty {
            type Kind = kind::Time;

            #[inline]
            fn to_part(&self) -> PartValue<'_> {
                let $t = self;
                let (seconds, nanos) = $to;
                PartValue::Time { seconds, nanos }
            }

            fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
                match value {
                    PartValue::Time {
                        seconds: $s,
                        nanos: $n,
                    } => $from,
                    _ => Err(PartError::expected("a time")),
                }
            }
        }
    };
}

/// A date type of another crate: how it becomes days since 1970-01-01, and back.
#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
macro_rules! date {
    ($ty:ty, |$d:ident| $to:expr, |$days:ident| $from:expr) => {
        impl KeyPart for $ty {
            type Kind = kind::Date;

            #[inline]
            fn to_part(&self) -> PartValue<'_> {
                let $d = self;
                PartValue::Date { days: $to }
            }

            fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
                match value {
                    PartValue::Date { days: $days } => $from,
                    _ => Err(PartError::expected("a date")),
                }
            }
        }
    };
}

#[cfg(feature = "chrono")]
mod chrono_parts {
    use super::{KeyPart, PartError, PartValue, kind};
    use chrono::{DateTime, Datelike, NaiveDate, Utc};

    /// `chrono` counts days from 0001-01-01, which is day 1.
    const UNIX_EPOCH_FROM_CE: i32 = 719_163;

    instant!(
        DateTime<Utc>,
        // chrono writes a leap second as nanoseconds above 10^9; keys cannot store it.
        |t| (t.timestamp(), t.timestamp_subsec_nanos().min(999_999_999)),
        |seconds, nanos| DateTime::from_timestamp(seconds, nanos)
            .ok_or_else(|| PartError::new("out of range for `chrono::DateTime`"))
    );
    date!(
        NaiveDate,
        |d| d.num_days_from_ce() - UNIX_EPOCH_FROM_CE,
        |days| NaiveDate::from_num_days_from_ce_opt(days + UNIX_EPOCH_FROM_CE)
            .ok_or_else(|| PartError::new("out of range for `chrono::NaiveDate`"))
    );
}

#[cfg(feature = "time")]
mod time_parts {
    use super::{KeyPart, PartError, PartValue, kind};
    use time::{Date, Duration, OffsetDateTime, UtcDateTime};

    const UNIX_EPOCH_JULIAN: i32 = 2_440_588;

    instant!(
        OffsetDateTime,
        |t| (t.unix_timestamp(), t.nanosecond()),
        |seconds, nanos| OffsetDateTime::from_unix_timestamp(seconds)
            .map(|t| t + Duration::nanoseconds(i64::from(nanos)))
            .map_err(|_| PartError::new("out of range for `time::OffsetDateTime`"))
    );
    instant!(
        UtcDateTime,
        |t| (t.unix_timestamp(), t.nanosecond()),
        |seconds, nanos| UtcDateTime::from_unix_timestamp(seconds)
            .map(|t| t + Duration::nanoseconds(i64::from(nanos)))
            .map_err(|_| PartError::new("out of range for `time::UtcDateTime`"))
    );
    date!(Date, |d| d.to_julian_day() - UNIX_EPOCH_JULIAN, |days| {
        Date::from_julian_day(days + UNIX_EPOCH_JULIAN)
            .map_err(|_| PartError::new("out of range for `time::Date`"))
    });
}

#[cfg(feature = "jiff")]
mod jiff_parts {
    use super::{KeyPart, PartError, PartValue, kind};
    use crate::key::civil;
    use jiff::{Timestamp, civil::Date};

    instant!(
        Timestamp,
        |t| {
            // jiff rounds towards zero; keys count nanoseconds forward from the second.
            let nanos = t.subsec_nanosecond();
            if nanos < 0 {
                (t.as_second() - 1, (nanos + 1_000_000_000).unsigned_abs())
            } else {
                (t.as_second(), nanos.unsigned_abs())
            }
        },
        |seconds, nanos| i32::try_from(nanos)
            .ok()
            .and_then(|nanos| Timestamp::new(seconds, nanos).ok())
            .ok_or_else(|| PartError::new("out of range for `jiff::Timestamp`"))
    );
    date!(
        Date,
        |d| civil::days_from_civil(
            i32::from(d.year()),
            d.month().unsigned_abs(),
            d.day().unsigned_abs()
        ),
        |days| {
            let (year, month, day) = civil::civil_from_days(i64::from(days));
            i16::try_from(year)
                .ok()
                .and_then(|year| Date::new(year, month.cast_signed(), day.cast_signed()).ok())
                .ok_or_else(|| PartError::new("out of range for `jiff::civil::Date`"))
        }
    );
}
