//! What a read gives back: futures and a stream that have names.
//!
//! An `async fn` would do, but the compiler repeats each unsatisfied bound of one at the call, at its type and
//! at its `.await`. What is sent is boxed and knows nothing of the items; they are decoded out here, so that
//! a read is `Send` whenever its items are.

use super::page::Page;
use super::paging::{Answer, AnyRequest, AnyRun, Decode, Paging, Run, Want};
use crate::error::{Error, ErrorKind, Place};
use crate::wire::Stored;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use futures_core::Stream;
use futures_core::future::BoxFuture;
use futures_util::StreamExt;
use futures_util::stream::{self, SelectAll, Take};

/// One request; with what it brought comes what the next one needs.
type Sending = BoxFuture<'static, Result<Option<(AnyRun, Answer)>, Error>>;

async fn send(mut run: AnyRun) -> Result<Option<(AnyRun, Answer)>, Error> {
    let answer = run.send(Want::Items).await?;
    Ok(answer.map(|answer| (run, answer)))
}

/// The requests of a read, one after the other; they know nothing of its items.
struct Requests {
    /// `None` when there is nothing more to ask for.
    sending: Option<Sending>,
}

impl Requests {
    fn new<R: Into<AnyRequest>>(run: Result<Run<R>, Error>) -> Self {
        Self::of(run.map(Run::into_any))
    }

    fn of(run: Result<AnyRun, Error>) -> Self {
        Self {
            sending: Some(Box::pin(async { send(run?).await })),
        }
    }

    /// What the next one brought; after an error there is nothing more.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<(AnyRun, Answer)>, Error>> {
        let Some(sending) = &mut self.sending else {
            return Poll::Ready(Ok(None));
        };
        let sent = ready!(sending.as_mut().poll(cx));
        self.sending = None;
        Poll::Ready(sent)
    }

    fn go_on(&mut self, run: AnyRun) {
        if !run.paging.is_over() {
            self.sending = Some(Box::pin(send(run)));
        }
    }
}

/// What a read begins with, whatever it reads.
struct Start {
    goes_on: bool,
    place: Option<Place>,
    requests: Requests,
    looks: usize,
}

impl Start {
    fn of(run: Result<AnyRun, Error>) -> Self {
        let paging = run.as_ref().ok().map(|run| &*run.paging);
        Self {
            goes_on: paging.is_some_and(Paging::is_limited),
            place: paging.map(|paging| paging.place().whole()),
            looks: paging.map_or(0, Paging::looks),
            requests: Requests::of(run),
        }
    }
}

/// A read of many items, to be awaited; made by `page`, `all`, `first` and `one`.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Reading, Table};
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
/// # App::create(&db).await?;
/// let reading: Reading<User, Vec<User>> = User::scan().all(&db);
/// assert!(reading.await?.is_empty());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until it is awaited"]
pub struct Reading<T, O> {
    requests: Requests,
    decode: Decode<T>,
    /// What was read so far.
    page: Page<T>,
    /// Whether one request is not enough.
    goes_on: bool,
    /// Whether it is a page, which says where the next one begins.
    is_page: bool,
    /// How many requests may look for an item after the last one.
    looks: usize,
    /// Whether the request under way does.
    looking: bool,
    place: Option<Place>,
    finish: fn(Page<T>, Option<Place>) -> Result<O, Error>,
}

/// Nothing in it is pinned.
impl<T, O> Unpin for Reading<T, O> {}

impl<T, O> Reading<T, O> {
    fn new<R: Into<AnyRequest>>(
        run: Result<Run<R>, Error>,
        decode: Decode<T>,
        finish: fn(Page<T>, Option<Place>) -> Result<O, Error>,
    ) -> Self {
        let start = Start::of(run.map(Run::into_any));
        Self {
            goes_on: start.goes_on,
            place: start.place,
            page: Page::empty(),
            requests: start.requests,
            is_page: false,
            looks: start.looks,
            looking: false,
            decode,
            finish,
        }
    }
}

