//! Items one by one: of one read, and of a scan in several segments.

use super::paging::Decode;
use super::reading::Requests;
use super::run::{AnyRequest, Run};
use crate::error::Error;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use futures_core::Stream;
use futures_util::stream::SelectAll;

/// Returns items one by one, reading pages on demand; made by `stream`.
///
/// A stream can be resumed: [`cursor`](ItemStream::cursor) continues after the last returned item,
/// also in another process. An error ends the stream, and contains that cursor ([`Error::cursor`]).
/// For an unreadable item, the cursor is before it; [`each`](crate::read::Query::each) returns such items
/// as separate errors and continues.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// use dynamo_model::read::ItemStream;
/// use futures_util::TryStreamExt;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let mut users: ItemStream<User> = User::scan().stream(&db);
/// while let Some(user) = users.try_next().await? {
///     println!("{}", user.user_id);
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until an item is asked for"]
pub struct ItemStream<T> {
    requests: Requests,
    decode: Decode<T>,
    ended: bool,
}

/// No field is pinned in place.
impl<T> Unpin for ItemStream<T> {}

impl<T> ItemStream<T> {
    pub(super) fn new<R: Into<AnyRequest>>(run: Result<Run<R>, Error>, decode: Decode<T>) -> Self {
        Self {
            requests: Requests::new(run),
            decode,
            ended: false,
        }
    }

    /// Returns a cursor that continues after the last returned item, for `after` of the same query;
    /// before the first item, one for the beginning of this stream. Returns `None` at the end, or
    /// if the read could not be started.
    ///
    /// A request in flight, or a failed one, does not matter: its items are read again.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
    /// # use futures_util::TryStreamExt;
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
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// # for number in 1..=3 {
    /// #     Order { user_id: "u1".into(), number }.create().send(&db).await?;
    /// # }
    /// let mut orders = Order::query("u1").stream(&db);
    /// assert_eq!(orders.try_next().await?.map(|it| it.number), Some(1));
    /// let cursor = orders.cursor().expect("two orders are left");
    /// let rest = Order::query("u1").after(cursor).all(&db).await?;
    /// assert_eq!(rest.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn cursor(&self) -> Option<String> {
        self.requests.cursor()
    }

    fn end(&mut self, error: Error) -> Error {
        self.ended = true;
        error.with_cursor(self.cursor())
    }
}

impl<T> Stream for ItemStream<T> {
    type Item = Result<T, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        while !this.ended {
            if let Some(item) = this.requests.next(this.decode) {
                return Poll::Ready(Some(item.map_err(|error| this.end(error))));
            }
            match ready!(this.requests.poll_next(cx)) {
                Ok(Some((run, answer))) => run.paging.hold(answer.items),
                Ok(None) => this.ended = true,
                Err(error) => return Poll::Ready(Some(Err(this.end(error)))),
            }
        }
        Poll::Ready(None)
    }
}

impl<T> fmt::Debug for ItemStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemStream").finish_non_exhaustive()
    }
}

/// A read of all items of a stream, to be awaited; made by `ParallelScan::all`.
///
/// Await it by reference to stop waiting without losing items, as with [`Reading`](crate::read::Reading):
/// see [`into_parts`](Self::into_parts).
#[must_use = "nothing is read until it is awaited"]
pub struct ReadingSegments<E> {
    stream: SegmentStream<E>,
    items: Vec<E>,
}

/// No field is pinned in place.
impl<E> Unpin for ReadingSegments<E> {}

impl<E> ReadingSegments<E> {
    pub(super) fn new(stream: SegmentStream<E>) -> Self {
        Self {
            stream,
            items: Vec::new(),
        }
    }

    /// Returns the items read so far, and the cursor of each segment after them: for a read that
    /// failed, or that you stopped waiting for; see [`SegmentStream::cursors`].
    #[must_use]
    pub fn into_parts(self) -> (Vec<E>, Vec<Option<String>>) {
        let cursors = self.stream.cursors();
        (self.items, cursors)
    }
}

impl<E> Future for ReadingSegments<E> {
    type Output = Result<Vec<E>, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        while let Some(item) = ready!(Pin::new(&mut self.stream).poll_next(cx)) {
            match item {
                Ok(item) => self.items.push(item),
                Err(error) => {
                    self.stream.resume();
                    // The items found are dropped: a cursor after them would skip them.
                    return Poll::Ready(Err(error.with_cursor(None)));
                }
            }
        }
        Poll::Ready(Ok(core::mem::take(&mut self.items)))
    }
}

impl<E> fmt::Debug for ReadingSegments<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadingSegments").finish_non_exhaustive()
    }
}

/// The items of several segments, in no particular order; made by `ParallelScan::stream`.
///
/// An error ends its own segment, and the others continue. [`cursors`](SegmentStream::cursors)
/// returns the position of each.
#[must_use = "nothing is read until an item is asked for"]
pub struct SegmentStream<E> {
    segments: SelectAll<Segment<E>>,
    /// The number of items that may still be returned.
    left: usize,
    /// The cursors of failed segments, in their order.
    failed: Vec<Option<String>>,
}

/// One of them.
struct Segment<E> {
    number: usize,
    stream: ItemStream<E>,
}

impl<E> Stream for Segment<E> {
    type Item = (usize, Result<E, Error>);

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let item = ready!(Pin::new(&mut self.stream).poll_next(cx));
        Poll::Ready(item.map(|item| (self.number, item)))
    }
}

/// No field is pinned in place.
impl<E> Unpin for SegmentStream<E> {}

impl<E> SegmentStream<E> {
    pub(super) fn new(segments: impl Iterator<Item = ItemStream<E>>, limit: usize) -> Self {
        let numbered = segments.enumerate();
        let segments: SelectAll<_> = numbered
            .map(|(number, stream)| Segment { number, stream })
            .collect();
        Self {
            failed: vec![None; segments.len()],
            segments,
            left: limit,
        }
    }

    /// Returns the cursor of each segment after the returned items, in their order, for
    /// [`ParallelScan::after`](crate::read::ParallelScan::after); `None` for a segment at its end.
    #[must_use]
    pub fn cursors(&self) -> Vec<Option<String>> {
        let mut cursors = self.failed.clone();
        for segment in self.segments.iter() {
            cursors[segment.number] = segment.stream.cursor();
        }
        cursors
    }

    /// Continues failed segments at their positions.
    fn resume(&mut self) {
        for segment in self.segments.iter_mut() {
            segment.stream.ended = false;
        }
    }
}

impl<E> Stream for SegmentStream<E> {
    type Item = Result<E, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let Some((number, item)) = ready!(Pin::new(&mut self.segments).poll_next(cx)) else {
            return Poll::Ready(None);
        };
        match &item {
            Ok(_) => self.left -= 1,
            Err(error) => self.failed[number] = error.cursor().map(str::to_owned),
        }
        Poll::Ready(Some(item))
    }
}

impl<E> fmt::Debug for SegmentStream<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SegmentStream").finish_non_exhaustive()
    }
}
