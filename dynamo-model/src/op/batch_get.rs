//! Reading any number of items by their keys.

use super::backoff;
use super::keys::{DistinctKeys, IntoKey};
use super::trace;
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorKind, KeyError, Place};
use crate::key::Key;
use crate::wire::{self, Item, Readable};
use aws_sdk_dynamodb::types::KeysAndAttributes;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use core::fmt;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::de::DeserializeOwned;
use tracing::Instrument;

/// DynamoDB takes at most this many keys in one request.
const MAX_KEYS: usize = 100;
const CONCURRENCY: usize = 4;
const OPERATION: &str = "batch get";

/// Reads many items of one entity by their keys; made by [`Dynamo::batch_get`].
///
/// However many keys there are, they go out 100 a request, a few requests at a time. What DynamoDB leaves
/// unread is asked for again after a growing, jittered wait; what is still unread after eight attempts
/// makes the whole read fail with [`ErrorKind::Unprocessed`], and the error's source lists those keys.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// # use aws_sdk_dynamodb::types::AttributeValue;
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
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Dynamo::embedded()?;
/// # App::create(&db).await?;
/// # db.client().put_item().table_name("App")
/// #     .item("PK", AttributeValue::S("USER#u2".into()))
/// #     .item("user_id", AttributeValue::S("u2".into()))
/// #     .send().await?;
/// // Of these, only u2 is there.
/// let ids = ["u1", "u2", "u3", "u2"];
/// let users = db.batch_get(ids.map(User::key)).consistent().send().await?;
/// let found: Vec<bool> = users.iter().map(Option::is_some).collect();
/// assert_eq!(found, [false, true, false, true]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is read until `send`"]
pub struct BatchGet<E: Entity> {
    db: Dynamo,
    keys: Result<DistinctKeys<E>, KeyError>,
    consistent: bool,
    concurrency: usize,
}

impl Dynamo {
    /// Reads any number of items of one entity by their keys; see [`BatchGet`].
    pub fn batch_get<K: IntoKey>(&self, keys: impl IntoIterator<Item = K>) -> BatchGet<K::Entity> {
        BatchGet {
            db: self.clone(),
            keys: DistinctKeys::new(keys),
            consistent: false,
            concurrency: CONCURRENCY,
        }
    }
}

impl<E: Entity> BatchGet<E> {
    /// Sees every write that was acknowledged before; costs twice as much.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// At most this many requests are under way at a time: 4, unless said.
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.concurrency = requests.max(1);
        self
    }
}

impl<E: Readable + DeserializeOwned> BatchGet<E> {
    /// Reads them: an item, or `None`, for each key, in the order of the keys.
    pub async fn send(self) -> Result<Vec<Option<E>>, Error> {
        let keys = self.keys.map_err(|error| Error::key(OPERATION, error))?;
        let request = Request {
            place: Place {
                operation: OPERATION,
                entity: E::SCHEMA.entity,
                table: self.db.table_name(&<E::Table as Table>::SCHEMA),
                key: None,
            },
            db: self.db,
            consistent: self.consistent,
        };
        let mut found = vec![None; keys.keys().len()];
        let mut unread = Vec::new();
        let chunks = keys.keys().chunks(MAX_KEYS).map(wire_keys::<E>);
        let mut chunks = stream::iter(chunks)
            .map(|chunk| request.clone().read(chunk))
            .buffer_unordered(self.concurrency);
        while let Some(chunk) = chunks.try_next().await? {
            for item in chunk.items {
                if let Some(at) = keys.position(&item) {
                    found[at] = Some(item);
                }
            }
            unread.extend(chunk.unread);
        }
        drop(chunks);
        if !unread.is_empty() {
            return Err(unprocessed::<E>(request.place, &unread));
        }
        keys.hand_out(found, |item| wire::decode(&request.place, item))
    }
}

fn wire_keys<E: Entity>(keys: &[Key<E>]) -> Vec<Item> {
    keys.iter().cloned().map(wire::key_item).collect()
}

/// What is the same for every request.
#[derive(Debug, Clone)]
struct Request {
    db: Dynamo,
    place: Place,
    consistent: bool,
}

/// What one chunk of keys came to.
struct Chunk {
    items: Vec<Item>,
    /// Keys that DynamoDB did not get to.
    unread: Vec<Item>,
}

impl Request {
    /// Reads one chunk, asking again for what is left unread.
    async fn read(self, keys: Vec<Item>) -> Result<Chunk, Error> {
        let mut chunk = self.send(keys).await?;
        for attempts in 1..backoff::ATTEMPTS {
            if chunk.unread.is_empty() {
                break;
            }
            backoff::wait(attempts).await;
            let more = self.send(chunk.unread).await?;
            chunk.items.extend(more.items);
            chunk.unread = more.unread;
        }
        Ok(chunk)
    }

    async fn send(&self, keys: Vec<Item>) -> Result<Chunk, Error> {
        let keys = KeysAndAttributes::builder()
            .set_keys(Some(keys))
            .consistent_read(self.consistent)
            .build()
            .map_err(|error| self.unbuilt(error))?;
        let table = &self.place.table;
        let request = self.db.client().batch_get_item().request_items(table, keys);
        let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let span = trace::request(&self.place, None);
        let response = request.send().instrument(span.clone()).await;
        let output = response.map_err(|error| Error::sdk(self.place.clone(), error))?;
        let read = output
            .responses
            .iter()
            .flatten()
            .map(|(_, items)| items.len())
            .sum();
        trace::answered(&span, read, read, trace::sum(output.consumed_capacity()));
        let items = output.responses.into_iter().flatten();
        let unread = output.unprocessed_keys.into_iter().flatten();
        Ok(Chunk {
            items: items.flat_map(|(_, items)| items).collect(),
            unread: unread.flat_map(|(_, keys)| keys.keys).collect(),
        })
    }

    #[cold]
    fn unbuilt(&self, error: aws_sdk_dynamodb::error::BuildError) -> Error {
        let kind = ErrorKind::Encode {
            attribute: "keys".into(),
        };
        Error::new(self.place.clone(), kind, Some(Box::new(error)))
    }
}

#[cold]
fn unprocessed<E: Entity>(place: Place, unread: &[Item]) -> Error {
    let kind = ErrorKind::Unprocessed { keys: unread.len() };
    let keys = unread
        .iter()
        .map(|key| wire::shown_key(&<E::Table as Table>::SCHEMA, &[&E::SCHEMA], key))
        .collect();
    Error::new(place, kind, Some(Box::new(UnreadKeys(keys))))
}

/// The keys that remained, for the error's source.
#[derive(Debug)]
struct UnreadKeys(Vec<String>);

impl fmt::Display for UnreadKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unread: {}", self.0.join(", "))
    }
}

impl std::error::Error for UnreadKeys {}
