//! An exact decimal number.

use super::digits::{Digits, NumberError};
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

/// A number as DynamoDB has it: up to 38 digits, from 1e-130 to 9.99e125, never rounded.
///
/// It keeps its text, so that an item is written unchanged. Numbers are compared by value: `1.50`
/// equals `1.5`. As a field it is stored as N; in JSON and other formats it is a text.
///
/// ```
/// use dynamo_model::value::Number;
///
/// let price: Number = "1.50".parse()?;
/// assert_eq!(price, "1.5".parse()?);
/// assert_eq!(price.to_string(), "1.50");
/// assert!(price < Number::from(2));
///
/// let exact: Number = "0.1234567890123456789012345678901234567".parse()?;
/// assert_eq!(exact.as_str().len(), 39);
/// assert_eq!(u8::try_from(&Number::from(200))?, 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Number(String);

impl Number {
    /// Wraps a text that is a number within the limits.
    #[cfg(all(feature = "client", feature = "rust_decimal"))]
    pub(super) fn of_valid(text: String) -> Self {
        Self(text)
    }

    /// Returns the text, unchanged.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Returns the nearest float. Digits beyond its precision are lost.
    #[must_use]
    #[allow(clippy::missing_panics_doc)]
    pub fn to_f64(&self) -> f64 {
        // Every decimal number has a nearest float.
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// Returns whether it has no fraction.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.digits().to_whole().is_some()
    }

    pub(crate) fn digits(&self) -> Digits<'_> {
        // The text was checked when the number was made.
        Digits::of(&self.0).unwrap_or(Digits::ZERO)
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        Digits::parse(text)?;
        Ok(Self(text.strip_prefix('+').unwrap_or(text).to_owned()))
    }
}

impl TryFrom<&str> for Number {
    type Error = NumberError;

    fn try_from(text: &str) -> Result<Self, NumberError> {
        text.parse()
    }
}

impl TryFrom<String> for Number {
    type Error = NumberError;

    fn try_from(text: String) -> Result<Self, NumberError> {
        if text.starts_with('+') {
            return text.parse();
        }
        Digits::parse(&text)?;
        Ok(Self(text))
    }
}

macro_rules! from_integers {
    ($($integer:ident)*) => {$(
        impl From<$integer> for Number {
            fn from(integer: $integer) -> Self {
                Self(integer.to_string())
            }
        }
    )*};
}

from_integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

/// Conversions that fail for too many digits or a value that is not finite.
macro_rules! try_from_numbers {
    ($($number:ident)*) => {$(
        impl TryFrom<$number> for Number {
            type Error = NumberError;

            fn try_from(number: $number) -> Result<Self, NumberError> {
                Self::try_from(number.to_string())
            }
        }
    )*};
}

try_from_numbers!(u128 i128 f32 f64);

macro_rules! into_integers {
    ($($integer:ident)*) => {$(
        impl TryFrom<&Number> for $integer {
            type Error = NotAnInteger;

            /// Fails where the number has a fraction, or is too large.
            fn try_from(number: &Number) -> Result<Self, NotAnInteger> {
                let whole = number.digits().to_whole();
                let integer = whole.and_then(|whole| whole.parse().ok());
                integer.ok_or_else(|| NotAnInteger {
                    number: number.clone(),
                    integer: stringify!($integer),
                })
            }
        }
    )*};
}

into_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// A [`Number`] has a fraction, or is outside of the range of an integer type.
///
/// ```
/// use dynamo_model::value::Number;
///
/// let error = u8::try_from(&Number::from(256)).unwrap_err();
/// assert_eq!(error.to_string(), "256 is not a `u8`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAnInteger {
    number: Number,
    integer: &'static str,
}

impl fmt::Display for NotAnInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a `{}`", self.number, self.integer)
    }
}

impl std::error::Error for NotAnInteger {}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({})", self.0)
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::from(0)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.0 == other.0 {
            return Ordering::Equal;
        }
        self.digits().compare(&other.digits())
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digits().hash(state);
    }
}
