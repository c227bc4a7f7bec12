//! Numbers with a fraction, for keys of type N: exact, in order, each with a neighbour on either
//! side.

use super::part::PartValue;
use crate::value::digits::Digits;
use core::cmp::Ordering;

/// How many digits DynamoDB keeps.
const MAX_DIGITS: u32 = 38;
/// The power of ten of the first digit of the smallest and of the largest number.
const MIN_POWER: i32 = -130;
const MAX_POWER: i32 = 125;
/// The longest plain text, without exponent: it fits the buffer of a part's text.
const MAX_PLAIN: i32 = 40;

/// `digits` × 10^`exponent`; without zeros at the end of the digits, so that equal numbers are
/// equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    digits: u128,
    exponent: i32,
}

impl Decimal {
    pub(crate) const ZERO: Self = Self {
        negative: false,
        digits: 0,
        exponent: 0,
    };

    pub(crate) fn new(negative: bool, mut digits: u128, mut exponent: i32) -> Self {
        if digits == 0 {
            return Self::ZERO;
        }
        while digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        Self {
            negative,
            digits,
            exponent,
        }
    }

    /// Parses a number in DynamoDB's form. Returns `None` beyond DynamoDB's limits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, magnitude, digits) = Digits::parse(text).ok()?.identity();
        let (mut number, mut count) = (0_u128, 0_i32);
        for digit in digits {
            number = number * 10 + u128::from(digit - b'0');
            count += 1;
        }
        let exponent = i32::try_from(magnitude).ok()? - (count - 1);
        Some(Self::new(negative, number, exponent))
    }

    /// Returns the number that a part has.
    pub(crate) fn of(value: PartValue<'_>) -> Option<Self> {
        match value {
            PartValue::Decimal {
                negative,
                digits,
                exponent,
            } => Some(Self::new(negative, digits, exponent)),
            PartValue::Integer {
                negative,
                magnitude,
            } => Some(Self::new(negative, magnitude, 0)),
            _ => None,
        }
    }

    pub(crate) fn to_part(self) -> PartValue<'static> {
        let Self {
            negative,
            digits,
            exponent,
        } = self;
        PartValue::Decimal {
            negative,
            digits,
            exponent,
        }
    }

    /// Returns it as a whole number with the number of fractional digits; `None` if there are too
    /// many.
    #[cfg(feature = "rust_decimal")]
    pub(crate) fn to_mantissa_and_scale(self) -> Option<(i128, u32)> {
        let power = u32::try_from(self.exponent.max(0)).ok()?;
        let digits = self.digits.checked_mul(10_u128.checked_pow(power)?)?;
        let digits = i128::try_from(digits).ok()?;
        let scale = u32::try_from(-self.exponent.min(0)).ok()?;
        Some((if self.negative { -digits } else { digits }, scale))
    }

    /// Returns whether DynamoDB can hold the number.
    pub(crate) fn is_valid(self) -> bool {
        let power = self.power();
        self.digits == 0 || (MIN_POWER..=MAX_POWER).contains(&power) && self.length() <= 38
    }

    /// Returns the number of digits.
    fn length(self) -> i32 {
        self.digits.checked_ilog10().map_or(1, |log| log as i32 + 1)
    }

    /// Returns the power of ten of the first digit.
    fn power(self) -> i32 {
        self.exponent.saturating_add(self.length() - 1)
    }

    /// Returns the next larger number of 38 digits; `None` after the largest.
    pub(crate) fn next(self) -> Option<Self> {
        if self.negative {
            return Some(self.negated().smaller()?.negated());
        }
        self.larger()
    }

    /// Returns the next smaller number of 38 digits; `None` before the smallest.
    pub(crate) fn previous(self) -> Option<Self> {
        Some(self.negated().next()?.negated())
    }

    fn negated(self) -> Self {
        Self::new(!self.negative, self.digits, self.exponent)
    }

    /// Returns the number with all 38 digits; `None` for zero.
    fn wide(self) -> Option<(u128, i32)> {
        let missing = MAX_DIGITS.checked_sub(u32::try_from(self.length()).ok()?)?;
        let digits = self.digits.checked_mul(10_u128.checked_pow(missing)?)?;
        (digits > 0).then_some((digits, self.exponent - missing as i32))
    }

    /// Returns the next number away from zero.
    fn larger(self) -> Option<Self> {
        let larger = match self.wide() {
            Some((digits, exponent)) => Self::new(false, digits + 1, exponent),
            None => Self::new(false, 1, MIN_POWER),
        };
        larger.is_valid().then_some(larger)
    }

    /// Returns the next number towards zero.
    fn smaller(self) -> Option<Self> {
        let (digits, exponent) = self.wide()?;
        let smaller = match digits == 10_u128.pow(MAX_DIGITS - 1) {
            // The number before 1.00 is 0.999, with one digit more behind the point.
            true => Self::new(false, digits * 10 - 1, exponent - 1),
            false => Self::new(false, digits - 1, exponent),
        };
        Some(match smaller.is_valid() {
            true => smaller,
            false => Self::ZERO,
        })
    }

    /// Writes the text: `-0.25`, or `2.5e-60` where that is shorter. It has at most 46 characters.
    pub(crate) fn write(self, mut push: impl FnMut(u8)) {
        let mut buffer = [0; 39];
        let digits = digits_of(self.digits, &mut buffer);
        if self.negative {
            push(b'-');
        }
        let point = self.power() + 1;
        let plain =
            self.exponent <= MAX_PLAIN - self.length() && point > -(MAX_PLAIN - self.length() - 3);
        if !plain {
            return self.write_scientific(digits, push);
        }
        if point <= 0 {
            push(b'0');
            push(b'.');
            (point..0).for_each(|_| push(b'0'));
        }
        for (at, digit) in (0..).zip(digits) {
            if at == point && at > 0 {
                push(b'.');
            }
            push(*digit);
        }
        (0..self.exponent).for_each(|_| push(b'0'));
    }

    fn write_scientific(self, digits: &[u8], mut push: impl FnMut(u8)) {
        for (at, digit) in digits.iter().enumerate() {
            if at == 1 {
                push(b'.');
            }
            push(*digit);
        }
        push(b'e');
        let power = self.power();
        if power < 0 {
            push(b'-');
        }
        let mut buffer = [0; 39];
        let power = digits_of(power.unsigned_abs().into(), &mut buffer);
        power.iter().for_each(|digit| push(*digit));
    }
}

