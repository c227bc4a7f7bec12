//! Reads page by page: the common part of queries and scans.
//!
//! Both send requests until the limit or the end is reached, drop surplus items, and return a
//! cursor. The request of each is in its own file ([`Request`]); the rest is here.

use super::budget::{Budget, Spent};
use super::own_items::OwnItems;
use super::series::{Partitions, Series};
use crate::cursor::fingerprint::Definition;
use crate::cursor::{self, Heading, Marks, Scope};
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::expr::{Aliases, Condition};
use crate::hot_keys::{Access, Accessed};
use crate::key::range::SortCondition;
use crate::key::{KeyRef, KeyValue};
use crate::request::Explain;
use crate::schema::check;
use crate::schema::{EntitySchema, IndexSchema, TableSchema};
use crate::wire::{self, Attributes, Item, Object, Owned, Owner, RawItem, Reply};
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

/// The options of any read of many items.
#[derive(Clone, Default)]
pub(crate) struct Options {
    pub(crate) filter: Option<Condition>,
    pub(crate) consistent: bool,
    /// Returned items.
    pub(crate) limit: Option<usize>,
    /// Items read in one request.
    pub(crate) page_size: Option<i32>,
    pub(crate) cursor: Option<String>,
    pub(crate) budget: Budget,
    /// Whether expired items are hidden.
    pub(crate) unexpired: bool,
    /// The attributes of a projection.
    pub(crate) projection: &'static [&'static str],
}

/// Of a cursor, only that there is one: it has a key in it.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("filter", &self.filter)
            .field("consistent", &self.consistent)
            .field("limit", &self.limit)
            .field("page_size", &self.page_size)
            .field("cursor", &self.cursor.is_some())
            .field("budget", &self.budget)
            .field("unexpired", &self.unexpired)
            .finish()
    }
}

impl Options {
    pub(crate) fn set_page_size(&mut self, items: u32) {
        self.page_size = Some(i32::try_from(items).unwrap_or(i32::MAX).max(1));
    }

    /// Several filters must all pass.
    pub(crate) fn add_filter(&mut self, condition: Condition) {
        self.filter = Some(match self.filter.take() {
            Some(known) => known & condition,
            None => condition,
        });
    }
}

/// How much is read, for a type with `fn options(self, impl FnOnce(&mut Options)) -> Self`.
///
/// `$expires` is the bound of `unexpired`: the entity has a TTL.
macro_rules! limit_methods {
    ($($expires:tt)*) => {
        /// Returns at most this many items, and reads no more than needed to find them; for a page,
        /// one more, which shows whether another page follows. A limit of 0 fails before any
        /// request.
        pub fn limit(self, items: usize) -> Self {
            self.options(|options| options.limit = Some(items))
        }

        /// Reads at most this many items in one request, filtered ones included.
        pub fn page_size(self, items: u32) -> Self {
            self.options(|options| options.set_page_size(items))
        }

        /// Sends at most this many requests. A request that the SDK repeats counts once, and each
        /// partition of an `across` has separate requests; so has each segment of a parallel scan,
        /// to which the bound applies.
        ///
        /// A page ends there, with the items found and a cursor. `all`, `first`, `one`, `count` and
        /// a stream fail with [`ErrorKind::BudgetSpent`](crate::ErrorKind::BudgetSpent), if more
        /// items could follow: see [`Error::cursor`](crate::Error::cursor) for how to continue.
        pub fn max_requests(self, requests: u32) -> Self {
            self.options(|options| options.budget.requests = Some(requests))
        }

        /// Reads at most this many items, filtered ones included. Ends like
        /// [`max_requests`](Self::max_requests).
        pub fn max_items_read(self, items: usize) -> Self {
            self.options(|options| options.budget.items = Some(items))
        }

        /// Hides expired items. DynamoDB may delete them days later. An index must project the TTL
        /// attribute. `#[dynamo(hide_expired)]` on the entity does this for all its reads.
        pub fn unexpired(self) -> Self
        where
            $($expires)*
        {
            self.options(|options| options.unexpired = true)
        }
    };
}

/// The same for pages: how much is read, and from where.
macro_rules! page_methods {
    ($($expires:tt)*) => {
        $crate::op::paging::limit_methods!($($expires)*);

        /// Goes on at the cursor of a page: its [`next`](crate::Page::next) page, or its
        /// [`previous`](crate::Page::previous) one, which only `page` reads. `None` is the first
        /// page.
        ///
        /// Takes a text or an `Option<String>`, such as a parameter of a URL.
        pub fn after(self, cursor: impl $crate::read::IntoCursor) -> Self {
            self.options(|options| options.cursor = cursor.into_cursor())
        }
    };
}

