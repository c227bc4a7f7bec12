//! Queries: the partition, a condition on the sort key, and the options.

use super::bounds::{ConsistentRead, HasFields};
use super::each::{Each, ReadsMany, Started};
use super::item_stream::ItemStream;
use super::page::Page;
use super::paging::{self, Options, Want};
use super::query_state::{Expressions, QueryState};
use super::reading::Reading;
use super::run::Run;
use super::selection::{CarriedBy, Decodes, SelectedFrom, Selection, decoded};
use super::series::Partitions;
use crate::db::Dynamo;
use crate::entity::IndexedBy;
use crate::error::{Error, KeyError};
use crate::expr::IntoCondition;
use crate::index::{IndexMarker, Primary};
use crate::key::PartitionKey;
use crate::key::declared::templates;
use crate::key::range::SortCondition;
use crate::key::sort_key::PrefixBuilder;
use crate::request::Explain;
use crate::transport;
use crate::wire::StoredItem;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use core::marker::PhantomData;

/// A query of one partition of the table, or of the index `I`, for items of the entity `S`.
///
/// Made by the `query` of an entity, and by the method named after each of its indexes. A
/// [`Collection`](crate::read::Collection) is a query for items of any entity, and a [`Projected`](crate::read::Projected) query is one for parts of
/// items: all have the same methods.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let orders: Vec<Order> = Order::query("u1").number_in(10..=20).descending().all(&db).await?;
/// assert!(orders.is_empty());
/// # Ok(())
/// # }
/// ```
///
/// # Conditions of your own program
///
/// A range does not change the type of a query, so that ordinary code can narrow it. `query()` ends
/// the sort key, and gives the type that you can store and return.
///
/// ```
/// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK", sk = "SK")]
/// # struct App;
/// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # #[sk("ORDER#<number:06>")]
/// # struct Order {
/// #     user_id: String,
/// #     number: u32,
/// # }
/// use dynamo_model::read::Query;
///
/// fn orders(user: &str, from: Option<u32>, to: Option<u32>, newest: bool) -> Query<Order> {
///     let mut query = Order::query(user);
///     if let Some(from) = from {
///         query = query.number_in(from..);
///     }
///     if let Some(to) = to {
///         query = query.number_in(..=to);
///     }
///     if newest {
///         query = query.descending();
///     }
///     query.query()
/// }
///
/// let db = Dynamo::embedded()?;
/// assert_eq!(
///     orders("u1", Some(10), Some(20), true).explain(&db)?.to_string(),
///     "Query App\n  \
///      key: PK = \"USER#u1\" AND SK BETWEEN \"ORDER#000010\" AND \"ORDER#000020\"\n  \
///      newest first",
/// );
/// # Ok::<(), dynamo_model::Error>(())
/// ```
#[must_use = "nothing is read until `page`, `all`, `stream`, `first`, `one` or `count`"]
pub struct Query<S, I = Primary> {
    pub(super) state: Result<QueryState, KeyError>,
    of: PhantomData<fn() -> (S, I)>,
}

// A derived impl would require the same of `S` and `I`, which are only markers.
impl<S, I> Clone for Query<S, I> {
    fn clone(&self) -> Self {
        Self::of(self.state.clone())
    }
}

impl<S, I> core::fmt::Debug for Query<S, I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Query").field(&self.state).finish()
    }
}

impl<S, I> Query<S, I> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(
        partitions: Result<impl Into<Partitions>, KeyError>,
        sort: Result<SortCondition, KeyError>,
    ) -> Self {
        Self::of(partitions.and_then(|it| Ok(QueryState::new(it.into(), sort?))))
    }

    pub(super) fn of(state: Result<QueryState, KeyError>) -> Self {
        Self {
            state,
            of: PhantomData,
        }
    }

    /// A key that could not be built stays the error.
    pub(super) fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        if let Ok(state) = &mut self.state {
            change(&mut state.options);
        }
        self
    }

    paging::page_methods!(S: crate::op::Expires);

    /// Reads in descending order of the sort key. Fails before the request if the sort key has no
    /// order.
    pub fn descending(self) -> Self {
        Self::of(self.state.and_then(QueryState::descending))
    }

    /// Sees every acknowledged write; costs twice as much. A global index has no such reads.
    pub fn consistent(self) -> Self
    where
        I: ConsistentRead,
    {
        self.options(|options| options.consistent = true)
    }

    /// Returns only items that pass; the others still cost read units. Several filters must all
    /// pass.
    pub fn filter<C>(self, condition: impl FnOnce(S::Fields<I>) -> C) -> Self
    where
        S: HasFields,
        C: IntoCondition,
    {
        let condition = condition(S::fields()).into_condition();
        self.options(|options| options.add_filter(condition))
    }
}