/// Writes the decimal digits of a number.
fn digits_of(mut number: u128, buffer: &mut [u8; 39]) -> &[u8] {
    let mut start = buffer.len();
    loop {
        start -= 1;
        buffer[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 || start == 0 {
            return &buffer[start..];
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let signum = |it: &Self| match (it.digits, it.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        let size = || {
            let power = self.power().cmp(&other.power());
            power.then_with(|| match (self.wide(), other.wide()) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                _ => self.digits.cmp(&other.digits),
            })
        };
        signum(self)
            .cmp(&signum(other))
            .then_with(|| match signum(self) {
                0 => Ordering::Equal,
                1 => size(),
                _ => size().reverse(),
            })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(decimal: Decimal) -> String {
        let mut text = String::new();
        decimal.write(|byte| text.push(byte.into()));
        text
    }

    fn parse(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn a_number_has_one_text() {
        for (read, written) in [
            ("1.50", "1.5"),
            ("-0", "0"),
            ("100", "100"),
            ("1e2", "100"),
            ("-0.025", "-0.025"),
            (
                "12345678901234567890123456789012345678",
                "12345678901234567890123456789012345678",
            ),
            ("1e-130", "1e-130"),
            ("-9.5e125", "-9.5e125"),
            ("1e39", "1000000000000000000000000000000000000000"),
            ("1e40", "1e40"),
        ] {
            assert_eq!(text(parse(read)), written);
        }
        assert!(Decimal::parse("1e126").is_none() && Decimal::parse("1.5.").is_none());
    }

    #[test]
    fn a_number_has_neighbours() {
        let nines = "9".repeat(37);
        for (number, next) in [
            ("0", Some("1e-130".to_owned())),
            ("-1e-130", Some("0".to_owned())),
            ("-1", Some(format!("-0.{nines}9"))),
            ("1", Some(format!("1.{}1", "0".repeat(36)))),
            (&format!("1.{nines}"), Some("2".to_owned())),
            (&format!("9.{nines}e125"), None),
        ] {
            let number = parse(number);
            let next = next.map(|next| parse(&next));
            assert_eq!(number.next(), next);
            if let Some(next) = next {
                assert_eq!(next.previous(), Some(number));
                assert!(number < next);
            }
        }
    }

    proptest! {
        #[test]
        fn text_and_order_are_those_of_numbers(a in number(), b in number()) {
            let numbers: [crate::value::Number; 2] = [a.parse().unwrap(), b.parse().unwrap()];
            let decimals = [parse(&a), parse(&b)];
            prop_assert_eq!(decimals[0].cmp(&decimals[1]), numbers[0].cmp(&numbers[1]));
            let written = text(decimals[0]);
            prop_assert!(written.len() <= 46, "{}", written);
            prop_assert_eq!(parse(&written), decimals[0]);
            prop_assert_eq!(written.parse::<crate::value::Number>().unwrap(), numbers[0].clone());
            let next = decimals[0].next().unwrap();
            prop_assert!(decimals[0] < next && next.previous() == Some(decimals[0]));
        }
    }

    fn number() -> impl Strategy<Value = String> {
        prop_oneof![
            "-?[0-9]{1,19}(\\.[0-9]{1,19})?",
            "-?[1-9](\\.[0-9]{1,37})?e-?[0-9]{1,2}"
        ]
    }
}
