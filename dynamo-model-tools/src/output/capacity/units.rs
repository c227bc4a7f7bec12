//! The consumption of a request, from the size of its items.

use super::Capacity;
use crate::{EntityModel, Request, TableModel};
use crate::{Model, ModelError};
use dynamo_model::__tools;
use dynamo_model::schema::{IndexId, IndexSchema, Projection, Template};
use serde_json::Value;
use std::collections::BTreeMap;

/// The assumed size of a unique item.
const UNIQUE_BYTES: usize = 512;
/// The assumed size of an item without samples.
const UNKNOWN_BYTES: usize = 1_024;

/// The consumption of one run of a pattern in one table or index.
#[derive(Debug, Clone)]
pub(super) struct Use {
    pub(super) table: String,
    pub(super) index: Option<String>,
    pub(super) template: Option<&'static Template>,
    pub(super) read: f64,
    pub(super) write: f64,
}

/// The number of a pattern, its name, and its consumption by table and index.
pub(super) type Run = (String, String, Vec<Use>);

impl Model {
    /// Returns every listed pattern, and the declared calls with a rate.
    pub(super) fn runs(&self, capacity: &Capacity) -> Result<Vec<Run>, ModelError> {
        let sizes = self.sizes(capacity);
        let mut runs = Vec::new();
        for pattern in &self.patterns {
            let rate = capacity.rates.iter().find(|(it, _)| *it == pattern.number);
            let items = rate
                .and_then(|(_, rate)| rate.items)
                .or(pattern.items)
                .unwrap_or(1);
            let queries = pattern
                .requests
                .iter()
                .filter(|it| is_query(it))
                .count()
                .max(1);
            let uses = pattern.requests.iter();
            let uses = uses.flat_map(|request| self.uses(request, items.div_ceil(queries), &sizes));
            runs.push((pattern.number.clone(), pattern.name.clone(), uses.collect()));
        }
        for (call, rate) in &capacity.rates {
            if self.patterns.iter().any(|it| it.number == *call) {
                continue;
            }
            let uses = self.declared_uses(call, rate.items.unwrap_or(1), &sizes);
            let uses = uses.ok_or_else(|| {
                let advice =
                    "give the number of a pattern, or a call such as `User::get` or `User::put`";
                ModelError::new(format!("no access pattern `{call}`; {advice}"))
            })?;
            runs.push((call.clone(), String::new(), uses));
        }
        Ok(runs)
    }

    /// Returns the bytes of an item of each entity: declared, or of the largest sample.
    pub(super) fn sizes(&self, capacity: &Capacity) -> BTreeMap<String, usize> {
        let sizes = self.entities().map(|(table, entity)| {
            let name = entity.schema.entity;
            let samples = table.items.iter().filter(|item| item.entity == Some(name));
            let sampled = samples.map(crate::SampleItem::bytes).max();
            let declared = capacity.sizes.get(name).copied();
            (
                name.to_owned(),
                declared.or(sampled).unwrap_or(UNKNOWN_BYTES),
            )
        });
        sizes.collect()
    }

    fn declared_uses(&self, call: &str, items: usize, sizes: &Sizes) -> Option<Vec<Use>> {
        let (name, method) = call.split_once("::")?;
        let (table, entity) = self.entities().find(|(_, it)| it.schema.entity == name)?;
        let place = Place {
            table,
            index: None,
            template: Some(entity.schema.pk),
        };
        let bytes = *sizes.get(name)?;
        Some(match method {
            "get" => vec![place.read(bytes, 0.5)],
            "query" => vec![place.read(items * bytes, 0.5)],
            "create" | "put" | "update" | "delete" => {
                writes(table, Some(entity), bytes, items, 1.0)
            }
            method => {
                let index = entity
                    .schema
                    .indexes
                    .iter()
                    .find(|it| it.method == method)?;
                let declared = table.index_of(index)?;
                let place = Place {
                    table,
                    index: Some(declared),
                    template: Some(index.pk),
                };
                vec![place.read(items * projected(table, entity, declared, bytes), 0.5)]
            }
        })
    }

