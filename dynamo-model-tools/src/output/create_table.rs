//! The input of CreateTable, for `aws dynamodb create-table --cli-input-json`.

use crate::Model;
use dynamo_model::__tools::{CreateIndex, CreateTable, CreateVector, KeySchema};
use dynamo_model::schema::{TableClass, TableSchema};
use serde_json::{Map, Value, json};

impl Model {
    /// Returns the input of CreateTable for each table, in order:
    /// `aws dynamodb create-table --cli-input-json` takes it. TTL and point-in-time recovery are
    /// not part of that call; see [`update_time_to_live`](Self::update_time_to_live) and
    /// [`update_continuous_backups`](Self::update_continuous_backups).
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", sk = N("seq"), ttl = "expires")]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("<seq>")]
    /// # struct Login { user_id: String, seq: u32 }
    /// use dynamo_model_tools::Model;
    ///
    /// let model = Model::new("app").entity::<Login>();
    /// let input = &model.create_table()[0];
    /// assert_eq!(input["KeySchema"][1]["AttributeName"], "seq");
    /// assert_eq!(input["BillingMode"], "PAY_PER_REQUEST");
    /// assert_eq!(model.update_time_to_live()[0]["TimeToLiveSpecification"]["AttributeName"], "expires");
    /// assert!(model.update_continuous_backups().is_empty());
    /// ```
    #[must_use]
    pub fn create_table(&self) -> Vec<Value> {
        self.tables
            .iter()
            .map(|table| create_table(&table.schema))
            .collect()
    }

    /// Returns the input of UpdateTimeToLive, for the tables whose items expire.
    #[must_use]
    pub fn update_time_to_live(&self) -> Vec<Value> {
        let expiring = self.tables.iter().filter_map(|table| {
            let ttl = table.schema.ttl?;
            Some(json!({
                "TableName": table.schema.name,
                "TimeToLiveSpecification": { "AttributeName": ttl, "Enabled": true },
            }))
        });
        expiring.collect()
    }

    /// Returns the input of UpdateContinuousBackups, for the tables with point-in-time recovery.
    #[must_use]
    pub fn update_continuous_backups(&self) -> Vec<Value> {
        let recovering = self
            .tables
            .iter()
            .filter(|it| it.schema.point_in_time_recovery);
        let recovering = recovering.map(|table| {
            json!({
                "TableName": table.schema.name,
                "PointInTimeRecoverySpecification": { "PointInTimeRecoveryEnabled": true },
            })
        });
        recovering.collect()
    }
}

fn create_table(table: &TableSchema) -> Value {
    let create = CreateTable::of(table);
    let mut input = keys_and_indexes(&create);
    input.extend(settings(table));
    let mut set = |name: &str, value: Value| input.insert(name.to_owned(), value);
    set("TableName", json!(table.name));
    set(
        "DeletionProtectionEnabled",
        json!(create.deletion_protection),
    );
    if let Some(view) = create.stream {
        set(
            "StreamSpecification",
            json!({ "StreamEnabled": true, "StreamViewType": view }),
        );
    }
    if let Some(key) = create.kms {
        let mut specification = json!({ "Enabled": true, "SSEType": "KMS" });
        if let Some(key) = key {
            specification["KMSMasterKeyId"] = json!(key);
        }
        set("SSESpecification", specification);
    }
    Value::Object(input)
}

/// Settings that CreateTable and CloudFormation name alike.
pub(super) fn settings(table: &TableSchema) -> Map<String, Value> {
    let mut out = Map::new();
    if let Some(maximum) = table.on_demand_maximum {
        let maximum = json!({
            "MaxReadRequestUnits": maximum.read,
            "MaxWriteRequestUnits": maximum.write,
        });
        out.insert("OnDemandThroughput".into(), maximum);
    }
    out.extend(warm_throughput(table));
    out.extend(class_and_tags(table));
    out
}

pub(super) fn warm_throughput(table: &TableSchema) -> Option<(String, Value)> {
    let warm = table.warm_throughput?;
    let units = json!({ "ReadUnitsPerSecond": warm.read, "WriteUnitsPerSecond": warm.write });
    Some(("WarmThroughput".into(), units))
}

pub(super) fn class_and_tags(table: &TableSchema) -> Map<String, Value> {
    let mut out = Map::new();
    if table.class != TableClass::Standard {
        out.insert("TableClass".into(), json!(table.class.as_str()));
    }
    if !table.tags.is_empty() {
        let tags = table.tags.iter();
        let tags = tags.map(|(name, value)| json!({ "Key": name, "Value": value }));
        out.insert("Tags".into(), tags.collect());
    }
    out
}

/// Returns the part that CreateTable and CloudFormation write alike.
pub(super) fn keys_and_indexes(create: &CreateTable) -> Map<String, Value> {
    let definitions = create.attribute_definitions.iter().map(|attribute| {
        json!({ "AttributeName": attribute.name, "AttributeType": attribute.key_type.as_str() })
    });
    let throughput = create
        .throughput
        .map(|(read, write)| json!({ "ReadCapacityUnits": read, "WriteCapacityUnits": write }));
    let mut out = Map::new();
    let mut set = |name: &str, value: Value| out.insert(name.to_owned(), value);
    set("AttributeDefinitions", definitions.collect());
    set("KeySchema", key_schema(&create.key_schema));
    match &throughput {
        Some(throughput) => {
            set("BillingMode", json!("PROVISIONED"));
            set("ProvisionedThroughput", throughput.clone());
        }
        None => {
            set("BillingMode", json!("PAY_PER_REQUEST"));
        }
    }
    let global = create.global.iter().map(|index| {
        let mut out = create_index(index);
        if let Some(throughput) = &throughput {
            out["ProvisionedThroughput"] = throughput.clone();
        }
        out
    });
    if !create.global.is_empty() {
        set("GlobalSecondaryIndexes", global.collect());
    }
    if !create.local.is_empty() {
        set(
            "LocalSecondaryIndexes",
            create.local.iter().map(create_index).collect(),
        );
    }
    if !create.vectors.is_empty() {
        set(
            "VectorIndexes",
            create.vectors.iter().map(vector_index).collect(),
        );
    }
    out
}

fn vector_index(index: &CreateVector) -> Value {
    let mut out = json!({
        "IndexName": index.name,
        "VectorAttribute": { "AttributeName": index.attribute },
        "Dimensions": index.dimensions,
        "DistanceFunction": index.distance,
        "Projection": projected(index.projection, index.non_key_attributes),
    });
    if !index.search_schema.is_empty() {
        let elements = index.search_schema.iter();
        let elements = elements
            .map(|(name, role)| json!({ "AttributeName": name, "SearchSchemaElementType": role }));
        out["SearchSchema"] = elements.collect();
    }
    out
}

fn key_schema(schema: &KeySchema) -> Value {
    let elements = schema.iter();
    elements
        .map(|(name, kind)| json!({ "AttributeName": name, "KeyType": kind }))
        .collect()
}

fn create_index(index: &CreateIndex) -> Value {
    json!({
        "IndexName": index.name,
        "KeySchema": key_schema(&index.key_schema),
        "Projection": projection(index),
    })
}

pub(super) fn projection(index: &CreateIndex) -> Value {
    projected(index.projection, index.non_key_attributes)
}

fn projected(kind: &str, names: &[&str]) -> Value {
    if names.is_empty() {
        json!({ "ProjectionType": kind })
    } else {
        json!({ "ProjectionType": kind, "NonKeyAttributes": names })
    }
}
