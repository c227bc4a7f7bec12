//! Queries: the partition, a condition on the sort key, and the options.

use super::bounds::{ConsistentRead, HasFields, ProjectsAll};
use super::each::{Each, ReadsMany, Started};
use super::item_stream::ItemStream;
use super::page::Page;
use super::paging::{Entities, Identity, Options, OwnItems, Paging, Target, Want};
use super::reading::Reading;
use super::run::Run;
use super::series::{Partitions, Series};
use crate::cursor;
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, ErrorKind, KeyError};
use crate::expr::{Aliases, IntoCondition};
use crate::index::{IndexMarker, Primary};
use crate::key::KeyValue;
use crate::key::range::SortCondition;
use crate::key::sort_key::Unsorted;
use crate::request::Explain;
use crate::schema::{EntitySchema, IndexId, KeyAttribute, TableSchema, found};
use crate::transport;
use crate::wire::{self, Decodable, Object, Owned, RawItem, Serde, StoredItem};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use core::marker::PhantomData;
use std::borrow::Cow;
use std::sync::Arc;

/// A query for items of entity `E`, in the table or in the index `I`.
///
/// Made by the `query` of an entity, and by the method named after each of its indexes.
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
#[must_use = "nothing is read until `page`, `all`, `stream`, `first`, `one` or `count`"]
pub struct Query<E, I = Primary> {
    pub(super) request: Result<Request, KeyError>,
    pub(super) of: PhantomData<fn() -> (E, I)>,
}

/// The request of a query.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) pk: Arc<KeyValue>,
    /// All partitions; `pk` is the first.
    pub(super) partitions: Partitions,
    pub(super) sort: SortCondition,
    pub(super) descending: bool,
    /// The next part of the sort key, where its text does not sort as its values do.
    pub(super) unsorted: Option<Unsorted>,
    pub(super) options: Options,
}

/// Hides the keys, which may contain a sensitive field; `explain` shows the others.
impl core::fmt::Debug for Request {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Request")
            .field("partitions", &self.partitions)
            .field("descending", &self.descending)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// The options of any kind of query, for a type with `request: Result<Request, KeyError>`.
macro_rules! request_methods {
    ($($expires:tt)*) => {
        /// A key that could not be built stays the error.
        fn with(mut self, change: impl FnOnce(&mut $crate::op::query::Request)) -> Self {
            if let Ok(request) = &mut self.request {
                change(request);
            }
            self
        }

        fn options(self, change: impl FnOnce(&mut $crate::op::paging::Options)) -> Self {
            self.with(|request| change(&mut request.options))
        }

        $crate::op::paging::page_methods!($($expires)*);

        /// Reads in descending order of the sort key. Fails before the request if the sort key has
        /// no order.
        pub fn descending(self) -> Self {
            let request = self
                .request
                .and_then($crate::op::query::Request::descending);
            Self { request, ..self }
        }
    };
}

pub(super) use request_methods;

impl<E, I> core::fmt::Debug for Query<E, I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Query").field(&self.request).finish()
    }
}

impl<E, I> Query<E, I> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(
        partitions: Result<impl Into<Partitions>, KeyError>,
        sort: Result<SortCondition, KeyError>,
    ) -> Self {
        Self::of(Request::open(partitions.map(Into::into), sort))
    }

    pub(super) fn of(request: Result<Request, KeyError>) -> Self {
        Self {
            request,
            of: PhantomData,
        }
    }

    request_methods!(E: crate::op::Expires);

    /// Sees every acknowledged write; costs twice as much. A global index has no such reads.
    pub fn consistent(self) -> Self
    where
        I: ConsistentRead,
    {
        self.options(|options| options.consistent = true)
    }

    /// Returns only items that pass; the others still cost read units. Several filters must all
    /// pass.
    pub fn filter<C>(self, condition: impl FnOnce(E::Fields<I>) -> C) -> Self
    where
        E: HasFields,
        C: IntoCondition,
    {
        let condition = condition(E::fields()).into_condition();
        self.options(|options| options.add_filter(condition))
    }
}

/// The bounds are on the methods, so that their messages are seen.
impl<E: Entity, I: IndexMarker> Query<E, I> {
    /// Reads the next items: `limit` items, or one request.
    pub fn page(self, db: &Dynamo) -> Reading<E, Page<E>>
    where
        E: Decodable<Serde>,
        E::Table: ProjectsAll<I>,
    {
        Reading::page(self.run(db), decode)
    }

    /// All items, or the first `limit` of them.
    pub fn all(self, db: &Dynamo) -> Reading<E, Vec<E>>
    where
        E: Decodable<Serde>,
        E::Table: ProjectsAll<I>,
    {
        Reading::all(self.run(db), decode)
    }

    /// Returns the items one by one, reading pages on demand.
    pub fn stream(self, db: &Dynamo) -> ItemStream<E>
    where
        E: Decodable<Serde>,
        E::Table: ProjectsAll<I>,
    {
        ItemStream::new(self.run(db), decode)
    }

