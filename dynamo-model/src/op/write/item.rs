//! An entity as a stored item: its attributes, its keys in the table and in every index, its entity
//! type, version and times.

use super::failure::{Guard, Presence, Unchanged};
use super::immutable::Immutable;
use super::native::{self, NativeValues};
use super::prepared::{Action, PreparedWrite};
use super::unique::{Holder, Owner};
use super::{Declared, Encodable, StampOn, Writable, ttl};
use crate::clock::Moment;
use crate::db::Dynamo;
use crate::entity::Items;
use crate::error::{ContextKey, Error, ErrorContext, ErrorKind, KeyError};
use crate::expr::update::{self, AttributeUpdate, UpdateAction};
use crate::expr::{Aliases, RawPath, Step};
use crate::key::ItemKeyAttribute;
use crate::key::fields::KeyFields;
use crate::key::item::{Source, any_key, attributes};
use crate::key::{KeyRef, KeyValue, RawKey};
use crate::request::ReturnValues;
use crate::schema::{AttributeRole, AttributeSchema, EntitySchema, TableSchema};
use crate::wire::{
    self, AttributeHandling, AttributeHandlings, Item, ItemBuilder, ItemKey, ItemWriter, RawItem,
    Refused, StoredItem,
};
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::{BTreeMap, BTreeSet};

/// An entity, ready to be written.
pub(super) struct EncodedItem {
    pub(super) context: ErrorContext,
    pub(super) schema: &'static TableSchema,
    pub(super) entity: &'static EntitySchema,
    pub(super) item: RawItem,
    pub(super) key: ItemKey,
    /// As they are in the item.
    pub(super) fields: KeyFields,
    /// The same fields, from a stored item.
    pub(super) stored_fields: fn(StoredItem<'_>) -> Result<KeyFields, Error>,
    /// The version that the entity was read with.
    pub(super) version: Option<(&'static str, Option<AttributeValue>)>,
    /// When it expires.
    pub(super) ttl: Option<AttributeValue>,
    pub(super) bytes: usize,
    pub(super) mode: Mode,
    /// The time of creation, if the entity has none and no key contains it.
    created: Option<&'static str>,
}

/// The purpose of writing an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// It is new.
    Create,
    /// It takes the place of the version that was read.
    Put,
    /// Its attributes take the place of those that were read; other attributes stay.
    Merge,
    /// It is stored with its version and times, over any stored item.
    Load,
}

impl Mode {
    /// Returns its name in errors.
    pub(super) fn operation(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Put => "put",
            Self::Merge => "merge",
            Self::Load => "load",
        }
    }

    /// Returns what DynamoDB is asked to return: a put returns only the old item.
    pub(super) fn returns(self, returned: ReturnValues) -> ReturnValues {
        match (self, returned) {
            (Self::Merge, returned) => returned,
            (_, ReturnValues::AllOld) => ReturnValues::AllOld,
            _ => ReturnValues::Nothing,
        }
    }
}

/// The stored parts of an entity, before the handle is known: its attributes, and its keys or the
/// fields that build them. The handle adds the table's name and the time.
#[doc(hidden)]
pub struct EntityItem {
    declared: Declared,
    attributes: Result<ItemWriter, Refused>,
    keys: ItemKeys,
    native: NativeValues,
    stored_fields: fn(StoredItem<'_>) -> Result<KeyFields, Error>,
}

/// Hides the item, which may contain a sensitive field.
impl core::fmt::Debug for EntityItem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EntityItem")
            .field("entity", &self.entity())
            .finish_non_exhaustive()
    }
}

/// The keys of an item. An entity that keeps times may have one in a key, so its keys are built
/// when the time is known.
enum ItemKeys {
    Built(Result<Vec<ItemKeyAttribute>, KeyError>),
    Fields(KeyFields),
}

impl EntityItem {
    /// Encodes an entity. Only the part that depends on its type is here; the rest is compiled
    /// once.
    pub(crate) fn of<E: Writable<Whole: Encodable>>(entity: &E) -> Self {
        let declared = Declared::of::<E>();
        let attributes = ItemWriter::write(entity.whole(), handlings(declared));
        let keys = ItemKeys::of(entity, declared, attributes.is_err());
        Self {
            declared,
            attributes,
            keys,
            native: NativeValues::of(entity, declared),
            stored_fields: E::stored_fields,
        }
    }

