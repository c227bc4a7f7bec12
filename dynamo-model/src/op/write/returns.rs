//! The results of writes.

use crate::entity::Entity;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::expr::change::{RawTarget, Target};
use crate::op::bounds::{Anywhere, HasFields};
use crate::request::ReturnValues;
use crate::wire::{self, Attributes, Item, RawItem, Readable};
use core::marker::PhantomData;
use serde::de::DeserializeOwned;

/// The result of a write.
#[doc(hidden)]
pub trait Returns<E> {
    type Output;
    const WIRE: ReturnValues;
    fn output(written: Written<'_>) -> Result<Self::Output, Error>;
}

/// A write, and its returned attributes.
#[doc(hidden)]
#[derive(Debug)]
pub struct Written<'p> {
    pub(super) context: &'p ErrorContext,
    pub(super) item: Option<RawItem>,
}

impl<E> Returns<E> for () {
    type Output = ();
    const WIRE: ReturnValues = ReturnValues::Nothing;
    fn output(_: Written<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// The old item, or `None` if there was none.
#[derive(Debug)]
pub struct Old;

impl<E: Readable + DeserializeOwned> Returns<E> for Old {
    type Output = Option<E>;
    const WIRE: ReturnValues = ReturnValues::AllOld;
    fn output(Written { context, item }: Written<'_>) -> Result<Option<E>, Error> {
        let item = item.filter(|item| item.len() > 0);
        item.map(|item| wire::decode(context, item)).transpose()
    }
}

/// The new item.
#[derive(Debug)]
pub struct New;

impl<E: Readable + DeserializeOwned> Returns<E> for New {
    type Output = E;
    const WIRE: ReturnValues = ReturnValues::AllNew;
    fn output(Written { context, item }: Written<'_>) -> Result<E, Error> {
        match item {
            Some(item) => wire::decode(context, item),
            None => Err(Error::new(context.clone(), ErrorKind::NotFound, None)),
        }
    }
}

/// The attributes that were changed, as they were before.
#[derive(Debug)]
pub struct UpdatedOld;

/// The attributes that were changed, as they are now.
#[derive(Debug)]
pub struct UpdatedNew;

impl<E: Entity> Returns<E> for UpdatedOld {
    type Output = Updated<E>;
    const WIRE: ReturnValues = ReturnValues::UpdatedOld;
    fn output(Written { context, item }: Written<'_>) -> Result<Updated<E>, Error> {
        Updated::new(context, item)
    }
}

impl<E: Entity> Returns<E> for UpdatedNew {
    type Output = Updated<E>;
    const WIRE: ReturnValues = ReturnValues::UpdatedNew;
    fn output(Written { context, item }: Written<'_>) -> Result<Updated<E>, Error> {
        Updated::new(context, item)
    }
}

/// The attributes that an update changed; see
/// [`Update::return_updated_new`](crate::write::Update::return_updated_new).
///
/// ```
/// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("COUNTER#<name>")]
/// struct Counter {
///     name: String,
///     value: u64,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// Counter { name: "visits".into(), value: 41 }.create().send(&db).await?;
/// let updated = Counter::update("visits")
///     .add(|counter| counter.value(), 1_u64)
///     .return_updated_new()
///     .send(&db)
///     .await?;
/// assert_eq!(updated.get(|counter| counter.value())?, Some(42));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Updated<E> {
    context: ErrorContext,
    item: Item,
    of: PhantomData<fn() -> E>,
}

impl<E: Entity> Updated<E> {
    fn new(context: &ErrorContext, item: Option<RawItem>) -> Result<Self, Error> {
        let item = item.map(|item| wire::into_map(context, item)).transpose()?;
        Ok(Self {
            context: context.clone(),
            item: item.unwrap_or_default(),
            of: PhantomData,
        })
    }

    /// An attribute, if it was changed.
    pub fn get<P: Target<Value: DeserializeOwned>>(
        &self,
        attribute: impl FnOnce(E::Fields<Anywhere>) -> P,
    ) -> Result<Option<P::Value>, Error>
    where
        E: HasFields,
    {
        let RawTarget(path) = attribute(E::fields()).raw();
        let read = wire::decode_attribute(&self.context, &E::SCHEMA, &self.item, &path);
        read.map_err(Error::done)
    }
}