pub(super) use {limit_methods, page_methods};

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Items,
    /// Only how many there are.
    Count,
    /// The table's keys, which identify the entities, to count items that DynamoDB cannot count.
    Keys,
}

/// The result of one request.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) items: Vec<RawItem>,
    pub(crate) count: usize,
    pub(crate) scanned: usize,
    pub(crate) consumed_capacity: f64,
    pub(crate) last_key: Option<Item>,
}

impl From<Reply> for Answer {
    fn from(mut reply: Reply) -> Self {
        Self {
            count: reply.count,
            scanned: reply.scanned,
            consumed_capacity: reply.consumed_capacity,
            last_key: reply.last_key.take(),
            items: reply.into_items(),
        }
    }
}

/// Decodes a stored item; returns `None` if it is not part of the read.
pub(crate) type Decode<T> = fn(&ErrorContext, RawItem) -> Result<Option<T>, Error>;

/// The target of a read.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) context: ErrorContext,
    pub(crate) schema: &'static TableSchema,
    pub(crate) index: Option<&'static IndexSchema>,
    /// Which entities are read.
    pub(crate) entities: Entities,
    /// The identity of the read for cursors, besides table, index, entities and filter.
    pub(crate) identity: Identity,
    pub(crate) own: OwnItems,
}

impl Target {
    /// Counts a request to a partition, if anyone wants to know.
    pub(super) fn accessed(&self, db: &Dynamo, pk: &KeyValue) {
        db.accessed(Access::Read, || Accessed {
            table: self.schema,
            index: self.index,
            entities: self.entities.as_slice(),
            pk,
        });
    }
}

/// Which entities are read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Entities {
    One(&'static &'static EntitySchema),
    /// Those of an items enum.
    Items(&'static [&'static EntitySchema]),
}

impl Entities {
    pub(super) fn as_slice(&self) -> &'static [&'static EntitySchema] {
        match self {
            Self::One(entity) => core::slice::from_ref(entity),
            Self::Items(all) => all,
        }
    }
}

/// Distinguishes reads of an index. Only a cursor needs it.
#[derive(Debug, Clone)]
pub(crate) enum Identity {
    Scan {
        /// Which of how many segments, where the table is read in several.
        segment: Option<(i32, i32)>,
    },
    Query {
        pk: Arc<KeyValue>,
        sort: SortCondition,
        descending: bool,
        partitions: Partitions,
    },
}

impl Identity {
    fn define(&self, definition: &mut Definition) {
        match self {
            Self::Scan { segment } => {
                let segment = segment.map(|(number, total)| format!("{number}/{total}"));
                definition.field_if(b'n', segment.as_ref().map(String::as_bytes));
            }
            Self::Query {
                sort,
                descending,
                partitions,
                ..
            } => {
                partitions.define(definition);
                definition.sort(sort);
                definition.field_if(b'd', descending.then_some(b""));
            }
        }
    }
}

/// How many items the first request reads that looks for an item which a filter passes; each
/// further one reads twice as many.
const FIRST_LOOK: usize = 16;

/// A place between two items.
#[derive(Debug, Clone)]
enum Position {
    /// For one partition, or a scan: the item beside it.
    Item(RawItem),
    Marks(Marks),
}

