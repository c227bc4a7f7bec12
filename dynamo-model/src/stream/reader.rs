//! Reading a stream oneself: shard by shard, each after its parent.
//!
//! All changes of an item are in one shard, or in its children once it is closed. So the reader
//! reads a shard only when its parent is at its end, and the changes of an item arrive in their
//! order.

use super::images::HasStream;
use super::record::StreamRecord;
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use aws_sdk_dynamodbstreams::Client;
use aws_sdk_dynamodbstreams::types::{Shard, ShardIteratorType};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, SystemTime};

/// Reads the stream of a table from its oldest record, about a day ago, or from an earlier
/// position; made by [`Dynamo::read_stream`]. For tests, tools and small services: unlike Lambda or
/// the Kinesis library, it has no leases and does not share a stream among several readers.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
/// use dynamo_model::stream::Change;
///
/// #[derive(DynamoTable)]
/// #[table(name = "Users", pk = "PK", stream = new_and_old_images)]
/// struct Users;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug, PartialEq)]
/// #[dynamo(table = Users)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
///     name: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// let db = Dynamo::embedded()?;
/// Users::create_table(&db).await?;
/// User { user_id: "u1".into(), name: "Ann".into() }.create().send(&db).await?;
/// User::delete("u1").send(&db).await?;
///
/// // In AWS: `aws_sdk_dynamodbstreams::Client::new(&config)`.
/// let streams = db.embedded_streams().expect("an embedded engine");
/// let mut reader = db.read_stream::<Users>(&streams);
/// let mut changes = Vec::new();
/// for record in reader.read_available().await? {
///     changes.extend(Change::<User>::of(&record)?);
/// }
/// let ann = || User { user_id: "u1".into(), name: "Ann".into() };
/// assert_eq!(changes, [Change::Inserted(ann()), Change::Removed(ann())]);
///
/// // Later, and in another process: on from there.
/// let position = reader.position();
/// let mut reader = db.read_stream::<Users>(&streams).resume(position);
/// assert!(reader.read_available().await?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct StreamReader {
    db: Dynamo,
    client: Client,
    context: ErrorContext,
    arn: Option<String>,
    shards: Vec<Reading>,
    /// After the records that were returned.
    position: StreamPosition,
    /// After those that were read: the next request begins here.
    ahead: StreamPosition,
    /// Records that were read and not returned yet: a shard failed, or the future was dropped.
    pending: Vec<StreamRecord>,
    only_new: bool,
    /// When a reader of new records began.
    since: Option<SystemTime>,
}

/// The position of a [`StreamReader`]. Serialize it, and store it together with the results of the
/// records.
///
/// ```
/// use dynamo_model::stream::StreamPosition;
///
/// let kept = serde_json::to_string(&StreamPosition::default())?;
/// assert_eq!(serde_json::from_str::<StreamPosition>(&kept)?, StreamPosition::default());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StreamPosition {
    /// By the id of the shard.
    pub shards: BTreeMap<String, ShardPosition>,
}

/// How far a shard was read; see [`StreamPosition`].
///
/// ```
/// use dynamo_model::stream::ShardPosition;
///
/// assert_ne!(ShardPosition::After("111".into()), ShardPosition::End);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ShardPosition {
    /// Not begun.
    Start,
    /// Up to this sequence number.
    After(String),
    /// All of it: it is closed.
    End,
}

/// A shard, and where in it the next records are.
#[derive(Debug)]
struct Reading {
    id: String,
    parent: Option<String>,
    iterator: Option<String>,
    /// The shard existed at the start of an `only_new` reader.
    latest: bool,
    /// Its iterator expired before its first record. Then the shard is read from its beginning, and
    /// older records are skipped.
    expired: bool,
}

/// DynamoDB gives the time of a record in seconds, and approximately.
const CREATION_PRECISION: Duration = Duration::from_secs(2);

impl Dynamo {
    /// Reads the stream of a table; see [`StreamReader`].
    #[must_use]
    pub fn read_stream<T: HasStream>(&self, client: &Client) -> StreamReader {
        StreamReader {
            db: self.clone(),
            client: client.clone(),
            context: ErrorContext {
                operation: "read stream",
                entity: T::SCHEMA.table,
                table: self.deployed_name(&T::SCHEMA),
                key: None,
            },
            arn: None,
            shards: Vec::new(),
            position: StreamPosition::default(),
            ahead: StreamPosition::default(),
            pending: Vec::new(),
            only_new: false,
            since: None,
        }
    }
}

impl StreamReader {
    /// Continues from the position of another reader.
    #[must_use]
    pub fn resume(mut self, position: StreamPosition) -> Self {
        self.ahead = position.clone();
        self.position = position;
        self
    }

    /// Begins with records written after the first [`StreamReader::read`].
    #[must_use]
    pub fn only_new(mut self) -> Self {
        self.only_new = true;
        self
    }

