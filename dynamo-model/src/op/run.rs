//! A read under way: its requests, one round after the other, and the items of the last answer.
//!
//! A request owns all it needs and is independent of the read, so that the read keeps its position
//! if the request fails, or if the caller stops waiting.

use super::paging::{Answer, Decode, Identity, Paging, Want};
use super::series::{CONCURRENCY, Series};
use super::{query_state, scan, trace};
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::transport::{self, Call, Operation};
use crate::wire::RawItem;
use core::pin::pin;
use futures_core::future::BoxFuture;
use futures_util::{StreamExt, TryStreamExt, stream};
use tracing::{Instrument, Span};

/// The request of each page.
pub(super) enum AnyRequest {
    Query(query_state::Expressions),
    Scan(scan::Part),
}

impl AnyRequest {
    fn prepare(&self, paging: &Paging, want: Want) -> Prepared {
        let (operation, body) = match self {
            Self::Query(request) => (Operation::Query, request.body(paging, want)),
            Self::Scan(request) => (Operation::Scan, request.body(paging, want)),
        };
        Prepared { operation, body }
    }
}

impl From<query_state::Expressions> for AnyRequest {
    fn from(request: query_state::Expressions) -> Self {
        Self::Query(request)
    }
}

impl From<scan::Part> for AnyRequest {
    fn from(request: scan::Part) -> Self {
        Self::Scan(request)
    }
}

/// A request that can be sent.
struct Prepared {
    operation: Operation,
    body: Vec<u8>,
}

impl Prepared {
    async fn send(self, db: &Dynamo, context: &ErrorContext) -> Result<Answer, Error> {
        let call = Call::read(self.operation, &context.table, self.body);
        let reply = transport::send(db.transport(), call).await;
        Ok(reply.map_err(|error| error.at(context.clone()))?.into())
    }
}

/// The result of one round of requests.
pub(super) enum Answers {
    One(Answer),
    /// Of some of the partitions that are read together, by their place in the group.
    Partitions(Vec<(usize, Answer)>),
}

impl Answers {
    fn each(&self) -> impl Iterator<Item = &Answer> {
        let (one, several) = match self {
            Self::One(answer) => (Some(answer), &[][..]),
            Self::Partitions(answers) => (None, answers.as_slice()),
        };
        one.into_iter().chain(several.iter().map(|(_, it)| it))
    }

    fn trace(&self, span: &Span) {
        let count = self.each().map(|it| it.count).sum();
        let scanned = self.each().map(|it| it.scanned).sum();
        let capacity = self.each().map(|it| it.consumed_capacity).sum();
        trace::answered(span, count, scanned, capacity);
    }
}

/// The requests of one round, under way.
pub(super) type Sending = BoxFuture<'static, Result<Answers, Error>>;

fn send_one(db: Dynamo, context: ErrorContext, span: Span, request: Prepared) -> Sending {
    Box::pin(async move {
        // Pinned, so that it is not moved into its instrumentation.
        let answer = pin!(request.send(&db, &context));
        let answer = Answers::One(answer.instrument(span.clone()).await?);
        answer.trace(&span);
        Ok(answer)
    })
}

fn send_several(
    db: Dynamo,
    context: ErrorContext,
    span: Span,
    requests: Vec<(usize, Prepared)>,
) -> Sending {
    Box::pin(async move {
        let (db, context) = (&db, &context);
        let each = stream::iter(requests).map(|(at, request)| async move {
            Ok::<_, Error>((at, request.send(db, context).await?))
        });
        let answers = each.buffer_unordered(CONCURRENCY).try_collect();
        let answers = Answers::Partitions(answers.instrument(span.clone()).await?);
        answers.trace(&span);
        Ok(answers)
    })
}

/// A read under way.
pub(crate) struct Run<R> {
    pub(crate) request: R,
    pub(crate) paging: Box<Paging>,
}

pub(super) type AnyRun = Run<AnyRequest>;

impl<R: Into<AnyRequest>> Run<R> {
    pub(super) fn into_any(self) -> AnyRun {
        Run {
            request: self.request.into(),
            paging: self.paging,
        }
    }
}

impl AnyRun {
    /// Returns the next round of requests; `None` at the end. Fails if the budget does not allow
    /// it.
    pub(super) fn ask(&mut self, want: Want) -> Result<Option<Sending>, Error> {
        if self.paging.is_over() {
            return Ok(None);
        }
        if self.paging.is_for_pages() {
            let reason = "leads back to a previous page, which only `page` reads";
            let kind = ErrorKind::Cursor { reason };
            return Err(Error::new(self.paging.context().whole(), kind, None));
        }
        // Taken out, as the read is copied for each partition.
        let mut series = self.paging.series.take();
        let goes_on = series.as_mut().is_none_or(Series::advance);
        let asked = match goes_on {
            true => self.ask_round(series.as_ref(), want).map(Some),
            false => Ok(None),
        };
        self.paging.done |= !goes_on;
        self.paging.series = series;
        asked
    }

