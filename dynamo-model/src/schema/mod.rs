//! The declarations, as data.
//!
//! The derives build these values at compile time; the compile-time checks and every output read
//! them. Start at [`Table::SCHEMA`](crate::Table::SCHEMA) or
//! [`Entity::SCHEMA`](crate::Entity::SCHEMA).

#[cfg(feature = "client")]
pub(crate) mod backups;
pub(crate) mod check;
#[cfg(any(feature = "client", feature = "model"))]
pub(crate) mod create;
#[cfg(feature = "client")]
pub(crate) mod deploy;
pub(crate) mod form;
#[cfg(feature = "client")]
pub(crate) mod found;
pub(crate) mod message;
#[cfg(feature = "model")]
mod model;
#[cfg(feature = "model")]
mod output;
#[cfg(feature = "client")]
pub mod plan;
mod table;
#[cfg(feature = "client")]
pub(crate) mod undeclared;

use form::Form as ValueForm;

pub use crate::key::template::{
    EpochUnit, Form, PartSchema, Precision, Role, Spec, Template, TimePiece, Transform,
};
#[cfg(feature = "model")]
pub use model::{
    AccessPattern, AttributeType, DeclaredPattern, EntityModel, Model, ModelError, Request,
    SampleItem, TableModel, Target,
};
#[cfg(all(feature = "model", feature = "client"))]
pub(crate) use output::rewritten;
#[cfg(feature = "model")]
pub use output::{
    Alarms, Application, AutoScaling, Capacity, CapacityReport, Change, Deployment, HotPartition,
    Identity, Impact, LockDifference, PatternCapacity, Policy, PolicyDocument, Prices, Rate,
    Refusal, StateMachine, Step,
};
pub use table::{
    Billing, Encryption, IndexId, IndexSchema, KeyAttribute, KeyType, Projection, Stream,
    TableClass, TableSchema, Throughput,
};

/// One kind of item: its keys, its indexes and its attributes.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", entity_type = "type")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App, entity_type = "USER")]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let schema = User::SCHEMA;
/// assert_eq!((schema.entity, schema.entity_type), ("User", Some("USER")));
/// assert_eq!(schema.attributes[0].name, "user_id");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntitySchema {
    /// The name of the Rust type.
    pub entity: &'static str,
    /// The value of the table's entity-type attribute for these items.
    pub entity_type: Option<&'static str>,
    /// Other values of that attribute which are read as this entity; writes store `entity_type`.
    pub other_types: &'static [&'static str],
    /// The entities that can have the same keys, by the names of their types.
    pub shares_key_with: &'static [&'static str],
    /// Whether every write checks the entity type of the stored item, because of `shares_key_with`
    /// or `check_type`.
    pub checks_type: bool,
    /// The partition key.
    pub pk: &'static Template,
    /// The sort key, where the table has one.
    pub sk: Option<&'static Template>,
    /// The indexes these items are in.
    pub indexes: &'static [EntityIndex],
    /// The fields that are attributes, in order, without those of `#[serde(flatten)]`.
    pub attributes: &'static [AttributeSchema],
    /// The unique constraints.
    pub uniques: &'static [UniqueSchema],
    /// The doc comment on the declaration.
    pub doc: &'static str,
    /// The source location of the declaration; with the name it identifies the entity.
    pub(crate) declared_in: &'static str,
    /// `#[dynamo(former)]`: an old shape of another entity, which only migrations read.
    pub former: bool,
    /// `#[dynamo(untyped)]`: items may lack the entity type, and their key decides which entity
    /// they belong to.
    pub untyped: bool,
    /// `#[dynamo(hide_expired)]`: every read hides expired items.
    pub hides_expired: bool,
    /// `#[dynamo(scannable = "…")]`: why it is scanned.
    pub scannable: Option<&'static str>,
    /// Whether any attribute is sensitive; only then the hidden ones are looked up.
    has_sensitive: bool,
    /// Whether any field is stored in keys alone.
    pub(crate) has_key_only: bool,
    /// Whether `#[serde(flatten)]` brings in attributes that are not known here.
    pub(crate) has_flattened: bool,
    /// Other names that fields are read under: `#[serde(alias = "…")]`.
    pub(crate) aliases: &'static [OldNames],
    /// The attributes that every item of the entity has, with the same value.
    pub constants: &'static [Constant],
    /// The `#[dynamo(rest)]` field, by the name that serde has for it.
    pub(crate) rest: Option<&'static str>,
    /// `#[dynamo(null)]` on the entity: every `None` in it is stored as NULL, at every depth.
    pub(crate) nulls: bool,
    /// Whether any attribute is written in another way than serde would.
    pub(crate) has_forms: bool,
    /// Whether any absent attribute is read as something: an empty set, or NULL.
    pub(crate) has_absent: bool,
}

