//! From the changes of an update to one expression: with them go the keys of indexes, times and the
//! version.

use super::failure::Unchanged;
use super::immutable::Immutable;
use super::item::{key_error, version_of};
use super::prepared::PreparedWrite;
use super::update::{Expiry, Keep, KnownTtl, attribute_of, whole_seconds};
use super::{Declared, StampOn, ttl, unique};
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::expr::Step;
use crate::expr::change::{Changed, KeyChange, Known};
use crate::expr::number::Bound;
use crate::expr::update::{AttributeUpdate, UpdateAction};
use crate::key::ItemKeyAttribute;
use crate::key::PartValue;
use crate::key::fields::KeyFields;
use crate::key::item::KeyAttributes;
use crate::schema::{AttributeRole, AttributeSchema, EntityIndex, EntitySchema, TableSchema};
use crate::wire::{self, ItemKey};
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::UNIX_EPOCH;

/// An update on its way to an expression.
pub(super) struct UpdatePlan {
    context: ErrorContext,
    declared: Declared,
    pub(super) schema: &'static TableSchema,
    may_create: bool,
    pub(super) updates: Vec<AttributeUpdate>,
    /// The fields in keys as they are now.
    known: Vec<Known>,
    /// The fields in keys that change, as they will be.
    changed: KeyFields,
    pub(super) unchanged: Vec<Unchanged>,
    /// Sums that must fit.
    pub(super) bounds: Vec<Bound>,
}

impl UpdatePlan {
    pub(super) fn new(
        context: ErrorContext,
        declared: Declared,
        may_create: bool,
        known: Vec<Known>,
    ) -> Self {
        Self {
            context,
            declared,
            schema: declared.table,
            may_create,
            updates: Vec::new(),
            known,
            changed: KeyFields::default(),
            unchanged: Vec::new(),
            bounds: Vec::new(),
        }
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(self.context.clone(), kind, None)
    }

    pub(super) fn change(&mut self, change: Changed) -> Result<(), Error> {
        match change {
            Changed::Plain(update) => self.updates.push(update),
            Changed::Sum(update, bound) => {
                self.updates.push(update);
                self.bounds.push(bound);
            }
            Changed::Key(change, value) => self.change_key(change, value)?,
        }
        Ok(())
    }

    fn change_key(
        &mut self,
        change: KeyChange,
        value: Option<AttributeValue>,
    ) -> Result<(), Error> {
        if self.changed.get(change.field).is_some() {
            let attribute = change.field.to_owned();
            return Err(self.fail(ErrorKind::ChangedTwice { attribute }));
        }
        for known in change.known {
            self.known.push(known);
        }
        self.changed.set(change.field, change.part);
        if let Some(path) = change.path {
            let action = value.map_or(UpdateAction::Remove, UpdateAction::Set);
            self.updates.push(AttributeUpdate { path, action });
        }
        Ok(())
    }

    /// The times that the library keeps.
    pub(super) fn stamp(&mut self, db: &Dynamo, keep: Keep) -> Result<(), Error> {
        if self.declared.stamps.is_empty() {
            return Ok(());
        }
        let now = db.moment();
        for stamp in self.declared.stamps {
            let on = match keep.updated_at {
                true => StampOn::Create,
                false => stamp.on,
            };
            // The key of an upsert may contain the time of creation.
            let in_primary = self
                .declared
                .entity
                .primary_fields()
                .any(|part| part == stamp.field);
            if on == StampOn::Create && (!self.may_create || in_primary) {
                continue;
            }
            let stamped = stamp
                .at(self.declared, now)
                .map_err(|error| error.at(&self.context))?;
            let action = match on {
                StampOn::Write => UpdateAction::Set(stamped.value),
                StampOn::Create => UpdateAction::SetIfAbsent(stamped.value),
            };
            self.updates
                .push(AttributeUpdate::attribute(stamp.attribute, action));
            let in_key = is_in_key(self.declared.entity, stamp.field);
            if in_key && on == StampOn::Create {
                // The key depends on whether the item is new, which only DynamoDB knows.
                let attributes = vec![stamp.field.to_owned()];
                return Err(self.fail(ErrorKind::Incomplete { attributes }));
            }
            if in_key {
                self.changed.set(stamp.field, Some(stamped.part));
            }
        }
        Ok(())
    }

