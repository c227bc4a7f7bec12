//! Scans: every item of an entity, found by reading the whole table.

use super::bounds::{Anywhere, HasFields};
use super::each::{Each, ReadsMany, Started};
use super::item_stream::ItemStream;
use super::page::Page;
use super::paging::{self, Identity, Options, Paging, Target, Want};
use super::parallel_scan::ParallelScan;
use super::reading::Reading;
use super::run::Run;
use super::selection::{Decodes, Selection, decoded};
use super::write::Loadable;
use crate::db::Dynamo;
use crate::error::Error;
use crate::expr::{Aliases, IntoCondition};
use crate::index::Primary;
use crate::membership::MayScan;
use crate::request::Explain;
use crate::transport;
use crate::wire::{Object, StoredItem};
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use core::marker::PhantomData;

/// Every item of the entity `S`, or with [`AnyOf`](crate::read::AnyOf) of any entity of a table; made by the `scan` of
/// an entity and of an items enum.
///
/// A scan reads, and pays for, the whole table: use it for exports, migrations and small tables,
/// and a query for everything else. Items of other entities are skipped: by DynamoDB, if the table
/// has an entity-type attribute; otherwise here, by their keys.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// # use aws_sdk_dynamodb::types::AttributeValue;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", entity_type = "type")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App, entity_type = "USER")]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
///     age: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// # for (id, age) in [("u1", "17"), ("u2", "18"), ("u3", "19")] {
/// #     db.client().put_item().table_name("App")
/// #         .item("PK", AttributeValue::S(format!("USER#{id}")))
/// #         .item("type", AttributeValue::S("USER".into()))
/// #         .item("user_id", AttributeValue::S(id.into()))
/// #         .item("age", AttributeValue::N(age.into()))
/// #         .send().await?;
/// # }
/// // Three users, two of them adults.
/// let page = User::scan().filter(|user| user.age().ge(18)).limit(1).page(&db).await?;
/// let rest = User::scan().filter(|user| user.age().ge(18)).after(page.next.unwrap());
/// assert_eq!(page.items.len() + rest.all(&db).await?.len(), 2);
/// assert_eq!(User::scan().count(&db).await?, 3);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until `page`, `all`, `stream` or `count`"]
pub struct Scan<S> {
    pub(super) options: Options,
    of: PhantomData<fn() -> S>,
}

impl<S> core::fmt::Debug for Scan<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Scan").field(&self.options).finish()
    }
}

impl<S> Clone for Scan<S> {
    fn clone(&self) -> Self {
        Self {
            options: self.options.clone(),
            of: PhantomData,
        }
    }
}

impl<S> Scan<S> {
    /// For generated code.
    #[doc(hidden)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self {
            options: Options::default(),
            of: PhantomData,
        }
    }

    pub(super) fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    paging::page_methods!(S: crate::op::Expires);

    /// Sees every write that was acknowledged before; costs twice as much.
    pub fn consistent(self) -> Self {
        self.options(|options| options.consistent = true)
    }

    /// Returns only items that pass; the others still cost read units. Several filters must all
    /// pass.
    pub fn filter<C>(self, condition: impl FnOnce(S::Fields<Anywhere>) -> C) -> Self
    where
        S: HasFields,
        C: IntoCondition,
    {
        let condition = condition(S::fields()).into_condition();
        self.options(|options| options.add_filter(condition))
    }

    /// Reads the table in this many parallel segments. They have no common order, so there are no
    /// pages and no cursor: see [`ParallelScan`].
    pub fn segments(self, segments: u32) -> ParallelScan<S> {
        ParallelScan::new(self, segments)
    }
}

impl<S: Selection> Scan<S> {
    /// Reads the next items: `limit` items, or one request; the page may be empty although others
    /// follow, as long as there is a cursor.
    pub fn page(self, db: &Dynamo) -> Reading<S::Item, Page<S::Item>>
    where
        S: Decodes,
    {
        Reading::page(self.run(db, None, Want::Items), decoded::<S, Primary>)
    }

