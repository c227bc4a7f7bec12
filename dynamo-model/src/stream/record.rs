//! One record of a stream, wherever it came from.

use super::change::{Streamed, context};
use super::images::{HasNewImages, HasOldImages};
use super::json::Attributes;
use crate::entity::{Entity, IndexedBy, Table};
use crate::error::{Error, ErrorKind};
use crate::index::Primary;
use crate::key::Key;
use crate::schema::{Stream, TableSchema};
use crate::wire::{self, Item, StoredItem};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// One record of a stream: one write to one item. [`Change::of`](crate::stream::Change::of) reads
/// the change.
///
/// Deserializes from a record of a Lambda event, and with the feature `streams` converts from the
/// SDK's `Record`. `Debug` hides the item, which may be sensitive.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::stream::{EventName, StreamRecord};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", stream = new_and_old_images)]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let record: StreamRecord = serde_json::from_str(
///     r#"{
///         "eventID": "c4ca4238a0b923820dcc509a6f75849b",
///         "eventName": "INSERT",
///         "dynamodb": {
///             "Keys": { "PK": { "S": "USER#u1" } },
///             "SequenceNumber": "111",
///             "ApproximateCreationDateTime": 1428537600,
///             "StreamViewType": "KEYS_ONLY"
///         },
///         "eventSourceARN": "arn:aws:dynamodb:us-east-1:123456789012:table/App/stream/2015-06-27T00:48:05.899"
///     }"#,
/// )?;
/// assert_eq!(record.event_name, EventName::Insert);
/// assert_eq!(record.table_name.as_deref(), Some("App"));
///
/// // Every record has the key, with any view type.
/// let key = record.key_of::<User>().expect("a user's key");
/// assert_eq!(key.parse()?.user_id, "u1");
///
/// // An image is not: this stream was deployed as KEYS_ONLY.
/// let error = record.new_image::<User, _>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "stream User USER#u1: the record has no new image, because the stream of table `App` is KEYS_ONLY; \
///      declare `#[table(stream = new_and_old_images)]`, or use only the key",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct StreamRecord {
    /// The same for every delivery of this record: store it to handle a record only once.
    pub event_id: String,
    /// The kind of the write.
    pub event_name: EventName,
    /// Its place among the records of its shard.
    pub sequence_number: String,
    /// When it was written, about.
    pub created_at: Option<SystemTime>,
    /// The deployed name of the table, if the record has it.
    pub table_name: Option<String>,
    /// The view type of the stream, if the record has it.
    pub view: Option<Stream>,
    /// Whether the item was deleted because it had expired.
    pub by_ttl: bool,
    pub(super) keys: Item,
    pub(super) new: Option<Item>,
    pub(super) old: Option<Item>,
}

/// The kind of the write of a record.
///
/// ```
/// use dynamo_model::stream::EventName;
///
/// assert_eq!(serde_json::from_str::<EventName>("\"REMOVE\"")?, EventName::Remove);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum EventName {
    /// The item was not there before.
    Insert,
    /// The item was there, and something in it changed.
    Modify,
    /// The item was deleted.
    Remove,
}

impl StreamRecord {
    /// Returns the key of the item, if it belongs to entity `E`; also where the stream has only
    /// keys.
    #[must_use]
    pub fn key_of<E: Entity + IndexedBy<Primary>>(&self) -> Option<Key<E>> {
        wire::has_key_of::<E>(&self.keys)
            .then(|| wire::stored_key(&self.keys))
            .flatten()
    }

    /// Returns the item after the write, as an entity or items enum; `None` if it was deleted, or
    /// is of another entity.
    pub fn new_image<T, M>(&self) -> Result<Option<T>, Error>
    where
        T: Streamed<M>,
        T::Table: HasNewImages,
    {
        match (&self.new, self.event_name) {
            (_, EventName::Remove) => Ok(None),
            (Some(image), _) => self.read(image),
            (None, _) => Err(self.no_image::<T, M>("new")),
        }
    }

    /// Returns the item before the write, as an entity or items enum; `None` if it is new, or was
    /// of another entity.
    pub fn old_image<T, M>(&self) -> Result<Option<T>, Error>
    where
        T: Streamed<M>,
        T::Table: HasOldImages,
    {
        match (&self.old, self.event_name) {
            (_, EventName::Insert) => Ok(None),
            (Some(image), _) => self.read(image),
            (None, _) => Err(self.no_image::<T, M>("old")),
        }
    }

