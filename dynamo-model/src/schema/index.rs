//! The key of an entity in an index, as data.

use super::IndexId;
use super::{KeyAttribute, TableSchema};
use crate::key::template::Template;

/// The key of an entity in one index.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity, schema::IndexId};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// #[gsi1(name = "by-email", pk = "email")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[gsi1(pk = "<email>", as = by_email)]
/// struct User {
///     user_id: String,
///     email: String,
/// }
///
/// let index = &User::SCHEMA.indexes[0];
/// assert_eq!((index.id, index.method), (IndexId::Gsi(1), "by_email"));
/// assert_eq!(index.pk.text, "<email>");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntityIndex {
    /// Which index.
    pub id: IndexId,
    /// The stem of the names of generated methods.
    pub method: &'static str,
    /// Its partition key.
    pub pk: &'static Template,
    /// Its sort key, where it has one.
    pub sk: Option<&'static Template>,
    /// Whether an optional field is in the key: items without it are not in the index.
    pub sparse: bool,
    /// The value that a field must have for an item to be in the index.
    pub when: Option<IndexCondition>,
}

/// The condition of a conditional index: `when(state = State::Open)`.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// #[gsi1(name = "open", pk = "GSI1PK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("ISSUE#<number:06>")]
/// #[gsi1(pk = "OPEN", when(open = true))]
/// struct Issue {
///     number: u32,
///     open: bool,
/// }
///
/// assert_eq!(Issue::SCHEMA.indexes[0].when.unwrap().to_string(), "open = true");
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct IndexCondition {
    /// The field.
    pub field: &'static str,
    /// Its value, as the declaration writes it.
    pub value: &'static str,
    pub(crate) holds: fn(Option<crate::key::PartValue<'_>>) -> bool,
}

/// Compares declarations.
impl PartialEq for IndexCondition {
    fn eq(&self, other: &Self) -> bool {
        (self.field, self.value) == (other.field, other.value)
    }
}

impl Eq for IndexCondition {}

impl core::fmt::Display for IndexCondition {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} = {}", self.field, self.value)
    }
}

/// Returns the fields in both halves of a key.
pub(super) fn fields_of(
    pk: &'static Template,
    sk: Option<&'static Template>,
) -> impl Iterator<Item = &'static str> {
    let sk = sk.into_iter().flat_map(|sk| sk.parts);
    pk.parts.iter().chain(sk).map(|part| part.field)
}

#[cfg(feature = "client")]
impl EntityIndex {
    /// Returns the fields that determine the key: its parts, and the field of its condition.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        fields_of(self.pk, self.sk).chain(self.when.map(|when| when.field))
    }

    /// Each half of a key that writes build: the attribute, and the template of its values. None of
    /// a native key, whose attributes are the item's own.
    pub(crate) fn halves(
        &self,
        table: &TableSchema,
    ) -> impl Iterator<Item = (KeyAttribute, &'static Template)> + use<> {
        let is_built = !self.is_native();
        self.keys(table).filter(move |_| is_built)
    }
}

impl EntityIndex {
    /// Whether the key consists of attributes of the item, as in `pk = (tenant, region)`.
    #[must_use]
    pub const fn is_native(&self) -> bool {
        self.pk.is_native()
    }

    /// Each attribute of the key, with the template of its values: one for a half that is a
    /// template, and one for each attribute of a native key.
    ///
    /// ```
    /// use dynamo_model::{DynamoEntity, DynamoTable, Entity, Table};
    ///
    /// #[derive(DynamoTable)]
    /// #[table(name = "App", pk = "PK")]
    /// #[gsi1(name = "rounds", pk = (tenant: S), sk = (round: N))]
    /// struct App;
    ///
    /// #[derive(DynamoEntity)]
    /// #[dynamo(table = App)]
    /// #[pk("MATCH#<id>")]
    /// #[gsi1(pk = (tenant), sk = (round))]
    /// struct Match {
    ///     id: String,
    ///     tenant: String,
    ///     round: u32,
    /// }
    ///
    /// let keys = Match::SCHEMA.indexes[0].keys(&App::SCHEMA);
    /// let keys: Vec<_> = keys.map(|(key, template)| format!("{key} = {template}")).collect();
    /// assert_eq!(keys, ["tenant (S) = <tenant>", "round (N) = <round>"]);
    /// ```
    pub fn keys(
        &self,
        table: &TableSchema,
    ) -> impl Iterator<Item = (KeyAttribute, &'static Template)> + use<> {
        let pk = self.pk.by_attribute();
        let sk = self.sk.map_or(&[][..], Template::by_attribute);
        let index = table.index(self.id).copied();
        let (pk_names, sk_names) = match index {
            Some(index) => (Some(index.partition_key()), Some(index.sort_key())),
            None => (None, None),
        };
        let pk = pk_names.into_iter().flatten().zip(pk);
        pk.chain(sk_names.into_iter().flatten().zip(sk))
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        id: IndexId,
        method: &'static str,
        (pk, sk): (&'static Template, Option<&'static Template>),
        sparse: bool,
    ) -> Self {
        Self {
            id,
            method,
            pk,
            sk,
            sparse,
            when: None,
        }
    }

    /// For generated code: only items that have the value are in the index.
    #[doc(hidden)]
    #[must_use]
    pub const fn only_when(
        mut self,
        field: &'static str,
        value: &'static str,
        holds: fn(Option<crate::key::PartValue<'_>>) -> bool,
    ) -> Self {
        self.when = Some(IndexCondition {
            field,
            value,
            holds,
        });
        self
    }
}
