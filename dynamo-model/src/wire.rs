//! The one seam between our types and DynamoDB's: every operation encodes keys and values, and decodes
//! items, here and nowhere else.

mod encode;
mod limits;

pub(crate) use encode::{Unwritable, encode, json_bytes, key_of, to_item};
pub(crate) use limits::{check_item, check_size, value_bytes};

mod read;
mod reason;

use self::reason::Reason;
use crate::entity::{Entity, IndexedBy, Items, Table};
use crate::error::{Error, ErrorKind, KeyError, Place, Source};
use crate::expr::Step;
use crate::index::{IndexMarker, Primary};
use crate::key::{Key, KeyRef, KeyValue, PartValue};
use crate::op::Projection;
use crate::schema::{EntitySchema, TableSchema};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;
use std::collections::HashMap;

/// An item, or a key, as the SDK has it.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// A key as the SDK wants it.
pub(crate) fn key_value(value: KeyValue) -> AttributeValue {
    match value {
        KeyValue::S(text) => AttributeValue::S(text),
        KeyValue::N(number) => AttributeValue::N(number),
        KeyValue::B(bytes) => AttributeValue::B(bytes.into()),
    }
}

/// A key attribute of an item, if it is one of the three types.
pub(crate) fn key_ref(value: &AttributeValue) -> Option<KeyRef<'_>> {
    match value {
        AttributeValue::S(text) => Some(KeyRef::S(text)),
        AttributeValue::N(number) => Some(KeyRef::N(number)),
        AttributeValue::B(bytes) => Some(KeyRef::B(bytes.as_ref())),
        _ => None,
    }
}

/// The primary key of an item to read.
pub(crate) fn key_item<E: Entity>(key: Key<E>) -> Item {
    let table = <E::Table as Table>::SCHEMA;
    let (pk, sk) = key.into_parts();
    let mut item = HashMap::with_capacity(2);
    item.insert(table.pk.name.to_owned(), key_value(pk));
    if let (Some(attribute), Some(sk)) = (table.sk, sk) {
        item.insert(attribute.name.to_owned(), key_value(sk));
    }
    item
}

/// The primary key of a stored item, as it is stored.
pub(crate) fn stored_key<E: Entity>(item: &Item) -> Option<Key<E>> {
    let table = <E::Table as Table>::SCHEMA;
    let value = |name: &str| {
        Some(match key_ref(item.get(name)?)? {
            KeyRef::S(text) => KeyValue::S(text.to_owned()),
            KeyRef::N(number) => KeyValue::N(number.to_owned()),
            KeyRef::B(bytes) => KeyValue::B(bytes.to_vec()),
        })
    };
    let sk = match table.sk {
        Some(sk) => Some(value(sk.name)?),
        None => None,
    };
    Some(Key::new(value(table.pk.name)?, sk))
}

/// Whether a stored item has a key of this entity.
pub(crate) fn has_key_of<E: IndexedBy<Primary>>(item: &Item) -> bool {
    let keys = ItemKeys::new(item, &[]);
    matches!(keys.parse::<E, Primary>(), Ok(Some(_)))
}

/// Any value as an attribute that DynamoDB takes.
pub(crate) fn value<T: Serialize>(value: &T) -> Result<AttributeValue, serde_dynamo::Error> {
    let value = serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value(value)?;
    limits::size(&value, 0).map_err(serde::ser::Error::custom)?;
    Ok(value)
}

/// What entities need besides their keys to be read. Implemented by the derive.
#[doc(hidden)]
pub trait Readable: Entity {
    /// The fields that live in keys alone, put back as attributes.
    fn restore(item: &mut ItemKeys<'_>) -> Result<(), KeyError>;
}

/// A stored item, from whose keys fields are restored.
#[doc(hidden)]
#[derive(Debug)]
pub struct ItemKeys<'i> {
    item: &'i Item,
    restored: Vec<(&'static str, AttributeValue)>,
    /// Of a projection, the attributes that are asked for.
    wanted: &'static [&'static str],
}

