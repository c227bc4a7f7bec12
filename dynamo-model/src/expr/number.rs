//! Numbers that can be added to, and the condition that a sum fits its field.

use super::condition::{Comparison, Condition, Term, shown_path};
use super::raw_path::RawPath;
use crate::schema::{EntitySchema, TableSchema};
use crate::value::digits::Digits;
use crate::wire::Item;
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt;

/// A number, which `add` and `subtract` can change. Implement it for your own types that serde
/// stores as a number, with the range of values that can be read back.
///
/// ```
/// use dynamo_model::expr::{NumberRange, Numeric};
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Yen(u64);
///
/// impl Numeric for Yen {
///     const RANGE: NumberRange = u64::RANGE;
/// }
///
/// struct Percent(u8);
///
/// impl Numeric for Percent {
///     const RANGE: NumberRange = NumberRange::between(0, 100);
/// }
/// ```
pub trait Numeric {
    /// The range of a field of this type. An update whose result is outside of it fails with
    /// [`ErrorKind::OutOfRange`](crate::ErrorKind::OutOfRange), and changes nothing.
    const RANGE: NumberRange;
}

/// The values that a field can have; see [`Numeric::RANGE`].
///
/// ```
/// use dynamo_model::expr::{NumberRange, Numeric};
///
/// assert_eq!(u8::RANGE.to_string(), "`u8` (0 to 255)");
/// assert_eq!(NumberRange::between(1, 5).to_string(), "1 to 5");
/// assert_eq!(f64::RANGE, NumberRange::ANY);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberRange {
    name: &'static str,
    /// Both ends included.
    bounds: Option<(i128, i128)>,
}

/// DynamoDB keeps 38 digits of a number.
const MAX_EXACT: i128 = 10_i128.pow(38) - 1;

impl NumberRange {
    /// No bounds: `add` and `subtract` are not checked. For floats and decimals.
    pub const ANY: Self = Self {
        name: "",
        bounds: None,
    };

    /// Returns a range with both ends. Ends beyond the 38 digits that DynamoDB keeps are clamped.
    #[must_use]
    pub const fn between(low: i128, high: i128) -> Self {
        let low = if low < -MAX_EXACT { -MAX_EXACT } else { low };
        let high = if high > MAX_EXACT { MAX_EXACT } else { high };
        Self {
            name: "",
            bounds: Some((low, high)),
        }
    }

    pub(crate) const fn of(name: &'static str, low: i128, high: i128) -> Self {
        Self {
            name,
            ..Self::between(low, high)
        }
    }
}

impl fmt::Display for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, bounds } = self;
        match bounds {
            Some((low, high)) if name.is_empty() => write!(f, "{low} to {high}"),
            Some((low, high)) => write!(f, "`{name}` ({low} to {high})"),
            None => f.write_str("any number"),
        }
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Numeric for $ty {
            const RANGE: NumberRange =
                NumberRange::of(stringify!($ty), $ty::MIN as i128, $ty::MAX as i128);
        }
    )*};
}

integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 i128 isize);

impl Numeric for u128 {
    const RANGE: NumberRange = NumberRange::of("u128", 0, i128::MAX);
}

/// A sum of signed ones could be 0, between two valid values, so they are not numbers here.
macro_rules! non_zeros {
    ($($name:ident $integer:ident)*) => {$(
        impl Numeric for core::num::$name {
            const RANGE: NumberRange = match $integer::RANGE.bounds {
                Some((_, high)) => NumberRange::of(stringify!($name), 1, high),
                None => NumberRange::ANY,
            };
        }
    )*};
}

non_zeros!(NonZeroU8 u8 NonZeroU16 u16 NonZeroU32 u32 NonZeroU64 u64 NonZeroU128 u128 NonZeroUsize usize);

/// DynamoDB refuses a number of more than 38 digits, or beyond its range.
impl Numeric for crate::value::Number {
    const RANGE: NumberRange = NumberRange::ANY;
}

impl Numeric for f32 {
    const RANGE: NumberRange = NumberRange::ANY;
}

impl Numeric for f64 {
    const RANGE: NumberRange = NumberRange::ANY;
}

/// The limit of a stored number so that the sum fits its field: one limit, because the sign of the
/// operand decides which end of the range can be exceeded.
#[derive(Clone)]
pub(crate) struct Bound {
    path: RawPath,
    range: NumberRange,
    comparison: Comparison,
    limit: i128,
    /// Whether the sum fits where the attribute is absent, which counts as 0.
    absent_fits: bool,
}

