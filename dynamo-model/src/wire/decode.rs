//! From stored items to our types.

use super::path::Segment;
use super::reason::{Reason, What};
use super::stored::{read_value, value_json};
use super::{Attributes, Item, Stored, shown_key};
use crate::entity::{Entity, IndexedBy, Items, Table};
use crate::error::{Error, ErrorKind, KeyError, Place, Source};
use crate::expr::{RawPath, Step};
use crate::index::{IndexMarker, Primary};
use crate::key::PartValue;
use crate::key::fields::OwnedPart;
use crate::key::parse::{whole_fields, whole_values};
use crate::op::Projection;
use crate::schema::{EntitySchema, KeyAttribute, TableSchema, Template};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;

/// What entities need besides their keys to be read. Implemented by the derive.
#[doc(hidden)]
pub trait Readable: Entity {
    /// The fields that live in keys alone, put back as attributes; of a projection also those that an index did
    /// not carry along, which the schema is enough for.
    fn restore(item: &mut ItemKeys<'_>) -> Result<(), KeyError> {
        let (table, entity) = const { (&<Self::Table as Table>::SCHEMA, &Self::SCHEMA) };
        item.restore_wanted(table, entity)
    }
}

/// Fields that were put back, by their attributes.
type Restored = Vec<(&'static str, AttributeValue)>;

/// A stored item, from whose keys fields are restored.
#[doc(hidden)]
#[derive(Debug)]
pub struct ItemKeys<'i> {
    item: &'i Stored,
    restored: Restored,
    /// Of a projection, the attributes that are asked for.
    wanted: &'static [&'static str],
}

