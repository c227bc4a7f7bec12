//! A query whose sort key is not complete.

use super::paging::{Options, page_methods};
use super::query::Query;
use super::query_state::QueryState;
use super::series::Partitions;
use crate::error::KeyError;
use crate::expr::Condition;
use crate::key::PartValue;
use crate::key::range::{Bounds, KeyRange, SortCondition};
use crate::key::sort_key::{Parts, PrefixBuilder};
use crate::key::template::Field;
use core::marker::PhantomData;

/// The partition, and what is known of the sort key.
#[derive(Debug)]
pub struct OpenQuery<E, I> {
    open: Open,
    of: PhantomData<fn() -> (E, I)>,
}

// A derived impl would require the same of `E` and `I`, which are only markers.
impl<E, I> Clone for OpenQuery<E, I> {
    fn clone(&self) -> Self {
        Self::of(self.open.clone())
    }
}

/// The same for any entity: code that uses it is compiled once.
#[derive(Clone)]
pub(super) struct Open {
    partitions: Result<Partitions, KeyError>,
    sk: PrefixBuilder,
    /// Ranges and prefixes of parts.
    narrowed: Result<SortCondition, KeyError>,
    /// How many parts were given before the last of them.
    narrowed_at: usize,
    descending: bool,
    options: Options,
}

/// Hides the ends of ranges, which may be sensitive.
impl core::fmt::Debug for Open {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Open")
            .field("partitions", &self.partitions)
            .field("sk", &self.sk)
            .field("descending", &self.descending)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Open {
    pub(super) fn new(
        partitions: Result<Partitions, KeyError>,
        sk: PrefixBuilder,
        descending: bool,
        options: Options,
    ) -> Self {
        Self {
            partitions,
            sk,
            narrowed: Ok(SortCondition::Any),
            narrowed_at: 0,
            descending,
            options,
        }
    }

    pub(super) fn part(self, value: PartValue<'_>) -> Self {
        Self {
            sk: self.sk.part(value),
            ..self
        }
    }

    pub(super) fn within(self, text: &str) -> Self {
        let condition = self.sk.clone().within(text).condition();
        self.narrow(condition)
    }

    pub(super) fn range(self, bounds: Bounds<'_>) -> Self {
        let condition = self.sk.clone().range(bounds);
        self.narrow(condition)
    }

    fn narrow(self, condition: Result<SortCondition, KeyError>) -> Self {
        let narrowed = self.narrowed.and_then(|known| Ok(known.and(condition?)));
        Self {
            narrowed,
            narrowed_at: self.sk.given(),
            ..self
        }
    }

    pub(super) fn close(self) -> Result<QueryState, KeyError> {
        let (given, unsorted) = (self.sk.given(), self.sk.unsorted());
        let partitions = self.partitions?;
        let sort = match self.narrowed? {
            SortCondition::Any => partitions.narrowed(self.sk.condition()?, given == 0),
            // A range contains the parts before it.
            narrowed if self.narrowed_at == given => narrowed,
            narrowed => self.sk.condition()?.and(narrowed),
        };
        let state = QueryState {
            unsorted,
            options: self.options,
            ..QueryState::new(partitions, sort)
        };
        match self.descending {
            true => state.descending(),
            false => Ok(state),
        }
    }
}

impl<E, I> OpenQuery<E, I> {
    #[doc(hidden)]
    #[must_use]
    pub fn new(partitions: Result<impl Into<Partitions>, KeyError>, sk: PrefixBuilder) -> Self {
        let partitions = partitions.map(Into::into);
        Self::of(Open::new(partitions, sk, false, Options::default()))
    }

    fn of(open: Open) -> Self {
        Self {
            open,
            of: PhantomData,
        }
    }

    fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.open.options);
        self
    }

    page_methods!(E: crate::op::Expires);

    #[doc(hidden)]
    pub fn descending(mut self) -> Self {
        self.open.descending = true;
        self
    }

    #[doc(hidden)]
    pub fn consistent(self) -> Self {
        self.options(|options| options.consistent = true)
    }

    #[doc(hidden)]
    pub fn filter(self, condition: Condition) -> Self {
        self.options(|options| options.add_filter(condition))
    }

    /// Completes the query without further parts of the sort key.
    pub fn close(self) -> Query<E, I> {
        Query::of(self.open.close())
    }
}

impl<E, I> Parts for OpenQuery<E, I> {
    type Range = Self;
    type After<P> = P;

    fn part(self, value: PartValue<'_>) -> Self {
        Self::of(self.open.part(value))
    }

    fn within(self, text: &str) -> Self {
        Self::of(self.open.within(text))
    }

    fn range<F: Field>(self, range: &impl KeyRange<F::Part>) -> Self {
        Self::of(self.open.range(range.bounds()))
    }
}

