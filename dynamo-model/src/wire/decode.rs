//! From stored items to our types.

use super::json::access::{Expectations, KeyPosition, KeyPositions};
use super::own::{Owned, Owner};
use super::path::Segment;
use super::raw_item::{read_value, value_json};
use super::reason::{Reason, ReasonKind};
use super::{Attributes, Item, RawItem, shown_key};
use crate::entity::{Entity, IndexedBy, Items, Table};
use crate::error::{Error, ErrorContext, ErrorKind, KeyError, Source};
use crate::expr::RawPath;
use crate::index::{IndexMarker, Primary};
use crate::key::ItemKeyAttribute;
use crate::key::fields::OwnedPart;
use crate::key::item::Source as KeySource;
use crate::key::parse::{whole_fields, whole_values};
use crate::key::{self, KeyValue, PartValue};
use crate::op::Projection;
use crate::schema::form::Form;
use crate::schema::undeclared::Undeclared;
use crate::schema::{
    Absent, EntitySchema, IndexSchema, KeyAttribute, KeyType, TableSchema, Template,
};
use crate::unknown::UnknownItem;
use crate::value::Value;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// The requirements on an entity, besides its keys, for reading it. Implemented by the derive.
pub trait Readable: Entity {
    /// Restores fields that are stored only in keys as attributes; for a projection also fields
    /// that its index does not project. The schema is enough for that.
    fn restore(item: &mut ItemKeys<'_>) -> Result<(), KeyError> {
        let (table, entity) = const { (&<Self::Table as Table>::SCHEMA, &Self::SCHEMA) };
        item.restore_wanted(table, entity)
    }
}

/// An entity without borrowed fields, such as `&str`: the response that an item is read from is
/// dropped. The derive implements it, because serde's own bound would fail with a message about
/// lifetimes.
pub trait OwnedFields {}

/// Fields that were put back, by their attributes.
type Restored = Vec<(&'static str, AttributeValue)>;

/// A stored item, whose key fields are restored from its keys.
#[doc(hidden)]
#[derive(Debug)]
pub struct ItemKeys<'i> {
    item: &'i RawItem,
    restored: Restored,
    /// The attributes of a projection.
    wanted: &'static [&'static str],
}

impl<'i> ItemKeys<'i> {
    fn new(item: &'i RawItem, wanted: &'static [&'static str]) -> Self {
        Self {
            item,
            restored: Vec::new(),
            wanted,
        }
    }

    /// Returns whether a field must be read from a key: it is stored only there, or the index does
    /// not project it.
    #[must_use]
    pub fn wants(&self, attribute: &str, key_only: bool) -> bool {
        let missing = || self.wanted.contains(&attribute) && !self.item.contains(attribute);
        (key_only && (self.wanted.is_empty() || self.wanted.contains(&attribute))) || missing()
    }

    /// Returns the item's parsed key in the table or in an index; `None` if the item is not in it.
    pub fn parse<E: IndexedBy<I>, I: IndexMarker>(&self) -> Result<Option<E::Parts>, KeyError> {
        parse::<E, I>(self.item)
    }

    /// Restores missing attributes from any key of the item.
    fn restore_wanted(
        &mut self,
        table: &TableSchema,
        entity: &'static EntitySchema,
    ) -> Result<(), KeyError> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        let indexes = entity.built_indexes();
        let indexes = indexes.map(|it| (Some(it.id), it.pk, it.sk));
        let own = core::iter::once((None, entity.pk, entity.sk));
        for (id, pk, sk) in own.chain(indexes) {
            let (names, templates) = (table.key(id), (pk, sk));
            let missing: Vec<_> = whole_fields(templates)
                .filter_map(|field| entity.attributes.iter().find(|it| it.field == field))
                .filter(|it| self.wants(it.name, false))
                .collect();
            if missing.is_empty() {
                continue;
            }
            let fields = read_fields(self.item, names, templates)?;
            for attribute in missing {
                let value = fields.iter().find(|(field, _)| *field == attribute.field);
                if let Some((_, value)) = value {
                    self.restore(attribute.name, value.value());
                }
            }
        }
        Ok(())
    }

