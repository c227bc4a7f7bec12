//! Arguments of access patterns: text → the value of a key part.

use super::LiveError;
use super::time;
use core::ops::Bound;
use dynamo_model::key::{PartValue, kind::Name};
use dynamo_model::schema::PartSchema;

/// The value of one field of an access pattern.
///
/// ```
/// use dynamo_model_tools::live::{Argument, Given};
///
/// let argument = Argument::parse("answered_at=2025-06..2025-07")?;
/// assert_eq!(argument.field, "answered_at");
/// assert!(matches!(argument.given, Given::Range { inclusive: false, .. }));
///
/// // `==` takes the text as it is.
/// let argument = Argument::parse("path==a..b*")?;
/// assert_eq!(argument.given, Given::Is("a..b*".into()));
/// # Ok::<(), dynamo_model_tools::live::LiveError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The field, by its Rust name.
    pub field: String,
    /// Its value.
    pub given: Given,
}

/// A value, a beginning or a range, as text.
///
/// ```
/// use dynamo_model_tools::live::{Argument, Given};
///
/// assert_eq!(Argument::parse("name=Ta*")?.given, Given::Begins("Ta".into()));
/// # Ok::<(), dynamo_model_tools::live::LiveError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// `u1`; of a time, also a part such as `2025-06`, which is its whole month.
    Is(String),
    /// `Ta*`
    Begins(String),
    /// `a..b`, `a..=b`, `a..` or `..b`.
    Range {
        /// The first value.
        from: Option<String>,
        /// The end.
        to: Option<String>,
        /// Whether the end belongs to the range.
        inclusive: bool,
    },
}

impl Argument {
    /// Reads `field=value`. The value can be a range (`a..b` without its end, `a..=b`, `a..`,
    /// `..b`) or a beginning (`a*`); `field==value` takes it as it is.
    ///
    /// # Errors
    ///
    /// If there is no `=`, or no field before it.
    pub fn parse(text: &str) -> Result<Self, LiveError> {
        let Some((field, value)) = text.split_once('=').filter(|(field, _)| !field.is_empty())
        else {
            let message = format!("`{text}` is not an argument; write `field=value`");
            return Err(LiveError::usage(message));
        };
        let given = match value.strip_prefix('=') {
            Some(value) => Given::Is(value.to_owned()),
            None => Given::parse(value),
        };
        let field = field.to_owned();
        Ok(Self { field, given })
    }
}

impl Given {
    fn parse(value: &str) -> Self {
        if let Some((from, to)) = value.split_once("..") {
            let inclusive = to.starts_with('=');
            let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            return Given::Range {
                from: given(from),
                to: given(to.trim_start_matches('=')),
                inclusive,
            };
        }
        match value.strip_suffix('*') {
            Some(beginning) => Given::Begins(beginning.to_owned()),
            None => Given::Is(value.to_owned()),
        }
    }
}

/// A value of a key part, owned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owned {
    Text(String),
    Bytes(Vec<u8>),
    Other(PartValue<'static>),
}

impl Owned {
    pub(crate) fn value(&self) -> PartValue<'_> {
        match self {
            Owned::Text(text) => PartValue::Text(text),
            Owned::Bytes(bytes) => PartValue::Bytes(bytes),
            Owned::Other(value) => *value,
        }
    }
}

/// An argument as a condition on a key part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Parsed {
    Is(Owned),
    Begins(String),
    Range(Bound<Owned>, Bound<Owned>),
}

impl Parsed {
    /// Reads what was given for a part. The error says which form is expected.
    pub(crate) fn of(part: &PartSchema, given: &Given) -> Result<Self, String> {
        match given {
            Given::Is(text) => match span(part, text)? {
                (from, None) => Ok(Parsed::Is(from)),
                (from, Some(to)) => Ok(Parsed::Range(Bound::Included(from), Bound::Excluded(to))),
            },
            Given::Begins(text) => Ok(Parsed::Begins(text.clone())),
            Given::Range {
                from,
                to,
                inclusive,
            } => {
                let start = match from {
                    Some(from) => Bound::Included(span(part, from)?.0),
                    None => Bound::Unbounded,
                };
                let end = match (to, inclusive) {
                    (None, _) => Bound::Unbounded,
                    (Some(to), false) => Bound::Excluded(span(part, to)?.0),
                    (Some(to), true) => match span(part, to)? {
                        (_, Some(past)) => Bound::Excluded(past),
                        (value, None) => Bound::Included(value),
                    },
                };
                Ok(Parsed::Range(start, end))
            }
        }
    }
}

