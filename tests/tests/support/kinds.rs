//! A read of every kind, of items identified by a number; each can be dropped and continued.

#![allow(dead_code)]

use super::support::Outcome;
use dynamo_model::read::{ItemStream, Reading};
use dynamo_model::{
    BatchWrite, Dynamo, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Error, Page,
    Table,
};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

#[derive(DynamoTable)]
#[table(name = "Kinds", pk = "PK", sk = "SK", entity_type = "type", items = KindItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct Kinds;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Kinds, entity_type = "LOG")]
#[pk("LOG#<log>")]
#[sk("LOG#<number:04>")]
#[gsi1(pk = "KIND#<kind>", sk = "<number:04>", as = by_kind)]
pub struct Log {
    pub log: String,
    pub number: u32,
    pub kind: String,
    pub even: bool,
}

/// In the partition of the logs.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Kinds, entity_type = "MARK")]
#[pk("LOG#<log>")]
#[sk("MARK#<number:04>")]
pub struct Mark {
    pub log: String,
    pub number: u32,
}

/// A partition a day, in three shards.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Kinds, entity_type = "VISIT")]
#[pk("DAY#<at:%Y-%m-%d>#<number:shard(3)>")]
#[sk("<at:s>#<number>")]
pub struct Visit {
    pub number: u32,
    pub at: jiff::Timestamp,
}

#[derive(DynamoItems)]
#[items(table = Kinds)]
pub enum KindItem {
    Log(Log),
    Mark(Mark),
    Visit(Visit),
}

#[derive(DynamoProjection, Deserialize, Debug)]
#[projection(of = Log)]
pub struct Number {
    pub number: u32,
}

pub trait Numbered {
    fn number(&self) -> u32;
}

macro_rules! numbered {
    ($($name:ident)*) => {$(
        impl Numbered for $name {
            fn number(&self) -> u32 {
                self.number
            }
        }
    )*};
}

numbered!(Log Mark Visit Number);

impl Numbered for KindItem {
    fn number(&self) -> u32 {
        match self {
            Self::Log(log) => log.number,
            Self::Mark(mark) => 100 + mark.number,
            Self::Visit(visit) => 200 + visit.number,
        }
    }
}

pub fn log(number: u32) -> Log {
    Log {
        log: "1".into(),
        number,
        kind: "debug".into(),
        even: number.is_multiple_of(2),
    }
}

/// Four days with six visits each.
pub fn from() -> jiff::Timestamp {
    "2025-06-01T00:00:00Z".parse().unwrap()
}

fn hours(hours: u32) -> jiff::Timestamp {
    from() + jiff::SignedDuration::from_hours(i64::from(hours))
}

pub async fn fill(db: &Dynamo) -> Outcome {
    Kinds::create_table(db).await?;
    let batch = BatchWrite::new();
    let batch = batch.puts(&(0..24).map(log).collect::<Vec<_>>());
    let marks = (0..6).map(|number| Mark {
        log: "1".into(),
        number,
    });
    let batch = batch.puts(&marks.collect::<Vec<_>>());
    let visits = (0..24).map(|number| Visit {
        number,
        at: hours(4 * number),
    });
    batch.puts(&visits.collect::<Vec<_>>()).send(db).await?;
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Query,
    Newest,
    Filtered,
    Index,
    Across,
    AcrossNewest,
    Collection,
    Projection,
    Scan,
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Query,
        Self::Newest,
        Self::Filtered,
        Self::Index,
        Self::Across,
        Self::AcrossNewest,
        Self::Collection,
        Self::Projection,
        Self::Scan,
    ];

    /// Returns how many requests are sent at once.
    pub fn round(self) -> usize {
        match self {
            Self::Across | Self::AcrossNewest => 3,
            _ => 1,
        }
    }

    /// Returns the expected numbers, in order.
    pub fn expected(self) -> Vec<u32> {
        let all = 0..24;
        match self {
            Self::Newest | Self::AcrossNewest => all.rev().collect(),
            Self::Filtered => all.filter(|it| it.is_multiple_of(2)).collect(),
            Self::Collection => all.chain(100..106).collect(),
            _ => all.collect(),
        }
    }
}

/// The method of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMethod {
    Stream,
    All,
    /// A page of four.
    Page,
}

impl ReadMethod {
    pub const ALL: [Self; 3] = [Self::Stream, Self::All, Self::Page];
}