    /// Puts a field back, in its plain form, if it has a value.
    pub fn restore(&mut self, attribute: &'static str, value: PartValue<'_>) {
        let value = match value {
            PartValue::Absent => return,
            PartValue::Text(text) => AttributeValue::S(text.to_owned()),
            PartValue::Boolean(value) => AttributeValue::Bool(value),
            PartValue::Integer { .. } | PartValue::Decimal { .. } => {
                AttributeValue::N(value.to_string())
            }
            PartValue::Bytes(bytes) => AttributeValue::B(bytes.to_vec().into()),
            _ => AttributeValue::S(value.to_string()),
        };
        self.restored.push((attribute, value));
    }
}

fn parse<E: IndexedBy<I>, I: IndexMarker>(
    item: &impl Attributes,
) -> Result<Option<E::Parts>, KeyError> {
    let (pk, sk) = <E::Table as Table>::SCHEMA.key(I::ID);
    let Some(pk) = item.key_value(pk.name) else {
        return Ok(None);
    };
    match sk.map(|sk| item.key_value(sk.name)) {
        Some(None) => Ok(None),
        Some(Some(sk)) => E::parse(pk.as_ref(), Some(sk.as_ref())).map(Some),
        None => E::parse(pk.as_ref(), None).map(Some),
    }
}

/// Returns the fields that a key of a stored item restores completely; none if the item is not in
/// the index.
fn read_fields(
    item: &RawItem,
    (pk, sk): (KeyAttribute, Option<KeyAttribute>),
    (pk_template, sk_template): (&'static Template, Option<&'static Template>),
) -> Result<Vec<(&'static str, OwnedPart)>, KeyError> {
    let Some(pk_value) = item.key_value(pk.name) else {
        return Ok(Vec::new());
    };
    let mut halves = vec![(pk_template, pk.key_type, pk_value)];
    if let (Some(sk), Some(template)) = (sk, sk_template) {
        let Some(value) = item.key_value(sk.name) else {
            return Ok(Vec::new());
        };
        halves.push((template, sk.key_type, value));
    }
    whole_values(&halves)
}

/// Returns whether a stored item has a key of this entity.
pub(crate) fn has_key_of<E: IndexedBy<Primary>>(item: &impl Attributes) -> bool {
    matches!(parse::<E, Primary>(item), Ok(Some(_)))
}

/// How an item is read.
struct Shape {
    table: &'static TableSchema,
    entity: &'static EntitySchema,
    /// How the entity's items are recognised.
    owned: Owned,
    /// The attribute with the entity type, and the expected entity; if the item has the attribute.
    checked_type: Option<(&'static str, &'static EntitySchema)>,
    /// The attributes that the entity does not declare, if it has a place for them.
    undeclared: Option<Undeclared>,
}

