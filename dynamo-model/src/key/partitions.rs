//! The partitions of a template with time buckets or write shards: those that a range of time
//! touches, in order, and those that are read together.

use super::civil::{Civil, days_from_civil};
use super::part::{AsKeyPart, KeyPart, PartValue};
use super::template::{Form, PartSchema, Template, TimePiece};
use super::text::Encoded;
use super::value::KeyValue;
use crate::error::{KeyError, KeyErrorKind};
use core::ops::{Bound, Range, RangeInclusive};

/// More buckets than this are a mistake: each is at least a request.
const MAX_BUCKETS: usize = 100_000;

/// A range of time with both ends: its buckets can be counted.
///
/// ```
/// use dynamo_model::key::BucketRange;
///
/// fn takes(range: impl BucketRange<jiff::Timestamp>) {}
/// let at = jiff::Timestamp::UNIX_EPOCH;
/// takes(at..at);
/// takes(at..=at);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of `{T}` with both ends",
    label = "needs a beginning and an end",
    note = "write `from..to` or `from..=to`: each bucket between them is a partition that is read"
)]
pub trait BucketRange<T: ?Sized> {
    /// Returns both ends.
    #[doc(hidden)]
    fn ends(&self) -> (PartValue<'_>, Bound<PartValue<'_>>)
    where
        T: KeyPart;
}

impl<T: ?Sized, A: AsKeyPart<T>> BucketRange<T> for Range<A> {
    fn ends(&self) -> (PartValue<'_>, Bound<PartValue<'_>>)
    where
        T: KeyPart,
    {
        (self.start.as_part(), Bound::Excluded(self.end.as_part()))
    }
}

impl<T: ?Sized, A: AsKeyPart<T>> BucketRange<T> for RangeInclusive<A> {
    fn ends(&self) -> (PartValue<'_>, Bound<PartValue<'_>>)
    where
        T: KeyPart,
    {
        let (start, end) = (self.start().as_part(), self.end().as_part());
        (start, Bound::Included(end))
    }
}

/// A range, as owned values.
pub(crate) type Ends = (PartValue<'static>, Bound<PartValue<'static>>);

/// Returns the value as its own owner. Times and dates own their value; other kinds have no
/// buckets.
pub(crate) fn owned(value: PartValue<'_>) -> PartValue<'static> {
    value.detached().unwrap_or(PartValue::Boolean(false))
}

/// Returns whether a value lies in a range.
pub(crate) fn contains((from, to): &Ends, value: PartValue<'_>) -> bool {
    let at = moment(value);
    let before_end = match to {
        Bound::Included(end) => at <= moment(*end),
        Bound::Excluded(end) => at < moment(*end),
        Bound::Unbounded => true,
    };
    moment(*from) <= at && before_end
}

pub(crate) fn moment(value: PartValue<'_>) -> (i64, u32) {
    match value {
        PartValue::Time { seconds, nanos } => (seconds, nanos),
        PartValue::Date { days } => (i64::from(days) * 86_400, 0),
        _ => (0, 0),
    }
}

/// The known values of a partition key.
pub(crate) struct Known<'v> {
    /// The fields that are given.
    pub(crate) values: Vec<(&'static str, PartValue<'v>)>,
    /// The field with the buckets.
    pub(crate) range: Option<(&'static str, Ends)>,
}

/// Returns the partition keys in the order of their buckets. The shards of one bucket are together.
pub(crate) fn of(
    template: &'static Template,
    known: &Known<'_>,
) -> Result<Vec<Vec<KeyValue>>, KeyError> {
    let buckets = match &known.range {
        Some((field, ends)) => buckets(template, field, ends)?,
        None => vec![None],
    };
    let mut groups: Vec<Vec<KeyValue>> = Vec::with_capacity(buckets.len());
    for bucket in buckets {
        let mut texts = vec![template.head.to_owned()];
        for part in template.parts {
            texts = with_part(template, part, known, bucket, texts)?;
        }
        let group: Vec<_> = texts.into_iter().map(KeyValue::S).collect();
        // A format without a year has the same text for every year.
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    Ok(groups)
}

/// Appends the next part to each text; a shard part multiplies the texts by its shards.
fn with_part(
    template: &'static Template,
    part: &'static PartSchema,
    known: &Known<'_>,
    bucket: Option<PartValue<'static>>,
    texts: Vec<String>,
) -> Result<Vec<String>, KeyError> {
    let given = known.values.iter().find(|(field, _)| *field == part.field);
    let of_range = known
        .range
        .as_ref()
        .filter(|(field, _)| *field == part.field);
    let value = match (given, of_range, part.spec.form) {
        (Some((_, value)), _, _) => Some(*value),
        (None, Some(_), Form::Format(_)) => bucket,
        _ => None,
    };
    let endings: Vec<String> = match (value, part.spec.form) {
        (Some(value), _) => {
            let encoded = Encoded::new(part, value).map_err(|kind| template.error(part, kind))?;
            let mut text = String::new();
            encoded.push(part.escape, &mut text);
            vec![text]
        }
        (None, Form::Shard(count)) => (0..count).map(|shard| shard.to_string()).collect(),
        (None, _) => return Err(template.error(part, KeyErrorKind::Empty)),
    };
    let mut longer = Vec::with_capacity(texts.len() * endings.len());
    for text in &texts {
        for ending in &endings {
            longer.push(format!("{text}{ending}{}", part.after));
        }
    }
    let max = template.role.max_bytes();
    match longer.iter().map(String::len).max() {
        Some(bytes) if bytes > max => {
            Err(template.error(part, KeyErrorKind::TooLong { bytes, max }))
        }
        _ => Ok(longer),
    }
}

/// Returns the beginning of each bucket that a range touches.
fn buckets(
    template: &'static Template,
    field: &str,
    ends: &Ends,
) -> Result<Vec<Option<PartValue<'static>>>, KeyError> {
    let mut formats = template
        .parts
        .iter()
        .filter_map(|part| match part.spec.form {
            Form::Format(pieces) if part.field == field => Some((part, pieces)),
            _ => None,
        });
    let Some((part, pieces)) = formats.next() else {
        return Ok(vec![None]);
    };
    let unit = pieces.iter().filter_map(unit).min().unwrap_or(Unit::Year);
    let (from, _) = ends;
    let is_date = matches!(from, PartValue::Date { .. });
    let mut at = unit.floor(civil(*from));
    let mut buckets = Vec::new();
    loop {
        let value =
            value(at, is_date).ok_or_else(|| template.error(part, KeyErrorKind::YearOutOfRange))?;
        // The first bucket begins before the range does; the others begin within it.
        if !buckets.is_empty() && !contains(ends, value) {
            return Ok(buckets);
        }
        if buckets.is_empty() && is_empty(ends) {
            return Ok(buckets);
        }
        if buckets.len() == MAX_BUCKETS {
            return Err(template.error(part, KeyErrorKind::TooManyBuckets { max: MAX_BUCKETS }));
        }
        buckets.push(Some(value));
        at = unit.next(at);
    }
}

/// Whether a range begins and ends where buckets do.
pub(crate) fn are_whole(template: &Template, field: &str, (from, to): &Ends) -> bool {
    let own = template.parts.iter().filter(|part| part.field == field);
    let units = own.filter_map(|part| match part.spec.form {
        Form::Format(pieces) => pieces.iter().filter_map(unit).min(),
        _ => None,
    });
    let begins = |value: PartValue<'_>, unit: Unit| {
        let at = civil(value);
        let start = unit.floor(at);
        (start.to_unix(), moment(value).1) == (at.to_unix(), 0)
    };
    let Some(unit) = units.min() else {
        return false;
    };
    let ends_well = match to {
        Bound::Excluded(to) => begins(*to, unit),
        Bound::Included(_) => false,
        Bound::Unbounded => true,
    };
    begins(*from, unit) && ends_well
}