/// The progress of a read.
#[derive(Debug, Clone)]
pub(crate) struct Paging {
    pub(crate) db: Dynamo,
    pub(crate) target: Target,
    pub(crate) options: Options,
    pub(crate) filter: Option<String>,
    pub(crate) aliases: Aliases,
    /// Where the next request begins.
    pub(crate) start: Option<Item>,
    /// The heading of the given cursor: whether the read goes against the order of its query, and
    /// whether an item of the query is behind its beginning.
    pub(crate) heading: Heading,
    /// Whether an item was returned.
    handed_out: bool,
    /// The beginning of the page on the other side: the first returned item.
    first: Option<Position>,
    /// The number of items that may still be returned.
    pub(super) left: Option<usize>,
    /// Whether one more item is read than returned, to know whether it exists.
    pub(crate) looks_ahead: bool,
    /// Whether an item that can be returned follows the last one.
    has_more: bool,
    /// Whether the next request only looks for such an item.
    looking: bool,
    /// No item follows.
    pub(crate) done: bool,
    /// Whether the result contains its cost.
    pub(crate) reports: bool,
    /// Whether most items may be skipped, because a range is not a condition of the request.
    loose: bool,
    /// The number of requests sent. Each reads twice as many items as the one before if items of
    /// other entities are skipped.
    requests: u32,
    /// The used part of the budget.
    pub(super) spent: Spent,
    /// How many items the next request may read.
    pub(super) allowance: Option<usize>,
    /// Where several partitions are read.
    pub(crate) series: Option<Series>,
    expiry: Option<Expiry>,
    /// Where the last answer began; `None` at the beginning.
    began: Option<Item>,
    /// The items of the last response that were neither returned nor skipped yet.
    pending: std::vec::IntoIter<RawItem>,
    /// The item before them, where it is of the same answer.
    passed: Option<RawItem>,
}

impl Paging {
    /// `aliases` has those that were needed before the filter. Boxed, because it is a kilobyte and
    /// is moved several times.
    pub(crate) fn new(
        db: &Dynamo,
        target: Target,
        options: Options,
        mut aliases: Aliases,
    ) -> Result<Box<Self>, Error> {
        let fail = |kind| Error::new(target.context.whole(), kind, None);
        if options.limit == Some(0) {
            return Err(fail(ErrorKind::ZeroLimit));
        }
        let constant = options.filter.as_ref().and_then(Condition::constant);
        let filter = options.filter.clone().filter(|_| constant.is_none());
        let filter = match (target.own.filter.clone(), filter) {
            (Some(own), Some(filter)) => Some(own & filter),
            (own, filter) => own.or(filter),
        };
        let filter = filter
            .map(|filter| filter.expression(&mut aliases))
            .transpose()
            .map_err(|attribute| fail(ErrorKind::Encode { attribute }))?;
        let expiry = Expiry::of_read(db, (target.schema, target.entities), options.unexpired);
        if let (Some(Expiry { attribute, .. }), Some(index)) = (expiry, target.index)
            && !check::carries(target.schema, index, attribute)
        {
            let index = index.name;
            return Err(fail(ErrorKind::ExpiryNotProjected { index, attribute }));
        }
        let (heading, start) = target
            .start(db, &options)
            .map_err(|reason| fail(ErrorKind::Cursor { reason }))?;
        Ok(Box::new(Self {
            db: db.clone(),
            filter,
            aliases,
            start,
            heading,
            handed_out: false,
            first: None,
            left: options.limit,
            looks_ahead: false,
            has_more: false,
            looking: false,
            done: constant == Some(false),
            reports: false,
            loose: false,
            requests: 0,
            spent: Spent::default(),
            allowance: options.budget.items,
            series: None,
            expiry,
            began: None,
            pending: Vec::new().into_iter(),
            passed: None,
            target,
            options,
        }))
    }

    pub(crate) fn table(&self) -> &str {
        &self.target.context.table
    }

    /// Returns whether no more requests are needed; if a limit is the reason, the rest can be read
    /// later.
    pub(crate) fn is_over(&self) -> bool {
        self.done || self.left == Some(0)
    }

    pub(crate) fn context(&self) -> &ErrorContext {
        &self.target.context
    }

    /// Whether there is a limit to reach, over several requests if need be.
    pub(crate) fn is_limited(&self) -> bool {
        self.left.is_some()
    }

    /// How many items the next request reads at most.
    pub(crate) fn page_size(&self, want: Want) -> Option<i32> {
        // A filter or a range may skip most items, and a count is one number for any number of
        // items: then the limit does not set the page size.
        let known = !self.leaves_out() && want == Want::Items;
        let wanted = match self.looking {
            // The user's conditions may skip many items.
            true if self.leaves_out() => Some(FIRST_LOOK),
            true => Some(1),
            false => self.left.filter(|_| known),
        };
        let ahead = usize::from(self.looks_ahead && !self.looking);
        let wanted = wanted.map(|wanted| {
            let wanted = wanted.saturating_add(ahead).saturating_mul(self.growth());
            i32::try_from(wanted).unwrap_or(i32::MAX)
        });
        let allowance = self
            .allowance
            .map(|items| i32::try_from(items).unwrap_or(i32::MAX));
        let sizes = [wanted, self.options.page_size, allowance];
        sizes.into_iter().flatten().min()
    }

