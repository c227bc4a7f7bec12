//! An item that was read: its entity, its keys taken apart, and the reads that its fields lead to.

use super::entity::LiveEntity;
use super::{Argument, Given, Live, LivePattern};
use core::fmt;
use core::hash::{Hash, Hasher};
use dynamo_model::by_name::{self, Attributes};
use dynamo_model::key::{KeyRef, KeyValue};
use dynamo_model::schema::{AttributeRole, KeyAttribute, TableSchema, Template};
use dynamo_model::{Dynamo, Value};
use serde_json::Map;
use std::hash::DefaultHasher;
use std::sync::Arc;

/// An item as it is stored, and the entity that it belongs to.
#[derive(Clone)]
pub struct LiveItem {
    pub(crate) table: &'static TableSchema,
    pub(crate) entity: Option<Arc<dyn LiveEntity>>,
    pub(crate) attributes: Attributes,
    /// Whether an index projects only a part of it.
    pub(crate) is_part: bool,
    pub(crate) problem: Option<String>,
}

/// Hides the attributes, which may be sensitive.
impl fmt::Debug for LiveItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveItem")
            .field("entity", &self.entity())
            .finish_non_exhaustive()
    }
}

/// The key of an item in its table or in an index.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KeyPlace {
    /// The index, by DynamoDB's name; `None` for the table.
    pub index: Option<&'static str>,
    /// The partition key; `None` where the item is not in the index.
    pub pk: Option<KeyValue>,
    /// The sort key, where there is one.
    pub sk: Option<KeyValue>,
    /// The templates of the entity, if it declares a key there.
    pub templates: Option<(&'static Template, Option<&'static Template>)>,
    /// The fields in the key, and their texts; or why the templates could not have written it.
    pub fields: Result<Vec<(&'static str, String)>, String>,
}

/// A read that takes fields of an item.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Relation {
    /// The access pattern.
    pub pattern: LivePattern,
    /// Its arguments, from the item.
    pub arguments: Vec<Argument>,
}

impl LiveItem {
    /// The name of the entity; `None` for an item that no entity declares.
    #[must_use]
    pub fn entity(&self) -> Option<&'static str> {
        self.entity.as_ref().map(|entity| entity.schema().entity)
    }

    /// The attributes, keys included.
    #[must_use]
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// Why the entity cannot read the item; `None` if it can, or if only a part was read.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Its size in bytes, as DynamoDB counts it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        by_name::size(&self.attributes)
    }

    /// The fields of its entity, as serde writes them; `None` without an entity that can read it.
    #[must_use]
    pub fn document(&self, db: &Dynamo) -> Option<Map<String, serde_json::Value>> {
        self.entity.as_ref()?.decode(db, &self.attributes).ok()
    }

    /// Whether only a part of it was read, because an index projects no more.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.is_part
    }

    /// The declaration of its table.
    #[must_use]
    pub fn table(&self) -> &'static TableSchema {
        self.table
    }

    /// Its partition key and sort key in the table; `None` if the key was not read.
    #[must_use]
    pub fn key(&self) -> Option<(KeyValue, Option<KeyValue>)> {
        let sk = match self.table.sk {
            Some(sk) => Some(key_value(&self.attributes, sk)?),
            None => None,
        };
        Some((key_value(&self.attributes, self.table.pk)?, sk))
    }

    /// The text of an attribute or of a key field, by the name of either; empty if there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        let mut known = self.known_fields().into_iter();
        let field = known.find(|(field, _)| *field == name);
        let attribute = || self.attributes.get(name).and_then(plain);
        field
            .map(|(_, text)| text)
            .or_else(attribute)
            .unwrap_or_default()
    }

    /// Returns a number that changes with any attribute: it tells whether an item that is read
    /// again is still the same.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (name, value) in &self.attributes {
            (name, format!("{value:?}")).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Its keys in the table and in every index of the table.
    #[must_use]
    pub fn keys(&self) -> Vec<KeyPlace> {
        let schema = self.entity.as_ref().map(|entity| entity.schema());
        let own = schema.map(|schema| (schema.pk, schema.sk));
        let table = self.place(None, (self.table.pk, self.table.sk), own);
        let indexes = self.table.indexes.iter().map(|index| {
            let mut declared = schema.map_or(&[][..], |schema| schema.indexes).iter();
            let declared = declared.find(|it| it.id == index.id);
            let templates = declared.map(|it| (it.pk, it.sk));
            self.place(Some(index.name), (index.pk, index.sk), templates)
        });
        core::iter::once(table).chain(indexes).collect()
    }

    fn place(
        &self,
        index: Option<&'static str>,
        (pk, sk): (KeyAttribute, Option<KeyAttribute>),
        templates: Option<(&'static Template, Option<&'static Template>)>,
    ) -> KeyPlace {
        let pk = key_value(&self.attributes, pk);
        let sort = sk.map(|sk| key_value(&self.attributes, sk));
        // Without one of its attributes, an item is not in an index.
        let is_there = pk.is_some() && sort.as_ref().is_none_or(Option::is_some);
        let (pk, sk) = match is_there {
            true => (pk, sort.flatten()),
            false => (None, None),
        };
        let fields = match (&pk, templates) {
            (Some(pk), Some((of_pk, of_sk))) => fields(of_pk, pk).and_then(|mut fields| {
                if let Some((template, sk)) = of_sk.zip(sk.as_ref()) {
                    fields.extend(self::fields(template, sk)?);
                }
                Ok(fields)
            }),
            _ => Ok(Vec::new()),
        };
        KeyPlace {
            index,
            pk,
            sk,
            templates,
            fields,
        }
    }

    /// The texts of the fields that stand in its keys, and of attributes with a simple value, by
    /// the names of the Rust fields. A bucket or shard is not the value of its field.
    fn known_fields(&self) -> Vec<(&'static str, String)> {
        let mut known: Vec<(&'static str, String)> = Vec::new();
        let Some(schema) = self.entity.as_ref().map(|entity| entity.schema()) else {
            return known;
        };
        for attribute in schema.attributes {
            let value = self.attributes.get(attribute.name).and_then(plain);
            let is_stored = attribute.role != AttributeRole::KeyOnly;
            known.extend(
                value
                    .filter(|_| is_stored)
                    .map(|text| (attribute.field, text)),
            );
        }
        for place in self.keys() {
            let (Some((pk, sk)), Ok(fields)) = (place.templates, place.fields) else {
                continue;
            };
            let parts = pk.parts.iter().chain(sk.map_or(&[][..], |sk| sk.parts));
            for (part, (field, text)) in parts.zip(fields) {
                if part.is_lossless() && !known.iter().any(|(known, _)| *known == field) {
                    known.push((field, text));
                }
            }
        }
        known
    }

    /// The reads that need no more than the fields of this item: of its own entity, and of entities
    /// that share its fields. Without the get of the item itself.
    #[must_use]
    pub fn relations(&self, live: &Live) -> Vec<Relation> {
        let known = self.known_fields();
        let patterns = live.patterns().into_iter();
        let patterns =
            patterns.filter(|it| !(it.is_get && Some(it.schema().entity) == self.entity()));
        patterns
            .filter_map(|pattern| relation(pattern, &known))
            .collect()
    }
}

