//! Searching a vector index. One request has the whole result: a search has no pages.

use super::bounds::{ProjectedFrom, ProjectsAll};
use super::each::{Each, ItemResult, keep};
use super::hydrate::key_of;
use super::paging::Expiry;
use super::projection::{DecodablePart, Projection};
use super::reading::ReadingTogether;
use super::selection::{PartOf, Selection, decoded};
use super::{batch_get, trace};
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::expr::{Aliases, Condition, Path};
use crate::index::{IndexMarker, Primary};
use crate::request::{Closest, Explain};
use crate::schema::{self, AttributeRole, EntitySchema, IndexId, TableSchema, VectorIndexSchema};
use crate::transport::{Call, CallError, Operation};
use crate::vector::{Scored, SearchFilter};
use crate::wire::{Decodable, Object, RawItem, Serde, StoredItem};
use core::marker::PhantomData;

/// DynamoDB returns at most this many results.
const MAX_RESULTS: usize = 100;
/// The number of results, unless set.
const DEFAULT_RESULTS: usize = 10;

/// An entity with a vector in the index `I`. Implemented by the derive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no vector in `{I}`",
    note = "write `#[vector1(field = …)]` on the entity, with the number of the table's index"
)]
pub trait Searchable<I>: Entity {
    #[doc(hidden)]
    type Filters;
    #[doc(hidden)]
    fn filters() -> Self::Filters;
}

/// A search for the items of entity `E` whose vectors are closest to one, in the vector index `I`.
///
/// Made by the function that `#[vector1(…)]` on an entity names, `similar_to` unless it says
/// `as = …`. An index with a hash has that as the first argument, so that a search never reaches
/// another tenant by mistake.
///
/// DynamoDB returns up to 100 results and 16 MB, the closest first, and no cursor. A search is
/// eventually consistent and approximate.
///
/// See [`vector`](crate::vector) for an example.
#[derive(Debug, Clone)]
#[must_use = "nothing is searched until `all`, `first` or `hydrate`"]
pub struct VectorSearch<E, I> {
    request: Request,
    of: PhantomData<fn() -> (E, I)>,
}

/// The search, of any entity.
#[derive(Debug, Clone)]
struct Request {
    vector: Vec<f32>,
    hash: Option<(&'static str, Condition)>,
    filter: SearchFilter,
    top_k: usize,
}

impl<E, I> VectorSearch<E, I> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(vector: &[f32], hash: Option<SearchFilter>) -> Self {
        Self {
            request: Request {
                vector: vector.to_vec(),
                hash: hash.and_then(|hash| hash.0.into_iter().next()),
                filter: SearchFilter(Vec::new()),
                top_k: DEFAULT_RESULTS,
            },
            of: PhantomData,
        }
    }

    /// Returns at most this many items: 1 to 100, 10 unless set.
    pub fn top_k(mut self, items: usize) -> Self {
        self.request.top_k = items;
        self
    }

    /// Searches only items with these values of the index's filters. DynamoDB compares before it
    /// chooses the closest items, so the result still has as many items as there are.
    pub fn filter(mut self, filter: impl FnOnce(E::Filters) -> SearchFilter) -> Self
    where
        E: Searchable<I>,
    {
        self.request.filter.0.extend(filter(E::filters()).0);
        self
    }
}

/// The bounds are on the methods, so that their messages are seen.
impl<E: Entity, I: IndexMarker> VectorSearch<E, I> {
    /// Returns the closest items, the closest first.
    pub fn all<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<Scored<E>>>
    where
        E: Decodable<Serde> + 'f,
        E::Table: ProjectsAll<I>,
        I: 'f,
    {
        let expiry = expiry::<E>(db);
        let found = self.request.send_whole(db, target::<E, I>());
        ReadingTogether::new(found, move |found| {
            found.decode(expiry, |context, item| decoded::<E, I>(context, item))
        })
    }

    /// Returns the closest item, if the index has any.
    pub fn first<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Option<Scored<E>>>
    where
        E: Decodable<Serde> + 'f,
        E::Table: ProjectsAll<I>,
        I: 'f,
    {
        let expiry = expiry::<E>(db);
        let found = self.top_k(1).request.send_whole(db, target::<E, I>());
        ReadingTogether::new(found, move |found| {
            let items = found.decode(expiry, |context, item| decoded::<E, I>(context, item));
            Ok(items?.into_iter().next())
        })
    }