    fn uses(&self, request: &Request, items: usize, sizes: &Sizes) -> Vec<Use> {
        let (body, operation) = (&request.body, request.operation.as_str());
        let consistent = if body["ConsistentRead"] == Value::Bool(true) {
            1.0
        } else {
            0.5
        };
        match operation {
            "TransactWriteItems" => {
                let operations = request.transacted();
                operations
                    .flat_map(|(_, body)| self.write_of(body, &item_key(body), 2.0, sizes))
                    .collect()
            }
            "TransactGetItems" => {
                let operations = request.transacted();
                operations
                    .filter_map(|(_, body)| self.read_of(body, &item_key(body), 1, 2.0, sizes))
                    .collect()
            }
            "BatchGetItem" => {
                let tables = body["RequestItems"].as_object().into_iter().flatten();
                let keys = tables.flat_map(|(table, of)| {
                    of["Keys"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .map(move |key| (table, key))
                });
                let each = keys.filter_map(|(table, key)| {
                    let named = serde_json::json!({ "TableName": table });
                    self.read_of(&named, &Some(key.clone()), 1, 0.5, sizes)
                });
                each.collect()
            }
            "BatchWriteItem" => {
                let tables = body["RequestItems"].as_object().into_iter().flatten();
                let requests = tables.flat_map(|(table, of)| {
                    of.as_array()
                        .into_iter()
                        .flatten()
                        .map(move |request| (table, request))
                });
                let each = requests.flat_map(|(table, request)| {
                    let named = serde_json::json!({ "TableName": table });
                    let item = [
                        &request["PutRequest"]["Item"],
                        &request["DeleteRequest"]["Key"],
                    ];
                    let item = item.into_iter().find(|it| it.is_object()).cloned();
                    self.write_of(&named, &item, 1.0, sizes)
                });
                each.collect()
            }
            "PutItem" | "UpdateItem" | "DeleteItem" => {
                self.write_of(body, &item_key(body), 1.0, sizes)
            }
            "GetItem" => self
                .read_of(body, &item_key(body), 1, consistent, sizes)
                .into_iter()
                .collect(),
            _ => {
                let key = queried_key(body);
                self.read_of(body, &key, items, consistent, sizes)
                    .into_iter()
                    .collect()
            }
        }
    }

    fn read_of(
        &self,
        body: &Value,
        key: &Option<Value>,
        items: usize,
        unit: f64,
        sizes: &Sizes,
    ) -> Option<Use> {
        let table = self.find_table(body["TableName"].as_str()?)?;
        let name = body["IndexName"].as_str();
        let index = name.and_then(|name| table.schema.indexes.iter().find(|it| it.name == name));
        let (pk, sk) = table.schema.key(index.map(|index| index.id));
        let texts = key
            .as_ref()
            .map(|key| (text(&key[pk.name]), sk.and_then(|sk| text(&key[sk.name]))));
        let entity = texts.and_then(|(pk, sk)| likely(table, index, pk?, sk));
        let bytes = entity
            .and_then(|it| sizes.get(it.schema.entity))
            .copied()
            .unwrap_or(UNKNOWN_BYTES);
        let (template, bytes) = match (entity, index) {
            (Some(entity), Some(index)) => {
                let key = entity.schema.indexes.iter().find(|it| it.id == index.id);
                (
                    key.map(|key| key.pk),
                    projected(table, entity, index, bytes),
                )
            }
            (entity, _) => (entity.map(|it| it.schema.pk), bytes),
        };
        Some(
            Place {
                table,
                index,
                template,
            }
            .read(items.max(1) * bytes, unit),
        )
    }

    fn write_of(&self, body: &Value, key: &Option<Value>, factor: f64, sizes: &Sizes) -> Vec<Use> {
        let Some(table) = body["TableName"]
            .as_str()
            .and_then(|name| self.find_table(name))
        else {
            return Vec::new();
        };
        let pk = key
            .as_ref()
            .and_then(|key| text(&key[table.schema.pk.name]));
        let sk = key
            .as_ref()
            .zip(table.schema.sk)
            .and_then(|(key, sk)| text(&key[sk.name]));
        let entity = pk.and_then(|pk| table.entity_of(pk.into(), sk.map(Into::into)));
        let bytes = entity
            .and_then(|it| sizes.get(it.schema.entity))
            .copied()
            .unwrap_or(UNIQUE_BYTES);
        writes(table, entity, bytes, 1, factor)
    }
}

type Sizes = BTreeMap<String, usize>;

struct Place<'m> {
    table: &'m TableModel,
    index: Option<&'m IndexSchema>,
    template: Option<&'static Template>,
}

