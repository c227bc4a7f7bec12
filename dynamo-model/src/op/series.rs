//! One query over many partitions: time buckets one after the other, write shards together.
//!
//! The shards of a bucket are read concurrently, a few at once, and merged in the order of their
//! sort keys; when all of them are done, the next bucket begins. Reads only on demand. A cursor
//! contains the position of each shard of the current bucket.

use super::paging::Answer;
use crate::cursor::fingerprint::Definition;
use crate::cursor::{self, Mark, Marks};
use crate::entity::Entity;
use crate::error::KeyError;
use crate::index::IndexMarker;
use crate::key::declared::{key_type, partition_attributes, templates};
use crate::key::partitions::{self, BucketRange, Ends, Known};
use crate::key::range::SortCondition;
use crate::key::sort_key::PrefixBuilder;
use crate::key::{KeyPart, KeyRef, KeyValue, PartValue, PartitionKey, Template};
use crate::schema::{KeyType, Role};
use crate::wire::{self, Attributes, Item, RawItem, Readable};
use core::cmp::Ordering;
use core::fmt;
use core::ops::Bound;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::sync::Arc;

/// How many shards are read at once.
pub(super) const CONCURRENCY: usize = 8;

/// Which items of a bucket are in the range.
type Keep = Arc<dyn Fn(&RawItem) -> bool + Send + Sync>;

/// The partitions that a query reads: one, unless it reads buckets or shards.
#[doc(hidden)]
#[derive(Clone)]
pub struct Partitions {
    which: Which,
    /// The values of the partition key's further attributes, where it has several.
    rest: Arc<[KeyValue]>,
}

#[derive(Clone)]
enum Which {
    One(Arc<KeyValue>),
    Groups(Arc<Groups>),
}

/// Partitions that are read as if they were one.
pub(super) struct Groups {
    /// In the order of time; those that are read together, together.
    groups: Vec<Vec<KeyValue>>,
    /// The range as a condition on the sort key, where that begins with the same field.
    narrow: Option<SortCondition>,
    keep: Option<Keep>,
    range: Option<Ends>,
}

/// Shows only their number: their keys may contain a sensitive field.
impl fmt::Debug for Partitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Partitions").field(&self.count()).finish()
    }
}

impl From<KeyValue> for Partitions {
    fn from(pk: KeyValue) -> Self {
        Which::One(Arc::new(pk)).into()
    }
}

impl From<Which> for Partitions {
    fn from(which: Which) -> Self {
        let rest = Arc::default();
        Self { which, rest }
    }
}

impl<E, I> From<PartitionKey<E, I>> for Partitions {
    fn from(pk: PartitionKey<E, I>) -> Self {
        pk.into_value().into()
    }
}

