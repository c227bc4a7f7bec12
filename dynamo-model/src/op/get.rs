//! Reading one item by its key.

use super::paging::Expiry;
use super::reading::ReadingOne;
use super::{paging, query, trace};
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, KeyError, Place};
use crate::key::Key;
use crate::wire::{self, Decodable, Serde, Stored, call};
use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use tracing::Instrument;

/// Reads one item; made by the `get` that `#[derive(DynamoEntity)]` generates.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
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
/// let user: Option<User> = User::get("u1").consistent().send(&db).await?;
/// assert!(user.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is read until `send`"]
pub struct Get<E: Entity> {
    key: Result<Key<E>, KeyError>,
    consistent: bool,
    unexpired: bool,
}

impl<E: Entity> Get<E> {
    /// For generated code.
    #[doc(hidden)]
    pub fn new(key: Result<Key<E>, KeyError>) -> Self {
        Self {
            key,
            consistent: false,
            unexpired: false,
        }
    }

    /// Sees every write that was acknowledged before; costs twice as much.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// An item that has expired and is not deleted yet is not there.
    pub fn unexpired(mut self) -> Self {
        self.unexpired = true;
        self
    }
}

impl<E: Entity> Get<E> {
    /// Reads it; `None` where there is no such item.
    pub fn send(self, db: &Dynamo) -> ReadingOne<E>
    where
        E: Decodable<Serde>,
    {
        let request = self.key.map(|key| {
            let place = Place::of::<E>(db, "get", Some(&key));
            let request = db
                .client()
                .get_item()
                .table_name(&place.table)
                .set_key(Some(wire::key_item(key)))
                .consistent_read(self.consistent)
                .return_consumed_capacity(ReturnConsumedCapacity::Total);
            (place, request)
        });
        let expiry = paging::expiry(db, &<E::Table as Table>::SCHEMA, self.unexpired);
        ReadingOne::new(send(db.clone(), request, expiry), query::decode)
    }
}

async fn send(
    db: Dynamo,
    request: Result<(Place, GetItemFluentBuilder), KeyError>,
    expiry: Option<Expiry>,
) -> Result<Option<(Place, Stored)>, Error> {
    let (place, request) = request.map_err(|error| Error::key("get", error))?;
    let span = trace::request(&place, None);
    let reply = call::send(&db, None, request.send())
        .instrument(span.clone())
        .await
        .map_err(|error| Error::sdk(place.clone(), error))?;
    let found = usize::from(reply.item.is_some());
    trace::answered(&span, found, found, reply.consumed_capacity);
    let item = reply.item;
    let item = item.filter(|item| expiry.is_none_or(|expiry| !expiry.is_over(item)));
    Ok(item.map(|item| (place, item)))
}
