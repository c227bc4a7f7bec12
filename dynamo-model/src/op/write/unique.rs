//! Unique constraints: a unique item for each value, whose key is the value, written in the same
//! transaction as its owner. It is in the same table, or in one that the constraint names.

use super::failure::{Guard, Presence, Unchanged};
use super::item::EncodedItem;
use super::own_type::OwnType;
use super::prepared::{Action, PreparedWrite};
use super::transaction;
use crate::Condition;
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::key::KeyValue;
use crate::key::fields::KeyFields;
use crate::op::backoff;
use crate::schema::{AttributeRole, AttributeSchema, EntitySchema, TableSchema, UniqueSchema};
use crate::transport::{self, Call, Operation};
use crate::wire::{self, Attributes, Item, ItemKey, Object, StoredItem};
use aws_sdk_dynamodb::types::AttributeValue;

/// The attribute with the owner of the value.
const OWNER: &str = "unique_owner";
/// The entity type of such items.
const ENTITY_TYPE: &str = "#unique";
/// Of an owner in another table: the declared name of the table.
const TABLE: &str = "table";
/// Of an owner in another table: the parts of its key.
const KEY: &str = "key";

/// Whether an item is that of a value, and so no entity's.
pub(crate) fn is_of_value(schema: &TableSchema, item: &impl Attributes) -> bool {
    let keys = 1 + usize::from(schema.sk.is_some());
    match schema.entity_type {
        Some(name) => item.text(name).as_deref() == Some(ENTITY_TYPE),
        None => {
            let ttl = schema.ttl.is_some_and(|ttl| item.contains(ttl));
            item.contains(OWNER) && item.len() == keys + 1 + usize::from(ttl)
        }
    }
}

/// The owner of unique values: its fields, and its expiry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder<'a> {
    pub(crate) fields: &'a KeyFields,
    pub(crate) ttl: Option<&'a AttributeValue>,
}

/// The item that has unique values, as the items of the values refer to it.
#[derive(Clone, Copy)]
pub(crate) struct Owner<'a> {
    pub(crate) db: &'a Dynamo,
    pub(crate) context: &'a ErrorContext,
    pub(crate) schema: &'static TableSchema,
    pub(crate) entity: &'a EntitySchema,
    pub(crate) key: &'a ItemKey,
}

