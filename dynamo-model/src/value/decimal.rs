//! `rust_decimal::Decimal` as N, exactly.

use super::Number;
use crate::expr::{NumberRange, Numeric};
use crate::key::decimal::Decimal as Exact;
use ::serde::de::{Deserialize, Deserializer, Error as _};
use ::serde::ser::{Serialize, Serializer};
use core::fmt;
use rust_decimal::Decimal;
use std::collections::{BTreeMap, HashMap};

/// A type that `#[serde(with = "dynamo_model::format::decimal")]` stores: a `Decimal`, and an
/// `Option`, list or map of it.
pub trait StoredDecimal: Sized {
    /// Writes it.
    #[doc(hidden)]
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;

    /// Reads it.
    #[doc(hidden)]
    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

/// Writes a decimal as a number.
pub fn serialize<T: StoredDecimal, S: Serializer>(decimal: &T, to: S) -> Result<S::Ok, S::Error> {
    decimal.write(to)
}

/// Reads a decimal from a number; fails if `Decimal` cannot hold all of its digits.
pub fn deserialize<'de, T: StoredDecimal, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::read(from)
}

struct Written<'a, T>(&'a T);

impl<T: StoredDecimal> Serialize for Written<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.write(to)
    }
}

struct Read<T>(T);

impl<'de, T: StoredDecimal> Deserialize<'de> for Read<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::read(from).map(Self)
    }
}

impl StoredDecimal for Decimal {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Number::from(*self).serialize(to)
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(from)?;
        Decimal::try_from(&number).map_err(D::Error::custom)
    }
}

impl<T: StoredDecimal> StoredDecimal for Option<T> {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Written).serialize(to)
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Option::<Read<T>>::deserialize(from)?.map(|it| it.0))
    }
}

impl<T: StoredDecimal> StoredDecimal for Vec<T> {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(Written))
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let elements = Vec::<Read<T>>::deserialize(from)?;
        Ok(elements.into_iter().map(|it| it.0).collect())
    }
}

macro_rules! maps {
    ($($map:ident)*) => {$(
        impl<T: StoredDecimal> StoredDecimal for $map<String, T> {
            fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_map(self.iter().map(|(name, it)| (name, Written(it))))
            }

            fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let entries = $map::<String, Read<T>>::deserialize(from)?;
                Ok(entries.into_iter().map(|(name, it)| (name, it.0)).collect())
            }
        }
    )*};
}

maps!(BTreeMap HashMap);

impl From<Decimal> for Number {
    fn from(decimal: Decimal) -> Self {
        // At most 29 digits, 28 of them after the point.
        Self::of_valid(decimal.to_string())
    }
}

/// Fails where `Decimal` would round: it holds 28 digits.
impl TryFrom<&Number> for Decimal {
    type Error = NotADecimal;

    fn try_from(number: &Number) -> Result<Self, NotADecimal> {
        let exact = Exact::parse(number.as_str());
        let decimal = exact.and_then(Exact::to_mantissa_and_scale);
        let decimal = decimal
            .and_then(|(mantissa, scale)| Self::try_from_i128_with_scale(mantissa, scale).ok());
        decimal.ok_or_else(|| NotADecimal(number.clone()))
    }
}

/// A number that `rust_decimal::Decimal` cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotADecimal(Number);

impl fmt::Display for NotADecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} has more digits than `rust_decimal::Decimal` holds, as a sum of `add` may have: \
             `set` it to a rounded number, or declare the field as `dynamo_model::value::Number`",
            self.0
        )
    }
}

impl std::error::Error for NotADecimal {}

/// A sum must be within the largest and the smallest `Decimal`.
impl Numeric for Decimal {
    const RANGE: NumberRange = NumberRange::of("Decimal", -MAX, MAX);
}

/// A mantissa has 96 bits.
const MAX: i128 = (1 << 96) - 1;
