//! Projections: a part of each item, as a separate struct; and whole items through an index that
//! projects only a part.

use super::batch_get::BatchGet;
use super::bounds::{ConsistentRead, ProjectedFrom};
use super::each::{Each, ItemResult, ReadsMany, Started, keep};
use super::item_stream::ItemStream;
use super::page::Page;
use super::query::{Expressions, Query, Request, request_methods};
use super::reading::{Reading, ReadingTogether};
use super::run::Run;
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, KeyError};
use crate::index::{IndexMarker, Primary};
use crate::key::Key;
use crate::request::Explain;
use crate::schema::{TableSchema, check};
use crate::wire::{self, Decodable, Owned, RawItem, Readable, Serde, StoredItem};
use core::marker::PhantomData;
use serde::de::DeserializeOwned;

/// Some of the fields of an entity; derived with `#[derive(DynamoProjection)]`.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoProjection, DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// #[lsi1(name = "ByTitle", sk = "title", projection = include("pages"))]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("BOOK#<isbn>")]
/// #[lsi1(sk = "<title>", as = by_title)]
/// struct Book {
///     user_id: String,
///     isbn: String,
///     title: String,
///     pages: u32,
///     text: String,
/// }
///
/// /// The index does not carry `isbn`; it is read from the sort key, which it does carry.
/// #[derive(DynamoProjection, serde::Deserialize)]
/// #[projection(of = Book, from(lsi1))]
/// struct Spine {
///     isbn: String,
///     title: String,
///     pages: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let spines: Vec<Spine> = Book::by_title("u1").project().all(&db).await?;
/// let books: Vec<Book> = Book::by_title("u1").hydrate(&db).await?; // whole ones, from the table
/// # assert!(spines.is_empty() && books.is_empty());
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection",
    note = "write `#[derive(DynamoProjection)]` and `#[projection(of = …)]` on it"
)]
pub trait Projection {
    /// The entity of the fields.
    type Of: Entity;

    /// The attributes, in the order of the fields.
    const ATTRIBUTES: &'static [&'static str];
}

/// A query for a part of each item; made by [`Query::project`].
///
/// See [`Projection`] for an example.
#[derive(Debug)]
#[must_use = "nothing is read until `page`, `all`, `stream` or `first`"]
pub struct Projected<P, I = Primary> {
    request: Result<Request, KeyError>,
    of: PhantomData<fn() -> (P, I)>,
}

impl<E: Readable, I: IndexMarker> Query<E, I> {
    /// Reads only the fields of `P` of each item. A field that the index has only in a key is read
    /// from there.
    pub fn project<P: ProjectedFrom<E, I>>(self) -> Projected<P, I> {
        Projected {
            request: self.request,
            of: PhantomData,
        }
    }

    /// Returns whole items, through an index that projects only a part of each: reads their keys
    /// from the index, then the items from the table. Items deleted in between are skipped.
    pub fn hydrate<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<E>>
    where
        E: Decodable<Serde> + 'f,
        I: 'f,
    {
        let db = db.clone();
        let sending = async move {
            let keys = Reading::all(self.run_for_keys(&db), key::<E, I>).await?;
            BatchGet::new(keys).found(db).await
        };
        ReadingTogether::new(sending, |found| {
            let items = found.decode()?;
            Ok(items.into_iter().flatten().collect())
        })
    }

    /// Reads only the keys, and the type that identifies the entity.
    fn run_for_keys(self, db: &Dynamo) -> Result<Run<Expressions>, Error> {
        let schema: &'static TableSchema = const { &<E::Table as Table>::SCHEMA };
        let owned = const { Owned::of::<E, I>() };
        let names = core::iter::once(schema.pk.name)
            .chain(schema.sk.map(|sk| sk.name))
            .chain(schema.entity_type.filter(|_| owned.typed))
            .collect();
        let mut run = self.run(db)?;
        run.request.project(&mut run.paging, names);
        Ok(run)
    }
}

impl<E: Readable, I: IndexMarker> Each<Query<E, I>> {
    /// Returns whole items, through an index that projects only a part of each; see
    /// [`Query::hydrate`].
    pub fn hydrate<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<ItemResult<E>>>
    where
        E: Decodable<Serde> + 'f,
        I: 'f,
    {
        let db = db.clone();
        let sending = async move {
            let found = Reading::all(self.0.run_for_keys(&db), each_key::<E, I>).await?;
            let keys = found.iter().filter_map(|key| key.as_ref().ok());
            let items = BatchGet::new(keys).found(db).await?;
            Ok((found, items))
        };
        ReadingTogether::new(sending, |(found, items)| {
            let mut items = items.decode_each()?.into_iter();
            let read = |key: ItemResult<Key<E>>| match key {
                Ok(_) => items.next().flatten(),
                Err(error) => Some(Err(error)),
            };
            Ok(found.into_iter().filter_map(read).collect())
        })
    }
}