    /// Reads only the fields of `P` of each item.
    pub fn project<P: ProjectedFrom<E, I>>(self) -> ProjectedSearch<P, I> {
        ProjectedSearch {
            request: self.request,
            of: PhantomData,
        }
    }

    /// Returns whole items, through an index that projects only a part of each: reads their keys
    /// from the index, then the items from the table. Items deleted in between are skipped.
    pub fn hydrate<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<Scored<E>>>
    where
        E: Decodable<Serde> + 'f,
        I: 'f,
    {
        let (selected, db) = (E::selected::<I>(), db.clone());
        let found = self
            .request
            .send(&db, target::<E, I>(), &selected.key_names());
        let sending = async move {
            let found = found.await?;
            let keys = found.decode(None, |context, item| key_of(selected, context, &item))?;
            let items = keys.iter().map(|key| key.item.clone()).collect();
            let items = batch_get::found(db, E::selected::<Primary>(), items).await?;
            Ok((items, keys))
        };
        ReadingTogether::new(sending, |(items, keys)| {
            let items = items.decode(decoded::<E, Primary>)?.into_iter().zip(keys);
            let present = items.filter_map(|(item, key)| Some(key.map(|_| item)).and_then(present));
            Ok(present.collect())
        })
    }

    /// Hands out each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    /// The exact request, without sending it. Of the vector it shows the number of dimensions.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let target = target::<E, I>();
        let names = target.whole_names().unwrap_or_default();
        let prepared = self.request.prepare(db, target, &names)?;
        Ok(prepared.explain())
    }
}

fn present<T>(found: Scored<Option<T>>) -> Option<Scored<T>> {
    let Scored {
        item,
        score,
        distance,
        ..
    } = found;
    item.map(|item| Scored::new(item, score, distance))
}

impl<E: Entity, I: IndexMarker> Each<VectorSearch<E, I>> {
    /// Returns the closest items, the closest first. A failed request still fails the whole search.
    pub fn all<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<Scored<ItemResult<E>>>>
    where
        E: Decodable<Serde> + 'f,
        E::Table: ProjectsAll<I>,
        I: 'f,
    {
        let expiry = expiry::<E>(db);
        let found = self.0.request.send_whole(db, target::<E, I>());
        ReadingTogether::new(found, move |found| {
            found.decode(expiry, |context, item| {
                Ok(keep(item, |item| decoded::<E, I>(context, item)))
            })
        })
    }
}

/// A search for a part of each item; made by [`VectorSearch::project`].
#[derive(Debug, Clone)]
#[must_use = "nothing is searched until `all`"]
pub struct ProjectedSearch<P, I> {
    request: Request,
    of: PhantomData<fn() -> (P, I)>,
}

impl<P: Projection, I: IndexMarker> ProjectedSearch<P, I> {
    /// Returns a part of the closest items, the closest first.
    pub fn all<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<Scored<P>>>
    where
        P: DecodablePart + 'f,
        I: 'f,
    {
        let expiry = expiry::<P::Of>(db);
        let names = PartOf::<P>::selected::<I>().projected();
        let found = self.request.send(db, target::<P::Of, I>(), &names);
        ReadingTogether::new(found, move |found| {
            found.decode(expiry, |context, item| {
                P::decode::<I>(StoredItem { context, item })
            })
        })
    }

    /// The exact request, without sending it.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let names = PartOf::<P>::selected::<I>().projected();
        let prepared = self.request.prepare(db, target::<P::Of, I>(), &names)?;
        Ok(prepared.explain())
    }
}

/// Hides expired items if the entity says so.
fn expiry<E: Entity>(db: &Dynamo) -> Option<Expiry> {
    let (schema, hides) = const { (&<E::Table as Table>::SCHEMA, E::SCHEMA.hides_expired) };
    Expiry::new(db, schema, hides)
}

/// What is searched.
#[derive(Clone, Copy)]
struct Target {
    table: &'static TableSchema,
    entity: &'static EntitySchema,
    id: IndexId,
}