impl<'i> ItemKeys<'i> {
    fn new(item: &'i Stored, wanted: &'static [&'static str]) -> Self {
        Self {
            item,
            restored: Vec::new(),
            wanted,
        }
    }

    /// Whether a field must be read from a key: it is nowhere else, or an index did not carry it along.
    #[must_use]
    pub fn wants(&self, attribute: &str, key_only: bool) -> bool {
        let missing = || self.wanted.contains(&attribute) && !self.item.contains(attribute);
        (key_only && (self.wanted.is_empty() || self.wanted.contains(&attribute))) || missing()
    }

    /// The item's key in the table or in an index, parsed; `None` where the item is not in it.
    pub fn parse<E: IndexedBy<I>, I: IndexMarker>(&self) -> Result<Option<E::Parts>, KeyError> {
        parse::<E, I>(self.item)
    }

    /// Puts back what is asked for and not there, from whichever keys the item has.
    fn restore_wanted(
        &mut self,
        table: &TableSchema,
        entity: &'static EntitySchema,
    ) -> Result<(), KeyError> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        let indexes = entity.indexes.iter();
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

/// The fields of a stored item's key that come back whole; none where the item is not in the index.
fn read_fields(
    item: &Stored,
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

/// Whether a stored item has a key of this entity.
pub(crate) fn has_key_of<E: IndexedBy<Primary>>(item: &impl Attributes) -> bool {
    matches!(parse::<E, Primary>(item), Ok(Some(_)))
}

/// What an item is read as.
struct Shape {
    table: &'static TableSchema,
    entity: &'static EntitySchema,
    /// Whether an item that does not say which entity it is can be one.
    untyped: bool,
}

impl Shape {
    const fn of<E: Entity>() -> Self {
        Self {
            table: const { &<E::Table as Table>::SCHEMA },
            entity: const { &E::SCHEMA },
            untyped: false,
        }
    }

    /// The attribute that says which entity an item is, and what it must say.
    fn entity_type(&self) -> Option<(&'static str, &'static str)> {
        self.table.entity_type.zip(self.entity.entity_type)
    }

    /// The item's own key, for what is said about it.
    #[cold]
    fn place(&self, place: &Place, item: &impl Attributes) -> Place {
        Place {
            key: Some(shown_key(self.table, &[self.entity], item).into()),
            ..place.clone()
        }
    }

    /// Why an item cannot be read: it may be no item at all, or one of another entity.
    #[cold]
    #[inline(never)]
    fn unreadable(&self, place: &Place, item: Stored, reason: Reason) -> Error {
        let place = self.place(place, &item);
        match item.into_map() {
            Err(reason) => broken(place, reason),
            Ok(map) => match self.check_type(&place, &map) {
                Err(other) => other,
                Ok(()) => unreadable(place, self.entity, reason),
            },
        }
    }

    /// Why the keys of an item cannot be read: an item of another entity has other keys.
    #[cold]
    fn refused(&self, place: &Place, item: Stored, error: KeyError) -> Error {
        let place = self.place(place, &item);
        let other = item.into_map().ok();
        let other = other.and_then(|map| self.check_type(&place, &map).err());
        other.unwrap_or_else(|| unreadable_key(place, error))
    }

    /// What must be said of the entity type in an item that is read.
    fn entity_type_in(&self, item: &Stored) -> Option<(&'static str, &'static str)> {
        let entity_type = self.entity_type();
        entity_type.filter(|(name, _)| !self.untyped || item.contains(name))
    }

    fn check_type(&self, place: &Place, item: &Item) -> Result<(), Error> {
        let Some((attribute, expected)) = self.entity_type() else {
            return Ok(());
        };
        let found = match item.get(attribute) {
            Some(AttributeValue::S(found)) if found == expected => return Ok(()),
            Some(AttributeValue::S(found)) => Some(found.clone()),
            None if self.untyped => return Ok(()),
            _ => None,
        };
        let kind = ErrorKind::OtherEntity { found, expected };
        Err(Error::new(place.clone(), kind, None))
    }
}

/// All attributes of an item.
pub(crate) fn into_map(place: &Place, item: Stored) -> Result<Item, Error> {
    item.into_map()
        .map_err(|reason| broken(place.clone(), reason))
}

#[cold]
fn broken(place: Place, reason: Reason) -> Error {
    let path = "item".into();
    Error::new(place, ErrorKind::Decode { path }, Some(reason.into()))
}

#[cold]
fn unreadable_key(place: Place, error: KeyError) -> Error {
    let path = error.field().unwrap_or("key").to_owned();
    Error::new(place, ErrorKind::Decode { path }, Some(Box::new(error)))
}

/// An item read into its entity. `place` says what was being done.
pub(crate) fn decode<E: Readable + DeserializeOwned>(
    place: &Place,
    item: impl Into<Stored>,
) -> Result<E, Error> {
    decode_shape::<E, E>(&Shape::of::<E>(), place, item.into(), &[])
}

/// A part of an item; what the index did not carry along is read from the keys.
pub(crate) fn decode_projection<P>(place: &Place, item: Stored) -> Result<P, Error>
where
    P: Projection<Of: Readable> + DeserializeOwned,
{
    let shape = Shape {
        untyped: true,
        ..Shape::of::<P::Of>()
    };
    decode_shape::<P::Of, P>(&shape, place, item, P::ATTRIBUTES)
}

fn decode_shape<E: Readable, T: DeserializeOwned>(
    shape: &Shape,
    place: &Place,
    item: Stored,
    wanted: &'static [&'static str],
) -> Result<T, Error> {
    let mut keys = ItemKeys::new(&item, wanted);
    if let Err(error) = E::restore(&mut keys) {
        return Err(shape.refused(place, item, error));
    }
    let restored = keys.restored;
    let read = match item.read(shape.entity_type_in(&item), &restored) {
        Ok(read) => read,
        Err(reason) => return Err(shape.unreadable(place, item, reason)),
    };
    #[cfg(feature = "attribute-maps")]
    let read = read_map(item, restored).unwrap_or(read);
    Ok(read)
}

/// The plain way, by `serde_dynamo`, of what is a map. Only of what the other way takes: this one rounds whole numbers
/// that are too large, and does not say where a mistake is.
#[cfg(feature = "attribute-maps")]
fn read_map<T: DeserializeOwned>(item: Stored, restored: Restored) -> Option<T> {
    let Stored::Map(mut item) = item else {
        return None;
    };
    let restored = restored.into_iter();
    item.extend(restored.map(|(name, value)| (name.to_owned(), value)));
    serde_dynamo::aws_sdk_dynamodb_1::from_item(item).ok()
}

#[cold]
fn unreadable(place: Place, entity: &EntitySchema, reason: Reason) -> Error {
    let (what, path) = reason.into_parts();
    let (within, attribute) = (path.to_string(), path.attribute().map(str::to_owned));
    let (path, source): (String, Source) = match (what, attribute) {
        (what, Some(attribute)) if entity.is_sensitive(|it| it.name == attribute) => {
            // Types alone give nothing away.
            let types = within == attribute && matches!(what, What::Types { .. });
            let shown = if types { &what.to_string() } else { HIDDEN };
            (attribute, shown.into())
        }
        (What::Missing(name), attribute) => {
            let path = attribute.map_or_else(|| name.into(), |_| format!("{within}.{name}"));
            let needs = format!("missing, and `{}` needs it", entity.entity);
            (path, needs.into())
        }
        (what, Some(_)) => (within, what.into()),
        // Without a path it may be any of the attributes.
        (_, None) if entity.is_sensitive(|_| true) => (within, HIDDEN.into()),
        (what, None) => (within, what.without_path().into()),
    };
    Error::new(place, ErrorKind::Decode { path }, Some(source))
}

/// Of a sensitive attribute neither the value is shown nor where in it the mistake is.
const HIDDEN: &str = "the value, which is sensitive, is of another type or form";

/// One attribute of an item, from the item or from its keys; `None` where it cannot be read.
pub(crate) fn attribute_of<E: Readable, T: DeserializeOwned>(
    item: &Stored,
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

/// One attribute, or something within it; `None` where it is not there.
pub(crate) fn decode_attribute<T: DeserializeOwned>(
    place: &Place,
    entity: &EntitySchema,
    item: &Item,
    path: &RawPath,
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
    let name = path.name().unwrap_or_default();
    let read = read_value(&value_json(value)).map_err(|reason| {
        let reason = reason.within(Segment::Name(name.to_owned()));
        unreadable(place.clone(), entity, reason)
    })?;
    Ok(Some(read))
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
    pub(crate) item: Stored,
}

impl<'p> StoredItem<'p> {
    pub(crate) fn new(place: &'p Place, item: impl Into<Stored>) -> Self {
        let item = item.into();
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
pub(crate) fn decode_items<T: ReadItems<Serde>>(
    place: &Place,
    item: impl Into<Stored>,
) -> Result<T, Error> {
    let (item, table) = (item.into(), <T::Table as Table>::SCHEMA);
    let found = match table.entity_type {
        Some(attribute) => by_type(T::ENTITIES, item.text(attribute).as_deref()),
        None => by_key::<T>(&table, &item),
    };
    match found {
        Ok(entity) => T::decode_as(entity, StoredItem { place, item }),
        Err(found) => {
            let expected = place.entity;
            let place = Place {
                key: Some(shown_key(&table, T::ENTITIES, &item).into()),
                ..place.clone()
            };
            let kind = ErrorKind::OtherEntity { found, expected };
            Err(Error::new(place, kind, None))
        }
    }
}

/// Which entity it is; or, where it is none of them, what it is, if it says.
fn by_type(entities: &[&EntitySchema], found: Option<&str>) -> Result<usize, Option<String>> {
    let found = found.ok_or(None)?;
    let own = |entity: &&EntitySchema| entity.entity_type == Some(found);
    let known = entities.iter().position(own);
    known.ok_or_else(|| Some(found.into()))
}

/// Likewise, in a table that keeps no types.
fn by_key<T: Items>(table: &TableSchema, item: &Stored) -> Result<usize, Option<String>> {
    let pk = item.key_value(table.pk.name).ok_or(None)?;
    let sk = table.sk.and_then(|sk| item.key_value(sk.name));
    let owner = T::entity_of(pk.as_ref(), sk.as_ref().map(Into::into));
    let owner = owner.map_err(|_| None)?;
    let same = |entity: &&EntitySchema| entity.entity == owner.entity;
    let known = T::ENTITIES.iter().position(same);
    known.ok_or_else(|| Some(owner.entity.to_owned()))
}
