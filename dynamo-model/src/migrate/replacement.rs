//! The writes that replace an item.

use super::migration::Migratable;
use crate::Condition;
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext};
use crate::expr::{RawPath, Step, Term};
use crate::key::fields::KeyFields;
use crate::op::{
    Action, Guard, Holder, PreparedWrite, Presence, Storable, UniqueOwner, add_keys, send_together,
    unique_claims, unique_moves, version_of,
};
use crate::request::ReturnValues;
use crate::schema::{EntitySchema, TableSchema};
use crate::wire::{self, Item, ItemBuilder, ItemKey};
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::BTreeSet;

/// A transaction that deletes the old item and creates the new ones.
#[derive(Debug, Clone)]
pub(super) struct Replacement {
    /// The error context of the replaced item.
    pub(super) context: ErrorContext,
    pub(super) schema: &'static TableSchema,
    pub(super) key: ItemKey,
    pub(super) writes: Vec<PreparedWrite>,
    /// The entities of the old item and of the new ones.
    pub(super) entities: Vec<&'static EntitySchema>,
}

impl Replacement {
    pub(super) async fn send(self, db: &Dynamo) -> Result<(), Error> {
        let mut writes = self.writes;
        match writes.pop() {
            // Half the price of a transaction.
            Some(only) if writes.is_empty() => only.send(db, ReturnValues::Nothing).await.map(drop),
            Some(last) => {
                writes.push(last);
                send_together(db, &self.context, writes, None).await
            }
            None => Ok(()),
        }
    }

    /// Returns the cost without indexes: a unit for each KB, and twice that in a transaction.
    pub(super) fn write_units(&self) -> u32 {
        let kilobytes = |write: &PreparedWrite| write.bytes.div_ceil(1024).max(1);
        let units: usize = self.writes.iter().map(kilobytes).sum();
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        match self.writes.len() {
            1 => units,
            _ => units.saturating_mul(2),
        }
    }
}

/// An encoded entity.
pub(super) struct Encoded {
    db: Dynamo,
    context: ErrorContext,
    schema: &'static TableSchema,
    entity: &'static EntitySchema,
    key: ItemKey,
    item: Item,
    fields: KeyFields,
    bytes: usize,
}

/// Encodes the result of a step. Unlike other writes, it keeps the times, because a migration is
/// not an update by a user.
pub(super) fn encode<E: Storable>(db: &Dynamo, entity: &E) -> Result<Encoded, Error> {
    let schema: &'static TableSchema = const { &<E::Table as Table>::SCHEMA };
    let whole = ErrorContext::of::<E>(db, "migrate", None);
    let schemas = (schema, const { &E::SCHEMA });
    let mut item = ItemBuilder::Map(wire::encode(&whole, entity.whole(), schemas)?);
    let attributes = entity.key_attributes();
    let attributes = attributes.map_err(|error| Error::key("migrate", error))?;
    let key = add_keys(schema, &E::SCHEMA, attributes, &mut item);
    let context = whole.at(&E::SCHEMA, (&key).into());
    count_up(&E::SCHEMA, &mut item);
    let (item, bytes) = item.finish(&context)?;
    let item = wire::into_map(&context, item)?;
    Ok(Encoded {
        db: db.clone(),
        context,
        schema,
        entity: const { &E::SCHEMA },
        key,
        item,
        fields: entity.key_fields(),
        bytes,
    })
}

/// Raises the version, so that a client that read the old item detects the change.
fn count_up(entity: &EntitySchema, item: &mut ItemBuilder) {
    let Some(version) = version_of(entity) else {
        return;
    };
    let number = match item.get(version.name) {
        Some(AttributeValue::N(number)) => number.parse::<i128>().unwrap_or_default(),
        _ => 0,
    };
    let next = AttributeValue::N((number + 1).to_string());
    item.set(version.name, next);
}

impl Encoded {
    pub(super) fn item(&self) -> &Item {
        &self.item
    }

    fn put(&self, entity: Option<&'static EntitySchema>) -> PreparedWrite {
        let (context, key) = (self.context.clone(), self.key.clone());
        let put = Action::Put(self.item.clone().into());
        PreparedWrite::new(context, (self.schema, entity), key, put, self.bytes)
    }

    /// Creates the item on the condition that its key is free.
    fn create(&self) -> Result<PreparedWrite, Error> {
        let absent = Guard::presence(Presence::Absent);
        self.put(Some(self.entity)).guarded(absent, None)
    }

    fn uniques(&self) -> Result<Vec<PreparedWrite>, Error> {
        let owner = UniqueOwner {
            db: &self.db,
            context: &self.context,
            schema: self.schema,
            entity: self.entity,
            key: &self.key,
        };
        let to = Holder {
            fields: &self.fields,
            ttl: self.schema.ttl.and_then(|ttl| self.item.get(ttl)),
        };
        unique_claims(owner, to)
    }

    pub(super) fn has_uniques(&self) -> bool {
        !self.entity.uniques.is_empty()
    }

    /// Returns whether an item is stored as this one will be, except for its version.
    pub(super) fn is_stored_as(&self, stored: &Item) -> bool {
        let version = version_of(self.entity).map(|version| version.name);
        let is_same = |(name, own): (&String, &AttributeValue)| match stored.get(name) {
            Some(stored) if version == Some(name.as_str()) => stored.is_n(),
            Some(stored) => wire::values_eq(own, stored),
            None => false,
        };
        stored.len() == self.item.len() && self.item.iter().all(is_same)
    }
}