/// A bit, the same for the same name; another name seldom has it too.
pub(crate) const fn look(name: &str) -> u128 {
    match name.as_bytes() {
        [] => 0,
        [only] => 1 << (*only & 127),
        [a, .., z] => 1 << (a.wrapping_mul(5).wrapping_add(*z) & 127),
    }
}

const fn any_sensitive(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => first.sensitive || any_sensitive(rest),
        [] => false,
    }
}

const fn any_key_only(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => matches!(first.role, AttributeRole::KeyOnly) || any_key_only(rest),
        [] => false,
    }
}

const fn any_formed(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => first.null || !first.form.is_plain() || any_formed(rest),
        [] => false,
    }
}

const fn any_absent(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => !matches!(first.absent, Absent::Missing) || any_absent(rest),
        [] => false,
    }
}

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

/// An attribute, and the other names that its field is read under.
type OldNames = (&'static str, &'static [&'static str]);

impl EntitySchema {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        entity: &'static str,
        entity_type: Option<&'static str>,
        (pk, sk): (&'static Template, Option<&'static Template>),
        indexes: &'static [EntityIndex],
        attributes: &'static [AttributeSchema],
    ) -> Self {
        Self {
            entity,
            entity_type,
            other_types: &[],
            shares_key_with: &[],
            checks_type: false,
            pk,
            sk,
            indexes,
            attributes,
            uniques: &[],
            doc: "",
            declared_in: "",
            former: false,
            untyped: false,
            hides_expired: false,
            scannable: None,
            has_sensitive: any_sensitive(attributes),
            has_key_only: any_key_only(attributes),
            has_flattened: false,
            aliases: &[],
            constants: &[],
            rest: None,
            nulls: false,
            has_forms: any_formed(attributes),
            has_absent: any_absent(attributes),
        }
    }

    /// For generated code: `entity_type = ["USER", "Account"]`, all but the first.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_other_types(mut self, types: &'static [&'static str]) -> Self {
        self.other_types = types;
        self
    }

    /// For generated code: `shares_key_with(Organization)`.
    #[doc(hidden)]
    #[must_use]
    pub const fn sharing_key_with(mut self, entities: &'static [&'static str]) -> Self {
        self.shares_key_with = entities;
        self.checks_type = true;
        self
    }

    /// For generated code: `#[dynamo(check_type)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn checking_type(mut self) -> Self {
        self.checks_type = true;
        self
    }

    /// For generated code: `#[dynamo(null)]` on the entity.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_nulls(mut self) -> Self {
        self.nulls = true;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn declared_in(mut self, place: &'static str) -> Self {
        self.declared_in = place;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_flattened(mut self) -> Self {
        self.has_flattened = true;
        self
    }

    /// For generated code: `#[dynamo(untyped)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn allowing_untyped(mut self) -> Self {
        self.untyped = true;
        self
    }

    /// The other names of an attribute, which go when it is written. A name that the library or
    /// another field has is not among them.
    #[cfg(feature = "client")]
    pub(crate) fn old_names(&self, table: &TableSchema, attribute: &str) -> Vec<&'static str> {
        let all = self.aliases.iter().filter(|(name, _)| *name == attribute);
        let names = all.flat_map(|(_, names)| names.iter().copied());
        let is_free = |name: &&str| !self.declares(name) && !table.uses(name);
        names.filter(is_free).collect()
    }

    /// For generated code: other names that fields are read under.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_aliases(mut self, aliases: &'static [OldNames]) -> Self {
        self.aliases = aliases;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_constants(mut self, constants: &'static [Constant]) -> Self {
        self.constants = constants;
        self
    }

    /// For generated code: the name of the `#[dynamo(rest)]` field.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_rest(mut self, field: &'static str) -> Self {
        self.rest = Some(field);
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn hiding_expired(mut self) -> Self {
        self.hides_expired = true;
        self
    }

    /// For generated code: `#[dynamo(scannable = "…")]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn scannable(mut self, reason: &'static str) -> Self {
        self.scannable = Some(reason);
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn into_former(mut self) -> Self {
        self.former = true;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_uniques(mut self, uniques: &'static [UniqueSchema]) -> Self {
        self.uniques = uniques;
        self
    }

    /// The remainder of a declaration with errors.
    #[doc(hidden)]
    #[must_use]
    pub const fn incomplete(entity: &'static str) -> Self {
        const NONE: &Template = &Template::new("", Role::PartitionKey, "", "", &[]);
        Self::new(entity, None, (NONE, None), &[], &[])
    }

    /// Returns the template of the key, shown instead of the key if it contains a sensitive field.
    pub(crate) fn hidden_key(&self) -> Option<String> {
        let hidden = self.has_sensitive
            && fields_of(self.pk, self.sk).any(|field| self.is_sensitive(|it| it.field == field));
        hidden.then(|| match self.sk {
            Some(sk) => format!("{}/{sk}", self.pk),
            None => self.pk.to_string(),
        })
    }

    /// Returns the fields of all keys and unique constraints, with repetitions.
    #[cfg(feature = "client")]
    pub(crate) fn key_fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        let indexes = self.indexes.iter().flat_map(EntityIndex::fields);
        let uniques = self.uniques.iter().flat_map(|unique| unique.template.parts);
        let uniques = uniques.map(|part| part.field);
        self.primary_fields().chain(indexes).chain(uniques)
    }

    /// Returns the fields of the table's key.
    #[cfg(feature = "client")]
    pub(crate) fn primary_fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        fields_of(self.pk, self.sk)
    }

    /// Whether a field is stored as this attribute.
    #[cfg(feature = "client")]
    pub(crate) fn declares(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|it| it.name == attribute)
    }

    pub(crate) fn is_sensitive(&self, which: impl Fn(&AttributeSchema) -> bool) -> bool {
        self.attributes
            .iter()
            .any(|attribute| attribute.sensitive && which(attribute))
    }

    /// Returns every value of the entity-type attribute for this entity; the first is written.
    pub(crate) fn types(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.entity_type
            .into_iter()
            .chain(self.other_types.iter().copied())
    }

    /// Whether an item of this type is one of this entity.
    #[cfg(any(feature = "client", feature = "model"))]
    #[inline]
    pub(crate) fn has_type(&self, found: &str) -> bool {
        self.has_type_bytes(found.as_bytes())
    }

    /// The same, for a text that may not be UTF-8.
    #[cfg(any(feature = "client", feature = "model"))]
    #[inline]
    pub(crate) fn has_type_bytes(&self, found: &[u8]) -> bool {
        let is = |own: &str| own.as_bytes() == found;
        self.entity_type.is_some_and(is) || self.other_types.iter().any(|own| is(own))
    }

    /// Whether the declaration had no errors: a template is never empty.
    pub(crate) const fn is_complete(&self) -> bool {
        !self.pk.text.is_empty()
    }
}