/// The methods of [`Query`], on a generated type that holds an `OpenQuery`: options keep it open,
/// so that the types still know the parts of the sort key, and whether they sort; reading closes
/// it.
#[doc(hidden)]
#[macro_export]
macro_rules! __query_methods {
    ($e:ident, $i:ident, $p:ident, $in_order:path) => {
        /// Returns at most this many items.
        pub fn limit(self, items: ::core::primitive::usize) -> Self {
            Self(self.0.limit(items), ::core::marker::PhantomData)
        }

        /// At most this many items are read in one request.
        pub fn page_size(self, items: ::core::primitive::u32) -> Self {
            Self(self.0.page_size(items), ::core::marker::PhantomData)
        }

        /// Sends at most this many requests; see `Query::max_requests`.
        pub fn max_requests(self, requests: ::core::primitive::u32) -> Self {
            Self(self.0.max_requests(requests), ::core::marker::PhantomData)
        }

        /// Reads at most this many items; see `Query::max_requests`.
        pub fn max_items_read(self, items: ::core::primitive::usize) -> Self {
            Self(self.0.max_items_read(items), ::core::marker::PhantomData)
        }

        /// Hides expired items that are not deleted yet.
        pub fn unexpired(self) -> Self
        where
            $e: $crate::__private::Expires,
        {
            Self(self.0.unexpired(), ::core::marker::PhantomData)
        }

        /// Goes on at the cursor of a page, `next` or `previous`; `None` is the first page.
        pub fn after(self, cursor: impl $crate::read::IntoCursor) -> Self {
            Self(self.0.after(cursor), ::core::marker::PhantomData)
        }

        /// In falling order of the sort key.
        pub fn descending<__Q>(self) -> Self
        where
            $p: $crate::__private::Is<__Q>,
            __Q: $in_order,
        {
            Self(self.0.descending(), ::core::marker::PhantomData)
        }

        /// Sees every acknowledged write; a global index has no such reads.
        pub fn consistent(self) -> Self
        where
            $i: $crate::__private::ConsistentRead,
        {
            Self(self.0.consistent(), ::core::marker::PhantomData)
        }

        /// Returns only items that pass; the others still cost read units.
        pub fn filter<__C>(
            self,
            condition: impl ::core::ops::FnOnce(
                <$e as $crate::__private::HasFields>::Fields<$i>,
            ) -> __C,
        ) -> Self
        where
            $e: $crate::__private::HasFields,
            __C: $crate::expr::IntoCondition,
        {
            let condition = condition(<$e as $crate::__private::HasFields>::fields::<$i>());
            let condition = $crate::expr::IntoCondition::into_condition(condition);
            Self(self.0.filter(condition), ::core::marker::PhantomData)
        }

        /// All of it: the query, to be sent.
        pub fn query(self) -> $crate::read::Query<$e, $i> {
            self.0.close()
        }

        /// The next items.
        pub fn page(self, db: &$crate::Dynamo) -> $crate::read::Reading<$e, $crate::Page<$e>>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().page(db)
        }

        /// All items.
        pub fn all(self, db: &$crate::Dynamo) -> $crate::read::Reading<$e, ::std::vec::Vec<$e>>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().all(db)
        }

        /// Returns the items one by one, reading pages on demand.
        pub fn stream(self, db: &$crate::Dynamo) -> $crate::read::ItemStream<$e>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().stream(db)
        }

        /// The first item, if there is one.
        pub fn first(self, db: &$crate::Dynamo) -> $crate::read::Reading<$e, ::core::option::Option<$e>>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().first(db)
        }

        /// The one item that must be there.
        pub fn one(self, db: &$crate::Dynamo) -> $crate::read::Reading<$e, $e>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().one(db)
        }

        /// Returns each item as a `Result`, so that one that cannot be read does not hide the
        /// others.
        pub fn each(self) -> $crate::read::Each<$crate::read::Query<$e, $i>>
        where
            $e: $crate::Entity,
            $i: $crate::index::IndexMarker,
        {
            self.0.close().each()
        }

        /// How many items there are.
        pub fn count(
            self,
            db: &$crate::Dynamo,
        ) -> impl ::core::future::Future<
            Output = ::core::result::Result<::core::primitive::usize, $crate::Error>,
        >
        where
            $e: $crate::Entity,
            $i: $crate::index::IndexMarker,
        {
            self.0.close().count(db)
        }

        /// Only the fields of a projection of each item.
        pub fn project<__Q>(self) -> $crate::read::Projected<__Q, $i>
        where
            $e: $crate::__private::Readable,
            $i: $crate::index::IndexMarker,
            __Q: $crate::__private::ProjectedFrom<$e, $i>,
        {
            self.0.close().project()
        }

        /// Returns whole items, through an index that projects only a part of each.
        pub fn hydrate<'__f>(
            self,
            db: &$crate::Dynamo,
        ) -> $crate::transaction::ReadingTogether<'__f, ::std::vec::Vec<$e>>
        where
            $e: $crate::__private::Readable
                + $crate::__private::Decodable<$crate::__private::Serde>
                + '__f,
            $i: $crate::index::IndexMarker + '__f,
        {
            self.0.close().hydrate(db)
        }

        /// The SDK's own builder, filled in as the first request would be.
        pub fn into_sdk(
            self,
            db: &$crate::Dynamo,
        ) -> ::core::result::Result<$crate::__private::QueryFluentBuilder, $crate::Error>
        where
            $e: $crate::Entity,
            $i: $crate::index::IndexMarker,
        {
            self.0.close().into_sdk(db)
        }

        /// The exact first request, without sending it.
        pub fn explain(
            self,
            db: &$crate::Dynamo,
        ) -> ::core::result::Result<$crate::read::Explain, $crate::Error>
        where
            $e: $crate::Entity,
            $i: $crate::index::IndexMarker,
        {
            self.0.close().explain(db)
        }

        /// The first request of `hydrate`, without sending it.
        pub fn explain_hydrate(
            self,
            db: &$crate::Dynamo,
        ) -> ::core::result::Result<$crate::read::Explain, $crate::Error>
        where
            $e: $crate::Entity,
            $i: $crate::index::IndexMarker,
        {
            self.0.close().explain_hydrate(db)
        }
    };
}
