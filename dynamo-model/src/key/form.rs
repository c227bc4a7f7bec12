//! Decides from the schema alone whether a stored key has the form of a template, so that it works
//! for any entity.

use super::bucket::TimeBucket;
use super::parse::{RawPart, Split};
use super::shard::Shard;
use super::template::{Form, PartSchema, Template};
use super::value::KeyRef;
use crate::schema::KeyType;
use std::borrow::Cow;

/// Returns whether both halves of a key have the form of these templates. A value that only the
/// type of a field could refuse is accepted.
pub(crate) fn has_form(
    templates: (&'static Template, Option<&'static Template>),
    types: (KeyType, KeyType),
    keys: (KeyRef<'_>, Option<KeyRef<'_>>),
) -> bool {
    let split = Split::new(templates, types, keys);
    split.is_ok_and(|split| (0..split.len()).all(|at| split.is_written(at)))
}

impl Split<'_> {
    /// Returns whether the text of a part is the text of its value.
    fn is_written(&self, at: usize) -> bool {
        let (part, raw) = self.part(at);
        let same = |at: &usize| self.part(*at).0.field == part.field;
        let fidelity = |at: usize| Some((self.part(at).0.fidelity()?, at));
        match (0..self.len()).filter(same).filter_map(fidelity).max() {
            Some((_, best)) => {
                let (of, best) = self.part(best);
                let mut text = Cow::Borrowed("");
                let value = of.read(best, &mut text);
                value.is_some_and(|value| part.writes(value, raw)) && part.is_variant(raw)
            }
            // No place has the whole value.
            None => match (part.spec.form, raw) {
                (Form::Format(pieces), RawPart::Text(text)) => {
                    TimeBucket::default().read(pieces, text).is_some()
                }
                (Form::Shard(count), RawPart::Text(text)) => Shard::parse(text, count).is_some(),
                _ => false,
            },
        }
    }

    fn part(&self, at: usize) -> (&'static PartSchema, RawPart<'_>) {
        let (template, index, raw) = self.at(at);
        (&template.parts[index], raw)
    }
}

impl PartSchema {
    /// Returns whether the text is that of a variant, if the part is an enum.
    fn is_variant(&self, raw: RawPart<'_>) -> bool {
        match (self.spec.form, self.spec.transform, self.values, raw) {
            (.., RawPart::Text("")) if self.spec.or_empty => true,
            (Form::Plain, None, Some(values), RawPart::Text(text)) => {
                let text = self.unescape(text);
                text.is_some_and(|text| values.contains(&&*text))
            }
            _ => true,
        }
    }
}

impl Template {
    /// Returns whether a key begins as this template does. A template without placeholders is the
    /// whole key.
    pub(crate) fn begins(&self, key: KeyRef<'_>) -> bool {
        match key {
            KeyRef::S(text) if self.parts.is_empty() => text == self.head,
            KeyRef::S(text) => text.starts_with(self.head),
            _ => self.head.is_empty(),
        }
    }
}