impl Shape {
    /// Returns the names as a constant, so that they are not built for each item.
    const fn of<E: Entity, I: IndexMarker>() -> &'static Self {
        const {
            let (table, entity) = (&<E::Table as Table>::SCHEMA, &E::SCHEMA);
            let owned = Owned::of::<E, I>();
            let checked_type = match (table.entity_type, entity.entity_type) {
                (Some(attribute), Some(_)) if owned.typed => Some((attribute, entity)),
                _ => None,
            };
            &Self {
                table,
                entity,
                owned,
                checked_type,
                undeclared: Undeclared::of(table, entity),
            }
        }
    }

    /// Adds the item's own key to the error context.
    #[cold]
    fn context(&self, context: &ErrorContext, item: &impl Attributes) -> ErrorContext {
        let names = [Some(self.table.pk), self.table.sk];
        let mut names = names.iter().flatten();
        let known = names.all(|it| item.key_value(it.name).is_some());
        match (&context.key, known) {
            // The key of a malformed item cannot be read; the requested key is known.
            (Some(_), false) => context.clone(),
            _ => ErrorContext {
                key: Some(shown_key(self.table, &[self.entity], item).into()),
                ..context.clone()
            },
        }
    }

    #[cold]
    #[inline(never)]
    fn unread(&self, context: &ErrorContext, item: RawItem, unread: Unread) -> Error {
        match unread {
            Unread::Value(reason) => self.unreadable(context, item, reason),
            Unread::Key(error) => self.refused(context, item, error),
            Unread::Misplaced(error) => error,
        }
    }

    /// Skips an item of another entity; otherwise fails with the reason.
    #[cold]
    #[inline(never)]
    fn left_out(&self, context: &ErrorContext, item: RawItem, unread: Unread) -> Result<(), Error> {
        match (self.owned.owner(&item), unread) {
            (Owner::Other, _) => Ok(()),
            (Owner::Unclear(why), Unread::Value(_)) => Err(self.owned.error(context, &item, why)),
            (_, unread) => Err(self.unread(context, item, unread)),
        }
    }

    fn key_positions(&self) -> KeyPositions {
        KeyPositions {
            pk: KeyPosition::of(self.table.pk.name),
            sk: KeyPosition::of(self.table.sk.map_or("", |sk| sk.name)),
        }
    }

    /// Returns the key attribute whose stored value differs from the one that the item's fields
    /// build: a write would go to another item. Index keys are not compared, because every write
    /// stores them again.
    #[inline(never)]
    fn wrong_key(
        &self,
        item: &RawItem,
        KeyPositions { pk, sk }: &KeyPositions,
        source: &dyn KeySource,
    ) -> Option<KeyAttribute> {
        let json = item.bytes();
        let wrong = |position: &KeyPosition, attribute: KeyAttribute, template: &Template| {
            let text = position.text.filter(|_| attribute.key_type == KeyType::S);
            let own = match text.zip(json).and_then(|(text, json)| text.of(json)) {
                Some(text) => Some(template.is_text_of(source, text)),
                None => item.check_key(*position, |stored| {
                    template.is_key_of(attribute.key_type, source, stored)
                }),
            };
            (own == Some(false)).then_some(attribute)
        };
        let own = wrong(pk, self.table.pk, self.entity.pk);
        match (own, self.table.sk, self.entity.sk) {
            (None, Some(attribute), Some(template)) => wrong(sk, attribute, template),
            (own, ..) => own,
        }
    }

    #[cold]
    #[inline(never)]
    fn key_mismatch(
        &self,
        context: &ErrorContext,
        item: &RawItem,
        attribute: KeyAttribute,
        source: &dyn KeySource,
    ) -> Error {
        let template = match self.entity.sk {
            Some(sk) if attribute.name != self.table.pk.name => sk,
            _ => self.entity.pk,
        };
        let built = key::item::build(source, template, attribute, self.entity);
        let stored = item.key_value(attribute.name);
        let placeholder = match &stored {
            Some(KeyValue::S(text)) => template.placeholder_for(source, text),
            _ => None,
        };
        let mut fields = template.parts.iter().map(|part| part.field);
        let shown = !fields.any(|field| self.entity.is_sensitive(|it| it.field == field));
        let text = |key: KeyValue| Some(key.to_string()).filter(|_| shown);
        let kind = ErrorKind::KeyMismatch {
            attribute: attribute.name,
            template: template.text,
            stored: stored.and_then(text),
            built: built.as_ref().ok().cloned().flatten().and_then(text),
            placeholder,
        };
        let source = built.err().map(|error| Box::new(error) as Source);
        Error::new(self.context(context, item), kind, source)
    }

    /// Returns why an item cannot be read: it may be malformed, or belong to another entity.
    fn unreadable(&self, context: &ErrorContext, item: RawItem, reason: Reason) -> Error {
        let context = self.context(context, &item);
        match item.into_map() {
            Err(reason) => broken(context, reason),
            Ok(map) => match self.check_type(&context, &map) {
                Err(other) => other,
                Ok(()) => unreadable(context, self.entity, reason),
            },
        }
    }

    /// Returns why the keys of an item cannot be read: an item of another entity has other keys.
    fn refused(&self, context: &ErrorContext, item: RawItem, error: KeyError) -> Error {
        let context = self.context(context, &item);
        let other = item.into_map().ok();
        let other = other.and_then(|map| self.check_type(&context, &map).err());
        other.unwrap_or_else(|| unreadable_key(context, error))
    }

    /// Returns the checks on an item while it is read. A projection has no undeclared attributes.
    fn expectations(&self, whole: bool) -> Expectations {
        let whole = whole || self.entity.has_flattened;
        Expectations {
            entity_type: self.checked_type,
            undeclared: self.undeclared.filter(|_| whole),
        }
    }

    fn check_type(&self, context: &ErrorContext, item: &Item) -> Result<(), Error> {
        let Some((attribute, entity)) = self.checked_type else {
            return Ok(());
        };
        let found = match item.get(attribute) {
            None if entity.untyped => return Ok(()),
            Some(AttributeValue::S(found)) if entity.has_type(found) => return Ok(()),
            Some(AttributeValue::S(found)) => Some(found.clone()),
            _ => None,
        };
        let expected = entity.entity_type.unwrap_or(entity.entity);
        let kind = ErrorKind::OtherEntity { found, expected };
        Err(Error::new(context.clone(), kind, None))
    }
}