    pub(super) fn expire(&mut self, db: &Dynamo, expiry: Option<Expiry>) {
        let Some(expiry) = expiry else { return };
        let mut attributes = self.declared.entity.attributes.iter();
        let Some(ttl) = attributes.find(|it| it.role == AttributeRole::Ttl) else {
            return;
        };
        let seconds = match expiry {
            Expiry::In(duration) => db.seconds_from_now(duration),
            Expiry::At(time) => match time.duration_since(UNIX_EPOCH) {
                Ok(since) => whole_seconds(since),
                Err(_) => 0,
            },
        };
        if is_in_key(self.declared.entity, ttl.field) {
            let part = PartValue::Integer {
                negative: false,
                magnitude: u128::from(seconds),
            };
            self.changed.set(ttl.field, Some(part.into()));
        }
        let value = AttributeValue::N(seconds.to_string());
        self.updates.push(AttributeUpdate::attribute(
            ttl.name,
            UpdateAction::Set(value),
        ));
    }

    /// The current value of a field in a key.
    fn known(&self, field: &str) -> Option<&Known> {
        self.known.iter().find(|known| known.field == field)
    }

    /// The fields in keys that are known, as they are now.
    fn known_fields(&self) -> KeyFields {
        let mut fields = KeyFields::default();
        for known in &self.known {
            fields.set(known.field, known.part.clone());
        }
        fields
    }

    /// All fields in keys, as they will be.
    fn fields(&self) -> KeyFields {
        let mut fields = self.known_fields();
        for (field, part) in self.changed.iter() {
            fields.set(field, part.clone());
        }
        fields
    }

    /// Sets the new key of every index with a changed field, on the condition that its siblings did
    /// not change. A new item gets the keys of all its indexes.
    pub(super) fn change_indexes(&mut self) -> Result<(), Error> {
        let entity = self.declared.entity;
        if self.changed.is_empty() && !self.may_create {
            return Ok(());
        }
        let fields = self.fields();
        let changed = self.changed.clone();
        let is_changed = |field: &str| changed.get(field).is_some();
        let mut attributes = KeyAttributes::with_capacity(2 * entity.indexes.len());
        let mut beside: Vec<&'static str> = Vec::new();
        let operation = self.context.operation;
        let affected = self.affected(&is_changed);
        for (index, affected) in entity.built_indexes().zip(affected) {
            let is_known = |field: &str| fields.get(field).is_some();
            // An item outside of the index needs no key, so the fields of the key may be unknown.
            let stays_out = index
                .when
                .is_some_and(|when| is_known(when.field) && !index.may_have(&fields));
            let known = stays_out || index.fields().all(is_known);
            if !(affected || self.may_create && known) {
                continue;
            }
            if !known {
                let missing = index.fields().filter(|field| fields.get(field).is_none());
                let attributes = missing.map(str::to_owned).collect();
                return Err(self.fail(ErrorKind::Incomplete { attributes }));
            }
            fields
                .add_index(self.schema, entity, index, &mut attributes)
                .map_err(key_error(operation))?;
            let needed = index.fields().filter(|field| match stays_out {
                true => index.when.is_some_and(|when| when.field == *field),
                false => true,
            });
            beside.extend(needed.filter(|field| !is_changed(field)));
        }
        for ItemKeyAttribute { name, value } in attributes.finish() {
            self.set_key_attribute(name, value.map(wire::key_value));
        }
        for unique in entity.uniques {
            let fields = unique.template.parts.iter().map(|part| part.field);
            if fields.clone().any(is_changed) {
                let missing = fields.clone().filter(|field| self.known(field).is_none());
                let attributes: Vec<_> = missing.map(str::to_owned).collect();
                if !attributes.is_empty() {
                    return Err(self.fail(ErrorKind::Incomplete { attributes }));
                }
                beside.extend(fields);
            }
        }
        beside.sort_unstable();
        beside.dedup();
        for field in beside {
            self.keep(field)?;
        }
        Ok(())
    }

