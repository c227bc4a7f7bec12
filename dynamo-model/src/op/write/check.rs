//! Checking an item that a transaction does not write.

use super::failure::{Guard, Presence};
use super::item::key_error;
use super::prepared::{Action, PreparedWrite};
use crate::Condition;
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext};
use crate::key::{Key, RawKey};
use crate::request::{Explain, ReturnValues};
use crate::schema::{EntitySchema, TableSchema};
use crate::wire::ItemKey;
use core::fmt;
use core::marker::PhantomData;

const OPERATION: &str = "check";

/// A check of an item that a transaction does not write: the transaction happens only if the check
/// holds. Made by [`must_exist`](crate::batch::IntoKey::must_exist),
/// [`must_not_exist`](crate::batch::IntoKey::must_not_exist) and [`must_meet`](crate::batch::IntoKey::must_meet)
/// of a key.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table, Transaction};
/// use dynamo_model::batch::IntoKey;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<id>")]
/// struct User {
///     id: u32,
///     active: bool,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// User { id: 1, active: true }.create().send(&db).await?;
/// Transaction::new()
///     .add(User { id: 2, active: true }.create())
///     .add(User::key(1).must_meet(|user| user.active().eq(true)))
///     .add(User::key(3).must_not_exist())
///     .send(&db)
///     .await?;
///
/// let checked = Transaction::new().add(User::key(3).must_exist()).send(&db).await;
/// assert!(checked.unwrap_err().is_not_found());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is checked until a transaction that contains it is sent"]
pub struct Check<E: Entity> {
    pub(super) request: CheckRequest,
    of: PhantomData<fn() -> E>,
}

/// A check of an item of any entity.
pub(super) struct CheckRequest {
    key: super::Prepared<RawKey>,
    schemas: (&'static TableSchema, &'static EntitySchema),
    presence: Presence,
    condition: Option<Condition>,
}

/// Hides the key, which may contain a sensitive field.
impl<E: Entity> fmt::Debug for Check<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check")
            .field("entity", &E::SCHEMA.entity)
            .field("condition", &self.request.condition)
            .finish_non_exhaustive()
    }
}

impl<E: Entity> Check<E> {
    pub(crate) fn new(
        key: super::Prepared<Key<E>>,
        presence: Presence,
        condition: Option<Condition>,
    ) -> Self {
        Self {
            request: CheckRequest {
                key: key.map(Key::into_raw),
                schemas: const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) },
                presence,
                condition,
            },
            of: PhantomData,
        }
    }
}

impl<E: Entity> Check<E> {
    /// Returns the check as a transaction sends it, and sends nothing.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        self.request.write(db)?.explain(ReturnValues::Nothing)
    }
}

impl CheckRequest {
    pub(super) fn write(self, db: &Dynamo) -> Result<PreparedWrite, Error> {
        let (table, entity) = self.schemas;
        let key = ItemKey::from(self.key.map_err(key_error(OPERATION))?);
        let context = ErrorContext::new(db, OPERATION, (table, entity), Some((&key).into()));
        let write = PreparedWrite::new(context, (table, Some(entity)), key, Action::Check, 0);
        write.guarded(Guard::presence(self.presence), self.condition)
    }
}