/// Returns all attributes of an item.
pub(crate) fn into_map(context: &ErrorContext, item: RawItem) -> Result<Item, Error> {
    item.into_map()
        .map_err(|reason| broken(context.clone(), reason))
}

/// Returns all attributes of an item, exactly as DynamoDB stores them.
pub(crate) fn values(
    context: &ErrorContext,
    item: RawItem,
) -> Result<BTreeMap<String, Value>, Error> {
    let attributes = into_map(context, item)?.into_iter();
    let attributes = attributes.map(|(name, value)| match Value::try_from(value) {
        Ok(value) => Ok((name, value)),
        Err(error) => {
            let kind = ErrorKind::Decode { path: name };
            Err(Error::new(context.clone(), kind, Some(Box::new(error))))
        }
    });
    attributes.collect()
}

#[cold]
fn broken(context: ErrorContext, reason: Reason) -> Error {
    let kind = ErrorKind::UnreadableResponse {
        status: 200,
        reason: "has a malformed item".into(),
    };
    Error::new(context, kind, Some(reason.into()))
}

#[cold]
fn unreadable_key(context: ErrorContext, error: KeyError) -> Error {
    let path = error.field().unwrap_or("key").to_owned();
    Error::new(context, ErrorKind::Decode { path }, Some(Box::new(error)))
}

/// Decodes an item of its entity. Fails on an item of another entity. `place` is the error context.
pub(crate) fn decode<E: Readable + DeserializeOwned>(
    context: &ErrorContext,
    item: impl Into<RawItem>,
) -> Result<E, Error> {
    let (shape, item) = (Shape::of::<E, Primary>(), item.into());
    let read = read_entity(shape, context, &item);
    read.map_err(|unread| shape.unread(context, item, unread))
}

/// Decodes an item of its entity; `None` for an item of another one. An item that can be decoded,
/// has the type, and has the key that its fields build belongs to the entity; the owner of any
/// other item is looked up only then.
pub(crate) fn decode_own<E: Readable + DeserializeOwned>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<E>, Error> {
    let shape = Shape::of::<E, Primary>();
    match read_entity(shape, context, &item) {
        Ok(entity) => Ok(Some(entity)),
        Err(unread) => shape.left_out(context, item, unread).map(|()| None),
    }
}