    /// Returns whether the user's conditions skip items after they were read.
    fn leaves_out(&self) -> bool {
        let inexact = self
            .series
            .as_ref()
            .is_some_and(|series| !series.is_exact());
        let filter = self.options.filter.as_ref();
        let filters = filter.is_some_and(|filter| filter.constant().is_none());
        filters || self.loose || inexact
    }

    /// Most items of a read are its own entity's and have not expired, so that the first request
    /// reads as many as are wanted. If others are among them, each further request reads twice as
    /// many: few requests find even rare items.
    fn growth(&self) -> usize {
        match self.leaves_out_some() || (self.looking && self.leaves_out()) {
            true => 1_usize.checked_shl(self.requests).unwrap_or(usize::MAX),
            false => 1,
        }
    }

    /// Returns whether items of other entities or expired items are skipped.
    fn leaves_out_some(&self) -> bool {
        self.target.own.leaves_out_others() || self.expiry.is_some()
    }

    /// Checks the owner of each item before it is returned, for a read that decodes no entity.
    pub(super) fn check_owners(&mut self) {
        self.target.own.skips = true;
    }

    /// Whether an item is one of those that are read.
    fn keeps(&self, item: &RawItem) -> bool {
        let expired = self.expiry.is_some_and(|expiry| expiry.is_over(item));
        let kept = self.series.as_ref().is_none_or(|series| series.keeps(item));
        !expired && kept && self.target.own.may_be_own(item)
    }

