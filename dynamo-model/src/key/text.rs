//! One part's value ⇄ its text, before escaping: the only place that knows how numbers, times and
//! identifiers look in a key.

use super::civil::Civil;
use super::escape::Escape;
use super::part::PartValue;
use super::part::kind::Name;
use super::shard;
use super::template::{PartSchema, Precision, Spec, TimePiece};
use crate::error::KeyErrorKind;
use std::borrow::Cow;

/// The widest text that is not the user's own: a signed 128-bit integer. Time formats are held to it.
pub(crate) const MAX_INLINE: usize = 40;

/// A part's text. Nothing is allocated: strings are borrowed, the rest fits a small buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Encoded<'a> {
    Borrowed(&'a str),
    Lower(&'a str),
    Inline(Inline),
}

/// ASCII text in place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inline {
    bytes: [u8; MAX_INLINE],
    len: u8,
}

impl Inline {
    const EMPTY: Self = Self {
        bytes: [0; MAX_INLINE],
        len: 0,
    };

    #[inline]
    fn as_str(&self) -> &str {
        // Only ASCII is ever pushed, so this never falls back.
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.len)] = byte;
        self.len += 1;
    }

    #[inline]
    fn push_str(&mut self, text: &str) {
        let start = usize::from(self.len);
        self.bytes[start..start + text.len()].copy_from_slice(text.as_bytes());
        self.len += text.len() as u8;
    }

    /// Decimal digits, with zeros in front up to `width`.
    #[inline]
    fn push_number(&mut self, mut number: u64, width: usize) {
        let start = usize::from(self.len);
        let digits = width.max(decimal_digits(number));
        for slot in self.bytes[start..start + digits].iter_mut().rev() {
            *slot = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.len += digits as u8;
    }

    fn push_wide(&mut self, number: u128, width: usize) {
        const LOW: u128 = 10_000_000_000_000_000_000;
        const LOW_DIGITS: usize = 19;
        match u64::try_from(number) {
            Ok(number) => self.push_number(number, width),
            Err(_) => {
                self.push_wide(number / LOW, width.saturating_sub(LOW_DIGITS));
                self.push_number((number % LOW) as u64, LOW_DIGITS);
            }
        }
    }

    fn push_date(&mut self, civil: &Civil) {
        self.push_number(civil.year.unsigned_abs().into(), 4);
        self.push(b'-');
        self.push_number(civil.month.into(), 2);
        self.push(b'-');
        self.push_number(civil.day.into(), 2);
    }

    /// RFC 3339 in UTC with `digits` digits of the fraction.
    fn push_rfc3339(&mut self, civil: &Civil, digits: usize) {
        self.push_date(civil);
        for (separator, number) in [
            (b'T', civil.hour),
            (b':', civil.minute),
            (b':', civil.second),
        ] {
            self.push(separator);
            self.push_number(number.into(), 2);
        }
        if digits > 0 {
            self.push(b'.');
            self.push_number((civil.nanos / 10_u32.pow(9 - digits as u32)).into(), digits);
        }
        self.push(b'Z');
    }

    fn push_format(&mut self, civil: &Civil, pieces: &[TimePiece]) {
        for piece in pieces {
            let (number, width) = match *piece {
                TimePiece::Literal(text) => {
                    self.push_str(text);
                    continue;
                }
                TimePiece::Year => (civil.year.unsigned_abs(), 4),
                TimePiece::Month => (civil.month.into(), 2),
                TimePiece::Day => (civil.day.into(), 2),
                TimePiece::DayOfYear => (civil.day_of_year().into(), 3),
                TimePiece::Hour => (civil.hour.into(), 2),
                TimePiece::Minute => (civil.minute.into(), 2),
                TimePiece::Second => (civil.second.into(), 2),
                TimePiece::Fraction(digits) => (
                    civil.nanos / 10_u32.pow(9 - u32::from(digits)),
                    usize::from(digits),
                ),
            };
            self.push_number(number.into(), width);
        }
    }

    fn push_uuid(&mut self, bytes: &[u8; 16]) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        for (i, byte) in bytes.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                self.push(b'-');
            }
            self.push(HEX[usize::from(byte >> 4)]);
            self.push(HEX[usize::from(byte & 15)]);
        }
    }

    fn push_ulid(&mut self, bytes: &[u8; 16]) {
        let number = u128::from_be_bytes(*bytes);
        for shift in (0..26).rev() {
            self.push(CROCKFORD[(number >> (shift * 5) & 31) as usize]);
        }
    }
}

