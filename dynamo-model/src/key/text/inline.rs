//! A small buffer for the text of one value, and how the values of each kind are written to it.

use super::digits::{date_words, decimal, decimal_digits, eight_digits};
use super::transform::complement;
use super::{CROCKFORD, DATE_LEN};
use crate::key::civil::Civil;
use crate::key::template::{TimePiece, Transform};

/// The widest text of a value that is not text: a signed 128-bit integer. Time formats must fit it.
const MAX_INLINE: usize = 40;

/// ASCII text in place, from `start` to `end`.
///
/// It is read immediately after it is written, to check that it is UTF-8. The standard library
/// reads sixteen aligned bytes at a time, which is fast only if whole words were written. So the
/// usual kinds are assembled in words.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Inline {
    bytes: [u8; MAX_INLINE.next_multiple_of(16)],
    start: u8,
    end: u8,
}

impl Inline {
    pub(super) const EMPTY: Self = Self {
        bytes: [0; MAX_INLINE.next_multiple_of(16)],
        start: 0,
        end: 0,
    };

    #[inline]
    pub(super) fn as_str(&self) -> &str {
        let (start, end) = (usize::from(self.start), usize::from(self.end));
        // Only ASCII is ever written, so this never falls back.
        core::str::from_utf8(&self.bytes[..end.next_multiple_of(16)])
            .ok()
            .and_then(|text| text.get(start..end))
            .unwrap_or_default()
    }

    #[cfg(feature = "client")]
    #[inline]
    pub(super) fn as_bytes(&self) -> &[u8] {
        let (start, end) = (usize::from(self.start), usize::from(self.end));
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns room for text that other crates write.
    #[cfg(feature = "uuid")]
    #[inline]
    pub(super) fn room(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.end - self.start)
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.end)] = byte;
        self.end += 1;
    }

    #[inline]
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        let end = usize::from(self.end);
        self.bytes[end..end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len() as u8;
    }

    /// Sets the whole text: the first `len` bytes of these words.
    #[inline]
    fn set_words<const N: usize>(&mut self, words: [u64; N], len: usize) {
        for (slot, word) in self.bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *slot = word.to_le_bytes();
        }
        (self.start, self.end) = (0, len as u8);
    }

    /// Sets the whole text: the last `digits` decimal digits of `number`, 24 at most.
    #[inline]
    pub(super) fn set_number(&mut self, number: u64, digits: usize) {
        self.set_words(decimal(number), 24);
        self.start = 24 - digits as u8;
    }

    /// Appends decimal digits, with zeros in front up to `width`.
    pub(super) fn push_number(&mut self, number: u64, width: usize) {
        let len = decimal_digits(number);
        (len..width).for_each(|_| self.push(b'0'));
        let mut digits = Self::EMPTY;
        digits.set_number(number, len);
        self.push_bytes(digits.as_str().as_bytes());
    }

    pub(super) fn push_wide(&mut self, number: u128, width: usize) {
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

    /// Changes the text in place: it is ASCII.
    pub(super) fn transform(&mut self, transform: Transform) {
        let text = &mut self.bytes[usize::from(self.start)..usize::from(self.end)];
        match transform {
            Transform::Lower => text.make_ascii_lowercase(),
            Transform::Upper => text.make_ascii_uppercase(),
            Transform::Descending => {
                for (at, byte) in text.iter_mut().enumerate() {
                    *byte = complement(at, *byte);
                }
            }
        }
    }

    pub(super) fn set_date(&mut self, civil: &Civil) {
        let (year_month, day) = date_words(civil);
        self.set_words([year_month, day], DATE_LEN);
    }

    /// Sets RFC 3339 in UTC with `digits` digits of the fraction.
    #[inline(always)]
    pub(super) fn set_rfc3339(&mut self, civil: &Civil, digits: usize) {
        // "2024-01-", "15", "HHMMSSff", "fffffff0": all nine digits of the fraction, then cut,
        // which is quicker than a division by a power that varies.
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
        let tail = fraction << 32 | u128::from(second);
        // Shifts by constants are short.
        let (tail, len) = match digits {
            0 => cut(tail, 3),
            3 => cut(tail, 7),
            digits => cut(tail, 4 + digits),
        };
        let [tail, end] = [tail as u64, (tail >> 64) as u64];
        self.set_words([year_month, day_hour_minute, tail, end], 16 + len);
    }

    pub(super) fn push_format(&mut self, civil: &Civil, pieces: &[TimePiece]) {
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

    pub(super) fn push_uuid(&mut self, bytes: &[u8; 16]) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        for (i, byte) in bytes.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                self.push(b'-');
            }
            self.push(HEX[usize::from(byte >> 4)]);
            self.push(HEX[usize::from(byte & 15)]);
        }
    }

    pub(super) fn push_ulid(&mut self, bytes: &[u8; 16]) {
        let number = u128::from_be_bytes(*bytes);
        for shift in (0..26).rev() {
            self.push(CROCKFORD[(number >> (shift * 5) & 31) as usize]);
        }
    }
}

/// Appends a `Z` after the first `len` bytes; returns the new length.
#[inline(always)]
const fn cut(text: u128, len: usize) -> (u128, usize) {
    let bits = 8 * len;
    (text & ((1 << bits) - 1) | (b'Z' as u128) << bits, len + 1)
}
