//! A range over one part of a sort key → one condition over the text.
//!
//! DynamoDB takes one condition on a sort key, and the only one with two ends is `BETWEEN`, which
//! includes both. So every range, by part and with included or excluded ends, becomes inclusive
//! bounds on text. They are exact because a part that sorts is followed by a delimiter smaller than
//! any byte of the part. So all keys with the value `v` lie between `v` and `v` + the character
//! after the delimiter, and neither of the two is itself a key.

use super::decimal::Decimal;
use super::part::kind::Name;
use super::part::{KeyPart, PartValue};
use super::sort_key::PrefixBuilder;
use super::template::Template;
use super::text::Encoded;
use super::value::KeyValue;
use crate::error::{KeyError, KeyErrorKind};
use crate::schema::KeyType;
use core::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// A condition on a sort key, as DynamoDB takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(hidden)]
pub enum SortCondition {
    /// Every item of the partition.
    Any,
    /// No item can match: the range is empty.
    Nothing,
    /// `sk = …`
    Equals(KeyValue),
    /// `begins_with(sk, …)`
    BeginsWith(String),
    /// `sk BETWEEN … AND …`
    Between(KeyValue, KeyValue),
    /// `sk >= …`
    AtLeast(KeyValue),
    /// `sk <= …`
    AtMost(KeyValue),
    /// The first attributes of a sort key are equal to these values, and the next one meets the
    /// condition.
    After(Vec<KeyValue>, Box<SortCondition>),
}

impl SortCondition {
    /// The same condition on the attribute after those with the `given` values.
    pub(crate) fn after(self, given: Vec<KeyValue>) -> Self {
        match self {
            Self::Nothing => Self::Nothing,
            condition if given.is_empty() => condition,
            condition => Self::After(given, Box::new(condition)),
        }
    }
}

/// A range of values for a part of type `T`: any of Rust's six forms.
///
/// ```
/// use dynamo_model::key::KeyRange;
///
/// fn takes(range: impl KeyRange<u32>) {
///     let _ = range.bounds();
/// }
/// takes(1..3);
/// takes(..=3);
/// takes(..);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of `{T}`",
    note = "write `from..to`, `from..=to`, `from..`, `..to`, `..=to` or `..`"
)]
pub trait KeyRange<T: ?Sized> {
    /// Returns both ends.
    fn bounds(&self) -> (Bound<PartValue<'_>>, Bound<PartValue<'_>>)
    where
        T: KeyPart;
}

macro_rules! ranges {
    ($($range:ident |$this:ident| $start:expr, $end:expr;)*) => {$(
        impl<T: ?Sized, A: super::AsKeyPart<T>> KeyRange<T> for $range<A> {
            fn bounds(&self) -> (Bound<PartValue<'_>>, Bound<PartValue<'_>>)
            where
                T: KeyPart,
            {
                let $this = self;
                ($start, $end)
            }
        }
    )*};
}

ranges! {
    Range |this| Bound::Included(this.start.as_part()), Bound::Excluded(this.end.as_part());
    RangeInclusive |this| Bound::Included(this.start().as_part()), Bound::Included(this.end().as_part());
    RangeFrom |this| Bound::Included(this.start.as_part()), Bound::Unbounded;
    RangeTo |this| Bound::Unbounded, Bound::Excluded(this.end.as_part());
    RangeToInclusive |this| Bound::Unbounded, Bound::Included(this.end.as_part());
}

impl<T: ?Sized> KeyRange<T> for RangeFull {
    fn bounds(&self) -> (Bound<PartValue<'_>>, Bound<PartValue<'_>>)
    where
        T: KeyPart,
    {
        (Bound::Unbounded, Bound::Unbounded)
    }
}

impl<T: ?Sized, A: super::AsKeyPart<T>> KeyRange<T> for (Bound<A>, Bound<A>) {
    fn bounds(&self) -> (Bound<PartValue<'_>>, Bound<PartValue<'_>>)
    where
        T: KeyPart,
    {
        (
            self.0.as_ref().map(A::as_part),
            self.1.as_ref().map(A::as_part),
        )
    }
}

/// Both ends of a range.
pub(crate) type Bounds<'a> = (Bound<PartValue<'a>>, Bound<PartValue<'a>>);

impl PrefixBuilder {
    /// Returns the condition for keys whose next part lies in the range.
    pub(crate) fn range(self, bounds: Bounds<'_>) -> Result<SortCondition, KeyError> {
        let mut this = self.at_next_part();
        let given = this.take_given()?;
        let range = match this.key_type {
            KeyType::S => this.text_range(bounds),
            KeyType::N => this.number_range(bounds),
            KeyType::B => Ok(byte_range(bounds)),
        };
        range.map(|condition| condition.after(given))
    }