/// Hides the limit, which reveals the operand and may be sensitive.
impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bound").field(&self.path).finish()
    }
}

/// Why a sum was not stored.
pub(crate) enum Misfit {
    /// It would not fit; the stored number, unless it is sensitive or absent.
    OutOfRange(Option<String>),
    /// The stored value is not a number.
    NotANumber,
}

/// Returns the whole number that is at least as far from zero. A decimal without exponent has one.
fn away_from_zero(number: &str) -> Option<i128> {
    let Some((whole, _)) = number.split_once('.') else {
        return number.parse().ok();
    };
    let by = if number.starts_with('-') { -1 } else { 1 };
    whole.parse::<i128>().ok()?.checked_add(by)
}

impl Bound {
    /// Returns `None` if every sum fits.
    pub(crate) fn new(path: &RawPath, range: NumberRange, by: &AttributeValue) -> Option<Self> {
        let (low, high) = range.bounds?;
        let AttributeValue::N(by) = by else {
            return None;
        };
        // A larger operand has more digits than DynamoDB accepts, and is refused.
        let by = away_from_zero(by)?;
        let (comparison, limit) = match by {
            0 => return None,
            1.. => (Comparison::Le, high.checked_sub(by)?),
            _ => (Comparison::Ge, low.checked_sub(by)?),
        };
        Some(Self {
            path: path.clone(),
            range,
            comparison,
            limit,
            absent_fits: (low..=high).contains(&by),
        })
    }

    pub(crate) fn condition(&self) -> Condition {
        let limit = itoa::Buffer::new().format(self.limit).to_owned();
        let fits = |path: &RawPath| {
            let limit = AttributeValue::N(limit.clone());
            Condition::term(Term::Compare(path.clone(), self.comparison, limit))
        };
        let absent = |path: &RawPath| Condition::term(Term::NotExists(path.clone()));
        let mut old_paths: Vec<_> = self.path.old_paths().collect();
        old_paths.reverse();
        let mut otherwise = None;
        for path in old_paths.iter().chain([&self.path]) {
            otherwise = Some(match otherwise {
                Some(otherwise) => absent(path) & otherwise | fits(path),
                None if self.absent_fits => absent(path) | fits(path),
                None => fits(path),
            });
        }
        otherwise.unwrap_or_else(|| fits(&self.path))
    }

    pub(crate) fn add_old_names(&mut self, table: &TableSchema, entity: &EntitySchema) {
        let names = self.path.whole().map(|name| entity.old_names(table, name));
        if let Some(names) = names.filter(|names| !names.is_empty()) {
            self.path = self.path.clone().with_old_names(names);
        }
    }

    /// Returns whether a condition of the user implies it.
    pub(crate) fn is_implied_by(&self, condition: &Condition) -> bool {
        condition.requires(|term| match term {
            Term::Compare(path, comparison, value) => {
                *path == self.path && self.is_within(*comparison, value)
            }
            Term::Between(path, low, high) => {
                let end = match self.comparison {
                    Comparison::Le => high,
                    _ => low,
                };
                *path == self.path && self.is_within(self.comparison, end)
            }
            _ => false,
        })
    }

    /// Returns whether every number that compares so with a value is within the limit.
    fn is_within(&self, comparison: Comparison, value: &AttributeValue) -> bool {
        let AttributeValue::N(number) = value else {
            return false;
        };
        let Ok(number) = number.parse::<i128>() else {
            return false;
        };
        match (self.comparison, comparison) {
            (Comparison::Le, Comparison::Le | Comparison::Lt | Comparison::Eq) => {
                number <= self.limit
            }
            (Comparison::Ge, Comparison::Ge | Comparison::Gt | Comparison::Eq) => {
                number >= self.limit
            }
            _ => false,
        }
    }

    /// Returns why the condition failed on an item, if it did.
    pub(crate) fn misfit(&self, item: Option<&Item>) -> Option<Misfit> {
        let old = |item| self.path.old_paths().find_map(|path| path.find(item));
        let stored = item.and_then(|item| self.path.find(item).or_else(|| old(item)));
        let number = match stored {
            None if self.absent_fits => return None,
            None => return Some(Misfit::OutOfRange(None)),
            Some(AttributeValue::N(number)) => number,
            Some(_) => return Some(Misfit::NotANumber),
        };
        // It may be a fraction, stored by another program.
        let limit = self.limit.to_string();
        let order = Digits::of(number)?.compare(&Digits::of(&limit)?);
        let fits = match self.comparison {
            Comparison::Le => order.is_le(),
            _ => order.is_ge(),
        };
        let shown = (!self.path.is_hidden()).then(|| number.clone());
        (!fits).then_some(Misfit::OutOfRange(shown))
    }

