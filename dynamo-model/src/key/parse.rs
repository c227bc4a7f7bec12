//! Key text → parts. A text that `build` would not have written is refused, so a parsed key, built
//! again, is the same key.

use super::bucket::TimeBucket;
use super::decimal::Decimal;
use super::declared::{key_type, templates};
use super::part::kind::Name;
use super::part::{KeyPart, PartValue};
use super::shard::Shard;
#[cfg(feature = "client")]
use super::template::Transform;
use super::template::{Field, Form, PartSchema, Role, Template};
use super::text::{self, Encoded};
use super::value::KeyRef;
#[cfg(feature = "client")]
use super::{KeyValue, fields::OwnedPart};
use crate::entity::Entity;
use crate::error::{KeyError, KeyErrorKind};
use crate::index::IndexMarker;
use crate::schema::KeyType;
use std::borrow::Cow;

/// The text of one part in the key, still escaped; or the bytes of a B key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RawPart<'k> {
    Text(&'k str),
    Number(&'k str),
    Bytes(&'k [u8]),
}

impl Template {
    /// Takes a key apart at its delimiters.
    pub(crate) fn split_into<'k>(
        &self,
        key_type: KeyType,
        key: KeyRef<'k>,
        raw: &mut [RawPart<'k>],
    ) -> Result<(), KeyError> {
        self.check_stored_length(key)?;
        match (key_type, key) {
            (KeyType::S, KeyRef::S(text)) => self.split_text(text, raw)?,
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
        Ok(())
    }

    /// Checks that a key has the form of this template. A number or bytes always have it.
    #[cfg(feature = "client")]
    pub(crate) fn fits(&self, key: KeyRef<'_>) -> Result<(), KeyError> {
        let KeyRef::S(text) = key else { return Ok(()) };
        self.split_text(text, &mut vec![RawPart::Text(""); self.parts.len()])
    }

    /// Refuses a key that DynamoDB could not have stored.
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
                // Shorter than every value of the part.
                Some(_) => self.error(part, KeyErrorKind::Malformed),
                None => no_match(part.after, rest),
            })?;
            let (this, after) = rest.split_at(len);
            if this.is_empty() && !part.spec.or_empty {
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
    /// Returns how much of `rest` belongs to this part.
    fn raw_len(&self, rest: &str) -> Option<usize> {
        match (self.width, self.spec.raw) {
            _ if self.spec.or_empty && rest.starts_with(self.after) && self.is_empty_in(rest) => {
                Some(0)
            }
            (Some(width), _) => rest.is_char_boundary(width).then_some(width),
            (None, _) if self.after.is_empty() => Some(rest.len()),
            (None, true) => rest.find(self.after),
            // The delimiter's first character is in no escaped value.
            (None, false) => rest.find(self.after.chars().next()?),
        }
    }

    /// Returns whether the part is empty in `rest`, which continues with the delimiter.
    fn is_empty_in(&self, rest: &str) -> bool {
        !self.after.is_empty() || rest.is_empty()
    }

    /// Returns the text without escapes.
    pub(super) fn unescape<'k>(&self, raw: &'k str) -> Option<Cow<'k, str>> {
        if self.escape.count(raw) == 0 {
            return Some(Cow::Borrowed(raw));
        }
        self.escape.undo(raw).map(Cow::Owned)
    }

    /// Returns the value. `text` keeps the unescaped text that it borrows.
    pub(crate) fn read<'k>(
        &self,
        raw: RawPart<'k>,
        text: &'k mut Cow<'k, str>,
    ) -> Option<PartValue<'k>> {
        match raw {
            RawPart::Bytes(bytes) => Some(PartValue::Bytes(bytes)),
            RawPart::Number(number) if self.kind == Name::Decimal => {
                Decimal::parse(number).map(Decimal::to_part)
            }
            RawPart::Number(number) => self.of_number(text::decode_integer(number)?),
            RawPart::Text("") if self.spec.or_empty => Some(PartValue::Absent),
            RawPart::Text(raw) => {
                *text = self.unescape(raw)?;
                text::decode(self, text)
            }
        }
    }

    /// Ranks how much of a value can be restored; 0 if it cannot be restored completely.
    #[cfg(feature = "client")]
    pub(super) const fn fidelity(&self) -> Option<usize> {
        match (self.spec.form, self.spec.transform) {
            (Form::Format(_) | Form::Shard(_), _) => None,
            (_, Some(Transform::Lower | Transform::Upper)) => Some(0),
            (Form::Plain | Form::Padded(_), _) => Some(usize::MAX),
            (form, _) => match form.fraction_digits() {
                Some(digits) => Some(1 + digits),
                None => None,
            },
        }
    }

    /// Returns whether `value` is written in this part as `raw`.
    pub(crate) fn writes(&self, value: PartValue<'_>, raw: RawPart<'_>) -> bool {
        match (value, raw) {
            (PartValue::Bytes(bytes), RawPart::Bytes(raw)) => bytes == raw,
            (_, RawPart::Bytes(raw)) => {
                core::str::from_utf8(raw).is_ok_and(|raw| self.writes(value, RawPart::Text(raw)))
            }
            // DynamoDB writes a number in its own way.
            (PartValue::Decimal { .. }, RawPart::Number(raw)) => {
                Decimal::of(value) == Decimal::parse(raw)
            }
            (value, RawPart::Number(raw)) => {
                Encoded::new(self, self.to_number(value)).is_ok_and(|text| text.text() == raw)
            }
            (value, RawPart::Text(raw)) => {
                Encoded::new(self, value).is_ok_and(|text| text.strip(self.escape, raw) == Some(""))
            }
        }
    }
}