fn read_entity<E: Readable + DeserializeOwned>(
    shape: &Shape,
    context: &ErrorContext,
    item: &RawItem,
) -> Result<E, Unread> {
    let mut keys = shape.key_positions();
    let entity = read_shape::<E, E>(shape, item, &mut keys, &[])?;
    match shape.wrong_key(item, &keys, &entity) {
        None => Ok(entity),
        Some(attribute) => {
            let error = shape.key_mismatch(context, item, attribute, &entity);
            Err(Unread::Misplaced(error))
        }
    }
}

/// Decodes a part of an item, from the table or an index; fields that the index does not project
/// are read from the keys. Returns `None` for an item of another entity: without a type its key
/// decides, because a part of its fields builds no key to compare.
pub(crate) fn decode_projection<P, I: IndexMarker>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<P>, Error>
where
    P: Projection<Of: Readable> + DeserializeOwned,
{
    let shape = Shape::of::<P::Of, I>();
    if !shape.owned.is_always_typed() && !shape.owned.is_own(context, &item)? {
        return Ok(None);
    }
    let read = read_shape::<P::Of, P>(shape, &item, &mut shape.key_positions(), P::ATTRIBUTES);
    match read {
        Ok(read) => Ok(Some(read)),
        Err(unread) => shape.left_out(context, item, unread).map(|()| None),
    }
}

/// Why an item could not be read.
enum Unread {
    Value(Reason),
    Key(KeyError),
    /// It could, and is stored at another key than its fields build.
    Misplaced(Error),
}

fn read_shape<E: Readable, T: DeserializeOwned>(
    shape: &Shape,
    item: &RawItem,
    positions: &mut KeyPositions,
    wanted: &'static [&'static str],
) -> Result<T, Unread> {
    let mut keys = ItemKeys::new(item, wanted);
    E::restore(&mut keys).map_err(Unread::Key)?;
    let mut restored = keys.restored;
    if shape.entity.has_absent {
        add_absent(shape.entity, item, wanted, &mut restored);
    }
    let expected = shape.expectations(wanted.is_empty());
    let read = item.read(expected, positions, &restored);
    let read = read.or_else(|reason| read_filled(shape, item, expected, &restored, reason));
    read.map_err(Unread::Value)
}

/// Returns whether the item has the attribute under another name, which serde reads.
fn has_old_name(entity: &EntitySchema, item: &RawItem, attribute: &str) -> bool {
    let mut aliases = entity.aliases.iter().filter(|(name, _)| *name == attribute);
    aliases.any(|(_, names)| names.iter().any(|old| item.contains(old)))
}

/// Adds the values of absent attributes: an empty set, or NULL where serde would miss the
/// attribute.
fn add_absent(
    entity: &EntitySchema,
    item: &RawItem,
    wanted: &'static [&'static str],
    restored: &mut Restored,
) {
    for attribute in entity.attributes {
        let value = match attribute.absent {
            Absent::Missing => continue,
            Absent::Null => AttributeValue::Null(true),
            Absent::EmptySet => AttributeValue::L(Vec::new()),
        };
        let name = attribute.name;
        let is_wanted = wanted.is_empty() || wanted.contains(&name);
        if is_wanted && !item.contains(name) && !has_old_name(entity, item, name) {
            restored.push((name, value));
        }
    }
}

/// Decodes an item again whose nested structs lack fields, with NULL or empty sets for them: writes
/// omit `None`, although a serde function may need a NULL, and empty sets. Returns the original
/// reason if that fails too.
#[cold]
#[inline(never)]
fn read_filled<T: DeserializeOwned>(
    shape: &Shape,
    item: &RawItem,
    expected: Expectations,
    restored: &Restored,
    reason: Reason,
) -> Result<T, Reason> {
    let Some(mut filled) = reason
        .is_missing_within()
        .then(|| item.clone().into_map().ok())
        .flatten()
    else {
        return Err(reason);
    };
    let mut missing = reason.to_missing();
    for _ in 0..MAX_FILLED {
        let Some((path, name)) = &missing else { break };
        if !fill(shape.entity, &mut filled, path, name) {
            break;
        }
        let item = RawItem::Map(filled.clone());
        let mut positions = shape.key_positions();
        match item.read(expected, &mut positions, restored) {
            Ok(read) => return Ok(read),
            Err(next) => missing = next.to_missing(),
        }
    }
    Err(reason)
}

