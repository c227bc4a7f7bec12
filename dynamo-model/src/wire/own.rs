//! Decides which stored items belong to an entity: by the entity type of an item, or by the form of
//! its key.
//!
//! Every read uses it, so that get, query, scan and count agree.

use super::{Attributes, shown_key};
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::expr::{Condition, Path};
use crate::index::IndexMarker;
use crate::key::form::has_form;
use crate::key::{KeyRef, KeyValue, Template, kind};
use crate::migrate;
use crate::schema::{EntitySchema, IndexId, Role, Spec, TableSchema, check};

/// The owner of a stored item.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The entity's.
    Own,
    /// Another entity's, or the library's: a read leaves it out.
    Other,
    /// The entity's or a stranger's: a read must not decide, so it fails.
    Unclear(Unclear),
}

/// Why the owner of an item is unclear.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unclear {
    /// It has the entity's key, and no type.
    Untyped,
    /// It has the entity's key, and a type that no entity with this key has.
    UnknownType(String),
    /// Its key begins as the entity's does, and no entity of the table builds it.
    UnknownKey,
}

/// How the items of an entity are recognised.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owned {
    table: &'static TableSchema,
    entity: &'static EntitySchema,
    /// Whether the read attributes include the type.
    pub(crate) typed: bool,
}

impl Owned {
    /// Returns the attributes of the table, or of an index.
    pub(crate) const fn new(
        table: &'static TableSchema,
        entity: &'static EntitySchema,
        id: Option<IndexId>,
    ) -> Self {
        let carried = match (table.entity_type, entity.entity_type) {
            (Some(name), Some(_)) => match id {
                Some(id) => check::index_carries(table, id, name),
                None => true,
            },
            _ => false,
        };
        Self {
            table,
            entity,
            typed: carried,
        }
    }

    pub(crate) const fn of<E: Entity, I: IndexMarker>() -> Self {
        let (table, entity) = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
        Self::new(table, entity, I::ID)
    }

    /// Returns whether the table can contain only the entity's items: the table declares all of its
    /// entities, or every key that an item can have is one of this entity's.
    pub(crate) fn is_alone(&self, finds_others: bool) -> bool {
        let any = |template: &Template| {
            let own = template.parts.first();
            let text = own.is_some_and(|part| part.kind == kind::Name::Text);
            template.is_bare() && text && own.is_some_and(|part| part.spec == Spec::PLAIN)
        };
        let any_key = any(self.entity.pk) && self.entity.sk.is_none_or(any);
        any_key || !self.table.items.is_empty() && !finds_others
    }

    /// Returns the owner of an item. One without a readable key counts as own, so that decoding
    /// reports the error.
    pub(crate) fn owner(&self, item: &impl Attributes) -> Owner {
        let Some(key) = self.key(item) else {
            return Owner::Own;
        };
        let key = (key.0.as_ref(), key.1.as_ref().map(KeyValue::as_ref));
        match self.type_attribute() {
            Some(attribute) => self.by_type(item.text(attribute).as_deref(), key),
            None => self.by_key(key),
        }
    }

    /// Returns whether an item belongs to the entity; fails if that is unclear.
    pub(crate) fn is_own(
        &self,
        context: &ErrorContext,
        item: &impl Attributes,
    ) -> Result<bool, Error> {
        match self.owner(item) {
            Owner::Own => Ok(true),
            Owner::Other => Ok(false),
            Owner::Unclear(why) => Err(self.error(context, item, why)),
        }
    }

    fn key(&self, item: &impl Attributes) -> Option<(KeyValue, Option<KeyValue>)> {
        let sk = match self.table.sk {
            Some(sk) => Some(item.key_value(sk.name)?),
            None => None,
        };
        Some((item.key_value(self.table.pk.name)?, sk))
    }