    /// Returns which indexes get a new key: those with a changed field, and those that share an
    /// attribute with one of them, because it stays while one of them needs it.
    fn affected(&self, is_changed: &impl Fn(&str) -> bool) -> Vec<bool> {
        let indexes: Vec<_> = self.declared.entity.built_indexes().collect();
        let mut affected: Vec<bool> = indexes
            .iter()
            .map(|index| index.fields().any(is_changed))
            .collect();
        let own = |index: &EntityIndex| {
            let names = index.halves(self.schema).map(|(key, _)| key.name);
            names
                .filter(|name| !self.schema.is_key(name))
                .collect::<Vec<_>>()
        };
        loop {
            let before = affected.clone();
            for (i, index) in indexes.iter().enumerate() {
                let shares = |(j, other): (usize, &&EntityIndex)| {
                    before[j] && own(index).iter().any(|name| own(other).contains(name))
                };
                affected[i] |= indexes.iter().enumerate().any(shares);
            }
            if affected == before {
                return affected;
            }
        }
    }

    /// Sets an index attribute, instead of the value of a field with the same name. The table's own
    /// key, which an index may share, stays.
    fn set_key_attribute(&mut self, name: &'static str, value: Option<AttributeValue>) {
        if self.schema.is_key(name) {
            return;
        }
        self.updates.retain(|update| update.name() != Some(name));
        let action = value.map_or(UpdateAction::Remove, UpdateAction::Set);
        self.updates.push(AttributeUpdate::attribute(name, action));
    }

    /// The stored value of a field must be the one that the new keys were made with.
    fn keep(&mut self, field: &'static str) -> Result<(), Error> {
        let in_primary = self
            .declared
            .entity
            .primary_fields()
            .any(|part| part == field);
        if in_primary {
            return Ok(());
        }
        // A sibling of two fields may be given twice; if the values differ, one of them is wrong.
        let said: Vec<_> = self.known.iter().filter(|it| it.field == field).collect();
        let Some(known) = said.first() else {
            return Ok(());
        };
        if said.iter().any(|other| other.part != known.part) {
            let attribute = attribute_of(self.declared.entity, field).map_or(field, |it| it.name);
            let attribute = attribute.to_owned();
            return Err(self.fail(ErrorKind::Conflict { attribute }));
        }
        let fail = |reason: &String| {
            let attribute = format!("{field}: {reason}");
            self.fail(ErrorKind::Encode { attribute })
        };
        // A new item would not have the value; but an absent value is also absent from a new item.
        if self.may_create && known.part.is_some() {
            let attributes = vec![field.to_owned()];
            return Err(self.fail(ErrorKind::Incomplete { attributes }));
        }
        let value = known.value().map_err(|reason| fail(&reason))?;
        let unchanged = match attribute_of(self.declared.entity, field) {
            Some(attribute) => Unchanged {
                attribute: attribute.name.to_owned(),
                value: self.stored_form(attribute, known).unwrap_or(value),
                hidden: attribute.sensitive,
                counts: false,
            },
            None => match self.key_with(field)? {
                Some(unchanged) => unchanged,
                None => return Ok(()),
            },
        };
        self.unchanged.push(unchanged);
        Ok(())
    }

    /// Where a field's attribute is itself the key of an index, it is stored as the key is written.
    fn stored_form(
        &self,
        attribute: &AttributeSchema,
        known: &Known,
    ) -> Option<Option<AttributeValue>> {
        let part = known.part.clone();
        let fields = KeyFields::default().with(
            known.field,
            part.as_ref().map(crate::key::fields::OwnedPart::value),
        );
        self.declared.entity.indexes.iter().find_map(|index| {
            let mut halves = index.halves(self.schema);
            let (key, template) = halves.find(|(key, _)| key.name == attribute.name)?;
            let value = fields.build(template, key, self.declared.entity).ok()?;
            Some(value.map(wire::key_value))
        })
    }