    /// The first item, if there is one.
    pub fn first(self, db: &Dynamo) -> Reading<E, Option<E>>
    where
        E: Decodable<Serde>,
        E::Table: ProjectsAll<I>,
    {
        Reading::first(self.limit(1).run(db), decode)
    }

    /// Returns the only item; fails if there is none, or more than one.
    pub fn one(self, db: &Dynamo) -> Reading<E, E>
    where
        E: Decodable<Serde>,
        E::Table: ProjectsAll<I>,
    {
        Reading::one(self.limit(2).run(db), decode)
    }
}

impl<E, I> ReadsMany for Query<E, I>
where
    E: Entity<Table: ProjectsAll<I>> + Decodable<Serde>,
    I: IndexMarker,
{
    type Item = E;

    fn start(self, db: &Dynamo) -> Started {
        Started(self.run(db).map(Run::into_any))
    }

    fn decode(item: StoredItem<'_>) -> Result<Option<E>, Error> {
        E::decode_own(item)
    }
}

impl<E: Entity, I: IndexMarker> Query<E, I> {
    /// Returns each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    /// Returns the number of items of the entity. DynamoDB counts, unless only the keys identify
    /// the entity.
    pub async fn count(self, db: &Dynamo) -> Result<usize, Error> {
        self.run_for(db, Want::Count)?.into_any().count().await
    }

    /// The exact first request, without sending it.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let Run { request, paging } = self.run(db)?;
        Ok(request.explain(&paging, E::SCHEMA.hidden_key().is_some()))
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
        let schemas = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
        let finds_others =
            const { found::finds_others(&<E::Table as Table>::SCHEMA, &E::SCHEMA, I::ID) };
        Request::start(self.request, db, schemas, I::ID, (want, finds_others))
    }
}

impl Request {
    /// The whole partition.
    pub(super) fn new(pk: KeyValue, sort: SortCondition) -> Self {
        Self::of(pk.into(), sort)
    }

    /// The same for all entities, and so compiled once.
    pub(super) fn open(
        partitions: Result<Partitions, KeyError>,
        sort: Result<SortCondition, KeyError>,
    ) -> Result<Self, KeyError> {
        Ok(Self::of(partitions?, sort?))
    }

    /// All of these partitions; without partitions the result is empty.
    fn of(partitions: Partitions, sort: SortCondition) -> Self {
        let Some(pk) = partitions.first() else {
            let nothing = KeyValue::S(String::new());
            return Self::new(nothing, SortCondition::Nothing);
        };
        Self {
            pk,
            partitions,
            sort,
            descending: false,
            unsorted: None,
            options: Options::default(),
        }
    }

    pub(super) fn with_options(self, descending: bool, options: Options) -> Result<Self, KeyError> {
        let request = Self { options, ..self };
        match descending {
            true => request.descending(),
            false => Ok(request),
        }
    }

    /// Begins a query of an entity that is known only at run time.
    pub(super) fn start_by_name(
        request: Result<Self, KeyError>,
        db: &Dynamo,
        schemas: (&'static TableSchema, &'static EntitySchema),
        id: Option<IndexId>,
        want: Want,
    ) -> Result<Run<Expressions>, Error> {
        let finds_others = found::finds_others(schemas.0, schemas.1, id);
        Self::start(request, db, schemas, id, (want, finds_others))
    }

    /// Read against the order of the sort key, if it has one.
    pub(super) fn descending(self) -> Result<Self, KeyError> {
        match self.unsorted {
            Some(unsorted) => Err(unsorted.error()),
            None => Ok(Self {
                descending: true,
                ..self
            }),
        }
    }

    /// The same for all entities, and so compiled once.
    fn start(
        request: Result<Self, KeyError>,
        db: &Dynamo,
        (table, entity): (&'static TableSchema, &'static EntitySchema),
        id: Option<IndexId>,
        (want, finds_others): (Want, bool),
    ) -> Result<Run<Expressions>, Error> {
        let request = request.map_err(|error| Error::key("query", error))?;
        let key = Some(Arc::clone(&request.pk).into());
        let context = ErrorContext::new(db, "query", (table, entity), key);
        let owned = Owned::new(table, entity, id);
        // An item with the whole key of the entity cannot be another's.
        let whole = id.is_none() && matches!(request.sort, SortCondition::Equals(_));
        let own = OwnItems::of_query(owned, want, finds_others, whole);
        request.run(db, context, (table, id, Entities::One(entity)), own)
    }