    /// For generated code: an unknown item of an items enum, which cannot be written.
    #[must_use]
    pub fn unknown<I: Items>() -> Self {
        let declared = Declared::unknown::<I>();
        Self {
            declared,
            attributes: ItemWriter::write(
                &BTreeMap::<&str, ()>::new(),
                AttributeHandlings::default(),
            ),
            keys: ItemKeys::Built(Err(KeyError::unknown_item(I::NAME))),
            native: NativeValues::default(),
            stored_fields: |_| Ok(KeyFields::default()),
        }
    }

    pub(super) fn entity(&self) -> &'static str {
        self.declared.entity.entity
    }

    /// Adds times, keys, entity type and version.
    pub(super) fn encode(
        self,
        db: &Dynamo,
        operation: &'static str,
        mode: Mode,
    ) -> Result<EncodedItem, Error> {
        let Self {
            declared,
            attributes,
            keys,
            native,
            stored_fields,
        } = self;
        let (schema, entity) = (declared.table, declared.entity);
        let context = declared.context(db, operation, None);
        let mut item = ItemBuilder::new(&context, attributes)
            .map_err(|error| error.with_key(keys.shown(declared)))?;
        let mut created = None;
        let (fields, attributes) = match keys {
            ItemKeys::Built(attributes) => (KeyFields::default(), attributes),
            ItemKeys::Fields(mut fields) => {
                if !declared.stamps.is_empty() {
                    let now = db.moment();
                    created = stamp(declared, &context, now, mode, &mut item, &mut fields)?;
                }
                let attributes = fields.attributes(schema, entity);
                (fields, attributes)
            }
        };
        let attributes = attributes.map_err(|error| Error::key(context.operation, error))?;
        let expires = ttl::of(schema, entity);
        let expires = expires.and_then(|it| Some((it, item.get(it.name)?.clone())));
        let key = add_keys(schema, entity, attributes, &mut item);
        let context = context.at(entity, (&key).into());
        native.check(declared, &context, &item)?;
        let version = bump_version(entity, mode, &mut item);
        if let Some((attribute, value)) = &expires {
            ttl::check(&context, attribute.name, db.moment(), value)?;
        }
        let (item, bytes) = item.finish(&context)?;
        Ok(EncodedItem {
            context,
            schema,
            entity,
            item,
            key,
            fields,
            stored_fields,
            version,
            ttl: expires.map(|(_, value)| value).filter(|it| !it.is_null()),
            bytes,
            mode,
            created,
        })
    }
}

impl ItemKeys {
    /// Most entities have no times: they need no clock, and their keys do not depend on it.
    fn of(source: &dyn Source, declared: Declared, is_broken: bool) -> Self {
        let (schema, entity) = (declared.table, declared.entity);
        if is_broken || !declared.stamps.is_empty() || !entity.uniques.is_empty() {
            Self::Fields(KeyFields::of(source, entity))
        } else {
            Self::Built(attributes(source, schema, entity))
        }
    }

    /// The primary key of an item that cannot be written, if it can be built.
    #[cold]
    fn shown(&self, declared: Declared) -> Option<ContextKey> {
        let (schema, entity) = (declared.table, declared.entity);
        let key = match self {
            Self::Fields(fields) => any_key(fields, schema, entity, None).ok()??,
            Self::Built(attributes) => {
                let attributes = attributes.as_ref().ok()?;
                let value = |name| {
                    let attribute = attributes.iter().find(|it| it.name == name)?;
                    attribute.value.clone()
                };
                let sk = schema.sk.and_then(|sk| value(sk.name));
                RawKey {
                    pk: value(schema.pk.name)?,
                    sk,
                }
            }
        };
        let hidden = entity.hidden_key();
        Some(hidden.unwrap_or_else(|| key.to_string()).into())
    }
}

/// Returns the attributes with special handling.
fn handlings(declared: Declared) -> AttributeHandlings {
    let Declared {
        table,
        entity,
        stamps,
    } = declared;
    let mut handlings = AttributeHandlings::with_capacity(8 + 2 * entity.indexes.len());
    for stamp in stamps {
        handlings.push(stamp.attribute, AttributeHandling::Kept);
    }
    for attribute in entity.attributes {
        match attribute.role {
            AttributeRole::Version | AttributeRole::Ttl => {
                handlings.push(attribute.name, AttributeHandling::Kept);
            }
            AttributeRole::KeyOnly => handlings.push(attribute.name, AttributeHandling::Replaced),
            _ => {}
        }
    }
    handlings.push(table.pk.name, AttributeHandling::Replaced);
    if let Some(sk) = table.sk {
        handlings.push(sk.name, AttributeHandling::Replaced);
    }
    for index in entity.indexes {
        for (key, _) in index.halves(table) {
            handlings.push(key.name, AttributeHandling::Replaced);
        }
    }
    if let Some(entity_type) = entity.entity_type.and(table.entity_type) {
        handlings.push(entity_type, AttributeHandling::Replaced);
    }
    handlings.add_forms(table, entity);
    native::keep(&mut handlings, table, entity);
    handlings
}