const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

#[inline]
const fn decimal_digits(number: u64) -> usize {
    match number.checked_ilog10() {
        Some(log) => log as usize + 1,
        None => 1,
    }
}

impl<'a> Encoded<'a> {
    pub(crate) const EMPTY: Self = Encoded::Borrowed("");

    /// The text of `value` in `part`, or what is wrong with it.
    #[inline]
    pub(crate) fn new(part: &PartSchema, value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        match (part.spec, value) {
            (Spec::Plain | Spec::Raw, PartValue::Text(text)) if !text.is_empty() => {
                Ok(Encoded::Borrowed(text))
            }
            (spec, value) => Self::slow(spec, value),
        }
    }

    fn slow(spec: Spec, value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        match (spec, value) {
            (_, PartValue::Text("")) => Err(KeyErrorKind::Empty),
            (Spec::Lower, PartValue::Text(text)) => Ok(Encoded::Lower(text)),
            (
                Spec::Padded(width),
                PartValue::Integer {
                    negative,
                    magnitude,
                },
            ) => padded(negative, magnitude, usize::from(width)),
            (Spec::Precision(precision), PartValue::Time { seconds, nanos }) => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                Ok(inline(|out| out.push_rfc3339(&civil, precision.digits())))
            }
            (Spec::Format(pieces), PartValue::Time { seconds, nanos }) => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                Ok(inline(|out| out.push_format(&civil, pieces)))
            }
            (Spec::Format(pieces), PartValue::Date { days }) => {
                let civil = in_range(Civil::from_days(days))?;
                Ok(inline(|out| out.push_format(&civil, pieces)))
            }
            (Spec::Shard(count), value) => {
                let shard = shard::of(&Self::plain(value)?.text(), count);
                Ok(inline(|out| out.push_number(shard.into(), 1)))
            }
            (_, value) => Self::plain(value),
        }
    }

    /// The plain text form: what a placeholder without a spec writes.
    pub(crate) fn plain(value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        Ok(match value {
            PartValue::Text(text) => Encoded::Borrowed(text),
            PartValue::Boolean(value) => Encoded::Borrowed(if value { "true" } else { "false" }),
            PartValue::Integer {
                negative,
                magnitude,
            } => inline(|out| {
                if negative {
                    out.push(b'-');
                }
                out.push_wide(magnitude, 1);
            }),
            PartValue::Time { seconds, nanos } => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                inline(|out| out.push_rfc3339(&civil, significant_digits(nanos)))
            }
            PartValue::Date { days } => {
                let civil = in_range(Civil::from_days(days))?;
                inline(|out| out.push_date(&civil))
            }
            PartValue::Uuid(bytes) => inline(|out| out.push_uuid(&bytes)),
            PartValue::Ulid(bytes) => inline(|out| out.push_ulid(&bytes)),
            PartValue::Bytes(_) => return Err(KeyErrorKind::BytesInText),
        })
    }

    /// The length once escaped.
    #[inline]
    pub(crate) fn len(&self, escape: Escape) -> usize {
        match self {
            Encoded::Borrowed(text) => text.len() + 2 * escape.count(text),
            Encoded::Lower(text) => lower(text)
                .map(|c| {
                    c.len_utf8()
                        + if c.is_ascii() && escape.hits(c as u8) {
                            2
                        } else {
                            0
                        }
                })
                .sum(),
            Encoded::Inline(text) => usize::from(text.len) + 2 * escape.count(text.as_str()),
        }
    }

    /// Appends the text, escaped; `len` is what [`len`](Self::len) said, so that text which needs no
    /// escaping is copied whole.
    #[inline]
    pub(crate) fn push(&self, escape: Escape, out: &mut String) {
        match self {
            Encoded::Borrowed(text) if escape == Escape::None => out.push_str(text),
            Encoded::Inline(text) if escape == Escape::None => out.push_str(text.as_str()),
            Encoded::Borrowed(text) => push_escaped(text, escape, out),
            Encoded::Inline(text) => push_escaped(text.as_str(), escape, out),
            Encoded::Lower(text) => lower(text).for_each(|c| escape.push(c, out)),
        }
    }

    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Encoded::Borrowed(text) => Cow::Borrowed(text),
            Encoded::Inline(text) => Cow::Borrowed(text.as_str()),
            Encoded::Lower(text) => Cow::Owned(lower(text).collect()),
        }
    }
}

