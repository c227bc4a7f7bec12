//! Two conditions on a sort key as one, because DynamoDB takes one.
//!
//! A condition is an interval of keys. The upper end of a prefix is behind every key that begins
//! with it; as a text, that is the prefix and the largest character, up to the length of a key.
//!
//! In a sort key of several attributes, the condition is on the last of them, and those before it
//! have one value each.

use super::range::SortCondition;
use super::template::MAX_SORT_KEY;
use super::value::KeyValue;
use core::cmp::Ordering;

/// The keys from `low` to `high`; without an end, all of them.
struct Interval {
    low: Option<KeyValue>,
    high: Option<High>,
}

/// The upper end of an interval.
enum High {
    /// This key, which is in the interval.
    Key(KeyValue),
    /// The last key that begins like this.
    Prefix(String),
}

impl High {
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Key(a), Self::Key(b)) => a.cmp(b),
            (Self::Prefix(prefix), Self::Key(key)) => order_prefix(prefix, key),
            (Self::Key(key), Self::Prefix(prefix)) => order_prefix(prefix, key).reverse(),
            (Self::Prefix(a), Self::Prefix(b)) => match (a.starts_with(b), b.starts_with(a)) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (false, false) => a.cmp(b),
            },
        }
    }
}

/// Compares the last key of a prefix with a key.
fn order_prefix(prefix: &str, key: &KeyValue) -> Ordering {
    match key.as_str() {
        Some(key) if !key.starts_with(prefix) => prefix.cmp(key),
        _ => Ordering::Greater,
    }
}

impl SortCondition {
    /// The keys that meet both conditions.
    pub(crate) fn and(self, other: Self) -> Self {
        let ((given, condition), (others, other)) = (self.split(), other.split());
        match given.len() <= others.len() {
            true => condition.and_further(&given, others, other),
            false => other.and_further(&others, given, condition),
        }
    }

    /// The keys from the first one on that meets the condition.
    pub(crate) fn upwards(self) -> Self {
        self.half(|it| Interval { high: None, ..it })
    }

    /// The keys up to the last one that meets the condition.
    pub(crate) fn downwards(self) -> Self {
        self.half(|it| Interval { low: None, ..it })
    }

    fn half(self, half: fn(Interval) -> Interval) -> Self {
        let (given, condition) = self.split();
        let interval = condition.interval().map(half);
        interval.map_or(Self::Nothing, |it| it.condition().after(given))
    }

    /// Returns the values of the first attributes, and the condition on the next one.
    fn split(self) -> (Vec<KeyValue>, Self) {
        match self {
            Self::After(given, condition) => (given, *condition),
            condition => (Vec::new(), condition),
        }
    }

    /// This condition after the `given` values, and another one after at least as many.
    fn and_further(self, given: &[KeyValue], others: Vec<KeyValue>, other: Self) -> Self {
        match others.strip_prefix(given) {
            None => Self::Nothing,
            Some([]) => self.and_here(other).after(others),
            Some([value, ..]) => match Self::Equals(value.clone()).and_here(self) {
                Self::Nothing => Self::Nothing,
                _ => other.after(others),
            },
        }
    }

    /// Both conditions on one attribute.
    fn and_here(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, one) | (one, Self::Any) => one,
            (one, same) if one == same => one,
            (one, other) => match (one.interval(), other.interval()) {
                (Some(a), Some(b)) => a.and(b).condition(),
                _ => Self::Nothing,
            },
        }
    }

    /// Returns `None` if no key meets the condition.
    fn interval(self) -> Option<Interval> {
        let (low, high) = match self {
            // `split` has removed the first attributes.
            Self::Nothing | Self::After(..) => return None,
            Self::Any => (None, None),
            Self::Equals(key) => (Some(key.clone()), Some(High::Key(key))),
            Self::BeginsWith(prefix) => (
                Some(KeyValue::S(prefix.clone())),
                Some(High::Prefix(prefix)),
            ),
            Self::Between(low, high) => (Some(low), Some(High::Key(high))),
            Self::AtLeast(low) => (Some(low), None),
            Self::AtMost(high) => (None, Some(High::Key(high))),
        };
        Some(Interval { low, high })
    }
}

impl Interval {
    fn and(self, other: Self) -> Self {
        let low = match (self.low, other.low) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let high = match (self.high, other.high) {
            (Some(a), Some(b)) => Some(match a.order(&b) {
                Ordering::Greater => b,
                _ => a,
            }),
            (a, b) => a.or(b),
        };
        Self { low, high }
    }

    fn condition(self) -> SortCondition {
        match (self.low, self.high) {
            (None, None) => SortCondition::Any,
            (Some(low), None) => SortCondition::AtLeast(low),
            (None, Some(High::Key(high))) => SortCondition::AtMost(high),
            (None, Some(High::Prefix(prefix))) => SortCondition::AtMost(last_of(prefix)),
            (Some(low), Some(High::Key(high))) => match low.cmp(&high) {
                Ordering::Less => SortCondition::Between(low, high),
                Ordering::Equal => SortCondition::Equals(low),
                Ordering::Greater => SortCondition::Nothing,
            },
            (Some(low), Some(High::Prefix(prefix))) => match low.as_str() {
                Some(text) if text == prefix => SortCondition::BeginsWith(prefix),
                _ if order_prefix(&prefix, &low).is_lt() => SortCondition::Nothing,
                _ => SortCondition::Between(low, last_of(prefix)),
            },
        }
    }
}

/// The last key that begins like this.
fn last_of(mut prefix: String) -> KeyValue {
    let room = MAX_SORT_KEY.saturating_sub(prefix.len()) / char::MAX.len_utf8();
    prefix.extend(core::iter::repeat_n(char::MAX, room));
    KeyValue::S(prefix)
}

#[cfg(test)]
#[path = "intersection_tests.rs"]
mod tests;
