//! The part of a time below the second, as Go's RFC3339Nano writes it.

use dynamo_model::KeyPart;
use dynamo_model::key::{PartError, PartValue, kind};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// The end of a time in RFC3339Nano: `.123456789Z`, or `Z` where the second is whole.
///
/// The document stores `CreatedAt` in seconds and writes nanoseconds into the key, so the key is
/// more precise than the attribute. Go omits trailing zeros: the document's items have any number
/// of digits, and this type keeps each of them, so that an item is written back to its own key. New
/// items have nine digits, which sort.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(try_from = "String", into = "String")]
pub struct Fraction(String);

impl Fraction {
    /// That of a time, with nine digits.
    #[must_use]
    pub fn of(time: Timestamp) -> Self {
        let nanos = time.as_nanosecond().rem_euclid(1_000_000_000);
        Self(format!(".{nanos:09}Z"))
    }

    /// Returns its nanoseconds.
    #[must_use]
    pub fn nanos(&self) -> i64 {
        let digits = self.0.trim_matches(['.', 'Z']);
        format!("{digits:0<9}").parse().unwrap_or_default()
    }

    /// Returns the instant in the second that `time` begins or is in.
    #[must_use]
    pub fn within(&self, time: Timestamp) -> Timestamp {
        crate::whole_seconds(time) + SignedDuration::from_nanos(self.nanos())
    }
}

impl TryFrom<String> for Fraction {
    type Error = PartError;

    fn try_from(text: String) -> Result<Self, PartError> {
        let digits = match text.as_str() {
            "Z" => return Ok(Self(text)),
            other => other.strip_prefix('.').and_then(|it| it.strip_suffix('Z')),
        };
        let is_digits = |it: &str| it.len() <= 9 && it.bytes().all(|byte| byte.is_ascii_digit());
        match digits {
            Some(digits) if !digits.is_empty() && is_digits(digits) => Ok(Self(text)),
            _ => Err(PartError::expected(
                "a fraction of a second in UTC, as `.123456789Z` or `Z`",
            )),
        }
    }
}

impl From<Fraction> for String {
    fn from(fraction: Fraction) -> Self {
        fraction.0
    }
}

impl KeyPart for Fraction {
    type Kind = kind::Text;

    fn to_part(&self) -> PartValue<'_> {
        self.0.to_part()
    }

    fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
        String::from_part(value)?.try_into()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Fraction;
    use jiff::Timestamp;

    fn parse(text: &str) -> Option<Fraction> {
        Fraction::try_from(text.to_owned()).ok()
    }

    #[test]
    fn a_fraction_writes_nine_digits_and_reads_any_number() {
        let time: Timestamp = "2024-01-15T10:30:00.0123Z".parse().unwrap();
        assert_eq!(String::from(Fraction::of(time)), ".012300000Z");
        for text in [".0123Z", ".012300000Z"] {
            let fraction = parse(text).unwrap();
            assert_eq!(fraction.within(time), time);
            assert_eq!(String::from(fraction), text);
        }
        assert_eq!(parse("Z").unwrap().nanos(), 0);
    }

    #[test]
    fn fractions_sort_within_a_second() {
        let at = |nanos| Fraction::of(Timestamp::new(-1, nanos).unwrap_or_default());
        let sorted = [at(-999_999_999), at(-500_000_000), at(-1)].map(String::from);
        assert!(sorted.is_sorted(), "{sorted:?}");
    }

    #[test]
    fn a_fraction_refuses_other_text() {
        for text in [
            "",
            ".Z",
            ".1",
            "1Z",
            ".1234567890Z",
            ".1+09:00",
            ".1Z#x",
            "z",
            ".-1Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
