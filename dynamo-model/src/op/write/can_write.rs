//! What can be written: entities and items enums.

use super::item::EntityItem;
use super::{DeleteRequest, Encodable, Writable};

/// An item that can be written: an entity, or an items enum whose entities all can. `K` says how:
/// [`WithConditions`].
///
/// ```
/// use dynamo_model::bounds::{CanWrite, WithConditions};
/// use dynamo_model::prelude::*;
///
/// /// Stores items that may be of several entities, all or none.
/// async fn store_together<I>(db: &Dynamo, items: &[I]) -> Result<(), Error>
/// where
///     I: Items + CanWrite<WithConditions>,
/// {
///     Transaction::new().add_all(items.iter().map(I::put)).send(db).await
/// }
/// ```
pub trait CanWrite<K> {
    /// For generated code: the item to store.
    #[doc(hidden)]
    fn entity_item(&self) -> EntityItem;

    /// For generated code: the item to delete.
    #[doc(hidden)]
    fn delete_request(&self) -> DeleteRequest;
}

/// Alone or in a transaction: a write can have conditions.
#[derive(Debug)]
pub struct WithConditions;

impl<E: Writable<Whole: Encodable>> CanWrite<WithConditions> for E {
    fn entity_item(&self) -> EntityItem {
        EntityItem::of(self)
    }

    fn delete_request(&self) -> DeleteRequest {
        DeleteRequest::loaded(self)
    }
}