    fn ask_round(&mut self, series: Option<&Series>, want: Want) -> Result<Sending, Error> {
        let Self { request, paging } = self;
        let partitions = series.map(Series::to_read);
        let requests = partitions.as_ref().map_or(1, Vec::len);
        let round = series.map_or(1, Series::round);
        let allowed = paging.spent.allow(paging.options.budget, requests, round);
        paging.allowance =
            allowed.map_err(|kind| Error::new(paging.context().whole(), kind, None))?;
        let index = paging.target.index.map(|index| index.name);
        let span = trace::request(paging.context(), index);
        paging.reports |= paging.db.asks_capacity(&span);
        let (db, context) = (paging.db.clone(), paging.context().clone());
        match (&partitions, &paging.target.identity) {
            (Some(partitions), _) => {
                partitions
                    .iter()
                    .for_each(|(_, pk, _)| paging.target.accessed(&db, pk));
            }
            (None, Identity::Query { pk, .. }) => paging.target.accessed(&db, pk),
            (None, Identity::Scan { .. }) => {}
        }
        Ok(match partitions.zip(series) {
            None => send_one(db, context, span, request.prepare(paging, want)),
            Some((partitions, series)) => {
                let requests = partitions.into_iter().map(|(at, pk, start)| {
                    let paging = paging.of_partition(pk, start.cloned(), series.loose);
                    (at, request.prepare(&paging, want))
                });
                send_several(db, context, span, requests.collect())
            }
        })
    }

    /// Records the result of a round.
    pub(super) fn took(&mut self, answers: Answers) -> Answer {
        let paging = &mut self.paging;
        let scanned = answers.each().map(|it| it.scanned).sum();
        paging.spent.add(answers.each().count(), scanned);
        let mut answer = match (answers, &mut paging.series) {
            (Answers::One(answer), _) => answer,
            (Answers::Partitions(pages), Some(series)) => series.took(pages),
            (Answers::Partitions(_), None) => Answer::default(),
        };
        paging.answered(answer.last_key.take());
        answer
    }

    /// Sends one round of requests, and records its result.
    async fn send(&mut self, want: Want) -> Result<Option<Answer>, Error> {
        let Some(sending) = self.ask(want)? else {
            return Ok(None);
        };
        let answers = sending.await?;
        Ok(Some(self.took(answers)))
    }

    /// Returns the next of the items that were read; `None` if another request is needed. After an
    /// error the position is before the unreadable item.
    pub(super) fn next<T>(&mut self, decode: Decode<T>) -> Option<Result<T, Error>> {
        let paging = &mut self.paging;
        while let Some(item) = paging.next_kept() {
            let context = paging.place_of(&item);
            match decode(&paging.target.context, item) {
                Ok(Some(decoded)) => {
                    paging.note_first(&context);
                    paging.pass(context);
                    paging.handed_out();
                    return Some(Ok(decoded));
                }
                Ok(None) => {
                    paging.pass(context);
                    paging.target.own.skips = true;
                }
                Err(error) => {
                    paging.rewind();
                    return Some(Err(error));
                }
            }
        }
        None
    }

    /// Decodes the result of one request, up to the limit.
    pub(super) fn take<T>(
        &mut self,
        items: Vec<RawItem>,
        decode: Decode<T>,
        taken: &mut Vec<T>,
    ) -> Result<(), Error> {
        taken.reserve(items.len().min(self.paging.left.unwrap_or(usize::MAX)));
        self.paging.hold(items);
        while let Some(item) = self.next(decode) {
            taken.push(item?);
        }
        Ok(())
    }

    /// Returns the number of items, up to the limit.
    pub(crate) async fn count(mut self) -> Result<usize, Error> {
        let mut count = 0;
        let want = self.paging.wanted_to_count();
        loop {
            let answer = self.send(want).await;
            // The count is lost: only if it is 0, the cursor skips no item.
            let cursor = |error: Error| match count {
                0 => error.with_cursor(self.paging.cursor()),
                _ => error,
            };
            let Some(mut answer) = answer.map_err(cursor)? else {
                break;
            };
            if want != Want::Count {
                answer.count = self.paging.count(&answer.items)?;
            }
            self.paging.counted();
            count += answer.count;
            let left = &mut self.paging.left;
            *left = left.map(|left| left.saturating_sub(answer.count));
        }
        let limit = self.paging.options.limit;
        Ok(limit.map_or(count, |limit| count.min(limit)))
    }
}