impl Partitions {
    /// For generated code: the partition with these values of the partition key's attributes.
    pub fn of<E: Entity, I: IndexMarker>(values: &[PartValue<'_>]) -> Result<Self, KeyError> {
        let attributes = partition_attributes::<E, I>().zip(values.iter().copied());
        Self::of_attributes(E::SCHEMA.entity, attributes)
    }

    /// The partition with these values of the partition key's attributes.
    pub(super) fn of_attributes<'v>(
        entity: &'static str,
        attributes: impl Iterator<Item = ((KeyType, &'static Template), PartValue<'v>)>,
    ) -> Result<Self, KeyError> {
        let values =
            attributes.map(|((key_type, template), value)| template.build_any(key_type, &[value]));
        let mut values = values.collect::<Result<Vec<_>, _>>()?.into_iter();
        let Some(first) = values.next() else {
            return Err(KeyError::no_entity(entity));
        };
        Ok(Self {
            which: Which::One(Arc::new(first)),
            rest: values.collect(),
        })
    }

    /// The values of the partition key's attributes after the first.
    pub(super) fn rest(&self) -> &[KeyValue] {
        &self.rest
    }

    /// The first partition as errors and statistics show it: `acme/eu`, where its key has several
    /// attributes.
    pub(super) fn shown(&self) -> Option<Arc<KeyValue>> {
        let first = self.first()?;
        if self.rest.is_empty() {
            return Some(first);
        }
        let rest = self.rest.iter().map(ToString::to_string);
        let all: Vec<_> = core::iter::once(first.to_string()).chain(rest).collect();
        Some(Arc::new(KeyValue::S(all.join("/"))))
    }

    /// Returns the first one, or `None` for an empty range.
    pub(super) fn first(&self) -> Option<Arc<KeyValue>> {
        match &self.which {
            Which::One(pk) => Some(Arc::clone(pk)),
            Which::Groups(them) => {
                let first = them.groups.first().and_then(|group| group.first());
                first.cloned().map(Arc::new)
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        match &self.which {
            Which::One(_) => 1,
            Which::Groups(them) => them.count(),
        }
    }

    /// Where there is more to do than to read one partition.
    pub(super) fn groups(&self) -> Option<&Arc<Groups>> {
        match &self.which {
            Which::Groups(them) if them.count() != 1 || them.keep.is_some() => Some(them),
            _ => None,
        }
    }

    /// Partitions whose range is a condition on the sort key, or whole buckets.
    pub(super) fn of_groups(groups: Vec<Vec<KeyValue>>, range: Option<Ends>) -> Self {
        Which::Groups(Arc::new(Groups {
            groups,
            narrow: None,
            keep: None,
            range,
        }))
        .into()
    }

    /// Adds the definition for cursors.
    pub(super) fn define(&self, definition: &mut Definition) {
        match &self.which {
            Which::One(pk) => {
                definition.partition(pk);
                self.rest.iter().for_each(|it| definition.partition(it));
            }
            Which::Groups(them) => definition.partitions(&them.groups, them.range.as_ref()),
        }
    }

    /// A condition that was not given is that of the range.
    pub(super) fn narrowed(&self, sort: SortCondition, is_open: bool) -> SortCondition {
        match &self.which {
            Which::Groups(them) if is_open => them.narrow.clone().unwrap_or(sort),
            _ => sort,
        }
    }
}

impl Groups {
    fn count(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// Returns whether more is read than returned, because the range is not a condition of the
    /// request.
    pub(super) fn is_loose(&self, sort: &SortCondition) -> bool {
        self.keep.is_some() && self.narrow.as_ref() != Some(sort)
    }
}

/// Collects the known values of the partitions; for generated code.
#[doc(hidden)]
pub struct PartitionsOf<'v> {
    template: &'static Template,
    sk: Option<(&'static Template, KeyType)>,
    known: Known<'v>,
    keep: Option<Keep>,
}

impl fmt::Debug for PartitionsOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartitionsOf").field(&self.template).finish()
    }
}

impl<'v> PartitionsOf<'v> {
    #[must_use]
    pub fn new<E: Entity, I: IndexMarker>() -> Self {
        let (values, range) = (Vec::new(), None);
        let (template, sk) = const { templates::<E, I>() };
        let sk_type = const { key_type::<E, I>(Role::SortKey) };
        Self {
            template,
            sk: sk.map(|sk| (sk, sk_type)),
            known: Known { values, range },
            keep: None,
        }
    }

    /// Adds a given field.
    #[must_use]
    pub fn value(mut self, field: &'static str, value: PartValue<'v>) -> Self {
        self.known.values.push((field, value));
        self
    }

    /// Adds the field of the buckets. Items outside of the range, in the first and last bucket, are
    /// skipped.
    #[must_use]
    pub fn range<E: Readable, T: KeyPart + DeserializeOwned>(
        mut self,
        field: &'static str,
        attribute: &'static str,
        range: &impl BucketRange<T>,
    ) -> Self {
        let (from, to) = range.ends();
        let ends = (partitions::owned(from), to.map(partitions::owned));
        self.known.range = Some((field, ends));
        self.keep = Some(Arc::new(move |item| keeps::<E, T>(item, attribute, &ends)));
        self
    }

    pub fn build(self) -> Result<Partitions, KeyError> {
        let groups = partitions::of(self.template, &self.known)?;
        let narrow = match (&self.known.range, self.sk) {
            (Some((field, ends)), Some((template, key_type))) => {
                narrow(field, ends, template, key_type)?
            }
            _ => None,
        };
        let groups = Which::Groups(Arc::new(Groups {
            groups,
            range: self.known.range.map(|(_, ends)| ends),
            narrow,
            keep: self.keep,
        }));
        Ok(groups.into())
    }
}

fn narrow(
    field: &str,
    (from, to): &Ends,
    template: &'static Template,
    key_type: KeyType,
) -> Result<Option<SortCondition>, KeyError> {
    match template.parts.first() {
        Some(part) if part.field == field && part.sorts() => {
            let prefix = PrefixBuilder::new(template, key_type);
            prefix.range((Bound::Included(*from), *to)).map(Some)
        }
        _ => Ok(None),
    }
}

/// Keeps an item whose time cannot be read: decoding it reports the error.
fn keeps<E: Readable, T: KeyPart + DeserializeOwned>(
    item: &RawItem,
    attribute: &'static str,
    ends: &Ends,
) -> bool {
    let value: Option<T> = wire::attribute_of::<E, T>(item, attribute);
    value.is_none_or(|value| partitions::contains(ends, value.to_part()))
}

/// How far the partitions have been read.
#[derive(Clone)]
pub(crate) struct Series {
    partitions: Arc<Groups>,
    /// In the order of the requests.
    descending: bool,
    /// Whether that is against the order of the query.
    backward: bool,
    /// Whether most items may be skipped.
    pub(super) loose: bool,
    /// The attribute that the items are in the order of.
    sort_key: Option<&'static str>,
    /// Which group is read.
    at: usize,
    shards: Vec<Shard>,
    /// The partition of each item of the last response that is not returned yet.
    origins: VecDeque<usize>,
}

impl fmt::Debug for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Series")
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// One partition of the current group.
#[derive(Clone, Default)]
struct Shard {
    /// Where the next request begins.
    next: Option<Item>,
    /// No item follows.
    done: bool,
    /// The items read, each with its sort key.
    read: VecDeque<(Option<KeyValue>, RawItem)>,
    /// The last returned item.
    handed_out: Option<Item>,
}

impl Series {
    pub(super) fn new(
        partitions: Arc<Groups>,
        (descending, loose): (bool, bool),
        (pk, sort_key): (&'static str, Option<&'static str>),
        (backward, marks): (bool, Marks),
    ) -> Result<Self, &'static str> {
        let (at, marks) = marks;
        let given = marks.len();
        let mut this = Self {
            partitions,
            descending: descending != backward,
            backward,
            loose,
            sort_key,
            at,
            shards: Vec::new(),
            origins: VecDeque::new(),
        };
        this.begin(marks);
        match this.is_within(pk, given) {
            true => Ok(this),
            false => Err(cursor::ELSEWHERE),
        }
    }

    /// Whether the marks, of which so many were given, are of the partitions that are read. Others
    /// can only be made up.
    fn is_within(&self, pk: &str, given: usize) -> bool {
        let own = self.group().iter().zip(&self.shards).all(|(own, shard)| {
            let start = shard.next.as_ref();
            start.is_none_or(|start| cursor::is_in(start, pk, own))
        });
        let count = given == 0 || given == self.shards.len();
        own && count && (self.at == 0 || self.at < self.partitions.groups.len())
    }

    /// The partitions of the current group, in the order in which groups are visited.
    fn group(&self) -> &[KeyValue] {
        let groups = &self.partitions.groups;
        let at = match self.descending {
            true => groups.len().checked_sub(self.at + 1),
            false => Some(self.at),
        };
        at.and_then(|at| groups.get(at)).map_or(&[], Vec::as_slice)
    }

    fn begin(&mut self, marks: Vec<Mark>) {
        let mut marks = marks.into_iter();
        let shards = self.group().iter().map(|_| {
            let (at, done) = match marks.next() {
                Some(Mark::At(key)) => (Some(key), false),
                Some(Mark::Done) => (None, true),
                Some(Mark::New) | None => (None, false),
            };
            Shard {
                next: at.clone(),
                done,
                read: VecDeque::new(),
                handed_out: at,
            }
        });
        self.shards = shards.collect();
    }

    /// Moves to the first group that is not done; returns false if there is none.
    pub(super) fn advance(&mut self) -> bool {
        while self
            .shards
            .iter()
            .all(|shard| shard.done && shard.read.is_empty())
        {
            if self.group().is_empty() {
                return false;
            }
            self.at += 1;
            self.begin(Vec::new());
        }
        true
    }

    /// Records that an item of the last response was returned, or skipped for good.
    pub(super) fn passed(&mut self, key: Item) {
        if let Some(shard) = self
            .origins
            .pop_front()
            .and_then(|at| self.shards.get_mut(at))
        {
            shard.handed_out = Some(key);
        }
    }

    /// Records that no item of the last response will be returned.
    pub(super) fn counted(&mut self) {
        self.origins.clear();
    }

    pub(super) fn keeps(&self, item: &RawItem) -> bool {
        self.partitions.keep.as_ref().is_none_or(|keep| keep(item))
    }

    pub(super) fn count(&self) -> usize {
        self.partitions.count()
    }

    pub(super) fn is_exact(&self) -> bool {
        self.partitions.keep.is_none()
    }

    /// Returns the position; `None` at the end.
    pub(super) fn marks(&self) -> Option<Marks> {
        let marks = self.shards.iter().enumerate().map(|(i, shard)| {
            let pending = !shard.read.is_empty() || self.origins.contains(&i);
            match (&shard.handed_out, &shard.next) {
                (Some(key), _) if pending => Mark::At(key.clone()),
                (None, _) if pending => Mark::New,
                _ if shard.done => Mark::Done,
                (_, Some(key)) => Mark::At(key.clone()),
                (_, None) => Mark::New,
            }
        });
        let marks: Vec<_> = marks.collect();
        if marks.iter().any(|mark| !matches!(mark, Mark::Done)) {
            return Some((self.at, marks));
        }
        let more = self.at + 1 < self.partitions.groups.len();
        more.then(|| (self.at + 1, Vec::new()))
    }

    /// Returns the start of a read in the other direction: before the items that are `held`, those
    /// of the last response that were neither returned nor skipped.
    pub(super) fn marks_behind<'i>(
        &self,
        held: impl Iterator<Item = &'i RawItem>,
        key_of: impl Fn(&RawItem) -> Item,
    ) -> Marks {
        let mut marks = vec![None; self.shards.len()];
        for (&at, item) in self.origins.iter().zip(held) {
            marks[at].get_or_insert_with(|| Mark::At(key_of(item)));
        }
        let marks = marks.into_iter().zip(&self.shards).map(|(mark, shard)| {
            let read = shard.read.front().map(|(_, item)| Mark::At(key_of(item)));
            mark.or(read).unwrap_or_else(|| match &shard.next {
                _ if shard.done => Mark::New,
                // Every item up to this key was skipped.
                Some(key) => Mark::At(key.clone()),
                None => Mark::Done,
            })
        });
        let last = self.partitions.groups.len().saturating_sub(1);
        (last.saturating_sub(self.at), marks.collect())
    }