impl<'i> ItemKeys<'i> {
    fn new(item: &'i Item, wanted: &'static [&'static str]) -> Self {
        Self {
            item,
            restored: Vec::new(),
            wanted,
        }
    }

    /// Whether a field must be read from a key: it is nowhere else, or an index did not carry it along.
    #[must_use]
    pub fn wants(&self, attribute: &str, key_only: bool) -> bool {
        let missing = || self.wanted.contains(&attribute) && !self.item.contains_key(attribute);
        (key_only && (self.wanted.is_empty() || self.wanted.contains(&attribute))) || missing()
    }

    /// The item's key in the table or in an index, parsed; `None` where the item is not in it.
    pub fn parse<E: IndexedBy<I>, I: IndexMarker>(&self) -> Result<Option<E::Parts>, KeyError> {
        let (pk, sk) = <E::Table as Table>::SCHEMA.key(I::ID);
        let value = |name: &str| self.item.get(name).and_then(key_ref);
        let (Some(pk), sk) = (value(pk.name), sk.map(|sk| value(sk.name))) else {
            return Ok(None);
        };
        match sk {
            Some(None) => Ok(None),
            Some(sk) => E::parse(pk, sk).map(Some),
            None => E::parse(pk, None).map(Some),
        }
    }

    /// Puts a field back, in its plain form.
    pub fn restore(&mut self, attribute: &'static str, value: PartValue<'_>) {
        let value = match value {
            PartValue::Text(text) => AttributeValue::S(text.to_owned()),
            PartValue::Boolean(value) => AttributeValue::Bool(value),
            PartValue::Integer { .. } => AttributeValue::N(value.to_string()),
            PartValue::Bytes(bytes) => AttributeValue::B(bytes.to_vec().into()),
            _ => AttributeValue::S(value.to_string()),
        };
        self.restored.push((attribute, value));
    }
}

/// An item read into its entity. `place` says what was being done.
pub(crate) fn decode<E: Readable + DeserializeOwned>(
    place: &Place,
    mut item: Item,
) -> Result<E, Error> {
    let table = <E::Table as Table>::SCHEMA;
    let place = Place {
        key: Some(shown_key(&table, &[&E::SCHEMA], &item)),
        ..place.clone()
    };
    check_entity_type(&place, &table, &E::SCHEMA, &item)?;
    let mut keys = ItemKeys::new(&item, &[]);
    E::restore(&mut keys).map_err(|error| unreadable_key(&place, error))?;
    for (name, value) in keys.restored {
        item.insert(name.to_owned(), value);
    }
    deserialize(place, &E::SCHEMA, item)
}

fn check_entity_type(
    place: &Place,
    table: &TableSchema,
    entity: &EntitySchema,
    item: &Item,
) -> Result<(), Error> {
    let (Some(attribute), Some(expected)) = (table.entity_type, entity.entity_type) else {
        return Ok(());
    };
    let found = match item.get(attribute) {
        Some(AttributeValue::S(found)) if found == expected => return Ok(()),
        Some(AttributeValue::S(found)) => found.clone(),
        _ => "item without a type".into(),
    };
    Err(Error::new(
        place.clone(),
        ErrorKind::OtherEntity { found, expected },
        None,
    ))
}

fn unreadable_key(place: &Place, error: KeyError) -> Error {
    let path = error.field().unwrap_or("key").to_owned();
    Error::new(
        place.clone(),
        ErrorKind::Decode { path },
        Some(Box::new(error)),
    )
}

fn deserialize<T: DeserializeOwned>(
    place: Place,
    entity: &EntitySchema,
    item: Item,
) -> Result<T, Error> {
    let item = read::Value(AttributeValue::M(item));
    serde_path_to_error::deserialize(item).map_err(|error| unreadable(place, entity, error))
}

#[cold]
fn unreadable(
    place: Place,
    entity: &EntitySchema,
    error: serde_path_to_error::Error<Reason>,
) -> Error {
    let attribute = match error.path().iter().next() {
        Some(Segment::Map { key }) => Some(key.clone()),
        _ => None,
    };
    let within = error.path().to_string();
    let (path, source): (String, Source) = match (error.into_inner(), attribute) {
        (reason, Some(attribute)) if entity.is_sensitive(|it| it.name == attribute) => {
            // Types alone give nothing away.
            let types = within == attribute && matches!(reason, Reason::Types { .. });
            let shown = if types { &reason.to_string() } else { HIDDEN };
            (attribute, shown.into())
        }
        (Reason::Missing(name), attribute) => {
            let path = attribute.map_or_else(|| name.into(), |_| format!("{within}.{name}"));
            let needs = format!("missing, and `{}` needs it", entity.entity);
            (path, needs.into())
        }
        (reason, Some(_)) => (within, reason.into()),
        // Without a path it may be any of the attributes.
        (_, None) if entity.is_sensitive(|_| true) => (within, HIDDEN.into()),
        (reason, None) => (within, reason.without_path().into()),
    };
    Error::new(place, ErrorKind::Decode { path }, Some(source))
}

/// Of a sensitive attribute neither the value is shown nor where in it the mistake is.
const HIDDEN: &str = "the value, which is sensitive, is of another type or form";

/// A part of an item; what the index did not carry along is read from the keys.
pub(crate) fn decode_projection<P>(place: &Place, mut item: Item) -> Result<P, Error>
where
    P: Projection<Of: Readable> + DeserializeOwned,
{
    let table = <<P::Of as Entity>::Table as Table>::SCHEMA;
    let place = Place {
        key: Some(shown_key(&table, &[&<P::Of as Entity>::SCHEMA], &item)),
        ..place.clone()
    };
    if table
        .entity_type
        .is_some_and(|name| item.contains_key(name))
    {
        check_entity_type(&place, &table, &<P::Of as Entity>::SCHEMA, &item)?;
    }
    let mut keys = ItemKeys::new(&item, P::ATTRIBUTES);
    <P::Of as Readable>::restore(&mut keys).map_err(|error| unreadable_key(&place, error))?;
    for (name, value) in keys.restored {
        item.insert(name.to_owned(), value);
    }
    deserialize(place, &<P::Of as Entity>::SCHEMA, item)
}

/// One attribute of an item, from the item or from its keys; `None` where it cannot be read.
pub(crate) fn attribute_of<E: Readable, T: DeserializeOwned>(
    item: &Item,
    attribute: &'static str,
) -> Option<T> {
    if let Some(value) = item.get(attribute) {
        return serde_dynamo::aws_sdk_dynamodb_1::from_attribute_value(value.clone()).ok();
    }
    let mut keys = ItemKeys::new(item, &[]);
    E::restore(&mut keys).ok()?;
    let restored = keys.restored.into_iter();
    let (_, value) = restored.rev().find(|(name, _)| *name == attribute)?;
    serde_dynamo::aws_sdk_dynamodb_1::from_attribute_value(value).ok()
}

/// One attribute, or something within it; `None` where it is not there.
pub(crate) fn decode_attribute<T: DeserializeOwned>(
    place: &Place,
    entity: &EntitySchema,
    item: &Item,
    path: &[Step],
) -> Result<Option<T>, Error> {
    let mut names = path.iter();
    let first = names.find_map(|step| match step {
        Step::Name(name) => item.get(*name),
        _ => None,
    });
    let found = names.try_fold(first, |value, step| {
        Some(match (step, value) {
            (Step::Hidden, value) => value,
            (Step::Name(name), Some(AttributeValue::M(map))) => map.get(*name),
            (Step::Key(name), Some(AttributeValue::M(map))) => map.get(name),
            (Step::Index(at), Some(AttributeValue::L(list))) => list.get(*at),
            _ => return None,
        })
    });
    let Some(value) = found.flatten().filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let name = path.iter().find_map(|step| match step {
        Step::Name(name) => Some(*name),
        _ => None,
    });
    let name = name.unwrap_or_default();
    let alone = Item::from([(name.to_owned(), value.clone())]);
    let mut read: HashMap<String, T> = deserialize(place.clone(), entity, alone)?;
    Ok(read.remove(name))
}

/// An entity that can be read. `M` is always [`Serde`]; it is a parameter so that the derive of an items enum
/// can ask for it without having to know whether its entities have serde.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an item",
    label = "`{Self}` has no `serde::Deserialize`",
    note = "write `#[derive(serde::Deserialize)]` on `{Self}`"
)]
pub trait Decodable<M>: Sized {
    fn decode(item: StoredItem<'_>) -> Result<Self, Error>;
}

/// See [`Decodable`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Serde;

#[diagnostic::do_not_recommend]
impl<E: Readable + DeserializeOwned> Decodable<Serde> for E {
    fn decode(StoredItem { place, item }: StoredItem<'_>) -> Result<Self, Error> {
        decode(place, item)
    }
}

/// An item as it came, and what was being done.
#[doc(hidden)]
#[derive(Debug)]
pub struct StoredItem<'p> {
    pub(crate) place: &'p Place,
    pub(crate) item: Item,
}