impl Owner<'_> {
    /// The value of a constraint, as the key of its item; `None` where an optional field is absent.
    fn text(&self, unique: &UniqueSchema, fields: &KeyFields) -> Result<Option<String>, Error> {
        let built = fields.build(unique.template, self.table(unique).pk, self.entity);
        match built.map_err(|error| Error::key(self.context.operation, error))? {
            Some(KeyValue::S(text)) => Ok(Some(text)),
            _ => Ok(None),
        }
    }

    /// The table of the items of a constraint.
    fn table(&self, unique: &UniqueSchema) -> &'static TableSchema {
        unique.table.unwrap_or(self.schema)
    }

    /// The item of a value.
    fn sentinel(&self, unique: &UniqueSchema, text: &str, action: Action) -> PreparedWrite {
        let (schema, mut context) = (self.table(unique), self.context.clone());
        if unique.table.is_some() {
            context.table = self.db.deployed_name(schema);
        }
        let value = || KeyValue::S(text.to_owned());
        let key = ItemKey::new(value(), schema.sk.map(|_| value()));
        PreparedWrite::new(context, (schema, None), key, action, 4 * text.len())
    }

    /// The item of a value, which expires together with the item that has the value.
    fn reservation(
        &self,
        unique: &UniqueSchema,
        text: &str,
        ttl: Option<&AttributeValue>,
    ) -> PreparedWrite {
        let mut write = self.sentinel(unique, text, Action::Delete);
        let schema = write.schema;
        let mut item = write.key.to_item(schema);
        item.insert(OWNER.to_owned(), self.named(unique));
        if let Some(entity_type) = schema.entity_type {
            item.insert(
                entity_type.to_owned(),
                AttributeValue::S(ENTITY_TYPE.into()),
            );
        }
        if let Some((name, ttl)) = schema.ttl.zip(ttl) {
            item.insert(name.to_owned(), ttl.clone());
        }
        write.action = Action::Put(item.into());
        write
    }

    /// How the item of a value names its owner: by the parts of the key, and in another table also
    /// by the owner's table.
    fn named(&self, unique: &UniqueSchema) -> AttributeValue {
        let key = owner_key(self.schema, self.key);
        match unique.table {
            None => key,
            Some(_) => owner_apart(self.schema, key),
        }
    }

    /// Gives a value back.
    fn release(&self, unique: &UniqueSchema, text: &str) -> Result<PreparedWrite, Error> {
        let write = self.sentinel(unique, text, Action::Delete);
        self.if_own(unique, write, Guard::default())
    }

    /// Writes the item of a value again.
    fn renew(&self, unique: &UniqueSchema, write: PreparedWrite) -> Result<PreparedWrite, Error> {
        let guard = Guard {
            unique: Some(unique.constraint),
            ..Guard::default()
        };
        self.if_own(unique, write, guard)
    }

    /// Writes a unique item, unless another item has the value: that one keeps it. An item that was
    /// stored without the library has no unique item, so another item may have taken its value.
    fn if_own(
        &self,
        unique: &UniqueSchema,
        write: PreparedWrite,
        guard: Guard,
    ) -> Result<PreparedWrite, Error> {
        let leave = PreparedWrite {
            action: Action::Check,
            ..write.clone()
        };
        let others = self.owns(unique).map(|own| !own);
        let leave = leave.guarded(Guard::default(), others)?;
        let mut write = write.guarded(guard, self.free_or_own(unique))?;
        write.otherwise = Some(Box::new(leave));
        Ok(write)
    }

    /// True if the value is not taken, or by the owner.
    fn free_or_own(&self, unique: &UniqueSchema) -> Option<Condition> {
        let absent = Guard::presence(Presence::Absent).condition(self.table(unique));
        absent.zip(self.owns(unique)).map(|(a, b)| a | b)
    }

    /// True if the value is taken, by the owner.
    fn owns(&self, unique: &UniqueSchema) -> Option<Condition> {
        let own = Unchanged {
            attribute: OWNER.to_owned(),
            value: Some(self.named(unique)),
            hidden: false,
            counts: false,
        };
        let own = Guard {
            unchanged: vec![own],
            ..Guard::default()
        };
        own.condition(self.table(unique))
    }
}

/// The parts of a key, by the names of their attributes.
fn owner_key(schema: &TableSchema, key: &ItemKey) -> AttributeValue {
    let mut parts: Vec<_> = key.to_item(schema).into_iter().collect();
    parts.sort_by(|(a, _), (b, _)| a.cmp(b));
    AttributeValue::L(parts.into_iter().map(|(_, value)| value).collect())
}

/// An owner in another table than the item of its value.
fn owner_apart(schema: &TableSchema, key: AttributeValue) -> AttributeValue {
    let table = AttributeValue::S(schema.name.to_owned());
    AttributeValue::M([(TABLE.to_owned(), table), (KEY.to_owned(), key)].into())
}

/// Takes a value; it must be free.
fn claim(write: PreparedWrite, unique: &UniqueSchema) -> Result<PreparedWrite, Error> {
    let guard = Guard {
        unique: Some(unique.constraint),
        ..Guard::presence(Presence::Absent)
    };
    write.guarded(guard, None)
}

/// The items of all unique values that an item has, as a migration writes them: each value must be
/// free or the item's already.
pub(crate) fn claims_of(owner: Owner<'_>, holder: Holder<'_>) -> Result<Vec<PreparedWrite>, Error> {
    let mut writes = Vec::with_capacity(owner.entity.uniques.len());
    for unique in owner.entity.uniques {
        let Some(text) = owner.text(unique, holder.fields)? else {
            continue;
        };
        let guard = Guard {
            unique: Some(unique.constraint),
            ..Guard::default()
        };
        let write = owner.reservation(unique, &text, holder.ttl);
        writes.push(write.guarded(guard, owner.free_or_own(unique))?);
    }
    Ok(writes)
}

/// Whether the item of a value belongs to the item with this key.
pub(crate) fn is_owned_by(schema: &TableSchema, item: &Item, key: &ItemKey) -> bool {
    let key = owner_key(schema, key);
    let found = item.get(OWNER);
    found == Some(&key) || found == Some(&owner_apart(schema, key))
}

/// Whether two items of values belong to the same item.
pub(crate) fn has_same_owner(a: &Item, b: &Item) -> bool {
    a.get(OWNER) == b.get(OWNER)
}