/// Nested fields of one item that are filled in before it counts as unreadable.
const MAX_FILLED: usize = 64;

/// Adds the value of an absent field of a nested struct; returns false if it exists.
fn fill(entity: &EntitySchema, item: &mut Item, path: &[Segment], name: &str) -> bool {
    let Some((Segment::Name(first), rest)) = path.split_first() else {
        return false;
    };
    let attribute = entity.attributes.iter().find(|it| it.name == first);
    let mut form = attribute.map_or(Form::Plain, |it| it.form);
    let Some(mut value) = item.get_mut(first) else {
        return false;
    };
    for segment in rest {
        let (next, inner) = match (segment, value) {
            (Segment::Name(name), AttributeValue::M(map)) => {
                let inner = match form {
                    Form::Fields(_) => form.field(name).0,
                    form => form.each(),
                };
                (map.get_mut(name), inner)
            }
            (Segment::Index(at), AttributeValue::L(list)) => (list.get_mut(*at), form.each()),
            _ => return false,
        };
        let Some(next) = next else { return false };
        (value, form) = (next, inner);
    }
    let AttributeValue::M(map) = value else {
        return false;
    };
    let absent = match form.field(name).0.is_set() {
        true => AttributeValue::L(Vec::new()),
        false => AttributeValue::Null(true),
    };
    map.insert(name.to_owned(), absent).is_none()
}

#[cold]
fn unreadable(context: ErrorContext, entity: &EntitySchema, reason: Reason) -> Error {
    let (what, path) = reason.into_parts();
    let (within, attribute) = (path.to_string(), path.attribute().map(str::to_owned));
    let (path, source): (String, Source) = match (what, attribute) {
        (what, Some(attribute)) if entity.is_sensitive(|it| it.name == attribute) => {
            // Types alone are not sensitive.
            let types = within == attribute && matches!(what, ReasonKind::Types { .. });
            let shown = if types { &what.to_string() } else { HIDDEN };
            (attribute, shown.into())
        }
        (ReasonKind::Missing(name), attribute) => {
            let path = attribute.map_or_else(|| name.into(), |_| format!("{within}.{name}"));
            let needs = format!("missing, and `{}` needs it", entity.entity);
            (path, needs.into())
        }
        (what, Some(_)) => (within, what.into()),
        // Without a path it may be any attribute.
        (_, None) if entity.is_sensitive(|_| true) => (within, HIDDEN.into()),
        (what, None) => (within, what.without_path().into()),
    };
    Error::new(context, ErrorKind::Decode { path }, Some(source))
}

/// Of a sensitive attribute neither the value is shown nor where in it the mistake is.
const HIDDEN: &str = "the value, which is sensitive, is of another type or form";

/// Returns one attribute of an item, from the item or from its keys; `None` if it cannot be read.
pub(crate) fn attribute_of<E: Readable, T: DeserializeOwned>(
    item: &RawItem,
    attribute: &'static str,
) -> Option<T> {
    if item.contains(attribute) {
        return item.value(attribute);
    }
    let mut keys = ItemKeys::new(item, &[]);
    E::restore(&mut keys).ok()?;
    let restored = keys.restored.into_iter();
    let (_, value) = restored.rev().find(|(name, _)| *name == attribute)?;
    read_value(&value_json(&value)).ok()
}

