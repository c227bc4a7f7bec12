//! Changes of entities, read from stream records.

use super::images::HasBothImages;
use super::record::{EventName, StreamRecord};
use crate::entity::{IndexedBy, Items, Table};
use crate::error::{Error, ErrorContext};
use crate::index::Primary;
use crate::schema::{EntitySchema, TableSchema};
use crate::wire::{self, Attributes, Decodable, RawItem, ReadItems, Serde, StoredItem};
use std::borrow::Cow;

/// A change of an item, with the item before and after: as the items enum of its table, or as one
/// entity.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::stream::{Change, StreamEvent};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Bookings", pk = "PK", stream = new_and_old_images)]
/// struct Bookings;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = Bookings)]
/// #[pk("BOOKING#<id>")]
/// struct Booking {
///     id: String,
///     status: String,
/// }
///
/// # let json = r#"{ "Records": [{
/// #     "eventID": "1", "eventName": "MODIFY",
/// #     "dynamodb": {
/// #         "Keys": { "PK": { "S": "BOOKING#b1" } },
/// #         "OldImage": { "PK": { "S": "BOOKING#b1" }, "id": { "S": "b1" }, "status": { "S": "pending" } },
/// #         "NewImage": { "PK": { "S": "BOOKING#b1" }, "id": { "S": "b1" }, "status": { "S": "confirmed" } },
/// #         "SequenceNumber": "111", "StreamViewType": "NEW_AND_OLD_IMAGES"
/// #     }
/// # }] }"#;
/// let event: StreamEvent = serde_json::from_str(json)?;
/// for record in &event.records {
///     match Change::<Booking>::of(record)? {
///         Some(Change::Modified { old, new }) if old.status != new.status => {
///             println!("{} is {} now", new.id, new.status);
/// #           assert_eq!(new.status, "confirmed");
///         }
///         // Deleted by DynamoDB itself, because its time was over.
///         Some(Change::Expired(booking)) => println!("{} has expired", booking.id),
///         _ => {}
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<T> {
    /// It is new.
    Inserted(T),
    /// It was there before.
    Modified {
        /// As it was.
        old: T,
        /// As it is now.
        new: T,
    },
    /// A client deleted it.
    Removed(T),
    /// DynamoDB deleted it because its TTL was over. In the other regions of a global table such a
    /// deletion arrives as [`Change::Removed`], because DynamoDB does not replicate the reason.
    Expired(T),
}

impl<T> Change<T> {
    /// Reads a record. `None` where it is about something else:
    ///
    /// - an item of the library's own: of a unique constraint, or of a migration;
    /// - for one entity, an item of another one;
    /// - an item with equal images. DynamoDB writes no record then; other engines do.
    ///
    /// For an items enum, an item of another entity is an error
    /// ([`Error::is_other_entity`](crate::Error::is_other_entity)), because the enum declares the
    /// contents of the table. A record without the image that the change needs is an error too; see
    /// [`StreamRecord::new_image`] for streams with only one image. So is a record of another table
    /// ([`ErrorKind::OtherTable`](crate::ErrorKind::OtherTable)): it has other key attributes, or a
    /// table name that does not contain the declared one.
    ///
    /// Does not compile for a table whose declared stream lacks one of the images.
    pub fn of<M>(record: &StreamRecord) -> Result<Option<Self>, Error>
    where
        T: Streamed<M>,
        T::Table: HasBothImages,
    {
        if record.event_name == EventName::Modify
            && record.new.is_some()
            && record.new == record.old
        {
            return Ok(None);
        }
        let old = record.old_image::<T, M>()?;
        let new = record.new_image::<T, M>()?;
        Ok(match (old, new) {
            (None, None) => None,
            // For one entity, an item that became another one's is removed, and the other way
            // round.
            (None, Some(new)) => Some(Self::Inserted(new)),
            (Some(old), Some(new)) => Some(Self::Modified { old, new }),
            (Some(old), None) if record.by_ttl => Some(Self::Expired(old)),
            (Some(old), None) => Some(Self::Removed(old)),
        })
    }

    /// Returns the item after the change, if it exists.
    ///
    /// ```
    /// use dynamo_model::stream::Change;
    ///
    /// assert_eq!(Change::Modified { old: 1, new: 2 }.into_new(), Some(2));
    /// assert_eq!(Change::Expired(1).into_new(), None);
    /// ```
    #[must_use]
    pub fn into_new(self) -> Option<T> {
        match self {
            Self::Inserted(new) | Self::Modified { new, .. } => Some(new),
            Self::Removed(_) | Self::Expired(_) => None,
        }
    }

