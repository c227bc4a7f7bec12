//! Is a stored key the key that these values build? Compared part by part, so that no key is built.

use super::PartValue;
use super::decimal::Decimal;
use super::item::{self, Source};
use super::template::{EpochUnit, Form, PartSchema, Precision, Spec, Template, Transform};
use super::text::{self, Encoded};
use super::value::KeyRef;
use crate::schema::KeyType;

impl Template {
    /// Returns whether `stored` is the key that the fields of `source` build.
    pub(crate) fn is_key_of(
        &self,
        key_type: KeyType,
        source: &dyn Source,
        stored: KeyRef<'_>,
    ) -> bool {
        match (key_type, stored) {
            (KeyType::S, KeyRef::S(text)) => self.is_text_of(source, text.as_bytes()),
            (KeyType::N, KeyRef::N(number)) => self.is_bare_value(source, |part, value| {
                let value = part.to_number(value);
                text::decode_integer(number) == Some(value)
                    || Decimal::of(value).is_some() && Decimal::of(value) == Decimal::parse(number)
            }),
            (KeyType::B, KeyRef::B(bytes)) => {
                self.is_bare_value(source, |_, value| value == PartValue::Bytes(bytes))
            }
            _ => false,
        }
    }

    /// Returns whether the fields build this text key. Compares bytes, because every read item is
    /// checked.
    pub(crate) fn is_text_of(&self, source: &dyn Source, text: &[u8]) -> bool {
        let Some(mut rest) = text::strip_prefix(text, self.head.as_bytes()) else {
            return false;
        };
        for part in self.parts {
            let Some(value) = item::part_of(source, part) else {
                return false;
            };
            let after = text::strip(part, value, rest);
            match after.and_then(|after| text::strip_prefix(after, part.after.as_bytes())) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        rest.is_empty()
    }

    fn is_bare_value(
        &self,
        source: &dyn Source,
        is_stored: impl FnOnce(&PartSchema, PartValue<'_>) -> bool,
    ) -> bool {
        let [part] = self.parts else { return false };
        let value = source.part(part.field);
        value.is_some_and(|value| is_stored(part, value))
    }

    /// Returns whether `strip` consumes all of `text`, part by part.
    #[inline]
    fn is_text<'k>(
        &self,
        text: &'k str,
        strip: impl Fn(usize, &'k str) -> Option<&'k str>,
    ) -> bool {
        let mut parts = self.parts.iter().enumerate();
        let rest = text.strip_prefix(self.head).and_then(|text| {
            parts.try_fold(text, |rest, (at, part)| {
                strip(at, rest)?.strip_prefix(part.after)
            })
        });
        rest == Some("")
    }

    /// Returns the placeholder that would build `stored` from the same fields, instead of one of
    /// this template's: the fix where [`Self::is_key_of`] returns false.
    #[cold]
    pub(crate) fn placeholder_for(&self, source: &dyn Source, stored: &str) -> Option<String> {
        let part = self.parts.iter().enumerate().find_map(|(at, part)| {
            let candidates = candidates(part, source.part(part.field)?);
            let fits = |other: &PartSchema| {
                self.is_text(stored, |i, rest| {
                    let part = if i == at { other } else { &self.parts[i] };
                    let text = Encoded::new(part, source.part(part.field)?).ok()?;
                    text.strip(part.escape, rest)
                })
            };
            candidates.into_iter().find(fits)
        })?;
        Some(match part.spec {
            Spec::PLAIN => format!("<{}>", part.field),
            spec => format!("<{}:{spec}>", part.field),
        })
    }
}

/// Returns the same placeholder with every other spec that its value can have.
fn candidates(part: &PartSchema, value: PartValue<'_>) -> Vec<PartSchema> {
    let times = [
        Precision::Seconds,
        Precision::Millis,
        Precision::Micros,
        Precision::Nanos,
    ];
    let mut specs = vec![Spec::PLAIN];
    let with_descending = |form| {
        let ascending = Spec::of(form);
        [ascending, ascending.with(Transform::Descending)]
    };
    match value {
        PartValue::Text(_) => {
            let cases = [Transform::Lower, Transform::Upper].map(|it| Spec::PLAIN.with(it));
            specs.push(Spec::PLAIN.raw());
            specs.extend(cases);
            specs.extend(cases.map(Spec::raw));
        }
        PartValue::Integer { .. } => {
            specs.extend((1..=39).map(Form::Padded).flat_map(with_descending));
        }
        PartValue::Time { .. } => {
            let epochs = [EpochUnit::Seconds, EpochUnit::Millis].map(Form::Epoch);
            let forms = times.map(Form::Precision).into_iter().chain(epochs);
            specs.extend(forms.flat_map(with_descending));
        }
        _ => {}
    }
    let with = |spec| part.with_spec(spec);
    specs.into_iter().map(with).collect()
}