fn target<E: Entity, I: IndexMarker>() -> Target {
    let (table, entity) = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
    // The derive has checked that the marker is one of a vector index.
    let id = I::ID.unwrap_or(IndexId::Vector(0));
    Target { table, entity, id }
}

impl Target {
    /// The attributes of a whole item. DynamoDB returns the vector only if the request names it, and
    /// then it must name all others. `None` if not all are known.
    fn whole_names(&self) -> Option<Vec<&'static str>> {
        let Self { table, entity, .. } = *self;
        if entity.rest.is_some() || entity.has_flattened {
            return None;
        }
        let own = [Some(table.pk), table.sk];
        let keys = table.indexes.iter().flat_map(|it| [Some(it.pk), it.sk]);
        let keys = own.into_iter().chain(keys).flatten().map(|key| key.name);
        let attributes = entity.attributes.iter();
        let attributes = attributes.filter(|it| it.role != AttributeRole::KeyOnly);
        let old = entity.aliases.iter().flat_map(|(_, names)| *names).copied();
        let constants = entity.constants.iter().map(|constant| constant.name);
        let mut names: Vec<_> = keys
            .chain(attributes.map(|it| it.name))
            .chain(table.entity_type)
            .chain(constants)
            .chain(old)
            .collect();
        names.sort_unstable();
        names.dedup();
        Some(names)
    }
}

/// Why an item is not read as a whole from an index.
const UNDECLARED: &str = "the entity captures undeclared attributes, and a search returns a vector \
     only if it names every attribute; read whole items with `.hydrate(&db)`";

/// A search that is ready to be sent.
struct Prepared {
    context: ErrorContext,
    index: &'static VectorIndexSchema,
    condition: Option<String>,
    projection: Option<String>,
    aliases: Aliases,
    vector: Vec<f32>,
    top_k: i32,
}

impl Request {
    /// Sends it. Begins when it is awaited, and owns what it needs.
    fn send(
        self,
        db: &Dynamo,
        target: Target,
        names: &[&str],
    ) -> impl Future<Output = Result<Found, Error>> + Send + use<> {
        let prepared = self.prepare(db, target, names);
        let db = db.clone();
        async move { prepared?.send(&db).await }
    }

    /// The same for whole items.
    fn send_whole(
        self,
        db: &Dynamo,
        target: Target,
    ) -> impl Future<Output = Result<Found, Error>> + Send + use<> {
        let names = target.whole_names();
        let known = match &names {
            Some(_) => Ok(()),
            None => {
                let context = ErrorContext::new(db, "search", (target.table, target.entity), None);
                let reason = UNDECLARED.to_owned();
                Err(Error::new(
                    context,
                    ErrorKind::VectorSearch { reason },
                    None,
                ))
            }
        };
        let found = self.send(db, target, &names.unwrap_or_default());
        async move {
            known?;
            found.await
        }
    }

    /// Checks what DynamoDB would refuse.
    fn prepare(self, db: &Dynamo, target: Target, names: &[&str]) -> Result<Prepared, Error> {
        let Target { table, entity, id } = target;
        let context = ErrorContext::new(db, "search", (table, entity), None);
        let refused =
            |reason: String| Error::new(context.clone(), ErrorKind::VectorSearch { reason }, None);
        let Some(index) = table.vector(id) else {
            return Err(refused(format!("the table declares no index `{id}`")));
        };
        let top_k = match i32::try_from(self.top_k) {
            Ok(top_k) if (1..=MAX_RESULTS).contains(&self.top_k) => top_k,
            _ => {
                let top_k = self.top_k;
                return Err(refused(format!(
                    "`top_k` is {top_k}, and DynamoDB returns 1 to {MAX_RESULTS} items; \
                     pass a number in that range"
                )));
            }
        };
        let mut aliases = Aliases::default();
        let condition = self.condition((table, index), entity).map_err(&refused)?;
        let condition = condition.map(|condition| condition.expression(&mut aliases));
        let condition = condition.transpose().map_err(|attribute| {
            Error::new(context.clone(), ErrorKind::Encode { attribute }, None)
        })?;
        let projection: Vec<_> = names.iter().map(|name| aliases.name(name)).collect();
        Ok(Prepared {
            index,
            condition,
            projection: (!projection.is_empty()).then(|| projection.join(", ")),
            aliases,
            vector: self.vector,
            top_k,
            context,
        })
    }