    /// Returns the projected attributes, if not all are read, and their names. A count that
    /// DynamoDB cannot make needs only the keys.
    pub(crate) fn projection<'p>(
        &'p self,
        projection: Option<&'p str>,
        want: Want,
    ) -> (Option<Cow<'p, str>>, Cow<'p, Aliases>) {
        let own = Cow::Borrowed(&self.aliases);
        match want {
            Want::Items => match (projection, self.expiry) {
                // The projection may not name the attribute by which an item expires.
                (Some(text), Some(Expiry { attribute, .. }))
                    if !self.options.projection.contains(&attribute) =>
                {
                    let mut aliases = self.aliases.clone();
                    let attribute = aliases.name(attribute);
                    (
                        Some(format!("{text}, {attribute}").into()),
                        Cow::Owned(aliases),
                    )
                }
                (projection, _) => (projection.map(Cow::Borrowed), own),
            },
            Want::Count => (None, own),
            Want::Keys => {
                let mut aliases = self.aliases.clone();
                let names = cursor::key_names(self.target.schema, None);
                let own_type = self.target.own.type_attribute();
                let names = names.chain(own_type);
                let names: Vec<_> = names.map(|name| aliases.name(name)).collect();
                (Some(names.join(", ").into()), Cow::Owned(aliases))
            }
        }
    }

    /// Returns the request of a count. If items are skipped here, they must be read.
    pub(super) fn wanted_to_count(&self) -> Want {
        let exact = self.series.as_ref().is_none_or(Series::is_exact);
        match exact && self.expiry.is_none() {
            true => self.target.own.counted_by,
            false => Want::Items,
        }
    }

    /// How many of these items are among those that are read.
    pub(super) fn count(&self, items: &[RawItem]) -> Result<usize, Error> {
        let Target { own, context, .. } = &self.target;
        items.iter().try_fold(0, |count, item| {
            let counts = self.keeps(item) && own.is_own(context, item)?;
            Ok(count + usize::from(counts))
        })
    }

    /// Takes the items of a response, to return them one by one.
    pub(super) fn hold(&mut self, items: Vec<RawItem>) {
        self.pending = items.into_iter();
        self.passed = None;
    }

    /// Returns the next item that may be returned; those before it are skipped for good.
    pub(super) fn next_kept(&mut self) -> Option<RawItem> {
        while self.left != Some(0) {
            let item = self.pending.next()?;
            if self.keeps(&item) {
                return Some(item);
            }
            self.pass(item);
        }
        None
    }

    /// Returns the part of an item that a position needs.
    pub(super) fn place_of(&self, item: &RawItem) -> RawItem {
        match item {
            RawItem::Json(..) => item.clone(),
            RawItem::Map(_) => RawItem::Map(self.target.key_of(item)),
        }
    }

    /// Returns whether an item will be returned: the library's own items are skipped.
    fn counts(&self, item: &RawItem) -> bool {
        self.keeps(item) && !self.target.own.is_others(item)
    }

    /// Records that an item was returned, or skipped for good.
    pub(super) fn pass(&mut self, item: RawItem) {
        if let Some(series) = &mut self.series {
            series.passed(self.target.key_of(&item));
        } else {
            self.passed = Some(item);
        }
    }

    /// Records the first returned item of a page: before it, the page on the other side begins.
    pub(super) fn note_first(&mut self, item: &RawItem) {
        if !self.heading.behind || self.first.is_some() {
            return;
        }
        self.first = Some(match &self.series {
            None => Position::Item(item.clone()),
            Some(series) => {
                let held = core::iter::once(item).chain(self.pending.as_slice());
                Position::Marks(series.marks_behind(held, |item| self.target.key_of(item)))
            }
        });
    }

    /// Counts a returned item. At the limit, the items after it belong to the next page, if any of
    /// them will be returned there.
    pub(super) fn handed_out(&mut self) {
        self.handed_out = true;
        let Some(left) = &mut self.left else { return };
        *left -= 1;
        if *left > 0 {
            return;
        }
        self.has_more = self.pending.as_slice().iter().any(|it| self.counts(it));
        if !self.has_more {
            for item in core::mem::take(&mut self.pending) {
                self.pass(item);
            }
        }
    }

    /// Records the result of a request.
    pub(super) fn answered(&mut self, last_key: Option<Item>) {
        self.began = self.start.take();
        self.start = last_key;
        self.done = self.start.is_none() && self.series.is_none();
        self.requests += 1;
        self.passed = None;
    }

    /// Moves back to the item that could not be returned: it, and the items after it, are read
    /// again.
    pub(super) fn rewind(&mut self) {
        self.pending = Vec::new().into_iter();
        if let Some(series) = &mut self.series {
            series.rewind();
            return;
        }
        self.start = match self.passed.take() {
            Some(item) => Some(self.target.key_of(&item)),
            None => self.began.take(),
        };
        self.done = false;
    }

    /// Returns whether it is unknown if an item follows the returned ones: DynamoDB also returns a
    /// start key after the last item, if a request ends with it.
    pub(crate) fn must_look_ahead(&self) -> bool {
        let goes_on = self.series.as_ref().is_none_or(|it| it.marks().is_some());
        self.looks_ahead && !self.has_more && !self.done && goes_on
    }

    /// Returns whether only `page` may send the requests: the items arrive in reverse order.
    pub(super) fn is_for_pages(&self) -> bool {
        self.heading.backward && !self.looks_ahead
    }

    /// Makes the next request look for one item, which is not returned.
    pub(crate) fn look_ahead(&mut self) {
        self.left = Some(1);
        if !self.looking {
            self.requests = 0;
        }
        self.looking = true;
    }

    /// Returns whether a request that looks ahead found an item. If not, the position moves past
    /// the items that it read.
    pub(crate) fn found_more(&mut self, items: Vec<RawItem>) -> bool {
        let Some(found) = items.iter().find(|item| self.counts(item)) else {
            self.pass_all(items);
            return false;
        };
        // Behind a page without items is the same as before this one.
        if self.heading.behind && self.first.is_none() {
            self.first = Some(match &self.series {
                None => Position::Item(found.clone()),
                Some(series) => {
                    let key_of = |item: &RawItem| self.target.key_of(item);
                    Position::Marks(series.marks_behind(items.iter(), key_of))
                }
            });
        }
        true
    }

    /// Records that the items of a response were counted: none of them will be returned.
    pub(super) fn counted(&mut self) {
        if let Some(series) = &mut self.series {
            series.counted();
        }
    }

    /// All items of an answer were looked at.
    pub(super) fn pass_all(&mut self, items: Vec<RawItem>) {
        items.into_iter().for_each(|item| self.pass(item));
    }

    /// Returns the same read in another partition. The partition key is the first value of its
    /// request. `loose` means that most items may be skipped: then a limit is not a page size. Not
    /// for a series.
    pub(super) fn of_partition(&self, pk: &KeyValue, start: Option<Item>, loose: bool) -> Self {
        let mut aliases = self.aliases.clone();
        aliases.replace_first(wire::key_value(pk.clone()));
        Self {
            loose,
            aliases,
            start,
            ..self.clone()
        }
    }

    /// Returns the cursor after the last item that was returned or skipped; `None` at the end. At
    /// the beginning it has no key.
    pub(crate) fn cursor(&self) -> Option<String> {
        let heading = Heading {
            behind: self.heading.behind || self.handed_out,
            ..self.heading
        };
        if let Some(series) = &self.series {
            let marks = series.marks().filter(|_| !self.done)?;
            return Some(self.scope().encode_marks(heading, &marks));
        }
        let start = self.position()?;
        Some(self.scope().encode(heading, &start))
    }

    /// Returns the cursor of the page on the other side of the first item; `None` if it is empty.
    /// `goes_on` says whether items are left on this side.
    pub(crate) fn cursor_behind(&self, goes_on: bool) -> Option<String> {
        if !self.heading.behind || matches!(self.target.identity, Identity::Scan { .. }) {
            return None;
        }
        let heading = Heading {
            backward: !self.heading.backward,
            behind: self.handed_out || goes_on,
        };
        let scope = self.scope();
        // Without an item, from the skipped ones; at the end, from there.
        Some(match (&self.first, &self.series) {
            (Some(Position::Item(item)), _) => scope.encode(heading, &self.target.key_of(item)),
            (Some(Position::Marks(marks)), _) => scope.encode_marks(heading, marks),
            (None, None) => {
                let start = self.position().filter(|_| goes_on).unwrap_or_default();
                scope.encode(heading, &start)
            }
            (None, Some(_)) if !goes_on => scope.encode_marks(heading, &(0, Vec::new())),
            (None, Some(series)) => {
                let key_of = |item: &RawItem| self.target.key_of(item);
                let marks = series.marks_behind(self.pending.as_slice().iter(), key_of);
                scope.encode_marks(heading, &marks)
            }
        })
    }

    fn scope(&self) -> Scope<'_> {
        self.target.scope(&self.db, &self.options)
    }

    /// Returns the start key, in one partition or a scan; empty at the beginning.
    fn position(&self) -> Option<Cow<'_, Item>> {
        let known = if self.pending.as_slice().is_empty() {
            (!self.done).then_some(&self.start)?
        } else if let Some(item) = &self.passed {
            return Some(Cow::Owned(self.target.key_of(item)));
        } else {
            &self.began
        };
        Some(known.as_ref().map_or_else(Cow::default, Cow::Borrowed))
    }

    /// Writes the common part of both kinds of requests.
    pub(crate) fn describe(&self, request: &mut Object<'_>, want: Want) {
        request.text("TableName", self.table());
        request.text_if("IndexName", self.target.index.map(|index| index.name));
        request.text_if("FilterExpression", self.filter.as_deref());
        request.flag("ConsistentRead", self.options.consistent);
        if let Some(size) = self.page_size(want) {
            request.number("Limit", size);
        }
        if let Some(start) = &self.start {
            request.item("ExclusiveStartKey", start);
        }
        request.capacity(self.reports);
    }

    /// The first request, as far as both kinds are the same.
    pub(crate) fn explain(&self, operation: &'static str) -> Explain {
        Explain {
            operation,
            table: self.table().to_owned(),
            index: self.target.index.map(|index| index.name),
            filter: self.filter.clone().filter(|_| !self.is_over()),
            names: self.aliases.names().into_iter().flatten().collect(),
            values: crate::request::explained_values(self.aliases.values().into_iter().flatten()),
            consistent: self.options.consistent,
            partitions: self.series.as_ref().map_or(1, Series::count),
            page_size: self.page_size(Want::Items),
            nothing: self.is_over(),
            closest: None,
            hidden: self.aliases.hidden(),
            ..Explain::default()
        }
    }
}