/// Returns the key of the owner, as text; `None` if the unique item does not contain it.
pub(crate) fn owner_text(schema: &TableSchema, item: &Item) -> Option<String> {
    let shown = |part: &AttributeValue| match part {
        AttributeValue::S(text) | AttributeValue::N(text) => text.clone(),
        other => {
            wire::key_ref(other).map_or_else(|| "?".to_owned(), |it| it.to_value().to_string())
        }
    };
    match item.get(OWNER)? {
        AttributeValue::L(parts) => {
            let names = [Some(schema.pk.name), schema.sk.map(|sk| sk.name)];
            let mut names: Vec<_> = names.into_iter().flatten().map(str::to_owned).collect();
            names.sort_unstable();
            let key: Item = names.into_iter().zip(parts.iter().cloned()).collect();
            Some(wire::shown_key(schema, &[], &key))
        }
        AttributeValue::M(owner) => {
            let (AttributeValue::S(table), AttributeValue::L(parts)) =
                (owner.get(TABLE)?, owner.get(KEY)?)
            else {
                return None;
            };
            let parts: Vec<_> = parts.iter().map(shown).collect();
            Some(format!("{} of table `{table}`", parts.join("/")))
        }
        _ => None,
    }
}

/// The items of a new item's constraints.
pub(super) fn claims(db: &Dynamo, encoded: &EncodedItem) -> Result<Vec<PreparedWrite>, Error> {
    moves(encoded.owner(db), None, Some(encoded.holder()))
}

/// Returns the writes of unique items when fields change from one state to another. `None` is a
/// missing item.
pub(crate) fn moves(
    owner: Owner<'_>,
    from: Option<Holder<'_>>,
    to: Option<Holder<'_>>,
) -> Result<Vec<PreparedWrite>, Error> {
    let ttl = |holder: Option<Holder<'_>>| holder.and_then(|holder| holder.ttl.cloned());
    let mut writes = Vec::new();
    for unique in owner.entity.uniques {
        let same_ttl = owner.table(unique).ttl.is_none() || ttl(from) == ttl(to);
        let value = |holder: Option<Holder<'_>>| match holder {
            Some(holder) => owner.text(unique, holder.fields),
            None => Ok(None),
        };
        let (old, new) = (value(from)?, value(to)?);
        let reserved = |value: &str| owner.reservation(unique, value, ttl(to).as_ref());
        if old == new {
            if let (false, Some(value)) = (same_ttl, &new) {
                writes.push(owner.renew(unique, reserved(value))?);
            }
            continue;
        }
        if let Some(old) = old {
            writes.push(owner.release(unique, &old)?);
        }
        if let Some(new) = new {
            writes.push(claim(reserved(&new), unique)?);
        }
    }
    Ok(writes)
}

/// The fields of constraints must be as they were in the stored item, or the wrong values would be
/// given back. Those of the primary key always are.
pub(super) fn unchanged(
    (schema, entity): (&TableSchema, &EntitySchema),
    item: &Item,
) -> Vec<Unchanged> {
    let primary = |field: &str| entity.primary_fields().any(|own| own == field);
    let parts = entity.uniques.iter().flat_map(|it| it.template.parts);
    let attributes = parts
        .filter(|part| !primary(part.field))
        .filter_map(|part| {
            let mut attributes = entity.attributes.iter();
            attributes.find(|attribute| attribute.field == part.field)
        });
    let mut names: Vec<_> = attributes
        .flat_map(|it| stored_in(schema, entity, it).map(|name| (name, it.sensitive)))
        .collect();
    names.sort_unstable();
    names.dedup_by_key(|(name, _)| *name);
    let unchanged = names.into_iter().map(|(name, hidden)| Unchanged {
        attribute: name.to_owned(),
        value: item.get(name).filter(|it| !it.is_null()).cloned(),
        hidden,
        counts: false,
    });
    unchanged.collect()
}

/// Returns the attributes that contain a field: its own, or else its index keys.
fn stored_in<'e>(
    schema: &'e TableSchema,
    entity: &'e EntitySchema,
    attribute: &'e AttributeSchema,
) -> impl Iterator<Item = &'static str> + 'e {
    let is_key_only = attribute.role == AttributeRole::KeyOnly;
    let own = (!is_key_only).then_some(attribute.name);
    let indexes = entity.indexes.iter().filter(move |_| is_key_only);
    let keys = indexes.flat_map(|index| index.halves(schema));
    let with = keys.filter(|(_, template)| {
        let mut parts = template.parts.iter();
        parts.any(|part| part.field == attribute.field)
    });
    own.into_iter().chain(with.map(|(key, _)| key.name))
}

