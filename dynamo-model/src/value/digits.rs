//! The text of a decimal number, taken apart: its sign, its digits, and the power of ten of the
//! first one.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::RangeInclusive;

/// DynamoDB keeps this many digits of a number.
const MAX_DIGITS: usize = 38;
/// The powers of ten that the first digit may have.
const MAGNITUDES: RangeInclusive<i64> = -130..=125;

/// A decimal number. Zeros at either end are not among its digits, so that two texts of one number
/// give the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digits<'a> {
    negative: bool,
    /// The digits before the point, and those after it. Both are empty for zero.
    whole: &'a [u8],
    fraction: &'a [u8],
    /// The power of ten of the first digit.
    magnitude: i64,
}

impl<'a> Digits<'a> {
    pub(super) const ZERO: Self = Self {
        negative: false,
        whole: &[],
        fraction: &[],
        magnitude: 0,
    };

    /// Reads `-12.5e-3`; fails on anything that DynamoDB does not store as a number.
    pub(crate) fn parse(text: &'a str) -> Result<Self, NumberError> {
        let digits = Self::of(text).ok_or(NumberError::NotANumber)?;
        if !digits.is_zero() && !MAGNITUDES.contains(&digits.magnitude) {
            return Err(NumberError::OutOfRange);
        }
        if digits.len() > MAX_DIGITS {
            return Err(NumberError::TooManyDigits);
        }
        Ok(digits)
    }

    /// Reads any decimal number, also one beyond DynamoDB's limits.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, power(exponent)?),
            None => (text, 0),
        };
        let (negative, mantissa) = sign(mantissa);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let (whole, fraction) = (whole.as_bytes(), fraction.as_bytes());
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        if !whole.iter().chain(fraction).all(u8::is_ascii_digit) {
            return None;
        }
        let mut digits = Self::trimmed(whole, fraction, exponent);
        digits.negative = negative && !digits.is_zero();
        Some(digits)
    }

    fn trimmed(whole: &'a [u8], fraction: &'a [u8], exponent: i64) -> Self {
        let zeros = |digits: &[u8]| digits.iter().take_while(|digit| **digit == b'0').count();
        let mut whole = &whole[zeros(whole)..];
        let mut fraction = fraction;
        // Texts are shorter than this.
        let signed = |length: usize| i64::try_from(length).unwrap_or(i64::MAX / 4);
        let magnitude = if whole.is_empty() {
            let leading = zeros(fraction);
            fraction = &fraction[leading..];
            -signed(leading) - 1
        } else {
            signed(whole.len()) - 1
        };
        while let [rest @ .., b'0'] = fraction {
            fraction = rest;
        }
        while let [rest @ .., b'0'] = whole
            && fraction.is_empty()
        {
            whole = rest;
        }
        Self {
            negative: false,
            whole,
            fraction,
            magnitude: magnitude.saturating_add(exponent),
        }
    }

    /// Returns the number of digits.
    pub(crate) fn len(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.len() == 0
    }

    fn digits(&self) -> impl Iterator<Item = &'a u8> + use<'a> {
        self.whole.iter().chain(self.fraction)
    }

    /// Returns the parts that are equal for all texts of one number.
    pub(crate) fn identity(self) -> (bool, i64, impl Iterator<Item = &'a u8>) {
        let magnitude = if self.is_zero() { 0 } else { self.magnitude };
        (self.negative, magnitude, self.digits())
    }

    /// Compares by value.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let signum = |it: &Self| match (it.is_zero(), it.negative) {
            (true, _) => 0,
            (false, negative) => 1 - 2 * i8::from(negative),
        };
        signum(self).cmp(&signum(other)).then_with(|| {
            let magnitude = self.magnitude.cmp(&other.magnitude);
            let size = magnitude.then_with(|| self.digits().cmp(other.digits()));
            match signum(self) {
                0 => Ordering::Equal,
                1 => size,
                _ => size.reverse(),
            }
        })
    }

    /// Appends the whole number that it is; `None` where it has a fraction.
    pub(super) fn to_whole(self) -> Option<String> {
        if self.is_zero() {
            return Some("0".to_owned());
        }
        let length = usize::try_from(self.magnitude).ok()? + 1;
        let zeros = length.checked_sub(self.len())?;
        let mut text = String::with_capacity(length + 1);
        if self.negative {
            text.push('-');
        }
        text.extend(self.digits().map(|digit| char::from(*digit)));
        text.extend(core::iter::repeat_n('0', zeros));
        Some(text)
    }
}

/// Equal for two texts of one number.
impl Hash for Digits<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (negative, magnitude, digits) = self.identity();
        (negative, magnitude).hash(state);
        for digit in digits {
            digit.hash(state);
        }
        u8::MAX.hash(state);
    }
}

/// Returns whether there is a minus, and the text after the sign.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Returns the power of ten after the `e`.
fn power(text: &str) -> Option<i64> {
    let (negative, digits) = sign(text);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    // No power that has more digits is within the limits.
    let power: i64 = digits.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    Some(if negative { -power } else { power })
}

/// Why a text is not a [`Number`](crate::value::Number).
///
/// ```
/// use dynamo_model::value::{Number, NumberError};
///
/// assert_eq!("1e126".parse::<Number>(), Err(NumberError::OutOfRange));
/// assert_eq!("1,5".parse::<Number>(), Err(NumberError::NotANumber));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// The text is not a decimal number such as `-12.5e-3`, or a float is not finite.
    NotANumber,
    /// It has more than the 38 digits that DynamoDB keeps.
    TooManyDigits,
    /// It is not between 1e-130 and 9.99e125, on either side of zero.
    OutOfRange,
}

impl NumberError {
    /// Returns the defect and the fix.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::NotANumber => {
                "it is not a number that DynamoDB has: not finite; leave it out, or store it as a \
                 text"
            }
            Self::TooManyDigits => "a number has more than 38 digits; store it as a text",
            Self::OutOfRange => "a number is not between 1e-130 and 1e126; store it as a text",
        }
    }
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotANumber => "not a decimal number; write it as in `-12.5e-3`",
            other => other.text(),
        })
    }
}

impl std::error::Error for NumberError {}
