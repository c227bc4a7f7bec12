//! Storing the attributes of an entity, and leaving the others as they are.

use super::item::Mode;
use super::put::Put;
use super::returns::{New, Old, Returns};
use super::{Encodable, Writable};
use crate::IntoCondition;
use crate::db::Dynamo;
use crate::error::Error;
use crate::op::bounds::{Anywhere, HasFields};

/// Stores all attributes that an entity declares, and leaves other attributes of the item as they are; made by
/// [`Dynamo::merge`].
///
/// It is one `UpdateItem` request: every declared attribute and index key is set, and those that are unset (`None`,
/// an empty set, the key of a sparse index) are removed. A nested struct is replaced as a whole. Entries of a
/// flattened map or of a `#[dynamo(rest)]` field are set; an entry that is missing there stays in the item. If the key is
/// free, the item is created. Versions, times, TTL and unique values work as with [`Put`]; `created_at` of a stored item
/// stays where the entity does not know it.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
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
/// # App::create(&db).await?;
/// let new = NewUser { id: "u1".into(), name: "Ann".into(), language: "en".into() };
/// db.create(&new).send().await?;
///
/// let mut user = User::get("u1").send(&db).await?.unwrap();
/// user.name = "Anna".into();
/// db.merge(&user).send().await?;
///
/// let new = NewUser::get("u1").send(&db).await?.unwrap();
/// assert_eq!((&*new.name, &*new.language), ("Anna", "en"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is written until `send`"]
pub struct Merge<'e, E, R = ()> {
    put: Put<'e, E, R>,
}

impl Dynamo {
    /// Stores all attributes that an entity declares, and leaves other attributes of the item as they are; see
    /// [`Merge`]. [`put`](Dynamo::put) replaces the whole item.
    pub fn merge<'e, E: Writable<Whole: Encodable>>(&self, entity: &'e E) -> Merge<'e, E> {
        Merge {
            put: Put::new(self, entity, Mode::Merge),
        }
    }
}

impl<'e, E, R> Merge<'e, E, R> {
    /// Stores it only if the stored item meets this. Several conditions must all be met.
    pub fn condition<C>(self, condition: impl FnOnce(E::Fields<Anywhere>) -> C) -> Self
    where
        E: HasFields,
        C: IntoCondition,
    {
        Self {
            put: self.put.condition(condition),
        }
    }

    /// Stores it only if the item exists.
    pub fn must_exist(self) -> Self {
        Self {
            put: self.put.must_exist(),
        }
    }

    /// Does not compare the version of the stored item; the entity's own is counted up and stored.
    pub fn any_version(self) -> Self {
        Self {
            put: self.put.any_version(),
        }
    }

    /// `send` then returns the item as it was before.
    pub fn return_old(self) -> Merge<'e, E, Old> {
        Merge {
            put: self.put.return_old(),
        }
    }

    /// `send` then returns the item as it is stored.
    pub fn return_new(self) -> Merge<'e, E, New> {
        Merge {
            put: self.put.return_new(),
        }
    }
}

impl<E, R: Returns<E>> Merge<'_, E, R> {
    /// Stores it.
    pub fn send(self) -> impl Future<Output = Result<R::Output, Error>> {
        self.put.send()
    }
}