    /// Returns the item before the change, if it existed.
    ///
    /// ```
    /// assert_eq!(dynamo_model::stream::Change::Removed(1).into_old(), Some(1));
    /// ```
    #[must_use]
    pub fn into_old(self) -> Option<T> {
        match self {
            Self::Modified { old, .. } | Self::Removed(old) | Self::Expired(old) => Some(old),
            Self::Inserted(_) => None,
        }
    }

    /// Returns the same change of another value.
    ///
    /// ```
    /// use dynamo_model::stream::Change;
    ///
    /// assert_eq!(Change::Inserted(1).map(|it| it + 1), Change::Inserted(2));
    /// ```
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Change<U> {
        match self {
            Self::Inserted(new) => Change::Inserted(of(new)),
            Self::Modified { old, new } => Change::Modified {
                old: of(old),
                new: of(new),
            },
            Self::Removed(old) => Change::Removed(of(old)),
            Self::Expired(old) => Change::Expired(of(old)),
        }
    }
}

/// A type that a record can be read as: an entity, or an items enum. `M` distinguishes the two; it
/// is always inferred.
///
/// ```
/// use dynamo_model::Error;
/// use dynamo_model::stream::{HasNewImages, StreamRecord, Streamed};
///
/// fn latest<T, M>(record: &StreamRecord) -> Result<Option<T>, Error>
/// where
///     T: Streamed<M, Table: HasNewImages>,
/// {
///     record.new_image()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a stream",
    label = "neither an entity nor an items enum that can be read",
    note = "write `#[derive(DynamoEntity, serde::Deserialize)]` on an entity, or \
     `#[derive(DynamoItems)]` on an enum of them"
)]
pub trait Streamed<M>: Sized {
    /// The table of the stream.
    type Table: Table;
    #[doc(hidden)]
    fn table() -> &'static TableSchema;
    #[doc(hidden)]
    fn name() -> &'static str;
    #[doc(hidden)]
    fn entities() -> Vec<&'static EntitySchema>;
    /// Returns `None` for a record that is ignored.
    #[doc(hidden)]
    fn read(image: StoredItem<'_>) -> Result<Option<Self>, Error>;
}

/// Says that one entity is meant.
#[doc(hidden)]
#[derive(Debug)]
pub struct OneEntity;

/// Says that all entities of a table are meant.
#[doc(hidden)]
#[derive(Debug)]
pub struct AllEntities;

impl<E: IndexedBy<Primary> + Decodable<Serde>> Streamed<OneEntity> for E {
    type Table = E::Table;

    fn table() -> &'static TableSchema {
        const { &<E::Table as Table>::SCHEMA }
    }

    fn name() -> &'static str {
        E::SCHEMA.entity
    }

    fn entities() -> Vec<&'static EntitySchema> {
        vec![const { &E::SCHEMA }]
    }

    fn read(image: StoredItem<'_>) -> Result<Option<Self>, Error> {
        let table = <Self as Streamed<OneEntity>>::table();
        let other = match (table.entity_type, E::SCHEMA.entity_type) {
            (Some(name), Some(_)) => {
                let found = image.item.text(name);
                // The key decides about an item without a type.
                found.is_some_and(|found| !E::SCHEMA.has_type(&found))
            }
            _ => is_of_library(table, &image.item),
        };
        match other {
            true => Ok(None),
            false => E::decode_own(image),
        }
    }
}

impl<T: Items + ReadItems<Serde>> Streamed<AllEntities> for T {
    type Table = T::Table;

    fn table() -> &'static TableSchema {
        const { &<T::Table as Table>::SCHEMA }
    }

    fn name() -> &'static str {
        T::NAME
    }

    fn entities() -> Vec<&'static EntitySchema> {
        T::ENTITIES.to_vec()
    }

    fn read(image: StoredItem<'_>) -> Result<Option<Self>, Error> {
        if is_of_library(<Self as Streamed<AllEntities>>::table(), &image.item) {
            return Ok(None);
        }
        wire::decode_items(image.context, image.item).map(Some)
    }
}

/// Returns whether the item belongs to the library itself.
fn is_of_library(table: &TableSchema, item: &RawItem) -> bool {
    crate::op::is_of_value(table, item) || crate::migrate::is_checkpoint(table, item)
}

/// Returns the place of a record's item, for errors.
pub(super) fn context<T: Streamed<M>, M>(record: &StreamRecord) -> ErrorContext {
    let table = T::table();
    ErrorContext {
        operation: "stream",
        entity: T::name(),
        table: record
            .table_name
            .clone()
            .map_or(Cow::Borrowed(table.name), Cow::Owned),
        key: Some(wire::shown_key(table, &T::entities(), &record.keys).into()),
    }
}