    /// Returns the position after all returned records.
    #[must_use]
    pub fn position(&self) -> StreamPosition {
        self.position.clone()
    }

    /// Returns the next records, with one request for each shard that can be read now. An empty
    /// result does not mean the end, so call it again, at most a few times a second, which is
    /// DynamoDB's limit.
    ///
    /// No record is lost. If a shard fails, the records of the others are returned first, and a
    /// later call returns the error. If the future is dropped, the next call returns the records
    /// that it had read.
    pub async fn read(&mut self) -> Result<Vec<StreamRecord>, Error> {
        let read = self.fetch().await;
        self.hand_out(read)
    }

    /// Returns all available records, until no shard has new ones. Errors and dropped futures lose
    /// no record, as with [`read`](Self::read).
    pub async fn read_available(&mut self) -> Result<Vec<StreamRecord>, Error> {
        loop {
            let (ended, known) = (self.ended(), self.pending.len());
            let read = self.fetch().await;
            // A shard that came to its end lets its children be read.
            let is_over = known == self.pending.len() && ended == self.ended();
            if read.is_err() || is_over {
                return self.hand_out(read);
            }
        }
    }

    /// Reads each shard that can be read, and keeps its records. Each answer is kept before the
    /// next request is sent, so that neither an error nor a dropped future loses any. A shard that
    /// fails does not keep the others waiting.
    async fn fetch(&mut self) -> Result<(), Error> {
        self.discover().await?;
        let mut failed = Ok(());
        for number in 0..self.shards.len() {
            if self.is_readable(number)
                && let Err(error) = self.read_shard(number).await
            {
                failed = failed.and(Err(error));
            }
        }
        failed
    }

    /// Returns the records that were read. An error waits until there are none: the failing shard
    /// is requested again, and fails again.
    fn hand_out(&mut self, read: Result<(), Error>) -> Result<Vec<StreamRecord>, Error> {
        if self.pending.is_empty() {
            read?;
        }
        self.position = self.ahead.clone();
        Ok(std::mem::take(&mut self.pending))
    }

    fn ended(&self) -> usize {
        let shards = self.ahead.shards.values();
        shards.filter(|it| **it == ShardPosition::End).count()
    }

    fn is_readable(&self, number: usize) -> bool {
        let Reading { id, parent, .. } = &self.shards[number];
        let ended = |id: &String| self.ahead.shards.get(id) == Some(&ShardPosition::End);
        // A parent that is not listed any more was deleted, with all of its records.
        let listed = |id: &String| self.shards.iter().any(|shard| shard.id == *id);
        !ended(id) && parent.as_ref().is_none_or(|it| ended(it) || !listed(it))
    }

    /// Finds new shards, and forgets deleted ones.
    async fn discover(&mut self) -> Result<(), Error> {
        let listed = self.list().await?;
        // All records of later shards are new.
        let first = self.only_new && self.since.is_none();
        if first {
            self.since = Some(self.db.now());
        }
        let ids: HashSet<_> = listed.iter().filter_map(Shard::shard_id).collect();
        self.shards.retain(|shard| ids.contains(shard.id.as_str()));
        let ahead = &mut self.ahead.shards;
        ahead.retain(|id, _| ids.contains(id.as_str()));
        for shard in &listed {
            let Some(id) = shard.shard_id() else { continue };
            if self.shards.iter().any(|known| known.id == id) {
                continue;
            }
            let context = self.ahead.shards.entry(id.to_owned());
            context.or_insert(ShardPosition::Start);
            self.shards.push(Reading {
                id: id.to_owned(),
                parent: shard.parent_shard_id().map(str::to_owned),
                iterator: None,
                expired: false,
                latest: first,
            });
        }
        Ok(())
    }

    async fn list(&mut self) -> Result<Vec<Shard>, Error> {
        let arn = self.arn().await?;
        let (mut shards, mut after) = (Vec::new(), None);
        loop {
            let request = self.client.describe_stream().stream_arn(&arn);
            let request = request.set_exclusive_start_shard_id(after).send();
            let output = request.await.map_err(|error| self.failed(error))?;
            let Some(stream) = output.stream_description else {
                return Ok(shards);
            };
            shards.extend(stream.shards.unwrap_or_default());
            after = stream.last_evaluated_shard_id;
            if after.is_none() {
                return Ok(shards);
            }
        }
    }

    async fn arn(&mut self) -> Result<String, Error> {
        if let Some(arn) = &self.arn {
            return Ok(arn.clone());
        }
        let table = self.db.client().describe_table();
        let table = table.table_name(&*self.context.table).send().await;
        let table = table.map_err(|error| Error::sdk(self.context.clone(), error))?;
        let arn = table.table.and_then(|table| table.latest_stream_arn);
        let arn = arn.filter(|arn| !arn.is_empty());
        let arn = arn.ok_or_else(|| Error::new(self.context.clone(), ErrorKind::NoStream, None))?;
        self.arn = Some(arn.clone());
        Ok(arn)
    }