    /// Moves back to the items that were not returned; they are read again.
    pub(super) fn rewind(&mut self) {
        let (at, marks) = self.marks().unwrap_or_default();
        self.at = at;
        self.origins.clear();
        self.begin(marks);
    }

    /// How many requests are sent at once at most.
    pub(super) fn round(&self) -> usize {
        let sizes = self.partitions.groups.iter().map(Vec::len);
        sizes.max().unwrap_or(1)
    }

    /// Returns the partitions that must be read before the next item is known, those without
    /// remaining items: with their position in the group, and their start.
    pub(super) fn to_read(&self) -> Vec<(usize, &KeyValue, Option<&Item>)> {
        let shards = self.group().iter().zip(&self.shards).enumerate();
        let empty = shards.filter(|(_, (_, shard))| shard.read.is_empty() && !shard.done);
        empty
            .map(|(at, (pk, shard))| (at, pk, shard.next.as_ref()))
            .collect()
    }

    /// Takes their items; returns the next items of the group, merged.
    pub(super) fn took(&mut self, pages: Vec<(usize, Answer)>) -> Answer {
        let (mut answer, sort_key) = (Answer::default(), self.sort_key);
        for (i, page) in pages {
            let shard = &mut self.shards[i];
            shard.done = page.last_key.is_none();
            shard.next = page.last_key;
            let with_key = |item: RawItem| (sort_key.and_then(|name| item.key_value(name)), item);
            shard.read = page.items.into_iter().map(with_key).collect();
            answer.count += page.count;
            answer.scanned += page.scanned;
            answer.consumed_capacity += page.consumed_capacity;
        }
        while let Some((at, item)) = self.next() {
            self.origins.push_back(at);
            answer.items.push(item);
        }
        answer
    }