impl<'p> StoredItem<'p> {
    pub(crate) fn new(place: &'p Place, item: Item) -> Self {
        Self { place, item }
    }
}

/// An enum of entities that can be read. Implemented by the derive.
#[doc(hidden)]
pub trait ReadItems<M>: Items {
    /// Reads an item of the entity at this place in `ENTITIES`.
    fn decode_as(entity: usize, item: StoredItem<'_>) -> Result<Self, Error>;
}

/// An item read into the variant of its entity: by its type where the table keeps one, by its key otherwise.
pub(crate) fn decode_items<T: ReadItems<Serde>>(place: &Place, item: Item) -> Result<T, Error> {
    let table = <T::Table as Table>::SCHEMA;
    let place = Place {
        key: Some(shown_key(&table, T::ENTITIES, &item)),
        ..place.clone()
    };
    let entity = match (
        table.entity_type,
        table.entity_type.and_then(|name| item.get(name)),
    ) {
        (Some(_), Some(AttributeValue::S(found))) => {
            let known = T::ENTITIES
                .iter()
                .position(|entity| entity.entity_type == Some(found));
            known.ok_or_else(|| found.clone())
        }
        (Some(_), _) => Err("item without a type".to_owned()),
        (None, _) => {
            let value = |name: &str| item.get(name).and_then(key_ref);
            let key = value(table.pk.name).ok_or_else(|| "item without a key".to_owned());
            key.and_then(|pk| {
                let owner = T::entity_of(pk, table.sk.and_then(|sk| value(sk.name)));
                let owner = owner.map_err(|_| "item of an unknown entity".to_owned())?;
                let same = |entity: &&EntitySchema| entity.entity == owner.entity;
                T::ENTITIES
                    .iter()
                    .position(same)
                    .ok_or_else(|| owner.entity.to_owned())
            })
        }
    };
    match entity {
        Ok(entity) => T::decode_as(
            entity,
            StoredItem {
                place: &place,
                item,
            },
        ),
        Err(found) => {
            let kind = ErrorKind::OtherEntity {
                found,
                expected: place.entity,
            };
            Err(Error::new(place, kind, None))
        }
    }
}

/// `USER#u1/PROFILE`, from a stored item; the templates where a sensitive field stands in them.
pub(crate) fn shown_key(table: &TableSchema, entities: &[&EntitySchema], item: &Item) -> String {
    if let Some(template) = entities.iter().find_map(|entity| entity.hidden_key()) {
        return template;
    }
    let shown = |name: &str| match item.get(name).and_then(key_ref) {
        Some(KeyRef::S(text) | KeyRef::N(text)) => text.to_owned(),
        Some(KeyRef::B(bytes)) => KeyValue::B(bytes.to_vec()).to_string(),
        None => "?".to_owned(),
    };
    match table.sk {
        Some(sk) => format!("{}/{}", shown(table.pk.name), shown(sk.name)),
        None => shown(table.pk.name),
    }
}
