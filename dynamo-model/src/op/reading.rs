//! Results of reads: futures and a stream with names.
//!
//! An `async fn` would do, but the compiler repeats each unsatisfied bound of one at the call, at
//! its type and at its `.await`. The request part is boxed and does not depend on the items; they
//! are decoded outside of it, so that a read is `Send` whenever its items are.

use super::page::Page;
use super::paging::{Answer, Decode, Paging, Want};
use super::run::{AnyRequest, AnyRun, Run, Sending};
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::wire::RawItem;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use futures_core::future::BoxFuture;

/// The requests of a read, one round after the other, independent of its items.
pub(super) struct Requests {
    /// The read, or why it could not be begun.
    run: Result<AnyRun, Error>,
    sending: Option<Sending>,
}

impl Requests {
    pub(super) fn new<R: Into<AnyRequest>>(run: Result<Run<R>, Error>) -> Self {
        Self {
            run: run.map(Run::into_any),
            sending: None,
        }
    }

    fn paging(&self) -> Option<&Paging> {
        self.run.as_ref().ok().map(|run| &*run.paging)
    }

    /// Returns the cursor after the items that were returned or skipped.
    pub(super) fn cursor(&self) -> Option<String> {
        self.paging().and_then(Paging::cursor)
    }

    /// Returns the result of the next round; `None` at the end. After an error the same round is
    /// sent again.
    pub(super) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<(&mut AnyRun, Answer)>, Error>> {
        let run = match &mut self.run {
            Ok(run) => run,
            Err(error) => {
                let again = error.again();
                return Poll::Ready(Err(core::mem::replace(error, again)));
            }
        };
        let sending = match &mut self.sending {
            Some(sending) => sending,
            none => match run.ask(Want::Items)? {
                Some(sending) => none.insert(sending),
                None => return Poll::Ready(Ok(None)),
            },
        };
        let sent = ready!(sending.as_mut().poll(cx));
        self.sending = None;
        let answer = run.took(sent?);
        Poll::Ready(Ok(Some((run, answer))))
    }

    /// The next item of the last answer.
    pub(super) fn next<T>(&mut self, decode: Decode<T>) -> Option<Result<T, Error>> {
        self.run.as_mut().ok()?.next(decode)
    }
}

/// A read of many items, to be awaited; made by `page`, `all`, `first` and `one`.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// use dynamo_model::read::Reading;
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
/// let reading: Reading<User, Vec<User>> = User::scan().all(&db);
/// assert!(reading.await?.is_empty());
/// # Ok(())
/// # }
/// ```
///
/// # Cancellation
///
/// A dropped read loses the items that it had read. To keep them, await it by reference: after a
/// timeout, [`into_page`](Self::into_page) returns the items that were read so far, and a cursor.
/// Or await it again: it continues, also after an error.
///
/// ```
/// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// # use std::time::Duration;
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
/// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # struct User {
/// #     user_id: String,
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let mut reading = User::scan().all(&db);
/// let (users, next) = match tokio::time::timeout(Duration::from_secs(5), &mut reading).await {
///     Ok(all) => (all?, None),
///     Err(_) => {
///         let page = reading.into_page();
///         (page.items, page.next)
///     }
/// };
/// # assert!(users.is_empty() && next.is_none());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until it is awaited"]
pub struct Reading<T, O> {
    requests: Requests,
    decode: Decode<T>,
    /// The items read so far.
    page: Page<T>,
    /// Whether one request is not enough.
    goes_on: bool,
    /// Whether it is a page, which has cursors.
    is_page: bool,
    /// Whether the request under way looks for an item after the last one.
    looking: bool,
    /// The cursor, if it is known.
    cursor: Option<String>,
    context: Option<ErrorContext>,
    finish: fn(Page<T>, Option<ErrorContext>) -> Result<O, Error>,
}

/// No field is pinned in place.
impl<T, O> Unpin for Reading<T, O> {}

impl<T, O> Reading<T, O> {
    fn new<R: Into<AnyRequest>>(
        run: Result<Run<R>, Error>,
        decode: Decode<T>,
        finish: fn(Page<T>, Option<ErrorContext>) -> Result<O, Error>,
    ) -> Self {
        let requests = Requests::new(run);
        let paging = requests.paging();
        Self {
            goes_on: paging.is_some_and(Paging::is_limited),
            context: paging.map(|paging| paging.context().whole()),
            page: Page::empty(),
            is_page: false,
            looking: false,
            cursor: None,
            requests,
            decode,
            finish,
        }
    }

    /// Returns the items read so far, and a cursor after them: for a read that failed, or that you
    /// stopped waiting for. The cursors are those of a page: valid for the same query, and `next`
    /// is `None` at the end. The page is empty for a read that could not be started, or that has
    /// returned its result.
    ///
    /// A request in flight is dropped; its items are read again.
    #[must_use]
    pub fn into_page(mut self) -> Page<T> {
        self.ended();
        self.take_page()
    }

