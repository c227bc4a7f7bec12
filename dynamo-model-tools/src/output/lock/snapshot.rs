//! The contents of the lock.

use crate::{EntityModel, TableModel};
use crate::{Model, ModelError};
use dynamo_model::__tools::{self, CreateTable};
use dynamo_model::schema::{
    AttributeRole, IndexId, KeyAttribute, TableSchema, Template, Throughput, VectorIndexSchema,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The declarations that stored items depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Snapshot {
    /// Of this file's form.
    pub(super) version: u32,
    pub(super) tables: BTreeMap<String, Table>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Table {
    pub(super) key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) entity_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ttl: Option<String>,
    /// Absent in locks of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) settings: Option<Settings>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) indexes: BTreeMap<String, Index>,
    pub(super) entities: BTreeMap<String, Entity>,
}

/// How the table is protected and paid for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    /// `KMS`, with the key where one is named; absent where the key is AWS's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) encryption: Option<String>,
    pub(super) point_in_time_recovery: bool,
    pub(super) deletion_protection: bool,
    pub(super) billing: String,
    /// The other regions that have the table.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) replicas: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub(super) multi_region_strong: bool,
    /// Read and write units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) on_demand_maximum: Option<(u32, u32)>,
    /// Read and write units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) warm_throughput: Option<(u32, u32)>,
    /// Absent for the standard class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) table_class: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) tags: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Index {
    pub(super) kind: String,
    pub(super) key: String,
    pub(super) projection: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entity {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) entity_type: Option<String>,
    /// Other values that are read as this entity.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) other_types: BTreeSet<String>,
    pub(super) pk: Key,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sk: Option<Key>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) indexes: BTreeMap<String, IndexKey>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) uniques: BTreeMap<String, Key>,
    /// The tables of unique values that are not in the entity's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) reserved_in: BTreeMap<String, String>,
    pub(super) attributes: BTreeMap<String, Attribute>,
    /// Attributes with the same value in every item.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) constants: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct IndexKey {
    pub(super) pk: Key,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sk: Option<Key>,
    /// Which items are in it, where not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) when: Option<String>,
    /// Whether its attributes are data of the item's own, and so are there in any case.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) plain: bool,
}

/// A template, and the kinds of its placeholders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Key {
    pub(super) template: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) fields: BTreeMap<String, Field>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Field {
    pub(super) kind: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) values: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Attribute {
    pub(super) field: String,
    pub(super) rust_type: String,
    /// DynamoDB's type, if the declaration determines it.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) required: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) key_only: bool,
    /// Whether it is set at creation only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) immutable: bool,
}

const VERSION: u32 = 1;

impl Snapshot {
    pub(super) fn of(model: &Model) -> Self {
        let tables = model
            .tables
            .iter()
            .map(|it| (it.schema.name.to_owned(), table(it)));
        Self {
            version: VERSION,
            tables: tables.collect(),
        }
    }

    pub(super) fn from_text(text: &str) -> Result<Self, ModelError> {
        let snapshot: Self = serde_json::from_str(text).map_err(|error| {
            ModelError::caused("this is not a schema lock; write it again", error)
        })?;
        if snapshot.version == VERSION {
            Ok(snapshot)
        } else {
            let message = format!(
                "a lock of version {}, and this is {VERSION}; write it again",
                snapshot.version
            );
            Err(ModelError::new(message))
        }
    }

