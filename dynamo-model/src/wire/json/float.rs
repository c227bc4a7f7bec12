//! The text of a float ⇄ an `f32`, faster than the standard library: a vector has thousands.

/// Room for the text of a float.
pub(super) use zmij::Buffer as Digits;

/// Returns the fewest digits that read back as the same float.
#[inline]
pub(super) fn shortest(digits: &mut Digits, float: f32) -> &[u8] {
    let text = digits.format(float).as_bytes();
    text.strip_suffix(b".0").unwrap_or(text)
}

/// An `f64` holds whole numbers of so many digits exactly.
const MAX_DIGITS: usize = 15;

/// The powers of ten that an `f64` holds exactly, up to [`MAX_DIGITS`] digits after the point.
const POWERS: [f64; MAX_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/// Returns the float nearest to the number, as `str::parse` does; `None` if the text is not a
/// number. A number beyond the range is infinite.
#[inline]
pub(super) fn parse(text: &str) -> Option<f32> {
    match parse_short(text.as_bytes()) {
        Some(float) => Some(float),
        None => text.parse().ok(),
    }
}

/// Returns `None` for any text that needs the slow way.
#[inline]
fn parse_short(text: &[u8]) -> Option<f32> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        text => (false, text),
    };
    // A digit more than that is the point.
    if text.len() > MAX_DIGITS + 1 {
        return None;
    }
    let (mut mantissa, mut digits, mut point) = (0_u64, 0, None);
    for byte in text {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                digits += 1;
            }
            b'.' if point.is_none() => point = Some(digits),
            _ => return None,
        }
    }
    if digits == 0 || digits > MAX_DIGITS {
        return None;
    }
    let decimals = point.map_or(0, |point| digits - point);
    // Both are exact, so the quotient is the `f64` nearest to the number.
    #[allow(clippy::cast_precision_loss)]
    let exact = mantissa as f64 / POWERS[decimals];
    let float = rounded(exact)?;
    Some(if negative { -float } else { float })
}

/// The `f32` nearest to the number that was rounded to this `f64`. Only if the `f64` lies in the
/// middle of two floats, or among the smallest ones, the number may have been on another side.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn rounded(double: f64) -> Option<f32> {
    /// The bits that an `f32` has not.
    const DROPPED: u64 = (1 << 29) - 1;
    const MIDDLE: u64 = 1 << 28;
    let float = double as f32;
    let is_middle = double.to_bits() & DROPPED == MIDDLE;
    let is_tiny = double != 0.0 && double < f64::from(f32::MIN_POSITIVE);
    (!is_middle && !is_tiny).then_some(float)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(text: &str) {
        let expected = text.parse::<f32>().ok().map(f32::to_bits);
        assert_eq!(parse(text).map(f32::to_bits), expected, "{text}");
    }

    #[test]
    fn what_is_not_a_number_is_none() {
        for text in ["", "-", ".", "-.", "1.2.3", "1x", " 1", "--1", "0x1"] {
            same(text);
            assert_eq!(parse(text), None, "{text}");
        }
    }

    /// Midpoints of two floats, and their neighbours.
    #[test]
    fn numbers_around_a_middle_are_rounded_as_the_standard_library_does() {
        for text in [
            "16777217",
            "16777219",
            "33554434",
            "0.5",
            "8388608.5",
            "8388609.5",
            "1.00000005960464",
            "16777217.000001",
            "16777216.999999",
            "9007199254740993",
            "0.1",
            "0",
            "-0",
            "0.0",
            "340282346638528",
            "1e38",
            "1e39",
            "1e-45",
            "0.000000000000001",
        ] {
            same(text);
        }
    }

    proptest! {
        #[test]
        fn every_float_reads_back(bits in any::<u32>()) {
            let float = f32::from_bits(bits);
            if float.is_finite() {
                same(&float.to_string());
                prop_assert_eq!(parse(&float.to_string()).map(f32::to_bits), Some(bits));
            }
        }

        #[test]
        fn texts_of_any_digits_are_read_as_the_standard_library_does(text in "-?[0-9]{0,12}\\.?[0-9]{0,12}") {
            same(&text);
        }
    }
}
