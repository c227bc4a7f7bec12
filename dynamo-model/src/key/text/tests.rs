//! The quick way and the general one, against the standard library and against each other.

use super::*;
use crate::key::part::{KeyPart, PartValue};
use crate::key::template::{Field, Form, PartSchema, Precision, Spec};

struct Number;
impl Field for Number {
    type Part = i128;
}

/// Returns the text, made the quick way if there is one, and the general way. Both must agree.
fn text(spec: Spec, value: PartValue<'_>) -> Option<String> {
    let part = PartSchema::new::<Number>("number", spec, "");
    let slow = Encoded::new(&part, value)
        .ok()
        .map(|text| text.text().into_owned());
    if let Some(len) = plain_len(&part, value) {
        let mut quick = String::with_capacity(len);
        if push_plain(&part, value, &mut quick).is_some() {
            assert_eq!((Some(&quick), quick.len()), (slow.as_ref(), len));
        }
    }
    #[cfg(feature = "client")]
    assert_stripped(&part, value, slow.as_deref());
    slow
}

/// Compares a key with a value as if the text of the value were made.
#[cfg(feature = "client")]
fn assert_stripped(part: &PartSchema, value: PartValue<'_>, text: Option<&str>) {
    let Some(text) = text else {
        assert_eq!(strip(part, value, b"2024"), None);
        return;
    };
    let key = format!("{text}#rest");
    assert_eq!(
        strip(part, value, key.as_bytes()),
        Some(&b"#rest"[..]),
        "{key}"
    );
    for at in 0..text.len() {
        let mut other = key.clone().into_bytes();
        other[at] ^= 1;
        assert_eq!(strip(part, value, &other), None, "{key} at {at}");
    }
    let short = &text.as_bytes()[..text.len() - 1];
    assert_eq!(strip(part, value, short), None, "{key}");
}

/// Covers texts of every length, with and without something to escape.
#[cfg(feature = "client")]
#[test]
fn a_stored_text_is_compared_in_its_escaped_form() {
    struct Text;
    impl Field for Text {
        type Part = str;
    }
    let part = PartSchema::new::<Text>("text", Spec::PLAIN, "#");
    for len in 1..40 {
        let plain = "z".repeat(len);
        assert_stripped(&part, PartValue::Text(&plain), Some(&plain));
        for at in 0..len {
            let mut text = plain.clone();
            text.replace_range(at..=at, "#");
            let escaped = text.replace('#', "$23");
            assert_stripped(&part, PartValue::Text(&text), Some(&escaped));
            let unescaped = format!("{text}#rest");
            assert_eq!(
                strip(&part, PartValue::Text(&text), unescaped.as_bytes()),
                None
            );
        }
    }
    assert_eq!(strip(&part, PartValue::Text(""), b"#rest"), None);
}

#[test]
fn numbers_of_every_size() {
    let powers = (0..39).map(|n| 10_u128.pow(n));
    for number in powers.flat_map(|n| [n - 1, n, n + 1, n * 2 + 7, n / 3 * 2]) {
        let value = PartValue::Integer {
            negative: false,
            magnitude: number,
        };
        assert_eq!(text(Spec::PLAIN, value), Some(number.to_string()));
        for width in 1..=39_u8 {
            let padded = format!("{number:0width$}", width = usize::from(width));
            let expected = Some(padded).filter(|text| text.len() == usize::from(width));
            assert_eq!(text(Spec::of(Form::Padded(width)), value), expected);
        }
    }
    assert_eq!(
        text(Spec::PLAIN, i128::MIN.to_part()),
        Some(i128::MIN.to_string())
    );
    assert_eq!(
        text(Spec::of(Form::Padded(4)), (-3_i128).to_part()).as_deref(),
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
    for ((seconds, shown), fraction) in seconds.iter().flat_map(|s| fractions.map(|f| (*s, f))) {
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
        assert_eq!(
            text(Spec::of(Form::Precision(precision)), value),
            Some(expected)
        );
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        let expected = format!("{shown}{point}{fraction}Z");
        assert_eq!(text(Spec::PLAIN, value), Some(expected));
    }
    for seconds in [-62_167_219_201, 253_402_300_800] {
        let value = PartValue::Time { seconds, nanos: 0 };
        assert_eq!(
            text(Spec::of(Form::Precision(Precision::Millis)), value),
            None
        );
    }
}
