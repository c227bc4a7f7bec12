//! Replicas of a table in other regions, for Terraform.
//!
//! A table on demand has them as `replica` blocks. DynamoDB takes a provisioned table only after
//! its write units are scaled, and that is after the table is there: such a table has them as
//! resources, each with a provider of its region.

use super::{Deployment, literal, snake};
use crate::output::global_table::regions_with_keys;
use crate::{Model, TableModel};
use dynamo_model::__tools::CreateTable;
use dynamo_model::schema::{Billing, TableSchema};
use serde_json::{Value, json};

/// The first release of the AWS provider whose `replica` block has all of these settings.
const PROVIDER: &str = ">= 6.0";

/// Returns whether the replicas are separate resources.
pub(super) fn are_resources(table: &TableSchema) -> bool {
    !table.replicas.is_empty() && table.billing != Billing::OnDemand
}

/// Returns the `replica` blocks of a table.
pub(super) fn blocks(deployment: &Deployment, table: &TableSchema) -> Vec<Value> {
    if are_resources(table) {
        return Vec::new();
    }
    let blocks = table.replicas.iter().map(|region| {
        let mut block = settings(deployment, table, region);
        block["region_name"] = json!(region);
        block["propagate_tags"] = json!(true);
        if table.multi_region_strong {
            block["consistency_mode"] = json!("STRONG");
        }
        block
    });
    blocks.collect()
}

/// Returns the replicas of a provisioned table: their names and values.
pub(super) fn resources(deployment: &Deployment, table: &TableModel) -> Vec<(String, Value)> {
    let schema = &table.schema;
    if !are_resources(schema) {
        return Vec::new();
    }
    let name = snake(schema.name);
    let scaled = deployment.scaling_of(schema).into_iter();
    let policies = scaled.flat_map(|it| it.of(table));
    let policies = policies.map(|it| format!("aws_appautoscaling_policy.{}", snake(&it.name)));
    let policies: Vec<_> = policies.collect();
    let replicas = schema.replicas.iter().map(|region| {
        let mut replica = settings(deployment, schema, region);
        replica["provider"] = json!(format!("aws.{}", snake(region)));
        replica["global_table_arn"] = json!(format!("${{aws_dynamodb_table.{name}.arn}}"));
        replica["depends_on"] = json!(policies);
        (format!("{name}_{}", snake(region)), replica)
    });
    replicas.collect()
}

/// The settings that each replica has for itself.
fn settings(deployment: &Deployment, table: &TableSchema, region: &str) -> Value {
    let create = CreateTable::of(table);
    let mut out = json!({
        "point_in_time_recovery": table.point_in_time_recovery,
        "deletion_protection_enabled": create.deletion_protection,
    });
    match create.kms {
        Some(Some(key)) => out["kms_key_arn"] = json!(literal(key)),
        Some(None) if deployment.customer_key => {
            out["kms_key_arn"] = json!(format!("${{var.{}}}", key_variable(region)));
        }
        _ => {}
    }
    out
}

/// Adds the providers of other regions, and the variables with their keys.
pub(super) fn complete(deployment: &Deployment, model: &Model, out: &mut Value) {
    let schemas = || model.tables.iter().map(|it| &it.schema);
    if schemas().any(|it| !it.replicas.is_empty()) {
        out["terraform"]["required_providers"]["aws"]["version"] = json!(PROVIDER);
    }
    let regions = schemas().filter(|it| are_resources(it));
    let mut regions: Vec<_> = regions.flat_map(|it| it.replicas).collect();
    regions.sort_unstable();
    regions.dedup();
    if !regions.is_empty() {
        let providers = regions.into_iter();
        let providers = providers.map(|it| json!({ "alias": snake(it), "region": it }));
        out["provider"] = json!({ "aws": providers.collect::<Vec<_>>() });
    }
    for region in regions_with_keys(deployment, model) {
        out["variable"][key_variable(region)] = json!({
            "type": "string",
            "description": format!("The ARN of the key of {region} that encrypts its replicas"),
        });
    }
}

/// The variable that has the key of a region.
fn key_variable(region: &str) -> String {
    format!("table_key_{}", snake(region))
}