    /// A field that is stored only in keys has not changed if such a key has not.
    fn key_with(&self, field: &'static str) -> Result<Option<Unchanged>, Error> {
        let fields = self.known_fields();
        // Not every item has the key of a conditional index.
        let indexes = self.declared.entity.indexes.iter();
        for index in indexes.filter(|index| index.when.is_none()) {
            for (key, template) in index.halves(self.schema) {
                if !template.parts.iter().any(|part| part.field == field) {
                    continue;
                }
                let value = fields
                    .build(template, key, self.declared.entity)
                    .map_err(key_error(self.context.operation))?;
                return Ok(Some(Unchanged {
                    attribute: key.name.to_owned(),
                    value: value.map(wire::key_value),
                    hidden: self.declared.entity.is_sensitive(|it| it.field == field),
                    counts: false,
                }));
            }
        }
        Ok(None)
    }

    pub(super) fn count_version(&mut self, keep: Keep) {
        if let Some(version) = version_of(self.declared.entity)
            && (self.may_create || !self.updates.is_empty())
        {
            let one = AttributeValue::N("1".into());
            let action = match (keep.version, self.may_create) {
                (false, _) => UpdateAction::Increment(one),
                (true, true) => UpdateAction::SetIfAbsent(one),
                (true, false) => return,
            };
            self.updates
                .push(AttributeUpdate::attribute(version.name, action));
        }
    }

    /// An item that an upsert creates has all that an item must have.
    pub(super) fn complete(&mut self) -> Result<(), Error> {
        for field in self.declared.entity.primary_fields() {
            let (Some(attribute), Some(known)) =
                (attribute_of(self.declared.entity, field), self.known(field))
            else {
                continue;
            };
            let is_key = self.schema.is_key(attribute.name);
            let made = self.updates.iter().any(|it| it.makes(attribute.name));
            if let (false, false, Ok(Some(value))) = (is_key, made, known.value()) {
                let set = AttributeUpdate::attribute(attribute.name, UpdateAction::Set(value));
                self.updates.push(set);
            }
        }
        let entity_type = self
            .schema
            .entity_type
            .zip(self.declared.entity.entity_type);
        if let Some((attribute, entity_type)) = entity_type {
            let value = UpdateAction::Set(AttributeValue::S(entity_type.to_owned()));
            self.updates
                .push(AttributeUpdate::attribute(attribute, value));
        }
        for constant in self.declared.entity.constants {
            let value = UpdateAction::Set(constant.attribute());
            self.updates
                .push(AttributeUpdate::attribute(constant.name, value));
        }
        let required = self
            .declared
            .entity
            .attributes
            .iter()
            .filter(|it| it.required);
        let missing = required.filter(|attribute| {
            !self.schema.is_key(attribute.name)
                && !self.updates.iter().any(|it| it.makes(attribute.name))
        });
        let missing = missing.map(|it| it.field);
        // Not every field of a key is a required attribute: some are stored only in keys, some have
        // a default, which the key would not contain.
        let fields = self.fields();
        let indexes = self
            .declared
            .entity
            .built_indexes()
            .filter(|index| !index.sparse && index.may_have(&fields));
        let in_keys = indexes
            .flat_map(EntityIndex::fields)
            .filter(|field| fields.get(field).is_none());
        let mut attributes: Vec<String> = Vec::new();
        for field in missing.chain(in_keys) {
            if !attributes.iter().any(|known| known == field) {
                attributes.push(field.to_owned());
            }
        }
        if attributes.is_empty() {
            Ok(())
        } else {
            Err(self.fail(ErrorKind::Incomplete { attributes }))
        }
    }

    /// The immutable fields that an upsert sets: a stored item must have the same values.
    pub(super) fn immutable(&self) -> Vec<Immutable> {
        let (table, entity) = (self.schema, self.declared.entity);
        let set = |attribute: &AttributeSchema| {
            let update = self.updates.iter().find(|it| it.is_of(attribute.name))?;
            Some(match &update.action {
                UpdateAction::Set(value) => Some(value.clone()),
                _ => None,
            })
        };
        let immutable = entity.attributes.iter().filter(|it| it.immutable);
        let set = immutable.filter_map(|it| Some(Immutable::new(table, entity, it, set(it)?)));
        set.collect()
    }