/// A key taken apart: its halves one after the other.
#[doc(hidden)]
#[derive(Debug)]
pub struct Split<'k> {
    pk: &'static Template,
    sk: Option<&'static Template>,
    few: [RawPart<'k>; FEW],
    /// Where there are more.
    many: Vec<RawPart<'k>>,
}

/// More parts than this are rare, and take an allocation.
const FEW: usize = 8;

/// For generated code: a key of an entity, in the table or in an index.
#[doc(hidden)]
pub fn split<'k, E: Entity, I: IndexMarker>(
    pk: KeyRef<'k>,
    sk: Option<KeyRef<'k>>,
) -> Result<Split<'k>, KeyError> {
    let types = const {
        (
            key_type::<E, I>(Role::PartitionKey),
            key_type::<E, I>(Role::SortKey),
        )
    };
    Split::new(const { templates::<E, I>() }, types, (pk, sk))
}

/// For generated code: the fields of a key, each in one place, in the order of these places.
#[doc(hidden)]
pub fn parts<E: Entity, I: IndexMarker, F: Fields>(
    pk: KeyRef<'_>,
    sk: Option<KeyRef<'_>>,
) -> Result<F::Values, KeyError> {
    F::decode(&split::<E, I>(pk, sk)?, 0)
}

/// Fields, as pairs of one and the rest.
#[doc(hidden)]
pub trait Fields {
    type Values;
    fn decode(key: &Split<'_>, at: usize) -> Result<Self::Values, KeyError>;
}

impl Fields for () {
    type Values = ();

    fn decode(_: &Split<'_>, _: usize) -> Result<(), KeyError> {
        Ok(())
    }
}

impl<F: Field<Part: Sized>, R: Fields> Fields for (F, R) {
    type Values = (F::Part, R::Values);

    fn decode(key: &Split<'_>, at: usize) -> Result<Self::Values, KeyError> {
        Ok((key.decode::<F>(at)?, R::decode(key, at + 1)?))
    }
}

impl<'k> Split<'k> {
    pub(super) fn new(
        (pk, sk): (&'static Template, Option<&'static Template>),
        (pk_type, sk_type): (KeyType, KeyType),
        (pk_key, sk_key): (KeyRef<'k>, Option<KeyRef<'k>>),
    ) -> Result<Self, KeyError> {
        let count = pk.parts.len() + sk.map_or(0, |sk| sk.parts.len());
        let mut split = Self {
            pk,
            sk,
            few: [RawPart::Text(""); FEW],
            many: vec![RawPart::Text(""); if count > FEW { count } else { 0 }],
        };
        let raw = match count > FEW {
            true => &mut split.many[..],
            false => &mut split.few[..],
        };
        let (pk_raw, sk_raw) = raw.split_at_mut(pk.parts.len());
        pk.split_into(pk_type, pk_key, pk_raw)?;
        match (sk, sk_key) {
            (Some(sk), Some(key)) => sk.split_into(sk_type, key, &mut sk_raw[..sk.parts.len()])?,
            (Some(sk), None) => return Err(sort_key(sk, true)),
            (None, Some(_)) => return Err(sort_key(pk, false)),
            (None, None) => {}
        }
        Ok(split)
    }

    /// Returns how many parts both halves have.
    #[cfg(feature = "client")]
    pub(super) fn len(&self) -> usize {
        self.pk.parts.len() + self.sk.map_or(0, |sk| sk.parts.len())
    }

    /// Returns a part, counted through the partition key and then the sort key, with its template
    /// and its place in it.
    pub(super) fn at(&self, index: usize) -> (&'static Template, usize, RawPart<'k>) {
        let raw = match self.many.is_empty() {
            true => self.few[index],
            false => self.many[index],
        };
        match (index.checked_sub(self.pk.parts.len()), self.sk) {
            (Some(index), Some(sk)) => (sk, index, raw),
            _ => (self.pk, index, raw),
        }
    }
}

/// Reports that the sort key is missing, or given although the entity declares none.
#[cold]
fn sort_key(template: &Template, expected: bool) -> KeyError {
    KeyError::new(template, None, KeyErrorKind::SortKey { expected })
}

impl Split<'_> {
    /// Returns the value of a field from its part of the key.
    pub fn decode<F: Field>(&self, index: usize) -> Result<F::Part, KeyError>
    where
        F::Part: Sized,
    {
        self.decode_as::<F::Part>(index)
    }

