//! An entity as data, for the runtime.

#[cfg(feature = "client")]
use super::TableSchema;
use super::index::fields_of;
use super::{AttributeSchema, Constant, EntityIndex, IndexId, UniqueSchema};
use crate::key::template::Template;

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
    /// Whether any attribute is sensitive. Otherwise nothing has to be hidden.
    pub(super) has_sensitive: bool,
    /// Whether any field is stored in keys alone.
    pub(crate) has_key_only: bool,
    /// Whether `#[serde(flatten)]` adds attributes that are not known here.
    pub(crate) has_flattened: bool,
    /// The old names under which fields are read: `#[serde(alias = "…")]`.
    pub(crate) aliases: &'static [OldNames],
    /// The attributes that every item of the entity has, with the same value.
    pub constants: &'static [Constant],
    /// The `#[dynamo(rest)]` field, by its name in serde.
    pub(crate) rest: Option<&'static str>,
    /// `#[dynamo(null)]` on the entity: every `None` in it is stored as NULL, at every depth.
    pub(crate) nulls: bool,
    /// Whether any attribute is written in another form than serde's.
    pub(crate) has_forms: bool,
    /// Whether any absent attribute is read as a value: an empty set, or NULL.
    pub(crate) has_absent: bool,
}

/// An attribute, and the old names of its field.
pub(super) type OldNames = (&'static str, &'static [&'static str]);

impl EntitySchema {
    /// Returns the old names of an attribute, which a write removes. Excludes names of the library
    /// or of another field.
    #[cfg(feature = "client")]
    pub(crate) fn old_names(&self, table: &TableSchema, attribute: &str) -> Vec<&'static str> {
        let all = self.aliases.iter().filter(|(name, _)| *name == attribute);
        let names = all.flat_map(|(_, names)| names.iter().copied());
        let is_free = |name: &&str| !self.declares(name) && !table.uses(name);
        names.filter(is_free).collect()
    }

    /// Returns the template of the key, shown instead of the key if it contains a sensitive field.
    pub(crate) fn hidden_key(&self) -> Option<String> {
        self.hides_key(None).then(|| match self.sk {
            Some(sk) => format!("{}/{sk}", self.pk),
            None => self.pk.to_string(),
        })
    }

    /// Returns whether the key in the table, or in an index, contains a sensitive field.
    pub(crate) fn hides_key(&self, index: Option<IndexId>) -> bool {
        if !self.has_sensitive {
            return false;
        }
        let own = index.is_none().then_some((self.pk, self.sk));
        let indexes = self.indexes.iter().filter(|it| Some(it.id) == index);
        let keys = own.into_iter().chain(indexes.map(|it| (it.pk, it.sk)));
        let mut fields = keys.flat_map(|(pk, sk)| fields_of(pk, sk));
        fields.any(|field| self.is_sensitive(|it| it.field == field))
    }

    /// Returns whether an attribute has the value of a sensitive field: it is one, or the key of the
    /// table or an index with one in it.
    #[cfg(feature = "client")]
    pub(crate) fn hides(&self, table: &TableSchema, name: &str) -> bool {
        if !self.has_sensitive {
            return false;
        }
        let own = [Some((table.pk, self.pk)), table.sk.zip(self.sk)];
        let indexes = self.indexes.iter().flat_map(|index| index.halves(table));
        let mut keys = own.into_iter().flatten().chain(indexes);
        let has_sensitive = |template: &Template| {
            let mut fields = template.parts.iter().map(|part| part.field);
            fields.any(|field| self.is_sensitive(|it| it.field == field))
        };
        self.is_sensitive(|it| it.name == name)
            || keys.any(|(key, template)| key.name == name && has_sensitive(template))
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

    /// Returns whether a field is stored as this attribute.
    #[cfg(feature = "client")]
    pub(crate) fn declares(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|it| it.name == attribute)
    }

    /// Returns whether any attribute is sensitive.
    #[cfg(feature = "client")]
    pub(crate) fn has_sensitive(&self) -> bool {
        self.has_sensitive
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

    /// Returns whether an item of this type belongs to this entity.
    #[inline]
    #[must_use]
    pub fn has_type(&self, found: &str) -> bool {
        self.has_type_bytes(found.as_bytes())
    }

    /// Returns the same for a text that may not be UTF-8.
    #[inline]
    pub(crate) fn has_type_bytes(&self, found: &[u8]) -> bool {
        let is = |own: &str| own.as_bytes() == found;
        self.entity_type.is_some_and(is) || self.other_types.iter().any(|own| is(own))
    }

    /// Returns whether the declaration had no errors: a template is never empty.
    pub(crate) const fn is_complete(&self) -> bool {
        !self.pk.text.is_empty()
    }
}

/// Returns a bit for a name, always the same. Other names rarely have the same bit.
pub(crate) const fn look(name: &str) -> u128 {
    match name.as_bytes() {
        [] => 0,
        [only] => 1 << (*only & 127),
        [a, .., z] => 1 << (a.wrapping_mul(5).wrapping_add(*z) & 127),
    }
}