/// Sets the times of the library. The time of creation stays if it is set, and so does every time
/// of an imported item. Returns the time of creation, if it was not set and no key contains it.
fn stamp(
    declared: Declared,
    context: &ErrorContext,
    now: Moment,
    mode: Mode,
    item: &mut ItemBuilder,
    fields: &mut KeyFields,
) -> Result<Option<&'static str>, Error> {
    let mut created = None;
    for stamp in declared.stamps {
        let keeps = stamp.on == StampOn::Create || mode == Mode::Load;
        if keeps && !stamp.is_unset(item.get(stamp.attribute)) {
            continue;
        }
        let stamped = stamp.at(declared, now).map_err(|error| error.at(context))?;
        item.set(stamp.attribute, stamped.value);
        if fields.get(stamp.field).is_some() {
            fields.set(stamp.field, Some(stamped.part));
        } else if stamp.on == StampOn::Create {
            created = Some(stamp.attribute);
        }
    }
    Ok(created)
}

/// Adds the key attributes, over serde's attributes of the same name, and removes fields that are
/// stored only in keys. Returns the table's key.
pub(crate) fn add_keys(
    schema: &TableSchema,
    entity: &EntitySchema,
    attributes: Vec<ItemKeyAttribute>,
    item: &mut ItemBuilder,
) -> ItemKey {
    for attribute in entity.attributes {
        if attribute.role == AttributeRole::KeyOnly {
            item.remove(attribute.name);
        }
    }
    if let (Some(attribute), Some(entity_type)) = (schema.entity_type, entity.entity_type) {
        item.set_key(attribute, KeyRef::S(entity_type));
    }
    for constant in entity.constants {
        item.set(constant.name, constant.attribute());
    }
    let (mut pk, mut sk) = (None, None);
    for ItemKeyAttribute { name, value } in attributes {
        match &value {
            Some(value) => item.set_key(name, value.as_ref()),
            // A null is not a key: DynamoDB would refuse the item.
            None => item.remove(name),
        }
        if name == schema.pk.name {
            pk = value;
        } else if schema.sk.is_some_and(|sk| sk.name == name) {
            sk = value;
        }
    }
    // Every entity has one.
    let pk = pk.unwrap_or_else(|| KeyValue::S(String::new()));
    ItemKey::new(pk, sk)
}

/// The attribute with the number of the lock.
pub(crate) fn version_of(entity: &EntitySchema) -> Option<&'static AttributeSchema> {
    let mut attributes = entity.attributes.iter();
    attributes.find(|attribute| attribute.role == AttributeRole::Version)
}

/// A stored version is never 0, so that 0 means "never stored". Returns the old version.
fn bump_version(
    entity: &EntitySchema,
    mode: Mode,
    item: &mut ItemBuilder,
) -> Option<(&'static str, Option<AttributeValue>)> {
    let name = version_of(entity)?.name;
    let number = match item.get(name) {
        Some(AttributeValue::N(number)) => number.parse::<i128>().unwrap_or_default(),
        _ => 0,
    };
    let next = match mode {
        Mode::Put | Mode::Merge => number + 1,
        Mode::Create | Mode::Load => number.max(1),
    };
    item.set(name, AttributeValue::N(next.to_string()));
    let known = (number != 0).then(|| AttributeValue::N(number.to_string()));
    Some((name, known))
}

