//! Storing the attributes of an entity, and leaving the others as they are.

use super::item::Mode;
use super::put::{StoreRequest, stored};
use super::returns::{New, Old, Returns};
use super::{Encodable, Writable};
use crate::db::Dynamo;
use crate::error::Error;
use crate::expr::IntoCondition;
use crate::op::bounds::{Anywhere, HasFields};
use core::fmt;
use core::marker::PhantomData;

/// Stores all attributes that an entity declares, and leaves other attributes of the item as they
/// are; made by [`Entity::merge`](crate::Entity::merge).
///
/// It is one `UpdateItem` request: it sets every declared attribute and index key, and removes
/// unset ones (`None`, an empty set, the key of a sparse index). A nested struct is replaced as a
/// whole. Entries of a flattened map or of a `#[dynamo(rest)]` field are set; a missing entry stays
/// in the item. If the key is free, the item is created. Versions, times, TTL and unique values
/// work as with [`Put`](crate::write::Put); `created_at` of a stored item stays if the entity has none.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = App)]
/// #[pk("USER#<id>")]
/// struct User {
///     id: String,
///     name: String,
/// }
///
/// /// The same items, as a newer release has them.
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = App, former)]
/// #[pk("USER#<id>")]
/// struct NewUser {
///     id: String,
///     name: String,
///     language: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let new = NewUser { id: "u1".into(), name: "Ann".into(), language: "en".into() };
/// new.create().send(&db).await?;
///
/// let mut user = User::get("u1").send(&db).await?.unwrap();
/// user.name = "Anna".into();
/// user.merge().send(&db).await?;
///
/// let new = NewUser::get("u1").send(&db).await?.unwrap();
/// assert_eq!((&*new.name, &*new.language), ("Anna", "en"));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `send`"]
pub struct Merge<E, R = ()> {
    pub(super) request: StoreRequest,
    of: PhantomData<fn() -> (E, R)>,
}

impl<E, R> fmt::Debug for Merge<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request.fmt(f)
    }
}

impl<E: Writable<Whole: Encodable>> Merge<E> {
    pub(crate) fn new(entity: &E) -> Self {
        Self::of(StoreRequest::new(entity, Mode::Merge))
    }
}

impl<E, R> Merge<E, R> {
    fn of(request: StoreRequest) -> Self {
        Self {
            request,
            of: PhantomData,
        }
    }

    /// Requires this of the stored item. Several conditions must all be met.
    pub fn condition<C>(mut self, condition: impl FnOnce(E::Fields<Anywhere>) -> C) -> Self
    where
        E: HasFields,
        C: IntoCondition,
    {
        self.request.add_condition::<E, C>(condition);
        self
    }

    /// Stores it only if the item exists.
    pub fn must_exist(mut self) -> Self {
        self.request.must_exist();
        self
    }

    /// Does not compare the version of the stored item; the entity's own is counted up and stored.
    pub fn any_version(mut self) -> Self {
        self.request.any_version();
        self
    }

    /// Makes `send` return the item before the write.
    pub fn return_old(self) -> Merge<E, Old> {
        Merge::of(self.request)
    }

    /// Makes `send` return the stored item.
    pub fn return_new(self) -> Merge<E, New> {
        Merge::of(self.request)
    }
}

impl<E, R: Returns<E>> Merge<E, R> {
    /// Stores it.
    pub fn send(self, db: &Dynamo) -> impl Future<Output = Result<R::Output, Error>> + use<E, R> {
        stored(db, self.request, R::WIRE, R::output)
    }
}