    async fn read_shard(&mut self, number: usize) -> Result<(), Error> {
        let mut fresh = false;
        let output = loop {
            let iterator = match self.shards[number].iterator.clone() {
                Some(iterator) => iterator,
                None => {
                    fresh = true;
                    self.iterator(number).await?
                }
            };
            let request = self.client.get_records().shard_iterator(iterator);
            match request.send().await {
                Ok(output) => break output,
                // It is good for a few minutes only; the position is good for a day.
                Err(error)
                    if !fresh
                        && error
                            .as_service_error()
                            .is_some_and(|it| it.is_expired_iterator_exception()) =>
                {
                    self.shards[number].iterator = None;
                    let shard = &mut self.shards[number];
                    let position = self.ahead.shards.get(&shard.id);
                    let is_unread = position.is_none_or(|it| *it == ShardPosition::Start);
                    shard.expired = shard.latest && is_unread;
                }
                Err(error) => return Err(self.failed(error)),
            }
        };
        let records = output.records.unwrap_or_default().into_iter();
        let records = records.map(|record| {
            let table_name = Some(self.context.table.to_string());
            StreamRecord::try_from(record).map(|record| StreamRecord {
                table_name,
                ..record
            })
        });
        let records: Vec<_> = records.collect::<Result<_, _>>()?;
        self.moved(number, records.last(), output.next_shard_iterator);
        let since = self.since.filter(|_| self.shards[number].expired);
        let is_new = |record: &StreamRecord| {
            let at = record.created_at.zip(since);
            at.is_none_or(|(at, since)| at + CREATION_PRECISION >= since)
        };
        self.pending.extend(records.into_iter().filter(is_new));
        Ok(())
    }

    fn moved(&mut self, number: usize, last: Option<&StreamRecord>, next: Option<String>) {
        let shard = &mut self.shards[number];
        let position = match (last, &next) {
            (_, None) => Some(ShardPosition::End),
            (Some(last), _) => Some(ShardPosition::After(last.sequence_number.clone())),
            (None, _) => None,
        };
        if let Some(position) = position {
            self.ahead.shards.insert(shard.id.clone(), position);
        }
        shard.iterator = next;
    }

    async fn iterator(&mut self, number: usize) -> Result<String, Error> {
        let arn = self.arn().await?;
        let shard = &self.shards[number];
        let request = self.client.get_shard_iterator();
        let request = request.stream_arn(arn).shard_id(&shard.id);
        let request = match self.ahead.shards.get(&shard.id) {
            Some(ShardPosition::After(number)) => request
                .shard_iterator_type(ShardIteratorType::AfterSequenceNumber)
                .sequence_number(number),
            // A second iterator of this kind would skip the records written since the first.
            _ if shard.latest && !shard.expired => {
                request.shard_iterator_type(ShardIteratorType::Latest)
            }
            _ => request.shard_iterator_type(ShardIteratorType::TrimHorizon),
        };
        let output = request.send().await.map_err(|error| self.failed(error))?;
        output.shard_iterator.ok_or_else(|| {
            let code = "GetShardIterator without an iterator".into();
            Error::new(self.context.clone(), ErrorKind::Service { code }, None)
        })
    }

    #[cold]
    fn failed<E, R>(&self, error: aws_sdk_dynamodb::error::SdkError<E, R>) -> Error
    where
        E: aws_sdk_dynamodb::error::ProvideErrorMetadata
            + std::error::Error
            + Send
            + Sync
            + 'static,
        R: std::fmt::Debug + Send + Sync + 'static,
    {
        Error::sdk(self.context.clone(), error)
    }
}

#[cfg(any(feature = "embedded", feature = "endpoint"))]
fn local_config() -> aws_sdk_dynamodbstreams::config::Builder {
    use aws_sdk_dynamodbstreams::config::{BehaviorVersion, Config, Credentials, Region};

    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .credentials_provider(Credentials::new("local", "local", None, None, "local"))
}

#[cfg(feature = "embedded")]
impl Dynamo {
    /// Returns the SDK's client for the streams of the embedded engine; `None` if this handle has
    /// another engine.
    #[must_use]
    pub fn embedded_streams(&self) -> Option<Client> {
        let config = local_config()
            .endpoint_url("http://embedded.invalid")
            .http_client(self.engine()?.clone());
        Some(Client::from_conf(config.build()))
    }
}

#[cfg(feature = "endpoint")]
impl Dynamo {
    /// Returns the SDK's client for the streams of an engine behind plain HTTP; see
    /// [`Dynamo::endpoint`].
    ///
    /// ```no_run
    /// let streams = dynamo_model::Dynamo::endpoint_streams("http://localhost:8000");
    /// ```
    #[must_use]
    pub fn endpoint_streams(url: impl Into<String>) -> Client {
        let http = aws_smithy_http_client::Builder::new().build_http();
        let config = local_config().endpoint_url(url).http_client(http);
        Client::from_conf(config.build())
    }
}