fn is_empty((from, to): &Ends) -> bool {
    match to {
        Bound::Included(end) => moment(*from) > moment(*end),
        Bound::Excluded(end) => moment(*from) >= moment(*end),
        Bound::Unbounded => false,
    }
}

fn civil(value: PartValue<'_>) -> Civil {
    let (seconds, nanos) = moment(value);
    Civil::from_unix(seconds, nanos)
}

fn value(at: Civil, is_date: bool) -> Option<PartValue<'static>> {
    if !(0..=9999).contains(&at.year) {
        return None;
    }
    if is_date {
        return at.to_days().map(|days| PartValue::Date { days });
    }
    let (seconds, nanos) = at.to_unix()?;
    Some(PartValue::Time { seconds, nanos })
}

/// How long a bucket is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Month,
    Year,
}

fn unit(piece: &TimePiece) -> Option<Unit> {
    Some(match piece {
        TimePiece::Literal(_) => return None,
        TimePiece::Year => Unit::Year,
        TimePiece::Month => Unit::Month,
        TimePiece::Day | TimePiece::DayOfYear => Unit::Day,
        TimePiece::Hour => Unit::Hour,
        TimePiece::Minute => Unit::Minute,
        TimePiece::Second | TimePiece::Fraction(_) => Unit::Second,
    })
}

impl Unit {
    /// Returns the beginning of an instant's bucket.
    fn floor(self, mut at: Civil) -> Civil {
        at.nanos = 0;
        if self > Unit::Second {
            at.second = 0;
        }
        if self > Unit::Minute {
            at.minute = 0;
        }
        if self > Unit::Hour {
            at.hour = 0;
        }
        if self > Unit::Day {
            at.day = 1;
        }
        if self > Unit::Month {
            at.month = 1;
        }
        at
    }

    /// Returns the beginning of the next bucket.
    fn next(self, mut at: Civil) -> Civil {
        let seconds = match self {
            Unit::Year => {
                at.year += 1;
                return at;
            }
            Unit::Month if at.month == 12 => {
                (at.year, at.month) = (at.year + 1, 1);
                return at;
            }
            Unit::Month => {
                at.month += 1;
                return at;
            }
            Unit::Day => 86_400,
            Unit::Hour => 3_600,
            Unit::Minute => 60,
            Unit::Second => 1,
        };
        let days = i64::from(days_from_civil(at.year, at.month, at.day));
        let in_day = i64::from(at.hour) * 3_600 + i64::from(at.minute) * 60 + i64::from(at.second);
        Civil::from_unix(days * 86_400 + in_day + seconds, 0)
    }
}

#[cfg(test)]
#[path = "partitions_tests.rs"]
mod tests;