    /// Marks the values that no text may show: also those that the library sets, such as the keys
    /// of indexes.
    pub(super) fn hide_sensitive(&mut self) {
        let (table, entity) = (self.schema, self.declared.entity);
        if !entity.has_sensitive() {
            return;
        }
        for update in &mut self.updates {
            let hides = update.name().is_some_and(|name| entity.hides(table, name));
            if hides && !update.path.is_hidden() {
                update.path = update.path.clone().then(Step::Hidden);
            }
        }
    }

    /// Refuses an expiry that DynamoDB would not understand.
    pub(super) fn check_ttl(&self, db: &Dynamo) -> Result<(), Error> {
        let Some(ttl) = ttl::of(self.schema, self.declared.entity) else {
            return Ok(());
        };
        for update in self.updates.iter().filter(|it| it.is_of(ttl.name)) {
            if let UpdateAction::Set(value) | UpdateAction::SetIfAbsent(value) = &update.action {
                ttl::check(&self.context, ttl.name, db.moment(), value)?;
            }
        }
        Ok(())
    }

    /// Returns the writes of unique items: from one value to another, with the expiry of the item.
    /// `known_ttl` is its current expiry.
    pub(super) fn moves(
        &mut self,
        db: &Dynamo,
        key: &ItemKey,
        known_ttl: Option<&KnownTtl>,
    ) -> Result<Vec<PreparedWrite>, Error> {
        let entity = self.declared.entity;
        if entity.uniques.is_empty() {
            return Ok(Vec::new());
        }
        let parts = entity.uniques.iter().flat_map(|it| it.template.parts);
        let fields: Vec<_> = parts.map(|part| part.field).collect();
        let moved = fields.iter().any(|field| self.changed.get(field).is_some());
        let ttl = ttl::of(self.schema, entity);
        let expiry = ttl.map(|ttl| self.updates.iter().find(|it| it.is_of(ttl.name)));
        let expiry = expiry.flatten().map(|it| it.action.clone());
        if !moved && expiry.is_none() {
            return Ok(Vec::new());
        }
        let missing = |fields: Vec<&str>| ErrorKind::Incomplete {
            attributes: fields.into_iter().map(str::to_owned).collect(),
        };
        let unknown = |field: &&&str| self.known(field).is_none();
        let unknown: Vec<&str> = fields.iter().filter(unknown).copied().collect();
        if !moved && !unknown.is_empty() {
            return Err(self.fail(missing(unknown)));
        }
        // A value that differs from every expiry: the items are written again.
        let other = AttributeValue::Null(true);
        let (from, to) = match (ttl, expiry, known_ttl) {
            (None, ..) => (None, None),
            (Some(_), Some(UpdateAction::Set(value)), _) => (Some(other), Some(value)),
            (Some(_), Some(UpdateAction::Remove), _) => (Some(other), None),
            (Some(ttl), None, Some(KnownTtl(known))) => {
                self.unchanged.push(Unchanged {
                    attribute: ttl.name.to_owned(),
                    value: known.clone(),
                    hidden: ttl.sensitive,
                    counts: false,
                });
                (known.clone(), known.clone())
            }
            (Some(ttl), ..) => return Err(self.fail(missing(vec![ttl.field]))),
        };
        if !moved {
            for field in fields {
                self.keep(field)?;
            }
        }
        let owner = unique::Owner {
            db,
            context: &self.context,
            schema: self.schema,
            entity,
            key,
        };
        unique::moves(
            owner,
            Some(unique::Holder {
                fields: &self.known_fields(),
                ttl: from.as_ref(),
            }),
            Some(unique::Holder {
                fields: &self.fields(),
                ttl: to.as_ref(),
            }),
        )
    }
}

/// Returns whether a field is in the key of an index, or in a unique constraint.
fn is_in_key(entity: &EntitySchema, field: &str) -> bool {
    let mut uniques = entity.uniques.iter().flat_map(|it| it.template.parts);
    let mut indexes = entity.built_indexes().flat_map(EntityIndex::fields);
    indexes.any(|part| part == field) || uniques.any(|part| part.field == field)
}