#[inline]
fn push_escaped(text: &str, escape: Escape, out: &mut String) {
    if escape.count(text) == 0 {
        out.push_str(text);
    } else {
        text.chars().for_each(|c| escape.push(c, out));
    }
}

/// Character by character, without the context rules of `str::to_lowercase`: so the lower case of a
/// prefix is a prefix of the lower case.
fn lower(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_lowercase)
}

fn inline<'a>(write: impl FnOnce(&mut Inline)) -> Encoded<'a> {
    let mut text = Inline::EMPTY;
    write(&mut text);
    Encoded::Inline(text)
}

/// Zero-padded; a negative number is `-` and the nines' complement of its digits, so that -2 sorts
/// before -1 and both before 0, and the width stays.
fn padded<'a>(negative: bool, magnitude: u128, width: usize) -> Result<Encoded<'a>, KeyErrorKind> {
    let digits = width - usize::from(negative);
    let past = 10_u128.checked_pow(digits as u32);
    if past.is_some_and(|past| magnitude >= past) {
        let needed = magnitude.checked_ilog10().map_or(1, |log| log as usize + 1);
        return Err(KeyErrorKind::TooWide {
            needed: needed + usize::from(negative),
            width,
        });
    }
    Ok(inline(|out| match (negative, past) {
        (false, _) => out.push_wide(magnitude, digits),
        (true, past) => {
            out.push(b'-');
            // No more than 39 digits, so 10^39 - 1 - magnitude is the one case past u128.
            let complement = past.map_or(u128::MAX - magnitude, |past| past - 1 - magnitude);
            out.push_wide(complement, digits);
        }
    }))
}

/// Keys have room for four digits of year, and no sign.
fn in_range(civil: Civil) -> Result<Civil, KeyErrorKind> {
    if (0..=9_999).contains(&civil.year) {
        Ok(civil)
    } else {
        Err(KeyErrorKind::YearOutOfRange)
    }
}

/// As many fraction digits as the value has, none for a whole second.
fn significant_digits(nanos: u32) -> usize {
    let mut digits = if nanos == 0 { 0 } else { 9 };
    let mut rest = nanos;
    while digits > 0 && rest.is_multiple_of(10) {
        rest /= 10;
        digits -= 1;
    }
    digits
}

/// The value that `text` (already unescaped) stands for in `part`. The caller checks that the value
/// gives the same text again, so this may be lenient about leading zeros and the like.
pub(crate) fn decode<'t>(part: &PartSchema, text: &'t str) -> Option<PartValue<'t>> {
    let value = match (part.spec, part.kind) {
        (Spec::Padded(_), _) => decode_padded(text)?,
        (Spec::Precision(precision), _) => decode_time(text, Some(precision))?,
        (_, Name::Text) => PartValue::Text(text),
        (_, Name::Integer) => decode_integer(text)?,
        (_, Name::Boolean) => PartValue::Boolean(text.parse().ok()?),
        (_, Name::Time) => decode_time(text, None)?,
        (_, Name::Date) => PartValue::Date {
            days: decode_date(text)?.to_days()?,
        },
        (_, Name::Uuid) => PartValue::Uuid(decode_uuid(text)?),
        (_, Name::Ulid) => PartValue::Ulid(decode_ulid(text)?),
        (_, Name::Bytes) => return None,
    };
    Some(value)
}

