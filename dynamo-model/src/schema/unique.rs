//! A unique constraint as data.

use super::TableSchema;
use crate::key::template::Template;

/// A unique constraint: its values are the keys of unique items.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[unique("USER_EMAIL#<email:lower>")]
/// struct User {
///     user_id: String,
///     email: String,
/// }
///
/// assert_eq!(User::SCHEMA.uniques[0].constraint, "USER_EMAIL#<email:lower>");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UniqueSchema {
    /// As it is written.
    pub constraint: &'static str,
    /// The partition key, and if the table has one also the sort key, of the unique items.
    pub template: &'static Template,
    /// The table of these items, where it is not the entity's own: `in = Reservations`.
    pub table: Option<&'static TableSchema>,
}

impl UniqueSchema {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(template: &'static Template) -> Self {
        Self {
            constraint: template.text,
            template,
            table: None,
        }
    }

    /// For generated code: `in = Reservations`.
    #[doc(hidden)]
    #[must_use]
    pub const fn reserved_in<T: crate::Table>(mut self) -> Self {
        self.table = Some(const { &T::BARE });
        self
    }
}
