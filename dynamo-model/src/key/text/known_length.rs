//! The fast path: parts whose length is known immediately, appended unchanged.

#[cfg(feature = "client")]
use super::Encoded;
use super::digits::{POWERS_OF_TEN, decimal_digits};
use super::inline::Inline;
use super::{DATE_LEN, ULID_LEN, UUID_LEN};
use crate::key::civil::{Civil, days_from_civil};
use crate::key::escape::Escape;
#[cfg(feature = "client")]
use crate::key::escape::MARKS;
use crate::key::part::PartValue;
use crate::key::template::{Form, PartSchema};

/// Returns the length of a part that is known without encoding it, unless [`marks`] finds a byte to
/// escape: text, and values of fixed width.
#[inline(always)]
pub(crate) fn plain_len(part: &PartSchema, value: PartValue<'_>) -> Option<usize> {
    match (part.spec.form, value) {
        (Form::Plain, PartValue::Text(text)) => {
            (part.spec.transform.is_none() && !text.is_empty()).then_some(text.len())
        }
        // These widths hold for every value; the others below need its kind.
        (Form::Padded(_), PartValue::Integer { .. })
        | (Form::Precision(_) | Form::Epoch(_), PartValue::Time { .. })
        | (Form::Format(_), PartValue::Time { .. } | PartValue::Date { .. }) => part.width,
        _ if part.escape != Escape::None => None,
        (Form::Plain, PartValue::Uuid(_)) => Some(UUID_LEN),
        (Form::Plain, PartValue::Ulid(_)) => Some(ULID_LEN),
        (Form::Plain, PartValue::Date { .. }) => Some(DATE_LEN),
        (
            Form::Plain,
            PartValue::Integer {
                negative,
                magnitude,
            },
        ) => {
            let digits = decimal_digits(u64::try_from(magnitude).ok()?);
            Some(usize::from(negative) + digits)
        }
        _ => None,
    }
}

/// Returns the [marks](Escape::marks) of a part.
#[inline(always)]
pub(crate) fn marks(part: &PartSchema, value: PartValue<'_>) -> u64 {
    match value {
        PartValue::Text(text) => part.escape.marks(text),
        _ => 0,
    }
}

/// Appends a part that [`plain_len`] has measured; `None` where the value is refused. Inlined, so
/// that the usual kinds are called for directly.
#[inline(always)]
pub(crate) fn push_plain(part: &PartSchema, value: PartValue<'_>, out: &mut String) -> Option<()> {
    let mut buffer = Inline::EMPTY;
    let text = match (part.spec.form, value) {
        (_, PartValue::Text(text)) => return push_within(text, out),
        _ if part.spec.transform.is_some() => inline_text(part, value, &mut buffer)?,
        #[cfg(feature = "uuid")]
        (Form::Plain, PartValue::Uuid(bytes)) => uuid_text(bytes, &mut buffer),
        (Form::Precision(precision), PartValue::Time { seconds, nanos }) => {
            time_text(seconds, nanos, precision.digits(), &mut buffer)?
        }
        (
            Form::Padded(width),
            PartValue::Integer {
                negative: false,
                magnitude,
            },
        ) if magnitude <= u64::MAX.into() => {
            padded_text(magnitude as u64, width.into(), &mut buffer)?
        }
        _ => inline_text(part, value, &mut buffer)?,
    };
    match part.width {
        // Never happens; but with the length known at compile time the copy needs no call.
        Some(width) if text.len() != width => None,
        _ => push_within(text, out),
    }
}

/// Returns the rest of `key` after the part; `None` if the key does not begin with the text of
/// `value`. It does not allocate, because every read item is checked.
#[cfg(feature = "client")]
#[inline]
pub(crate) fn strip<'k>(
    part: &PartSchema,
    value: PartValue<'_>,
    key: &'k [u8],
) -> Option<&'k [u8]> {
    let PartValue::Text(text) = value else {
        return strip_inline(part, value, key);
    };
    let plain = matches!(part.spec.form, Form::Plain) && part.spec.transform.is_none();
    if !plain || text.is_empty() || part.escape.marks(text) & MARKS != 0 {
        return strip_any(part, value, key);
    }
    strip_prefix(key, text.as_bytes())
}