pub(crate) fn decode_integer<'t>(text: &str) -> Option<PartValue<'t>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    Some(PartValue::Integer {
        negative,
        magnitude: number(digits)?,
    })
}

fn decode_padded<'t>(text: &str) -> Option<PartValue<'t>> {
    let Some(digits) = text.strip_prefix('-') else {
        return Some(PartValue::Integer {
            negative: false,
            magnitude: number(text)?,
        });
    };
    let complement = number(digits)?;
    let magnitude = match 10_u128.checked_pow(u32::try_from(digits.len()).ok()?) {
        Some(past) => (past - 1).checked_sub(complement)?,
        None => u128::MAX - complement,
    };
    Some(PartValue::Integer {
        negative: true,
        magnitude,
    })
}

/// Digits only: `parse` alone would take a `+`.
fn number(digits: &str) -> Option<u128> {
    digits
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| digits.parse().ok())?
}

fn field(text: &str, range: core::ops::Range<usize>) -> Option<u32> {
    u32::try_from(number(text.get(range)?)?).ok()
}

fn decode_date(text: &str) -> Option<Civil> {
    let separators = text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    if text.len() != 10 || !separators {
        return None;
    }
    Some(Civil {
        year: field(text, 0..4)? as i32,
        month: field(text, 5..7)? as u8,
        day: field(text, 8..10)? as u8,
        hour: 0,
        minute: 0,
        second: 0,
        nanos: 0,
    })
}

fn decode_time<'t>(text: &str, precision: Option<Precision>) -> Option<PartValue<'t>> {
    let text = text.strip_suffix('Z')?;
    let date = decode_date(text.get(..10)?)?;
    let separators = [(10, "T"), (13, ":"), (16, ":")];
    if separators
        .iter()
        .any(|&(at, expected)| text.get(at..at + 1) != Some(expected))
    {
        return None;
    }
    let fraction = match text.get(19..)? {
        "" => "",
        fraction => fraction
            .strip_prefix('.')
            .filter(|digits| !digits.is_empty())?,
    };
    if precision.is_some_and(|precision| precision.digits() != fraction.len()) || fraction.len() > 9
    {
        return None;
    }
    let nanos = number(fraction).or(Some(0).filter(|_| fraction.is_empty()))?;
    let civil = Civil {
        hour: field(text, 11..13)? as u8,
        minute: field(text, 14..16)? as u8,
        second: field(text, 17..19)? as u8,
        nanos: u32::try_from(nanos).ok()? * 10_u32.pow(9 - fraction.len() as u32),
        ..date
    };
    let (seconds, nanos) = civil.to_unix()?;
    Some(PartValue::Time { seconds, nanos })
}

fn decode_uuid(text: &str) -> Option<[u8; 16]> {
    if text.len() != 36 {
        return None;
    }
    let mut bytes = [0; 16];
    let mut digits = text
        .char_indices()
        .filter(|&(i, c)| !(c == '-' && matches!(i, 8 | 13 | 18 | 23)));
    for byte in &mut bytes {
        let high = digits.next()?.1.to_digit(16)?;
        let low = digits.next()?.1.to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    digits.next().is_none().then_some(bytes)
}

fn decode_ulid(text: &str) -> Option<[u8; 16]> {
    let mut number: u128 = 0;
    if text.len() != 26 {
        return None;
    }
    for byte in text.bytes() {
        let digit = CROCKFORD.iter().position(|&c| c == byte)?;
        number = number.checked_mul(32)? | digit as u128;
    }
    Some(number.to_be_bytes())
}