impl<E: IndexedBy<I>, I: IndexMarker> PartitionKey<E, I> {
    /// The items of the entity in this partition: the query that an entity has under the name of its
    /// index, for code that serves any entity.
    ///
    /// ```
    /// use dynamo_model::bounds::IndexedBy;
    /// use dynamo_model::index::Primary;
    /// use dynamo_model::read::Loadable;
    /// use dynamo_model::{Dynamo, Error, Key};
    ///
    /// /// The items beside this one.
    /// async fn siblings<E: Loadable + IndexedBy<Primary>>(
    ///     db: &Dynamo,
    ///     key: &Key<E>,
    /// ) -> Result<Vec<E>, Error> {
    ///     key.partition_key().query().descending().limit(10).all(db).await
    /// }
    /// ```
    pub fn query(self) -> Query<E, I> {
        let sort = match const { templates::<E, I>().1 } {
            Some(_) => PrefixBuilder::of::<E, I>().condition(),
            None => Ok(SortCondition::Any),
        };
        Query::new(Ok(self), sort)
    }
}

/// The bounds are on the methods, so that their messages are seen.
impl<S: Selection, I: IndexMarker> Query<S, I> {
    /// Reads the next items: `limit` items, or one request.
    pub fn page(self, db: &Dynamo) -> Reading<S::Item, Page<S::Item>>
    where
        S: Decodes + CarriedBy<I>,
    {
        Reading::page(self.run(db), decoded::<S, I>)
    }

    /// All items, or the first `limit` of them.
    pub fn all(self, db: &Dynamo) -> Reading<S::Item, Vec<S::Item>>
    where
        S: Decodes + CarriedBy<I>,
    {
        Reading::all(self.run(db), decoded::<S, I>)
    }

    /// Returns the items one by one, reading pages on demand.
    pub fn stream(self, db: &Dynamo) -> ItemStream<S::Item>
    where
        S: Decodes + CarriedBy<I>,
    {
        ItemStream::new(self.run(db), decoded::<S, I>)
    }

    /// The first item, if there is one.
    pub fn first(self, db: &Dynamo) -> Reading<S::Item, Option<S::Item>>
    where
        S: Decodes + CarriedBy<I>,
    {
        Reading::first(self.limit(1).run(db), decoded::<S, I>)
    }

    /// Returns the only item; fails if there is none, or more than one.
    pub fn one(self, db: &Dynamo) -> Reading<S::Item, S::Item>
    where
        S: Decodes + CarriedBy<I>,
    {
        Reading::one(self.limit(2).run(db), decoded::<S, I>)
    }

    /// Hands out each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    /// Returns the number of items that the query would return. DynamoDB counts, unless only keys
    /// show which items these are.
    pub async fn count(self, db: &Dynamo) -> Result<usize, Error> {
        self.run_for(db, Want::Count)?.into_any().count().await
    }

    /// The exact first request, without sending it.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let Run { request, paging } = self.run(db)?;
        Ok(request.explain(&paging, S::selected::<I>().hides_key()))
    }

    /// The SDK's own builder, filled in as the first request would be.
    pub fn into_sdk(self, db: &Dynamo) -> Result<QueryFluentBuilder, Error> {
        let Run { request, paging } = self.run(db)?;
        let body = request.body(&paging, Want::Items);
        let built = transport::sdk_query(db.transport(), &body);
        built.map_err(|error| error.at(paging.context().clone()))
    }

    pub(super) fn run(self, db: &Dynamo) -> Result<Run<Expressions>, Error> {
        self.run_for(db, Want::Items)
    }

    fn run_for(self, db: &Dynamo, want: Want) -> Result<Run<Expressions>, Error> {
        QueryState::start(self.state, db, S::selected::<I>(), want)
    }
}

impl<S: SelectedFrom<I>, I: IndexMarker> ReadsMany for Query<S, I> {
    type Item = S::Item;

    fn start(self, db: &Dynamo) -> Started {
        Started(self.run(db).map(Run::into_any))
    }

    fn decode(item: StoredItem<'_>) -> Result<Option<S::Item>, Error> {
        S::decode::<I>(item)
    }
}