fn each_key<E: Entity, I: IndexMarker>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<ItemResult<Key<E>>>, Error> {
    Ok(keep(item, |item| key::<E, I>(context, item)))
}

fn key<E: Entity, I: IndexMarker>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<Key<E>>, Error> {
    let owned = const { Owned::of::<E, I>() };
    Ok(match owned.is_own(context, &item)? {
        true => wire::stored_key(&item),
        false => None,
    })
}

impl<P, I> Projected<P, I> {
    request_methods!(P: Projection<Of: crate::op::Expires>);

    /// Sees every acknowledged write; costs twice as much. A global index has no such reads.
    pub fn consistent(self) -> Self
    where
        I: ConsistentRead,
    {
        self.options(|options| options.consistent = true)
    }
}

impl<P: Projection, I: IndexMarker> Projected<P, I> {
    fn run(self, db: &Dynamo) -> Result<Run<Expressions>, Error> {
        let projected = self.options(|options| options.projection = P::ATTRIBUTES);
        let query = Query::<P::Of, I> {
            request: projected.request,
            of: PhantomData,
        };
        let mut run = query.run(db)?;
        run.request.project(&mut run.paging, attributes::<P, I>());
        Ok(run)
    }

    /// Reads the next items: `limit` items, or one request.
    pub fn page(self, db: &Dynamo) -> Reading<P, Page<P>>
    where
        P: DecodablePart,
    {
        Reading::page(self.run(db), decode::<P, I>)
    }

    /// All items, or the first `limit` of them.
    pub fn all(self, db: &Dynamo) -> Reading<P, Vec<P>>
    where
        P: DecodablePart,
    {
        Reading::all(self.run(db), decode::<P, I>)
    }

    /// Returns the items one by one, reading pages on demand.
    pub fn stream(self, db: &Dynamo) -> ItemStream<P>
    where
        P: DecodablePart,
    {
        ItemStream::new(self.run(db), decode::<P, I>)
    }

    /// The first item, if there is one.
    pub fn first(self, db: &Dynamo) -> Reading<P, Option<P>>
    where
        P: DecodablePart,
    {
        Reading::first(self.limit(1).run(db), decode::<P, I>)
    }

    /// Returns each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    /// The exact first request, without sending it.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let Run { request, paging } = self.run(db)?;
        Ok(request.explain(&paging, <P::Of as Entity>::SCHEMA.hidden_key().is_some()))
    }
}

impl<P: Projection + DecodablePart, I: IndexMarker> ReadsMany for Projected<P, I> {
    type Item = P;

    fn start(self, db: &Dynamo) -> Started {
        Started(self.run(db).map(Run::into_any))
    }

    fn decode(item: StoredItem<'_>) -> Result<Option<P>, Error> {
        <P as DecodablePart>::decode::<I>(item)
    }
}

/// Returns the attributes to read: the projection's own, and the keys of its other fields. Only
/// attributes in the index: a local index would fetch others from the table, at a cost.
fn attributes<P: Projection, I: IndexMarker>() -> Vec<&'static str> {
    let schema: &'static TableSchema = const { &<<P::Of as Entity>::Table as Table>::SCHEMA };
    let index = I::ID.and_then(|id| schema.index(id));
    let own = [Some(schema.pk), schema.sk];
    let keys = schema
        .indexes
        .iter()
        .flat_map(|index| [Some(index.pk), index.sk]);
    let keys = own
        .into_iter()
        .chain(keys)
        .flatten()
        .map(|attribute| attribute.name);
    let mut names: Vec<&'static str> = P::ATTRIBUTES
        .iter()
        .copied()
        .chain(keys)
        .chain(schema.entity_type)
        .collect();
    names.retain(|name| index.is_none_or(|index| check::carries(schema, index, name)));
    names.sort_unstable();
    names.dedup();
    names
}

/// A projection that can be read.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an item",
    label = "`{Self}` does not implement `serde::Deserialize`",
    note = "write `#[derive(serde::Deserialize)]` on `{Self}`"
)]
pub trait DecodablePart: Sized {
    fn decode<I: IndexMarker>(item: StoredItem<'_>) -> Result<Option<Self>, Error>;
}

#[diagnostic::do_not_recommend]
impl<P: Projection<Of: Readable> + DeserializeOwned> DecodablePart for P {
    fn decode<I: IndexMarker>(item: StoredItem<'_>) -> Result<Option<Self>, Error> {
        wire::decode_projection::<P, I>(item.context, item.item)
    }
}

fn decode<P: DecodablePart, I: IndexMarker>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<P>, Error> {
    P::decode::<I>(StoredItem { context, item })
}
