//! Text → value, for the parser.

use super::transform::{self, Transformed};
use super::{CROCKFORD, ULID_LEN, UUID_LEN};
use crate::key::civil::Civil;
use crate::key::part::PartValue;
use crate::key::part::kind::Name;
use crate::key::template::{Form, PartSchema, Precision, Transform};

/// Returns the value of `text` (already unescaped) in `part`. The caller checks that the value
/// builds the same text, so this may be lenient about leading zeros and the like.
pub(crate) fn decode<'t>(part: &PartSchema, text: &'t str) -> Option<PartValue<'t>> {
    match part.spec.transform {
        Some(Transform::Descending) => {
            let ascending: String = transform::descending(text).collect();
            decode_form(part, &ascending)?.detached()
        }
        Some(case) => match part.values {
            Some(values) => {
                let is_text =
                    |value: &&&str| Transformed::new(value, case).chars().eq(text.chars());
                let value = values.iter().find(is_text)?;
                Some(PartValue::Text(value))
            }
            None => decode_form(part, text),
        },
        None => decode_form(part, text),
    }
}

fn decode_form<'t>(part: &PartSchema, text: &'t str) -> Option<PartValue<'t>> {
    let value = match (part.spec.form, part.kind) {
        (Form::Padded(_), _) => decode_padded(text)?,
        (Form::Precision(precision), _) => decode_time(text, Some(precision))?,
        (Form::Epoch(unit), _) => unit.decode(number(text)?)?,
        (_, Name::Text | Name::Enum) => PartValue::Text(text),
        (_, Name::Integer) => decode_integer(text)?,
        (_, Name::Boolean) => PartValue::Boolean(text.parse().ok()?),
        (_, Name::Time) => decode_time(text, None)?,
        (_, Name::Date) => PartValue::Date {
            days: decode_date(text)?.to_days()?,
        },
        (_, Name::Uuid) => PartValue::Uuid(decode_uuid(text)?),
        (_, Name::Ulid) => PartValue::Ulid(decode_ulid(text)?),
        // Not in a text: its order would not be that of the numbers.
        (_, Name::Bytes | Name::Decimal) => return None,
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

/// Accepts only digits: `parse` would also take a `+`.
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
    if text.len() != UUID_LEN {
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
    if text.len() != ULID_LEN {
        return None;
    }
    for byte in text.bytes() {
        let upper = byte.to_ascii_uppercase();
        let digit = CROCKFORD.iter().position(|&c| c == upper)?;
        number = number.checked_mul(32)? | digit as u128;
    }
    Some(number.to_be_bytes())
}
