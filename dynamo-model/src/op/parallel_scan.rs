//! A scan in several parts at the same time.

use super::bounds::{Anywhere, HasFields};
use super::each::{Each, ItemResult, each};
use super::item_stream::{ItemStream, ReadingSegments, SegmentStream};
use super::paging::{self, Decode, Options, Want};
use super::run::Run;
use super::scan::{self, Part, Scan, Segment};
use super::selection::{Decodes, Selection, decoded};
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind};
use crate::expr::IntoCondition;
use crate::index::Primary;
use crate::request::Explain;
use futures_util::{StreamExt, TryStreamExt, stream};

/// DynamoDB's maximum number of segments.
const MAX_SEGMENTS: u32 = 1_000_000;

/// Every item of a [`Scan`], read in several segments of the table at the same time; made by
/// [`Scan::segments`].
///
/// Each segment has at most one request in flight, or one page of items in memory. Items are
/// returned as they arrive: they have no order, so there are no pages. Each segment has a separate
/// cursor instead: [`SegmentStream::cursors`] and [`after`](ParallelScan::after).
///
/// ```
/// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// # use aws_sdk_dynamodb::types::AttributeValue;
/// #
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
/// #
/// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # struct User {
/// #     user_id: u32,
/// # }
/// #
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// # for id in 0..20 {
/// #     db.client().put_item().table_name("App")
/// #         .item("PK", AttributeValue::S(format!("USER#{id}")))
/// #         .item("user_id", AttributeValue::N(id.to_string()))
/// #         .send().await?;
/// # }
/// // Twenty users.
/// let users = User::scan().segments(4).all(&db).await?;
/// assert_eq!(users.len(), 20);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is read until `all`, `stream` or `count`"]
pub struct ParallelScan<S> {
    scan: Scan<S>,
    segments: u32,
    /// The start of each segment, if given; `None` for one at its end.
    after: Option<Vec<Option<String>>>,
}

impl<S> ParallelScan<S> {
    pub(super) fn new(scan: Scan<S>, segments: u32) -> Self {
        Self {
            scan,
            segments: segments.clamp(1, MAX_SEGMENTS),
            after: None,
        }
    }

    fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.scan.options);
        self
    }

    paging::limit_methods!(S: crate::op::Expires);

    /// Continues each segment of an earlier scan, at the cursors of [`SegmentStream::cursors`].
    /// Cursors of a scan with another number of segments are refused before any request.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
    /// # use futures_util::TryStreamExt;
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User {
    /// #     user_id: u32,
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// # for user_id in 0..20 {
    /// #     User { user_id }.create().send(&db).await?;
    /// # }
    /// // Twenty users.
    /// let mut users = User::scan().segments(4).stream(&db);
    /// users.try_next().await?;
    /// let rest = User::scan().segments(4).after(users.cursors()).all(&db).await?;
    /// assert_eq!(rest.len(), 19);
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(mut self, cursors: impl IntoIterator<Item = Option<String>>) -> Self {
        self.after = Some(cursors.into_iter().collect());
        self
    }

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
}

impl<S: Selection> ParallelScan<S> {
    /// All items, or `limit` of them, in no particular order.
    pub fn all(self, db: &Dynamo) -> ReadingSegments<S::Item>
    where
        S: Decodes,
    {
        ReadingSegments::new(self.stream(db))
    }

    /// Returns the items one by one, in no particular order. Reads only on demand. An error ends
    /// its own segment.
    pub fn stream(self, db: &Dynamo) -> SegmentStream<S::Item>
    where
        S: Decodes,
    {
        self.stream_as(db, decoded::<S, Primary>)
    }

    /// Returns each item as a `Result`, so that one that cannot be read does not hide the others;
    /// see [`Each`].
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    fn stream_as<T>(self, db: &Dynamo, decode: Decode<T>) -> SegmentStream<T> {
        let limit = self.scan.options.limit.unwrap_or(usize::MAX);
        let segments = self
            .runs(db, Want::Items)
            .map(|run| ItemStream::new(run, decode));
        SegmentStream::new(segments, limit)
    }
}

impl<S: Decodes> Each<ParallelScan<S>> {
    /// All items, or `limit` of them, in no particular order.
    pub fn all(self, db: &Dynamo) -> ReadingSegments<ItemResult<S::Item>> {
        ReadingSegments::new(self.stream(db))
    }

    /// The items one by one, in no particular order.
    pub fn stream(self, db: &Dynamo) -> SegmentStream<ItemResult<S::Item>> {
        self.0.stream_as(db, each::<Scan<S>>)
    }
}

impl<S: Selection> ParallelScan<S> {
    /// Returns the number of items that the scan would return. DynamoDB counts, unless only keys
    /// show which items these are.
    pub async fn count(self, db: &Dynamo) -> Result<usize, Error> {
        let limit = self.scan.options.limit.unwrap_or(usize::MAX);
        let segments = self.segments as usize;
        let counts = self
            .runs(db, Want::Count)
            .map(|run| async { run?.into_any().count().await });
        let counts = stream::iter(counts).buffer_unordered(segments);
        let sum = counts.try_fold(0, async |sum, count| Ok(sum + count));
        Ok(sum.await?.min(limit))
    }

    /// The exact first request of the first segment, without sending it.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        let segments = self.segments;
        let mut explain = self.run(db, 0, Want::Items)?.paging.explain("Scan");
        explain.segments = Some(segments);
        Ok(explain)
    }

    fn runs(
        self,
        db: &Dynamo,
        want: Want,
    ) -> impl Iterator<Item = Result<Run<Part>, Error>> + use<S> {
        let db = db.clone();
        (0..self.segments).map(move |number| self.run(&db, number, want))
    }

    fn run(&self, db: &Dynamo, number: u32, want: Want) -> Result<Run<Part>, Error> {
        let fail = |reason| {
            let kind = ErrorKind::Cursor { reason };
            let context = S::selected::<Primary>().context(db, scan::OPERATION, None);
            Error::new(context, kind, None)
        };
        if self.scan.options.cursor.is_some() {
            return Err(fail("belongs to a scan without segments"));
        }
        let after = self.after.as_ref();
        if after.is_some_and(|cursors| cursors.len() != self.segments as usize) {
            return Err(fail("belongs to a scan in another number of segments"));
        }
        let clamped = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let segment = Segment {
            number: clamped(number),
            total: clamped(self.segments),
        };
        let after = after.and_then(|cursors| cursors.get(number as usize));
        let mut scan = self.scan.clone();
        scan.options.cursor = after.cloned().flatten();
        let mut run = scan.run(db, Some(segment), want)?;
        // A segment without a cursor is at its end.
        run.paging.done |= after.is_some_and(Option::is_none);
        Ok(run)
    }
}
