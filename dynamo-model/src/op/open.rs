//! A query whose sort key is still being given.

use super::query::{Query, Request};
use super::series::Partitions;
use crate::error::KeyError;
use crate::key::PartValue;
use crate::key::range::KeyRange;
use crate::key::sort_key::{Parts, PrefixBuilder, Ranged};
use crate::key::template::Field;
use core::marker::PhantomData;

/// The partition is known, and of the sort key what was given so far.
#[doc(hidden)]
#[derive(Debug)]
pub struct OpenQuery<E, I> {
    open: Open,
    of: PhantomData<fn() -> (E, I)>,
}

/// Likewise, whosever it is: what works with it is compiled once, and not for each entity.
#[derive(Debug)]
struct Open {
    partitions: Result<Partitions, KeyError>,
    sk: PrefixBuilder,
}

impl Open {
    fn part(self, value: PartValue<'_>) -> Self {
        Self {
            sk: self.sk.part(value),
            ..self
        }
    }

    fn within(self, text: &str) -> Result<Request, KeyError> {
        Request::open(self.partitions, self.sk.within(text).condition())
    }

    fn close(self) -> Result<Request, KeyError> {
        let is_open = self.sk.is_open();
        let sort = self.sk.condition();
        let sort = match &self.partitions {
            Ok(partitions) => sort.map(|sort| partitions.narrowed(sort, is_open)),
            Err(_) => sort,
        };
        Request::open(self.partitions, sort)
    }
}

impl<E, I> OpenQuery<E, I> {
    #[must_use]
    pub fn new(partitions: Result<impl Into<Partitions>, KeyError>, sk: PrefixBuilder) -> Self {
        let partitions = partitions.map(Into::into);
        Self {
            open: Open { partitions, sk },
            of: PhantomData,
        }
    }

    /// With nothing more to say about the sort key.
    pub fn close(self) -> Query<E, I> {
        Query::of(self.open.close())
    }
}

impl<E, I> Parts for OpenQuery<E, I> {
    type Bounded = Query<E, I>;

    fn part(self, value: PartValue<'_>) -> Self {
        Self {
            open: self.open.part(value),
            of: PhantomData,
        }
    }

    fn within(self, text: &str) -> Query<E, I> {
        Query::of(self.open.within(text))
    }
}

impl<E, I> Ranged for OpenQuery<E, I> {
    fn range<F: Field>(self, range: &impl KeyRange<F::Part>) -> Query<E, I> {
        let Open { partitions, sk } = self.open;
        Query::of(Request::open(partitions, sk.range(range.bounds())))
    }
}

/// The methods of [`Query`], on a generated type that holds an `OpenQuery`: each closes it and goes on.
#[doc(hidden)]
#[macro_export]
macro_rules! __query_methods {
    ($e:ident, $i:ident, $p:ident) => {
        /// At most this many items come back.
        pub fn limit(self, items: ::core::primitive::usize) -> $crate::Query<$e, $i> {
            self.0.close().limit(items)
        }

        /// At most this many items are read in one request.
        pub fn page_size(self, items: ::core::primitive::u32) -> $crate::Query<$e, $i> {
            self.0.close().page_size(items)
        }

        /// Leaves out what has expired and is not deleted yet.
        pub fn unexpired(self) -> $crate::Query<$e, $i> {
            self.0.close().unexpired()
        }

        /// Goes on where a page ended.
        pub fn after(
            self,
            cursor: impl ::core::convert::Into<::std::string::String>,
        ) -> $crate::Query<$e, $i> {
            self.0.close().after(cursor)
        }

        /// In falling order of the sort key.
        pub fn newest_first(self) -> $crate::Query<$e, $i>
        where
            $p: $crate::__private::InOrder,
        {
            self.0.close().newest_first()
        }

        /// Sees every write that was acknowledged before; a global index has no such reads.
        pub fn consistent(self) -> $crate::Query<$e, $i>
        where
            $i: $crate::__private::ConsistentRead,
        {
            self.0.close().consistent()
        }

        /// Only the items that pass; the others are read, and paid for, all the same.
        pub fn filter(
            self,
            condition: impl ::core::ops::FnOnce(
                <$e as $crate::__private::HasFields>::Fields<$i>,
            ) -> $crate::Condition,
        ) -> $crate::Query<$e, $i>
        where
            $e: $crate::__private::HasFields,
        {
            self.0.close().filter(condition)
        }

        /// All of it: the query, to be sent.
        pub fn query(self) -> $crate::Query<$e, $i> {
            self.0.close()
        }

        /// The next items.
        pub fn page(self, db: &$crate::Dynamo) -> $crate::Reading<$e, $crate::Page<$e>>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().page(db)
        }

        /// All items.
        pub fn all(self, db: &$crate::Dynamo) -> $crate::Reading<$e, ::std::vec::Vec<$e>>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().all(db)
        }

        /// The items one by one, read page by page as they are asked for.
        pub fn stream(self, db: &$crate::Dynamo) -> $crate::ItemStream<$e>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().stream(db)
        }

        /// The first item, if there is one.
        pub fn first(self, db: &$crate::Dynamo) -> $crate::Reading<$e, ::core::option::Option<$e>>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().first(db)
        }

        /// The one item that must be there.
        pub fn one(self, db: &$crate::Dynamo) -> $crate::Reading<$e, $e>
        where
            $e: $crate::Entity + $crate::__private::Decodable<$crate::__private::Serde>,
            $i: $crate::index::IndexMarker,
            $e::Table: $crate::__private::ProjectsAll<$i>,
        {
            self.0.close().one(db)
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
        pub fn project<__Q>(self) -> $crate::Projected<__Q, $i>
        where
            $e: $crate::__private::Readable,
            $i: $crate::index::IndexMarker,
            __Q: $crate::__private::ProjectedFrom<$e, $i>,
        {
            self.0.close().project()
        }

        /// The whole items, by way of an index that carries only a part of each.
        pub fn hydrate(
            self,
            db: &$crate::Dynamo,
        ) -> impl ::core::future::Future<
            Output = ::core::result::Result<::std::vec::Vec<$e>, $crate::Error>,
        >
        where
            $e: $crate::__private::Readable + $crate::__private::DeserializeOwned,
            $i: $crate::index::IndexMarker,
        {
            self.0.close().hydrate(db)
        }

        /// The exact first request, without sending it.
        pub fn explain(
            self,
            db: &$crate::Dynamo,
        ) -> ::core::result::Result<$crate::Explain, $crate::Error>
        where
            $e: $crate::Entity,
            $i: $crate::index::IndexMarker,
        {
            self.0.close().explain(db)
        }
    };
}