    /// All items, or `limit` of them.
    pub fn all(self, db: &Dynamo) -> Reading<S::Item, Vec<S::Item>>
    where
        S: Decodes,
    {
        Reading::all(self.run(db, None, Want::Items), decoded::<S, Primary>)
    }

    /// Returns the items one by one, reading pages on demand.
    pub fn stream(self, db: &Dynamo) -> ItemStream<S::Item>
    where
        S: Decodes,
    {
        ItemStream::new(self.run(db, None, Want::Items), decoded::<S, Primary>)
    }
}

impl<S: Decodes> ReadsMany for Scan<S> {
    type Item = S::Item;

    fn start(self, db: &Dynamo) -> Started {
        Started(self.run(db, None, Want::Items).map(Run::into_any))
    }

    fn decode(item: StoredItem<'_>) -> Result<Option<S::Item>, Error> {
        S::decode::<Primary>(item)
    }
}

impl<S: Selection> Scan<S> {
    /// Hands out each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    /// Returns the number of items that the scan would return. DynamoDB counts, unless only keys
    /// show which items these are.
    pub async fn count(self, db: &Dynamo) -> Result<usize, Error> {
        self.run(db, None, Want::Count)?.into_any().count().await
    }

    /// The exact first request, without sending it.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        Ok(self.run(db, None, Want::Items)?.paging.explain("Scan"))
    }

    /// The SDK's own builder, filled in as the first request would be.
    pub fn into_sdk(self, db: &Dynamo) -> Result<ScanFluentBuilder, Error> {
        let Run { request, paging } = self.run(db, None, Want::Items)?;
        let body = request.body(&paging, Want::Items);
        let built = transport::sdk_scan(db.transport(), &body);
        built.map_err(|error| error.at(paging.context().clone()))
    }

    pub(super) fn run(
        self,
        db: &Dynamo,
        segment: Option<Segment>,
        want: Want,
    ) -> Result<Run<Part>, Error> {
        let selected = S::selected::<Primary>();
        let target = Target {
            context: selected.context(db, OPERATION, None),
            schema: selected.table,
            index: None,
            entities: selected.entities,
            identity: Identity::Scan {
                segment: segment.map(|it| (it.number, it.total)),
            },
            own: selected.own_of_scan(want),
        };
        let paging = Paging::new(db, target, self.options, Aliases::default())?;
        let request = Part { segment };
        Ok(Run { request, paging })
    }
}

pub(super) const OPERATION: &str = "scan";

/// Any entity that can be scanned, for functions of your own that take all of them.
///
/// ```
/// use dynamo_model::read::Scannable;
/// use dynamo_model::{Dynamo, Error};
///
/// async fn export<E: Scannable>(db: &Dynamo) -> Result<Vec<E>, Error> {
///     E::scan().all(db).await
/// }
/// ```
pub trait Scannable: Loadable + MayScan {
    /// Every item of the entity; see [`Scan`].
    fn scan() -> Scan<Self> {
        Scan::new()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Loadable + MayScan> Scannable for E {}

/// One of the parts that a table is read in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) number: i32,
    pub(super) total: i32,
}

/// The part of the request that only a scan has.
pub(super) struct Part {
    segment: Option<Segment>,
}

impl Part {
    pub(super) fn body(&self, paging: &Paging, want: Want) -> Vec<u8> {
        let (keys, aliases) = paging.projection(None, want);
        Object::body(512, |request| {
            paging.describe(request, want);
            request.text_if("ProjectionExpression", keys.as_deref());
            aliases.describe(request);
            request.text_if("Select", (want == Want::Count).then_some("COUNT"));
            if let Some(segment) = self.segment {
                request.number("Segment", segment.number);
                request.number("TotalSegments", segment.total);
            }
        })
    }
}