    pub(crate) fn attribute(&self) -> String {
        shown_path(&self.path)
    }

    pub(crate) fn range(&self) -> NumberRange {
        self.range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Step;

    fn bound<T: Numeric>(by: &str) -> Option<String> {
        let by = AttributeValue::N(by.into());
        let bound = Bound::new(&Step::Name("n").into(), T::RANGE, &by);
        bound.map(|bound| bound.condition().to_string())
    }

    #[test]
    fn the_sign_of_what_is_added_decides_which_end_is_asked_for() {
        let conditions = [
            (bound::<u8>("5"), "(attribute_not_exists(n) OR n <= 250)"),
            (bound::<u8>("-5"), "n >= 5"),
            (bound::<i8>("-28"), "(attribute_not_exists(n) OR n >= -100)"),
            // -(-128) does not fit the type itself.
            (bound::<i8>("128"), "n <= -1"),
            (
                bound::<u128>("1"),
                "(attribute_not_exists(n) OR n <= 99999999999999999999999999999999999998)",
            ),
            (bound::<core::num::NonZeroU8>("-1"), "n >= 2"),
        ];
        for (bound, expected) in conditions {
            assert_eq!(bound.as_deref(), Some(expected));
        }
        assert_eq!(bound::<u8>("0").or(bound::<u8>("-0")), None);
        assert_eq!(bound::<f64>("1"), None);
    }

    fn number(text: &str) -> AttributeValue {
        AttributeValue::N(text.into())
    }

    /// Returns whether another condition already implies the condition of a sum in `n`.
    fn is_implied(by: &str, term: Term) -> bool {
        let path = Step::Name("n").into();
        let bound = Bound::new(&path, u8::RANGE, &number(by)).unwrap();
        bound.is_implied_by(&Condition::term(term))
    }

    #[test]
    fn a_condition_on_the_same_attribute_can_make_the_bound_needless() {
        let (n, other) = (|| Step::Name("n").into(), || Step::Name("m").into());
        let compare = |path, comparison, value| Term::Compare(path, comparison, number(value));
        // Values up to 250 may be added to, and from 5 on may be subtracted from.
        for (by, comparison, limit, past) in [
            ("5", Comparison::Le, "250", "251"),
            ("5", Comparison::Lt, "250", "252"),
            ("5", Comparison::Eq, "250", "251"),
            ("-5", Comparison::Ge, "5", "4"),
            ("-5", Comparison::Gt, "5", "3"),
            ("-5", Comparison::Eq, "5", "4"),
        ] {
            assert!(is_implied(by, compare(n(), comparison, limit)));
            assert!(!is_implied(by, compare(n(), comparison, past)));
            assert!(!is_implied(by, compare(other(), comparison, limit)));
        }
        assert!(!is_implied("5", compare(n(), Comparison::Ge, "5")));
        assert!(!is_implied("5", compare(n(), Comparison::Ne, "5")));
        assert!(!is_implied("-5", compare(n(), Comparison::Le, "250")));

        let between = |path, low, high| Term::Between(path, number(low), number(high));
        assert!(is_implied("5", between(n(), "0", "250")));
        assert!(!is_implied("5", between(n(), "0", "251")));
        assert!(!is_implied("5", between(other(), "0", "250")));
        assert!(is_implied("-5", between(n(), "5", "255")));
        assert!(!is_implied("-5", between(n(), "4", "255")));
        let text = Term::Compare(n(), Comparison::Le, AttributeValue::S("1".into()));
        assert!(!is_implied("5", text));
    }

    #[test]
    fn a_range_is_shown_with_its_type() {
        assert_eq!(u8::RANGE.to_string(), "`u8` (0 to 255)");
        assert_eq!(NumberRange::between(1, 5).to_string(), "1 to 5");
        assert_eq!(NumberRange::ANY.to_string(), "any number");
    }

    #[test]
    fn debug_names_the_attribute_and_hides_the_limit() {
        let bound = Bound::new(&Step::Name("n").into(), u8::RANGE, &number("5"));
        let shown = format!("{:?}", bound.unwrap());
        assert!(
            shown.starts_with("Bound(") && !shown.contains("250"),
            "{shown}"
        );
    }
}