/// Does the same as [`strip`] for a value that is not text itself. A comparison does not need to
/// check UTF-8.
#[cfg(feature = "client")]
fn strip_inline<'k>(part: &PartSchema, value: PartValue<'_>, key: &'k [u8]) -> Option<&'k [u8]> {
    let mut buffer = Inline::EMPTY;
    let set = match (part.spec.form, value) {
        _ if part.spec.transform.is_some() => None,
        (Form::Precision(precision), PartValue::Time { seconds, nanos }) => {
            set_time(seconds, nanos, precision.digits(), &mut buffer)
        }
        (
            Form::Padded(width),
            PartValue::Integer {
                negative: false,
                magnitude,
            },
        ) => {
            let number = u64::try_from(magnitude).ok();
            number.and_then(|number| set_padded(number, width.into(), &mut buffer))
        }
        #[cfg(feature = "uuid")]
        (Form::Plain, PartValue::Uuid(bytes)) if part.escape == Escape::None => {
            return strip_prefix(key, uuid_text(bytes, &mut buffer).as_bytes());
        }
        _ => None,
    };
    match set {
        Some(()) => strip_prefix(key, buffer.as_bytes()),
        None => strip_any(part, value, key),
    }
}

/// Does the same as [`strip`] for any value.
#[cfg(feature = "client")]
#[inline(never)]
fn strip_any<'k>(part: &PartSchema, value: PartValue<'_>, key: &'k [u8]) -> Option<&'k [u8]> {
    let key = core::str::from_utf8(key).ok()?;
    let rest = Encoded::new(part, value).ok()?.strip(part.escape, key);
    rest.map(str::as_bytes)
}

/// Returns the rest of `key` after `prefix`. Most prefixes are short: two overlapping words are
/// compared without a call.
#[cfg(feature = "client")]
#[inline]
pub(crate) fn strip_prefix<'k>(key: &'k [u8], prefix: &[u8]) -> Option<&'k [u8]> {
    let (start, rest) = key.split_at_checked(prefix.len())?;
    let same = match prefix {
        [] => true,
        [only] => start.first() == Some(only),
        _ if prefix.len() > 16 => start == prefix,
        _ => match prefix.len() {
            8.. => same_ends::<8>(start, prefix),
            4.. => same_ends::<4>(start, prefix),
            _ => same_ends::<2>(start, prefix),
        },
    };
    same.then_some(rest)
}

/// Returns whether the first and the last bytes are equal.
#[cfg(feature = "client")]
#[inline]
fn same_ends<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<N>() == b.first_chunk() && a.last_chunk::<N>() == b.last_chunk()
}

/// Appends `text`, for which the capacity always suffices. Testing the capacity here removes the
/// code that would grow the string, and with it the only reason to keep the string in memory.
#[inline(always)]
pub(crate) fn push_within(text: &str, out: &mut String) -> Option<()> {
    if text.len() > out.capacity() - out.len() {
        return None;
    }
    out.push_str(text);
    Some(())
}

/// Uses the crate's own encoder, which does not need to check that its output is UTF-8.
#[cfg(feature = "uuid")]
fn uuid_text(bytes: [u8; 16], buffer: &mut Inline) -> &str {
    uuid::Uuid::from_bytes(bytes)
        .hyphenated()
        .encode_lower(buffer.room())
}

fn time_text(seconds: i64, nanos: u32, digits: usize, buffer: &mut Inline) -> Option<&str> {
    set_time(seconds, nanos, digits, buffer)?;
    Some(buffer.as_str())
}

/// Sets a time that is not negative, as nearly every time, which makes the arithmetic shorter.
#[inline(always)]
fn set_time(seconds: i64, nanos: u32, digits: usize, buffer: &mut Inline) -> Option<()> {
    const YEAR_10_000: i64 = days_from_civil(10_000, 1, 1) as i64 * 86_400;
    if !(0..YEAR_10_000).contains(&seconds) {
        return None;
    }
    buffer.set_rfc3339(&Civil::from_unix(seconds, nanos), digits);
    Some(())
}

fn padded_text(number: u64, width: usize, buffer: &mut Inline) -> Option<&str> {
    set_padded(number, width, buffer)?;
    Some(buffer.as_str())
}

/// Sets nearly every number; the rest needs 128-bit arithmetic, which is slow.
#[inline(always)]
fn set_padded(number: u64, width: usize, buffer: &mut Inline) -> Option<()> {
    let too_wide = POWERS_OF_TEN.get(width).is_some_and(|&past| number >= past);
    if too_wide || width > 24 {
        return None;
    }
    buffer.set_number(number, width);
    Some(())
}

fn inline_text<'b>(
    part: &PartSchema,
    value: PartValue<'_>,
    buffer: &'b mut Inline,
) -> Option<&'b str> {
    buffer.set(part.spec, &value).ok()?;
    Some(buffer.as_str())
}