/// The replaced item, as read.
pub(super) struct Replaced<'i> {
    pub(super) context: &'i ErrorContext,
    pub(super) schema: &'static TableSchema,
    pub(super) entity: &'static EntitySchema,
    pub(super) item: &'i Item,
    /// `None` where it gives no unique values back.
    pub(super) fields: Option<KeyFields>,
}

impl<'i> Replaced<'i> {
    pub(super) fn new<Old: Migratable>(
        context: &'i ErrorContext,
        item: &'i Item,
        old: &Old,
    ) -> Self {
        let schema: &'static TableSchema = const { &<<Old as Entity>::Table as Table>::SCHEMA };
        Self {
            context,
            schema,
            entity: const { &Old::SCHEMA },
            item,
            fields: (!Old::SCHEMA.uniques.is_empty()).then(|| old.key_fields()),
        }
    }

    /// Replaces an item in place: it keeps its unique values, and missing unique items are created.
    pub(super) fn rewritten<E: Migratable>(context: &'i ErrorContext, item: &'i Item) -> Self {
        Self {
            context,
            schema: const { &<<E as Entity>::Table as Table>::SCHEMA },
            entity: const { &E::SCHEMA },
            item,
            fields: None,
        }
    }

    /// Puts the first in its place, and the others where they belong.
    pub(super) fn by(self, new: Encoded, others: Vec<Encoded>) -> Result<Replacement, Error> {
        let Some(key) = ItemKey::of(self.schema, self.item) else {
            return Err(super::shape::error(self.context, "the item has no key"));
        };
        let stays = self.context.table == new.context.table && key == new.key;
        let unchanged = self.unchanged(&new);
        let guard = || Guard::presence(Presence::Present);
        let mut writes = Vec::with_capacity(2 + others.len());
        if stays {
            // Its type may change: the old type is among the attributes that must be unchanged.
            writes.push(new.put(None).guarded(guard(), Some(unchanged))?);
        } else {
            let bytes = wire::check_item(self.context, self.item)?;
            let context = self.context.clone();
            let declared = (self.schema, None);
            let delete = PreparedWrite::new(context, declared, key.clone(), Action::Delete, bytes);
            writes.push(delete.guarded(guard(), Some(unchanged))?);
            writes.push(new.create()?);
        }
        for other in &others {
            writes.push(other.create()?);
        }
        let mut claims = new.uniques()?;
        for other in &others {
            claims.extend(other.uniques()?);
        }
        writes.extend(handed_over(self.releases(&new.db, &key)?, claims, stays));
        let come = others.iter().chain([&new]).map(|it| it.entity);
        Ok(Replacement {
            context: self.context.clone(),
            schema: self.schema,
            key,
            writes,
            entities: come.chain([self.entity]).collect(),
        })
    }

    /// Requires that every attribute is unchanged, and that no attribute of either entity was
    /// added. This detects concurrent writers. Undeclared attributes cannot be checked, because
    /// DynamoDB has no condition for "no other attributes".
    fn unchanged(&self, new: &Encoded) -> Condition {
        let path = |name: &str| RawPath::from(Step::Key(name.to_owned())).then(Step::Hidden);
        let mut item: Vec<_> = self.item.iter().collect();
        item.sort_by_key(|(name, _)| *name);
        let key = |name: &str| self.schema.is_key(name);
        let there = item.into_iter().filter(|(name, _)| !key(name));
        let there = there.map(|(name, value)| Condition::equal(path(name), value.clone()));
        let attributes = self.entity.attributes.iter().chain(new.entity.attributes);
        let tables = [self.schema, new.schema];
        let indexes = tables.iter().flat_map(|table| table.indexes);
        // The attributes of native keys are declared where an entity has them.
        let indexes = indexes.filter(|index| !index.native);
        let indexes = indexes.flat_map(|index| [Some(index.pk.name), index.sk.map(|sk| sk.name)]);
        let names: BTreeSet<_> = attributes
            .map(|attribute| attribute.name)
            .chain(indexes.flatten())
            .chain(tables.iter().filter_map(|table| table.entity_type))
            .filter(|name| !self.item.contains_key(*name))
            .collect();
        let absent = names.into_iter().map(|name| {
            let path = path(name);
            Condition::term(Term::NotExists(path))
        });
        let all = there.chain(absent).reduce(|a, b| a & b);
        // An item with only key attributes is unchanged if it exists.
        all.unwrap_or_else(|| Condition::term(Term::Exists(path(self.schema.pk.name))))
    }

    fn releases(&self, db: &Dynamo, key: &ItemKey) -> Result<Vec<PreparedWrite>, Error> {
        let owner = UniqueOwner {
            db,
            context: self.context,
            schema: self.schema,
            entity: self.entity,
            key,
        };
        let from = self.fields.as_ref();
        let from = from.map(|fields| Holder { fields, ttl: None });
        unique_moves(owner, from, None)
    }
}

/// Returns the unique values that old and new item have in common: they stay, or move together with
/// the key.
fn handed_over(
    mut releases: Vec<PreparedWrite>,
    claims: Vec<PreparedWrite>,
    stays: bool,
) -> Vec<PreparedWrite> {
    let mut writes = Vec::with_capacity(releases.len() + claims.len());
    for claim in claims {
        let same = |release: &PreparedWrite| release.identity() == claim.identity();
        match releases.iter().position(same) {
            None => writes.push(claim),
            Some(at) => {
                let mut release = releases.remove(at);
                if !stays {
                    // On the condition of the release: that it is the old item's. The new one needs
                    // it.
                    release.guard.unique = claim.guard.unique;
                    release.otherwise = None;
                    release.action = claim.action;
                    writes.push(release);
                }
            }
        }
    }
    writes.extend(releases);
    writes
}