    fn by_type(&self, found: Option<&str>, key: (KeyRef<'_>, Option<KeyRef<'_>>)) -> Owner {
        // Two entities that share a key space have both keys.
        let known = |entity: &&'static EntitySchema| {
            found.is_some_and(|found| entity.has_type(found)) && self.is_key_of(entity, key)
        };
        match found {
            Some(found) if self.entity.has_type(found) => Owner::Own,
            Some(_) if self.table.items.iter().any(known) => Owner::Other,
            _ if !self.is_key_of(self.entity, key) => Owner::Other,
            None if self.entity.untyped => Owner::Own,
            Some(found) => Owner::Unclear(Unclear::UnknownType(found.to_owned())),
            None => Owner::Unclear(Unclear::Untyped),
        }
    }

    fn by_key(&self, key: (KeyRef<'_>, Option<KeyRef<'_>>)) -> Owner {
        if self.is_key_of(self.entity, key) {
            return Owner::Own;
        }
        let others = self.table.items.iter().copied();
        let mut declared = others.chain([self.entity]);
        let known = |entity| self.is_key_of(entity, key) || self.is_unique_of(entity, key);
        if declared.any(known) || is_checkpoint(key.0) || !self.begins(key) {
            Owner::Other
        } else {
            Owner::Unclear(Unclear::UnknownKey)
        }
    }

    fn is_key_of(&self, entity: &EntitySchema, key: (KeyRef<'_>, Option<KeyRef<'_>>)) -> bool {
        self.has_form((entity.pk, entity.sk), key)
    }

    /// Returns whether it is the key of a unique item.
    fn is_unique_of(&self, entity: &EntitySchema, key: (KeyRef<'_>, Option<KeyRef<'_>>)) -> bool {
        let uniques = entity
            .uniques
            .iter()
            .filter(|unique| unique.table.is_none());
        let mut uniques = uniques.map(|unique| unique.template);
        uniques.any(|template| self.has_form((template, key.1.map(|_| template)), key))
    }

    fn has_form(
        &self,
        templates: (&'static Template, Option<&'static Template>),
        key: (KeyRef<'_>, Option<KeyRef<'_>>),
    ) -> bool {
        let pk = self.table.pk.key_type;
        let types = (pk, self.table.sk.map_or(pk, |sk| sk.key_type));
        has_form(templates, types, key)
    }

    /// Returns whether the key begins as the entity's keys do.
    fn begins(&self, (pk, sk): (KeyRef<'_>, Option<KeyRef<'_>>)) -> bool {
        let sort = self.entity.sk.zip(sk);
        self.entity.pk.begins(pk) && sort.is_none_or(|(template, sk)| template.begins(sk))
    }

    /// Returns whether every item of the entity has its type.
    pub(crate) const fn is_always_typed(&self) -> bool {
        self.typed && !self.entity.untyped
    }

    /// Returns the attribute with the type, if it is read.
    pub(crate) fn type_attribute(&self) -> Option<&'static str> {
        self.table.entity_type.filter(|_| self.typed)
    }

    /// Returns the condition that DynamoDB checks instead of us. An item without a type passes, so
    /// that the read fails on it; a count has no items to fail on, and counts items with the
    /// entity's type.
    pub(crate) fn condition(&self, counts: bool) -> Option<Condition> {
        let attribute = self.type_attribute()?;
        let own = is_of_type(attribute, self.entity)?;
        Some(match counts && !self.entity.untyped {
            true => own,
            false => own | Path::<String>::attribute(attribute).not_exists(),
        })
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn error(
        &self,
        context: &ErrorContext,
        item: &impl Attributes,
        why: Unclear,
    ) -> Error {
        let context = ErrorContext {
            key: Some(shown_key(self.table, &[self.entity], item).into()),
            ..context.clone()
        };
        let expected = self.entity.entity_type.unwrap_or(self.entity.entity);
        let found = match why {
            Unclear::Untyped => None,
            Unclear::UnknownType(found) => Some(found),
            Unclear::UnknownKey => return self.unknown_key(context, item),
        };
        Error::new(context, ErrorKind::OtherEntity { found, expected }, None)
    }

    fn unknown_key(&self, context: ErrorContext, item: &impl Attributes) -> Error {
        let (attribute, template) = match (self.table.sk, self.entity.sk) {
            (Some(sk), Some(template)) if !self.differs(Role::PartitionKey, item) => (sk, template),
            _ => (self.table.pk, self.entity.pk),
        };
        let entity = self.entity.entity;
        let reason = format!(
            "`{entity}` builds it as `{template}`, and no entity of table `{}` builds this one; \
             correct the template, or declare the entity of the item in the table's items enum",
            self.table.table
        );
        let path = attribute.name.to_owned();
        Error::new(context, ErrorKind::Decode { path }, Some(reason.into()))
    }

    /// Returns whether this half of the key alone shows that the item is not the entity's.
    fn differs(&self, role: Role, item: &impl Attributes) -> bool {
        let (attribute, template) = match (role, self.table.sk, self.entity.sk) {
            (Role::SortKey, Some(sk), Some(template)) => (sk, template),
            _ => (self.table.pk, self.entity.pk),
        };
        let types = (attribute.key_type, attribute.key_type);
        let key = item.key_value(attribute.name);
        !key.is_some_and(|key| has_form((template, None), types, (key.as_ref(), None)))
    }
}

/// Returns the condition that an item has one of the entity's types.
pub(crate) fn is_of_type(attribute: &'static str, entity: &EntitySchema) -> Option<Condition> {
    let path = Path::<String>::attribute(attribute);
    let types = entity.types().map(|own| path.eq(own));
    types.reduce(|a, b| a | b)
}

fn is_checkpoint(pk: KeyRef<'_>) -> bool {
    match pk {
        KeyRef::S(text) => text.starts_with(migrate::PREFIX),
        KeyRef::B(bytes) => bytes.starts_with(migrate::PREFIX.as_bytes()),
        KeyRef::N(_) => false,
    }
}
