//! One part's value ⇄ its text, before escaping: the only place that knows how numbers, times and
//! identifiers look in a key.

use super::civil::{Civil, days_from_civil};
use super::escape::Escape;
use super::part::PartValue;
use super::part::kind::Name;
use super::shard;
use super::template::{PartSchema, Precision, Spec, TimePiece};
use crate::error::KeyErrorKind;
use std::borrow::Cow;

/// The widest text that is not the user's own: a signed 128-bit integer. Time formats are held to it.
pub(crate) const MAX_INLINE: usize = 40;

const UUID_LEN: usize = 36;
const ULID_LEN: usize = 26;
const DATE_LEN: usize = "2024-01-15".len();

/// A part's text. Nothing is allocated: strings are borrowed, the rest fits a small buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Encoded<'a> {
    Borrowed(&'a str),
    Lower(&'a str),
    Inline(Inline),
}

/// ASCII text in place, from `start` to `end`.
///
/// It is read back as soon as it is written, to show that it is UTF-8: the standard library does that
/// sixteen aligned bytes at a time, and the processor is quick about it only if whole words were written.
/// So the usual kinds are put together in words.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Inline {
    bytes: [u8; MAX_INLINE.next_multiple_of(16)],
    start: u8,
    end: u8,
}

impl Inline {
    const EMPTY: Self = Self {
        bytes: [0; MAX_INLINE.next_multiple_of(16)],
        start: 0,
        end: 0,
    };

    #[inline]
    fn as_str(&self) -> &str {
        let (start, end) = (usize::from(self.start), usize::from(self.end));
        // Only ASCII is ever written, so this never falls back.
        core::str::from_utf8(&self.bytes[..end.next_multiple_of(16)])
            .ok()
            .and_then(|text| text.get(start..end))
            .unwrap_or_default()
    }