/// The expiry of items, if expired ones are hidden.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expiry {
    attribute: &'static str,
    /// The second it is now.
    now: i64,
    /// The entities of a collection: only those that hide expired items leave them out.
    of: Option<(&'static TableSchema, &'static [&'static EntitySchema])>,
}

impl Expiry {
    /// Leaves out expired items of one entity, by the handle's clock.
    pub(crate) fn new(db: &Dynamo, schema: &TableSchema, unexpired: bool) -> Option<Self> {
        Some(Self {
            attribute: schema.ttl.filter(|_| unexpired)?,
            now: db.moment().seconds,
            of: None,
        })
    }

    /// Hides expired items of every entity with `hide_expired`, or of all with `unexpired()`.
    pub(super) fn of_read(
        db: &Dynamo,
        (schema, entities): (&'static TableSchema, Entities),
        unexpired: bool,
    ) -> Option<Self> {
        let hides = |entity: &EntitySchema| entity.hides_expired;
        match entities {
            Entities::One(entity) => Self::new(db, schema, unexpired || hides(entity)),
            Entities::Items(_) if unexpired => Self::new(db, schema, true),
            Entities::Items(entities) => {
                let any = entities.iter().any(|entity| hides(entity));
                let expiry = Self::new(db, schema, any)?;
                let of = Some((schema, entities));
                Some(Self { of, ..expiry })
            }
        }
    }

    pub(crate) fn is_over(&self, item: &RawItem) -> bool {
        let over = match item.attribute(self.attribute).as_deref() {
            Some(AttributeValue::N(at)) => is_before(at, self.now),
            _ => false,
        };
        over && self.of.is_none_or(|(table, entities)| {
            let mut hiding = entities.iter().filter(|entity| entity.hides_expired);
            hiding.any(|entity| Owned::new(table, entity, None).owner(item) == Owner::Own)
        })
    }
}

/// Returns whether a stored number is less than this second. DynamoDB deletes items whose TTL is
/// less than the current time, and other programs may store a fraction of a second or an exponent.
fn is_before(number: &str, second: i64) -> bool {
    match number.parse::<i64>() {
        Ok(number) => number < second,
        Err(_) => KeyRef::N(number) < KeyRef::N(&second.to_string()),
    }
}

impl Target {
    /// Returns the context of a cursor: this read, with any page size and limit.
    #[cold]
    fn fingerprint(&self, options: &Options) -> u64 {
        let mut definition = Definition::default();
        definition.field(b't', self.context.table.as_bytes());
        definition.field_if(b'i', self.index.map(|index| index.name.as_bytes()));
        match self.entities {
            Entities::One(entity) => definition.entity(self.schema, entity),
            Entities::Items(entities) => {
                definition.field(b'c', b"");
                for entity in entities {
                    definition.entity(self.schema, entity);
                }
            }
        }
        self.identity.define(&mut definition);
        let filter = options.filter.as_ref().and_then(Condition::definition);
        definition.field_if(b'f', filter.as_ref().map(String::as_bytes));
        // An entity that hides expired items reads the same with `unexpired()`. Its cursors are
        // those of a plain read, so that declaring `hide_expired` refuses no cursor that clients
        // hold.
        let hides = matches!(self.entities, Entities::One(entity) if entity.hides_expired);
        definition.field_if(b'u', (options.unexpired && !hides).then_some(b""));
        for attribute in options.projection {
            definition.field(b'a', attribute.as_bytes());
        }
        definition.hash()
    }

    fn scope<'s>(&'s self, db: &'s Dynamo, options: &Options) -> Scope<'s> {
        Scope {
            fingerprint: self.fingerprint(options),
            table: self.schema,
            index: self.index,
            keys: db.cursor_keys(),
        }
    }

    /// How far the partitions were read, if a cursor was given.
    pub(crate) fn marks(
        &self,
        db: &Dynamo,
        options: &Options,
    ) -> Result<Option<(Heading, Marks)>, &'static str> {
        let cursor = options.cursor.as_deref();
        let decode = |text| self.scope(db, options).decode_marks(text);
        cursor.map(decode).transpose()
    }

    /// Where to begin, if a cursor was given. A key that was forgotten is found out before the
    /// first page ends.
    fn start(
        &self,
        db: &Dynamo,
        options: &Options,
    ) -> Result<(Heading, Option<Item>), &'static str> {
        let keys = db.cursor_keys();
        if keys.is_some_and(|keys| !keys.can_sign()) {
            return Err("cannot be signed, as the key is empty");
        }
        let Some(text) = options.cursor.as_deref() else {
            return Ok((Heading::default(), None));
        };
        let (heading, start) = self.scope(db, options).decode(text)?;
        if heading.backward && matches!(self.identity, Identity::Scan { .. }) {
            return Err(cursor::ELSEWHERE);
        }
        // A cursor without a key belongs to a read that had returned no item.
        Ok((heading, Some(start).filter(|start| !start.is_empty())))
    }

    /// The key attributes of an item as they are stored, of the table and of the index.
    fn key_of(&self, item: &RawItem) -> Item {
        item.only(cursor::key_names(self.schema, self.index))
    }
}