impl EncodedItem {
    pub(super) fn holder(&self) -> Holder<'_> {
        Holder {
            fields: &self.fields,
            ttl: self.ttl.as_ref(),
        }
    }

    pub(super) fn owner<'a>(&'a self, db: &'a Dynamo) -> Owner<'a> {
        Owner {
            db,
            context: &self.context,
            schema: self.schema,
            entity: self.entity,
            key: &self.key,
        }
    }

    pub(super) fn key_item(&self) -> Item {
        self.key.to_item(self.schema)
    }

    /// The version must be the one that the entity was read with.
    pub(super) fn version_unchanged(&self) -> Option<Unchanged> {
        let (attribute, value) = self.version.clone()?;
        Some(Unchanged::version(attribute, value))
    }

    /// Returns the write of the item in its mode.
    pub(super) fn write(
        &self,
        guard: Guard,
        condition: Option<crate::Condition>,
    ) -> Result<PreparedWrite, Error> {
        match self.mode {
            Mode::Merge => self.merge(guard, condition),
            Mode::Create | Mode::Put | Mode::Load => self.put(guard, condition),
        }
    }

    /// Sets the attributes of the item, and removes those that the entity declares and the item
    /// does not have.
    fn merge(
        &self,
        guard: Guard,
        condition: Option<crate::Condition>,
    ) -> Result<PreparedWrite, Error> {
        let fail = |kind| Error::new(self.context.clone(), kind, None);
        let item = wire::into_map(&self.context, self.item.clone())?;
        let mut aliases = Aliases::default();
        let mut updates = self.merged(item);
        update::add_old_names(&mut updates, self.schema, self.entity);
        let expression = update::expression(updates, &mut aliases)
            .map_err(|attribute| fail(ErrorKind::ChangedTwice { attribute }))?;
        let (context, key) = (self.context.clone(), self.key.clone());
        let update = Action::Update(expression);
        let mut write = PreparedWrite::new(
            context,
            (self.schema, Some(self.entity)),
            key,
            update,
            self.bytes,
        );
        write.aliases = aliases;
        // Writing the same attributes again changes nothing.
        write.repeats = guard.unchanged.is_empty() && condition.is_none();
        write.guarded(guard, condition)
    }

    fn merged(&self, item: Item) -> Vec<AttributeUpdate> {
        let (schema, entity) = (self.schema, self.entity);
        let indexes = entity.indexes.iter().flat_map(|it| it.halves(schema));
        let declared = entity.attributes.iter().map(|it| it.name);
        let declared = declared.chain(indexes.map(|(key, _)| key.name));
        let unset: BTreeSet<_> = declared
            .filter(|name| !schema.is_key(name) && !item.contains_key(*name))
            .collect();
        let unset = unset
            .into_iter()
            .map(|name| (name.to_owned(), UpdateAction::Remove));
        let set = item.into_iter().filter(|(name, _)| !schema.is_key(name));
        let set = set.map(|(name, value)| match self.created == Some(&*name) {
            true => (name, UpdateAction::SetIfAbsent(value)),
            false => (name, UpdateAction::Set(value)),
        });
        let mut updates: Vec<_> = set.chain(unset).collect();
        // A request does not depend on the order of a hash map.
        updates.sort_by(|(a, _), (b, _)| a.cmp(b));
        let action = |(name, action): (String, UpdateAction)| {
            let hidden = entity.hides(schema, &name);
            let path = RawPath::from(Step::Key(name));
            let path = if hidden {
                path.then(Step::Hidden)
            } else {
                path
            };
            AttributeUpdate { path, action }
        };
        updates.into_iter().map(action).collect()
    }

    /// Puts the item.
    pub(super) fn put(
        &self,
        guard: Guard,
        condition: Option<crate::Condition>,
    ) -> Result<PreparedWrite, Error> {
        let (context, key) = (self.context.clone(), self.key.clone());
        let put = Action::Put(self.item.clone());
        let declared = (self.schema, Some(self.entity));
        PreparedWrite::new(context, declared, key, put, self.bytes).guarded(guard, condition)
    }

    pub(super) fn guard(&self, presence: Presence, check_version: bool) -> Guard {
        let version = self.version_unchanged().filter(|_| check_version);
        Guard {
            presence,
            unchanged: version.into_iter().collect(),
            // A new item cannot differ.
            constants: match presence {
                Presence::Absent => &[],
                Presence::Any | Presence::Present => self.entity.constants,
            },
            immutable: match presence {
                Presence::Absent => Vec::new(),
                Presence::Any | Presence::Present => {
                    Immutable::of_item(self.schema, self.entity, &self.item)
                }
            },
            ..Guard::default()
        }
    }
}

/// For errors of keys that were built before the write was known.
pub(super) fn key_error(operation: &'static str) -> impl Fn(KeyError) -> Error {
    move |error| Error::key(operation, error)
}
