//! The general path: any value to its text, or its error.

use super::inline::Inline;
use super::transform::Transformed;
use crate::error::KeyErrorKind;
use crate::key::civil::Civil;
use crate::key::decimal::Decimal;
use crate::key::escape::Escape;
use crate::key::part::PartValue;
use crate::key::shard;
use crate::key::template::{Form, PartSchema, Spec};
use std::borrow::Cow;

/// The text of a part. It does not allocate: strings are borrowed, other text fits a small buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Encoded<'a> {
    Borrowed(&'a str),
    Transformed(Transformed<'a>),
    Inline(Inline),
}

impl<'a> Encoded<'a> {
    /// Returns the text of `value` in `part`, or its error.
    pub(crate) fn new(part: &PartSchema, value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        match (part.spec.form, value) {
            // `Some("")` would be read back as `None`.
            (_, PartValue::Text("")) => Err(KeyErrorKind::Empty),
            (_, PartValue::Absent) if part.spec.or_empty => Ok(Encoded::Borrowed("")),
            (_, PartValue::Absent) => Err(KeyErrorKind::Empty),
            (Form::Shard(count), value) => {
                let shard = shard::of(&Self::plain(value)?.text(), count);
                let mut text = Inline::EMPTY;
                text.push_number(shard.into(), 1);
                Ok(Encoded::Inline(text))
            }
            _ => Self::with(part.spec, value),
        }
    }

    /// Returns the plain text form, for a placeholder without a spec.
    pub(crate) fn plain(value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        Self::with(Spec::PLAIN, value)
    }

    fn with(spec: Spec, value: PartValue<'a>) -> Result<Self, KeyErrorKind> {
        if let PartValue::Text(text) = value {
            return Ok(match spec.transform {
                Some(transform) => Encoded::Transformed(Transformed::new(text, transform)),
                None => Encoded::Borrowed(text),
            });
        }
        let mut text = Inline::EMPTY;
        text.set(spec, &value)?;
        Ok(Encoded::Inline(text))
    }

    /// Returns the length after escaping.
    pub(crate) fn len(&self, escape: Escape) -> usize {
        match self {
            Encoded::Borrowed(text) => text.len() + 2 * escape.count(text),
            Encoded::Transformed(text) => text
                .chars()
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
            Encoded::Transformed(text) => text.chars().for_each(|c| escape.push(c, out)),
        }
    }

    /// Returns the rest of `key` after the escaped text; `None` if the key does not begin with it.
    pub(crate) fn strip<'k>(&self, escape: Escape, key: &'k str) -> Option<&'k str> {
        match self {
            Encoded::Borrowed(text) => strip_escaped(text, escape, key),
            Encoded::Inline(text) => strip_escaped(text.as_str(), escape, key),
            Encoded::Transformed(text) => text.chars().try_fold(key, |key, c| escape.strip(c, key)),
        }
    }

    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Encoded::Borrowed(text) => Cow::Borrowed(text),
            Encoded::Inline(text) => Cow::Borrowed(text.as_str()),
            Encoded::Transformed(text) => Cow::Owned(text.chars().collect()),
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

fn strip_escaped<'k>(text: &str, escape: Escape, key: &'k str) -> Option<&'k str> {
    if escape.touches(text) {
        text.chars().try_fold(key, |key, c| escape.strip(c, key))
    } else {
        key.strip_prefix(text)
    }
}

impl Inline {
    /// Writes the text of a value that is not text itself, or returns its error.
    pub(super) fn set(&mut self, spec: Spec, value: &PartValue<'_>) -> Result<(), KeyErrorKind> {
        self.set_form(spec.form, value)?;
        if let Some(transform) = spec.transform {
            self.transform(transform);
        }
        Ok(())
    }

    fn set_form(&mut self, form: Form, value: &PartValue<'_>) -> Result<(), KeyErrorKind> {
        match (form, *value) {
            (
                Form::Padded(width),
                PartValue::Integer {
                    negative,
                    magnitude,
                },
            ) => return self.set_padded(negative, magnitude, usize::from(width)),
            (Form::Precision(precision), PartValue::Time { seconds, nanos }) => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                self.set_rfc3339(&civil, precision.digits());
            }
            (Form::Epoch(unit), PartValue::Time { seconds, nanos }) => {
                return self.set_epoch(unit, seconds, nanos);
            }
            (Form::Format(pieces), PartValue::Time { seconds, nanos }) => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                self.push_format(&civil, pieces);
            }
            (Form::Format(pieces), PartValue::Date { days }) => {
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
            (_, value @ PartValue::Decimal { .. }) => {
                let decimal = Decimal::of(value).filter(|decimal| decimal.is_valid());
                let decimal = decimal.ok_or(KeyErrorKind::NumberOutOfRange)?;
                decimal.write(|byte| self.push(byte));
            }
            (_, PartValue::Time { seconds, nanos }) => {
                let civil = in_range(Civil::from_unix(seconds, nanos))?;
                self.set_rfc3339(&civil, significant_digits(nanos));
            }
            (_, PartValue::Date { days }) => self.set_date(&in_range(Civil::from_days(days))?),
            (_, PartValue::Uuid(bytes)) => self.push_uuid(&bytes),
            (_, PartValue::Ulid(bytes)) => self.push_ulid(&bytes),
            // Absent values and text are borrowed, so they do not reach this match.
            (_, PartValue::Absent) => return Err(KeyErrorKind::Empty),
            (_, PartValue::Text(_) | PartValue::Bytes(_)) => return Err(KeyErrorKind::BytesInText),
        }
        Ok(())
    }

    /// Pads with zeros. A negative number is `-` and the nines' complement of its digits, so that
    /// -2 sorts before -1 and both before 0, and the width stays.
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

/// Refuses years that do not fit: keys have room for four digits of year, and no sign.
fn in_range(civil: Civil) -> Result<Civil, KeyErrorKind> {
    if (0..=9_999).contains(&civil.year) {
        Ok(civil)
    } else {
        Err(KeyErrorKind::YearOutOfRange)
    }
}

/// Returns the number of fraction digits of the value, 0 for a whole second.
fn significant_digits(nanos: u32) -> usize {
    let mut digits = if nanos == 0 { 0 } else { 9 };
    let mut rest = nanos;
    while digits > 0 && rest.is_multiple_of(10) {
        rest /= 10;
        digits -= 1;
    }
    digits
}