/// An attribute that every item of an entity has, with the same value:
/// `#[dynamo(constant("__edb_v__" = "1"))]`.
///
/// ```
/// use dynamo_model::schema::ConstantValue;
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App, constant("__edb_v__" = "1", "revision" = 3))]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let [version, revision] = User::SCHEMA.constants else { panic!() };
/// assert_eq!((version.name, version.value), ("__edb_v__", ConstantValue::Text("1")));
/// assert_eq!(revision.value, ConstantValue::Number("3"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Constant {
    /// The attribute's name.
    pub name: &'static str,
    /// Its value.
    pub value: ConstantValue,
}

/// The value of a [`Constant`].
///
/// ```
/// assert_eq!(dynamo_model::schema::ConstantValue::Text("1").to_string(), "S \"1\"");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConstantValue {
    /// S.
    Text(&'static str),
    /// N, by its digits.
    Number(&'static str),
    /// BOOL.
    Bool(bool),
}

#[cfg(feature = "model")]
impl ConstantValue {
    /// DynamoDB's type, and the value as a text.
    pub(crate) fn shown(self) -> (AttributeType, String) {
        match self {
            Self::Text(text) => (AttributeType::S, text.to_owned()),
            Self::Number(number) => (AttributeType::N, number.to_owned()),
            Self::Bool(value) => (AttributeType::Bool, value.to_string()),
        }
    }
}

impl core::fmt::Display for ConstantValue {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Text(text) => write!(f, "S {text:?}"),
            Self::Number(number) => write!(f, "N {number}"),
            Self::Bool(value) => write!(f, "BOOL {value}"),
        }
    }
}

impl Constant {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, value: ConstantValue) -> Self {
        Self { name, value }
    }

    /// As it is stored.
    #[cfg(feature = "client")]
    pub(crate) fn attribute(&self) -> aws_sdk_dynamodb::types::AttributeValue {
        use aws_sdk_dynamodb::types::AttributeValue;
        match self.value {
            ConstantValue::Text(text) => AttributeValue::S(text.to_owned()),
            ConstantValue::Number(number) => AttributeValue::N(number.to_owned()),
            ConstantValue::Bool(value) => AttributeValue::Bool(value),
        }
    }
}

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