    fn number_range(&self, (from, to): Bounds<'_>) -> Result<SortCondition, KeyError> {
        let [part] = self.template.parts else {
            return Ok(whole_range((from, to)));
        };
        let number = |value| part.to_number(value);
        let bounds = (from.map(number), to.map(number));
        let is_stored = |bound: Bound<PartValue<'_>>| match bound {
            Bound::Included(value) | Bound::Excluded(value) => {
                Decimal::of(value).is_none_or(Decimal::is_valid)
            }
            Bound::Unbounded => true,
        };
        if !is_stored(bounds.0) || !is_stored(bounds.1) {
            return Err(self.template.error(part, KeyErrorKind::NumberOutOfRange));
        }
        Ok(match part.kind {
            Name::Decimal => decimal_range(bounds),
            _ => whole_range(bounds),
        })
    }

    fn text_range(self, (from, to): Bounds<'_>) -> Result<SortCondition, KeyError> {
        if let Some(unsorted) = self.unsorted() {
            return Err(unsorted.error());
        }
        let (template, next) = (self.template, self.next);
        let prefix = self.text?;
        // The text of the larger value is the smaller one.
        let (from, to) = match template.parts[next].spec.is_descending() {
            true => (to, from),
            false => (from, to),
        };
        let bound = |value, low| text_bound(template, next, &prefix, value, low);
        let low = match from {
            Bound::Included(value) => Some(bound(value, Side::At)?),
            Bound::Excluded(value) => Some(bound(value, Side::Past)?),
            Bound::Unbounded if template.parts[next].spec.or_empty => {
                Some(past_empty(&prefix, template.parts[next].after))
            }
            Bound::Unbounded => None,
        };
        let high = match to {
            Bound::Included(value) => Some(bound(value, Side::Through)?),
            Bound::Excluded(value) => Some(bound(value, Side::Short)?),
            Bound::Unbounded => None,
        };
        Ok(match (low, high) {
            (None, None) if prefix.is_empty() => SortCondition::Any,
            (None, None) => SortCondition::BeginsWith(prefix),
            (Some(low), None) if prefix.is_empty() => SortCondition::AtLeast(KeyValue::S(low)),
            (None, Some(high)) if prefix.is_empty() => at_most(high),
            (low, high) => between(
                low.unwrap_or_else(|| prefix.clone()),
                high.unwrap_or_else(|| past(&prefix)),
                template.ends_with(next),
            ),
        })
    }
}

/// Which end of all the keys with a value.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// The first of them.
    At,
    /// The first after them.
    Past,
    /// The last of them.
    Through,
    /// The last before them.
    Short,
}

fn text_bound(
    template: &'static Template,
    next: usize,
    prefix: &str,
    value: PartValue<'_>,
    side: Side,
) -> Result<String, KeyError> {
    let part = &template.parts[next];
    let mut text = prefix.to_owned();
    Encoded::new(part, value)
        .map_err(|kind| template.error(part, kind))?
        .push(part.escape, &mut text);
    match (side, template.ends_with(next)) {
        // With something after the part, the bare value is below every key that has it.
        (Side::At, _) | (Side::Short, false) | (Side::Through, true) => {}
        (Side::Past | Side::Through, false) => match part.after.as_bytes().first() {
            Some(delimiter) => text.push(char::from(delimiter + 1)),
            // Of one width, with the next part right after it: the next text of that width.
            None => text = past(&text),
        },
        (Side::Past, true) => text.push('\0'),
        (Side::Short, true) => {
            let fill = if part.width.is_some() {
                1
            } else {
                template.role.max_bytes() / 4
            };
            text = before(&text, fill, template.role.max_bytes());
        }
    }
    Ok(text)
}

/// Returns the last text before `text`, within the length of a key.
fn before(text: &str, fill: usize, max_bytes: usize) -> String {
    let mut out = text.to_owned();
    let Some(last) = out.pop().filter(|&last| last != '\0') else {
        return out;
    };
    // Below U+E000 are the surrogates, which no text contains.
    let previous = char::from_u32(u32::from(last) - 1).unwrap_or('\u{d7ff}');
    out.push(previous);
    for _ in 0..fill {
        if out.len() + char::MAX.len_utf8() > max_bytes {
            break;
        }
        out.push(char::MAX);
    }
    out
}

/// Returns a text past all keys with `prefix`, which is closed: it ends with a delimiter or a fixed
/// width.
fn past(prefix: &str) -> String {
    let mut out = prefix.to_owned();
    if let Some(last) = out.pop() {
        out.push(char::from_u32(u32::from(last) + 1).unwrap_or(char::MAX));
    }
    out
}