impl<T> Reading<T, Page<T>> {
    /// As many items as the limit says, or as one request gives.
    pub(super) fn page<R: Into<AnyRequest>>(
        mut run: Result<Run<R>, Error>,
        decode: Decode<T>,
    ) -> Self {
        if let Ok(run) = &mut run {
            run.paging.reports = true;
            run.paging.looks_ahead = true;
        }
        Self {
            is_page: true,
            ..Self::new(run, decode, |page, _| Ok(page))
        }
    }
}

impl<T> Reading<T, Vec<T>> {
    pub(super) fn all<R: Into<AnyRequest>>(run: Result<Run<R>, Error>, decode: Decode<T>) -> Self {
        Self {
            goes_on: true,
            ..Self::new(run, decode, |page, _| Ok(page.items))
        }
    }
}

impl<T> Reading<T, Option<T>> {
    /// The first item of a read of at most one.
    pub(super) fn first<R: Into<AnyRequest>>(
        run: Result<Run<R>, Error>,
        decode: Decode<T>,
    ) -> Self {
        Self::new(run, decode, |page, _| Ok(page.items.into_iter().next()))
    }
}

impl<T> Reading<T, T> {
    /// The only item of a read of at most two.
    pub(super) fn one<R: Into<AnyRequest>>(run: Result<Run<R>, Error>, decode: Decode<T>) -> Self {
        Self::new(run, decode, |mut page, place| {
            let found = page.items.len();
            let item = page.items.pop().filter(|_| found == 1);
            item.ok_or_else(|| {
                let place = place.unwrap_or_default();
                Error::new(place, ErrorKind::NotOne { found }, None)
            })
        })
    }
}

impl<T, O> Reading<T, O> {
    /// Looks for an item after the last one, of a page that has all of its own.
    fn look(&mut self, mut run: AnyRun) {
        self.looking = true;
        self.looks -= 1;
        run.paging.look_ahead();
        self.requests.go_on(run);
    }

    /// A request looked ahead. The next page begins after what was found to be nothing.
    fn looked(&mut self, mut run: AnyRun, items: &[Stored]) {
        if !run.paging.found_more(items) {
            self.page.cursor = run.paging.cursor();
            if self.page.cursor.is_some() && self.looks > 0 {
                self.look(run);
            }
        }
    }
}

impl<T, O> Future for Reading<T, O> {
    type Output = Result<O, Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        while let Some((mut run, mut answer)) = ready!(this.requests.poll_next(cx))? {
            let items = core::mem::take(&mut answer.items);
            this.page.count(&answer);
            if this.looking {
                this.looked(run, &items);
                continue;
            }
            run.take(items, this.decode, &mut this.page.items)?;
            if this.is_page {
                this.page.cursor = run.paging.cursor();
            }
            let over = run.paging.is_over() || !this.goes_on;
            if over && run.paging.must_look_ahead() {
                this.look(run);
            } else if over {
                break;
            } else {
                this.requests.go_on(run);
            }
        }
        let page = core::mem::replace(&mut this.page, Page::empty());
        Poll::Ready((this.finish)(page, this.place.take()))
    }
}

/// Items one by one, read page by page as they are asked for; made by `stream`.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, ItemStream, Table};
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
/// # App::create(&db).await?;
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
    items: std::vec::IntoIter<T>,
}

/// Nothing in it is pinned.
impl<T> Unpin for ItemStream<T> {}

impl<T> ItemStream<T> {
    pub(super) fn new<R: Into<AnyRequest>>(run: Result<Run<R>, Error>, decode: Decode<T>) -> Self {
        Self {
            requests: Requests::new(run),
            decode,
            items: Vec::new().into_iter(),
        }
    }
}

impl<T> Stream for ItemStream<T> {
    type Item = Result<T, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(item) = this.items.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            let Some((mut run, answer)) = ready!(this.requests.poll_next(cx))? else {
                return Poll::Ready(None);
            };
            let mut items = Vec::new();
            run.take(answer.items, this.decode, &mut items)?;
            this.items = items.into_iter();
            this.requests.go_on(run);
        }
    }
}

impl<T, O> fmt::Debug for Reading<T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for ItemStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemStream").finish_non_exhaustive()
    }
}

