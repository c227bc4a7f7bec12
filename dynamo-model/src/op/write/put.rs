//! Storing whole items: put, create and merge.

use super::item::{EntityItem, Mode};
use super::returns::{New, Old, Returns};
use super::store::{StoreRequest, stored};
use crate::db::Dynamo;
use crate::error::Error;
use crate::expr::IntoCondition;
use crate::op::bounds::{Anywhere, HasFields};
use crate::request::Explain;
use core::fmt;
use core::marker::PhantomData;

/// Stores an item, and replaces the item that has its key; made by
/// [`Entity::put`](crate::Entity::put). It replaces the whole item; [`Merge`](crate::write::Merge) keeps
/// undeclared attributes.
///
/// The item is encoded when `put` is called, so the operation does not borrow the entity.
///
/// With `#[dynamo(version)]` it replaces only the version that the entity was read with; anything
/// else is [`ErrorKind::Conflict`](crate::ErrorKind::Conflict), and the error has the current item.
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
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
///     name: String,
///     #[dynamo(version)]
///     version: u64,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let mut user = User { user_id: "u1".into(), name: "太郎".into(), version: 0 };
/// user = user.put().return_new().send(&db).await?;
/// assert_eq!(user.version, 1);
///
/// user.name = "次郎".into();
/// user.put().send(&db).await?;
/// let error = user.put().send(&db).await.unwrap_err(); // it is version 2 by now
/// assert!(error.is_conflict());
/// assert_eq!(error.item::<User>()?.unwrap().version, 2);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `send`"]
pub struct Put<E, R = ()> {
    pub(super) request: StoreRequest,
    of: PhantomData<fn() -> (E, R)>,
}

/// Stores an item whose key must be free; made by [`Entity::create`](crate::Entity::create).
///
/// See [`Put`] for the common options, and for an example.
#[must_use = "nothing is written until `send`"]
pub struct Create<E, R = ()> {
    pub(super) request: StoreRequest,
    of: PhantomData<fn() -> (E, R)>,
}

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

/// What the three builders have in common.
macro_rules! stores {
    ($($name:ident: $mode:ident;)*) => {$(
        impl<E, R> fmt::Debug for $name<E, R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.request.fmt(f)
            }
        }

        impl<E> $name<E> {
            pub(crate) fn new(item: EntityItem) -> Self {
                Self::of(StoreRequest::new(item, Mode::$mode))
            }
        }

        impl<E, R> $name<E, R> {
            fn of(request: StoreRequest) -> Self {
                Self {
                    request,
                    of: PhantomData,
                }
            }

            /// Makes `send` return the stored item, with its version and times.
            pub fn return_new(self) -> $name<E, New> {
                $name::of(self.request)
            }
        }

        impl<E, R: Returns<E>> $name<E, R> {
            /// Stores it.
            pub fn send(
                self,
                db: &Dynamo,
            ) -> impl Future<Output = Result<R::Output, Error>> + use<E, R> {
                stored(db, self.request, R::WIRE, R::output)
            }

            /// Returns the request, and sends nothing. With unique values, it is a transaction with
            /// their items.
            pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
                self.request.explain(db, R::WIRE)
            }
        }
    )*};
}

stores! {
    Put: Put;
    Create: Create;
    Merge: Merge;
}

/// The options of a write that may replace an item.
macro_rules! replaces {
    ($($name:ident)*) => {$(
        impl<E, R> $name<E, R> {
            /// Requires this of the stored item. Several conditions must all be met.
            pub fn condition<C>(mut self, condition: impl FnOnce(E::Fields<Anywhere>) -> C) -> Self
            where
                E: HasFields,
                C: IntoCondition,
            {
                self.request.add_condition::<E, C>(condition);
                self
            }

            /// Requires an existing item.
            pub fn must_exist(mut self) -> Self {
                self.request.must_exist();
                self
            }

            /// Accepts any stored version; the entity's own is raised and stored.
            pub fn any_version(mut self) -> Self {
                self.request.any_version();
                self
            }

            /// Makes `send` return the item before the write, or `None` if it is new.
            pub fn return_old(self) -> $name<E, Old> {
                $name::of(self.request)
            }
        }
    )*};
}

replaces!(Put Merge);

impl<E, R> Create<E, R> {
    /// Adds a condition. The key is free then, so only a condition that holds without an item can
    /// be met.
    pub fn condition<C>(mut self, condition: impl FnOnce(E::Fields<Anywhere>) -> C) -> Self
    where
        E: HasFields,
        C: IntoCondition,
    {
        self.request.add_condition::<E, C>(condition);
        self
    }
}