    /// The next item in the order of the sort keys, unless a shard must be read first.
    fn next(&mut self) -> Option<(usize, RawItem)> {
        let shards = self.shards.iter();
        if shards
            .clone()
            .any(|shard| shard.read.is_empty() && !shard.done)
        {
            return None;
        }
        let heads = shards
            .enumerate()
            .filter_map(|(i, shard)| Some((i, shard.read.front()?.0.as_ref())));
        let heads = heads.min_by(|(i, a), (j, b)| {
            // Of equal keys, a read in the other direction takes the other one first.
            let places = if self.backward { j.cmp(i) } else { i.cmp(j) };
            self.compare(*a, *b).then(places)
        });
        let (at, _) = heads?;
        let (_, item) = self.shards[at].read.pop_front()?;
        Some((at, item))
    }

    fn compare(&self, a: Option<&KeyValue>, b: Option<&KeyValue>) -> Ordering {
        let order = match a.zip(b) {
            Some((a, b)) => compare_keys(a.as_ref(), b.as_ref()),
            None => Ordering::Equal,
        };
        if self.descending {
            order.reverse()
        } else {
            order
        }
    }
}

/// As DynamoDB sorts: text and binary by bytes, numbers by value.
fn compare_keys(a: KeyRef<'_>, b: KeyRef<'_>) -> Ordering {
    match (a, b) {
        (KeyRef::S(a), KeyRef::S(b)) => a.as_bytes().cmp(b.as_bytes()),
        (KeyRef::B(a), KeyRef::B(b)) => a.cmp(b),
        (KeyRef::N(a), KeyRef::N(b)) => match (a.parse::<i128>(), b.parse::<i128>()) {
            (Ok(a), Ok(b)) => a.cmp(&b),
            _ => {
                let number = |text: &str| text.parse::<f64>().unwrap_or_default();
                number(a).total_cmp(&number(b))
            }
        },
        _ => Ordering::Equal,
    }
}
