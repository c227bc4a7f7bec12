//! Storing whole items.

use super::failure::{Guard, Presence};
use super::item::{Encoded, EntityItem, Mode};
use super::request::{Together, Write};
use super::returns::{New, Old, Returned, Returns, Written};
use super::{Encodable, Writable, transaction, unique};
use crate::Condition;
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext};
use crate::expr::IntoCondition;
use crate::op::bounds::{Anywhere, HasFields};
use crate::wire::RawItem;
use aws_sdk_dynamodb::types::ReturnValue;
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

/// An item to store, of any entity, and the conditions for it. The handle is not known yet.
pub(super) struct StoreRequest {
    item: EntityItem,
    mode: Mode,
    condition: Option<Condition>,
    check_version: bool,
    presence: Presence,
}

/// Hides the item, which may be sensitive.
impl fmt::Debug for StoreRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.mode.operation())
            .field("entity", &self.item.entity())
            .field("condition", &self.condition)
            .finish_non_exhaustive()
    }
}

impl<E, R> fmt::Debug for Put<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request.fmt(f)
    }
}

impl<E, R> fmt::Debug for Create<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request.fmt(f)
    }
}

impl StoreRequest {
    pub(super) fn new<E: Writable<Whole: Encodable>>(entity: &E, mode: Mode) -> Self {
        Self::of(EntityItem::of(entity), mode)
    }

    fn of(item: EntityItem, mode: Mode) -> Self {
        Self {
            item,
            mode,
            condition: None,
            check_version: mode != Mode::Create,
            presence: match mode {
                Mode::Create => Presence::Absent,
                Mode::Put | Mode::Merge | Mode::Load => Presence::Any,
            },
        }
    }

    /// Adds a condition; several must all be met.
    pub(super) fn add_condition<E: HasFields, C: IntoCondition>(
        &mut self,
        condition: impl FnOnce(E::Fields<Anywhere>) -> C,
    ) {
        let condition = condition(E::fields()).into_condition();
        self.condition = both(self.condition.take(), condition);
    }

    /// Fails if no item has the key.
    pub(super) fn must_exist(&mut self) {
        self.presence = Presence::Present;
    }

    pub(super) fn any_version(&mut self) {
        self.check_version = false;
    }

    /// Encodes the item.
    fn encode(self, db: &Dynamo) -> Result<Replacement, Error> {
        let encoded = self.item.encode(db, self.mode.operation(), self.mode)?;
        let guard = encoded.guard(self.presence, self.check_version);
        Ok(Replacement {
            encoded,
            guard,
            condition: self.condition,
        })
    }

    fn prepare(self, db: &Dynamo) -> Result<Storing, Error> {
        let store = self.encode(db)?;
        if store.reads_first() {
            return Ok(Storing::Replace(store));
        }
        let writes = store.together(db)?;
        let encoded = store.encoded;
        Ok(Storing::Writes {
            context: encoded.context,
            item: encoded.item,
            writes,
            mode: encoded.mode,
        })
    }

    /// Returns the writes, or the item to read first.
    pub(super) fn operation(self, db: &Dynamo) -> Result<Result<Vec<Write>, Replacement>, Error> {
        let store = self.encode(db)?;
        if store.reads_first() {
            return Ok(Err(store));
        }
        Ok(Ok(store.together(db)?.into_writes()))
    }
}

impl<E: Writable<Whole: Encodable>> Put<E> {
    pub(crate) fn new(entity: &E) -> Self {
        Self::of(StoreRequest::new(entity, Mode::Put))
    }
}

impl<E, R> Put<E, R> {
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

    /// `send` then returns the item that was there before.
    pub fn return_old(self) -> Put<E, Old> {
        Put::of(self.request)
    }

    /// Makes `send` return the stored item, with its version and times.
    pub fn return_new(self) -> Put<E, New> {
        Put::of(self.request)
    }
}

impl<E, R: Returns<E>> Put<E, R> {
    /// Stores it.
    pub fn send(self, db: &Dynamo) -> impl Future<Output = Result<R::Output, Error>> + use<E, R> {
        stored(db, self.request, R::WIRE, R::output)
    }
}

impl<E: Writable<Whole: Encodable>> Create<E> {
    pub(crate) fn new(entity: &E) -> Self {
        Self::of(StoreRequest::new(entity, Mode::Create))
    }
}