/// Returns a text past all keys whose part is empty, because a range contains only values.
fn past_empty(prefix: &str, after: &str) -> String {
    let mut out = prefix.to_owned();
    out.push(match after.as_bytes().first() {
        Some(delimiter) => char::from(delimiter + 1),
        None => '\0',
    });
    out
}

/// Returns the condition between two bounds. `is_key` says whether a bound can itself be a key: if
/// not, two equal bounds contain no key.
fn between(low: String, high: String, is_key: bool) -> SortCondition {
    if low > high || (low == high && !is_key) {
        return SortCondition::Nothing;
    }
    SortCondition::Between(KeyValue::S(low), KeyValue::S(high))
}

fn at_most(high: String) -> SortCondition {
    if high.is_empty() {
        SortCondition::Nothing
    } else {
        SortCondition::AtMost(KeyValue::S(high))
    }
}

/// Reads a number, with order: sign and magnitude.
fn number(value: PartValue<'_>) -> i128 {
    match value {
        PartValue::Integer {
            negative,
            magnitude,
        } => {
            let magnitude = i128::try_from(magnitude).unwrap_or(i128::MAX);
            if negative { -magnitude } else { magnitude }
        }
        _ => 0,
    }
}

/// Returns the range of whole numbers, which have neighbours: an open end is the next number.
fn whole_range((from, to): Bounds<'_>) -> SortCondition {
    let low = match from {
        Bound::Included(value) => Some(number(value)),
        Bound::Excluded(value) => Some(number(value).saturating_add(1)),
        Bound::Unbounded => None,
    };
    let high = match to {
        Bound::Included(value) => Some(number(value)),
        Bound::Excluded(value) => Some(number(value).saturating_sub(1)),
        Bound::Unbounded => None,
    };
    let text = |number: i128| KeyValue::N(number.to_string());
    match (low, high) {
        (None, None) => SortCondition::Any,
        (Some(low), None) => SortCondition::AtLeast(text(low)),
        (None, Some(high)) => SortCondition::AtMost(text(high)),
        (Some(low), Some(high)) if low > high => SortCondition::Nothing,
        (Some(low), Some(high)) => SortCondition::Between(text(low), text(high)),
    }
}

/// Returns the range of DynamoDB's numbers, which have neighbours, too.
fn decimal_range((from, to): Bounds<'_>) -> SortCondition {
    let number = |value| Decimal::of(value).unwrap_or(Decimal::ZERO);
    let low = match from {
        Bound::Included(value) => Some(Some(number(value))),
        Bound::Excluded(value) => Some(number(value).next()),
        Bound::Unbounded => None,
    };
    let high = match to {
        Bound::Included(value) => Some(Some(number(value))),
        Bound::Excluded(value) => Some(number(value).previous()),
        Bound::Unbounded => None,
    };
    let text = |number: Decimal| {
        let mut text = String::new();
        number.write(|byte| text.push(byte.into()));
        KeyValue::N(text)
    };
    match (low, high) {
        (None, None) => SortCondition::Any,
        // Beyond the largest number, or below the smallest.
        (Some(None), _) | (_, Some(None)) => SortCondition::Nothing,
        (Some(Some(low)), None) => SortCondition::AtLeast(text(low)),
        (None, Some(Some(high))) => SortCondition::AtMost(text(high)),
        (Some(Some(low)), Some(Some(high))) if low > high => SortCondition::Nothing,
        (Some(Some(low)), Some(Some(high))) => SortCondition::Between(text(low), text(high)),
    }
}

fn byte_range((from, to): Bounds<'_>) -> SortCondition {
    let bytes = |value| match value {
        PartValue::Bytes(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    };
    let low = match from {
        Bound::Included(value) => Some(bytes(value)),
        Bound::Excluded(value) => Some([bytes(value), vec![0]].concat()),
        Bound::Unbounded => None,
    };
    let high = match to {
        Bound::Included(value) => Some(bytes(value)),
        Bound::Excluded(value) => Some(bytes_before(bytes(value))),
        Bound::Unbounded => None,
    };
    match (low, high) {
        (None, None) => SortCondition::Any,
        (Some(low), None) => SortCondition::AtLeast(KeyValue::B(low)),
        (None, Some(high)) => SortCondition::AtMost(KeyValue::B(high)),
        (Some(low), Some(high)) if low > high => SortCondition::Nothing,
        (Some(low), Some(high)) => SortCondition::Between(KeyValue::B(low), KeyValue::B(high)),
    }
}

fn bytes_before(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(last) = bytes.pop().filter(|&last| last > 0) {
        bytes.push(last - 1);
        bytes.resize(super::template::MAX_SORT_KEY, 0xff);
    }
    bytes
}

#[cfg(test)]
#[path = "range_tests.rs"]
mod tests;
