//! Writes a table with replicas in other regions for CloudFormation, as
//! `AWS::DynamoDB::GlobalTable`.
//!
//! Keys, indexes, stream and TTL are those of the table. Protection, recovery, the key of KMS and
//! read units are settings of each replica, and DynamoDB scales write units of all replicas
//! together.

use super::cloud_formation::{KEY, common};
use super::{Deployment, create_table, pascal};
use crate::{Model, TableModel};
use dynamo_model::__tools::CreateTable;
use dynamo_model::schema::TableSchema;
use serde_json::{Map, Value, json};

pub(super) fn properties(deployment: &Deployment, table: &TableModel) -> Value {
    let schema = &table.schema;
    let create = CreateTable::of(schema);
    let on_demand = CreateTable {
        throughput: None,
        ..CreateTable::of(schema)
    };
    let mut out = create_table::keys_and_indexes(&on_demand);
    out.extend(common(deployment, schema, &create));
    if create.kms.is_some() {
        let kms = json!({ "SSEEnabled": true, "SSEType": "KMS" });
        out.insert("SSESpecification".into(), kms);
    }
    if create.throughput.is_some() {
        out.insert("BillingMode".into(), json!("PROVISIONED"));
        out.extend(units(deployment, table, None, "Write"));
        let indexes = out.get_mut("GlobalSecondaryIndexes");
        for index in indexes.and_then(Value::as_array_mut).into_iter().flatten() {
            let name = index["IndexName"].as_str().map(str::to_owned);
            let scaled = units(deployment, table, name.as_deref(), "Write");
            index
                .as_object_mut()
                .into_iter()
                .for_each(|it| it.extend(scaled.clone()));
        }
    }
    if schema.multi_region_strong {
        out.insert("MultiRegionConsistency".into(), json!("STRONG"));
    }
    out.extend(create_table::warm_throughput(schema));
    if let Some(maximum) = schema.on_demand_maximum {
        let settings = json!({ "MaxWriteRequestUnits": maximum.write });
        out.insert("WriteOnDemandThroughputSettings".into(), settings);
    }
    let others = schema.replicas.iter().map(|region| Some(*region));
    let replicas = [None].into_iter().chain(others);
    let replicas = replicas.map(|region| replica(deployment, table, &create, region));
    out.insert("Replicas".into(), replicas.collect());
    Value::Object(out)
}

/// Writes the table in one region; `None` is the region of the stack.
fn replica(
    deployment: &Deployment,
    table: &TableModel,
    create: &CreateTable,
    region: Option<&str>,
) -> Value {
    let schema = &table.schema;
    let mut out = Map::new();
    let name = region.map_or_else(|| json!({ "Ref": "AWS::Region" }), |it| json!(it));
    out.insert("Region".into(), name);
    let protection = json!(create.deletion_protection);
    out.insert("DeletionProtectionEnabled".into(), protection);
    let recovery = json!({ "PointInTimeRecoveryEnabled": schema.point_in_time_recovery });
    out.insert("PointInTimeRecoverySpecification".into(), recovery);
    out.extend(create_table::class_and_tags(schema));
    if let Some(maximum) = schema.on_demand_maximum {
        let settings = json!({ "MaxReadRequestUnits": maximum.read });
        out.insert("ReadOnDemandThroughputSettings".into(), settings);
    }
    let key = match create.kms {
        Some(Some(key)) => Some(json!(key)),
        Some(None) if deployment.customer_key => {
            let key = region.map_or_else(|| KEY.to_owned(), key_parameter);
            Some(json!({ "Ref": key }))
        }
        _ => None,
    };
    if let Some(key) = key {
        let specification = json!({ "KMSMasterKeyId": key });
        out.insert("ReplicaSSESpecification".into(), specification);
    }
    if create.throughput.is_some() {
        out.extend(units(deployment, table, None, "Read"));
        let indexes = create.global.iter().map(|index| {
            let mut out = units(deployment, table, Some(index.name), "Read");
            out.insert("IndexName".into(), json!(index.name));
            Value::Object(out)
        });
        if !create.global.is_empty() {
            out.insert("GlobalSecondaryIndexes".into(), indexes.collect());
        }
    }
    Value::Object(out)
}

/// Writes `WriteProvisionedThroughputSettings` of the table or an index. DynamoDB accepts no fixed
/// number of write units here.
fn units(
    deployment: &Deployment,
    table: &TableModel,
    index: Option<&str>,
    what: &str,
) -> Map<String, Value> {
    let scaling = deployment.scaling_of(&table.schema).unwrap_or_default();
    let place = index.map_or_else(String::new, |index| format!("/index/{index}"));
    let scaled = scaling.of(table).into_iter();
    let scaled = scaled.filter(|it| it.index == place && it.what == what);
    let settings = scaled.map(|it| {
        let settings = json!({
            format!("{what}CapacityAutoScalingSettings"): {
                "MinCapacity": it.min,
                "MaxCapacity": it.max,
                "TargetTrackingScalingPolicyConfiguration": {
                    "TargetValue": scaling.target_percent,
                },
            },
        });
        (format!("{what}ProvisionedThroughputSettings"), settings)
    });
    settings.collect()
}

/// Returns the regions that need a key before this template can encrypt a replica there.
pub(super) fn regions_with_keys(deployment: &Deployment, model: &Model) -> Vec<&'static str> {
    let is_encrypted =
        |schema: &TableSchema| deployment.customer_key && CreateTable::of(schema).kms == Some(None);
    let tables = model.tables.iter().map(|it| &it.schema);
    let regions = tables
        .filter(|it| is_encrypted(it))
        .flat_map(|it| it.replicas);
    let mut regions: Vec<_> = regions.copied().collect();
    regions.sort_unstable();
    regions.dedup();
    regions
}

/// Returns the parameter with the key of a region: a template creates keys only in its own region.
pub(super) fn key_parameter(region: &str) -> String {
    format!("{KEY}{}", pascal(region))
}