impl Guard {
    /// For an item that was missing when it was read. If one is created meanwhile, its unique
    /// values are unknown, so it must not be written.
    pub(super) fn of_absent(self, context: &ErrorContext) -> Result<Self, Error> {
        if self.expects_an_item() || self.presence == Presence::Present {
            return Err(Error::new(context.clone(), ErrorKind::NotFound, None));
        }
        Ok(Self {
            presence: Presence::Absent,
            ..self
        })
    }
}

/// A put or merge over an item with unknown values: it is read first, and must be unchanged when
/// the new one is written.
pub(super) struct Replace<'a> {
    pub(super) db: &'a Dynamo,
    pub(super) encoded: &'a EncodedItem,
    pub(super) guard: Guard,
    pub(super) condition: Option<Condition>,
}

impl Replace<'_> {
    /// Returns the item that was there.
    pub(super) async fn send(self) -> Result<Option<Item>, Error> {
        let mut attempts = 1;
        loop {
            let old = current(self.db, &self.encoded.context, self.encoded.key_item()).await?;
            let sent = transaction::send(
                self.db,
                &self.encoded.context,
                self.writes(old.as_ref())?,
                None,
            )
            .await;
            match sent {
                Ok(()) => return Ok(old),
                Err(error) if attempts < backoff::ATTEMPTS && self.was_overtaken(&error) => {
                    backoff::wait(attempts).await;
                    attempts += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The writes, for a transaction of which they are a part.
    pub(super) async fn read(&self) -> Result<Vec<PreparedWrite>, Error> {
        let old = current(self.db, &self.encoded.context, self.encoded.key_item()).await?;
        self.writes(old.as_ref())
    }

    fn writes(&self, old: Option<&Item>) -> Result<Vec<PreparedWrite>, Error> {
        let EncodedItem {
            context,
            schema,
            entity,
            stored_fields,
            ..
        } = self.encoded;
        if let Some((own, old)) = OwnType::of(schema, Some(entity)).zip(old) {
            own.check(context, old)?;
        }
        let from = old
            .map(|old| stored_fields(StoredItem::new(context, old.clone())))
            .transpose()?;
        let mut guard = self.guard.clone();
        match old {
            Some(old) => guard.unchanged.extend(unchanged((schema, entity), old)),
            None => guard = guard.of_absent(context)?,
        }
        let mut writes = vec![self.encoded.write(guard, self.condition.clone())?];
        let old_ttl = old.zip(schema.ttl).and_then(|(old, ttl)| old.get(ttl));
        let old_ttl = old_ttl.filter(|it| !it.is_null());
        let from = from.as_ref().map(|fields| Holder {
            fields,
            ttl: old_ttl,
        });
        let to = Some(self.encoded.holder());
        writes.extend(moves(self.encoded.owner(self.db), from, to)?);
        Ok(writes)
    }

    /// Returns whether the only failure is that the item changed since it was read.
    pub(super) fn was_overtaken(&self, error: &Error) -> bool {
        match error.kind() {
            ErrorKind::AlreadyExists => true,
            ErrorKind::NotFound => {
                self.guard.presence == Presence::Any && !self.guard.expects_an_item()
            }
            ErrorKind::Conflict { attribute } => {
                let mut own = self.guard.unchanged.iter();
                !own.any(|own| own.attribute == *attribute)
            }
            _ => false,
        }
    }
}

/// Returns the stored item, read with strong consistency.
pub(crate) async fn current(
    db: &Dynamo,
    context: &ErrorContext,
    key: Item,
) -> Result<Option<Item>, Error> {
    let body = Object::body(512, |request| {
        request.text("TableName", &context.table);
        request.item("Key", &key);
        request.flag("ConsistentRead", true);
    });
    let call = Call::read(Operation::GetItem, &context.table, body);
    let reply = transport::send(db.transport(), call).await;
    let reply = reply.map_err(|error| error.at(context.clone()))?;
    let item = reply.item.map(|item| wire::into_map(context, item));
    item.transpose()
}