    /// Records the cursor. A request that looks ahead has determined it before.
    fn ended(&mut self) {
        if !self.looking {
            self.cursor = self.requests.cursor();
        }
    }

    /// Returns the items, in the order of the query, with their cursors.
    fn take_page(&mut self) -> Page<T> {
        let mut page = core::mem::replace(&mut self.page, Page::empty());
        let ahead = self.cursor.take();
        let paging = self.requests.paging();
        let behind = paging.and_then(|paging| paging.cursor_behind(ahead.is_some()));
        (page.next, page.previous) = (ahead, behind);
        if paging.is_some_and(|paging| paging.heading.backward) {
            page.items.reverse();
            core::mem::swap(&mut page.next, &mut page.previous);
        }
        page
    }
}

impl<T> Reading<T, Page<T>> {
    /// Returns `limit` items, or those of one request.
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
        Self::new(run, decode, |mut page, context| {
            let found = page.items.len();
            let item = page.items.pop().filter(|_| found == 1);
            item.ok_or_else(|| {
                let context = context.unwrap_or_default();
                Error::new(context, ErrorKind::NotOne { found }, None)
            })
        })
    }
}

impl<T, O> Reading<T, O> {
    /// Takes the result of a request; returns whether another one follows.
    fn took(&mut self, cx: &mut Context<'_>) -> Poll<Result<bool, Error>> {
        let Some((run, mut answer)) = ready!(self.requests.poll_next(cx))? else {
            return Poll::Ready(Ok(false));
        };
        let items = core::mem::take(&mut answer.items);
        self.page.count(&answer);
        if self.looking {
            // The next page begins after the part without items.
            if run.paging.found_more(items) {
                return Poll::Ready(Ok(false));
            }
            self.cursor = run.paging.cursor();
        } else {
            run.take(items, self.decode, &mut self.page.items)?;
            let over = run.paging.is_over() || !self.goes_on;
            if !over {
                return Poll::Ready(Ok(true));
            }
            if self.is_page {
                self.cursor = run.paging.cursor();
            }
            if !run.paging.must_look_ahead() {
                return Poll::Ready(Ok(false));
            }
            self.looking = true;
        }
        // A complete page looks for an item after its last one.
        let looks = self.cursor.is_some();
        if looks {
            run.paging.look_ahead();
        }
        Poll::Ready(Ok(looks))
    }

    /// Handles an error: a page that has spent its budget is still a page.
    fn failed(&mut self, error: Error) -> Result<(), Error> {
        let spent = matches!(error.kind(), ErrorKind::BudgetSpent { .. });
        if self.is_page && spent {
            self.ended();
            return Ok(());
        }
        // The items found are dropped: a cursor after them would skip them.
        Err(match self.page.items.is_empty() {
            true => error.with_cursor(self.requests.cursor()),
            false => error,
        })
    }
}

impl<T, O> Future for Reading<T, O> {
    type Output = Result<O, Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        loop {
            match ready!(this.took(cx)) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    this.failed(error)?;
                    break;
                }
            }
        }
        let page = match this.is_page {
            true => this.take_page(),
            false => core::mem::replace(&mut this.page, Page::empty()),
        };
        Poll::Ready((this.finish)(page, this.context.take()))
    }
}

impl<T, O> fmt::Debug for Reading<T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").finish_non_exhaustive()
    }
}

/// A request for one item, to be awaited.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// use dynamo_model::read::ReadingOne;
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
/// let reading: ReadingOne<User> = User::get("u1").send(&db);
/// assert!(reading.await?.is_none());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until it is awaited"]
pub struct ReadingOne<T> {
    sending: BoxFuture<'static, Result<Option<(ErrorContext, RawItem)>, Error>>,
    decode: Decode<T>,
}

impl<T> ReadingOne<T> {
    pub(super) fn new(
        sending: BoxFuture<'static, Result<Option<(ErrorContext, RawItem)>, Error>>,
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
            Some((context, item)) => (self.decode)(&context, item),
            None => Ok(None),
        })
    }
}

impl<T> fmt::Debug for ReadingOne<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadingOne").finish_non_exhaustive()
    }
}

/// Decodes the result.
type Finish<'f, O> = Box<dyn FnOnce() -> Result<O, Error> + Send + 'f>;

/// A read of several items by their keys, to be awaited; made by `BatchGet::send` and `hydrate`.
///
/// ```
/// use dynamo_model::{BatchGet, Dynamo, DynamoEntity, DynamoTable, Table};
/// use dynamo_model::transaction::ReadingTogether;
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
/// let users = BatchGet::new([User::key("u1")]);
/// let reading: ReadingTogether<'_, Vec<Option<User>>> = users.send(&db);
/// assert!(reading.await?[0].is_none());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until it is awaited"]
pub struct ReadingTogether<'f, O> {
    sending: Pin<Box<dyn Future<Output = Result<Finish<'f, O>, Error>> + Send + 'f>>,
}

impl<'f, O> ReadingTogether<'f, O> {
    /// The request part does not depend on the items, which `finish` decodes.
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