    #[inline]
    fn len(&self) -> usize {
        usize::from(self.end - self.start)
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.end)] = byte;
        self.end += 1;
    }

    #[inline]
    fn push_bytes(&mut self, bytes: &[u8]) {
        let end = usize::from(self.end);
        self.bytes[end..end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len() as u8;
    }

    /// The whole text: the first `len` bytes of these words.
    #[inline]
    fn set_words<const N: usize>(&mut self, words: [u64; N], len: usize) {
        for (slot, word) in self.bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *slot = word.to_le_bytes();
        }
        (self.start, self.end) = (0, len as u8);
    }

    /// The whole text: the last `digits` decimal digits of `number`, 24 at most.
    #[inline]
    fn set_number(&mut self, number: u64, digits: usize) {
        self.set_words(decimal(number), 24);
        self.start = 24 - digits as u8;
    }

    /// Decimal digits, with zeros in front up to `width`.
    fn push_number(&mut self, number: u64, width: usize) {
        let len = decimal_digits(number);
        (len..width).for_each(|_| self.push(b'0'));
        let mut digits = Self::EMPTY;
        digits.set_number(number, len);
        self.push_bytes(digits.as_str().as_bytes());
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

    fn set_date(&mut self, civil: &Civil) {
        let (year_month, day) = date_words(civil);
        self.set_words([year_month, day], DATE_LEN);
    }

    /// RFC 3339 in UTC with `digits` digits of the fraction.
    #[inline]
    fn set_rfc3339(&mut self, civil: &Civil, digits: usize) {
        // "2024-01-", "15", "HHMMSSff", "fffffff0": all nine digits of the fraction, then cut, which is
        // quicker than a division by a power that varies.
        let (year_month, day) = date_words(civil);
        let time = eight_digits(
            u32::from(civil.hour) * 100 + u32::from(civil.minute),
            u32::from(civil.second) * 100 + civil.nanos / 10_000_000,
        );
        let rest = eight_digits(civil.nanos / 1_000 % 10_000, civil.nanos % 1_000 * 10);
        let day_hour_minute = day
            | (u64::from(b'T') << 16)
            | ((time & 0xffff) << 24)
            | (u64::from(b':') << 40)
            | ((time & 0xffff_0000) << 32);
        let second = u64::from(b':') | ((time >> 32 & 0xffff) << 8) | (u64::from(b'.') << 24);
        let fraction = (u128::from(rest) << 16) | u128::from(time >> 48);
        let cut = 8 * if digits == 0 { 3 } else { 4 + digits };
        let tail =
            (fraction << 32 | u128::from(second)) & ((1 << cut) - 1) | u128::from(b'Z') << cut;
        let len = 16 + cut / 8 + 1;
        self.set_words(
            [
                year_month,
                day_hour_minute,
                tail as u64,
                (tail >> 64) as u64,
            ],
            len,
        );
    }

    fn push_format(&mut self, civil: &Civil, pieces: &[TimePiece]) {
        for piece in pieces {
            let (number, width) = match *piece {
                TimePiece::Literal(text) => {
                    self.push_bytes(text.as_bytes());
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

/// 10^0 to 10^19: all that fit.
const POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = 10 * powers[i - 1];
        i += 1;
    }
    powers
};

#[inline]
const fn decimal_digits(number: u64) -> usize {
    match number.checked_ilog10() {
        Some(log) => log as usize + 1,
        None => 1,
    }
}

/// Twenty-four digits, in three words of ASCII.
#[inline]
const fn decimal(number: u64) -> [u64; 3] {
    const fn word(number: u64) -> u64 {
        eight_digits((number / 10_000) as u32, (number % 10_000) as u32)
    }
    const WORD: u64 = 100_000_000;
    let high = number / WORD;
    [word(high / WORD), word(high % WORD), word(number % WORD)]
}

/// Two numbers below 10 000, in a word of ASCII, first digit first. All lanes at once: two of four
/// digits, four of two, eight of one; a division is a multiplication by the reciprocal, exact for
/// numbers so small.
#[inline]
const fn eight_digits(high: u32, low: u32) -> u64 {
    let fours = high as u64 | ((low as u64) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | ((fours - hundreds * 100) << 16);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = tens | ((twos - tens * 10) << 8);
    ones | 0x3030_3030_3030_3030
}

/// `2024-01-` and `15`, in words of ASCII.
#[inline]
fn date_words(civil: &Civil) -> (u64, u64) {
    let (month, day) = (u32::from(civil.month), u32::from(civil.day));
    let date = eight_digits(civil.year.unsigned_abs(), month * 100 + day);
    let hyphens = u64::from_le_bytes(*b"\0\0\0\0-\0\0-");
    let year_month = (date & 0xffff_ffff) | ((date & 0xffff_0000_0000) << 8) | hyphens;
    (year_month, date >> 48)
}

/// The length of a part that needs no escaping and no more than a look at its value: text, and what has
/// a width known beforehand.
#[inline(always)]
pub(crate) fn plain_len(part: &PartSchema, value: PartValue<'_>) -> Option<usize> {
    match (part.spec, value) {
        (Spec::Plain | Spec::Raw, PartValue::Text(text)) => {
            (!text.is_empty() && !part.escape.touches(text)).then_some(text.len())
        }
        // These widths hold whatever the value is; the others below need its kind.
        (Spec::Padded(_), PartValue::Integer { .. })
        | (Spec::Precision(_), PartValue::Time { .. })
        | (Spec::Format(_), PartValue::Time { .. } | PartValue::Date { .. }) => part.width,
        _ if part.escape != Escape::None => None,
        (Spec::Plain, PartValue::Uuid(_)) => Some(UUID_LEN),
        (Spec::Plain, PartValue::Ulid(_)) => Some(ULID_LEN),
        (Spec::Plain, PartValue::Date { .. }) => Some(DATE_LEN),
        (
            Spec::Plain,
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

/// Appends a part that [`plain_len`] has measured; `None` where the value is refused. Inlined, so that
/// the usual kinds are called for directly.
#[inline(always)]
pub(crate) fn push_plain(part: &PartSchema, value: PartValue<'_>, out: &mut String) -> Option<()> {
    match (part.spec, value) {
        (_, PartValue::Text(text)) => out.push_str(text),
        #[cfg(feature = "uuid")]
        (Spec::Plain, PartValue::Uuid(bytes)) => push_uuid(bytes, out),
        (Spec::Precision(precision), PartValue::Time { seconds, nanos }) => {
            return push_time(seconds, nanos, precision.digits(), out);
        }
        (
            Spec::Padded(width),
            PartValue::Integer {
                negative: false,
                magnitude,
            },
        ) if magnitude <= u64::MAX.into() => {
            return push_padded(magnitude as u64, width.into(), out);
        }
        _ => return push_inline(part, value, out),
    }
    Some(())
}

/// With the crate's own encoder, which need not show that what it wrote is UTF-8.
#[cfg(feature = "uuid")]
fn push_uuid(bytes: [u8; 16], out: &mut String) {
    let mut text = uuid::Uuid::encode_buffer();
    out.push_str(
        uuid::Uuid::from_bytes(bytes)
            .hyphenated()
            .encode_lower(&mut text),
    );
}

/// For nearly every time; that nothing is negative makes the arithmetic shorter.
fn push_time(seconds: i64, nanos: u32, digits: usize, out: &mut String) -> Option<()> {
    const YEAR_10_000: i64 = days_from_civil(10_000, 1, 1) as i64 * 86_400;
    if !(0..YEAR_10_000).contains(&seconds) {
        return None;
    }
    let mut text = Inline::EMPTY;
    text.set_rfc3339(&Civil::from_unix(seconds, nanos), digits);
    out.push_str(text.as_str());
    Some(())
}

/// For nearly every number; the rest needs 128-bit arithmetic, which is slow.
fn push_padded(number: u64, width: usize, out: &mut String) -> Option<()> {
    let too_wide = POWERS_OF_TEN.get(width).is_some_and(|&past| number >= past);
    if too_wide || width > 24 {
        return None;
    }
    let mut text = Inline::EMPTY;
    text.set_number(number, width);
    out.push_str(text.as_str());
    Some(())
}

fn push_inline(part: &PartSchema, value: PartValue<'_>, out: &mut String) -> Option<()> {
    let mut text = Inline::EMPTY;
    text.set(part.spec, &value).ok()?;
    out.push_str(text.as_str());
    Some(())
}

impl Inline {
    /// The text of a value that is not text itself, or what is wrong with it.
    fn set(&mut self, spec: Spec, value: &PartValue<'_>) -> Result<(), KeyErrorKind> {
        match (spec, *value) {
            (
                Spec::Padded(width),
                PartValue::Integer {
                    negative,
                    magnitude,
                },
            ) => return self.set_padded(negative, magnitude, usize::from(width)),
            (Spec::Precision(precision), PartValue::Time { seconds, nanos }) => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                self.set_rfc3339(&civil, precision.digits());
            }
            (Spec::Format(pieces), PartValue::Time { seconds, nanos }) => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                self.push_format(&civil, pieces);
            }
            (Spec::Format(pieces), PartValue::Date { days }) => {
                let civil = in_range(Civil::from_days(days))?;
                self.push_format(&civil, pieces);
            }
            (_, PartValue::Boolean(true)) => self.push_bytes(b"true"),
            (_, PartValue::Boolean(false)) => self.push_bytes(b"false"),
            (
                _,
                PartValue::Integer {
                    negative,
                    magnitude,
                },
            ) => {
                if negative {
                    self.push(b'-');
                }
                self.push_wide(magnitude, 1);
            }
            (_, PartValue::Time { seconds, nanos }) => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                self.set_rfc3339(&civil, significant_digits(nanos));
            }
            (_, PartValue::Date { days }) => self.set_date(&in_range(Civil::from_days(days))?),
            (_, PartValue::Uuid(bytes)) => self.push_uuid(&bytes),
            (_, PartValue::Ulid(bytes)) => self.push_ulid(&bytes),
            // Text does not come here: it is borrowed.
            (_, PartValue::Text(_) | PartValue::Bytes(_)) => return Err(KeyErrorKind::BytesInText),
        }
        Ok(())
    }

    /// Zero-padded; a negative number is `-` and the nines' complement of its digits, so that -2 sorts
    /// before -1 and both before 0, and the width stays.
    fn set_padded(
        &mut self,
        negative: bool,
        magnitude: u128,
        width: usize,
    ) -> Result<(), KeyErrorKind> {
        let digits = width - usize::from(negative);
        let past = 10_u128.checked_pow(digits as u32);
        if past.is_some_and(|past| magnitude >= past) {
            let needed = magnitude.checked_ilog10().map_or(1, |log| log as usize + 1);
            return Err(KeyErrorKind::TooWide {
                needed: needed + usize::from(negative),
                width,
            });
        }
        match (negative, past) {
            (false, _) => self.push_wide(magnitude, digits),
            (true, past) => {
                self.push(b'-');
                // No more than 39 digits, so 10^39 - 1 - magnitude is the one case past u128.
                let complement = past.map_or(u128::MAX - magnitude, |past| past - 1 - magnitude);
                self.push_wide(complement, digits);
            }
        }
        Ok(())
    }
}

impl<'a> Encoded<'a> {
    /// The text of `value` in `part`, or what is wrong with it.
    pub(crate) fn new(part: &PartSchema, value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        match (part.spec, value) {
            (_, PartValue::Text("")) => Err(KeyErrorKind::Empty),
            (Spec::Lower, PartValue::Text(text)) => Ok(Encoded::Lower(text)),
            (Spec::Shard(count), value) => {
                let shard = shard::of(&Self::plain(value)?.text(), count);
                let mut text = Inline::EMPTY;
                text.push_number(shard.into(), 1);
                Ok(Encoded::Inline(text))
            }
            (spec, value) => Self::with(spec, value),
        }
    }

    /// The plain text form: what a placeholder without a spec writes.
    pub(crate) fn plain(value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        Self::with(Spec::Plain, value)
    }

    fn with(spec: Spec, value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        if let PartValue::Text(text) = value {
            return Ok(Encoded::Borrowed(text));
        }
        let mut text = Inline::EMPTY;
        text.set(spec, &value)?;
        Ok(Encoded::Inline(text))
    }

    /// The length once escaped.
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
            Encoded::Inline(text) => text.len() + 2 * escape.count(text.as_str()),
        }
    }

    /// Appends the text, escaped.
    pub(crate) fn push(&self, escape: Escape, out: &mut String) {
        match self {
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

fn push_escaped(text: &str, escape: Escape, out: &mut String) {
    if escape.touches(text) {
        text.chars().for_each(|c| escape.push(c, out));
    } else {
        out.push_str(text);
    }
}

/// Character by character, without the context rules of `str::to_lowercase`: so the lower case of a
/// prefix is a prefix of the lower case.
fn lower(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_lowercase)
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
        (_, Name::Text | Name::Enum) => PartValue::Text(text),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::part::KeyPart;
    use crate::key::template::Field;

    struct Number;
    impl Field for Number {
        type Part = i128;
        const NAME: &'static str = "number";
    }

    /// The text, made the quick way where there is one and the general way; both must agree.
    fn text(spec: Spec, value: PartValue<'_>) -> Option<String> {
        let part = PartSchema::new::<Number>(spec, "");
        let slow = Encoded::new(&part, value)
            .ok()
            .map(|text| text.text().into_owned());
        if let Some(len) = plain_len(&part, value) {
            let mut quick = String::with_capacity(len);
            if push_plain(&part, value, &mut quick).is_some() {
                assert_eq!((Some(&quick), quick.len()), (slow.as_ref(), len));
            }
        }
        slow
    }

    #[test]
    fn numbers_of_every_size() {
        let powers = (0..39).map(|n| 10_u128.pow(n));
        for number in powers.flat_map(|n| [n - 1, n, n + 1, n * 2 + 7, n / 3 * 2]) {
            let value = PartValue::Integer {
                negative: false,
                magnitude: number,
            };
            assert_eq!(text(Spec::Plain, value), Some(number.to_string()));
            for width in 1..=39_u8 {
                let padded = format!("{number:0width$}", width = usize::from(width));
                let expected = Some(padded).filter(|text| text.len() == usize::from(width));
                assert_eq!(text(Spec::Padded(width), value), expected);
            }
        }
        assert_eq!(
            text(Spec::Plain, i128::MIN.to_part()),
            Some(i128::MIN.to_string())
        );
        assert_eq!(
            text(Spec::Padded(4), (-3_i128).to_part()).as_deref(),
            Some("-996")
        );
    }

    #[test]
    fn times_of_every_precision() {
        let fractions = [
            "",
            "000",
            "123",
            "000001",
            "123456",
            "999999999",
            "000000000",
        ];
        let seconds = [
            (-62_167_219_200, "0000-01-01T00:00:00"),
            (-1, "1969-12-31T23:59:59"),
            (0, "1970-01-01T00:00:00"),
            (1_709_210_096, "2024-02-29T12:34:56"),
            (253_402_300_799, "9999-12-31T23:59:59"),
        ];
        for ((seconds, shown), fraction) in seconds.iter().flat_map(|s| fractions.map(|f| (*s, f)))
        {
            let precision = match fraction.len() {
                0 => Precision::Seconds,
                3 => Precision::Millis,
                6 => Precision::Micros,
                _ => Precision::Nanos,
            };
            let nanos = format!("{fraction:0<9}").parse().unwrap_or(0);
            let point = if fraction.is_empty() { "" } else { "." };
            let value = PartValue::Time { seconds, nanos };
            let expected = format!("{shown}{point}{fraction}Z");
            assert_eq!(text(Spec::Precision(precision), value), Some(expected));
            let fraction = fraction.trim_end_matches('0');
            let point = if fraction.is_empty() { "" } else { "." };
            let expected = format!("{shown}{point}{fraction}Z");
            assert_eq!(text(Spec::Plain, value), Some(expected));
        }
        for seconds in [-62_167_219_201, 253_402_300_800] {
            let value = PartValue::Time { seconds, nanos: 0 };
            assert_eq!(text(Spec::Precision(Precision::Millis), value), None);
        }
    }
}