    fn read<T: Streamed<M>, M>(&self, image: &Item) -> Result<Option<T>, Error> {
        if !self.may_be_of(T::table()) {
            let declared = T::table().name;
            let kind = ErrorKind::OtherTable { declared };
            return Err(Error::new(context::<T, M>(self), kind, None));
        }
        T::read(StoredItem::new(&context::<T, M>(self), image.clone()))
    }

    #[cold]
    fn no_image<T: Streamed<M>, M>(&self, image: &'static str) -> Error {
        let view = self.view.or(T::table().stream).map(Stream::as_str);
        let kind = ErrorKind::NoImage { image, view };
        Error::new(context::<T, M>(self), kind, None)
    }

    /// Returns whether its table can be the declared one: it has that table's key attributes, and
    /// the declared name within its name, as prefixes and suffixes of a deployment leave it.
    fn may_be_of(&self, table: &TableSchema) -> bool {
        let named = self.table_name.as_deref();
        let has_key = self.keys.contains_key(table.pk.name)
            && table.sk.is_none_or(|sk| self.keys.contains_key(sk.name));
        has_key && named.is_none_or(|name| name.contains(table.name))
    }

    /// Returns whether it is a record of this table, under its deployed name.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoTable};
    /// # use dynamo_model::stream::StreamRecord;
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// // A function that gets the streams of several tables.
    /// fn is_of_app(db: &Dynamo, record: &StreamRecord) -> bool {
    ///     record.is_of_table::<App>(db)
    /// }
    /// ```
    #[must_use]
    pub fn is_of_table<T: Table>(&self, db: &crate::Dynamo) -> bool {
        self.table_name.as_deref() == Some(&db.table_name(&T::SCHEMA))
    }
}

impl fmt::Debug for StreamRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamRecord")
            .field("event_id", &self.event_id)
            .field("event_name", &self.event_name)
            .field("sequence_number", &self.sequence_number)
            .field("created_at", &self.created_at)
            .field("table_name", &self.table_name)
            .field("view", &self.view)
            .field("by_ttl", &self.by_ttl)
            .finish_non_exhaustive()
    }
}

/// A record as Lambda has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Json {
    #[serde(rename = "eventID", default)]
    event_id: String,
    event_name: EventName,
    dynamodb: JsonBody,
    #[serde(rename = "eventSourceARN", default)]
    event_source_arn: Option<String>,
    #[serde(default)]
    user_identity: Option<JsonIdentity>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct JsonBody {
    keys: Attributes,
    #[serde(default)]
    new_image: Option<Attributes>,
    #[serde(default)]
    old_image: Option<Attributes>,
    #[serde(default)]
    sequence_number: String,
    #[serde(default)]
    approximate_creation_date_time: Option<f64>,
    #[serde(default)]
    stream_view_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonIdentity {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    principal_id: Option<String>,
}

impl<'de> Deserialize<'de> for StreamRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Json {
            event_id,
            event_name,
            dynamodb,
            event_source_arn,
            user_identity,
        } = Json::deserialize(deserializer)?;
        let identity = user_identity.as_ref();
        Ok(Self {
            event_id,
            event_name,
            sequence_number: dynamodb.sequence_number,
            created_at: dynamodb.approximate_creation_date_time.and_then(since_1970),
            table_name: event_source_arn.as_deref().and_then(table_of_arn),
            view: dynamodb.stream_view_type.as_deref().and_then(view),
            by_ttl: identity
                .is_some_and(|it| is_ttl(it.kind.as_deref(), it.principal_id.as_deref())),
            keys: dynamodb.keys.into(),
            new: dynamodb.new_image.map(Item::from),
            old: dynamodb.old_image.map(Item::from),
        })
    }
}

fn since_1970(seconds: f64) -> Option<SystemTime> {
    let since = Duration::try_from_secs_f64(seconds).ok()?;
    UNIX_EPOCH.checked_add(since)
}

/// Returns the table of a stream's ARN:
/// `arn:aws:dynamodb:us-east-1:123456789012:table/App/stream/2015-06-27T00:48:05.899` is of `App`.
pub(super) fn table_of_arn(arn: &str) -> Option<String> {
    let (_, resource) = arn.split_once(":table/")?;
    resource.split('/').next().map(str::to_owned)
}

pub(super) fn view(name: &str) -> Option<Stream> {
    let all = [
        Stream::KeysOnly,
        Stream::NewImage,
        Stream::OldImage,
        Stream::NewAndOldImages,
    ];
    all.into_iter().find(|view| view.as_str() == name)
}

/// Returns whether DynamoDB's own TTL process deleted the item.
pub(super) fn is_ttl(kind: Option<&str>, principal: Option<&str>) -> bool {
    (kind, principal) == (Some("Service"), Some("dynamodb.amazonaws.com"))
}
