//! Storing whole items.

use super::failure::{Guard, Presence};
use super::item::{Encoded, Mode, encode};
use super::request::Together;
use super::returns::{New, Old, Returned, Returns, Written};
use super::{Encodable, Writable, transaction, unique};
use crate::db::Dynamo;
use crate::error::{Error, Place};
use crate::op::bounds::{Anywhere, HasFields};
use crate::wire::Stored;
use crate::{Condition, IntoCondition};
use aws_sdk_dynamodb::types::ReturnValue;
use core::marker::PhantomData;

/// Stores an item, over whatever has its key; made by [`Dynamo::put`]. It replaces the whole item; [`Merge`](crate::Merge)
/// leaves attributes that the entity does not declare as they are.
///
/// With `#[dynamo(version)]` it replaces only the version that the entity was read with; anything else is
/// [`ErrorKind::Conflict`](crate::ErrorKind::Conflict), and the error has the current item.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, ErrorKind, Table};
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
/// # App::create(&db).await?;
/// let mut user = User { user_id: "u1".into(), name: "太郎".into(), version: 0 };
/// user = db.put(&user).return_new().send().await?;
/// assert_eq!(user.version, 1);
///
/// user.name = "次郎".into();
/// db.put(&user).send().await?;
/// let error = db.put(&user).send().await.unwrap_err(); // it is version 2 by now
/// assert!(error.is_conflict());
/// assert_eq!(error.item::<User>()?.unwrap().version, 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is written until `send`"]
pub struct Put<'e, E, R = ()> {
    db: Dynamo,
    entity: &'e E,
    encode: Encode<E>,
    condition: Option<Condition>,
    check_version: bool,
    presence: Presence,
    mode: Mode,
    returns: PhantomData<fn() -> R>,
}

/// Stores an item whose key must be free; made by [`Dynamo::create`].
///
/// See [`Put`] for what it has in common, and the example there.
#[derive(Debug)]
#[must_use = "nothing is written until `send`"]
pub struct Create<'e, E, R = ()> {
    db: Dynamo,
    entity: &'e E,
    encode: Encode<E>,
    condition: Option<Condition>,
    returns: PhantomData<fn() -> R>,
}

/// [`encode`], taken where the entity is given: so `send` asks nothing of it, and what is wrong with it is said
/// once.
type Encode<E> = fn(&Dynamo, &'static str, &E, Mode) -> Result<Encoded, Error>;

impl Dynamo {
    /// Stores an item, over whatever has its key; see [`Put`]. It replaces the whole item: attributes that the entity
    /// does not declare are removed. [`merge`](Dynamo::merge) leaves them as they are, a `#[dynamo(rest)]` field
    /// carries them along, and `item.update()` changes only the attributes that it names.
    pub fn put<'e, E: Writable<Whole: Encodable>>(&self, entity: &'e E) -> Put<'e, E> {
        Put::new(self, entity, Mode::Put)
    }

    /// Stores an item whose key must be free; another item there is
    /// [`ErrorKind::AlreadyExists`](crate::ErrorKind::AlreadyExists), and the error has it.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, ErrorKind, Table};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User {
    /// #     user_id: String,
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create(&db).await?;
    /// let user = User { user_id: "u1".into() };
    /// db.create(&user).send().await?;
    /// let error = db.create(&user).send().await.unwrap_err();
    /// assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    /// # Ok(())
    /// # }
    /// ```
    pub fn create<'e, E: Writable<Whole: Encodable>>(&self, entity: &'e E) -> Create<'e, E> {
        Create {
            db: self.clone(),
            entity,
            encode,
            condition: None,
            returns: PhantomData,
        }
    }
}

impl<'e, E: Writable<Whole: Encodable>> Put<'e, E> {
    pub(super) fn new(db: &Dynamo, entity: &'e E, mode: Mode) -> Self {
        Self {
            db: db.clone(),
            entity,
            encode,
            condition: None,
            check_version: true,
            presence: Presence::Any,
            mode,
            returns: PhantomData,
        }
    }
}

impl<'e, E, R> Put<'e, E, R> {
    /// Only if the item that is there meets this. Several conditions must all be met.
    pub fn condition<C>(mut self, condition: impl FnOnce(E::Fields<Anywhere>) -> C) -> Self
    where
        E: HasFields,
        C: IntoCondition,
    {
        let condition = condition(E::fields()).into_condition();
        self.condition = both(self.condition, condition);
        self
    }

    /// Only over an item that is there.
    pub fn must_exist(mut self) -> Self {
        self.presence = Presence::Present;
        self
    }

    /// Whatever the version of the item that is there; the entity's own is counted up and stored.
    pub fn any_version(mut self) -> Self {
        self.check_version = false;
        self
    }

    /// `send` then returns the item that was there before.
    pub fn return_old(self) -> Put<'e, E, Old> {
        self.returning()
    }

    /// `send` then returns the item as it was stored, with its version and times.
    pub fn return_new(self) -> Put<'e, E, New> {
        self.returning()
    }

    fn returning<S>(self) -> Put<'e, E, S> {
        Put {
            db: self.db,
            entity: self.entity,
            encode: self.encode,
            condition: self.condition,
            check_version: self.check_version,
            presence: self.presence,
            mode: self.mode,
            returns: PhantomData,
        }
    }
}