impl Place<'_> {
    fn used(&self, read: f64, write: f64) -> Use {
        Use {
            table: self.table.schema.name.to_owned(),
            index: self.index.map(|index| index.name.to_owned()),
            template: self.template,
            read,
            write,
        }
    }

    /// Counts one unit for four kilobytes, rounded up over all items read.
    fn read(&self, bytes: usize, unit: f64) -> Use {
        self.used(bytes.div_ceil(4_096).max(1) as f64 * unit, 0.0)
    }

    /// Counts one unit for a kilobyte, rounded up for each item.
    fn write(&self, bytes: usize, items: usize, factor: f64) -> Use {
        self.used(
            0.0,
            bytes.div_ceil(1_024).max(1) as f64 * items as f64 * factor,
        )
    }
}

/// Adds the writes of an item to the table and to each of its indexes.
fn writes(
    table: &TableModel,
    entity: Option<&EntityModel>,
    bytes: usize,
    items: usize,
    factor: f64,
) -> Vec<Use> {
    let template = entity.map(|it| it.schema.pk);
    let mut uses = vec![
        Place {
            table,
            index: None,
            template,
        }
        .write(bytes, items, factor),
    ];
    for index in entity.into_iter().flat_map(|it| it.schema.indexes) {
        if let (Some(declared), Some(entity)) = (table.index_of(index), entity) {
            let place = Place {
                table,
                index: Some(declared),
                template: Some(index.pk),
            };
            // An index is written after the transaction, at the usual price.
            uses.push(place.write(projected(table, entity, declared, bytes), items, 1.0));
        }
    }
    uses
}

/// Returns the size of the projected attributes of an item.
fn projected(table: &TableModel, entity: &EntityModel, index: &IndexSchema, bytes: usize) -> usize {
    let (_, names) = __tools::projection(index.projection);
    let own = [Some(table.schema.pk), table.schema.sk]
        .into_iter()
        .flatten();
    let keys: Vec<_> = own.chain(index.keys()).collect();
    let carried = |name: &str| names.contains(&name) || keys.iter().any(|key| key.name == name);
    match index.projection {
        Projection::All => bytes,
        Projection::KeysOnly | Projection::Include(_) => {
            let samples = table
                .items
                .iter()
                .filter(|it| it.entity == Some(entity.schema.entity));
            samples
                .map(|item| item.bytes_of(carried))
                .max()
                .unwrap_or(bytes)
        }
    }
}

fn is_query(request: &Request) -> bool {
    matches!(request.operation.as_str(), "Query" | "Scan")
}

fn text(value: &Value) -> Option<&str> {
    value.as_object()?.values().next()?.as_str()
}

fn item_key(body: &Value) -> Option<Value> {
    [&body["Key"], &body["Item"]]
        .into_iter()
        .find(|it| it.is_object())
        .cloned()
}

/// Returns the attributes of a key condition, each with the first value of its comparison.
fn queried_key(body: &Value) -> Option<Value> {
    let condition = body["KeyConditionExpression"].as_str()?;
    let is_alias = |c: char| c.is_ascii_alphanumeric() || c == '#' || c == ':' || c == '_';
    let aliases = condition
        .split(|c| !is_alias(c))
        .filter(|it| it.starts_with(['#', ':']));
    let mut key = serde_json::Map::new();
    let mut name = None;
    for alias in aliases {
        if alias.starts_with('#') {
            name = body["ExpressionAttributeNames"][alias].as_str();
        } else if let Some(name) = name.take() {
            key.insert(
                name.to_owned(),
                body["ExpressionAttributeValues"][alias].clone(),
            );
        }
    }
    Some(Value::Object(key))
}

/// The entity that a query is most likely for: the longest literal beginnings that fit.
fn likely<'m>(
    table: &'m TableModel,
    index: Option<&IndexSchema>,
    pk: &str,
    sk: Option<&str>,
) -> Option<&'m EntityModel> {
    let id: Option<IndexId> = index.map(|index| index.id);
    let fitting = table.entities.iter().filter_map(|entity| {
        let (pk_template, sk_template) = match id {
            None => (entity.schema.pk, entity.schema.sk),
            Some(id) => {
                let index = entity.schema.indexes.iter().find(|it| it.id == id)?;
                (index.pk, index.sk)
            }
        };
        let sk_head = sk_template.map_or("", |it| it.head);
        let fits = pk.starts_with(pk_template.head)
            && sk.is_none_or(|sk| sk.starts_with(sk_head) || sk_head.starts_with(sk));
        fits.then_some((pk_template.head.len() + sk_head.len(), entity))
    });
    fitting
        .max_by_key(|(length, _)| *length)
        .map(|(_, entity)| entity)
}