/// The number of waits after which a read is dropped.
#[derive(Debug, Clone, Copy)]
pub struct Patience(pub Option<usize>);

impl Patience {
    /// Returns `None` if the read was dropped.
    async fn wait<F: Future>(&mut self, future: F) -> Option<F::Output> {
        let mut future = pin!(future);
        poll_fn(|cx| match (future.as_mut().poll(cx), &mut self.0) {
            (Poll::Ready(ready), _) => Poll::Ready(Some(ready)),
            (Poll::Pending, None) => Poll::Pending,
            (Poll::Pending, Some(0)) => Poll::Ready(None),
            (Poll::Pending, Some(left)) => {
                *left -= 1;
                Poll::Pending
            }
        })
        .await
    }
}

/// The result of a read.
#[derive(Debug, Default)]
pub struct Found {
    pub numbers: Vec<u32>,
    pub cursor: Option<String>,
    pub given_up: bool,
    pub error: Option<Error>,
}

impl Found {
    fn of<T: Numbered>(page: Page<T>, ended: Option<Result<(), Error>>) -> Self {
        Self {
            numbers: page.items.iter().map(Numbered::number).collect(),
            cursor: page.next,
            given_up: ended.is_none(),
            error: ended.and_then(Result::err),
        }
    }
}

async fn stream<T: Numbered>(mut stream: ItemStream<T>, mut patience: Patience) -> Found {
    let mut found = Found::default();
    loop {
        match patience.wait(stream.next()).await {
            Some(Some(Ok(item))) => found.numbers.push(item.number()),
            Some(None) => break,
            Some(Some(Err(error))) => {
                assert_eq!(error.cursor(), stream.cursor().as_deref());
                found.error = Some(error);
                break;
            }
            None => {
                found.given_up = true;
                break;
            }
        }
    }
    found.cursor = stream.cursor();
    found
}

async fn all<T: Numbered>(mut reading: Reading<T, Vec<T>>, mut patience: Patience) -> Found {
    match patience.wait(&mut reading).await {
        Some(Ok(items)) => Found {
            numbers: items.iter().map(Numbered::number).collect(),
            ..Found::default()
        },
        ended => Found::of(reading.into_page(), ended.map(|it| it.map(drop))),
    }
}

async fn page<T: Numbered>(mut reading: Reading<T, Page<T>>, mut patience: Patience) -> Found {
    match patience.wait(&mut reading).await {
        Some(Ok(page)) => Found::of(page, Some(Ok(()))),
        ended => Found::of(reading.into_page(), ended.map(|it| it.map(drop))),
    }
}

/// Bounds, and where to begin.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    pub after: Option<String>,
    pub max_requests: Option<u32>,
    pub max_items_read: Option<usize>,
}

impl Bounds {
    pub fn after(after: Option<String>) -> Self {
        Self {
            after,
            ..Self::default()
        }
    }
}

/// Reads in one way, until the end or until the patience is.
pub async fn read(
    db: &Dynamo,
    kind: Kind,
    way: ReadMethod,
    from: &Bounds,
    patience: Patience,
) -> Found {
    macro_rules! read {
        ($read:expr) => {{
            let mut read = $read.page_size(5);
            if let Some(cursor) = &from.after {
                read = read.after(cursor);
            }
            if let Some(requests) = from.max_requests {
                read = read.max_requests(requests);
            }
            if let Some(items) = from.max_items_read {
                read = read.max_items_read(items);
            }
            match way {
                ReadMethod::Stream => stream(read.stream(db), patience).await,
                ReadMethod::All => all(read.all(db), patience).await,
                ReadMethod::Page => page(read.limit(4).page(db), patience).await,
            }
        }};
    }
    let days = self::from()..hours(96);
    match kind {
        Kind::Query => read!(Log::query("1")),
        Kind::Newest => read!(Log::query("1").descending()),
        Kind::Filtered => read!(Log::query("1").filter(|it| it.even().eq(true))),
        Kind::Index => read!(Log::by_kind("debug")),
        Kind::Across => read!(Visit::across(days)),
        Kind::AcrossNewest => read!(Visit::across(days).descending()),
        Kind::Collection => read!(KindItem::collection(Log::partition_key("1"))),
        Kind::Projection => read!(Log::query("1").project::<Number>()),
        Kind::Scan => read!(Log::scan()),
    }
}
