//! A model for NoSQL Workbench: each table, a facet an entity, sample items.

use super::create_table;
use crate::Model;
use crate::{AttributeType, EntityModel, TableModel};
use dynamo_model::__tools::CreateTable;
use dynamo_model::schema::{AttributeRole, IndexSchema, KeyAttribute};
use serde_json::{Map, Value, json};

impl Model {
    /// Returns the data model as NoSQL Workbench imports it: one facet an entity, with the sample
    /// items.
    ///
    /// Its format has neither local indexes nor keys of several attributes, so such indexes are
    /// omitted.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User { user_id: String }
    /// use dynamo_model_tools::Model;
    ///
    /// let workbench = Model::new("app").entity::<User>().workbench();
    /// let facet = &workbench["DataModel"][0]["TableFacets"][0];
    /// assert_eq!(facet["KeyAttributeAlias"]["PartitionKeyAlias"], "USER#<user_id>");
    /// ```
    #[must_use]
    pub fn workbench(&self) -> Value {
        json!({
            "ModelName": self.name,
            "ModelMetadata": {
                "Author": "",
                "DateCreated": "",
                "DateLastModified": "",
                "Description": self.title,
                "AWSService": "Amazon DynamoDB",
                "Version": "3.0",
            },
            "DataModel": self.tables.iter().map(|table| self.workbench_table(table)).collect::<Vec<_>>(),
        })
    }

    fn workbench_table(&self, table: &TableModel) -> Value {
        let schema = &table.schema;
        let create = CreateTable::of(schema);
        let (capacity, throughput) = match create.throughput {
            Some(units) => ("PROVISIONED", units),
            None => ("PAY_PER_REQUEST", (5, 5)),
        };
        let global = create.global.iter().zip(
            schema
                .indexes
                .iter()
                .filter(|it| matches!(it.id, dynamo_model::schema::IndexId::Gsi(_))),
        );
        let is_plain = |it: &IndexSchema| it.pk_rest.is_empty() && it.sk_rest.is_empty();
        let global = global.filter(|(_, declared)| is_plain(declared));
        let global = global.map(|(index, declared)| {
            json!({
                "IndexName": index.name,
                "KeyAttributes": key_attributes(declared.pk, declared.sk),
                "Projection": create_table::projection(index),
            })
        });
        // Workbench has no null and no undeclared attributes, so unique items are omitted.
        let items = table
            .items
            .iter()
            .filter(|item| item.entity.is_some())
            .map(|item| {
                let attributes = item.attributes.iter();
                let attributes = attributes.filter(|(_, value)| value["NULL"].is_null());
                attributes
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect::<Map<_, _>>()
            });
        json!({
            "TableName": schema.name,
            "KeyAttributes": key_attributes(schema.pk, schema.sk),
            "NonKeyAttributes": non_key_attributes(table),
            "TableFacets": table.entities.iter().map(|it| self.facet(table, it)).collect::<Vec<_>>(),
            "GlobalSecondaryIndexes": global.collect::<Vec<_>>(),
            "TableData": items.collect::<Vec<_>>(),
            "DataAccess": { "MySql": {} },
            "BillingMode": capacity,
            "ProvisionedCapacitySettings": {
                "ProvisionedThroughput": {
                    "ReadCapacityUnits": throughput.0,
                    "WriteCapacityUnits": throughput.1,
                },
                "AutoScalingRead": { "ScalableTargetRequest": { "MinCapacity": 1, "MaxCapacity": 10 },
                    "ScalingPolicyConfiguration": { "TargetValue": 70 } },
                "AutoScalingWrite": { "ScalableTargetRequest": { "MinCapacity": 1, "MaxCapacity": 10 },
                    "ScalingPolicyConfiguration": { "TargetValue": 70 } },
            },
        })
    }

    /// A facet's name must be the only one in the model.
    fn facet(&self, table: &TableModel, entity: &EntityModel) -> Value {
        let schema = &entity.schema;
        let same = self
            .entities()
            .filter(|(_, other)| other.schema.entity == schema.entity);
        let name = match same.count() {
            1 => schema.entity.to_owned(),
            _ => format!("{} in {}", schema.entity, table.schema.name),
        };
        let mut alias = json!({ "PartitionKeyAlias": schema.pk.text });
        if let Some(sk) = schema.sk {
            alias["SortKeyAlias"] = json!(sk.text);
        }
        let is_key = |name: &str| {
            name == table.schema.pk.name || table.schema.sk.is_some_and(|sk| sk.name == name)
        };
        let index_keys = schema.indexes.iter();
        let index_keys = index_keys.flat_map(|index| index.keys(&table.schema));
        let index_keys = index_keys.map(|(key, _)| key.name);
        let stored = schema
            .attributes
            .iter()
            .filter(|it| it.role != AttributeRole::KeyOnly);
        let names = table
            .schema
            .entity_type
            .into_iter()
            .chain(stored.map(|it| it.name));
        let mut attributes: Vec<&str> = Vec::new();
        for name in names.chain(index_keys).filter(|name| !is_key(name)) {
            if !attributes.contains(&name) {
                attributes.push(name);
            }
        }
        json!({
            "FacetName": name,
            "KeyAttributeAlias": alias,
            "TableData": [],
            "NonKeyAttributes": attributes,
            "DataAccess": { "MySql": {} },
        })
    }
}

fn key_attributes(pk: KeyAttribute, sk: Option<KeyAttribute>) -> Value {
    let attribute = |it: KeyAttribute| json!({ "AttributeName": it.name, "AttributeType": it.key_type.as_str() });
    let mut out = json!({ "PartitionKey": attribute(pk) });
    if let Some(sk) = sk {
        out["SortKey"] = attribute(sk);
    }
    out
}

/// Returns every attribute of every entity once; an unknown type becomes a string.
fn non_key_attributes(table: &TableModel) -> Vec<Value> {
    let schema = &table.schema;
    let mut known: Vec<(&str, &str)> = Vec::new();
    let mut add = |name: &'static str, letters: &'static str| {
        let is_key = name == schema.pk.name || schema.sk.is_some_and(|sk| sk.name == name);
        if !is_key && !known.iter().any(|(known, _)| *known == name) {
            known.push((name, letters));
        }
    };
    for attribute in CreateTable::of(schema).attribute_definitions {
        add(attribute.name, attribute.key_type.as_str());
    }
    if let Some(name) = schema.entity_type {
        add(name, "S");
    }
    for entity in &table.entities {
        let stored = entity.schema.attributes.iter();
        for attribute in stored.filter(|it| it.role != AttributeRole::KeyOnly) {
            let found = entity.attribute_type(attribute);
            add(attribute.name, found.map_or("S", AttributeType::as_str));
        }
    }
    let known = known.into_iter();
    known
        .map(|(name, letters)| json!({ "AttributeName": name, "AttributeType": letters }))
        .collect()
}