impl<E, R> Create<E, R> {
    fn of(request: StoreRequest) -> Self {
        Self {
            request,
            of: PhantomData,
        }
    }

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

    /// Makes `send` return the stored item, with its version and times.
    pub fn return_new(self) -> Create<E, New> {
        Create::of(self.request)
    }
}

impl<E, R: Returns<E>> Create<E, R> {
    /// Stores it.
    pub fn send(self, db: &Dynamo) -> impl Future<Output = Result<R::Output, Error>> + use<E, R> {
        stored(db, self.request, R::WIRE, R::output)
    }
}

/// A replacement of a stored item, with its conditions.
pub(super) struct Replacement {
    pub(super) encoded: Encoded,
    pub(super) guard: Guard,
    pub(super) condition: Option<Condition>,
}

impl Replacement {
    /// Whether the stored item must be read first, for its unique values.
    fn reads_first(&self) -> bool {
        !self.encoded.entity.uniques.is_empty() && self.guard.presence != Presence::Absent
    }

    fn together(&self, db: &Dynamo) -> Result<Together, Error> {
        Ok(Together {
            write: self
                .encoded
                .write(self.guard.clone(), self.condition.clone())?,
            uniques: match self.guard.presence {
                Presence::Absent => unique::claims(db, &self.encoded)?,
                Presence::Any | Presence::Present => Vec::new(),
            },
        })
    }

    pub(super) fn replace<'a>(&'a self, db: &'a Dynamo) -> unique::Replace<'a> {
        unique::Replace {
            db,
            encoded: &self.encoded,
            guard: self.guard.clone(),
            condition: self.condition.clone(),
        }
    }
}

/// A prepared item, independent of its entity.
enum Storing {
    Writes {
        context: ErrorContext,
        item: RawItem,
        writes: Together,
        mode: Mode,
    },
    Replace(Replacement),
}

impl Storing {
    /// Stores it; returns the requested item. For a put, DynamoDB returns only the old item.
    async fn send(&self, db: &Dynamo, returned: Returned) -> Result<Option<RawItem>, Error> {
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
            Self::Writes {
                context, writes, ..
            } => {
                let writes = writes.clone().into_writes();
                Box::pin(transaction::send(db, context, writes, None)).await?;
                None
            }
            Self::Replace(store) => Box::pin(store.replace(db).send()).await?.map(Into::into),
        };
        match (self, returned) {
            (_, Returned::AllOld) => Ok(old),
            // The item also contains attributes from before, and a transaction returns no items.
            (Self::Replace(Replacement { encoded, .. }), Returned::AllNew)
                if encoded.mode == Mode::Merge =>
            {
                let read = unique::current(db, &encoded.context, encoded.key_item()).await;
                Ok(read.map_err(Error::done)?.map(Into::into))
            }
            _ => Ok(Some(self.item().clone())),
        }
    }

    fn item(&self) -> &RawItem {
        match self {
            Self::Writes { item, .. } => item,
            Self::Replace(store) => &store.encoded.item,
        }
    }

    fn context(&self) -> &ErrorContext {
        match self {
            Self::Writes { context, .. } => context,
            Self::Replace(store) => &store.encoded.context,
        }
    }
}

/// Stores an item, and returns the requested result. It depends on the entity only through its
/// result, so that writes without one are compiled once for all entities.
///
/// No `async fn`, which would keep all it is given twice.
#[allow(clippy::manual_async_fn)]
pub(super) fn stored<O>(
    db: &Dynamo,
    request: StoreRequest,
    returned: Returned,
    output: fn(Written<'_>) -> Result<O, Error>,
) -> impl Future<Output = Result<O, Error>> + use<O> {
    let (db, storing) = (db.clone(), request.prepare(db));
    async move {
        match storing {
            Ok(ref storing) => {
                let item = storing.send(&db, returned).await?;
                let context = storing.context();
                output(Written { context, item }).map_err(Error::done)
            }
            Err(error) => Err(error),
        }
    }
}

/// Both must be met.
pub(super) fn both(known: Option<Condition>, more: Condition) -> Option<Condition> {
    Some(match known {
        Some(known) => known & more,
        None => more,
    })
}