fn relation(pattern: LivePattern, known: &[(&'static str, String)]) -> Option<Relation> {
    let fields = pattern
        .fields()
        .into_iter()
        .filter(|field| pattern.requires(field));
    let arguments = fields.map(|field| {
        let (_, text) = known.iter().find(|(known, _)| *known == field)?;
        let given = Given::Is(text.clone());
        let field = field.to_owned();
        Some(Argument { field, given })
    });
    let arguments = arguments.collect::<Option<Vec<_>>>()?;
    // A field of the same name may be of another kind.
    let is_one = !arguments.is_empty() && pattern.parse(&arguments).is_ok();
    is_one.then_some(Relation { pattern, arguments })
}

fn fields(
    template: &'static Template,
    key: &KeyValue,
) -> Result<Vec<(&'static str, String)>, String> {
    by_name::parts(template, key.as_ref()).map_err(|error| error.to_string())
}

fn key_value(attributes: &Attributes, key: KeyAttribute) -> Option<KeyValue> {
    match attributes.get(key.name)? {
        Value::S(text) => Some(KeyValue::S(text.clone())),
        Value::N(number) => Some(KeyValue::N(number.to_string())),
        Value::B(bytes) => Some(KeyValue::B(bytes.clone())),
        _ => None,
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::S(text) => Some(text.clone()),
        Value::N(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

impl Live {
    /// Finds the entity of a stored item, and whether the entity can read it.
    #[must_use]
    pub fn recognize(
        &self,
        db: &Dynamo,
        table: &'static TableSchema,
        attributes: Attributes,
    ) -> LiveItem {
        let entity = self.entity_of(table, &attributes);
        let problem = entity.as_ref().and_then(|entity| {
            let error = entity.decode(db, &attributes).err()?;
            Some(super::LiveError::from(error).chain())
        });
        LiveItem {
            table,
            entity,
            attributes,
            is_part: false,
            problem,
        }
    }

    /// The same for an item of an index that projects a part of each item.
    pub(crate) fn recognize_part(
        &self,
        table: &'static TableSchema,
        attributes: Attributes,
    ) -> LiveItem {
        LiveItem {
            table,
            entity: self.entity_of(table, &attributes),
            attributes,
            is_part: true,
            problem: None,
        }
    }

    /// By the entity type, which alone tells entities with common keys apart; by the key otherwise.
    fn entity_of(
        &self,
        table: &'static TableSchema,
        attributes: &Attributes,
    ) -> Option<Arc<dyn LiveEntity>> {
        let entities = || {
            let own = self.entities.iter();
            own.filter(|it| it.table().name == table.name && !it.schema().former)
        };
        let found = table
            .entity_type
            .and_then(|name| attributes.get(name)?.as_str());
        if let Some(found) = found {
            let has_type = |it: &&Arc<dyn LiveEntity>| {
                let schema = it.schema();
                schema.entity_type == Some(found) || schema.other_types.contains(&found)
            };
            return entities().find(has_type).cloned();
        }
        let pk = key_value(attributes, table.pk)?;
        let sk = table.sk.and_then(|sk| key_value(attributes, sk));
        let sk: Option<KeyRef<'_>> = sk.as_ref().map(KeyValue::as_ref);
        entities().find(|it| it.is_key(pk.as_ref(), sk)).cloned()
    }
}