    /// Returns the same for a borrowed field, whose owned form is `T`.
    pub fn decode_as<T: KeyPart>(&self, index: usize) -> Result<T, KeyError> {
        let (template, index, raw) = self.at(index);
        decode_as::<T>(template, index, raw)
    }

    /// Returns the value of an optional field, from a part that may be empty. `T` is the type of
    /// the field, or the owned form of a borrowed one.
    pub fn decode_optional<T: KeyPart>(&self, index: usize) -> Result<Option<T>, KeyError> {
        match self.at(index) {
            (template, at, RawPart::Text("")) if template.parts[at].spec.or_empty => Ok(None),
            _ => self.decode_as::<T>(index).map(Some),
        }
    }

    /// Checks that another part with the same field has the same value.
    pub fn agree(&self, index: usize, value: PartValue<'_>) -> Result<(), KeyError> {
        let (template, index, raw) = self.at(index);
        agree(template, index, raw, value)
    }

    /// Adds the units of a time in one more part of the key.
    pub fn decode_bucket(&self, index: usize, known: TimeBucket) -> Result<TimeBucket, KeyError> {
        let (template, index, raw) = self.at(index);
        decode_bucket(template, index, raw, known)
    }

    /// Returns the shard that a part names.
    pub fn decode_shard(&self, index: usize) -> Result<Shard, KeyError> {
        let (template, index, raw) = self.at(index);
        decode_shard(template, index, raw)
    }
}

/// Returns the value of a field from its part of the key.
fn decode_as<T: KeyPart>(
    template: &'static Template,
    index: usize,
    raw: RawPart<'_>,
) -> Result<T, KeyError> {
    let part = &template.parts[index];
    let error = |kind| template.error(part, kind);
    let mut text = Cow::Borrowed("");
    let value = part.read(raw, &mut text);
    let value = value.ok_or_else(|| error(KeyErrorKind::Malformed))?;
    let value = T::from_part(value).map_err(|source| error(KeyErrorKind::Refused(source)))?;
    if part.writes(value.to_part(), raw) {
        Ok(value)
    } else {
        Err(error(KeyErrorKind::Malformed))
    }
}

/// Checks that another part with the same field has the same value.
fn agree(
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

/// Adds the units of a time in one more part of the key.
fn decode_bucket(
    template: &'static Template,
    index: usize,
    raw: RawPart<'_>,
    known: TimeBucket,
) -> Result<TimeBucket, KeyError> {
    let part = &template.parts[index];
    match (part.spec.form, raw) {
        (Form::Format(pieces), RawPart::Text(text)) => known.read(pieces, text),
        _ => None,
    }
    .ok_or_else(|| template.error(part, KeyErrorKind::Malformed))
}

/// Returns the shard that a part names.
fn decode_shard(
    template: &'static Template,
    index: usize,
    raw: RawPart<'_>,
) -> Result<Shard, KeyError> {
    let part = &template.parts[index];
    match (part.spec.form, raw) {
        (Form::Shard(count), RawPart::Text(text)) => Shard::parse(text, count),
        _ => None,
    }
    .ok_or_else(|| template.error(part, KeyErrorKind::Malformed))
}

/// Returns the fields that a key restores completely.
#[cfg(feature = "client")]
pub(crate) fn whole_fields(
    (pk, sk): (&'static Template, Option<&'static Template>),
) -> impl Iterator<Item = &'static str> {
    let sk = sk.into_iter().flat_map(|sk| sk.parts);
    let whole = |part: &&PartSchema| part.is_lossless();
    pk.parts
        .iter()
        .chain(sk)
        .filter(whole)
        .map(|part| part.field)
}

/// Returns their values, by the schema alone: each from its most detailed part.
#[cfg(feature = "client")]
pub(crate) fn whole_values(
    halves: &[(&'static Template, KeyType, KeyValue)],
) -> Result<Vec<(&'static str, OwnedPart)>, KeyError> {
    let mut found: Vec<(&'static str, OwnedPart, usize)> = Vec::new();
    for (template, key_type, key) in halves {
        let mut raw = vec![RawPart::Text(""); template.parts.len()];
        template.split_into(*key_type, key.as_ref(), &mut raw)?;
        for (part, raw) in template.parts.iter().zip(raw) {
            let Some(fidelity) = part.fidelity() else {
                continue;
            };
            let mut text = Cow::Borrowed("");
            let value = part.read(raw, &mut text);
            let value = value.filter(|value| part.writes(*value, raw));
            let value = value.ok_or_else(|| template.error(part, KeyErrorKind::Malformed))?;
            match found.iter_mut().find(|(field, ..)| *field == part.field) {
                Some((_, _, known)) if *known >= fidelity => {}
                Some(context) => *context = (part.field, value.into(), fidelity),
                None => found.push((part.field, value.into(), fidelity)),
            }
        }
    }
    Ok(found
        .into_iter()
        .map(|(field, value, _)| (field, value))
        .collect())
}