impl<E, R: Returns<E>> Put<'_, E, R> {
    /// Stores it.
    pub fn send(self) -> impl Future<Output = Result<R::Output, Error>> {
        let encoded = (self.encode)(&self.db, self.mode.operation(), self.entity, self.mode);
        let guard = (self.presence, self.check_version);
        let put = encoded.and_then(|encoded| Storing::put(encoded, guard, self.condition));
        stored(self.db, put, R::WIRE, R::output)
    }
}

impl<'e, E, R> Create<'e, E, R> {
    /// `send` then returns the item as it was stored, with its version and times.
    pub fn return_new(self) -> Create<'e, E, New> {
        Create {
            db: self.db,
            entity: self.entity,
            encode: self.encode,
            condition: self.condition,
            returns: PhantomData,
        }
    }
}

impl<E, R: Returns<E>> Create<'_, E, R> {
    /// Stores it.
    pub fn send(self) -> impl Future<Output = Result<R::Output, Error>> {
        let encoded = (self.encode)(&self.db, "create", self.entity, Mode::Create);
        let create = encoded.and_then(|encoded| {
            let writes = created(&self.db, &encoded, self.condition)?;
            Ok(Storing::with(encoded, writes))
        });
        stored(self.db, create, R::WIRE, R::output)
    }
}

/// An item that is ready to be stored: all that its entity had to say is known.
enum Storing {
    Writes {
        place: Place,
        item: Stored,
        writes: Together,
        mode: Mode,
    },
    /// What is there must be read first, for its unique values.
    Replace {
        encoded: Encoded,
        guard: Guard,
        condition: Option<Condition>,
    },
}

impl Storing {
    fn put(
        encoded: Encoded,
        (presence, check_version): (Presence, bool),
        condition: Option<Condition>,
    ) -> Result<Self, Error> {
        let guard = encoded.guard(presence, check_version);
        if !encoded.entity.uniques.is_empty() {
            return Ok(Self::Replace {
                encoded,
                guard,
                condition,
            });
        }
        let put = Together {
            write: encoded.write(guard, condition)?,
            uniques: Vec::new(),
        };
        Ok(Self::with(encoded, put))
    }

    fn with(encoded: Encoded, writes: Together) -> Self {
        Self::Writes {
            place: encoded.place,
            item: encoded.item,
            writes,
            mode: encoded.mode,
        }
    }

    /// Stores it; what is returned of the item. Of a put, DynamoDB returns only what was there before.
    async fn send(&self, db: &Dynamo, returned: Returned) -> Result<Option<Stored>, Error> {
        let is_old = matches!(returned, Returned::AllOld);
        let old = match self {
            Self::Writes { writes, mode, .. } if *mode == Mode::Merge => {
                return writes.write.send(db, returned.into()).await;
            }
            Self::Writes { writes, .. } if writes.uniques.is_empty() => {
                let returns = match is_old {
                    true => ReturnValue::AllOld,
                    false => ReturnValue::None,
                };
                writes.write.send(db, returns).await?
            }
            Self::Writes { place, writes, .. } => {
                let writes = writes.clone().into_writes();
                Box::pin(transaction::send(db, place, writes, None)).await?;
                None
            }
            Self::Replace {
                encoded,
                guard,
                condition,
            } => {
                let replace = unique::Replace {
                    db,
                    encoded,
                    guard: guard.clone(),
                    condition: condition.clone(),
                };
                Box::pin(replace.send()).await?.map(Into::into)
            }
        };
        match (self, returned) {
            (_, Returned::AllOld) => Ok(old),
            // The item also has what was there before, and a transaction returns nothing.
            (Self::Replace { encoded, .. }, Returned::AllNew) if encoded.mode == Mode::Merge => {
                let read = unique::current(db, &encoded.place, encoded.key_item()).await;
                Ok(read.map_err(Error::done)?.map(Into::into))
            }
            _ => Ok(Some(self.item().clone())),
        }
    }

    fn item(&self) -> &Stored {
        match self {
            Self::Writes { item, .. } => item,
            Self::Replace { encoded, .. } => &encoded.item,
        }
    }

    fn place(&self) -> &Place {
        match self {
            Self::Writes { place, .. } => place,
            Self::Replace { encoded, .. } => &encoded.place,
        }
    }
}

/// Stores an item, and gives back what is asked for of it. It knows of the entity only what it returns, so that writes
/// which return nothing are compiled once for all of them.
///
/// No `async fn`, which would keep all it is given twice.
#[allow(clippy::manual_async_fn)]
fn stored<O>(
    db: Dynamo,
    storing: Result<Storing, Error>,
    returned: Returned,
    output: fn(Written<'_>) -> Result<O, Error>,
) -> impl Future<Output = Result<O, Error>> {
    async move {
        match storing {
            Ok(ref storing) => {
                let item = storing.send(&db, returned).await?;
                let place = storing.place();
                output(Written { place, item }).map_err(Error::done)
            }
            Err(error) => Err(error),
        }
    }
}

/// The new item, and the items of its unique constraints.
pub(super) fn created(
    db: &Dynamo,
    encoded: &Encoded,
    condition: Option<Condition>,
) -> Result<Together, Error> {
    Ok(Together {
        write: encoded.put(encoded.guard(Presence::Absent, false), condition)?,
        uniques: unique::claims(db, encoded)?,
    })
}

/// Both must be met.
pub(super) fn both(known: Option<Condition>, more: Condition) -> Option<Condition> {
    Some(match known {
        Some(known) => known & more,
        None => more,
    })
}