/// A value; of a part of a time or date, the first value and the first one past it.
fn span(part: &PartSchema, text: &str) -> Result<(Owned, Option<Owned>), String> {
    let wrong = || format!("`{text}` is not {}", expected(part));
    if text.is_empty() && part.spec.or_empty {
        return Ok((Owned::Other(PartValue::Absent), None));
    }
    match part.kind {
        Name::Time => {
            let (from, to) = time::time(text).ok_or_else(wrong)?;
            Ok((Owned::Other(from), to.map(Owned::Other)))
        }
        Name::Date => {
            let (from, to) = time::date(text).ok_or_else(wrong)?;
            Ok((Owned::Other(from), to.map(Owned::Other)))
        }
        _ => Ok((single(part, text).ok_or_else(wrong)?, None)),
    }
}

fn single(part: &PartSchema, text: &str) -> Option<Owned> {
    let value = match part.kind {
        Name::Text => return (!text.is_empty()).then(|| Owned::Text(text.to_owned())),
        Name::Enum => {
            let is_known = part.values.is_none_or(|values| values.contains(&text));
            return is_known.then(|| Owned::Text(text.to_owned()));
        }
        Name::Bytes => return bytes(text).map(Owned::Bytes),
        Name::Integer => integer(text)?,
        Name::Decimal => decimal(text)?,
        Name::Boolean => PartValue::Boolean(text.parse().ok()?),
        Name::Uuid => PartValue::Uuid(uuid(text)?),
        Name::Ulid => PartValue::Ulid(ulid(text)?),
        Name::Time | Name::Date => return None,
    };
    Some(Owned::Other(value))
}

/// The expected form, in words, with an example.
pub(crate) fn expected(part: &PartSchema) -> String {
    match (part.kind, part.values) {
        (Name::Enum, Some(values)) => format!("one of {}", values.join(", ")),
        (Name::Text, _) => "a text of at least one character".into(),
        (Name::Time, _) => {
            "a time, such as 2025-06-01T09:00:00Z, or a part of one, such as 2025-06".into()
        }
        (Name::Date, _) => "a date, such as 2025-06-01, or a part of one, such as 2025-06".into(),
        (Name::Boolean, _) => "true or false".into(),
        (Name::Uuid, _) => "a UUID of 32 hexadecimal digits".into(),
        (Name::Ulid, _) => "a ULID of 26 characters".into(),
        (Name::Bytes, _) => "bytes as hexadecimal digits, such as 01ff".into(),
        (kind, _) => kind.as_str().into(),
    }
}

fn integer(text: &str) -> Option<PartValue<'static>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse().ok()?;
    let negative = negative && magnitude != 0;
    Some(PartValue::Integer {
        negative,
        magnitude,
    })
}

fn decimal(text: &str) -> Option<PartValue<'static>> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}");
    if whole.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: u128 = digits.parse().ok()?;
    Some(PartValue::Decimal {
        negative: negative && digits != 0,
        digits,
        exponent: -i32::try_from(fraction.len()).ok()?,
    })
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    let pairs = (0..text.len()).step_by(2);
    let pairs = pairs.map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok());
    pairs.collect()
}

fn uuid(text: &str) -> Option<[u8; 16]> {
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    bytes(&digits)?.try_into().ok()
}

/// Crockford's base 32.
fn ulid(text: &str) -> Option<[u8; 16]> {
    const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    if text.len() != 26 {
        return None;
    }
    let number = text.bytes().try_fold(0_u128, |number, byte| {
        let upper = byte.to_ascii_uppercase();
        let digit = DIGITS.iter().position(|it| *it == upper)?;
        Some(number.checked_mul(32)? | digit as u128)
    })?;
    Some(number.to_be_bytes())
}
