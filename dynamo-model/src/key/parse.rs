//! Key text → parts. What `build` would not have written is refused: a parsed key, built again, is the
//! same key.

use super::bucket::TimeBucket;
use super::part::{KeyPart, PartValue};
use super::shard::Shard;
use super::template::{Field, PartSchema, Spec, Template};
use super::text::{self, Encoded};
use super::value::KeyRef;
use crate::error::{KeyError, KeyErrorKind};
use crate::schema::KeyType;
use std::borrow::Cow;

/// The text of one part, as it stands in the key, still escaped; or the bytes of a B key.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum RawPart<'k> {
    Text(&'k str),
    Number(&'k str),
    Bytes(&'k [u8]),
}

impl Template {
    /// Takes a key apart at its delimiters.
    #[doc(hidden)]
    pub fn split<'k, const P: usize>(
        &'static self,
        key_type: KeyType,
        key: KeyRef<'k>,
    ) -> Result<[RawPart<'k>; P], KeyError> {
        let mut raw = [RawPart::Text(""); P];
        self.check_stored_length(key)?;
        match (key_type, key) {
            (KeyType::S, KeyRef::S(text)) => self.split_text(text, &mut raw)?,
            (KeyType::N, KeyRef::N(text)) => raw.fill(RawPart::Number(text)),
            (KeyType::B, KeyRef::B(bytes)) => raw.fill(RawPart::Bytes(bytes)),
            (expected, found) => {
                let kind = KeyErrorKind::WrongType {
                    expected: expected.as_str(),
                    found: found.key_type().as_str(),
                };
                return Err(KeyError::new(self, None, kind));
            }
        }
        Ok(raw)
    }

    /// What DynamoDB could never have stored.
    fn check_stored_length(&self, key: KeyRef<'_>) -> Result<(), KeyError> {
        let field = self.parts.first().map(|part| part.field);
        let (bytes, max) = (key.len(), self.role.max_bytes());
        match bytes {
            0 => Err(KeyError::new(self, field, KeyErrorKind::Empty)),
            _ if bytes > max => Err(KeyError::new(
                self,
                field,
                KeyErrorKind::TooLong { bytes, max },
            )),
            _ => Ok(()),
        }
    }

    fn split_text<'k>(&self, key: &'k str, raw: &mut [RawPart<'k>]) -> Result<(), KeyError> {
        let at = |rest: &str| key.len() - rest.len();
        let no_match = |expected, rest: &str| {
            KeyError::new(
                self,
                None,
                KeyErrorKind::NoMatch {
                    expected,
                    at: at(rest),
                },
            )
        };
        let mut rest = key
            .strip_prefix(self.head)
            .ok_or_else(|| no_match(self.head, key))?;
        for (part, raw) in self.parts.iter().zip(raw) {
            let len = part.raw_len(rest).ok_or_else(|| match part.width {
                // Too short for what every value of the part takes.
                Some(_) => self.error(part, KeyErrorKind::Malformed),
                None => no_match(part.after, rest),
            })?;
            let (this, after) = rest.split_at(len);
            if this.is_empty() {
                return Err(self.error(part, KeyErrorKind::Empty));
            }
            *raw = RawPart::Text(this);
            rest = after
                .strip_prefix(part.after)
                .ok_or_else(|| no_match(part.after, after))?;
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err(no_match("", rest))
        }
    }
}

impl PartSchema {
    /// How much of `rest` this part takes.
    fn raw_len(&self, rest: &str) -> Option<usize> {
        match (self.width, self.spec) {
            (Some(width), _) => rest.is_char_boundary(width).then_some(width),
            (None, _) if self.after.is_empty() => Some(rest.len()),
            (None, Spec::Raw) => rest.find(self.after),
            // The delimiter's first character is in no escaped value.
            (None, _) => rest.find(self.after.chars().next()?),
        }
    }

    /// The text, unescaped.
    fn unescape<'k>(&self, raw: &'k str) -> Option<Cow<'k, str>> {
        if self.escape.count(raw) == 0 {
            return Some(Cow::Borrowed(raw));
        }
        self.escape.undo(raw).map(Cow::Owned)
    }

    /// Whether `value` is written in this part as `raw`.
    fn writes(&self, value: PartValue<'_>, raw: RawPart<'_>) -> bool {
        match (value, raw) {
            (PartValue::Bytes(bytes), RawPart::Bytes(raw)) => bytes == raw,
            (_, RawPart::Bytes(raw)) => {
                core::str::from_utf8(raw).is_ok_and(|raw| self.writes(value, RawPart::Text(raw)))
            }
            (value, RawPart::Text(raw) | RawPart::Number(raw)) => Encoded::new(self, value)
                .is_ok_and(|text| {
                    let mut out = String::with_capacity(raw.len());
                    text.push(self.escape, &mut out);
                    out == raw
                }),
        }
    }
}

/// The value of a field from its part of the key.
#[doc(hidden)]
pub fn decode<F: Field>(
    template: &'static Template,
    index: usize,
    raw: RawPart<'_>,
) -> Result<F::Part, KeyError>
where
    F::Part: Sized,
{
    decode_as::<F::Part>(template, index, raw)
}

/// Likewise, for a borrowed field, whose owned form is `T`.
#[doc(hidden)]
pub fn decode_as<T: KeyPart>(
    template: &'static Template,
    index: usize,
    raw: RawPart<'_>,
) -> Result<T, KeyError> {
    let part = &template.parts[index];
    let error = |kind| template.error(part, kind);
    let unescaped;
    let value = match raw {
        RawPart::Bytes(bytes) => Some(PartValue::Bytes(bytes)),
        RawPart::Number(number) => text::decode_integer(number),
        RawPart::Text(raw) => {
            unescaped = part
                .unescape(raw)
                .ok_or_else(|| error(KeyErrorKind::Malformed))?;
            text::decode(part, &unescaped)
        }
    };
    let value = value.ok_or_else(|| error(KeyErrorKind::Malformed))?;
    let value = T::from_part(value).map_err(|source| error(KeyErrorKind::Refused(source)))?;
    if part.writes(value.to_part(), raw) {
        Ok(value)
    } else {
        Err(error(KeyErrorKind::Malformed))
    }
}

/// Checks that another place where the field stands says the same.
#[doc(hidden)]
pub fn agree(
    template: &'static Template,
    index: usize,
    raw: RawPart<'_>,
    value: PartValue<'_>,
) -> Result<(), KeyError> {
    let part = &template.parts[index];
    if part.writes(value, raw) {
        Ok(())
    } else {
        Err(template.error(part, KeyErrorKind::Disagrees))
    }
}

/// What one more part of the key says of a time.
#[doc(hidden)]
pub fn decode_bucket(
    template: &'static Template,
    index: usize,
    raw: RawPart<'_>,
    known: TimeBucket,
) -> Result<TimeBucket, KeyError> {
    let part = &template.parts[index];
    match (part.spec, raw) {
        (Spec::Format(pieces), RawPart::Text(text)) => known.read(pieces, text),
        _ => None,
    }
    .ok_or_else(|| template.error(part, KeyErrorKind::Malformed))
}

/// The shard that a part names.
#[doc(hidden)]
pub fn decode_shard(
    template: &'static Template,
    index: usize,
    raw: RawPart<'_>,
) -> Result<Shard, KeyError> {
    let part = &template.parts[index];
    match (part.spec, raw) {
        (Spec::Shard(count), RawPart::Text(text)) => Shard::parse(text, count),
        _ => None,
    }
    .ok_or_else(|| template.error(part, KeyErrorKind::Malformed))
}