    pub(super) fn run(
        self,
        db: &Dynamo,
        context: ErrorContext,
        (schema, id, entities): (&'static TableSchema, Option<IndexId>, Entities),
        own: OwnItems,
    ) -> Result<Run<Expressions>, Error> {
        let mut aliases = Aliases::default();
        let key_condition = key_condition(schema.key(id), &self, &mut aliases);
        let nothing = self.sort == SortCondition::Nothing;
        let groups = self.partitions.groups().map(Arc::clone);
        let loose = groups.as_ref().is_some_and(|it| it.is_loose(&self.sort));
        let target = Target {
            context,
            schema,
            index: id.and_then(|id| schema.index(id)),
            entities,
            identity: Identity::Query {
                pk: self.pk,
                sort: self.sort,
                descending: self.descending,
                partitions: self.partitions,
            },
            own,
        };
        let sort_key = schema.key(id).1.map(|sk| sk.name);
        let mut options = self.options;
        let text = options.cursor.take_if(|_| groups.is_some());
        let mut paging = Paging::new(db, target, options, aliases)?;
        let pk = schema.key(id).0.name;
        if let (Some(start), Identity::Query { pk: own, .. }) =
            (&paging.start, &paging.target.identity)
            && !cursor::is_in(start, pk, own)
        {
            return Err(refused(&paging, cursor::ELSEWHERE));
        }
        if let Some(groups) = groups {
            paging.options.cursor = text;
            let marks = paging.target.marks(db, &paging.options);
            let marks = marks.map_err(|reason| refused(&paging, reason))?;
            let (heading, marks) = marks.unwrap_or_default();
            paging.heading = heading;
            let order = (self.descending, loose);
            let marks = (heading.backward, marks);
            let series = Series::new(groups, order, (pk, sort_key), marks);
            paging.series = Some(series.map_err(|reason| refused(&paging, reason))?);
        }
        paging.done |= nothing;
        let request = Expressions {
            key_condition,
            descending: self.descending != paging.heading.backward,
            projection: None,
        };
        Ok(Run { request, paging })
    }
}

#[cold]
fn refused(paging: &Paging, reason: &'static str) -> Error {
    Error::new(paging.context().whole(), ErrorKind::Cursor { reason }, None)
}

pub(super) fn decode<E: Decodable<Serde>>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<E>, Error> {
    E::decode_own(StoredItem { context, item })
}

/// The part of the request that only a query has.
pub(super) struct Expressions {
    key_condition: String,
    descending: bool,
    projection: Option<String>,
}

impl Expressions {
    /// Requests only these attributes.
    pub(super) fn project(&mut self, paging: &mut Paging, names: Vec<&'static str>) {
        let names: Vec<_> = names
            .into_iter()
            .map(|name| paging.aliases.name(name))
            .collect();
        self.projection = Some(names.join(", "));
    }

    pub(super) fn explain(self, paging: &Paging, hide_key: bool) -> Explain {
        let mut explain = paging.explain("Query");
        explain.hide_key = hide_key;
        explain.key_condition = (!paging.is_over()).then_some(self.key_condition);
        if !paging.is_over() {
            let projection = self.projection.as_deref();
            let (projection, aliases) = paging.projection(projection, Want::Items);
            explain.projection = projection.map(Cow::into_owned);
            explain.names = aliases.names().into_iter().flatten().collect();
        }
        explain.descending = self.descending;
        explain
    }

    pub(super) fn body(&self, paging: &Paging, want: Want) -> Vec<u8> {
        let (projection, aliases) = paging.projection(self.projection.as_deref(), want);
        Object::body(512, |request| {
            paging.describe(request, want);
            request.text("KeyConditionExpression", &self.key_condition);
            request.text_if("ProjectionExpression", projection.as_deref());
            aliases.describe(request);
            if self.descending {
                request.flag_not("ScanIndexForward");
            }
            request.text_if("Select", (want == Want::Count).then_some("COUNT"));
        })
    }
}

fn key_condition(
    (pk, sk): (KeyAttribute, Option<KeyAttribute>),
    request: &Request,
    aliases: &mut Aliases,
) -> String {
    let value = |aliases: &mut Aliases, value: &KeyValue, text: &mut String| {
        aliases.push_value(wire::key_value(value.clone()), false, text);
    };
    let mut text = String::with_capacity(64);
    aliases.push_declared(pk.name, &mut text);
    text += " = ";
    value(aliases, &request.pk, &mut text);
    let Some(sk) = sk else { return text };
    if matches!(request.sort, SortCondition::Any | SortCondition::Nothing) {
        return text;
    }
    text += " AND ";
    let (sign, values): (&str, [Option<&KeyValue>; 2]) = match &request.sort {
        SortCondition::Any | SortCondition::Nothing => return text,
        SortCondition::Equals(exact) => (" = ", [Some(exact), None]),
        SortCondition::Between(low, high) => (" BETWEEN ", [Some(low), Some(high)]),
        SortCondition::AtLeast(low) => (" >= ", [Some(low), None]),
        SortCondition::AtMost(high) => (" <= ", [Some(high), None]),
        SortCondition::BeginsWith(prefix) => {
            text += "begins_with(";
            aliases.push_declared(sk.name, &mut text);
            text += ", ";
            aliases.push_value(AttributeValue::S(prefix.clone()), false, &mut text);
            text += ")";
            return text;
        }
    };
    aliases.push_declared(sk.name, &mut text);
    text += sign;
    for (i, part) in values.into_iter().flatten().enumerate() {
        if i > 0 {
            text += " AND ";
        }
        value(aliases, part, &mut text);
    }
    text
}