/// Reads one attribute, or a value within it; `None` if it is absent.
pub(crate) fn decode_attribute<T: DeserializeOwned>(
    context: &ErrorContext,
    entity: &EntitySchema,
    item: &Item,
    path: &RawPath,
) -> Result<Option<T>, Error> {
    let Some(value) = path.find(item).filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let name = path.name().unwrap_or_default();
    let read = read_value(&value_json(value)).map_err(|reason| {
        let reason = reason.within(Segment::Name(name.to_owned()));
        unreadable(context.clone(), entity, reason)
    })?;
    Ok(Some(read))
}

/// An entity that can be read. `M` is always [`Serde`]; it is a parameter so that the derive of an
/// items enum can require it without knowing whether its entities implement serde.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an item",
    label = "`{Self}` does not implement `serde::Deserialize`, or has a field that borrows",
    note = "write `#[derive(serde::Deserialize)]` on `{Self}`; declare a field that borrows, such \
            as `&str`, as `String` or `Cow<'_, str>`"
)]
pub trait Decodable<M>: Sized {
    #[doc(hidden)]
    fn decode(item: StoredItem<'_>) -> Result<Self, Error>;
    /// Returns `None` if the item is of another entity.
    fn decode_own(item: StoredItem<'_>) -> Result<Option<Self>, Error>;
}

/// See [`Decodable`].
#[derive(Debug)]
pub struct Serde;

#[diagnostic::do_not_recommend]
impl<E: Readable + OwnedFields + DeserializeOwned> Decodable<Serde> for E {
    fn decode(StoredItem { context, item }: StoredItem<'_>) -> Result<Self, Error> {
        decode(context, item)
    }

    fn decode_own(StoredItem { context, item }: StoredItem<'_>) -> Result<Option<Self>, Error> {
        decode_own(context, item)
    }
}

/// A received item, and the error context.
#[doc(hidden)]
#[derive(Debug)]
pub struct StoredItem<'p> {
    pub(crate) context: &'p ErrorContext,
    pub(crate) item: RawItem,
}

impl<'p> StoredItem<'p> {
    pub(crate) fn new(context: &'p ErrorContext, item: impl Into<RawItem>) -> Self {
        let item = item.into();
        Self { context, item }
    }
}

/// An enum of entities that can be read. Implemented by the derive.
pub trait ReadItems<M>: Items {
    /// Reads an item of the entity at this place in `ENTITIES`.
    fn decode_as(entity: usize, item: StoredItem<'_>) -> Result<Self, Error>;

    /// The variant for items of no entity of the enum, if it has one.
    const UNKNOWN: Option<fn(UnknownItem) -> Self> = None;
}

/// An item read into the variant of its entity.
pub(crate) fn decode_items<T: ReadItems<Serde>>(
    context: &ErrorContext,
    item: impl Into<RawItem>,
) -> Result<T, Error> {
    let item = item.into();
    let table = const { &<T::Table as Table>::SCHEMA };
    let entity = recognise::<T>(context, &item, table.entity_type.is_some())?;
    match (entity, T::UNKNOWN) {
        (Some(entity), _) => T::decode_as(entity, StoredItem { context, item }),
        (None, Some(variant)) => {
            let context = context_of::<T>(context, table, &item);
            unknown_item(&context, table, item).map(variant)
        }
        (None, None) => Err(unrecognised::<T>(context, table, &item, (None, false))),
    }
}

/// Finds the entity of an item, by its position in `ENTITIES`: by its type where the table has
/// types and the item was read with its type, by its key otherwise. Returns `None` for an item of
/// the variant for unknown items. Fails if the enum has no such variant.
pub(crate) fn recognise<T: Items>(
    context: &ErrorContext,
    item: &RawItem,
    typed: bool,
) -> Result<Option<usize>, Error> {
    let table = const { &<T::Table as Table>::SCHEMA };
    let found = match table.entity_type.filter(|_| typed) {
        Some(attribute) if !item.contains(attribute) => {
            let by_key = by_key::<T>(table, item);
            by_key
                .ok()
                .filter(|at| T::ENTITIES[*at].untyped)
                .ok_or(None)
        }
        Some(attribute) => by_type(T::ENTITIES, item.text(attribute).as_deref()),
        None => by_key::<T>(table, item),
    };
    let found = match found {
        Ok(entity) => return Ok(Some(entity)),
        Err(found) => found,
    };
    // An item without its type, where a declared entity has its key, is damaged and not unknown.
    let damaged =
        typed && table.entity_type.is_some() && found.is_none() && by_key::<T>(table, item).is_ok();
    match T::HAS_UNKNOWN && !damaged {
        true => Ok(None),
        false => Err(unrecognised::<T>(context, table, item, (found, damaged))),
    }
}

fn context_of<T: Items>(
    context: &ErrorContext,
    table: &TableSchema,
    item: &RawItem,
) -> ErrorContext {
    ErrorContext {
        key: Some(shown_key(table, T::ENTITIES, item).into()),
        ..context.clone()
    }
}

#[cold]
fn unrecognised<T: Items>(
    context: &ErrorContext,
    table: &TableSchema,
    item: &RawItem,
    (found, damaged): (Option<String>, bool),
) -> Error {
    let expected = context.entity;
    let kind = ErrorKind::OtherEntity { found, expected };
    let proceed = format!(
        "to read items of no entity of `{0}` as they are, add the variant `#[items(unknown)] Unknown(UnknownItem)` to `{0}`",
        T::NAME
    );
    let source = (!damaged).then(|| proceed.into());
    Error::new(context_of::<T>(context, table, item), kind, source)
}

/// A stored item, with its keys.
#[cold]
fn unknown_item(
    context: &ErrorContext,
    table: &TableSchema,
    item: RawItem,
) -> Result<UnknownItem, Error> {
    let key = |attribute: KeyAttribute| item.key_value(attribute.name);
    let indexes = table.indexes.iter().flat_map(IndexSchema::keys);
    let own = [Some(table.pk), table.sk].into_iter().flatten();
    let names = own.chain(indexes);
    let mut keys: Vec<ItemKeyAttribute> = Vec::new();
    for attribute in names {
        let (name, value) = (attribute.name, key(attribute));
        if value.is_some() && keys.iter().all(|known| known.name != name) {
            keys.push(ItemKeyAttribute { name, value });
        }
    }
    let missing = |attribute: KeyAttribute| {
        let kind = ErrorKind::Decode {
            path: attribute.name.to_owned(),
        };
        Error::new(
            context.clone(),
            kind,
            Some("missing from the item's key".into()),
        )
    };
    let stored = |attribute| key(attribute).ok_or_else(|| missing(attribute));
    Ok(UnknownItem {
        pk: stored(table.pk)?,
        sk: table.sk.map(stored).transpose()?,
        entity_type: table
            .entity_type
            .and_then(|name| item.text(name).map(Into::into)),
        keys,
        attributes: values(context, item)?,
    })
}

/// Returns the entity by its type; fails for a missing or unknown type.
fn by_type(entities: &[&EntitySchema], found: Option<&str>) -> Result<usize, Option<String>> {
    let found = found.ok_or(None)?;
    let own = |entity: &&EntitySchema| entity.has_type(found);
    let known = entities.iter().position(own);
    known.ok_or_else(|| Some(found.into()))
}

/// Does the same in a table without entity types.
fn by_key<T: Items>(table: &TableSchema, item: &RawItem) -> Result<usize, Option<String>> {
    let pk = item.key_value(table.pk.name).ok_or(None)?;
    let sk = table.sk.and_then(|sk| item.key_value(sk.name));
    let owner = T::entity_of(pk.as_ref(), sk.as_ref().map(Into::into));
    let owner = owner.map_err(|_| None)?;
    let same = |entity: &&EntitySchema| entity.entity == owner.entity;
    let known = T::ENTITIES.iter().position(same);
    known.ok_or_else(|| Some(owner.entity.to_owned()))
}
