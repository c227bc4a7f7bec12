//! Item collections: all items of a partition, each as its own entity.

use super::each::{Each, ReadsMany, Started};
use super::item_stream::ItemStream;
use super::page::Page;
use super::paging::{self, OwnItems};
use super::query::{Request, request_methods};
use super::reading::Reading;
use super::run::Run;
use super::write::is_of_value;
use crate::db::Dynamo;
use crate::entity::{Entity, Items, Table};
use crate::error::{Error, ErrorContext, KeyError};
use crate::key::range::SortCondition;
use crate::key::sort_key::Unsorted;
use crate::key::{KeyPrefix, KeyValue, PartitionKey};
use crate::membership::{InItems, InTable};
use crate::schema::TableSchema;
use crate::wire::{self, RawItem, ReadItems, Serde, StoredItem};
use core::marker::PhantomData;
use std::sync::Arc;

/// A query for all items of a partition, of any entity, in the order of their sort keys.
///
/// Made by the `collection` of an items enum.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("PROFILE")]
/// struct User {
///     user_id: String,
/// }
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
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     User(User),
///     Order(Order),
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let everything: Vec<AppItem> = AppItem::collection(User::partition_key("u1")).all(&db).await?;
/// for item in everything {
///     match item {
///         AppItem::User(user) => println!("{}", user.user_id),
///         AppItem::Order(order) => println!("order {}", order.number),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is read until `page`, `all` or `stream`"]
pub struct Collection<T> {
    request: Result<Request, KeyError>,
    /// The part after its prefix, where the text of that part does not sort.
    unsorted: Option<Unsorted>,
    of: PhantomData<fn() -> T>,
}

impl<T: Items> Collection<T> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new<E, I>(partition: Result<PartitionKey<E, I>, KeyError>) -> Self {
        let request = partition.map(|pk| Request::new(pk.into_value(), SortCondition::Any));
        Self {
            request,
            unsorted: None,
            of: PhantomData,
        }
    }

    request_methods!();

    /// Reads only items with a prefix of some entity's sort key. Fails if no item of that entity
    /// can be in this partition.
    pub fn begins_with<E, I>(mut self, prefix: KeyPrefix<E, I>) -> Self
    where
        E: InItems<T> + Entity,
        I: InTable,
    {
        let pk = const { &E::SCHEMA.pk };
        let fits = |request: &Request| pk.fits(request.pk.as_ref().as_ref());
        if let Some(Err(error)) = self.request.as_ref().ok().map(fits) {
            self.request = Err(error);
        }
        self.unsorted = prefix.unsorted();
        self.with(|request| {
            request.sort = if prefix.is_whole() {
                SortCondition::Equals(KeyValue::S(prefix.into()))
            } else {
                SortCondition::BeginsWith(prefix.into())
            };
        })
    }

    /// Sees every write that was acknowledged before; costs twice as much.
    pub fn consistent(self) -> Self {
        self.options(|options| options.consistent = true)
    }
}

impl<T: Items> Collection<T> {
    fn run(self, db: &Dynamo) -> Result<Run<super::query::Expressions>, Error> {
        let schema: &'static TableSchema = const { &<T::Table as Table>::SCHEMA };
        // Only now, because the prefix may be given after the order.
        let unsorted = self.unsorted;
        let request = self.request.and_then(|request| match unsorted {
            Some(unsorted) if request.descending => Err(unsorted.error()),
            _ => Ok(request),
        });
        let request = request.map_err(|error| Error::key("query", error))?;
        let context = ErrorContext {
            operation: "query",
            entity: T::NAME,
            table: db.deployed_name(schema),
            key: Some(
                match T::ENTITIES.iter().find_map(|entity| entity.hidden_key()) {
                    Some(template) => template.into(),
                    None => Arc::clone(&request.pk).into(),
                },
            ),
        };
        let entities = paging::Entities::Items(T::ENTITIES);
        request.run(db, context, (schema, None, entities), OwnItems::all())
    }

    /// Returns each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    /// Reads the next items: `limit` items, or one request.
    pub fn page(self, db: &Dynamo) -> Reading<T, Page<T>>
    where
        T: ReadItems<Serde>,
    {
        Reading::page(self.run(db), decode)
    }

    /// All items, or the first `limit` of them.
    pub fn all(self, db: &Dynamo) -> Reading<T, Vec<T>>
    where
        T: ReadItems<Serde>,
    {
        Reading::all(self.run(db), decode)
    }

    /// Returns the items one by one, reading pages on demand.
    pub fn stream(self, db: &Dynamo) -> ItemStream<T>
    where
        T: ReadItems<Serde>,
    {
        ItemStream::new(self.run(db), decode)
    }
}

impl<T: ReadItems<Serde>> ReadsMany for Collection<T> {
    type Item = T;

    fn start(self, db: &Dynamo) -> Started {
        Started(self.run(db).map(Run::into_any))
    }

    fn decode(StoredItem { context, item }: StoredItem<'_>) -> Result<Option<T>, Error> {
        decode(context, item)
    }
}

fn decode<T: ReadItems<Serde>>(context: &ErrorContext, item: RawItem) -> Result<Option<T>, Error> {
    if is_of_value(&<T::Table as Table>::SCHEMA, &item) {
        return Ok(None);
    }
    wire::decode_items(context, item).map(Some)
}