    /// The hash, the entity type where the index filters by it, and the user's filters.
    fn condition(
        &self,
        (table, index): (&TableSchema, &VectorIndexSchema),
        entity: &'static EntitySchema,
    ) -> Result<Option<Condition>, String> {
        let own_type = schema::type_filter(table, index, entity);
        let own_type = own_type.map(|(name, own)| {
            let path = Path::<String>::attribute(name);
            (name, path.eq(own))
        });
        let mut all: Vec<(&str, Condition)> = Vec::new();
        let user = self.filter.0.iter().cloned();
        for (name, condition) in self.hash.clone().into_iter().chain(own_type).chain(user) {
            if all.iter().any(|(known, _)| *known == name) {
                return Err(format!(
                    "the search compares `{name}` with two values, and DynamoDB takes one of each \
                     attribute; search once for each value"
                ));
            }
            all.push((name, condition));
        }
        let conditions = all.into_iter().map(|(_, condition)| condition);
        Ok(conditions.reduce(|a, b| a & b))
    }
}

impl Prepared {
    fn body(&self) -> Vec<u8> {
        // A float takes about 20 bytes with its braces.
        Object::body(256 + 24 * self.vector.len(), |request| {
            request.text("TableName", &self.context.table);
            request.text("IndexName", self.index.name);
            request.floats("SearchVector", &self.vector);
            request.number("TopK", self.top_k);
            request.text_if("SearchConditionExpression", self.condition.as_deref());
            request.text_if("ProjectionExpression", self.projection.as_deref());
            self.aliases.describe(request);
        })
    }

    async fn send(self, db: &Dynamo) -> Result<Found, Error> {
        let span = trace::request(&self.context, Some(self.index.name));
        let call = Call::read(Operation::SearchVectors, &self.context.table, self.body());
        let reply = trace::send(db, &span, call).await;
        let mut reply = reply.map_err(|error| self.failed(error))?;
        let found = reply.items.len();
        trace::answered(&span, found, found, reply.consumed_capacity);
        let scores = core::mem::take(&mut reply.scores);
        Ok(Found {
            context: self.context,
            index: self.index,
            items: reply.into_items().into_iter().zip(scores).collect(),
        })
    }

    /// DynamoDB refuses to search a new index, for minutes after it has reported that it is ready.
    #[cold]
    fn failed(&self, error: CallError) -> Error {
        let is_new = error.message().is_some_and(|it| it.contains("backfilling"));
        match is_new {
            true => {
                let status = format!("index {} is being filled", self.index.name);
                let kind = ErrorKind::NotReady { status };
                Error::new(self.context.clone(), kind, Some(error.into_source()))
            }
            false => error.at(self.context.clone()),
        }
    }

    fn explain(self) -> Explain {
        Explain {
            operation: "SearchVectors",
            table: self.context.table.into_owned(),
            index: Some(self.index.name),
            filter: self.condition,
            projection: self.projection,
            names: self.aliases.names().into_iter().flatten().collect(),
            values: crate::request::explained_values(self.aliases.values().into_iter().flatten()),
            partitions: 1,
            closest: Some(Closest {
                top_k: self.top_k,
                dimensions: self.vector.len(),
                distance: self.index.distance,
            }),
            hidden: self.aliases.hidden(),
            ..Explain::default()
        }
    }
}

/// The result, not decoded yet.
struct Found {
    context: ErrorContext,
    index: &'static VectorIndexSchema,
    items: Vec<(RawItem, f64)>,
}

impl Found {
    /// Decodes the items; leaves out expired ones, and those for which `decode` returns `None`.
    fn decode<T>(
        self,
        expiry: Option<Expiry>,
        decode: impl Fn(&ErrorContext, RawItem) -> Result<Option<T>, Error>,
    ) -> Result<Vec<Scored<T>>, Error> {
        let mut decoded = Vec::with_capacity(self.items.len());
        for (item, score) in self.items {
            if expiry.is_some_and(|expiry| expiry.is_over(&item)) {
                continue;
            }
            if let Some(item) = decode(&self.context, item)? {
                decoded.push(Scored::new(item, score, self.index.distance));
            }
        }
        Ok(decoded)
    }
}