    pub(super) fn to_text(&self) -> String {
        // Maps with text keys and no floats cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn table(table: &TableModel) -> Table {
    let schema = &table.schema;
    let indexes = schema.indexes.iter().map(|index| {
        let (projection, names) = __tools::projection(index.projection);
        let names: String = names.iter().map(|name| format!(" {name}")).collect();
        let kind = if matches!(index.id, IndexId::Gsi(_)) {
            "global"
        } else {
            "local"
        };
        let index_of = Index {
            kind: kind.into(),
            key: shown(index.pk, index.sk),
            projection: format!("{projection}{names}"),
        };
        (index.name.to_owned(), index_of)
    });
    let indexes = indexes.chain(schema.vectors.iter().map(vector_index));
    let entities = table
        .entities
        .iter()
        .map(|it| (it.schema.entity.to_owned(), entity(table, it)));
    Table {
        key: shown(schema.pk, schema.sk),
        entity_type: schema.entity_type.map(str::to_owned),
        ttl: schema.ttl.map(str::to_owned),
        settings: Some(settings(schema)),
        indexes: indexes.collect(),
        entities: entities.collect(),
    }
}

/// The key of a vector index is what DynamoDB cannot change in it.
fn vector_index(index: &VectorIndexSchema) -> (String, Index) {
    let (projection, names) = __tools::projection(index.projection);
    let names: String = names.iter().map(|name| format!(" {name}")).collect();
    let VectorIndexSchema {
        attribute,
        dimensions,
        distance,
        ..
    } = index;
    let mut key = format!("{attribute}, {dimensions} by {distance}");
    if let Some(hash) = index.hash {
        key += &format!(", hash {hash}");
    }
    for filter in index.filters {
        key += &format!(", filter {filter}");
    }
    let index_of = Index {
        kind: "vector".into(),
        key,
        projection: format!("{projection}{names}"),
    };
    (index.name.to_owned(), index_of)
}

fn settings(schema: &TableSchema) -> Settings {
    let kms = CreateTable::of(schema).kms;
    Settings {
        encryption: kms.map(|key| match key {
            Some(key) => format!("KMS {key}"),
            None => "KMS".to_owned(),
        }),
        point_in_time_recovery: schema.point_in_time_recovery,
        deletion_protection: schema.deletion_protection,
        billing: match schema.billing.provisioned() {
            None => "on demand".to_owned(),
            Some(Throughput { read, write }) => {
                format!("provisioned, {read} read and {write} write units")
            }
        },
        replicas: schema.replicas.iter().map(|it| (*it).to_owned()).collect(),
        multi_region_strong: schema.multi_region_strong,
        on_demand_maximum: schema.on_demand_maximum.map(|it| (it.read, it.write)),
        warm_throughput: schema.warm_throughput.map(|it| (it.read, it.write)),
        table_class: (schema.class != dynamo_model::schema::TableClass::Standard)
            .then(|| schema.class.as_str().to_owned()),
        tags: schema
            .tags
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
    }
}

fn shown(pk: KeyAttribute, sk: Option<KeyAttribute>) -> String {
    sk.map_or_else(|| pk.to_string(), |sk| format!("{pk} + {sk}"))
}

fn entity(table: &TableModel, entity: &EntityModel) -> Entity {
    let schema = &entity.schema;
    let is_data = |name: &str| {
        let mut attributes = schema.attributes.iter();
        attributes.any(|it| it.name == name && it.role != AttributeRole::KeyOnly)
            || table.schema.pk.name == name
            || table.schema.sk.is_some_and(|sk| sk.name == name)
    };
    let indexes = schema.indexes.iter().filter_map(|index| {
        let declared = table.index_of(index)?;
        let plain = is_data(declared.pk.name) && declared.sk.is_none_or(|sk| is_data(sk.name));
        let sk = index.sk.map(key);
        Some((
            declared.name.to_owned(),
            IndexKey {
                pk: key(index.pk),
                sk,
                when: index.when.map(|when| when.to_string()),
                plain: plain && index.when.is_none(),
            },
        ))
    });
    let attributes = schema.attributes.iter().map(|attribute| {
        let known = crate::AttributeType::declared(schema, attribute);
        let attribute_of = Attribute {
            field: attribute.field.to_owned(),
            rust_type: attribute.rust_type.to_owned(),
            kind: known.map(|it| it.as_str().to_owned()),
            required: attribute.required,
            key_only: attribute.role == AttributeRole::KeyOnly,
            immutable: attribute.immutable,
        };
        (attribute.name.to_owned(), attribute_of)
    });
    let uniques = schema.uniques.iter();
    let reserved = uniques.clone();
    let reserved =
        reserved.filter_map(|it| Some((it.constraint.to_owned(), it.table?.name.to_owned())));
    let other_types = schema.other_types.iter();
    Entity {
        entity_type: schema.entity_type.map(str::to_owned),
        other_types: other_types.map(|it| (*it).to_owned()).collect(),
        pk: key(schema.pk),
        sk: schema.sk.map(key),
        indexes: indexes.collect(),
        uniques: uniques
            .map(|it| (it.constraint.to_owned(), key(it.template)))
            .collect(),
        reserved_in: reserved.collect(),
        attributes: attributes.collect(),
        constants: schema
            .constants
            .iter()
            .map(|it| (it.name.to_owned(), it.value.to_string()))
            .collect(),
    }
}

fn key(template: &Template) -> Key {
    let fields = template.parts.iter().map(|part| {
        let values = part
            .values
            .unwrap_or_default()
            .iter()
            .map(|it| (*it).to_owned())
            .collect();
        (
            part.field.to_owned(),
            Field {
                kind: part.kind.as_str().to_owned(),
                values,
            },
        )
    });
    Key {
        template: template.text.to_owned(),
        fields: fields.collect(),
    }
}