/// A request for one item, to be awaited.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, ReadingOne, Table};
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
/// # App::create(&db).await?;
/// let reading: ReadingOne<User> = User::get("u1").send(&db);
/// assert!(reading.await?.is_none());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until it is awaited"]
pub struct ReadingOne<T> {
    sending: BoxFuture<'static, Result<Option<(Place, Stored)>, Error>>,
    decode: Decode<T>,
}

impl<T> ReadingOne<T> {
    pub(super) fn new(
        sending: BoxFuture<'static, Result<Option<(Place, Stored)>, Error>>,
        decode: Decode<T>,
    ) -> Self {
        Self { sending, decode }
    }
}

impl<T> Future for ReadingOne<T> {
    type Output = Result<Option<T>, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let found = ready!(self.sending.as_mut().poll(cx))?;
        Poll::Ready(match found {
            Some((place, item)) => (self.decode)(&place, item),
            None => Ok(None),
        })
    }
}

impl<T> fmt::Debug for ReadingOne<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadingOne").finish_non_exhaustive()
    }
}

/// Decodes what was read.
type Finish<'f, O> = Box<dyn FnOnce() -> Result<O, Error> + Send + 'f>;

/// A read of several items by their keys, to be awaited; made by `BatchGet::send` and `hydrate`.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, ReadingTogether, Table};
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
/// # App::create(&db).await?;
/// let users = db.batch_get([User::key("u1")]);
/// let reading: ReadingTogether<'_, Vec<Option<User>>> = users.send();
/// assert!(reading.await?[0].is_none());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until it is awaited"]
pub struct ReadingTogether<'f, O> {
    sending: Pin<Box<dyn Future<Output = Result<Finish<'f, O>, Error>> + Send + 'f>>,
}

impl<'f, O> ReadingTogether<'f, O> {
    /// What is sent knows nothing of the items, which `finish` decodes.
    pub(super) fn new<A: Send + 'f>(
        sending: impl Future<Output = Result<A, Error>> + Send + 'f,
        finish: impl FnOnce(A) -> Result<O, Error> + Send + 'f,
    ) -> Self
    where
        O: 'f,
    {
        Self {
            sending: Box::pin(async move {
                let answer = sending.await?;
                Ok(Box::new(move || finish(answer)) as Finish<'f, O>)
            }),
        }
    }
}

impl<O> Future for ReadingTogether<'_, O> {
    type Output = Result<O, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let finish = ready!(self.sending.as_mut().poll(cx))?;
        Poll::Ready(finish())
    }
}

impl<O> fmt::Debug for ReadingTogether<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadingTogether").finish_non_exhaustive()
    }
}

/// A read of all items of a stream, to be awaited; made by `ParallelScan::all`.
#[must_use = "nothing is read until it is awaited"]
pub struct ReadingSegments<E> {
    stream: SegmentStream<E>,
    items: Vec<E>,
}

/// Nothing in it is pinned.
impl<E> Unpin for ReadingSegments<E> {}

impl<E> ReadingSegments<E> {
    pub(super) fn new(stream: SegmentStream<E>) -> Self {
        Self {
            stream,
            items: Vec::new(),
        }
    }
}

impl<E> Future for ReadingSegments<E> {
    type Output = Result<Vec<E>, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        while let Some(item) = ready!(Pin::new(&mut self.stream).poll_next(cx)) {
            self.items.push(item?);
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
#[must_use = "nothing is read until an item is asked for"]
pub struct SegmentStream<E> {
    items: Take<SelectAll<ItemStream<E>>>,
}

/// Nothing in it is pinned.
impl<E> Unpin for SegmentStream<E> {}

impl<E> SegmentStream<E> {
    pub(super) fn new(segments: impl Iterator<Item = ItemStream<E>>, limit: usize) -> Self {
        Self {
            items: stream::select_all(segments).take(limit),
        }
    }
}

impl<E> Stream for SegmentStream<E> {
    type Item = Result<E, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.items).poll_next(cx)
    }
}

impl<E> fmt::Debug for SegmentStream<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SegmentStream").finish_non_exhaustive()
    }
}