/// The fields in both halves of a key.
fn fields_of(
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

    /// Each half of the key: the attribute, and the template of its values.
    pub(crate) fn halves(
        &self,
        table: &TableSchema,
    ) -> impl Iterator<Item = (KeyAttribute, &'static Template)> + use<> {
        let (pk, sk) = table.key(Some(self.id));
        [Some((pk, self.pk)), sk.zip(self.sk)].into_iter().flatten()
    }
}

impl EntityIndex {
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

/// A field that is stored as an attribute.
///
/// ```
/// use dynamo_model::schema::{AttributeRole, AttributeSchema};
///
/// let version = AttributeSchema::new("version", "v", AttributeRole::Version);
/// assert_eq!((version.field, version.name), ("version", "v"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttributeSchema {
    /// The Rust field.
    pub field: &'static str,
    /// The attribute's name, as serde writes it.
    pub name: &'static str,
    /// Its role.
    pub role: AttributeRole,
    /// `#[dynamo(sensitive)]`: its value never reaches a log or an error.
    pub sensitive: bool,
    /// Whether an item without it could not be read.
    pub required: bool,
    /// The field's type, as the declaration writes it.
    pub rust_type: &'static str,
    /// The doc comment on the field.
    pub doc: &'static str,
    /// `#[dynamo(null)]`: `None` is stored as NULL instead of being omitted.
    pub null: bool,
    /// `#[dynamo(immutable)]`: it is set at creation only.
    pub immutable: bool,
    /// Its value if it is absent.
    pub(crate) absent: Absent,
    /// Its stored form, where serde alone does not distinguish it.
    pub(crate) form: ValueForm,
}

impl AttributeSchema {
    /// An attribute.
    #[must_use]
    pub const fn new(field: &'static str, name: &'static str, role: AttributeRole) -> Self {
        Self {
            field,
            name,
            role,
            sensitive: false,
            required: false,
            rust_type: "",
            doc: "",
            null: false,
            immutable: false,
            absent: Absent::Missing,
            form: ValueForm::Plain,
        }
    }

    /// Whether it is written in another way than serde would.
    #[cfg(feature = "client")]
    pub(crate) const fn is_formed(&self) -> bool {
        self.null || !self.form.is_plain()
    }
}

impl AttributeSchema {
    /// For generated code: all at once, as each call takes the compiler time.
    #[doc(hidden)]
    #[must_use]
    pub const fn declared(
        field: &'static str,
        name: &'static str,
        role: AttributeRole,
        rust_type: &'static str,
        doc: &'static str,
        required: bool,
    ) -> Self {
        Self {
            required,
            rust_type,
            doc,
            ..Self::new(field, name, role)
        }
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn into_sensitive(mut self) -> Self {
        self.sensitive = true;
        self
    }

    /// For generated code. An absent set is an empty one, so that an item without it can be read.
    #[doc(hidden)]
    #[must_use]
    pub const fn formed(mut self, form: ValueForm) -> Self {
        self.form = form;
        if form.is_set() && self.required {
            self.absent = Absent::EmptySet;
            self.required = false;
        }
        self
    }

    /// For generated code: an alias of `Option` is optional too.
    #[doc(hidden)]
    #[must_use]
    pub const fn optional(mut self, optional: bool) -> Self {
        self.required = self.required && !optional;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn into_null(mut self) -> Self {
        self.null = true;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn into_immutable(mut self) -> Self {
        self.immutable = true;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn reading_null(mut self) -> Self {
        self.absent = Absent::Null;
        self
    }
}

/// The value of an attribute that an item lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// serde decides: `None`, a default, or an error.
    Missing,
    /// NULL: the function of an optional field reads that as `None`.
    Null,
    /// A set without elements.
    EmptySet,
}

/// The role of an attribute.
///
/// ```
/// use dynamo_model::schema::AttributeRole;
///
/// assert_ne!(AttributeRole::Data, AttributeRole::KeyOnly);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeRole {
    /// Data like any other.
    Data,
    /// `#[dynamo(key_only)]`: not stored as an attribute, read back from the keys.
    KeyOnly,
    /// `#[dynamo(version)]`: the number of an optimistic lock.
    Version,
    /// `#[dynamo(created_at)]`: when the item was created, from the clock.
    CreatedAt,
    /// `#[dynamo(updated_at)]`: when the item was last written, from the clock.
    UpdatedAt,
    /// `#[dynamo(ttl)]`: the second after which DynamoDB may delete the item.
    Ttl,
}
